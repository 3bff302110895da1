package restore

import (
	"math"

	"github.com/yaytpl/yaytpl/value"
)

// same reports whether two values are the same data: scalars of one kind, equal, with
// the same tag; maps in any order.
func same(a, b value.Value) (bool, error) {
	switch {
	case a.Kind() != b.Kind():
		return false, nil
	case a.Is(value.MapKind):
		return sameMaps(a.Map(), b.Map())
	case a.Is(value.ListKind):
		return sameLists(a.List(), b.List())
	case tagOf(a) != tagOf(b):
		return false, nil
	case a.Is(value.FloatKind) && math.IsNaN(a.Float()):
		return math.IsNaN(b.Float()), nil
	}
	return value.Equal(a, b)
}

func tagOf(v value.Value) string {
	if s := v.Source(); s != nil {
		return s.Tag
	}
	return ""
}

func sameMaps(a, b value.Map) (bool, error) {
	if a.Len() != b.Len() {
		return false, nil
	}
	for k := range a.Keys() {
		x, _, err := a.Get(k)
		if err != nil {
			return false, err
		}
		y, ok, err := b.Get(k)
		if !ok || err != nil {
			return false, err
		}
		if eq, err := same(x, y); !eq || err != nil {
			return false, err
		}
	}
	return true, nil
}

func sameLists(a, b value.List) (bool, error) {
	if a.Len() != b.Len() {
		return false, nil
	}
	for i := range a.Len() {
		x, err := a.At(i)
		if err != nil {
			return false, err
		}
		y, err := b.At(i)
		if err != nil {
			return false, err
		}
		if eq, err := same(x, y); !eq || err != nil {
			return false, err
		}
	}
	return true, nil
}

// itemsOf returns the items of a list.
func itemsOf(l value.List) ([]value.Value, error) {
	items := make([]value.Value, 0, l.Len())
	for item, err := range value.Items(l) {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}
