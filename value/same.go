package value

import (
	"math"
	"strings"
)

// Same reports whether two values are the same to whoever edits a document: of one kind
// (1 is not 1.0), with one tag, and equal; a map in any order.
func Same(a, b Value) (bool, error) {
	var s sameness
	return s.same(a, b, 0)
}

// Alike is [Same] but for numbers, which compare by value: 1 is like 1.0, as in a test of JSON Patch
// (RFC 6902, section 4.6).
func Alike(a, b Value) (bool, error) {
	s := sameness{numbers: true}
	return s.same(a, b, 0)
}

// Fingerprint returns a number that is the same for values that are the [Same], and by all odds another
// for others. The work is charged, and bounded, as in [EqualCharged].
func Fingerprint(v Value, charge func(steps int) error) (uint64, error) {
	c := Comparison{Charge: charge, exact: true}
	return c.Hash(v)
}

// A sameness compares values. It remembers pairs that are the same.
type sameness struct {
	known   Pairs
	numbers bool // integers and floats compare by value
}

func (s *sameness) same(a, b Value, depth int) (bool, error) {
	switch {
	case a.kind != b.kind && !(s.numbers && a.IsNumber() && b.IsNumber()):
		return false, nil
	case depth > MaxNesting:
		return false, errTooDeep
	case a.kind == MapKind || a.kind == ListKind:
		if s.known.Has(a, b) {
			return true, nil
		}
		eq, err := s.inside(a, b, depth+1)
		if eq && err == nil {
			s.known.Add(a, b)
		}
		return eq, err
	case OwnTag(a) != OwnTag(b):
		return false, nil
	case a.kind == FloatKind && math.IsNaN(a.Float()):
		return b.kind == FloatKind && math.IsNaN(b.Float()), nil
	}
	return Equal(a, b)
}

func (s *sameness) inside(a, b Value, depth int) (bool, error) {
	if a.kind == MapKind {
		return s.maps(a.Map(), b.Map(), depth)
	}
	return s.lists(a.List(), b.List(), depth)
}

func (s *sameness) maps(a, b Map, depth int) (bool, error) {
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
		if eq, err := s.same(x, y, depth); !eq || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (s *sameness) lists(a, b List, depth int) (bool, error) {
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
		if eq, err := s.same(x, y, depth); !eq || err != nil {
			return false, err
		}
	}
	return true, nil
}

// OwnTag returns the tag of a scalar, "" for none and for a tag of YAML itself, which only names
// its kind.
func OwnTag(v Value) string {
	if s := v.Source(); s != nil && !strings.HasPrefix(s.Tag, "!!") {
		return s.Tag
	}
	return ""
}
