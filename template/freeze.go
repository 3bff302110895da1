package template

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// freeze returns v, the result of r, as plain immutable data, because results are shared.
func (r *run) freeze(v value.Value) (value.Value, error) {
	if !r.mutable {
		return v, nil
	}
	f := freezer{run: r, done: map[any]frozen{}}
	v, _, err := f.value(v, 0)
	return v, err
}

// A freezer makes mutable lists and maps plain, and plain ones that may hold mutable ones. The new ones take
// over the storage of mutable values of its run, which changes nothing any more; others are copied where something
// in them is mutable.
type freezer struct {
	run     *run
	done    map[any]frozen // by identity: what occurs several times is frozen once, unless it is small
	visited int
}

// A frozen is a plain value without marks.
type frozen struct {
	value.Value
	differs bool // from what it was made of
}

// smallValue is the number of lists, maps and items in a value that is not kept in freezer.done.
const smallValue = 16

// value returns v as a plain value, and whether it differs from v.
func (f *freezer) value(v value.Value, depth int) (plain value.Value, differs bool, err error) {
	f.visited++
	if depth > maxValueDepth {
		return v, false, source.Errorf(source.Span{}, source.Limit, "the value is nested more than %d deep, or contains itself", maxValueDepth)
	}
	if !mayHoldMutable(v) {
		return v, false, nil
	}
	id, hasID := value.IdentityOf(v)
	made, ok := f.done[id]
	if !ok || !hasID {
		before := f.visited
		if made, err = f.inside(v, depth); err != nil {
			return v, false, err
		}
		if hasID && f.visited-before > smallValue {
			f.done[id] = made
		}
	}
	if !made.differs {
		return v, false, nil
	}
	return made.Mark(v.Marks()), true, nil
}

// mayHoldMutable reports whether v is a list or map of a template, or a plain one. Those of the
// document hold values of the document only.
func mayHoldMutable(v value.Value) bool {
	switch v.Kind() {
	case value.ListKind:
		switch v.List().(type) {
		case *list, value.Slice:
			return true
		}
	case value.MapKind:
		switch v.Map().(type) {
		case *dict, *namespace, *value.Dict:
			return true
		}
	}
	return false
}

// inside returns a list or map as a plain one.
func (f *freezer) inside(v value.Value, depth int) (frozen, error) {
	if v.Is(value.ListKind) {
		l, mutable := v.List().(*list)
		if !mutable {
			items, differs, err := f.items(v.List().(value.Slice), false, depth)
			return frozen{value.FromList(items), differs}, err
		}
		items, _, err := f.items(l.items, l.run == f.run && !l.shared, depth)
		l.shared = true
		return frozen{value.FromList(slices.Clip(items)), true}, err
	}
	var d *dict
	switch m := v.Map().(type) {
	case *value.Dict:
		entries, differs, err := f.entries(m, false, depth)
		return frozen{value.FromMap(entries), differs}, err
	case *namespace:
		d = &m.dict
	case *dict:
		d = m
	}
	entries, _, err := f.entries(d.Dict, d.run == f.run && !d.shared, depth)
	d.shared = true
	return frozen{value.FromMap(entries), true}, err
}

// items returns items with mutable ones replaced, in place if the caller owns s.
func (f *freezer) items(s value.Slice, owns bool, depth int) (_ value.Slice, differs bool, err error) {
	for i := range s {
		item, other, err := f.value(s[i], depth+1)
		switch {
		case err != nil:
			return s, false, err
		case other && !owns:
			s, owns = slices.Clone(s), true
		}
		if other {
			s[i], differs = item, true
		}
	}
	return s, differs, nil
}

// entries is items for the entries of a map.
func (f *freezer) entries(d *value.Dict, owns bool, depth int) (_ *value.Dict, differs bool, err error) {
	for k := range d.Keys() {
		v, _, _ := d.Get(k)
		v, other, err := f.value(v, depth+1)
		switch {
		case err != nil:
			return d, false, err
		case other && !owns:
			d, owns = copyDict(d), true
		}
		if other {
			d.Set(k, v)
			differs = true
		}
	}
	return d, differs, nil
}
