package yay

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// maxRange bounds the items of a range.
const maxRange = 500_000_000

// A rangeList is a list of integers with a constant distance. It costs the same
// however many there are.
type rangeList struct {
	start, step int64
	n           int
}

// Len returns the number of items.
func (r *rangeList) Len() int { return r.n }

// At returns item i.
func (r *rangeList) At(i int) (value.Value, error) {
	return value.Int(r.start + int64(i)*r.step), nil
}

// contains reports whether x equals an item.
func (r *rangeList) contains(x value.Value) bool {
	x = number(x)
	if !x.IsNumber() || r.n == 0 {
		return false
	}
	low, high := r.start, r.start+int64(r.n-1)*r.step
	if r.step < 0 {
		low, high = high, low
	}
	if below, _ := value.Compare(x, value.Int(low)); below < 0 || isNaN(x) {
		return false
	}
	if above, _ := value.Compare(x, value.Int(high)); above > 0 {
		return false
	}
	i, ok := x.Int()
	if !ok {
		i = int64(x.Float())
		if eq, _ := value.Equal(x, value.Int(i)); !eq {
			return false
		}
	}
	return uint64(i-low)%distance(0, r.step) == 0
}

func rangeOf(c *builtinCall) (value.Value, error) {
	bounds := [3]int64{0, 0, 1}
	for i := range c.args {
		n, err := c.integer(i)
		if err != nil {
			return value.Null, err
		}
		bounds[i] = n
	}
	if len(c.args) == 1 {
		bounds[0], bounds[1] = 0, bounds[0]
	}
	start, stop, step := bounds[0], bounds[1], bounds[2]
	if step == 0 {
		return value.Null, source.Errorf(c.at(2), source.WrongType, "expected an integer other than 0 as the step of a range")
	}
	n := uint64(0)
	if (step > 0) == (stop > start) && stop != start {
		n = (distance(start, stop)-1)/distance(0, step) + 1
	}
	if n > maxRange {
		return value.Null, source.Errorf(c.node.At, source.Limit, "a range would have %d items, more than %d", n, maxRange)
	}
	return value.FromList(&rangeList{start, step, int(n)}).Mark(c.marks()), nil
}

// distance is |b-a|, which may be larger than an int64.
func distance(a, b int64) uint64 {
	if b < a {
		a, b = b, a
	}
	return uint64(b) - uint64(a)
}
