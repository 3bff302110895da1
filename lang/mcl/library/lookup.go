package library

import (
	"errors"

	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Hidden is the cause of an error that values with marks decided: what replaces the missing value has
// these marks too.
type Hidden struct{ Marks value.Marks }

// Error says nothing about the values.
func (h *Hidden) Error() string { return "decided by a value that must not be shown" }

// HiddenBy adds marks to an error that "<|>" may catch.
func HiddenBy(err error, marks value.Marks) error {
	if err == nil || marks == 0 {
		return err
	}
	d, ok := err.(*source.Diagnostic)
	if !ok {
		return err
	}
	if h, ok := errors.AsType[*Hidden](err); ok {
		marks |= h.Marks
	}
	copied := *d
	copied.Cause = &Hidden{marks}
	return &copied
}

// Fail returns an error of code runtime that values with marks decided. The arguments of the message must
// not quote them.
func Fail(at source.Span, marks value.Marks, format string, args ...any) error {
	return HiddenBy(source.Errorf(at, source.Runtime, format, args...), marks)
}

// At returns an item of a list, or the value of a key of a map.
//
// Code: runtime.
func At(x, key value.Value, at source.Span) (value.Value, error) {
	marks := x.Marks() | key.Marks()
	if x.Is(value.ListKind) {
		list := x.List()
		i, _ := key.Int()
		switch {
		case i >= 0 && i < int64(list.Len()):
			v, err := list.At(int(i))
			return v.Mark(marks), err
		case marks != 0:
			return value.Null, Fail(at, marks, "the index is outside of the list")
		case list.Len() == 1:
			return value.Null, Fail(at, 0, "the index %d is outside of the list, which has 1 item", i)
		}
		return value.Null, Fail(at, 0, "the index %d is outside of the list, which has %d items", i, list.Len())
	}
	m, ok := x.Map().(*types.Mapping)
	if !ok {
		return value.Null, source.Errorf(at, source.Internal, "a map of the language was expected")
	}
	v, ok := m.Lookup(key)
	switch {
	case ok:
		return v.Mark(marks), nil
	case marks != 0:
		return value.Null, Fail(at, marks, "the map does not have the key")
	}
	text, _ := value.Repr(key)
	return value.Null, Fail(at, 0, "the map does not have the key %s", value.Clip(text, 60))
}
