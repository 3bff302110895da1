package align

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// apply makes the changes of a list of numbers that Diff found, by their indexes.
func apply(t *testing.T, a, b []value.Value, changes []value.Change) []value.Value {
	t.Helper()
	gone, changed, added := map[string]bool{}, map[string]value.Value{}, map[string]value.Value{}
	for _, c := range changes {
		at := c.Path[0].Text
		switch {
		case !c.HasNew:
			gone[at] = true
		case !c.HasOld:
			added[at] = c.New
		default:
			changed[at] = c.New
		}
	}
	var kept []value.Value
	for i, v := range a {
		at := value.Index(i).Text
		if now, ok := changed[at]; ok {
			v = now
		}
		if !gone[at] {
			kept = append(kept, v)
		}
	}
	var out []value.Value
	for j := range b {
		v, ok := added[value.Index(j).Text]
		if !ok {
			if len(kept) == 0 {
				t.Fatalf("too few items for %v", changes)
			}
			v, kept = kept[0], kept[1:]
		}
		out = append(out, v)
	}
	if len(kept) > 0 {
		t.Fatalf("%d items are left by %v", len(kept), changes)
	}
	return out
}

// The differences of two lists turn one into the other.
func TestDiffOfLists(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	list := func() []value.Value {
		items := make([]value.Value, r.IntN(7))
		for i := range items {
			items[i] = value.Int(int64(r.IntN(4)))
		}
		return items
	}
	for range 3000 {
		a, b := list(), list()
		changes, err := Diff(value.ListOf(a...), value.ListOf(b...), false)
		if err != nil {
			t.Fatal(err)
		}
		if eq, _ := value.Equal(value.ListOf(apply(t, a, b, changes)...), value.ListOf(b...)); !eq {
			t.Errorf("%v do not turn %v into %v", changes, a, b)
		}
	}
}

// A NaN is the same as a NaN.
func TestDiffOfNaN(t *testing.T) {
	m := value.NewMap(1)
	m.Set(value.K("a"), value.Float(math.NaN()))
	other := value.NewMap(1)
	other.Set(value.K("a"), value.Float(math.Float64frombits(0xfff8000000000001)))
	old, new := value.ListOf(value.FromMap(m), value.Int(2)), value.ListOf(value.Int(1), value.FromMap(other), value.Int(2))
	changes, err := Diff(old, new, false)
	if err != nil || len(changes) != 1 || !changes[0].HasNew || changes[0].HasOld {
		t.Errorf("%v, %v, want one new item", changes, err)
	}
}
