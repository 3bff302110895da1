package graph

import (
	"github.com/yaytpl/yaytpl/value"
)

// A read is what a guard saw provisionally: the value of a cell, or only which keys
// or how many items it has.
type read struct {
	looked
	seen assumed
}

type looked struct {
	cell *Cell
	at   aspect
}

// An aspect is what was looked at of a cell.
type aspect uint8

const (
	itsValue  aspect = iota
	itsExtent        // the keys of a map, the length of a list
	presence         // whether it is there
)

// An assumed is the value that a cell is taken to have.
type assumed struct {
	val  value.Value
	lazy bool // val only tells the kind: what was seen of the contents are reads of its own
	ok   bool
	err  error // it cannot be had
}

// saw records that the guard being decided read a value that may yet change.
func (e *Eval) saw(at looked, v value.Value, ok bool) {
	for i := len(e.hidden) - 1; i >= 0; i-- {
		if h := e.hidden[i]; h.guard {
			h.reads = append(h.reads, read{at, e.snapshot(v, ok)})
			return
		}
	}
}

// look looks again.
func (at looked) look() (value.Value, bool, error) {
	switch at.at {
	case itsExtent:
		return at.cell.outline()
	case presence:
		ok, err := at.cell.present()
		return value.Bool(ok), err == nil, err
	}
	return at.cell.compute()
}

// outline returns the keys of a map or the length of a list, as data.
func (c *Cell) outline() (value.Value, bool, error) {
	f, err := c.fold()
	if err != nil {
		return value.Null, false, err
	}
	if f.kind == listShape {
		return value.Int(int64(len(f.items))), true, nil
	}
	keys, err := c.keys()
	return keyList(keys), err == nil, err
}

func keyList(keys []value.Key) value.Value {
	s := make(value.Slice, len(keys))
	for i, k := range keys {
		s[i] = k.Value()
	}
	return value.FromList(s)
}

// snapshot takes a value as it is now. Of a place that is a map or list nothing but
// that: it may well change where nobody looked.
func (e *Eval) snapshot(v value.Value, ok bool) assumed {
	if !ok {
		return assumed{}
	}
	if CellOf(v) != nil {
		return assumed{val: v, lazy: true, ok: true}
	}
	plain, err := value.Plain(v)
	if err != nil {
		return assumed{val: v, ok: true}
	}
	return assumed{val: plain, ok: true}
}

func (a assumed) equal(b assumed) bool {
	if a.ok != b.ok || (a.err == nil) != (b.err == nil) {
		return false
	}
	if a.lazy || b.lazy {
		return a.lazy && b.lazy && a.val.Kind() == b.val.Kind()
	}
	eq, err := value.Equal(a.val, b.val)
	return eq && err == nil
}

func (a assumed) text() string {
	switch {
	case a.err != nil:
		return "an error"
	case !a.ok:
		return "missing"
	}
	if a.lazy {
		return value.Article(a.val.Kind())
	}
	if masked, hidden := value.Masked(a.val); hidden {
		return masked
	}
	marks, _ := value.DeepMarks(a.val)
	s, err := value.Repr(a.val)
	if err != nil || marks != 0 || len(s) > 60 {
		return value.Article(a.val.Kind())
	}
	return s
}
