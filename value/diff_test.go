package value

import (
	"math"
	"testing"
)

// bomb returns a list with 2^60 places, of few lists and maps.
func bomb(leaf Value) Value {
	v := ListOf(leaf)
	for range 30 {
		v = ListOf(v, v)
		m := NewMap(2)
		m.Set(K("a"), v)
		m.Set(K("b"), v)
		v = FromMap(m)
	}
	return v
}

func TestSharedPartsAreComparedOnce(t *testing.T) {
	a, b := bomb(Int(1)), bomb(Int(1))
	if found, err := Diff(a, b); err != nil || len(found) > 0 {
		t.Errorf("Diff: %v, %v", found, err)
	}
	if same, err := Same(a, b); !same || err != nil {
		t.Errorf("Same: %t, %v", same, err)
	}
	if same, err := Same(a, bomb(Int(2))); same || err != nil {
		t.Errorf("Same as another: %t, %v", same, err)
	}
	if found, err := Diff(a, bomb(Int(2))); err == nil {
		t.Errorf("Diff found %d changes, want a limit", len(found))
	}
}

// counted is a list that is the same data wherever it is.
type counted struct {
	Slice
	id  int
	got *int
}

func (c counted) Identity() any { return c.id }

func (c counted) At(i int) (Value, error) { *c.got++; return c.Slice[i], nil }

func TestPlainComputesDataOnce(t *testing.T) {
	got := 0
	v := ListOf(Int(1))
	for i := range 40 {
		v = FromList(counted{Slice{v, v}, i, &got})
	}
	plain, err := Plain(v)
	if err != nil || got > 10*sharedAfter {
		t.Errorf("%v; %d items were computed", err, got)
	}
	if same, err := Same(v, plain); !same || err != nil {
		t.Errorf("the result is the same: %t, %v", same, err)
	}
}

// A NaN does not equal itself as a number, and is the same data.
func TestDiffOfNaN(t *testing.T) {
	nan, other := Float(math.NaN()), Float(math.Float64frombits(0xfff8000000000001))
	for _, pair := range [][2]Value{{nan, nan}, {nan, other}, {ListOf(Int(1), nan), ListOf(Int(1), other)}} {
		for name, diff := range map[string]func(a, b Value) ([]Change, error){
			"Diff": Diff, "DiffMasked": DiffMasked,
		} {
			if changes, err := diff(pair[0], pair[1]); err != nil || len(changes) > 0 {
				t.Errorf("%s of %v and %v: %v, %v", name, pair[0], pair[1], changes, err)
			}
		}
	}
	if changes, err := Diff(nan, Int(1)); err != nil || len(changes) != 1 {
		t.Errorf("a NaN and 1: %v, %v", changes, err)
	}
}
