package yaytpl

import (
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// force evaluates everything in v. The error holds all failures that do not depend on
// each other.
func force(v value.Value, e *graph.Eval) error {
	f := forcing{eval: e, seen: map[string]bool{}, open: map[*graph.Cell]bool{}}
	f.value(v)
	if len(f.errs) == 0 {
		return nil
	}
	return source.OneOrMany(source.CutOff(f.errs))
}

// A forcing evaluates a value and collects what fails.
type forcing struct {
	eval *graph.Eval
	errs []*source.Diagnostic
	seen map[string]bool
	open map[*graph.Cell]bool // the maps and lists around what is evaluated
}

func (f *forcing) value(v value.Value) {
	if f.full() {
		return
	}
	if err := f.eval.Enter(); err != nil {
		f.fail(err)
		return
	}
	defer f.eval.Leave()
	if c := graph.CellOf(v); c != nil {
		if f.open[c] {
			f.fail(c.Contained())
			return
		}
		f.open[c] = true
		defer delete(f.open, c)
	}
	switch v.Kind() {
	case value.ListKind:
		f.list(v)
	case value.MapKind:
		m := v.Map()
		for _, k := range allKeys(v) {
			item, _, err := m.Get(k)
			if f.item(item, err); f.full() {
				break
			}
		}
	}
}

func (f *forcing) list(v value.Value) {
	l, cell := v.List(), graph.CellOf(v)
	for i := 0; i < l.Len() && !f.full(); i++ {
		f.item(l.At(i))
		if cell == nil || len(f.errs) > 0 {
			continue
		}
		if err := cell.Compact(i); err != nil {
			f.fail(err)
		}
	}
}

// allKeys returns the keys of a map. If they cannot be known because of an error,
// those are included whose presence cannot be told, so that one failure hides
// neither the others nor the rest.
func allKeys(m value.Value) []value.Key {
	keys := slices.Collect(m.Map().Keys())
	if len(keys) == 1 && keys[0] == value.UnknownKey {
		if c := graph.CellOf(m); c != nil {
			if all, err := c.AllKeys(); err == nil {
				return all
			}
		}
	}
	return keys
}

// full reports whether there are so many errors that more would be of no use.
func (f *forcing) full() bool { return len(f.errs) >= source.MaxErrors }

func (f *forcing) item(v value.Value, err error) {
	if err != nil {
		f.fail(err)
		return
	}
	f.value(v)
}

func (f *forcing) fail(err error) {
	for _, d := range source.Findings(err) {
		if !f.seen[d.Error()] {
			f.seen[d.Error()] = true
			f.errs = append(f.errs, d)
		}
	}
}
