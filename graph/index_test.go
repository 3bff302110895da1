package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// The index of many layers yields those that a key must be asked of, and tells whether maps are among the others.
func TestKeyIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	keys := []value.Key{value.K("a"), value.K("b"), value.K("c"), value.K("d")}
	node := func() *Map {
		var entries []Entry
		for _, k := range keys[:3] {
			if r.IntN(3) == 0 {
				entries = append(entries, Entry{Key: k, Node: &Scalar{Val: value.Int(1)}})
			}
		}
		return NewMap(Map{Entries: entries})
	}
	for range 200 {
		var layers []*layer
		for range smallMap + r.IntN(3*manyGuards) {
			var n Node = node()
			switch r.IntN(6) {
			case 0:
				n = &Scalar{Val: value.Null}
			case 1:
				n = &Guard{} // may pick any node
			case 2, 3:
				n = &Guard{May: []Node{n, &Let{Body: &Stack{Layers: []Node{node(), &Guard{May: []Node{node()}}}}}}}
			}
			layers = append(layers, &layer{node: n})
		}
		x := indexKeys(layers)
		for _, k := range keys {
			var want []int
			for i, l := range layers {
				if mayDefine(l.node, k) {
					want = append(want, i)
				}
			}
			got := slices.Collect(x.mayDefine(k))
			if x.guards == nil { // they are few, and all of them are asked
				got = slices.DeleteFunc(got, func(i int) bool { return !mayDefine(layers[i].node, k) })
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d layers, key %s: asks %d, want %d", len(layers), k.Text, got, want)
			}
			next := 0
			for _, i := range append(slices.Collect(x.mayDefine(k)), len(layers)) {
				if got, want := x.hasMap(next, i), slices.ContainsFunc(layers[next:i], (*layer).isPlainMap); got != want {
					t.Fatalf("between %d and %d there is a map: %t, want %t", next, i, got, want)
				}
				next = i + 1
			}
		}
	}
}

// A block of many conditions is asked for its keys in a time that is linear in their number.
func TestManyGuards(t *testing.T) {
	asked := func(n int) (total int) {
		var layers []*layer
		for i := range n {
			m := NewMap(Map{Entries: []Entry{{Key: value.K(fmt.Sprint("k", i)), Node: &Scalar{Val: value.Int(1)}}}})
			layers = append(layers, &layer{node: &Guard{May: []Node{m}}})
		}
		x := indexKeys(layers)
		for i := range n {
			total += len(slices.Collect(x.mayDefine(value.K(fmt.Sprint("k", i)))))
		}
		return total
	}
	if few, many := asked(100), asked(1000); few != 100 || many != 1000 {
		t.Errorf("100 conditions are asked %d times for their keys, 1000 conditions %d times", few, many)
	}
}
