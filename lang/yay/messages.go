package yay

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// wrongType says what was wanted and what was given.
func wrongType(at source.Span, wanted string, given value.Value) *source.Diagnostic {
	if isSecret(at) {
		given = given.Mark(value.Secret)
	}
	return source.Errorf(at, source.WrongType, "expected %s, not %s", wanted, describe(given))
}

// isSecret reports whether what stands at a place must not be shown in messages. Names
// and keys are not secret, what is written for values is.
func isSecret(at source.Span) bool { return at.File != nil && at.File.Secret }

// maxDescribed bounds a text in a message, in bytes.
const maxDescribed = 40

// describe names the kind of a value, and the value itself where it is short, unless
// it must not be shown.
func describe(v value.Value) string {
	switch {
	case v.Is(value.MapKind):
		return "a mapping"
	case v.Is(value.FuncKind):
		return "a macro"
	case v.Marks() != 0:
	case v.Is(value.StringKind) && len(v.Str()) <= maxDescribed && utf8.ValidString(v.Str()):
		return fmt.Sprintf("the string %q", v.Str())
	case v.Is(value.FloatKind):
		return "the number " + value.FormatFloat(v.Float())
	}
	return value.Article(v.Kind())
}

// maxQuoted bounds a text of the source in a message, in bytes.
const maxQuoted = 40

// quote returns a text of the source as messages show it. Nothing of an encrypted
// file is shown.
func quote(text string, secret bool) string {
	if secret {
		return strconv.Quote(value.SecretText)
	}
	if len(text) > maxQuoted {
		text = text[:maxQuoted] + "..."
	}
	return fmt.Sprintf(`"%s"`, strings.ToValidUTF8(text, ""))
}

// whose says in what something is missing, if the expression has a name for it.
func whose(x expr.Node) string {
	if name := dotted(x); name != "" {
		return fmt.Sprintf(" in %s", shorten(name))
	}
	return ""
}

// dotted writes a chain of names as in the source, and other nodes as "".
func dotted(n expr.Node) string {
	switch n := n.(type) {
	case *expr.Name:
		return n.Name
	case *expr.Select:
		if x := dotted(n.X); x != "" {
			return x + "." + n.Name
		}
	}
	return ""
}

// maxShown bounds a name in a message, in bytes.
const maxShown = 200

// shorten cuts a name that is longer.
func shorten(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "..."
}
