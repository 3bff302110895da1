package value

import (
	"reflect"
	"unsafe"
)

// A Visited is a set of lists and maps, by identity. A value of a few lists that hold
// each other many times has more places than anybody can visit: with a Visited each
// list is visited once. The zero Visited is empty.
type Visited struct{ seen map[any]struct{} }

// Add adds the list or map v and reports whether it is new. Those of a type whose
// values cannot be compared are always new.
func (s *Visited) Add(v Value) bool {
	id, ok := identity(v.ref)
	if !ok {
		return true
	}
	if _, seen := s.seen[id]; seen {
		return false
	}
	if s.seen == nil {
		s.seen = map[any]struct{}{}
	}
	s.seen[id] = struct{}{}
	return true
}

type sliceIdentity struct {
	first *Value
	n     int
}

func identity(ref any) (any, bool) {
	if s, ok := ref.(Slice); ok {
		return sliceIdentity{unsafe.SliceData(s), len(s)}, true
	}
	if t := reflect.TypeOf(ref); t == nil || !t.Comparable() {
		return nil, false
	}
	return ref, true
}
