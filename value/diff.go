package value

import (
	"fmt"
	"slices"
)

// A Change is one difference between two documents.
type Change struct {
	Path           Path
	NewPath        Path // in the new document, if it differs: see [DiffItems]
	Old, New       Value
	HasOld, HasNew bool // false for a place that only one of them has
}

// Diff returns the differences between two finished values by path, in the order
// of a, then what only b has. A list or map that is secret as a whole is compared as a
// whole: its keys are not shown. Private keys are left out: see [Public]. A NaN is no difference to
// a NaN.
func Diff(a, b Value) ([]Change, error) {
	d := differ{}
	err := d.compare(nil, a, b)
	return d.changes, err
}

// DiffMasked is Diff for readers that must not see marked values: a value that is marked in only
// one of a and b is a difference, even if its text is the same. So comparing a secret with a guess
// tells nothing about it.
func DiffMasked(a, b Value) ([]Change, error) {
	d := differ{masked: true}
	err := d.compare(nil, a, b)
	return d.changes, err
}

type differ struct {
	changes []Change
	same    Pairs // without differences
	masked  bool  // see DiffMasked
	moves   []itemMove
	pair    func(a, b []Value) []int // see [DiffItems]; nil pairs items by position
}

// maxChanges bounds the differences of two values.
const maxChanges = 1_000_000

func (d *differ) add(p Path, c Change) error {
	if len(d.changes) >= maxChanges {
		return endlessError(fmt.Sprintf("the values have more than %d differences", maxChanges))
	}
	c.Path = append(Path{}, p...)
	if len(d.moves) > 0 {
		c.NewPath = append(Path{}, p...)
		for _, m := range d.moves {
			c.NewPath[m.depth] = m.now
		}
	}
	d.changes = append(d.changes, c)
	return nil
}

func (d *differ) compare(p Path, a, b Value) error {
	a, b = Public(a), Public(b)
	switch {
	case a.Marks()|b.Marks() != 0: // so is what is in them, keys included
	case a.Is(MapKind) && b.Is(MapKind), a.Is(ListKind) && b.Is(ListKind):
		if len(p) > MaxNesting {
			return errTooDeep
		}
		if d.same.Has(a, b) {
			return nil
		}
		before := len(d.changes)
		err := d.inside(p, a, b)
		if err == nil && len(d.changes) == before {
			d.same.Add(a, b)
		}
		return err
	}
	eq, err := Equal(a, b)
	eq = eq || isNaN(a) && isNaN(b) // for [Same], too: no edit makes them alike
	guess := d.masked && (a.Marks() == 0) != (b.Marks() == 0)
	if err == nil && (!eq || a.Kind() != b.Kind() || guess) {
		err = d.add(p, Change{Old: a, New: b, HasOld: true, HasNew: true})
	}
	return err
}

func (d *differ) inside(p Path, a, b Value) error {
	if a.Is(MapKind) {
		return d.maps(p, a.Map(), b.Map())
	}
	if d.pair != nil {
		return d.paired(p, a.List(), b.List())
	}
	return d.lists(p, a.List(), b.List())
}

func (d *differ) maps(p Path, a, b Map) error {
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
			err = d.add(append(p, k), Change{Old: x, HasOld: true})
		default:
			err = d.compare(append(p, k), x, y)
		}
		if err != nil {
			return err
		}
	}
	for k := range b.Keys() {
		_, ok, err := a.Get(k)
		if err == nil && !ok {
			var y Value
			if y, _, err = b.Get(k); err == nil {
				err = d.add(append(p, k), Change{New: y, HasNew: true})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *differ) lists(p Path, a, b List) error {
	for i := range max(a.Len(), b.Len()) {
		at := append(p, Index(i))
		var x, y Value
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
			err = d.add(at, Change{Old: x, HasOld: true})
		case i >= a.Len():
			err = d.add(at, Change{New: y, HasNew: true})
		default:
			err = d.compare(at, x, y)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// IsSame reports whether an edit of a document would see a and b as the same value: of one
// kind, with one tag, and equal; the order of a map does not count. A value that cannot be
// evaluated is the same as no other.
func IsSame(a, b Value) bool {
	same, err := Same(a, b)
	return same && err == nil
}

// HasPrefix reports whether p is prefix or a place below it.
func (p Path) HasPrefix(prefix Path) bool {
	return len(p) >= len(prefix) && slices.Equal(p[:len(prefix)], prefix)
}
