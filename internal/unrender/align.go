package unrender

import (
	"slices"

	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/value"
)

// Align pairs the items of an edited list with those that they were before the edit, as far as they have a partner:
// see alignItems. It returns the index in a for each index in b, -1 for a new item.
func Align(a, b []value.Value) []int { return alignItems(a, b, false) }

// alignItems pairs the items of b with those of a that they were before an edit: first equal
// items, as many as the order allows; then, between two such pairs, items with an equal name,
// id or key; then by position (spec: roundtrip, section 4). It returns the index in a for
// each index in b, -1 for a new item. With sure set, a gap is only paired by position if both
// sides have the same number of items in it.
//
//	a [x, {name: p, v: 1}, y]
//	b [x, {name: q}, {name: p, v: 2}, y]   ->   [0, -1, 1, 2]
func alignItems(a, b []value.Value, sure bool) []int {
	pairs := restore.Common(a, b)
	pairGaps(a, b, pairs, sure)
	return pairs
}

// alignPositions is alignItems for lists that are too deep to compare: by position only.
func alignPositions(a, b []value.Value, sure bool) []int {
	pairs := slices.Repeat([]int{-1}, len(b))
	g := gap{a: a, b: b, pairs: pairs, used: make([]bool, len(a)), endA: len(a), endB: len(b)}
	g.byPosition(sure)
	return pairs
}

// pairGaps pairs the items between those that are paired already.
func pairGaps(a, b []value.Value, pairs []int, sure bool) {
	used := make([]bool, len(a))
	for _, i := range pairs {
		if i >= 0 {
			used[i] = true
		}
	}
	beginA, beginB := 0, 0
	for endB := 0; endB <= len(b); endB++ {
		endA := len(a)
		if endB < len(b) {
			if endA = pairs[endB]; endA < 0 {
				continue
			}
		}
		g := gap{a: a, b: b, pairs: pairs, used: used, beginA: beginA, endA: endA, beginB: beginB, endB: endB}
		g.byIdentity()
		g.byPosition(sure)
		beginA, beginB = endA+1, endB+1
	}
}

// A gap is the items of a and b between two pairs.
type gap struct {
	a, b         []value.Value
	pairs        []int
	used         []bool // of a
	beginA, endA int
	beginB, endB int
}

// byIdentity pairs maps that have the same name, id or key, in any order.
func (g gap) byIdentity() {
	for _, field := range value.ItemFields {
		old := map[value.Key]int{}
		for i := g.beginA; i < g.endA; i++ {
			if id, ok := value.FieldKey(g.a[i], field); ok && !g.used[i] {
				old[id] = i
			}
		}
		for j := g.beginB; j < g.endB; j++ {
			id, ok := value.FieldKey(g.b[j], field)
			if i, found := old[id]; ok && found && g.pairs[j] < 0 {
				g.pairs[j], g.used[i] = i, true
				delete(old, id)
			}
		}
	}
}

// byPosition pairs the remaining items in their order.
func (g gap) byPosition(sure bool) {
	var left []int
	for i := g.beginA; i < g.endA; i++ {
		if !g.used[i] {
			left = append(left, i)
		}
	}
	var open []int
	for j := g.beginB; j < g.endB; j++ {
		if g.pairs[j] < 0 {
			open = append(open, j)
		}
	}
	if sure && len(left) != len(open) {
		return
	}
	for n := range min(len(left), len(open)) {
		g.pairs[open[n]], g.used[left[n]] = left[n], true
	}
}
