package value_test

import (
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func at(i int64) *int64 { return &i }

// What Python takes of the first n integers.
func TestSliceOf(t *testing.T) {
	tests := []struct {
		n      int
		bounds [3]*int64
		want   []int
	}{
		{0, [3]*int64{nil, nil, nil}, []int{}},
		{0, [3]*int64{at(1), at(3), nil}, []int{}},
		{0, [3]*int64{at(-3), nil, nil}, []int{}},
		{0, [3]*int64{nil, at(-1), nil}, []int{}},
		{0, [3]*int64{nil, nil, at(-1)}, []int{}},
		{0, [3]*int64{at(9), at(0), at(-2)}, []int{}},
		{0, [3]*int64{at(-9), at(9), at(2)}, []int{}},
		{0, [3]*int64{at(3), at(1), nil}, []int{}},
		{0, [3]*int64{nil, nil, at(7)}, []int{}},
		{0, [3]*int64{at(4), nil, at(-3)}, []int{}},
		{0, [3]*int64{at(2), at(2), at(1)}, []int{}},
		{1, [3]*int64{nil, nil, nil}, []int{0}},
		{1, [3]*int64{at(1), at(3), nil}, []int{}},
		{1, [3]*int64{at(-3), nil, nil}, []int{0}},
		{1, [3]*int64{nil, at(-1), nil}, []int{}},
		{1, [3]*int64{nil, nil, at(-1)}, []int{0}},
		{1, [3]*int64{at(9), at(0), at(-2)}, []int{}},
		{1, [3]*int64{at(-9), at(9), at(2)}, []int{0}},
		{1, [3]*int64{at(3), at(1), nil}, []int{}},
		{1, [3]*int64{nil, nil, at(7)}, []int{0}},
		{1, [3]*int64{at(4), nil, at(-3)}, []int{0}},
		{1, [3]*int64{at(2), at(2), at(1)}, []int{}},
		{5, [3]*int64{nil, nil, nil}, []int{0, 1, 2, 3, 4}},
		{5, [3]*int64{at(1), at(3), nil}, []int{1, 2}},
		{5, [3]*int64{at(-3), nil, nil}, []int{2, 3, 4}},
		{5, [3]*int64{nil, at(-1), nil}, []int{0, 1, 2, 3}},
		{5, [3]*int64{nil, nil, at(-1)}, []int{4, 3, 2, 1, 0}},
		{5, [3]*int64{at(9), at(0), at(-2)}, []int{4, 2}},
		{5, [3]*int64{at(-9), at(9), at(2)}, []int{0, 2, 4}},
		{5, [3]*int64{at(3), at(1), nil}, []int{}},
		{5, [3]*int64{nil, nil, at(7)}, []int{0}},
		{5, [3]*int64{at(4), nil, at(-3)}, []int{4, 1}},
		{5, [3]*int64{at(2), at(2), at(1)}, []int{}},
	}
	for _, test := range tests {
		first, step, count := value.SliceOf(test.n, test.bounds)
		got := []int{}
		for i := range count {
			got = append(got, first+i*step)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%d items, bounds %v: %v, want %v", test.n, test.bounds, got, test.want)
		}
	}
}
