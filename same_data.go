package yaytpl

import (
	"hash/maphash"
	"math"

	"github.com/yaytpl/yaytpl/value"
)

// sameData reports whether two values are the same to whoever edits a document: of one
// kind, with one tag, and equal; a map in any order. A value that cannot be worked out is
// the same as no other.
func sameData(a, b value.Value) bool {
	same, err := value.Same(a, b)
	return same && err == nil
}

// dataHash returns a number that is the same for data that is equal.
func dataHash(seed maphash.Seed, v value.Value, depth int) uint64 {
	switch {
	case depth > maxNesting:
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
