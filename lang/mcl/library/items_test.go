package library

import (
	"math"
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func TestRange(t *testing.T) {
	const most, least = math.MaxInt64, math.MinInt64
	for _, c := range []struct {
		start, stop, step int64
		want              []int64 // the first three items
		n                 int
	}{
		{0, 3, 1, []int64{0, 1, 2}, 3},
		{0, 0, 1, nil, 0},
		{3, 0, 1, nil, 0},
		{0, 3, -1, nil, 0},
		{10, 0, -4, []int64{10, 6, 2}, 3},
		{0, 10, 5, []int64{0, 5}, 2},
		{most - 1, most, 1, []int64{most - 1}, 1},
		{most - 1, most, most, []int64{most - 1}, 1},
		{least, most, most, []int64{least, -1, most - 1}, 3},
		{least, most, 1 << 62, []int64{least, least / 2, 0}, 4},
		{most, least, least, []int64{most, -1}, 2},
		{0, least, least, []int64{0}, 1},
		{least, most, 1, []int64{least, least + 1, least + 2}, 1 << 62},
	} {
		r := rangeOf(c.start, c.stop, c.step)
		var got []int64
		for i := range min(r.Len(), 3) {
			v, _ := r.At(i)
			n, _ := v.Int()
			got = append(got, n)
		}
		if r.Len() != c.n || !slices.Equal(got, c.want) {
			t.Errorf("range %d %d %d: %d items %v, want %d items %v", c.start, c.stop, c.step, r.Len(), got, c.n, c.want)
		}
	}
}

func TestItemList(t *testing.T) {
	for _, n := range []int{0, 1, 5, blockSize - 1, blockSize, blockSize + 1, 3*blockSize + 7} {
		l := itemList{call: &Call{Step: func(int) error { return nil }}}
		for i := range n {
			l.add(value.Int(int64(i)))
		}
		list := l.value().List()
		if list.Len() != n {
			t.Fatalf("%d items, want %d", list.Len(), n)
		}
		for i := range n {
			if v, _ := list.At(i); v.Float() != float64(i) {
				t.Fatalf("item %d of %d is %v", i, n, v.Float())
			}
		}
	}
}

// TestJoinSteps: the work of joining texts is proportional to their length.
func TestJoinSteps(t *testing.T) {
	steps := func(n int) int {
		count := 0
		c := &Call{Step: func(n int) error { count += max(n, 1); return nil }}
		texts := make(value.Slice, n)
		for i := range texts {
			texts[i] = value.String("some text")
		}
		c.Args = []value.Value{value.FromList(texts), value.String(", ")}
		if v, err := joinNonempty(c); err != nil || len(v.Str()) != 11*n-2 {
			t.Fatalf("%d texts: %d bytes, %v", n, len(v.Str()), err)
		}
		return count
	}
	if few, many := steps(100), steps(10_000); many > 101*few {
		t.Errorf("%d steps for 100 texts, %d for 10000", few, many)
	}
}
