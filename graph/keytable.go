package graph

import (
	"hash/maphash"
	"math/bits"

	"github.com/yaytpl/yaytpl/value"
)

// A keyTable finds the entries of a map by their keys. It takes a tenth of the memory of a Go map, which would have
// the keys once more: it has only the indexes of the entries, at places that follow from the hashes of their keys
// (open addressing with linear probing; Knuth, The Art of Computer Programming, 6.4, algorithm L).
//
// The entries "a", "b", "c" with the hashes 5, 5, 2 are in a table of 8 places:
//
//	place  0  1  2  3  4  5  6  7
//	entry        c        a  b
type keyTable struct {
	places  []int32 // 1 + the index of an entry, 0 for none; their number is a power of two
	repeats bool    // there are equal keys
	seed    maphash.Seed
}

// newKeyTable returns the table of entries. Of equal keys it has the last one.
func newKeyTable(entries []Entry) *keyTable {
	t := &keyTable{places: make([]int32, 1<<bits.Len(uint(len(entries)+len(entries)/2))), seed: maphash.MakeSeed()}
	for i := range entries {
		p := t.place(entries, entries[i].Key)
		t.repeats = t.repeats || *p != 0
		*p = int32(i) + 1
	}
	return t
}

// place returns the place of a key: it is 0 if no entry has the key.
func (t *keyTable) place(entries []Entry, k value.Key) *int32 {
	last := uint64(len(t.places) - 1)
	for h := maphash.String(t.seed, k.Text); ; h++ {
		p := &t.places[h&last]
		if *p == 0 || entries[*p-1].Key == k {
			return p
		}
	}
}

// find returns the index of the entry with key k.
func (t *keyTable) find(entries []Entry, k value.Key) (int, bool) {
	i := *t.place(entries, k)
	return int(i) - 1, i != 0
}

// repeats reports whether two entries of m have equal keys.
func (m *Map) repeats() bool {
	if m.index != nil {
		return m.index.repeats
	}
	for i := range m.Entries {
		for j := range i {
			if m.Entries[i].Key == m.Entries[j].Key {
				return true
			}
		}
	}
	return false
}
