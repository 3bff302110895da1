package graph

import "github.com/yaytpl/yaytpl/value"

// # Values without cells
//
// A cell keeps what is found about a place, so that it can be asked again, and explained. The result of a call in an
// expression is on a cell too, but as a rule the expression reads one key of it, and the place is never named:
//
//	cost: {{ price(of=item).total * 2 }}
//
// A language may therefore compute such a value by itself, from the node of the key: it bypasses the cells. It must find
// the same value, and give up wherever it cannot. It reports no errors: the cells are asked then, and their
// errors have the places on the way.
//
// Nothing may be bypassed where cells know more than the nodes say: while layers are hidden or choices confirmed,
// values are provisional; somebody may listen to reads; a secret condition, a rule for private keys or a value
// that may be absent may change what is at a place.

// BeginBypass begins to compute a value without cells. It returns false if that is not possible now. Otherwise
// the caller must call EndBypass.
func (e *Eval) BeginBypass() bool {
	if !e.mayBypass() || e.lazily || e.private || e.omits || len(e.hidden) > 0 || len(e.assume) > 0 || e.observer != nil {
		return false
	}
	e.ahead++
	return true
}

// mayBypass reports whether the values that were read are final, and do not depend on the reader.
func (e *Eval) mayBypass() bool { return e.isQuiet() && e.Settled() }

// EndBypass ends a computation that BeginBypass began. It reports whether the value counts, if err is nil.
func (e *Eval) EndBypass(err error) bool {
	e.lazily = e.lazily || err != nil && len(e.cyclic) > 0 // the error may have hidden the error of a cycle
	e.endAhead(err)
	return err == nil && e.mayBypass()
}

// HasNamesOf reports whether names in the definition mean what they mean at p: they do, unless a file
// of another language includes the one or the other, because its keys are names too.
func (d *Definition) HasNamesOf(p *Context) bool {
	return d.origin == p.Origin || !d.origin.isForeign() && !p.Origin.isForeign()
}

// isForeign reports whether a document is included by one of another language.
func (o *Origin) isForeign() bool { return o.Outer != nil && o.Outer.Doc.Lang != o.Doc.Lang }

// PlainEntry returns the node of a key if the definition is a map without directives and names, and the node is a
// Computed or a Scalar. Otherwise it is nil.
func (d *Definition) PlainEntry(k value.Key) Node {
	m, ok := d.body.(*Map)
	if !ok || !isPlain(m) || m.Form || m.Lists != nil || m.Private != nil {
		return nil
	}
	i, ok := m.Find(k)
	if !ok {
		return nil
	}
	switch n := m.Entries[i].Node.(type) {
	case *Scalar:
		if !n.Final {
			return n
		}
	case *Computed:
		return n
	}
	return nil
}

// Calls returns the number of calls of macros around a frame.
func (f *Frame) Calls() int { return int(f.around().calls) }
