package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// A trail is a set of places, with those on the way to them.
type trail struct {
	below map[value.Key]*trail
	keys  []value.Key // of below, in the order in which they were added
	here  bool        // the place is in the set, with all that is in it
}

func (t *trail) isEmpty() bool { return t == nil || !t.here && len(t.below) == 0 }

func trailOf(places []value.Path) *trail {
	t := &trail{}
	for _, p := range places {
		t.add(p)
	}
	return t
}

func (t *trail) add(p value.Path) {
	for _, k := range p {
		if t.below == nil {
			t.below = map[value.Key]*trail{}
		}
		next := t.below[k]
		if next == nil {
			next = &trail{}
			t.below[k] = next
			t.keys = append(t.keys, k)
		}
		t = next
	}
	t.here = true
}

// covers reports whether the set has a place, or one around it.
func (t *trail) covers(p value.Path) bool {
	for _, k := range p {
		if t == nil || t.here {
			break
		}
		t = t.below[k]
	}
	return t != nil && t.here
}

// next returns the part of the set below a key.
func (t *trail) next(k value.Key) *trail {
	if t == nil || t.here {
		return t
	}
	return t.below[k]
}

// meets reports whether the set has something at a place, in it or around it.
func (t *trail) meets(p value.Path) bool {
	for _, k := range p {
		switch {
		case t == nil:
			return false
		case t.here:
			return true
		}
		t = t.below[k]
	}
	return !t.isEmpty()
}

// differences returns the places in which two documents differ. Maps whose keys stand in
// another order differ, but what is in them does not for that; of a list that became
// longer or shorter all differs.
func differences(a, b value.Value) (*trail, error) {
	d := &differ{found: &trail{}}
	return d.found, d.compare(nil, a, b)
}

type differ struct{ found *trail }

func (d *differ) compare(p value.Path, a, b value.Value) error {
	switch {
	case a.Is(value.MapKind) && b.Is(value.MapKind):
		return d.maps(p, a.Map(), b.Map())
	case a.Is(value.ListKind) && b.Is(value.ListKind) && a.List().Len() == b.List().Len():
		return d.lists(p, a.List(), b.List())
	}
	eq, err := same(a, b)
	if err == nil && !eq {
		d.found.add(p)
	}
	return err
}

func (d *differ) maps(p value.Path, a, b value.Map) error {
	common := make([]value.Key, 0, a.Len())
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
			d.found.add(append(p, k))
			continue
		}
		common = append(common, k)
		if err := d.compare(append(p, k), x, y); err != nil {
			return err
		}
	}
	i := 0
	reordered := false
	for k := range b.Keys() {
		if _, ok, err := a.Get(k); err != nil {
			return err
		} else if !ok {
			d.found.add(append(p, k))
			continue
		}
		reordered = reordered || i < len(common) && common[i] != k
		i++
	}
	if reordered {
		d.found.add(append(slices.Clip(p), orderKey))
	}
	return nil
}

// orderKey stands for the order of the keys of a map, which no key of a document is.
var orderKey = value.UnknownKey

func (d *differ) lists(p value.Path, a, b value.List) error {
	for i := range a.Len() {
		x, err := a.At(i)
		if err != nil {
			return err
		}
		y, err := b.At(i)
		if err != nil {
			return err
		}
		if err := d.compare(append(p, value.Index(i)), x, y); err != nil {
			return err
		}
	}
	return nil
}

// Differences returns the places in which two documents differ, the order of keys apart: in
// the order of the first, with what only the second has behind it.
func Differences(a, b value.Value) ([]value.Path, error) {
	t, err := differences(a, b)
	if err != nil {
		return nil, err
	}
	var found []value.Path
	t.visit(nil, func(p value.Path) { found = append(found, slices.Clone(p)) })
	return found, nil
}

// Same reports whether two documents are the same, the order of keys included.
func Same(a, b value.Value) (bool, error) {
	t, err := differences(a, b)
	return err == nil && t.isEmpty(), err
}

func (t *trail) visit(p value.Path, visit func(value.Path)) {
	if t.here {
		visit(p)
	}
	for _, k := range t.keys {
		if k != orderKey {
			t.below[k].visit(append(p, k), visit)
		}
	}
}
