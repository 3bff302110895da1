package filters

import (
	"math/rand/v2"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// TestCombineShared: maps that are in several places of the arguments are combined as if each place
// had its own copy, and stay as they are.
func TestCombineShared(t *testing.T) {
	combine, _ := LookupFilter("combine")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		pool := []value.Value{value.Int(1), value.Int(2), value.FromMap(value.NewMap(0))}
		for range 8 {
			m := value.NewMap(3)
			for _, k := range []string{"a", "b", "c"} {
				if rng.IntN(4) > 0 {
					m.Set(value.K(k), pool[rng.IntN(len(pool))])
				}
			}
			pool = append(pool, value.FromMap(m))
		}
		var shared, own []value.Value
		before := ""
		for range 2 + rng.IntN(3) {
			m := pool[3+rng.IntN(8)]
			shared, own = append(shared, m), append(own, copied(m))
			before += repr(t, m)
		}
		call := func(ms []value.Value) string {
			args := value.Args{Pos: ms[1:], Named: []value.Named{{Name: "recursive", Value: value.True}}}
			v, err := combine.Apply(&Ctx{Caller: &counter{most: 1 << 30}}, ms[0], args)
			if err != nil {
				t.Fatal(err)
			}
			return repr(t, v)
		}
		got, want := call(shared), call(own)
		if got != want {
			t.Fatalf("%v combined with shared maps is %s, want %s", before, got, want)
		}
		after := ""
		for _, m := range shared {
			after += repr(t, m)
		}
		if after != before {
			t.Fatalf("combine changed its arguments %s to %s", before, after)
		}
	}
}

// copied returns a copy of v that shares no map with it.
func copied(v value.Value) value.Value {
	if !v.Is(value.MapKind) {
		return v
	}
	m := value.NewMap(v.Map().Len())
	for k := range v.Map().Keys() {
		item, _, _ := v.Map().Get(k)
		m.Set(k, copied(item))
	}
	return value.FromMap(m)
}

func repr(t *testing.T, v value.Value) string {
	t.Helper()
	text, err := value.Repr(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCombineTree: a map of 2^40 places made of 40 maps is combined in 40 steps, not 2^40.
func TestCombineTree(t *testing.T) {
	combine, _ := LookupFilter("combine")
	tree := large(10)["tree"]
	c := &counter{most: 100_000}
	if _, err := combine.Apply(&Ctx{Caller: c}, tree, value.Args{Pos: []value.Value{tree}, Named: []value.Named{{Name: "recursive", Value: value.True}}}); err != nil {
		t.Error(err)
	}
}
