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
	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// wrongType returns the error of a value that is not of the expected type.
func wrongType(at source.Span, wanted string, given value.Value) *source.Diagnostic {
	if isSecret(at) {
		given = given.Mark(value.Secret)
	}
	return source.Errorf(at, source.WrongType, "expected %s, not %s", wanted, describe(given))
}

// isSecret reports whether the source at a place must not be shown in messages: it is
// encrypted. Names and keys are not secret, values are.
func isSecret(at source.Span) bool { return at.File != nil && at.File.Secret }

// maxDescribed bounds the length of a text in a message, in bytes.
const maxDescribed = 40

// describe returns the kind of a value for messages, with the value itself if it is short
// and not secret.
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

// maxQuoted bounds a range of the source in a message, in bytes.
const maxQuoted = 40

// quote returns a range of the source for messages, masked if it is secret.
func quote(text string, secret bool) string {
	if secret {
		return strconv.Quote(value.SecretText)
	}
	if len(text) > maxQuoted {
		text = text[:maxQuoted] + "..."
	}
	return fmt.Sprintf(`"%s"`, strings.ToValidUTF8(text, ""))
}

// whose returns " in x" for a missing key or item of x, "" if x is not a chain of names.
func whose(x expr.Node) string {
	if name := dotted(x); name != "" {
		return fmt.Sprintf(" in %s", shorten(name))
	}
	return ""
}

// dotted returns a chain of names such as a.b as text, "" for other expressions.
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

// maxShown bounds the length of a name in a message, in bytes.
const maxShown = 200

// shorten cuts a name that is too long.
func shorten(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "..."
}

// foreignName returns a hint for a name that other languages have and Yay does not, ""
// for others.
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

// foreignFunction is foreignName for functions.
func foreignFunction(name string) string {
	switch name {
	case "default":
		return "write x else y: y is used if x is missing"
	case "length", "count":
		return "write len(x)"
	}
	return ""
}

// foreignMethod is foreignName for methods of mappings and texts.
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

// foreignDirective returns a hint for the first word of a statement that other languages have, ""
// for others.
func foreignDirective(word string) string {
	switch word {
	case "elseif", "elsif":
		return "write elif"
	case "def", "function":
		return "a block with a name is a macro: macro name:"
	case "import", "from":
		return `a file is included by: include "name.yay"`
	case "let", "var":
		return "a name is bound by: set name = value"
	case "while", "foreach":
		return "a loop is written: for name in list:"
	}
	return ""
}

// flowHint returns a hint for a text that is a list or mapping in the notation of YAML, ""
// for others.
func flowHint(text string) string {
	switch {
	case strings.HasPrefix(text, "["):
		return "a list is written {{ [1, 2] }}, or with a line for each item"
	case strings.HasPrefix(text, "{"):
		return `a mapping is written {{ {"key": 1} }}, or with a line for each key`
	}
	return ""
}

// flowText is flowHint for a value that is used as a list or mapping.
func flowText(v value.Value) string {
	if !v.Is(value.StringKind) || v.Marks() != 0 {
		return ""
	}
	return flowHint(v.Str())
}

// fileHint returns a hint for an operand that looks like the name of a file without its
// quotes, such as a.yay, "" for others.
func fileHint(n expr.Node) string {
	text := n.Span().Text()
	if _, ok := n.(*expr.Select); !ok || isSecret(n.Span()) || len(text) > maxQuoted {
		return ""
	}
	if slices.Contains([]string{"yay", "yaml", "json"}, source.LanguageOf(text)) || source.IsEncrypted(text) {
		return `the name of a file is a text: write "` + text + `"`
	}
	return ""
}

// noteWord warns about a condition that is a word such as "false" or "null". Other
// languages read it as a truth value or as null; in Yay it is a text, and true (design:
// decisions, "Yay").
func noteWord(in surroundings, v value.Value, at source.Span) {
	if !v.Is(value.StringKind) || v.Marks() != 0 {
		return
	}
	if c, ok := in.(*directCall); ok && c.runtime().Lint {
		*c.needsCells = true
	}
	s, ok := in.(*site)
	if !ok || !s.runtime().Lint {
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

// lintExpression returns the findings about an expression that do not depend on values.
// An "else" does not catch missing operands of an operation (spec: yay, section 4.3).
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

// repeatedCases returns a finding for each case of a "select" that never applies because
// an earlier case has the same key.
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

// LintText returns a finding about a text without expressions that looks like a comment, a
// directive, or something else in YAML, nil otherwise.
func LintText(s *graph.Scalar) *source.Diagnostic {
	text := s.At.Text()
	if !s.Val.Is(value.StringKind) || strings.Contains(text, "\n") {
		return nil
	}
	if message, hint := foreignText(text); message != "" {
		return source.Warnf(s.At, source.Suspicious, "%s", message).WithHint("%s", hint)
	}
	from := 0
	if strings.HasPrefix(text, `"`) {
		from = strings.IndexByte(text[1:], '"') + 2
	}
	return lintPart(s.At.Sub(from, len(text)))
}

var (
	foreignList  = lazy.Regexp{Text: `^\[(.*,.*|[0-9.]+|[A-Za-z_]+|".*"|'.*')\]$`}
	foreignAlias = lazy.Regexp{Text: `^\*[A-Za-z_][A-Za-z0-9_-]*$`}
)

// foreignText returns a message and a hint about a text that is something else in YAML, or a
// directive on a line of its own, "" for other texts.
func foreignText(text string) (message, hint string) {
	switch {
	case foreignList.Get().MatchString(text):
		return "this is a text, not a list", flowHint(text)
	case len(text) > 1 && text[0] == '\'' && strings.IndexByte(text[1:], '\'') == len(text)-2:
		return "the single quotes are part of the text", "write double quotes, or none"
	case foreignAlias.Get().MatchString(text):
		return "this is a text, not an alias", "there are no anchors: an expression names a value by its path, {{ a.b }}"
	case strings.HasPrefix(text, "!!"):
		return "this is a text: there are no tags", "write str(x), int(x) or float(x) in an expression"
	case strings.HasPrefix(text, `include "`) || strings.HasPrefix(text, "include '"):
		return "this is a text, not a directive", "an include is a line of its own, without a key or a dash"
	}
	return "", ""
}

// lintParts is LintText for a text with expressions. A text that begins with a quote may
// contain anything.
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

// lintPart returns a finding about a text without quotes around it.
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

// LintKey returns a finding about a key of a mapping that is in quotes, or that was a
// directive in early versions of Yay and is an ordinary key now (spec: yay, section 1.10),
// nil otherwise.
func LintKey(e *graph.Entry) *source.Diagnostic {
	key := e.Key.Text
	if n := len(key); n > 1 && (key[0] == '"' || key[0] == '\'') && key[n-1] == key[0] {
		return source.Warnf(e.KeyAt, source.Suspicious, "the quotes are part of the key").WithHint("write the key without quotes")
	}
	for _, old := range oldDirectives {
		if strings.HasPrefix(key, old.key) {
			return source.Warnf(e.KeyAt, source.Suspicious, "%q is an ordinary key, not a directive", key).WithHint("write %s", old.now)
		}
	}
	return nil
}

var oldDirectives = []struct{ key, now string }{
	{".include", `include "name.yay"`},
	{".foreach", "for x in list: and a block"},
}

// checkExpression warns about operations on literals that always fail, such as 1 / 0. An
// expression that takes too many steps passes.
func checkExpression(n expr.Node) []*source.Diagnostic {
	var found []*source.Diagnostic
	var variable []uint32 // where parts begin that do not consist of literals and operators
	expr.Walk(n, func(n expr.Node) bool {
		switch n.(type) {
		case *expr.Name, *expr.CallExpr, *expr.For:
			variable = append(variable, n.Span().Start)
		}
		return true
	})
	slices.Sort(variable)
	isConstant := func(at source.Span) bool {
		i, _ := slices.BinarySearch(variable, at.Start)
		return i == len(variable) || variable[i] >= at.End
	}
	expr.Walk(n, func(n expr.Node) bool {
		if !isConstant(n.Span()) {
			return true
		}
		v, err := eval(n, &emptiness{}, nil)
		if err == nil && !v.IsScalar() {
			_, err = value.DeepMarks(v) // evaluates the items
		}
		if d := diagnosticOf(err); d != nil && d.Code != source.Limit {
			found = append(found, source.Warnf(d.At, source.Suspicious, "%s", d.Message).WithHint("%s", d.Hint))
		}
		return false
	})
	return found
}

// An emptiness is surroundings without names.
type emptiness struct{ steps int }

const maxConstantSteps = 10_000

var errTooLong error = &source.Diagnostic{Code: source.Limit, Message: "the expression takes too long to check"}

// Lookup finds nothing.
func (*emptiness) Lookup(string) (value.Value, bool, error) { return value.Null, false, nil }

// Missing is never called: constants have no names.
func (*emptiness) Missing(n *expr.Name) error {
	return source.Errorf(n.At, source.NoMatching, "could not find %q", n.Name)
}

// Call is never called.
func (*emptiness) Call(*expr.CallExpr, value.Value, evaluator) (value.Value, error) {
	return value.Null, errors.ErrUnsupported
}

// Ahead is never called.
func (*emptiness) Ahead(value.Value, string) {}

// Step counts n units of work.
func (e *emptiness) Step(n int) error {
	if e.steps += n; e.steps > maxConstantSteps {
		return errTooLong
	}
	return nil
}

// Enter and Leave need not count: constants call nothing.
func (*emptiness) Enter() error { return nil }
func (*emptiness) Leave()       {}

// Keeps is true: literals do not change.
func (*emptiness) Keeps() bool { return true }

// Decided is never called: literals are not secret.
func (*emptiness) Decided() {}

// MaxText returns a size that texts of a source do not reach.
func (*emptiness) MaxText() int { return 1 << 20 }
