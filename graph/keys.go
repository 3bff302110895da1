package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

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
	if len(f.maps) == 1 {
		if m, ok := f.maps[0].node.(*Map); ok && len(m.Entries) <= smallMap {
			return m.keysWhere(stays)
		}
	}
	if x := f.indexed(); x != nil && len(x.others) == 0 {
		return x.keysWhere(c.eval, stays)
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

// keysWhere is Cell.keysWhere for a single map with few keys, without copying them first.
func (m *Map) keysWhere(stays func(value.Key) (bool, error)) ([]value.Key, error) {
	keys := make([]value.Key, 0, len(m.Entries))
	for i := range m.Entries {
		k := m.Entries[i].Key
		if slices.Contains(keys, k) {
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
	return keys, nil
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
		return value.KeysOf(m)
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
