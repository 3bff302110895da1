package yay

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
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

// foreignName says what to write for a name that another language has and Yay has
// not, "" if it is none.
func foreignName(name string) string {
	switch name {
	case "true", "True":
		return "truth values have no names: write 1 == 1, or 1"
	case "false", "False":
		return "truth values have no names: write 1 == 0, or 0"
	case "null", "None", "none", "nil":
		return `there is no null: write "", the empty text`
	}
	if slices.Contains(builtinNames(), name) {
		return "it is a function: write " + name + "(x)"
	}
	return ""
}

// foreignFunction is foreignName for names that are called.
func foreignFunction(name string) string {
	switch name {
	case "default":
		return "write x else y: y is used if x is missing"
	case "length", "count":
		return "write len(x)"
	}
	return ""
}

// foreignMethod says what to write for a method that mappings and texts have in other
// languages, "" if it is none.
func foreignMethod(x expr.Node, name string) string {
	of := dotted(x)
	if of == "" || isSecret(x.Span()) {
		of = "x"
	}
	switch name {
	case "items", "values":
		return "a loop over a mapping runs over its keys: for key in " + of + ", and " + of + "[key]"
	case "get":
		return "write " + of + ".key else y: y is used if the key is missing"
	}
	if slices.Contains(builtinNames(), name) {
		return "there are no methods: write " + name + "(" + of + ")"
	}
	return ""
}

// flowHint says how a list or mapping is written of which a text is the notation in
// YAML, "" if the text is none.
func flowHint(text string) string {
	switch {
	case strings.HasPrefix(text, "["):
		return "a list is written {{ [1, 2] }}, or with a line for each item"
	case strings.HasPrefix(text, "{"):
		return `a mapping is written {{ {"key": 1} }}, or with a line for each key`
	}
	return ""
}

// flowText is flowHint of a value that is used as a list or mapping.
func flowText(v value.Value) string {
	if !v.Is(value.StringKind) || v.Marks() != 0 {
		return ""
	}
	return flowHint(v.Str())
}

// fileHint says that the name of a file is a text, if an operand looks like one that
// is not.
func fileHint(n expr.Node) string {
	text := n.Span().Text()
	if _, ok := n.(*expr.Select); !ok || isSecret(n.Span()) || len(text) > maxQuoted {
		return ""
	}
	for _, ending := range []string{".yay", ".yaml", ".yml", ".json", ".gpg", ".asc"} {
		if strings.HasSuffix(text, ending) {
			return `the name of a file is a text: write "` + text + `"`
		}
	}
	return ""
}

// noteWord warns, when a document is checked, about a condition that is one of the
// words which other languages take for a truth value or for nothing: here they are
// texts, and true (design: decisions, "Yay").
func noteWord(in surroundings, v value.Value, at source.Span) {
	s, ok := in.(*site)
	if !ok || !s.runtime().Lint || !v.Is(value.StringKind) || v.Marks() != 0 {
		return
	}
	word, hint := v.Str(), `compare it, as in x == "true", or write 1 and 0`
	switch strings.ToLower(word) {
	case "true", "false", "null":
		hint += "; --yaml-scalars reads such words as YAML does"
	case "no", "off":
	default:
		return
	}
	d := source.Warnf(at, source.Suspicious, "the word %s is a text, and every text but the empty one is true", word)
	d.Includes = s.Origin.Includes()
	s.place().Eval().Warn(d.WithHint("%s", hint))
}

// lintExpression returns what is suspicious in an expression whatever values it
// meets. An operation computes something from its operands, which its expansion leaves
// alone (spec: yay, section 4.3).
func lintExpression(n expr.Node) []*source.Diagnostic {
	found := checkExpression(n)
	expr.Walk(n, func(n expr.Node) bool {
		e, ok := n.(*expr.Else)
		if !ok {
			return true
		}
		switch e.X.(type) {
		case *expr.Unary, *expr.Binary, *expr.Compare, *expr.Logic:
			found = append(found, source.Warnf(e.X.Span(), source.Suspicious, `"else" does not catch a name that is missing inside an operation`).
				WithHint(`put "else" into the operation: 1 + (x else 2)`))
		}
		return true
	})
	return found
}

// repeatedCases returns the cases of a "select" that never apply because an earlier
// one has the same key.
func repeatedCases(s *Select) []*source.Diagnostic {
	var found []*source.Diagnostic
	first := map[string]*Case{}
	for _, c := range s.Cases {
		if c.Else {
			continue
		}
		if earlier := first[c.Key]; earlier != nil {
			found = append(found, source.Warnf(c.KeyAt, source.Suspicious, "the case %q never applies: an earlier one has the same key", c.Key).
				Note(earlier.KeyAt, "the earlier one"))
			continue
		}
		first[c.Key] = c
	}
	return found
}

// LintText returns what is suspicious about a text without expressions that stands
// for a value: what looks like a comment or a list of YAML. It returns nil otherwise.
func LintText(s *graph.Scalar) *source.Diagnostic {
	text := s.At.Text()
	if !s.Val.Is(value.StringKind) || strings.Contains(text, "\n") {
		return nil
	}
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && strings.Contains(text, ",") {
		return source.Warnf(s.At, source.Suspicious, "this is a text, not a list").WithHint("%s", flowHint(text))
	}
	from := 0
	if strings.HasPrefix(text, `"`) {
		from = strings.IndexByte(text[1:], '"') + 2
	}
	return lintPart(s.At.Sub(from, len(text)))
}

// lintParts is LintText of a text with expressions. What begins with a quote may hold
// anything.
func lintParts(t *Text) []*source.Diagnostic {
	if t.Block != "" || strings.HasPrefix(t.At.Text(), `"`) {
		return nil
	}
	var found []*source.Diagnostic
	for _, p := range t.Parts {
		if p.Node != nil {
			continue
		}
		if d := lintPart(p.At); d != nil {
			found = append(found, d)
		}
	}
	return found
}

// lintPart returns what is suspicious in a text that has no quotes around it.
func lintPart(at source.Span) *source.Diagnostic {
	text := at.Text()
	if i := strings.Index(text, " #"); i >= 0 {
		return source.Warnf(at.Sub(i+1, len(text)), source.Suspicious, "this is part of the text, not a comment").
			WithHint("put a comment on a line of its own, or quotes around the value if the text is meant")
	}
	if i := strings.Index(text, "{%"); i >= 0 && strings.Contains(text[i:], "%}") {
		return source.Warnf(at.Sub(i, len(text)), source.Suspicious, "statements of templates are text in Yay").
			WithHint("if and for are lines of their own; {{ a if test else b }} is an expression")
	}
	return nil
}

// LintKey returns what is suspicious about a key of a mapping: a directive as Yay had
// them once is an ordinary key now (spec: yay, section 1.10). It returns nil
// otherwise.
func LintKey(e *graph.Entry) *source.Diagnostic {
	for _, old := range oldDirectives {
		if strings.HasPrefix(e.Key.Text, old.key) {
			return source.Warnf(e.KeyAt, source.Suspicious, "%q is an ordinary key, not a directive", e.Key.Text).WithHint("write %s", old.now)
		}
	}
	return nil
}

var oldDirectives = []struct{ key, now string }{
	{".include", `include "name.yay"`},
	{".foreach", "for x in list: and a block"},
}

// checkExpression warns about operations that can only fail, whatever the document
// says: those on nothing but literals.
func checkExpression(n expr.Node) []*source.Diagnostic {
	var found []*source.Diagnostic
	expr.Walk(n, func(n expr.Node) bool {
		if !isConstant(n) {
			return true
		}
		if d := constantFailure(n); d != nil {
			found = append(found, source.Warnf(d.At, source.Suspicious, "%s", d.Message).WithHint("%s", d.Hint))
		}
		return false
	})
	return found
}

// isConstant reports whether an expression needs nothing from outside.
func isConstant(n expr.Node) bool {
	constant := true
	expr.Walk(n, func(n expr.Node) bool {
		switch n.(type) {
		case *expr.Name, *expr.CallExpr, *expr.For:
			constant = false
		}
		return constant
	})
	return constant
}

// constantFailure returns why a constant expression fails, nil if it does not or if
// that takes long to find out.
func constantFailure(n expr.Node) *source.Diagnostic {
	v, err := eval(n, &emptiness{}, nil)
	if err == nil && !v.IsScalar() {
		_, err = value.DeepMarks(v) // evaluates what is in it
	}
	d := diagnosticOf(err)
	if d == nil || d.Code == source.Limit {
		return nil
	}
	return d
}

// emptiness is where nothing has a name.
type emptiness struct{ steps int }

const maxConstantSteps = 10_000

var errTooLong error = source.Errorf(source.Span{}, source.Limit, "the expression takes too long to check")

// Lookup finds nothing.
func (*emptiness) Lookup(string) (value.Value, bool, error) { return value.Null, false, nil }

// Missing is not asked: constants have no names.
func (*emptiness) Missing(n *expr.Name) error {
	return source.Errorf(n.At, source.NoMatching, "could not find %q", n.Name)
}

// Call is not asked either.
func (*emptiness) Call(source.Span, value.Value, []argument) (value.Value, error) {
	return value.Null, errors.ErrUnsupported
}

// Step counts work.
func (e *emptiness) Step(n int) error {
	if e.steps += n; e.steps > maxConstantSteps {
		return errTooLong
	}
	return nil
}

// Enter and Leave need not count: constants call nothing.
func (*emptiness) Enter() error { return nil }
func (*emptiness) Leave()       {}

// MaxText is small: the text of a source is.
func (*emptiness) MaxText() int { return 1 << 20 }
