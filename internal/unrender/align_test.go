package unrender

import (
	"fmt"
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func TestAlignItems(t *testing.T) {
	tests := []struct {
		a, b string
		want []int
	}{
		{`[]`, `[]`, []int{}},
		{`[1, 2, 3]`, `[1, 2, 3]`, []int{0, 1, 2}},
		{`[1, 2, 3]`, `[1, 3]`, []int{0, 2}},
		{`[1, 2, 3]`, `[0, 1, 2, 3]`, []int{-1, 0, 1, 2}},
		{`[1, 2, 3]`, `[1, 9, 3]`, []int{0, 1, 2}},
		{`[1, 2, 3, 4]`, `[4, 1, 2, 3]`, []int{-1, 0, 1, 2}},
		{`[.nan, {b: 1, a: 2}]`, `[7, .nan, 8, {a: 2, b: 1}, 9]`, []int{-1, 0, -1, 1, -1}},
		{`[1, 1, 1]`, `[1, 1]`, []int{0, 1}},
		{`[{name: a, x: 1}, {name: b, x: 1}]`, `[{name: b, x: 2}, {name: a, x: 2}]`, []int{1, 0}},
		{`[{id: 1, x: 1}, {key: k}]`, `[{key: k, y: 1}, {id: 1}]`, []int{1, 0}},
		{`[{name: a}, 5]`, `[6, {name: a, x: 1}]`, []int{1, 0}},
		{`[{name: a}]`, `[{name: b}, {name: c}]`, []int{0, -1}},
	}
	for _, test := range tests {
		a, b := itemsIn(t, test.a), itemsIn(t, test.b)
		if got := alignItems(a, b, false); !slices.Equal(got, test.want) {
			t.Errorf("alignItems(%s, %s) = %v, want %v", test.a, test.b, got, test.want)
		}
	}
	if got := alignPositions(itemsIn(t, `[1, 2]`), itemsIn(t, `[2, 3, 4]`), false); !slices.Equal(got, []int{0, 1, -1}) {
		t.Errorf("by position: %v", got)
	}
	if got := alignItems(itemsIn(t, `[1, 2]`), itemsIn(t, `[3]`), true); !slices.Equal(got, []int{-1}) {
		t.Errorf("surely: %v", got)
	}
}

func itemsIn(t *testing.T, text string) []value.Value {
	t.Helper()
	items, err := value.ItemsOf(fromYAML(t, text).List())
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// TestAlignLongLists pairs lists in which items are many, and many are equal. Each old
// item has one new item at most, and equal ones keep their order.
func TestAlignLongLists(t *testing.T) {
	const n = 20_000
	for _, kinds := range []int{1, 7, n} {
		t.Run(fmt.Sprint(kinds), func(t *testing.T) {
			var a []value.Value
			for i := range n {
				a = append(a, value.Int(int64(i*31%kinds)))
			}
			b := slices.Concat(a[:100], []value.Value{value.String("new")}, a[100:n/2], a[n/2+1:n-100], a[n-50:])
			pairs := alignItems(a, b, false)
			seen := map[int]bool{}
			equal := 0
			for j, i := range pairs {
				if i >= 0 && seen[i] {
					t.Fatalf("item %d is paired twice", i)
				}
				seen[i] = true
				if i >= 0 && value.IsSame(a[i], b[j]) {
					equal++
				}
			}
			if equal < n-60 {
				t.Errorf("%d of %d items are paired with equal ones", equal, len(b))
			}
		})
	}
}
