package graph

import (
	"math"
	"slices"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

// # Keys that only a newer layer has
//
// A layer that adds a key to a map of older layers may have misspelt one. It is remarkable only if the
// map is closed, as one is whose keys a program defines (spec: everyday, B8):
//
//	base.yaml  {server: {port: 80, host: a}, hosts: {web: {ip: 1}, db: {ip: 2, disk: 3}}}
//	prod.yaml  {server: {prot: 81}, hosts: {web: {disk: 4}, mail: {ip: 5}}}
//
//	server.prot     reported: the keys of server are port and host
//	hosts.web.disk  a map beside it, db, shares ip and has another key: their keys vary
//	hosts.mail      reported: two maps are not enough to say that hosts holds any number of them
//
// Whether a template reads the key is left to the caller.

// newKeys reports the keys that the map on c has from newer layers only, if the map of the older
// layers is closed. It goes from the oldest layer to the newest, so that each is joined to the older ones
// once.
func (w *joinWalk) newKeys(c *Cell, f *foldResult) error {
	if len(f.maps) < 2 || c.item {
		return nil
	}
	oldest := map[value.Key]int{} // the oldest map with a key
	for i, m := range f.maps {
		n, ok := m.node.(*Map)
		if !ok {
			return nil // the keys of a computed map are not known
		}
		if err := w.eval.Step(1 + len(n.Entries)); err != nil {
			return err
		}
		for j := range n.Entries {
			oldest[n.Entries[j].Key] = i
		}
	}
	stack := olderMaps{maps: f.maps}
	var joins []Join // the oldest first
	for i := len(f.maps) - 2; i >= 0; i-- {
		m := f.maps[i]
		var older *olderMap
		for _, e := range slices.Backward(m.node.(*Map).Entries) {
			if _, deletes := e.Node.(*Delete); deletes || oldest[e.Key] != i || e.Key == PrivateKey {
				continue
			}
			if older == nil {
				older = stack.below(i)
				if closed, err := w.closed(c, m, older); err != nil {
					return err
				} else if !closed {
					break
				}
			}
			j := Join{Kind: NewKey, Path: append(c.Path(), e.Key), Field: e.Key.Text,
				Names: slices.Clip(older.names), Older: sideOf(older.newest, value.Null)}
			if j.Newer = sideOf(m.under(e.Node), value.Null); !e.KeyAt.IsZero() {
				j.Newer.At = e.KeyAt
			}
			joins = append(joins, j)
		}
	}
	for _, j := range slices.Backward(joins) {
		if !w.done {
			w.found(j)
		}
	}
	return nil
}

// olderMaps are the maps of a cell, to be asked for what is below one of them after the other.
type olderMaps struct {
	maps   []*layer // newest first
	joined map[*Doc]*olderMap
	oldest map[*Doc]int // of each document the oldest map that no directive brought
}

// An olderMap is what the layers below a map have on its cell, joined.
type olderMap struct {
	rest    int // the number of maps that are not joined yet
	entries map[value.Key]*Entry
	names   []string // its keys, as they are written
	newest  *layer   // nil if there is no such layer
	from    []*layer // all layers

	placed int // the number of layers of from that around knows
	around int // the newest of the maps around the cell that holds a layer of from

	maps, texts int  // the number of entries that are maps, or texts
	free        bool // a key is none of a program
}

// below joins the maps that are older than maps[i] and were written as layers. Each call must be for a
// newer map than the last one.
func (s *olderMaps) below(i int) *olderMap {
	doc := s.among(i)
	o := s.joined[doc]
	if o == nil {
		if s.joined == nil {
			s.joined = map[*Doc]*olderMap{}
		}
		o = &olderMap{rest: len(s.maps), entries: map[value.Key]*Entry{}, around: math.MaxInt}
		s.joined[doc] = o
	}
	for ; o.rest > i+1; o.rest-- {
		if l := s.maps[o.rest-1]; doc == nil || apart(s.maps[i], l) {
			o.add(l)
		}
	}
	return o
}

// among returns the document of maps[i] if older maps were written in the same text, so that they are
// no layers below this one, and nil if all older maps are.
func (s *olderMaps) among(i int) *Doc {
	if s.oldest == nil {
		s.oldest = map[*Doc]int{}
		for i, m := range s.maps {
			if m.origin != nil && !m.referred() {
				s.oldest[m.origin.Doc] = i
			}
		}
	}
	m := s.maps[i]
	if m.origin == nil || m.referred() || s.oldest[m.origin.Doc] == i {
		return nil
	}
	return m.origin.Doc
}

// add joins a map to the older ones.
func (o *olderMap) add(l *layer) {
	o.newest = l
	o.from = append(o.from, l)
	n := l.node.(*Map)
	for i := range n.Entries {
		e := &n.Entries[i]
		if e.Key == PrivateKey {
			continue
		}
		if old := o.entries[e.Key]; old != nil {
			o.count(old, -1)
		} else {
			o.names = append(o.names, e.Key.Text)
			o.free = o.free || e.Key.Kind != value.StringKind || !ofProgram.Get().MatchString(e.Key.Text)
		}
		o.entries[e.Key] = e
		o.count(e, 1)
	}
}

// count adds to the number of entries of the kind of e.
func (o *olderMap) count(e *Entry, n int) {
	switch node := e.Node.(type) {
	case *Map, *Overlay:
		o.maps += n
	case *Scalar:
		if node.Val.Is(value.StringKind) {
			o.texts += n
		}
	case *Computed:
		if node.Thunk.Raw().Is(value.StringKind) {
			o.texts += n
		}
	}
}

// ofProgram matches the keys of a map that a program reads, unlike the names of environment variables or
// names of files.
var ofProgram = lazy.Regexp{Text: `^[a-z][A-Za-z0-9_-]*$`}

// manyAlike is the number of maps or texts from which on their keys are taken for names: labels.
const manyAlike = 3

// closed reports whether only the keys of a map of older layers, on c, are allowed there. The layer m
// adds a key to it.
func (w *joinWalk) closed(c *Cell, m *layer, o *olderMap) (bool, error) {
	n := len(o.entries)
	if o.newest == nil || n == 0 || o.free || n >= manyAlike && (o.maps == n || o.texts == n) {
		return false, nil
	}
	varies, err := w.varies(c, m, o)
	return !varies, err
}

// maxBeside is the number of maps beside a map that are compared with it.
const maxBeside = 100

// varies reports whether a map beside the one on c shares a key with it and has others. The layer of
// m, which adds a key, and newer ones do not count.
func (w *joinWalk) varies(c *Cell, m *layer, o *olderMap) (bool, error) {
	if c.up == nil {
		return false, nil
	}
	up, err := w.mapsAround(c.up)
	if err != nil {
		return false, onlyLimit(err)
	}
	newest := up.position(m) + 1 // of the maps around c, the newest one that counts
	for ; o.placed < len(o.from); o.placed++ {
		if i := up.position(o.from[o.placed]); i >= 0 {
			o.around = min(o.around, i) // a directive brought the layer to the map that holds m
		}
	}
	newest = min(newest, o.around)
	for _, k := range up.keys {
		if k == c.key {
			continue
		}
		beside, err := c.up.kid(k).fold()
		if err != nil {
			if err := onlyLimit(err); err != nil {
				return false, err
			}
			continue
		}
		shares, others := false, false
		for _, l := range beside.maps {
			at, ok := l.node.(*Map)
			if i := up.position(l); !ok || i >= 0 && i < newest {
				continue
			}
			if err := w.eval.Step(1 + len(at.Entries)); err != nil {
				return false, err
			}
			for i := range at.Entries {
				_, both := o.entries[at.Entries[i].Key]
				shares, others = shares || both, others || !both
			}
			if shares && others {
				return true, nil
			}
		}
	}
	return false, nil
}

// mapsAround are the maps on a cell, for questions about the maps on the cells below it.
type mapsAround struct {
	at   map[Node]int // their positions, the newest first
	keys []value.Key  // up to maxBeside + 1 keys
}

// mapsAround returns the maps on c.
func (w *joinWalk) mapsAround(c *Cell) (*mapsAround, error) {
	if a := w.around[c]; a != nil {
		return a, nil
	}
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	a := &mapsAround{at: map[Node]int{}}
	seen := map[value.Key]bool{PrivateKey: true}
	for i, m := range slices.Backward(f.maps) {
		a.at[m.node] = i
	}
	for _, m := range f.maps {
		n, ok := m.node.(*Map)
		for i := 0; ok && i < len(n.Entries) && len(a.keys) <= maxBeside; i++ {
			if k := n.Entries[i].Key; !seen[k] {
				seen[k] = true
				a.keys = append(a.keys, k)
			}
		}
	}
	if w.around == nil {
		w.around = map[*Cell]*mapsAround{}
	}
	w.around[c] = a
	return a, nil
}

// position returns the position of the newest map that holds l, -1 if none does.
func (a *mapsAround) position(l *layer) int {
	found := -1
	for ; l != nil; l = l.up {
		if i, ok := a.at[l.node]; ok && (found < 0 || i < found) {
			found = i
		}
	}
	return found
}
