package restore

import (
	"slices"
	"testing"
)

func TestOnlyPairs(t *testing.T) {
	tests := []struct {
		about, gone, come string
		want              []int
	}{
		{"nothing came", "a b", "", []int{-1, -1}},
		{"nothing went", "", "a", []int{}},
		{"each has one", "a b", "b x a", []int{2, 0}},
		{"another value", "a", "b", []int{-1}},
		{"two went", "a b a", "a b", []int{-1, 1, -1}},
		{"two came", "a b", "a b a", []int{-1, 1}},
		{"maps", "a=1 b=1", "b=1 a=2", []int{-1, 0}},
	}
	for _, tt := range tests {
		if got := onlyPairs(itemsIn(tt.gone), itemsIn(tt.come)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.about, got, tt.want)
		}
	}
}
