package expr

import (
	"context"
	"errors"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
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
	case d.Severity == source.Info:
		message = "trace of an expression that must not be shown"
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

// computed compiles and evaluates what was computed, one level deeper. A secret in any
// part of it may be a name, a path or a word of a template: nothing that is found in it
// is quoted then.
func computed[T any](v value.Value, at source.Span, s *Scope, compile func(*compiler, value.Value, Placer) (Node, error), run func(Node, *Scope) (T, error)) (out T, err error) {
	var c compiler
	n, err := compile(&c, v, Nowhere(at))
	if c.marks != 0 {
		s = s.discreet()
		if err == nil { // once more, with places that show nothing
			n, err = compile(new(compiler), v, Nowhere(hiddenPlace(at)))
		}
	}
	if err == nil {
		out, err = run(n, s)
	}
	if c.marks != 0 {
		err = discreet(err, at)
	}
	return out, err
}

// hiddenPlace returns a place as one in a text that must not be shown. Findings that
// come late, when a value is used, are known by it.
func hiddenPlace(at source.Span) source.Span {
	if at.File != nil {
		at.File = at.File.Hidden()
	}
	return at
}

// discreet returns an error of the evaluation of secret data without what it says: what
// the data consists of may be handed to anything, such as a macro somewhere else. A place
// in the data is that of the expression that evaluates it, which may be shown.
func discreet(err error, at source.Span) error {
	var d *source.Diagnostic
	if err == nil || errors.Is(err, context.Canceled) || !errors.As(located(at, source.BadValue, err, 0), &d) {
		return err
	}
	if d.Code != source.Limit && d.Code != source.Timeout {
		d = concealedIn(d)
	}
	if hidden := hiddenPlace(at); hidden.Contains(d.At) {
		there := *d
		there.At = at
		return &there
	}
	return d
}

// A discreetEnv reports nothing that could quote what is evaluated.
type discreetEnv struct{ Env }

// Warn reports that there is a finding.
func (e discreetEnv) Warn(d *source.Diagnostic) { e.Env.Warn(concealedIn(d)) }

// discreet returns a scope for what was computed from secrets.
func (s *Scope) discreet() *Scope {
	if _, ok := s.Env.(discreetEnv); ok {
		return s
	}
	inner := *s
	inner.Env = discreetEnv{s.Env}
	return &inner
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
