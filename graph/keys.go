package graph

import (
	"iter"
	"math"
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// # The keys of a map
//
// A map on a cell has the keys of its visible maps, each at the place of its oldest definition, without those that are
// deleted. In
//
//	base.yaml   {a: 1, b: 2, c: 3}
//	prod.yaml   {+include: base.yaml, b: {+%: whiteout}, d: 4, a: 5}
//
// they are found in three steps:
//
//	allKeys     a b c b d a   of the maps, the oldest first
//	keysWhere   a b c d       each once
//	hasKey      a c d         the ones that have a value
//
// For most keys the newest entry is enough to know: the scalar 5 hides what is below it, whatever that is. For the others,
// such as a guard, or a null that may be over a map, the cell of the key is folded.
//
// A map of many layers, such as one with a thousand bases, has a [keyIndex], so that not all of them are asked for each key.
// For the maps above, of which prod.yaml is layer 0 and base.yaml layer 1, it is
//
//	keys     a           b           c   d
//	places   0, then 1   0, then 1   1   0
//
// Layers whose keys are not known, such as computed maps, are asked for every key, in their turn: they are the others.
// Guards that may define some keys only are asked for these.

// keys returns the keys of the map on c without those that were deleted, in the order of
// their first definition.
func (c *Cell) keys() ([]value.Key, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	if f.hasKeys {
		return f.keys, nil
	}
	var keys []value.Key
	provisional, err := c.eval.provisionally(func() (err error) {
		keys, err = c.keysWhere(f, func(k value.Key) (bool, error) { return c.hasKey(f, k) })
		return err
	})
	if err == nil && !provisional {
		f.keys, f.hasKeys = keys, true
	}
	if err == nil && provisional {
		c.eval.saw(probe{c, itsExtent}, keyList(keys), true)
	}
	return keys, err
}

// AllKeys returns the keys of the map on c. A key whose presence is unknown because of an
// error is included: asking for its value returns the error.
func (c *Cell) AllKeys() ([]value.Key, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	return c.keysWhere(f, func(k value.Key) (bool, error) {
		ok, err := c.hasKey(f, k)
		if Stops(err) {
			return false, err
		}
		return ok || err != nil, nil
	})
}

// keysWhere returns the keys for which stays returns true, oldest first.
func (c *Cell) keysWhere(f *foldResult, stays func(value.Key) (bool, error)) ([]value.Key, error) {
	if x := f.indexed(); x != nil && len(x.others) == 0 {
		return x.keysWhere(c.eval, stays)
	}
	if f.distinctKeys() {
		return f.keysWhere(c.eval, stays)
	}
	all, err := f.allKeys()
	if err != nil {
		return nil, err
	}
	keys := make([]value.Key, 0, len(all))
	var seen map[value.Key]bool // few keys are searched linearly
	if len(all) > smallMap {
		seen = make(map[value.Key]bool, len(all))
	}
	for i, k := range all {
		if seen[k] || seen == nil && slices.Contains(all[:i], k) {
			continue
		}
		if seen != nil {
			seen[k] = true
		}
		ok, err := stays(k)
		if err != nil {
			return nil, err
		}
		if ok {
			keys = append(keys, k)
		}
	}
	return keys, c.eval.Step(len(all))
}

// distinctKeys reports whether each visible map has all its keys once.
func (f *foldResult) distinctKeys() bool {
	for _, l := range f.maps {
		if m, ok := l.node.(*Map); !ok || m.repeats() {
			return false
		}
	}
	return true
}

// keysWhere is Cell.keysWhere for few maps with distinct keys: the oldest map that has a key gives its place.
func (f *foldResult) keysWhere(e *Eval, stays func(value.Key) (bool, error)) ([]value.Key, error) {
	n := 0
	for _, l := range f.maps {
		n += len(l.node.(*Map).Entries)
	}
	keys := make([]value.Key, 0, n)
	for i := len(f.maps) - 1; i >= 0; i-- {
		older := f.maps[i+1:]
		entries := f.maps[i].node.(*Map).Entries
		for j := range entries {
			k := entries[j].Key
			if slices.ContainsFunc(older, func(l *layer) bool { return l.entry(k) != nil }) {
				continue
			}
			ok, err := stays(k)
			if err != nil {
				return nil, err
			}
			if ok {
				keys = append(keys, k)
			}
		}
	}
	return keys, e.Step(n)
}

// keysWhere is Cell.keysWhere for many maps of which all keys are known.
func (x *keyIndex) keysWhere(e *Eval, stays func(value.Key) (bool, error)) ([]value.Key, error) {
	keys := make([]value.Key, 0, len(x.keys))
	for i := range x.keys {
		ok, err := stays(x.keys[i].key)
		if err != nil {
			return nil, err
		}
		if ok {
			keys = append(keys, x.keys[i].key)
		}
	}
	return keys, e.Step(len(x.places))
}

// allKeys returns the keys of the visible maps, oldest first, with repetitions.
func (f *foldResult) allKeys() ([]value.Key, error) {
	if len(f.maps) == 1 {
		return keysOf(f.maps[0])
	}
	var all, last []value.Key
	for i := len(f.maps) - 1; i >= 0; i-- {
		keys, err := keysOf(f.maps[i])
		if err != nil {
			return nil, err
		}
		if v, ok := f.maps[i].node.(*View); ok && v.Last {
			last = append(last, keys...)
		} else {
			all = append(all, keys...)
		}
	}
	return append(all, last...), nil
}

// keysOf returns the keys of a layer that is a map.
func keysOf(l *layer) ([]value.Key, error) {
	switch n := l.node.(type) {
	case *Map:
		keys := make([]value.Key, len(n.Entries))
		for i := range n.Entries {
			keys[i] = n.Entries[i].Key
		}
		return keys, nil
	case *View:
		m, err := n.Map()
		if err != nil {
			return nil, err
		}
		c, ok := m.(*lazyMap)
		if !ok {
			return value.KeysOf(m)
		}
		var keys []value.Key
		err = n.through(c.cell(), viewedKeys, value.UnknownKey, func() (err error) { keys, err = value.KeysOf(m); return err })
		return keys, err
	}
	return nil, nil
}

// newest returns the newest entry under a key, among the visible maps, for which counts
// returns true. It returns nil if there is none.
func (f *foldResult) newest(k value.Key, counts func(*Entry) bool) *Entry {
	if x := f.indexed(); x != nil {
		for i := range x.mayDefine(k) {
			if e := f.maps[i].entry(k); e != nil && counts(e) {
				return e
			}
		}
		return nil
	}
	for _, l := range f.maps {
		if e := l.entry(k); e != nil && counts(e) {
			return e
		}
	}
	return nil
}

// indexed returns the index of the visible maps, nil if they are few.
func (f *foldResult) indexed() *keyIndex {
	if f.index == nil && len(f.maps) > smallMap {
		f.index = indexKeys(f.maps)
	}
	return f.index
}

// decisive returns the only visible map that decides a key, and its entry, as a walk from the newest map would
// find them: the entry hides what older maps have under the key. The entry is nil if only a walk can tell.
func (f *foldResult) decisive(k value.Key) (*layer, *Entry) {
	if f.kind != mapShape || f.shared || len(f.maps) > smallMap {
		return nil, nil
	}
	for _, l := range f.maps {
		m, ok := l.node.(*Map)
		if !ok {
			return nil, nil
		}
		if i, ok := m.Find(k); ok {
			e := &m.Entries[i]
			if !endsAlways(e.Node) {
				return nil, nil
			}
			return l, e
		}
	}
	return nil, nil
}

// entry returns the entry of the map l under a key.
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

// hasKey reports whether c has a value under k. In most cases the newest entry is enough to
// know.
func (c *Cell) hasKey(f *foldResult, k value.Key) (bool, error) {
	if e := f.newest(k, func(*Entry) bool { return true }); e != nil && isSolid(e.Node) && f.survives(k, e.Node) && !(c.eval.omits && mayVanish(e.Node)) {
		return true, nil
	}
	return c.kid(k).present()
}

// survives reports whether no older layer can remove the solid node n: a null may be over a
// map, and a map over a deletion (merge, section 6).
func (f *foldResult) survives(k value.Key, n Node) bool {
	switch n := n.(type) {
	case *Scalar:
		return !n.Val.IsNull()
	case *Map:
		return len(f.maps) == 1 || f.newest(k, func(e *Entry) bool { return isMarker(e.Node) }) == nil
	}
	return true
}

// A mapList is the array of the list of maps that was made last. Maps of which each extends the one before share one
// array, with room for newer maps before the older ones; a list of its own for each of n maps would take n²/2 words.
//
//	b over a         b a             no room, as most lists are not joined again
//	c over b, a      . . . c b a     the list was made last: the next one shares its array
//	d over c, b, a   . . d c b a
type mapList struct {
	array []*layer
	first int // where the list begins; it ends where the array ends
}

// over returns the list of newer maps followed by older ones.
func (m *mapList) over(newer, older []*layer) []*layer {
	n := len(newer) + len(older)
	if last := m.array[m.first:]; len(last) != len(older) || len(older) <= smallMap || &last[0] != &older[0] {
		m.array, m.first = make([]*layer, n), len(newer)
		copy(m.array[m.first:], older)
	} else if m.first < len(newer) {
		m.array, m.first = make([]*layer, 2*n), 2*n-len(older)
		copy(m.array[m.first:], older)
	}
	m.first -= len(newer)
	copy(m.array[m.first:], newer)
	return m.array[m.first:]
}

// A keyIndex finds the layers that define a key among many. A map with a thousand bases
// must not ask all of them for each of its keys.
type keyIndex struct {
	at     map[value.Key]int32 // index into keys
	last   int32               // the index of the key that was asked for last
	keys   []indexedKey        // oldest first
	places []keyPlace
	others []int32 // layers that are asked for every key: all but plain maps and the following

	// Guards that are asked for some keys only, if they are many: a thousand conditions in one block.
	guards  []int32
	guarded map[value.Key][]int32 // the guards that may define a key
}

// manyGuards is the number of guards in a group from which on they are indexed. To ask a few is faster.
const manyGuards = 32

// An indexedKey is a key with its newest place.
type indexedKey struct {
	key    value.Key
	newest int32 // index into keyIndex.places
}

// A keyPlace is an entry of one of the layers.
type keyPlace struct {
	layer, entry int32
	older        int32 // the next older place of the same key, or noPlace
}

const noPlace = -1

// index returns the index of the members of the group.
func (g *group) index() *keyIndex {
	if g.keys == nil {
		g.keys = indexKeys(g.members)
	}
	return g.keys
}

// indexKeys returns an index of layers, which are sorted newest first.
func indexKeys(layers []*layer) *keyIndex {
	entries, distinct := 0, 0
	first := value.UnknownKey
	for _, l := range layers {
		if !l.isPlainMap() {
			continue
		}
		all := l.node.(*Map).Entries
		entries += len(all)
		if len(all) > 0 && all[0].Key != first { // else it probably has the keys of the one before
			first = all[0].Key
			distinct += len(all)
		}
	}
	x := &keyIndex{at: make(map[value.Key]int32, distinct), keys: make([]indexedKey, 0, distinct), places: make([]keyPlace, 0, entries)}
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
	if len(x.others) > manyGuards {
		x.indexGuards(layers)
	}
	return x
}

// indexGuards takes the guards of which all keys are known out of x.others.
func (x *keyIndex) indexGuards(layers []*layer) {
	x.guarded = map[value.Key][]int32{}
	x.others = slices.DeleteFunc(x.others, func(i int32) bool {
		g, ok := layers[i].node.(*Guard)
		if !ok || layers[i].of != nil {
			return false
		}
		var keys []value.Key
		if !definable(g, func(k value.Key) { keys = append(keys, k) }) {
			return false
		}
		x.guards = append(x.guards, i)
		for _, k := range keys {
			if at := x.guarded[k]; len(at) == 0 || at[len(at)-1] != i {
				x.guarded[k] = append(at, i)
			}
		}
		return true
	})
}

// hasMap reports whether one of the layers from one to another, which mayDefine did not yield, is a map.
func (x *keyIndex) hasMap(from, to int) bool {
	first, _ := slices.BinarySearch(x.guards, int32(from))
	end, _ := slices.BinarySearch(x.guards, int32(to))
	return end-first < to-from
}

// add adds the entries of a map, which must be newer than those added before. Of equal keys
// in one map the last one counts.
func (x *keyIndex) add(layer int32, m *Map) {
	for i := range m.Entries {
		k := m.Entries[i].Key
		at, known := x.at[k]
		if !known {
			at = int32(len(x.keys))
			x.at[k] = at
			x.keys = append(x.keys, indexedKey{k, noPlace})
		}
		newest := &x.keys[at].newest
		if *newest != noPlace && x.places[*newest].layer == layer { // of equal keys the last one counts
			x.places[*newest].entry = int32(i)
			continue
		}
		x.places = append(x.places, keyPlace{layer, int32(i), *newest})
		*newest = int32(len(x.places) - 1)
	}
}

// find returns the index of a key in x.keys. Mostly a reader asks several times for one key, and then for the
// next one.
func (x *keyIndex) find(k value.Key) (i int32, ok bool) {
	for i = x.last; i < min(x.last+2, int32(len(x.keys))); i++ {
		if x.keys[i].key == k {
			x.last = i
			return i, true
		}
	}
	if i, ok = x.at[k]; ok {
		x.last = i
	}
	return i, ok
}

// only returns the member of a group, and its entry of a key, if certainly no other member has an effect on the
// key. Otherwise the entry is nil.
func (l *layer) only(k value.Key) (in *layer, found *Entry) {
	switch {
	case l.group == nil || l.of != nil:
		return nil, nil
	case len(l.members) > smallMap:
		return l.index().only(k, l.members)
	}
	for _, m := range l.members {
		if !m.isPlainMap() {
			return nil, nil
		}
		if e := m.entry(k); e != nil {
			if found != nil || !isSolid(e.Node) {
				return nil, nil
			}
			in, found = m, e
		}
	}
	return in, found
}

// only returns the layer and the entry of a key, if certainly no other layer has an effect on it. Otherwise the
// entry is nil.
func (x *keyIndex) only(k value.Key, layers []*layer) (*layer, *Entry) {
	i, ok := x.find(k)
	if !ok || len(x.others)+len(x.guards) > 0 {
		return nil, nil
	}
	p := x.places[x.keys[i].newest]
	l := layers[p.layer]
	e := &l.node.(*Map).Entries[p.entry]
	if p.older != noPlace || !isSolid(e.Node) {
		return nil, nil
	}
	return l, e
}

// mayDefine yields the layers that must be asked for a key, newest first. It is separate
// from its loop so that the compiler inlines it and the iterator is not allocated.
func (x *keyIndex) mayDefine(k value.Key) iter.Seq[int] {
	return func(yield func(int) bool) { x.eachThatMayDefine(k, yield) }
}

func (x *keyIndex) eachThatMayDefine(k value.Key, yield func(int) bool) {
	others := othersOf{x.others, x.guarded[k]}
	place := int32(noPlace)
	if i, ok := x.find(k); ok {
		place = x.keys[i].newest
	}
	for ; place != noPlace; place = x.places[place].older {
		p := x.places[place]
		for i, ok := others.before(p.layer); ok; i, ok = others.before(p.layer) {
			if !yield(int(i)) {
				return
			}
		}
		if !yield(int(p.layer)) {
			return
		}
	}
	for i, ok := others.before(math.MaxInt32); ok; i, ok = others.before(math.MaxInt32) {
		if !yield(int(i)) {
			return
		}
	}
}

// An othersOf is what is left of the layers that are asked for a key and are not plain maps: others and guards.
type othersOf struct{ others, guards []int32 }

// before takes the newest of the layers, if it is newer than another one.
func (o *othersOf) before(layer int32) (i int32, ok bool) {
	from := &o.others
	if len(o.others) == 0 || len(o.guards) > 0 && o.guards[0] < o.others[0] {
		from = &o.guards
	}
	if len(*from) == 0 || (*from)[0] >= layer {
		return 0, false
	}
	i, *from = (*from)[0], (*from)[1:]
	return i, true
}

// indexedKid returns where the cell of a key has its place in cellMemo.indexed, nil if it has none.
func (c *Cell) indexedKid(k value.Key) **Cell {
	if c.shape == nil || c.shape.index == nil {
		return nil
	}
	i, ok := c.shape.index.find(k)
	if !ok {
		return nil
	}
	m := c.memo()
	if m.indexed == nil {
		m.indexed = make([]*Cell, len(c.shape.index.keys))
	}
	return &m.indexed[i]
}
