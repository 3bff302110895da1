package graph

import (
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/value"
	"pgregory.net/rapid"
)

// Looking for joins changes no value; a null that adds nothing lies on a map, and one layer alone
// joins nothing.
func TestJoins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		layers := drawLayers(t, kinds)
		config := text(layers)
		f, alone := load(asT{t}, config, MergeRule, Options{}), load(asT{t}, config, MergeRule, Options{})
		var joins []Join
		if err := f.Joins(func(j Join) bool { joins = append(joins, j); return true }); err != nil {
			t.Fatal(err)
		}
		for _, j := range joins {
			at := f.Root().At(j.Path)
			v, ok, err := at.Value()
			if err != nil {
				continue // a map with the strategy "error" around it
			}
			switch j.Kind {
			case NullIgnored:
				if !ok || !v.Is(value.MapKind) {
					t.Fatalf("null on %s, whose value is %v", j.Path, v.Kind())
				}
			case KindChange:
				if j.Newer.Shape == j.Older.Shape || j.Newer.Shape == "" || j.Older.Shape == "" {
					t.Fatalf("%s over %s on %s", j.Newer.Shape, j.Older.Shape, j.Path)
				}
			}
			if j.Newer.At == j.Older.At {
				t.Fatalf("%v joins itself", j.Newer.At)
			}
		}
		if len(layers) == 1 && len(joins) > 0 {
			t.Fatalf("one layer has %d joins", len(joins))
		}
		for _, path := range []value.Path{nil, {value.K("a")}, {value.K("a"), value.K("b")}, {value.K("c")}} {
			a, okA, errA := f.Root().At(path).Raw()
			b, okB, errB := alone.Root().At(path).Raw()
			if okA != okB || (errA == nil) != (errB == nil) {
				t.Fatalf("%s: %v %v, alone %v %v", path, okA, errA, okB, errB)
			}
			if errA != nil {
				continue
			}
			if same, err := value.Equal(a, b); err == nil && !same {
				t.Fatalf("%s differs", path)
			}
		}
	})
}

// The walk ends when the visitor has enough.
func TestJoinsEnd(t *testing.T) {
	f := load(t, "\n---\n{a: 1, b: 1, c: {d: 1}}\n---\n{a: {x: 1}, b: {x: 1}, c: {d: {x: 1}}}\n", MergeRule, Options{})
	var all, first []JoinKind
	if err := f.Joins(func(j Join) bool { all = append(all, j.Kind); return true }); err != nil {
		t.Fatal(err)
	}
	if err := f.Joins(func(j Join) bool { first = append(first, j.Kind); return false }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all, []JoinKind{KindChange, KindChange, KindChange}) || len(first) != 1 {
		t.Errorf("%v, %v", all, first)
	}
}
