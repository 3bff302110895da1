package yaytpl

import (
	"github.com/yaytpl/yaytpl/value"
)

// A Change is one difference between two documents.
type Change struct {
	Path           value.Path
	Old, New       value.Value
	HasOld, HasNew bool // false for a place that only one of them has
}

// Diff returns the differences between two finished values by path, in the order
// of a, then what only b has. A list or map that is secret as a whole is compared as a
// whole: its keys are not told.
func Diff(a, b value.Value) ([]Change, error) {
	d := differ{}
	err := d.compare(nil, a, b)
	return d.changes, err
}

type differ struct{ changes []Change }

func (d *differ) add(p value.Path, c Change) {
	c.Path = append(value.Path{}, p...)
	d.changes = append(d.changes, c)
}

func (d *differ) compare(p value.Path, a, b value.Value) error {
	switch {
	case a.Marks()|b.Marks() != 0: // so is what is in them, keys included
	case a.Is(value.MapKind) && b.Is(value.MapKind):
		return d.maps(p, a.Map(), b.Map())
	case a.Is(value.ListKind) && b.Is(value.ListKind):
		return d.lists(p, a.List(), b.List())
	}
	eq, err := value.Equal(a, b)
	if err == nil && (!eq || a.Kind() != b.Kind()) {
		d.add(p, Change{Old: a, New: b, HasOld: true, HasNew: true})
	}
	return err
}

func (d *differ) maps(p value.Path, a, b value.Map) error {
	for k := range a.Keys() {
		x, _, err := a.Get(k)
		if err != nil {
			return err
		}
		y, ok, err := b.Get(k)
		switch {
		case err != nil:
			return err
		case !ok:
			d.add(append(p, k), Change{Old: x, HasOld: true})
			continue
		}
		if err := d.compare(append(p, k), x, y); err != nil {
			return err
		}
	}
	for k := range b.Keys() {
		_, ok, err := a.Get(k)
		if err == nil && !ok {
			var y value.Value
			y, _, err = b.Get(k)
			d.add(append(p, k), Change{New: y, HasNew: true})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *differ) lists(p value.Path, a, b value.List) error {
	for i := range max(a.Len(), b.Len()) {
		at := append(p, value.Index(i))
		var x, y value.Value
		var err error
		if i < a.Len() {
			if x, err = a.At(i); err != nil {
				return err
			}
		}
		if i < b.Len() {
			if y, err = b.At(i); err != nil {
				return err
			}
		}
		switch {
		case i >= b.Len():
			d.add(at, Change{Old: x, HasOld: true})
		case i >= a.Len():
			d.add(at, Change{New: y, HasNew: true})
		default:
			if err := d.compare(at, x, y); err != nil {
				return err
			}
		}
	}
	return nil
}
