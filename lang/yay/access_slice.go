package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// slice is x[from:to:step] of a list, as in Python (spec: yay, section 4.4).
func (ev evaluator) slice(n *expr.Slice) (value.Value, error) {
	x, err := ev.eval(n.X)
	if err != nil {
		return value.Null, err
	}
	if !x.Is(value.ListKind) {
		return value.Null, wrongType(n.X.Span(), "a list", x)
	}
	marks := x.Marks()
	var bounds [3]*int64
	for i, b := range [3]expr.Node{n.From, n.To, n.Step} {
		if b == nil {
			continue
		}
		v, err := ev.bound(b)
		if err != nil {
			return value.Null, reached(err)
		}
		marks |= v.Marks()
		at := clampInt(v)
		bounds[i] = &at
	}
	if bounds[2] != nil && *bounds[2] == 0 {
		return value.Null, source.Errorf(n.Step.Span(), source.WrongType, "expected an integer other than 0 as the step of a slice")
	}
	return value.FromList(part(x.List(), bounds)).Mark(marks), nil
}

func (ev evaluator) bound(n expr.Node) (value.Value, error) {
	v, err := ev.eval(n)
	if err != nil {
		return value.Null, err
	}
	i, err := asInteger(v, n.Span())
	return i.Mark(v.Marks()), err
}

// clampInt returns an integer, or the nearest that is small enough to count with.
func clampInt(v value.Value) int64 {
	const most = 1 << 62
	if i, ok := v.Int(); ok {
		return min(max(i, -most), most)
	}
	return int64(v.BigInt().Sign()) * most
}

// A sliceView is some items of a list, in a row with a constant distance. It costs the
// same however many there are.
type sliceView struct {
	list          value.List
	from, step, n int
}

// Len returns the number of items.
func (s *sliceView) Len() int { return s.n }

// At returns item i.
func (s *sliceView) At(i int) (value.Value, error) { return s.list.At(s.from + i*s.step) }

// part returns the items that a slice takes. Missing bounds are nil.
func part(l value.List, bounds [3]*int64) value.List {
	first, step, n := value.SliceOf(l.Len(), bounds)
	return &sliceView{l, first, step, n}
}
