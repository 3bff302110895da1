package graph

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/value"
	"pgregory.net/rapid"
)

// The older maps are those of the definition, with the entries of the newest of them.
func TestOlderMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		origins := []*Origin{nil, {Doc: &Doc{}}, {Doc: &Doc{}}}
		ref := &Ref{}
		var maps []*layer
		for i := range rapid.IntRange(2, 8).Draw(t, "maps") {
			n := &Map{}
			for _, key := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "C"}), rapid.ID).Draw(t, "keys") {
				var below Node = &Map{}
				if rapid.Bool().Draw(t, "text") {
					below = &Scalar{Val: value.String(fmt.Sprint(i))}
				}
				n.Entries = append(n.Entries, Entry{Key: value.K(key), Node: below})
			}
			l := &layer{node: n, origin: rapid.SampledFrom(origins).Draw(t, "origin")}
			if rapid.Bool().Draw(t, "referred") {
				l.up = &layer{via: ref}
			}
			maps = append(maps, l)
		}
		s := olderMaps{maps: maps}
		for i := len(maps) - 1; i >= 0; i-- {
			if !rapid.Bool().Draw(t, "asked") {
				continue
			}
			var from []*layer
			entries := map[value.Key]*Entry{}
			want := olderMap{}
			for _, l := range slices.Backward(maps[i+1:]) {
				if !apart(maps[i], l) {
					continue
				}
				from = append(from, l)
				for j := range l.node.(*Map).Entries {
					e := &l.node.(*Map).Entries[j]
					entries[e.Key] = e
				}
			}
			for k, e := range entries {
				want.count(e, 1)
				want.free = want.free || k.Text == "C"
			}
			got := s.below(i)
			if !slices.Equal(got.from, from) || len(got.names) != len(entries) || len(from) > 0 && got.newest != from[len(from)-1] {
				t.Fatalf("below map %d: %d layers, %q, want %d layers and %d names", i, len(got.from), got.names, len(from), len(entries))
			}
			for k, e := range entries {
				if got.entries[k] != e {
					t.Fatalf("below map %d: %s is not the newest entry", i, k)
				}
			}
			if got.maps != want.maps || got.texts != want.texts || got.free != want.free {
				t.Fatalf("below map %d: %d maps, %d texts, %v, want %d, %d, %v", i, got.maps, got.texts, got.free, want.maps, want.texts, want.free)
			}
		}
	})
}

// Each map of a cell is joined once: the work for twice as many is twice as much.
func TestNewKeysOfManyMaps(t *testing.T) {
	work := func(n int) uint64 {
		oldest := &Map{Entries: []Entry{{Key: value.K("a"), Node: &Map{}}, {Key: value.K("b"), Node: &Map{}}, {Key: value.K("c"), Node: &Map{}}}}
		maps := []*layer{{node: oldest}}
		for i := range n {
			maps = append(maps, &layer{node: &Map{Entries: []Entry{{Key: value.K(fmt.Sprintf("k%d", i)), Node: &Map{}}}}})
		}
		slices.Reverse(maps)
		f := &foldResult{kind: mapShape, maps: maps}
		w := joinWalk{eval: New(t.Context(), nil, Options{}), visit: func(Join) bool { return true }}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := w.newKeys(&Cell{}, f); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := work(1000), work(4000); many > 8*few {
		t.Errorf("%d bytes for 4000 maps, %d for 1000", many, few)
	}
}
