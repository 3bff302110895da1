package graph

import (
	"iter"

	"github.com/yaytpl/yaytpl/value"
)

// A keyIndex finds, among many layers, those that define a key: a map that a
// thousand files are merged into must not ask all of them for each of its keys.
type keyIndex struct {
	newest map[value.Key]int32 // into places
	places []keyPlace
	others []int32 // layers that are no plain maps: they must be asked for every key
}

// A keyPlace is an entry of one of the layers.
type keyPlace struct {
	layer, entry int32
	older        int32 // the next place of the same key, or noPlace
}

const noPlace = -1

// indexKeys indexes layers that are sorted newest first.
func indexKeys(layers []*layer) *keyIndex {
	x := &keyIndex{newest: map[value.Key]int32{}}
	for i := len(layers) - 1; i >= 0; i-- {
		if layers[i].isPlainMap() {
			x.add(int32(i), layers[i].node.(*Map))
		}
	}
	for i, l := range layers {
		if !l.isPlainMap() {
			x.others = append(x.others, int32(i))
		}
	}
	return x
}

// isPlainMap reports whether a layer is a map that joins others and does nothing
// else to them.
func (l *layer) isPlainMap() bool {
	if l.members != nil {
		return false
	}
	m, ok := l.node.(*Map)
	return ok && m.Strategy == DefaultStrategy
}

func (x *keyIndex) add(layer int32, m *Map) {
	for i := range m.Entries {
		k := m.Entries[i].Key
		at, known := x.newest[k]
		switch {
		case !known:
			at = noPlace
		case x.places[at].layer == layer: // of equal keys the last one counts
			x.places[at].entry = int32(i)
			continue
		}
		x.newest[k] = int32(len(x.places))
		x.places = append(x.places, keyPlace{layer, int32(i), at})
	}
}

// first returns the newest place of a key.
func (x *keyIndex) first(k value.Key) int32 {
	if at, ok := x.newest[k]; ok {
		return at
	}
	return noPlace
}

// mayDefine yields the layers that have to be asked for a key, newest first.
func (x *keyIndex) mayDefine(k value.Key) iter.Seq[int] {
	return func(yield func(int) bool) { x.eachThatMayDefine(k, yield) }
}

func (x *keyIndex) eachThatMayDefine(k value.Key, yield func(int) bool) {
	others := x.others
	for at := x.first(k); at != noPlace; at = x.places[at].older {
		p := x.places[at]
		for len(others) > 0 && others[0] < p.layer {
			if !yield(int(others[0])) {
				return
			}
			others = others[1:]
		}
		if !yield(int(p.layer)) {
			return
		}
	}
	for _, i := range others {
		if !yield(int(i)) {
			return
		}
	}
}

// index returns the index of the members of a group, nil if they are few.
func (l *layer) index() *keyIndex {
	if l.keys == nil && len(l.members) > smallMap {
		l.keys = indexKeys(l.members)
	}
	return l.keys
}

// definitions yields the entries under a key of the maps that show through, newest
// first.
func (f *folded) definitions(k value.Key) iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i := range f.mapsWith(k) {
			m := f.maps[i].node.(*Map)
			if j, ok := m.Find(k); ok && !yield(&m.Entries[j]) {
				return
			}
		}
	}
}

// mapsWith yields the maps that may have a key, newest first.
func (f *folded) mapsWith(k value.Key) iter.Seq[int] {
	if len(f.maps) <= smallMap {
		return func(yield func(int) bool) {
			for i := range f.maps {
				if !yield(i) {
					return
				}
			}
		}
	}
	if f.index == nil {
		f.index = indexKeys(f.maps)
	}
	return f.index.mayDefine(k)
}
