package restore

import "github.com/yaytpl/yaytpl/value"

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

// visit calls a function with each place of the set, the order of keys apart.
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
