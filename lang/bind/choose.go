package bind

import (
	"cmp"
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// choose checks each key: that its winner is one, and what override, final and abstract ask
// for (spec: bindings, section 5.6). Errors are in the order of text.
func (c *composer) choose() {
	effective := map[string]*Candidate{}
	for _, e := range c.table.ordered {
		if len(e.candidates) == 0 {
			continue
		}
		c.check(e)
		if w := e.winner(); w != nil && w.multi != nil {
			if first := effective[w.multi.id]; first != nil {
				c.report(source.Errorf(w.At, source.DuplicateMultibindID, "two multibinds have the ID '%s'", w.multi.id).Note(first.At, "the first one is here"))
				continue
			}
			effective[w.multi.id] = w
		}
	}
}

// order returns the position of the first candidate in the text.
func (e *entry) order() int32 { return e.firstOrder(func(*Candidate) bool { return true }) }

// noOrder is the order of an entry without candidates, and the order of data of providers.
const noOrder = int32(1<<31 - 1)

// firstOrder returns the least order of those candidates that count.
func (e *entry) firstOrder(counts func(*Candidate) bool) int32 {
	first := noOrder
	for _, n := range e.candidates {
		if counts(n) {
			first = min(first, n.order)
		}
	}
	return first
}

// winner returns the candidate that counts, nil if there is none or a tie. Of a concrete and
// an abstract one of one rank the concrete one counts.
func (e *entry) winner() *Candidate {
	top := e.top()
	if len(top) != 1 {
		return nil
	}
	return top[0]
}

// top returns the candidates of the highest rank, without plain abstract ones if there is
// another.
func (e *entry) top() []*Candidate { return topOf(e.candidates) }

// topOf is top for candidates from the highest to the lowest.
func topOf(candidates []*Candidate) []*Candidate {
	n := 0
	for n < len(candidates) && candidates[n].rank.compare(&candidates[0].rank) == 0 {
		n++
	}
	top := candidates[:n:n]
	if !slices.ContainsFunc(top, (*Candidate).merelyAbstract) {
		return top
	}
	if concrete := slices.DeleteFunc(slices.Clone(top), (*Candidate).merelyAbstract); len(concrete) > 0 {
		return concrete
	}
	return top[:1]
}

// merelyAbstract reports whether a candidate asks for another one, and is not in the way of it.
func (n *Candidate) merelyAbstract() bool { return n.Flags&(Abstract|Override) == Abstract }

// check reports what is wrong with the candidates of a key.
func (c *composer) check(e *entry) {
	top := e.top()
	if len(c.table.providers) > 0 && (len(top) > 1 || e.flags()&(Override|Abstract|Final) != 0) {
		if err := c.table.ask(e); err != nil {
			c.fail(err, top[0].At)
			return
		}
		top = e.top()
	}
	if len(top) > 1 {
		c.conflict(top)
		return
	}
	c.checkOverrides(e)
	c.checkFinal(e)
	w := top[0]
	if w.Flags&Abstract != 0 {
		d := source.Errorf(w.At, source.AbstractNotOverridden, "nothing binds %s, which is required here", described(w))
		c.report(d.DidYouMean(e.key.Name, c.table.boundNames(e.key)))
		return
	}
	c.checkConstant(e, w)
}

// flags returns the flags that any candidate has.
func (e *entry) flags() (all Flags) {
	for _, n := range e.candidates {
		all |= n.Flags
	}
	return all
}

// described names a candidate with its type: 'cellar' (String).
func described(n *Candidate) string {
	if n.Type == nil {
		return n.Key.String()
	}
	return n.Key.String() + " (" + n.Type.String() + ")"
}

// conflict reports candidates of one rank, at the one that comes later in the text.
func (c *composer) conflict(top []*Candidate) {
	sorted := slices.Clone(top)
	slices.SortFunc(sorted, func(a, b *Candidate) int { return cmp.Compare(a.order, b.order) })
	c.report(c.table.conflict(sorted[0], sorted[1]))
}

// conflict returns the error of two candidates of one rank, in the order of text.
func (t *Table) conflict(first, second *Candidate) *source.Diagnostic {
	text := ""
	if first.Set != nil && second.Set != nil && first.Set != second.Set {
		text = ", in the bindings " + first.Set.Name + " and " + second.Set.Name
	}
	return source.Errorf(second.At, source.BindingConflict, "%s is bound twice in layer \"%s\" at equal precedence%s", second.Key, t.strata[second.rank.layer].name, text).
		Note(first.At, "first bound here")
}

// checkOverrides reports bindings that must override another one and do not.
func (c *composer) checkOverrides(e *entry) {
	for _, n := range e.candidates {
		if n.Flags&Override == 0 {
			continue
		}
		if !slices.ContainsFunc(e.candidates, func(o *Candidate) bool { return o.rank.compare(&n.rank) < 0 }) {
			c.report(source.Errorf(n.At, source.OverrideMissing, "%s overrides nothing", n.Key).DidYouMean(n.Key.Name, c.table.boundNames(n.Key)))
		}
	}
}

// checkFinal reports bindings above a final one.
func (c *composer) checkFinal(e *entry) {
	for _, final := range e.candidates {
		if final.Flags&Final == 0 {
			continue
		}
		for _, n := range e.candidates {
			if n.rank.compare(&final.rank) > 0 {
				c.report(source.Errorf(n.At, source.FinalOverridden, "%s is final and cannot be overridden", n.Key).Note(final.At, "declared final here"))
			}
		}
	}
}

// checkConstant checks the type of a value that needs no evaluation.
func (c *composer) checkConstant(e *entry, w *Candidate) {
	if w.producer == nil {
		return
	}
	v, ok := w.producer.constant()
	if !ok || v.IsNull() {
		return
	}
	if err := c.table.checkTypes(e, w, v); err != nil {
		c.fail(err, w.At)
	}
}

// checkTypes checks a value of a candidate against its type, and the declared types of all
// lower candidates.
func (t *Table) checkTypes(e *entry, w *Candidate, v value.Value) error {
	if w.Type != nil {
		if err := types.Check(w.Type, v, t.config.Budget.Step); err != nil {
			return t.mismatch(err, w, w.At, w.Key.String())
		}
	}
	for _, n := range e.candidates {
		if n == w || n.Type == nil || n.rank.compare(&w.rank) > 0 {
			continue
		}
		if err := types.Check(n.Type, v, t.config.Budget.Step); err != nil {
			return t.mismatch(err, w, n.At, w.Key.String())
		}
	}
	return nil
}

// mismatch makes a diagnostic of a [types.Mismatch]: at the value, with a note at the
// declaration of the type. Other errors stay.
func (t *Table) mismatch(err error, n *Candidate, declared source.Span, name string) error {
	m := (*types.Mismatch)(nil)
	if !errors.As(err, &m) {
		return err
	}
	d := source.Errorf(n.At, source.TypeMismatch, "%s: %s", name, m)
	if declared != n.At {
		d.Note(declared, "type declared here")
	}
	return d
}

// boundNames yields the names that have a binding, for hints.
func (t *Table) boundNames(except Key) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k, e := range t.entries {
			concrete := slices.ContainsFunc(e.candidates, func(n *Candidate) bool { return n.Flags&Abstract == 0 })
			if k != except && k.Type == except.Type && concrete && !yield(k.Name) {
				return
			}
		}
	}
}
