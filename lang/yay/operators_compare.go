package yay

import (
	"cmp"
	"math"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// compare is one comparison: Yay has no chains of them.
func (ev evaluator) compare(n *expr.Compare) (value.Value, error) {
	if len(n.Rest) != 1 {
		return value.Null, source.Errorf(n.At, source.Syntax, `comparisons cannot be chained: write "and" between them`)
	}
	x, err := ev.operand(n.First)
	if err != nil {
		return value.Null, err
	}
	link := &n.Rest[0]
	y, err := ev.operand(link.Y)
	if err != nil {
		return value.Null, err
	}
	if err := ev.charge(len(x.Str())+len(y.Str()), link.At); err != nil {
		return value.Null, err
	}
	var r bool
	switch link.Op {
	case "==", "!=":
		r, err = ev.equal(x, y)
		r, err = r == (link.Op == "=="), dataError(within(err), link.At)
	case "in", "not in":
		r, err = ev.contains(n.First.Span(), link, x, y)
		r, err = r == (link.Op == "in"), within(err)
	default:
		r, err = ordered(n.First.Span(), link, x, y)
	}
	if err != nil {
		return value.Null, err
	}
	return value.Bool(r).Mark(x.Marks() | y.Marks()), nil
}

// equal compares data. A text never equals a number; a truth value equals the number
// that it counts as (spec: yay, section 4.2).
func (ev evaluator) equal(x, y value.Value) (bool, error) {
	if x.Is(value.StringKind) && y.Is(value.StringKind) {
		return x.Str() == y.Str(), nil
	}
	if i, ok := x.Int(); ok {
		if j, ok := y.Int(); ok {
			return i == j, nil
		}
	}
	if x.Is(value.BoolKind) != y.Is(value.BoolKind) {
		x, y = number(x), number(y)
	}
	return value.EqualCharged(x, y, ev.in.Step)
}

// ordered is x < y and its kin, of numbers only.
func ordered(xAt source.Span, link *expr.Comparison, x, y value.Value) (bool, error) {
	a, err := asNumber(x, xAt)
	if err != nil {
		return false, err
	}
	b, err := asNumber(y, link.Y.Span())
	if err != nil {
		return false, err
	}
	if isNaN(a) || isNaN(b) {
		return false, nil
	}
	c, err := compareNumbers(a, b)
	if err != nil {
		return false, err
	}
	switch link.Op {
	case "<":
		return c < 0, nil
	case "<=":
		return c <= 0, nil
	case ">":
		return c > 0, nil
	case ">=":
		return c >= 0, nil
	}
	return false, source.Errorf(link.At, source.Internal, "unknown operator %q", link.Op)
}

func compareNumbers(a, b value.Value) (int, error) {
	if i, ok := a.Int(); ok {
		if j, ok := b.Int(); ok {
			return cmp.Compare(i, j), nil
		}
	}
	return value.Compare(a, b)
}

func isNaN(v value.Value) bool { return v.Is(value.FloatKind) && math.IsNaN(v.Float()) }

// contains is "x in y": an item of a list, a key of a mapping, a part of a text.
func (ev evaluator) contains(xAt source.Span, link *expr.Comparison, x, y value.Value) (bool, error) {
	switch y.Kind() {
	case value.ListKind:
		return ev.listContains(link, y.List(), x)
	case value.MapKind:
		if !x.IsScalar() {
			return false, wrongType(xAt, "a string as the key of a mapping", x)
		}
		if !x.Is(value.StringKind) {
			return false, nil
		}
		return hasKey(y.Map(), x.Str())
	case value.StringKind:
		if !x.Is(value.StringKind) {
			return false, wrongType(xAt, "a string", x)
		}
		return strings.Contains(y.Str(), x.Str()), nil
	}
	return false, wrongType(link.Y.Span(), "a list, a mapping or a string", y)
}

func (ev evaluator) listContains(link *expr.Comparison, l value.List, x value.Value) (bool, error) {
	if r, ok := l.(*rangeList); ok {
		return r.contains(x), nil
	}
	for i := range l.Len() {
		if err := ev.in.Step(1); err != nil {
			return false, placed(err, link.At)
		}
		item, err := l.At(i)
		if err != nil {
			return false, err
		}
		if eq, err := ev.equal(item, x); eq || err != nil {
			return eq, dataError(err, link.At)
		}
	}
	return false, nil
}

// logic is "and" and "or". The first operand is a scalar; the value is that of the
// operand that decided, and the second is only evaluated if it is that.
func (ev evaluator) logic(n *expr.Logic) (value.Value, error) {
	x, err := ev.operand(n.X)
	if err != nil {
		return value.Null, err
	}
	noteWord(ev.in, x, n.X.Span())
	holds, err := truth(x, n.X.Span())
	if err != nil || holds == (n.Op == "or") {
		return x, err
	}
	y, err := ev.operand(n.Y)
	if err != nil {
		return value.Null, err
	}
	return y.Mark(x.Marks()), nil
}
