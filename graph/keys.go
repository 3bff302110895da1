package graph

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// keys returns the keys of the map on c, in the order in which they were first
// defined, without those that were deleted.
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
		keys, err = c.collectKeys(f)
		return err
	})
	if err == nil && !provisional {
		f.keys, f.hasKeys = keys, true
	}
	if err == nil && provisional {
		c.eval.saw(looked{c, itsExtent}, keyList(keys), true)
	}
	return keys, err
}

func (c *Cell) collectKeys(f *folded) ([]value.Key, error) {
	return c.keysWhere(f, func(k value.Key) (bool, error) { return c.stays(f, k) })
}

// AllKeys returns the keys of the map on c, those included whose presence cannot be
// told because of an error: asking for their value tells it.
func (c *Cell) AllKeys() ([]value.Key, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	return c.keysWhere(f, func(k value.Key) (bool, error) {
		ok, err := c.stays(f, k)
		if errors.Is(err, source.ErrLimit) {
			return false, err
		}
		return ok || err != nil, nil
	})
}

// keysWhere returns the keys that stay, oldest first.
func (c *Cell) keysWhere(f *folded, stays func(value.Key) (bool, error)) ([]value.Key, error) {
	if len(f.maps) == 1 {
		if m, ok := f.maps[0].node.(*Map); ok && len(m.Entries) <= smallMap {
			return m.keysWhere(stays)
		}
	}
	all, err := f.allKeys()
	if err != nil {
		return nil, err
	}
	keys := make([]value.Key, 0, len(all))
	seen := newKeySet(len(all))
	for _, k := range all {
		if !seen.add(k) {
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
	return keys, c.eval.Step(len(all))
}

// keysWhere is the same for a single map with few keys.
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

// allKeys returns the keys of the maps that show through, oldest first, with
// repetitions.
func (f *folded) allKeys() ([]value.Key, error) {
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

// A keySet finds repeated keys. Of few keys it is a list.
type keySet struct {
	few  []value.Key
	many map[value.Key]bool
}

func newKeySet(n int) *keySet {
	if n <= smallMap {
		return &keySet{few: make([]value.Key, 0, n)}
	}
	return &keySet{many: make(map[value.Key]bool, n)}
}

// add reports whether the key is new.
func (s *keySet) add(k value.Key) bool {
	if s.many == nil {
		if slices.Contains(s.few, k) {
			return false
		}
		s.few = append(s.few, k)
		return true
	}
	if s.many[k] {
		return false
	}
	s.many[k] = true
	return true
}

// stays reports whether there is something under k. Most often the newest entry
// says so by itself.
func (c *Cell) stays(f *folded, k value.Key) (bool, error) {
	if e := f.newest(k, anyEntry); e != nil && isSolid(e.Node) && f.isOverNothing(k, e.Node) {
		return true, nil
	}
	return c.kid(k).present()
}

// isOverNothing reports whether what is older than a solid node cannot take it away: a
// null may be over a map, and a map over a deletion (merge, section 6).
func (f *folded) isOverNothing(k value.Key, n Node) bool {
	switch n := n.(type) {
	case *Scalar:
		return !n.Val.IsNull()
	case *Map:
		return len(f.maps) == 1 || f.newest(k, func(e *Entry) bool { return isMarker(e.Node) }) == nil
	}
	return true
}
