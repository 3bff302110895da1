package restore

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// A mapJob says what lies under a map, and which of its directives go.
type mapJob struct {
	base    optional
	dropped map[int]bool
}

// A mapEdit is a map on its way to what is wanted.
type mapEdit struct {
	*walk
	spot
	m    *mapping
	base optional // under all that the map says, "<<" included
	soft optional // what "<<" brings, which the map's own entries hide
	want optional

	renamed map[value.Key]value.Key // entries that get another key
	placed  map[value.Key]bool      // entries that are there in the end
}

// entries lets a map come to want.
func (w *walk) entries(s spot, m *mapping, job mapJob, want value.Value) error {
	x := &mapEdit{walk: w, spot: s, m: m, base: job.base, want: some(want)}
	if len(job.dropped) > 0 {
		x.restless = true
	}
	if err := x.mergeKeys(); err != nil {
		return err
	}
	if err := x.findRenames(); err != nil {
		return err
	}
	if err := x.keep(); err != nil {
		return err
	}
	if err := x.remove(); err != nil {
		return err
	}
	x.reorder()
	if err := x.add(); err != nil {
		return err
	}
	for i, d := range m.directives {
		if job.dropped[i] {
			w.edit(roundtrip.Edit{Op: roundtrip.Delete, Path: longer(s.text, d.Key)})
		}
	}
	return nil
}

// keep lets the entries that stay come to what is wanted of them.
func (x *mapEdit) keep() error {
	x.placed = map[value.Key]bool{}
	for _, e := range x.m.entries {
		key := e.key
		if to, ok := x.renamed[key]; ok {
			key = to
		}
		want, err := x.want.get(key)
		if err != nil {
			return err
		}
		if !want.ok {
			continue
		}
		kid, err := x.under(e)
		if err != nil {
			return err
		}
		kid.is, kid.restless = longer(x.is, key), x.restless
		below, err := x.base.get(key)
		if err != nil {
			return err
		}
		before := len(x.plan.Edits)
		if err := x.place(kid, below, want.v); err != nil {
			return err
		}
		x.placed[key] = !x.wasDeleted(before, kid.text)
		if key != e.key {
			x.edit(roundtrip.Edit{Op: roundtrip.Rename, Path: kid.text, Key: key})
		}
	}
	return nil
}

// wasDeleted reports whether the edits since then left an entry out.
func (x *mapEdit) wasDeleted(since int, text value.Path) bool {
	gone := false
	for _, e := range x.plan.Edits[since:] {
		switch {
		case len(e.Path) != len(text):
		case e.Op == roundtrip.Delete:
			gone = true
		case e.Op == roundtrip.Rename: // another entry has got its place
			gone = false
		}
	}
	return gone
}

// remove takes away the entries that are not wanted. Where something shows through then,
// a whiteout hides it.
func (x *mapEdit) remove() error {
	for _, e := range x.m.entries {
		if _, renamed := x.renamed[e.key]; renamed {
			continue
		}
		want, err := x.want.get(e.key)
		if want.ok || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		below, err := x.base.get(e.key)
		if err != nil {
			return err
		}
		if _, hidden := e.node.(*graph.Delete); hidden {
			continue
		}
		kid, err := x.under(e)
		if err != nil {
			return err
		}
		nothing, err := x.isNothing(kid)
		switch {
		case err != nil:
			return err
		case below.ok:
			x.set(kid, Marker("whiteout"))
		case !nothing:
			x.delete(kid)
			x.taken(kid.old)
		}
	}
	return x.hide()
}

// isNothing reports whether an entry came to nothing and still does: a directive that waits
// for its target.
func (x *mapEdit) isNothing(kid spot) (bool, error) {
	if !kid.placed || kid.old.ok {
		return false, nil
	}
	now, err := x.written(kid)
	return !now.ok, err
}

// hide covers what older layers have and is not wanted.
func (x *mapEdit) hide() error {
	if !x.base.isMap() {
		return nil
	}
	for k := range x.base.v.Map().Keys() {
		if _, explicit := x.m.find(k); explicit {
			continue
		}
		below, err := x.base.get(k) // what cannot be worked out has no key either
		if err != nil {
			return err
		}
		want, err := x.want.get(k)
		if err != nil {
			return err
		}
		if below.ok && !want.ok {
			x.insert(k, Marker("whiteout"), roundtrip.Place{}, inFlow)
		}
	}
	return nil
}

// add writes what is wanted and not there yet, in the order in which it is wanted.
func (x *mapEdit) add() error {
	var before value.Key
	first := true
	for k := range x.want.v.Map().Keys() {
		if x.placed[k] {
			before, first = k, false
			continue
		}
		if _, explicit := x.m.find(k); explicit && !x.isNewKey(k) {
			continue // its entry is not needed any more
		}
		added, err := x.addKey(k, x.placeAfter(before, first))
		if err != nil {
			return err
		}
		if added {
			x.placed[k] = true
			before, first = k, false
		}
	}
	return nil
}

// isNewKey reports whether the entry with a key has another one now.
func (x *mapEdit) isNewKey(k value.Key) bool {
	_, renamed := x.renamed[k]
	return renamed
}

// placeAfter returns where a new entry goes: behind the one that it follows, if the map
// has that itself.
func (x *mapEdit) placeAfter(before value.Key, first bool) roundtrip.Place {
	switch {
	case x.base.ok || x.soft.ok:
		return roundtrip.Place{}
	case first:
		return roundtrip.Place{Where: roundtrip.First}
	}
	return roundtrip.Place{Where: roundtrip.After, Key: before}
}

// addKey writes an entry, unless what is below comes to it already.
func (x *mapEdit) addKey(k value.Key, where roundtrip.Place) (bool, error) {
	want, err := x.want.get(k)
	if err != nil {
		return false, err
	}
	below, err := x.base.get(k)
	if err != nil {
		return false, err
	}
	now, err := x.shown(k, below)
	if err != nil {
		return false, err
	}
	if eq, err := now.sameAs(want); eq || err != nil {
		return false, err
	}
	if !below.ok {
		v, note := x.asWritten(longer(x.is, k), want.v)
		x.insert(k, v, where, note)
		x.brought(want.v)
		return true, nil
	}
	v, err := x.override(longer(x.is, k), below, want.v)
	if err != nil {
		return false, err
	}
	x.insert(k, v, where, x.style(longer(x.is, k), v))
	return true, nil
}

// shown returns what is at a key that the map does not have itself.
func (x *mapEdit) shown(k value.Key, below optional) (optional, error) {
	soft, err := x.soft.get(k)
	if err != nil || !soft.ok || !below.ok {
		if soft.ok {
			return soft, err
		}
		return below, err
	}
	v, err := x.world.Join(below.v, soft.v)
	return some(v), err
}

func (x *mapEdit) insert(k value.Key, v value.Value, where roundtrip.Place, note *value.Annotation) {
	x.edit(roundtrip.Edit{Op: roundtrip.Insert, Path: longer(x.text, k), Value: v, Place: where, Note: note})
}
