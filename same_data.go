package yaytpl

import (
	"hash/maphash"
	"math"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// sameData reports whether two values are the same to whoever edits a document: of one
// kind, with one tag, and equal; a map in any order. A value that cannot be worked out is
// the same as no other.
func sameData(a, b value.Value) bool { return same(a, b, 0) }

func same(a, b value.Value, depth int) bool {
	switch {
	case a.Kind() != b.Kind() || depth > maxLintDepth:
		return false
	case a.Is(value.ListKind):
		return sameLists(a.List(), b.List(), depth+1)
	case a.Is(value.MapKind):
		return sameMaps(a.Map(), b.Map(), depth+1)
	case ownTag(a) != ownTag(b):
		return false
	case a.Is(value.FloatKind) && math.IsNaN(a.Float()):
		return math.IsNaN(b.Float())
	}
	eq, err := value.Equal(a, b)
	return eq && err == nil
}

func sameLists(a, b value.List, depth int) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		x, errX := a.At(i)
		y, errY := b.At(i)
		if errX != nil || errY != nil || !same(x, y, depth) {
			return false
		}
	}
	return true
}

func sameMaps(a, b value.Map, depth int) bool {
	if a.Len() != b.Len() {
		return false
	}
	for k := range a.Keys() {
		x, _, errX := a.Get(k)
		y, ok, errY := b.Get(k)
		if !ok || errX != nil || errY != nil || !same(x, y, depth) {
			return false
		}
	}
	return true
}

// ownTag returns the tag of a scalar, "" for one of YAML's own: that is its kind.
func ownTag(v value.Value) string {
	if s := v.Source(); s != nil && !strings.HasPrefix(s.Tag, "!!") {
		return s.Tag
	}
	return ""
}

// dataHash returns a number that is the same for data that is equal.
func dataHash(seed maphash.Seed, v value.Value, depth int) uint64 {
	switch {
	case depth > maxLintDepth:
		return 0
	case v.Is(value.ListKind):
		h := uint64(1)
		for item, err := range value.Items(v.List()) {
			if err == nil {
				h = h*31 + dataHash(seed, item, depth+1)
			}
		}
		return h
	case v.Is(value.MapKind):
		h := uint64(2)
		for k := range v.Map().Keys() {
			if item, ok, err := v.Map().Get(k); ok && err == nil { // in any order
				h += maphash.Comparable(seed, k) * (dataHash(seed, item, depth+1) | 1)
			}
		}
		return h
	case v.IsNumber() && !math.IsNaN(v.Float()):
		return maphash.Comparable(seed, v.Float())
	case v.Is(value.StringKind):
		return maphash.String(seed, v.Str())
	case v.Is(value.BoolKind):
		return maphash.Comparable(seed, v.Bool())
	}
	return uint64(3 + v.Kind())
}
