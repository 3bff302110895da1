package graph

import (
	"regexp"
	"slices"
	"sync"

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
// layers is closed.
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
	for i, m := range f.maps[:len(f.maps)-1] {
		n := m.node.(*Map)
		var older *olderMap
		for j := range n.Entries {
			e := &n.Entries[j]
			if _, deletes := e.Node.(*Delete); deletes || oldest[e.Key] != i || e.Key == PrivateKey || w.done {
				continue
			}
			if older == nil {
				older = olderThan(m, f.maps[i+1:])
				if err := w.closed(c, m, older); err != nil || !older.closed {
					if err != nil {
						return err
					}
					break
				}
			}
			j := Join{Kind: NewKey, Path: append(c.Path(), e.Key), Field: e.Key.Text, Names: older.names, Older: sideOf(older.newest, value.Null)}
			if j.Newer = sideOf(m.under(e.Node), value.Null); !e.KeyAt.IsZero() {
				j.Newer.At = e.KeyAt
			}
			w.found(j)
		}
	}
	return nil
}

// An olderMap is what the layers below a map have on its cell, joined.
type olderMap struct {
	entries map[value.Key]*Entry
	names   []string // its keys, as they are written
	newest  *layer   // nil if there is no such layer
	from    []*layer // all layers
	closed  bool
}

// olderThan joins maps that are older than m and were written as layers.
func olderThan(m *layer, maps []*layer) *olderMap {
	o := &olderMap{entries: map[value.Key]*Entry{}}
	for _, l := range maps {
		if !apart(m, l) {
			continue
		}
		if o.newest == nil {
			o.newest = l
		}
		o.from = append(o.from, l)
		n := l.node.(*Map)
		for i := range n.Entries {
			e := &n.Entries[i]
			if _, known := o.entries[e.Key]; !known && e.Key != PrivateKey {
				o.entries[e.Key] = e
				o.names = append(o.names, e.Key.Text)
			}
		}
	}
	return o
}

// ofProgram matches the keys of a map that a program reads, unlike those of environment variables or
// names of files.
var ofProgram = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][A-Za-z0-9_-]*$`) })

// manyAlike is the number of maps or texts from which on their keys are taken for names: labels.
const manyAlike = 3

// closed decides whether only the keys of a map of older layers, on c, are allowed there. The layer m
// adds a key to it.
func (w *joinWalk) closed(c *Cell, m *layer, o *olderMap) error {
	if o.newest == nil || len(o.entries) == 0 {
		return nil
	}
	maps, texts := 0, 0
	for k, e := range o.entries {
		if k.Kind != value.StringKind || !ofProgram().MatchString(k.Text) {
			return nil
		}
		switch n := e.Node.(type) {
		case *Map, *Overlay:
			maps++
		case *Scalar:
			if n.Val.Is(value.StringKind) {
				texts++
			}
		case *Computed:
			if n.Thunk.Raw().Is(value.StringKind) {
				texts++
			}
		}
	}
	if n := len(o.entries); n >= manyAlike && (maps == n || texts == n) {
		return nil
	}
	varies, err := w.varies(c, m, o)
	o.closed = !varies
	return err
}

// maxBeside is the number of maps beside a map that are compared with it.
const maxBeside = 100

// varies reports whether a map beside the one on c shares a key with it and has others. The layer of
// m, which adds a key, and newer ones do not count.
func (w *joinWalk) varies(c *Cell, m *layer, o *olderMap) (bool, error) {
	up := c.up
	if up == nil {
		return false, nil
	}
	f, err := up.fold()
	if err != nil {
		return false, onlyLimit(err)
	}
	newest := f.around(m) + 1 // of the maps around c, the newest one that counts
	for _, l := range o.from {
		if i := f.around(l); i >= 0 {
			newest = min(newest, i) // a directive brought l to the map that holds m
		}
	}
	seen := map[value.Key]bool{c.key: true, PrivateKey: true}
	for _, around := range f.maps {
		n, ok := around.node.(*Map)
		if !ok {
			continue
		}
		for i := range n.Entries {
			k := n.Entries[i].Key
			if seen[k] {
				continue
			}
			if seen[k] = true; len(seen) > maxBeside {
				return false, nil
			}
			beside, err := up.kid(k).fold()
			if err != nil {
				if err := onlyLimit(err); err != nil {
					return false, err
				}
				continue
			}
			shares, others := false, false
			for _, l := range beside.maps {
				at, ok := l.node.(*Map)
				if i := f.around(l); !ok || i >= 0 && i < newest {
					continue
				}
				if err := w.eval.Step(1 + len(at.Entries)); err != nil {
					return false, err
				}
				for i := range at.Entries {
					_, both := o.entries[at.Entries[i].Key]
					shares, others = shares || both, others || !both
				}
			}
			if shares && others {
				return true, nil
			}
		}
	}
	return false, nil
}

// around returns the position of the map of f that holds l, -1 if none does.
func (f *foldResult) around(l *layer) int {
	return slices.IndexFunc(f.maps, func(m *layer) bool { return l != m && l.within(m.node) })
}
