package expr

import (
	"errors"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// Conceal returns an error about a text from an encrypted file without what it may
// quote of that text: names, literals, a template that cannot be read may be the
// secret, or a part of it. Place and code stay, so that the author can look. Errors
// about other texts, limits and cycles are returned as they are: keys and the names of
// files are structure, which is not secret (spec: yay, section 9).
func Conceal(err error) error {
	if err == nil {
		return nil
	}
	return conceal(err)
}

// conceal is apart from Conceal since its variable costs memory, which those without
// an error need not pay.
func conceal(err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || !quotesSecret(d) {
		return err
	}
	return concealedIn(d)
}

func quotesSecret(d *source.Diagnostic) bool {
	if !secretText(d.At) {
		return false
	}
	switch d.Code {
	case source.Limit, source.Timeout, source.Cycle, source.Paradox, source.Internal, source.MissingInclude, source.RecursiveInclude:
		return false
	}
	return true
}

// secretText reports whether a span lies in a text from an encrypted file.
func secretText(at source.Span) bool { return at.File != nil && at.File.Secret }

func concealedIn(d *source.Diagnostic) *source.Diagnostic {
	message := concealed
	switch {
	case d.Code == source.Undefined, d.Code == source.NoMatching:
		message = "a name or key in a text that must not be shown is not there"
	case d.Code != source.Syntax && d.Code != source.BadExpression:
	case strings.HasPrefix(d.Message, "template error"):
		message = "template error in a text that must not be shown"
	default:
		message = "error in an expression that must not be shown"
	}
	return &source.Diagnostic{Severity: d.Severity, Code: d.Code, Message: message, At: d.At, Includes: d.Includes, Within: d.Within}
}

// concealAll is Conceal for findings.
func concealAll(found []*source.Diagnostic) []*source.Diagnostic {
	for i, d := range found {
		if quotesSecret(d) {
			found[i] = concealedIn(d)
		}
	}
	return found
}
