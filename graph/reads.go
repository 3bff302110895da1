package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// # What guards read
//
// While a guard is decided, other guards may not be at rest: what it reads is provisional. Each such value is kept with
// the choice as a read, and asked again when the graph is finished. In
//
//	if a.port == 80:
//	  b: 1
//
// the reads are the cell of a, of which only the kind is kept, and the cell of a.port, of which the value is.

// A read is a provisional value that a guard read.
type read struct {
	probe
	seen snapshot
}

// A probe is a question about a cell: for its value, its keys or length, its presence.
type probe struct {
	cell *Cell
	at   aspect
}

// An aspect is the part of a cell that a probe asks for.
type aspect uint8

const (
	itsValue  aspect = iota
	itsExtent        // the keys of a map, the length of a list
	presence         // whether the place has a value
)

// A snapshot is the answer to a probe at one time.
type snapshot struct {
	val  value.Value
	lazy bool // val is a map or list of which only the kind counts: its contents are reads of their own
	ok   bool
	err  error // the answer is an error
}

// saw records a provisional value as a read of the innermost guard being decided.
func (e *Eval) saw(at probe, v value.Value, ok bool) {
	for i := len(e.hidden) - 1; i >= 0; i-- {
		if h := e.hidden[i]; h.guard {
			h.reads = append(h.reads, read{at, snapshotOf(v, ok)})
			return
		}
	}
}

// look asks again.
func (at probe) look() (value.Value, bool, error) {
	switch at.at {
	case itsExtent:
		f, err := at.cell.fold()
		if err != nil {
			return value.Null, false, err
		}
		if f.kind == listShape {
			return value.Int(int64(len(f.items))), true, nil
		}
		keys, err := at.cell.keys()
		return keyList(keys), err == nil, err
	case presence:
		ok, err := at.cell.present()
		return value.Bool(ok), err == nil, err
	}
	return at.cell.compute()
}

// keyList returns keys as a list.
func keyList(keys []value.Key) value.Value {
	s := make(value.Slice, len(keys))
	for i, k := range keys {
		s[i] = k.Value()
	}
	return value.FromList(s)
}

// snapshotOf returns a snapshot of a value. Of a map or list with anything that is evaluated on demand it keeps only
// the kind: the rest may change without a guard reading it, what a guard reads of it is a read of its own, and evaluating
// all of it may need v again, without end.
func snapshotOf(v value.Value, ok bool) snapshot {
	if !ok {
		return snapshot{}
	}
	most := mostStored
	return snapshot{val: v, lazy: !isStored(v, &most), ok: true}
}

// mostStored is the most values of a list or map of which a snapshot keeps more than the kind.
const mostStored = 1000

// isStored reports whether nothing in v is evaluated on demand. It gives up after most values.
func isStored(v value.Value, most *int) bool {
	if *most--; *most <= 0 {
		return false
	}
	switch v.Kind() {
	case value.ListKind:
		l, ok := v.List().(value.Slice)
		return ok && !slices.ContainsFunc(l, func(x value.Value) bool { return !isStored(x, most) })
	case value.MapKind:
		d, ok := v.Map().(*value.Dict)
		if !ok {
			return false
		}
		for k := range d.Keys() {
			if x, _, _ := d.Get(k); !isStored(x, most) { // data cannot fail
				return false
			}
		}
	}
	return true
}

// equal reports whether two answers are the same.
func (a snapshot) equal(b snapshot) bool {
	if a.ok != b.ok || (a.err == nil) != (b.err == nil) {
		return false
	}
	if a.lazy || b.lazy {
		return a.lazy && b.lazy && a.val.Kind() == b.val.Kind()
	}
	eq, err := value.Equal(a.val, b.val)
	return eq && err == nil
}

// text describes the answer in messages.
func (a snapshot) text() string {
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
