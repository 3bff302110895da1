package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
)

// An optional is a value or the absence of one.
type optional struct {
	v  value.Value
	ok bool
}

var none = optional{}

// some returns a value as an optional.
func some(v value.Value) optional { return optional{v, true} }

func (o optional) isMap() bool  { return o.ok && o.v.Is(value.MapKind) }
func (o optional) isList() bool { return o.ok && o.v.Is(value.ListKind) }

// get returns the value of a map or list at a key.
func (o optional) get(k value.Key) (optional, error) { return o.at(value.Path{k}) }

// at returns the value at a path.
func (o optional) at(p value.Path) (optional, error) {
	if !o.ok {
		return none, nil
	}
	v, ok, err := value.Find(o.v, p)
	return optional{v, ok}, err
}

// sameAs reports whether both are the same value or both are absent.
func (o optional) sameAs(other optional) (bool, error) {
	if o.ok != other.ok || !o.ok {
		return o.ok == other.ok, nil
	}
	return value.Same(o.v, other.v)
}

// indexOf returns the index that a key of a list is, false for the key of a map.
func indexOf(k value.Key) (int, bool) {
	n, ok := k.Value().Int()
	return int(n), ok
}

// onlyPairs pairs removed and added values that are equal, where there is exactly one of each: most likely they
// are one thing that was moved. It returns the index in come for each index in gone, -1 for none.
func onlyPairs[T any](gone, come []T, valueOf func(T) value.Value) []int {
	pairs := slices.Repeat([]int{-1}, len(gone))
	if len(gone) == 0 || len(come) == 0 {
		return pairs
	}
	keysOf := func(all []T) []uint64 {
		values := make([]value.Value, len(all))
		for i, t := range all {
			values[i] = valueOf(t)
		}
		return align.Keys(values, nil)
	}
	type count struct{ gone, come, last int }
	counts := map[uint64]count{}
	keys := keysOf(gone)
	for _, key := range keys {
		c := counts[key]
		c.gone++
		counts[key] = c
	}
	for j, key := range keysOf(come) {
		c := counts[key]
		c.come, c.last = c.come+1, j
		counts[key] = c
	}
	for i, key := range keys {
		if c := counts[key]; c.gone == 1 && c.come == 1 {
			pairs[i] = c.last
		}
	}
	return pairs
}

// A keyValue is an entry of a map.
type keyValue struct {
	key value.Key
	v   value.Value
}

// renames returns the new keys of removed entries for which one with the same value was
// added.
func renames(gone, come []keyValue) map[value.Key]value.Key {
	names := map[value.Key]value.Key{}
	for i, j := range onlyPairs(gone, come, func(e keyValue) value.Value { return e.v }) {
		if j >= 0 {
			names[gone[i].key] = come[j].key
		}
	}
	return names
}

// differences returns the places in which two documents differ. A different order of keys
// is a difference of the map ([orderKey]), not of its entries. A list whose length changed
// differs as a whole.
func differences(a, b value.Value) (*trail, error) {
	d := differ{trail: &trail{}}
	return d.trail, d.compare(nil, a, b)
}

// maxDifferences bounds the places of [differences].
const maxDifferences = 1_000_000

type differ struct {
	trail *trail
	n     int         // the number of places in it
	same  value.Pairs // without differences
}

// add adds a place. The number of places is bounded, since each keeps its path.
func (d *differ) add(p value.Path) error {
	if d.n++; d.n > maxDifferences {
		return source.Errorf(source.Span{}, source.Limit, "the documents differ in more than %d places", maxDifferences)
	}
	d.trail.add(p)
	return nil
}

// compare adds the places in which a and b differ. Pairs that are equal are remembered: documents share lists
// and maps, and two bombs of shared lists would take forever otherwise.
func (d *differ) compare(p value.Path, a, b value.Value) error {
	maps := a.Is(value.MapKind) && b.Is(value.MapKind)
	if maps || a.Is(value.ListKind) && b.Is(value.ListKind) && a.List().Len() == b.List().Len() {
		if len(p) > value.MaxNesting {
			return source.Errorf(source.Span{}, source.Limit, "the document is nested more than %d deep", value.MaxNesting)
		}
		if d.same.Has(a, b) {
			return nil
		}
		before := d.n
		var err error
		if maps {
			err = d.entries(p, a.Map(), b.Map())
		} else {
			err = d.items(p, a.List(), b.List())
		}
		if err == nil && d.n == before {
			d.same.Add(a, b)
		}
		return err
	}
	eq, err := value.Same(a, b)
	if err == nil && !eq {
		err = d.add(p)
	}
	return err
}

// items compares lists of the same length by index.
func (d *differ) items(p value.Path, a, b value.List) error {
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

// entries compares maps by key: keys of one map only are differences, and so is another order of the common keys.
func (d *differ) entries(p value.Path, a, b value.Map) error {
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
			err = d.add(append(p, k))
		default:
			common = append(common, k)
			err = d.compare(append(p, k), x, y)
		}
		if err != nil {
			return err
		}
	}
	i := 0
	reordered := false
	for k := range b.Keys() {
		if _, ok, err := a.Get(k); err != nil {
			return err
		} else if !ok {
			if err := d.add(append(p, k)); err != nil {
				return err
			}
			continue
		}
		reordered = reordered || i < len(common) && common[i] != k
		i++
	}
	if reordered {
		return d.add(append(slices.Clip(p), orderKey))
	}
	return nil
}

// orderKey is the key for the order of a map in a trail. No key of a document is equal to
// it, as none is equal to [value.UnknownKey].
var orderKey = value.Key{Text: "?", Kind: value.UndefinedKind}

// Differences returns the places in which two documents differ, without differences in the
// order of keys: in the order of the first document, then those that only the second has.
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

// A trail is a set of places, as a tree.
type trail struct {
	below map[value.Key]*trail
	keys  []value.Key // the keys of below in the order of their addition
	here  bool        // the place is in the set, with everything inside of it
}

// isEmpty reports whether the set has no places. A nil trail is empty.
func (t *trail) isEmpty() bool { return t == nil || !t.here && len(t.below) == 0 }

// trailOf returns a set of places.
func trailOf(places []value.Path) *trail {
	t := &trail{}
	for _, p := range places {
		t.add(p)
	}
	return t
}

// add adds a place, which then counts with everything inside of it.
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

// covers reports whether the set has p or a place around it.
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

// meets reports whether the set has p, a place in it or a place around it.
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

// visit calls a function with each place of the set, without those for the order of keys.
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
