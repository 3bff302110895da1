package restore

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// findRenames finds entries that have gone while others have come with the same value:
// where there is one of each, the entry has another key.
func (x *mapEdit) findRenames() error {
	x.renamed = map[value.Key]value.Key{}
	if x.opts.Plain || !x.old.isMap() {
		return nil
	}
	gone, err := x.goneEntries()
	if len(gone) == 0 || err != nil {
		return err
	}
	come, err := x.newKeys()
	if err != nil {
		return err
	}
	for _, e := range gone {
		to, ok, err := x.onlyTwin(e.key, gone, come)
		if err != nil {
			return err
		}
		if ok {
			x.renamed[e.key] = to
		}
	}
	return nil
}

// goneEntries returns the entries that are not wanted and leave nothing behind.
func (x *mapEdit) goneEntries() ([]explicit, error) {
	var gone []explicit
	for _, e := range x.m.entries {
		if _, hidden := e.node.(*graph.Delete); hidden {
			continue
		}
		want, err := x.want.get(e.key)
		if err != nil {
			return nil, err
		}
		below, err := x.base.get(e.key)
		if err != nil {
			return nil, err
		}
		old, err := x.old.get(e.key)
		if err != nil {
			return nil, err
		}
		if old.ok && !want.ok && !below.ok {
			gone = append(gone, e)
		}
	}
	return gone, nil
}

// newKeys returns the keys that were not there before.
func (x *mapEdit) newKeys() ([]value.Key, error) {
	var come []value.Key
	for k := range x.want.v.Map().Keys() {
		old, err := x.old.get(k)
		if err != nil {
			return nil, err
		}
		below, err := x.base.get(k)
		if err != nil {
			return nil, err
		}
		if !old.ok && !below.ok {
			come = append(come, k)
		}
	}
	return come, nil
}

// onlyTwin returns the new key with the value that an entry had, if there is one, and no
// other entry that went had that value.
func (x *mapEdit) onlyTwin(k value.Key, gone []explicit, come []value.Key) (value.Key, bool, error) {
	was, err := x.old.get(k)
	if err != nil {
		return k, false, err
	}
	for _, e := range gone {
		other, err := x.old.get(e.key)
		if err != nil {
			return k, false, err
		}
		if eq, err := was.sameAs(other); err != nil || eq && e.key != k {
			return k, false, err
		}
	}
	var found []value.Key
	for _, c := range come {
		now, err := x.want.get(c)
		if err != nil {
			return k, false, err
		}
		eq, err := was.sameAs(now)
		if err != nil {
			return k, false, err
		}
		if eq {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		return k, false, nil
	}
	return found[0], true, nil
}

// reorder brings the entries of a map into the order in which they are wanted, if the map
// alone says what that is.
func (x *mapEdit) reorder() {
	if x.opts.KeepOrder || x.base.ok || x.soft.ok {
		return
	}
	var now, want []value.Key
	for _, e := range x.m.entries {
		key := e.key
		if to, ok := x.renamed[key]; ok {
			key = to
		}
		if x.placed[key] {
			now = append(now, key)
		}
	}
	staying := map[value.Key]bool{}
	for _, k := range now {
		staying[k] = true
	}
	for k := range x.want.v.Map().Keys() {
		if staying[k] {
			want = append(want, k)
		}
	}
	for _, move := range movesTo(now, want) {
		e := roundtrip.Edit{Op: roundtrip.Move, Path: longer(x.text, move.key)}
		if move.first {
			e.Place.Where = roundtrip.First
		} else {
			e.Place = roundtrip.Place{Where: roundtrip.After, Key: move.after}
		}
		x.edit(e)
	}
}
