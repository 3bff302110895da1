package yaytpl

import (
	"slices"

	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/value"
)

// alignItems finds for each item of the list b the one of a that it was before: by
// equality, with as many pairs as the order allows; among what is left between such
// pairs by an equal name, id or key; then by position (spec: roundtrip, section 4). It
// returns the index in a for each index in b, -1 for none. With sure set, items are
// paired by position only where as many are left of one list as of the other.
func alignItems(a, b []value.Value, sure bool) []int {
	pairs := restore.Common(a, b)
	pairGaps(a, b, pairs, sure)
	return pairs
}

// alignPositions is alignItems by position alone.
func alignPositions(a, b []value.Value, sure bool) []int {
	pairs := slices.Repeat([]int{-1}, len(b))
	g := gap{a: a, b: b, pairs: pairs, used: make([]bool, len(a)), endA: len(a), endB: len(b)}
	g.byPosition(sure)
	return pairs
}

// pairGaps pairs what is left between items that are paired already.
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

// A gap is the items of two lists between two pairs.
type gap struct {
	a, b         []value.Value
	pairs        []int
	used         []bool // of a
	beginA, endA int
	beginB, endB int
}

// byIdentity pairs maps that have the same name, id or key, which need not be in the
// same order.
func (g gap) byIdentity() {
	for _, key := range []value.Key{value.K("name"), value.K("id"), value.K("key")} {
		old := map[value.Key]int{}
		for i := g.beginA; i < g.endA; i++ {
			if id, ok := identityOf(g.a[i], key); ok && !g.used[i] {
				old[id] = i
			}
		}
		for j := g.beginB; j < g.endB; j++ {
			id, ok := identityOf(g.b[j], key)
			if i, found := old[id]; ok && found && g.pairs[j] < 0 {
				g.pairs[j], g.used[i] = i, true
				delete(old, id)
			}
		}
	}
}

func identityOf(v value.Value, key value.Key) (value.Key, bool) {
	if !v.Is(value.MapKind) {
		return value.Key{}, false
	}
	id, ok, err := v.Map().Get(key)
	if !ok || err != nil || !id.IsScalar() || id.IsNull() {
		return value.Key{}, false
	}
	return value.KeyOf(id)
}

// byPosition pairs what is left in its order.
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
