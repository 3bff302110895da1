package long

import (
	"slices"
	"testing"
)

func TestShort(t *testing.T) {
	t.Setenv("YAYTPL_LONG", "")
	if got := []int{Scale(400), Scale(7)}; !slices.Equal(got, []int{40, 1}) {
		t.Errorf("Scale of 400 and 7: %v", got)
	}
	if got := Sample([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}); !slices.Equal(got, []int{0, 10}) {
		t.Errorf("Sample of 0 to 10: %v", got)
	}
}

func TestLong(t *testing.T) {
	t.Setenv("YAYTPL_LONG", "1")
	if got := Scale(uint64(400)); got != 400 {
		t.Errorf("Scale(400) = %d", got)
	}
	if got := Sample([]int{0, 1, 2}); len(got) != 3 {
		t.Errorf("Sample of 0 to 2: %v", got)
	}
}
