package bind

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Axis is a category with its value for the facts of a node. An axis without a value does
// not apply: no test of it holds.
type Axis struct {
	Name  string
	Value string
	Marks value.Marks // of the facts that the value is made of
	rank  uint16
}

// The categories that always exist.
const (
	nodeCategory        = "node"
	environmentCategory = "environment"
	commonCategory      = "common"
)

// axes evaluates the categories of a site, highest first (spec: bindings, section 5.1).
//
//	site                  facts               axes
//	node, role, rack      fqdn, role=db       node role="db" rack environment="production" common
func (c *composer) axes(site *Site) []Axis {
	var out []Axis
	seen := map[string]Category{}
	environmentAt := -1
	for i, cat := range site.Categories {
		switch first, twice := seen[cat.Name]; {
		case cat.Name == commonCategory:
			c.errorf(cat.At, source.ReservedCategory, "the category common is always there, below all others")
			continue
		case twice:
			c.report(source.Errorf(cat.At, source.DuplicateCategory, "the category '%s' is listed twice", cat.Name).Note(first.At, "first listed here"))
			continue
		case cat.Name == environmentCategory:
			environmentAt = i
		case cat.Name == nodeCategory && environmentAt >= 0:
			c.errorf(cat.At, source.BadCategory, "the category node is above environment")
		}
		seen[cat.Name] = cat
		out = append(out, c.axis(cat))
	}
	if _, ok := seen[nodeCategory]; !ok {
		out = slices.Insert(out, 0, Axis{Name: nodeCategory, Value: c.fqdn()})
	}
	if environmentAt < 0 {
		out = append(out, Axis{Name: environmentCategory, Value: c.Environment})
	}
	out = append(out, Axis{Name: commonCategory, Value: "true"})
	for i := range out {
		out[i].rank = uint16(len(out) - 1 - i)
	}
	return out
}

// axis evaluates a category. Undef and an empty text mean that it does not apply.
func (c *composer) axis(cat Category) Axis {
	v, err := cat.Value.Eval(c.factScope(true))
	if err != nil {
		c.fail(err, cat.Value.Span())
		return Axis{Name: cat.Name}
	}
	if cat.Name == environmentCategory {
		if !v.Is(value.BoolKind) || !v.Bool() {
			c.errorf(cat.At, source.BadCategory, "the expression of the category environment is true: its value is the chosen environment")
		}
		return Axis{Name: cat.Name, Value: c.Environment}
	}
	text, ok := categoryText(v)
	if !ok {
		c.errorf(cat.Value.Span(), source.CategoryValue, "the value of the category '%s' is a text, a number or a boolean, and this is %s", cat.Name, kindOf(v))
		return Axis{Name: cat.Name}
	}
	return Axis{Name: cat.Name, Value: text, Marks: v.Marks()}
}

// categoryText is plainText for values of categories and of tests, which no regular expression is: it would be
// compared as text. A name in capitals is text there: when os Debian {...}.
func categoryText(v value.Value) (string, bool) {
	if isRegexp(v) {
		return "", false
	}
	return plainText(v)
}

func isRegexp(v value.Value) bool { return types.TagOf(v) == types.PatternTag }

// kindOf names what is no value of a category, for messages.
func kindOf(v value.Value) string {
	if isRegexp(v) {
		return "a regular expression"
	}
	return value.Article(v.Kind())
}

// plainText returns the text of a scalar: "" for undef. It reports false for other values.
func plainText(v value.Value) (string, bool) {
	switch v.Kind() {
	case value.NullKind:
		return "", true
	case value.BoolKind:
		if v.Bool() {
			return "true", true
		}
		return "false", true
	case value.StringKind, value.IntKind, value.FloatKind:
		text, err := value.Text(v)
		return text, err == nil
	}
	return "", false
}

// fqdn returns the fact of that name.
func (c *composer) fqdn() string {
	v, ok, err := c.Facts.Get(value.K("fqdn"))
	if err != nil || !ok {
		return ""
	}
	text, _ := plainText(v)
	return text
}

// maxVector bounds the categories of one condition.
const maxVector = 8

// A vector is the precedence of a condition: the ranks of its categories, highest first,
// without repeats. That of no condition is [0], the rank of common.
//
//	when node {...}                  [3]
//	when role db and rack r1 {...}   [2 1]     higher than [2], lower than [3]
type vector struct {
	n     uint8
	ranks [maxVector]uint16
}

// compare orders vectors: negative if v is lower than w.
func (v *vector) compare(w *vector) int {
	return slices.Compare(v.ranks[:v.n], w.ranks[:w.n])
}

// A Rank decides between candidates: first the layer, counted from the top, then the vector.
type Rank struct {
	layer int32
	vec   vector
}

// compare is positive if r is higher than s.
func (r *Rank) compare(s *Rank) int {
	if c := cmp.Compare(s.layer, r.layer); c != 0 {
		return c
	}
	return r.vec.compare(&s.vec)
}

// A branch is a condition as nested blocks make it, evaluated: one alternative after the
// other. The nil branch is that outside of conditions.
type branch struct {
	alternatives []alternative
	holds        bool
	marks        value.Marks // of the categories that it tests
	vec          vector      // of the best alternative that holds
}

// An alternative is a conjunction of tests.
type alternative struct {
	tests  []evaluated
	failed int // the index of the first test that does not hold, -1 for none
	vec    vector
}

// An evaluated is a test with its value as text.
type evaluated struct {
	category, value string
	shown, actual   string // the expected value, and the category's, for messages: masked if they are secret
}

// commonVector is the precedence of operations outside of conditions.
var commonVector = vector{n: 1}

// within evaluates a condition inside of another: nesting means "and".
func (c *composer) within(outer *branch, w *When) *branch {
	inner := make([]alternative, 0, len(w.Cond))
	for _, tests := range w.Cond {
		a, ok := c.alternative(tests)
		if ok {
			inner = append(inner, a)
		}
	}
	if outer == nil {
		outer = &branch{alternatives: []alternative{{failed: -1}}}
	}
	if len(inner)*len(outer.alternatives) > MaxAlternatives {
		c.errorf(w.At, source.Limit, "the conditions around this have more than %d alternatives", MaxAlternatives)
		return &branch{}
	}
	b := &branch{}
	for _, o := range outer.alternatives {
		for _, i := range inner {
			if err := c.Budget.Step(len(o.tests) + len(i.tests)); err != nil {
				c.fail(err, w.At)
				return &branch{}
			}
			b.add(c.joined(w, o, i))
			for _, t := range b.alternatives[len(b.alternatives)-1].tests {
				b.marks |= c.Axes[c.index[t.category]].Marks
			}
		}
	}
	return b
}

// joined returns the conjunction of two alternatives.
func (c *composer) joined(w *When, outer, inner alternative) alternative {
	a := alternative{tests: slices.Concat(outer.tests, inner.tests), failed: outer.failed}
	if outer.failed < 0 && inner.failed >= 0 {
		a.failed = len(outer.tests) + inner.failed
	}
	ranks := map[uint16]bool{}
	for _, t := range a.tests {
		if r := c.ranks[t.category]; r > 0 {
			ranks[r] = true
		}
	}
	sorted := slices.Sorted(maps.Keys(ranks))
	slices.Reverse(sorted)
	if c.site.Highest && len(sorted) > 1 {
		sorted = sorted[:1]
	}
	if len(sorted) > maxVector {
		c.errorf(w.At, source.Limit, "a condition has at most %d categories", maxVector)
		sorted = sorted[:maxVector]
	}
	if len(sorted) == 0 {
		a.vec = commonVector
		return a
	}
	a.vec.n = uint8(copy(a.vec.ranks[:], sorted))
	return a
}

// add adds an alternative. If several hold the highest counts.
func (b *branch) add(a alternative) {
	b.alternatives = append(b.alternatives, a)
	if a.failed >= 0 {
		return
	}
	if !b.holds || a.vec.compare(&b.vec) > 0 {
		b.vec = a.vec
	}
	b.holds = true
}

// alternative evaluates tests. An unknown category is an error even where other tests do not
// hold (spec: bindings, section 5.1).
func (c *composer) alternative(tests []Test) (alternative, bool) {
	a := alternative{failed: -1, tests: make([]evaluated, 0, len(tests))}
	valid := true
	for _, t := range tests {
		if t.Category == commonCategory {
			continue
		}
		at, ok := c.index[t.Category]
		if !ok {
			c.report(source.Errorf(t.At, source.UnknownCategory, "unknown category '%s'", t.Category).DidYouMean(t.Category, maps.Keys(c.index)))
			valid = false
			continue
		}
		text, marks, ok := c.testValue(t)
		if !ok {
			valid = false
			continue
		}
		actual := c.Axes[at].Value
		if a.failed < 0 && (actual == "" || !strings.EqualFold(actual, text)) {
			a.failed = len(a.tests)
		}
		a.tests = append(a.tests, evaluated{t.Category, text, masked(text, marks), masked(actual, c.Axes[at].Marks)})
	}
	return a, valid
}

// masked returns a text for messages.
func masked(text string, marks value.Marks) string {
	if text == "" {
		return ""
	}
	if hidden, ok := value.Masked(value.String(text).Mark(marks)); ok {
		return hidden
	}
	return text
}

// testValue evaluates the value of a test, which may use facts.
func (c *composer) testValue(t Test) (string, value.Marks, bool) {
	if v, ok := t.Value.Constant(); ok {
		if text, ok := categoryText(v); ok {
			return text, v.Marks(), true
		}
	}
	v, err := t.Value.Eval(c.factScope(false))
	if err != nil {
		c.fail(err, t.Value.Span())
		return "", 0, false
	}
	text, ok := categoryText(v)
	if !ok {
		c.errorf(t.Value.Span(), source.CategoryValue, "the value of a test is a text, a number or a boolean, and this is %s", kindOf(v))
	}
	return text, v.Marks(), ok
}

// reason says why a branch does not hold: role is "db", each category once.
func (b *branch) reason() string {
	var out []string
	for _, a := range b.alternatives {
		if a.failed < 0 {
			continue
		}
		t := a.tests[a.failed]
		text := t.category + " is \"" + t.actual + "\""
		if t.actual == "" {
			text = t.category + " has no value"
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

// String writes a branch as a condition: virtual true and role db or role web.
func (b *branch) String() string {
	out := make([]string, len(b.alternatives))
	for i, a := range b.alternatives {
		tests := make([]string, len(a.tests))
		for j, t := range a.tests {
			tests[j] = t.category + " " + t.shown
		}
		out[i] = strings.Join(tests, " and ")
	}
	return strings.Join(out, " or ")
}
