package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// differences returns the places in which two documents differ. Maps whose keys stand in
// another order differ, but what is in them does not for that; of a list that became
// longer or shorter all differs.
func differences(a, b value.Value) (*trail, error) {
	t := &trail{}
	return t, t.addDifferences(nil, a, b)
}

func (t *trail) addDifferences(p value.Path, a, b value.Value) error {
	switch {
	case a.Is(value.MapKind) && b.Is(value.MapKind):
		return t.addDifferentEntries(p, a.Map(), b.Map())
	case a.Is(value.ListKind) && b.Is(value.ListKind) && a.List().Len() == b.List().Len():
		return t.addDifferentItems(p, a.List(), b.List())
	}
	eq, err := value.Same(a, b)
	if err == nil && !eq {
		t.add(p)
	}
	return err
}

func (t *trail) addDifferentEntries(p value.Path, a, b value.Map) error {
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
			t.add(append(p, k))
			continue
		}
		common = append(common, k)
		if err := t.addDifferences(append(p, k), x, y); err != nil {
			return err
		}
	}
	i := 0
	reordered := false
	for k := range b.Keys() {
		if _, ok, err := a.Get(k); err != nil {
			return err
		} else if !ok {
			t.add(append(p, k))
			continue
		}
		reordered = reordered || i < len(common) && common[i] != k
		i++
	}
	if reordered {
		t.add(append(slices.Clip(p), orderKey))
	}
	return nil
}

// orderKey stands for the order of the keys of a map, which no key of a document is.
var orderKey = value.UnknownKey

func (t *trail) addDifferentItems(p value.Path, a, b value.List) error {
	for i := range a.Len() {
		x, err := a.At(i)
		if err != nil {
			return err
		}
		y, err := b.At(i)
		if err != nil {
			return err
		}
		if err := t.addDifferences(append(p, value.Index(i)), x, y); err != nil {
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
