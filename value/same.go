package value

import (
	"math"
	"strings"
)

// Same reports whether two values are the same to whoever edits a document: of one kind
// (1 is not 1.0), with one tag, and equal; a map in any order.
func Same(a, b Value) (bool, error) { return same(a, b, 0) }

func same(a, b Value, depth int) (bool, error) {
	switch {
	case a.kind != b.kind:
		return false, nil
	case depth > MaxNesting:
		return false, errTooDeep
	case a.kind == MapKind:
		return sameMaps(a.Map(), b.Map(), depth+1)
	case a.kind == ListKind:
		return sameLists(a.List(), b.List(), depth+1)
	case OwnTag(a) != OwnTag(b):
		return false, nil
	case a.kind == FloatKind && math.IsNaN(a.Float()):
		return math.IsNaN(b.Float()), nil
	}
	return Equal(a, b)
}

func sameMaps(a, b Map, depth int) (bool, error) {
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
		if eq, err := same(x, y, depth); !eq || err != nil {
			return false, err
		}
	}
	return true, nil
}

func sameLists(a, b List, depth int) (bool, error) {
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
		if eq, err := same(x, y, depth); !eq || err != nil {
			return false, err
		}
	}
	return true, nil
}

// OwnTag returns the tag of a scalar, "" for none and for those of YAML itself: they say
// its kind.
func OwnTag(v Value) string {
	if s := v.Source(); s != nil && !strings.HasPrefix(s.Tag, "!!") {
		return s.Tag
	}
	return ""
}
