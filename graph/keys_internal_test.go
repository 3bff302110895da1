package graph

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestMapList checks that lists that share an array stay what they were.
func TestMapList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m mapList
		made, want := [][]*layer{{new(layer)}}, [][]*layer{nil}
		want[0] = slices.Clone(made[0])
		for range rapid.IntRange(1, 60).Draw(t, "joins") {
			older := len(made) - 1
			if rapid.IntRange(0, 9).Draw(t, "another") == 0 {
				older = rapid.IntRange(0, older).Draw(t, "older")
			}
			newer := make([]*layer, rapid.IntRange(1, 3).Draw(t, "newer"))
			for i := range newer {
				newer[i] = new(layer)
			}
			want = append(want, append(slices.Clone(newer), want[older]...))
			made = append(made, m.over(newer, made[older]))
		}
		for i := range made {
			if !slices.Equal(made[i], want[i]) {
				t.Fatalf("list %d of %d maps has changed", i, len(want[i]))
			}
		}
	})
}

// TestMapListShares checks that n lists of which each extends the one before take an array of at most 4n words.
func TestMapListShares(t *testing.T) {
	const n = 10_000
	var m mapList
	var array **layer
	words, list := 0, []*layer{new(layer)}
	for range n {
		list = m.over([]*layer{new(layer)}, list)
		if &m.array[0] != array {
			array, words = &m.array[0], words+len(m.array)
		}
	}
	if len(list) != n+1 || words > 4*n {
		t.Errorf("%d maps are in arrays of %d words", len(list), words)
	}
}

// TestJoinRunsKeepsForms: a run of maps is an expression object if any of them may be one.
func TestJoinRunsKeepsForms(t *testing.T) {
	form, plain := &layer{node: &Map{Form: true}}, &layer{node: &Map{}}
	joined := joinRuns([]foldResult{
		{kind: mapShape, maps: []*layer{plain}, formless: true},
		{kind: mapShape, maps: []*layer{form}},
	})
	if len(joined) != 1 || joined[0].form() != form {
		t.Error("the joined maps are no expression object")
	}
}

// TestRunOfMapsIsFormless checks that it is known of layers that are plain maps whether they are an expression
// object: otherwise each value would look for it in all layers, n² for maps that extend each other.
func TestRunOfMapsIsFormless(t *testing.T) {
	for _, form := range []bool{false, true} {
		maps := []Node{NewMap(Map{}), NewMap(Map{Form: form}), NewMap(Map{})}
		e := New(t.Context(), []RootLayer{{Doc: &Doc{Root: &Stack{Layers: maps, Rule: StackRule}}}}, Options{})
		f, err := e.Root().fold()
		if err != nil {
			t.Fatal(err)
		}
		if f.formless == form || len(f.maps) != len(maps) {
			t.Errorf("%d maps, of which one is an object: %t. formless is %t", len(f.maps), form, f.formless)
		}
	}
}
