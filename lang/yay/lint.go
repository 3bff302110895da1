package yay

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
	d := source.Warnf(at, source.Suspicious, "the word %s is a text, and any text but the empty one holds", word)
	d.Includes = s.Origin.Includes()
	s.place().Eval().Warn(d.WithHint("%s", hint))
}

// lintExpression returns what is suspicious in an expression whatever values it
// meets.
func lintExpression(n expr.Node) []*source.Diagnostic {
	found := checkExpression(n)
	expr.Walk(n, func(n expr.Node) bool {
		if e, ok := n.(*expr.Else); ok && isOperation(e.X) {
			found = append(found, source.Warnf(e.X.Span(), source.Suspicious, `"else" does not catch a name that is missing inside an operation`).
				WithHint(`put "else" into the operation: 1 + (x else 2)`))
		}
		return true
	})
	return found
}

// isOperation reports whether an expression computes something from its operands,
// which its expansion leaves alone (spec: yay, section 4.3).
func isOperation(n expr.Node) bool {
	switch n.(type) {
	case *expr.Unary, *expr.Binary, *expr.Compare, *expr.Logic:
		return true
	}
	return false
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
			WithHint("a comment needs a line of its own; quotes around the value say that it is meant")
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
