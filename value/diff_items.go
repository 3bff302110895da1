package value

import "slices"

// DiffItems is [Diff], or with masked set [DiffMasked], with the items of lists compared in pairs: pair returns the
// index in a for each item of b, -1 for new items. Paths have the index in a; paths of new items have the index in b.
func DiffItems(a, b Value, masked bool, pair func(a, b []Value) []int) ([]Change, error) {
	d := differ{masked: masked, pair: pair}
	err := d.compare(nil, a, b)
	return d.changes, err
}

// paired compares the items of two lists in pairs.
func (d *differ) paired(p Path, a, b List) error {
	x, err := ItemsOf(a)
	if err != nil {
		return err
	}
	y, err := ItemsOf(b)
	if err != nil {
		return err
	}
	of := d.pair(x, y)
	now := slices.Repeat([]int{-1}, len(x))
	for j, i := range of {
		if i >= 0 {
			now[i] = j
		}
	}
	for i, j := range now {
		at := append(p, Index(i))
		if j < 0 {
			err = d.add(at, Change{Old: x[i], HasOld: true})
		} else {
			err = d.comparePair(at, x[i], y[j], j)
		}
		if err != nil {
			return err
		}
	}
	for j, i := range of {
		if i < 0 {
			if err := d.add(append(p, Index(j)), Change{New: y[j], HasNew: true}); err != nil {
				return err
			}
		}
	}
	return nil
}

// An itemMove is the other index that an item on the path has in the new document.
type itemMove struct {
	depth int // in the path
	now   Key
}

// comparePair compares two items; the new one has the index j.
func (d *differ) comparePair(at Path, x, y Value, j int) error {
	if last := len(at) - 1; at[last] != Index(j) {
		d.moves = append(d.moves, itemMove{last, Index(j)})
		defer func() { d.moves = d.moves[:len(d.moves)-1] }()
	}
	return d.compare(at, x, y)
}

// ItemFields are the fields by which items of a list are told apart, the most reliable first.
var ItemFields = [...]string{"name", "id", "key"}

// FieldKey returns the scalar under a field of a map as a key. It returns false if v is no map, or
// has no scalar or null there.
func FieldKey(v Value, field string) (Key, bool) {
	if v.kind != MapKind {
		return Key{}, false
	}
	id, ok, err := v.Map().Get(K(field))
	if !ok || err != nil || id.IsNull() || !id.IsScalar() {
		return Key{}, false
	}
	return KeyOf(id)
}
