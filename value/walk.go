package value

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Plain returns v with every list and map in it worked out: the result is
// independent of where v came from.
func Plain(v Value) (Value, error) { return plain(v, 0) }

func plain(v Value, depth int) (Value, error) {
	if depth > maxDepth {
		return Null, errTooDeep
	}
	switch v.kind {
	case ListKind:
		items := make(Slice, 0, v.List().Len())
		for item, err := range Items(v.List()) {
			if err == nil {
				item, err = plain(item, depth+1)
			}
			if err != nil {
				return Null, err
			}
			items = append(items, item)
		}
		return v.with(FromList(items)), nil
	case MapKind:
		m := NewMap(v.Map().Len())
		for k := range v.Map().Keys() {
			item, ok, err := v.Map().Get(k)
			if err == nil && ok {
				item, err = plain(item, depth+1)
			}
			if err != nil {
				return Null, err
			}
			if ok {
				m.Set(k, item)
			}
		}
		return v.with(FromMap(m)), nil
	}
	return v, nil
}

// with returns w with the marks of v.
func (v Value) with(w Value) Value {
	w.marks, w.lit = v.marks, v.lit
	return w
}

// DeepMarks returns the marks of v and of everything in it. A list or map that is
// reached on several ways is looked at once. The error is that of an item that
// cannot be computed, or of nesting without end.
func DeepMarks(v Value) (Marks, error) {
	w := markWalk{}
	err := w.visit(v, 0)
	return w.found, err
}

const allMarks = Sensitive | Secret

type markWalk struct {
	found   Marks
	visited Visited
}

func (w *markWalk) visit(v Value, depth int) error {
	w.found |= v.marks
	if w.found == allMarks || v.kind != ListKind && v.kind != MapKind {
		return nil
	}
	if depth > maxDepth {
		return errTooDeep
	}
	if !w.visited.Add(v) {
		return nil
	}
	if v.kind == ListKind {
		return w.visitList(v.List(), depth)
	}
	return w.visitMap(v.Map(), depth)
}

func (w *markWalk) visitList(l List, depth int) error {
	for item, err := range Items(l) {
		if err != nil {
			return err
		}
		if err := w.visit(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *markWalk) visitMap(m Map, depth int) error {
	for k := range m.Keys() {
		item, _, err := m.Get(k)
		if err != nil {
			return err
		}
		if err := w.visit(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

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

const (
	maxResult = 64 << 20 // bytes of one text or list made by an operator
	maxBits   = 1 << 20  // of one integer
	itemSize  = int(unsafe.Sizeof(Value{}))
)

// maxDepth bounds the nesting of values that are visited, so that a value that contains
// itself ends in an error.
const maxDepth = 10_000

var errTooDeep = endlessError(fmt.Sprintf("value is nested more than %d deep", maxDepth))

// An endlessError says that to visit a value would take too long.
type endlessError string

// Error says what would take too long.
func (e endlessError) Error() string { return string(e) }

// ErrorCode is the kind that whoever knows the place gives the error.
func (e endlessError) ErrorCode() string { return "limit" }

// A LimitError says that a result would be too big to make.
type LimitError struct {
	What string // what would be too big, such as "text"
	Max  int    // in bytes
}

// Error names the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s would exceed the limit of %d bytes", e.What, e.Max)
}
