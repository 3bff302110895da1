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

// plainMap returns the map that a layer is, if it is just that.
func (l *layer) plainMap() *Map {
	if l.of != nil || !l.isPlainMap() {
		return nil
	}
	return l.node.(*Map)
}

// isPlainMap reports whether a layer is a map that joins others and does nothing
// else to them.
func (l *layer) isPlainMap() bool {
	if l.group != nil {
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

// newest returns the newest entry under a key that counts, of the maps that show
// through; nil if there is none.
func (f *folded) newest(k value.Key, counts func(*Entry) bool) *Entry {
	if len(f.maps) > smallMap {
		return f.newestIndexed(k, counts)
	}
	for _, l := range f.maps {
		if e := l.entry(k); e != nil && counts(e) {
			return e
		}
	}
	return nil
}

func (f *folded) newestIndexed(k value.Key, counts func(*Entry) bool) *Entry {
	if f.index == nil {
		f.index = indexKeys(f.maps)
	}
	for i := range f.index.mayDefine(k) {
		if e := f.maps[i].entry(k); e != nil && counts(e) {
			return e
		}
	}
	return nil
}

// entry returns what the map that is l has under a key.
func (l *layer) entry(k value.Key) *Entry {
	m, ok := l.node.(*Map)
	if !ok {
		return nil
	}
	if i, ok := m.Find(k); ok {
		return &m.Entries[i]
	}
	return nil
}

func anyEntry(*Entry) bool { return true }

func hasNote(e *Entry) bool { return e.Note != nil }
