package value

import (
	"slices"
	"sort"
)

// # Items that belong together
//
// Two lists are compared item by item. By position, an item that was inserted at the front changes all
// others. [DiffItems] pairs maps by their own name, id or key, in any order, and other items by a longest
// common subsequence; between two equal items it pairs the others by position:
//
//	[x, p, y]             x is x, p becomes q, y is y, z is new
//	[x, q, y, z]
//
//	[{name: a}, {name: b, v: 1}]
//	[{name: b, v: 2}]     b has another v, a is deleted

// DiffItems is [Diff], or with masked set [DiffMasked], with the items of lists paired by what they are.
// Paths have the index in a, those of new items the index in b. Items with hidden values are paired by
// their position, unless they have names.
func DiffItems(a, b Value, masked bool) ([]Change, error) {
	d := differ{masked: masked, hashing: maxHashing}
	err := d.compare(nil, a, b)
	return d.changes, err
}

// maxHashing bounds the steps of finding equal items. Beyond it they are paired by position.
const maxHashing = 20_000_000

// paired compares the items of two lists that belong together.
func (d *differ) paired(p Path, a, b List) error {
	x, err := ItemsOf(a)
	if err != nil {
		return err
	}
	y, err := ItemsOf(b)
	if err != nil {
		return err
	}
	of := d.pair(x, y) // index in x for each of y, or -1
	now := slices.Repeat([]int{-1}, len(x))
	for j, i := range of {
		if i >= 0 {
			now[i] = j
		}
	}
	for i, j := range now {
		at := append(p, Index(i))
		if j < 0 {
			err = d.add(at, Change{Old: x[i], HasOld: true})
		} else {
			err = d.comparePair(at, x[i], y[j], j)
		}
		if err != nil {
			return err
		}
	}
	for j, i := range of {
		if i < 0 {
			if err := d.add(append(p, Index(j)), Change{New: y[j], HasNew: true}); err != nil {
				return err
			}
		}
	}
	return nil
}

// An itemMove is the other index that an item on the path has in the new document.
type itemMove struct {
	depth int // in the path
	now   Key
}

// comparePair compares two items that belong together; the new one has the index j.
func (d *differ) comparePair(at Path, x, y Value, j int) error {
	if last := len(at) - 1; at[last] != Index(j) {
		d.moves = append(d.moves, itemMove{last, Index(j)})
		defer func() { d.moves = d.moves[:len(d.moves)-1] }()
	}
	return d.compare(at, x, y)
}

// pair returns the index in a for each item of b, -1 for new ones.
func (d *differ) pair(a, b []Value) []int {
	for _, field := range ItemFields {
		if of, ok := pairBy(field, a, b); ok {
			return of
		}
	}
	x, okA := d.hashes(a)
	y, okB := d.hashes(b)
	if !okA || !okB {
		x, y = make([]uint64, len(a)), make([]uint64, len(b)) // all alike: by position
	}
	of := Common(x, y)
	if !okA || !okB {
		return of
	}
	for i, j := 0, 0; j < len(b); {
		if of[j] >= 0 {
			i, j = of[j]+1, j+1
			continue
		}
		endA, endB := len(a), j // of the gap
		for endB < len(b) && of[endB] < 0 {
			endB++
		}
		if endB < len(b) {
			endA = of[endB]
		}
		for ; j < endB; j++ {
			if i < endA {
				of[j], i = i, i+1
			}
		}
	}
	return of
}

// pairBy pairs maps by a field that all of them have, each another one.
func pairBy(field string, a, b []Value) ([]int, bool) {
	x, okA := identities(field, a)
	y, okB := identities(field, b)
	if !okA || !okB {
		return nil, false
	}
	of := make([]int, len(b))
	for j := range of {
		of[j] = -1
	}
	for id, j := range y {
		if i, ok := x[id]; ok {
			of[j] = i
		}
	}
	return of, true
}

// ItemFields are the fields by which items of a list are told apart, the most reliable first.
var ItemFields = [...]string{"name", "id", "key"}

// FieldKey returns the scalar under a field of a map as a key. It returns false if v is no map, or
// has no scalar or null there.
func FieldKey(v Value, field string) (Key, bool) {
	if v.kind != MapKind {
		return Key{}, false
	}
	id, ok, err := v.Map().Get(K(field))
	if !ok || err != nil || id.IsNull() || !id.IsScalar() {
		return Key{}, false
	}
	return KeyOf(id)
}

// identities returns the indexes of items by the value of a field, and false if an item has none of
// its own, or one that is hidden.
func identities(field string, items []Value) (map[Key]int, bool) {
	at := make(map[Key]int, len(items))
	for i, v := range items {
		k, ok := FieldKey(v, field)
		if _, twice := at[k]; !ok || twice || v.marks != 0 {
			return nil, false
		}
		if id, _, _ := v.Map().Get(K(field)); id.marks != 0 {
			return nil, false
		}
		at[k] = i
	}
	return at, true
}

// hashes returns the hashes of items, and false if these cost too much or have hidden values, which must
// not be found by comparing them with guesses.
func (d *differ) hashes(items []Value) ([]uint64, bool) {
	out := make([]uint64, len(items))
	for i, v := range items {
		if d.masked {
			if marks, err := DeepMarks(v); err != nil || marks != 0 {
				return nil, false
			}
		}
		var err error
		if out[i], err = Hash(v, d.charge); err != nil {
			return nil, false
		}
	}
	return out, true
}

func (d *differ) charge(steps int) error {
	if d.hashing -= steps; d.hashing <= 0 {
		d.hashing = 1 // pairing goes on by position
		return endlessError("the values are too big to find equal items")
	}
	return nil
}

// Common returns, for each element of b, the index of an equal one of a, or -1: a longest common
// subsequence of the lists.
func Common[K comparable](a, b []K) []int {
	match := slices.Repeat([]int{-1}, len(b))
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		match[start] = start
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
		match[endB] = endA
	}
	for _, p := range commonPairs(a[start:endA], b[start:endB]) {
		match[start+p.b] = start + p.a
	}
	return match
}

// A common is the index of an equal element in each of two lists.
type common struct{ a, b int }

// A link is a pair at the end of a sequence of pairs.
type link struct {
	common
	before *link
}

// commonPairs returns a longest common subsequence, as the longest increasing sequence of
// the positions of equal elements (Hunt and Szymanski 1977).
func commonPairs[K comparable](x, y []K) []common {
	places := map[K][]int{}
	for i, s := range x {
		places[s] = append(places[s], i)
	}
	var ends []*link // ends[n] is the end of a sequence of n+1 pairs, as early in x as possible
	for j, s := range y {
		for _, i := range slices.Backward(nearby(places[s], j-len(y)+len(x))) {
			n := sort.Search(len(ends), func(n int) bool { return ends[n].a >= i })
			if n < len(ends) && ends[n].a == i {
				continue
			}
			next := &link{common: common{i, j}}
			if n > 0 {
				next.before = ends[n-1]
			}
			if n == len(ends) {
				ends = append(ends, next)
			} else {
				ends[n] = next
			}
		}
	}
	var found []common
	if len(ends) > 0 {
		for at := ends[len(ends)-1]; at != nil; at = at.before {
			found = append(found, at.common)
		}
	}
	return found
}

// mostPlaces bounds the equal elements that are considered for one element: lists of only equal
// elements would take quadratic time.
const mostPlaces = 64

// nearby returns the places nearest to the index at.
func nearby(places []int, at int) []int {
	if len(places) <= mostPlaces {
		return places
	}
	from := min(sort.SearchInts(places, at-mostPlaces/2), len(places)-mostPlaces)
	return places[from:][:mostPlaces]
}
