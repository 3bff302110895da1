package graph

import (
	"context"

	"github.com/yaytpl/yaytpl/value"
)

// # Values of the clock
//
// An evaluation can be asked again at another time without being made again, if all that depends on the
// clock are values of computed cells: a tick forgets these values and nothing else.
//
//	$now = datetime.now()          reads the clock: forgotten
//	$text = "at ${now}"            reads $now: forgotten
//	file "/etc/motd" {
//	        content => $text,      reads $text: forgotten
//	        mode => "0644",        kept
//	}
//
// Eval.ticking says that the running computation has read the clock, directly or by other values. It is
// false at the beginning of each computation that keeps its result, and what it is at the end belongs to
// the result. The results that are no values, such as folds, keys and the choices of guards, are
// not forgotten: after one that depends on the clock the whole evaluation has to be made again (Eval.timed).

// The clock part tells what depends on the time. ticking is false at the beginning of a computation whose result is kept, and
// belongs to the result at its end. Once timed is true, no tick is possible.
type clock struct {
	ticking bool    // the running computation has read the clock
	clocked []*Cell // the cells whose values depend on it
	timed   bool    // results depend on it that no tick forgets
}

// ReadsClock notes that the running computation reads the clock.
func (e *Eval) ReadsClock() {
	e.ticking = true
	if len(e.running) == 0 {
		e.timed = true // nothing tells what keeps the answer
	}
}

// ReadsHistory notes that something asks for what values were in earlier evaluations: then no tick is
// possible.
func (t *clock) ReadsHistory() { t.timed = true }

// begin notes that a computation begins whose result is kept, and returns a note for end.
func (t *clock) begin() (before bool) {
	before, t.ticking = t.ticking, false
	return before
}

// end reports whether the computation since begin has read the clock.
func (t *clock) end(before bool) (clocked bool) {
	clocked = t.ticking
	t.ticking = clocked || before
	return clocked
}

// Lasting implements [value.Lasting].
func (m *lazyMap) Lasting() (of any, before bool) {
	if p := m.cell().plain(); p != nil && m.cell().eval.isQuiet() {
		return p, false
	}
	return m.cell().lasting()
}

// Lasting implements [value.Lasting].
func (l *lazyList) Lasting() (of any, before bool) {
	if s := l.cell().plainList(); s != nil && l.cell().eval.isQuiet() {
		return s, false
	}
	return l.cell().lasting()
}

// lasting identifies a list or map that is not constant by its cell, in an evaluation that is asked again;
// not where a secret decides what is read.
func (c *Cell) lasting() (of any, before bool) {
	if !c.eval.Ticks || !c.eval.isQuiet() {
		return nil, false
	}
	return c, c.eval.begin()
}

// Holds implements [value.Lasting].
func (m *lazyMap) Holds(before bool) bool { return m.cell().plain() != nil || m.cell().holds(before) }

// Holds implements [value.Lasting].
func (l *lazyList) Holds(before bool) bool {
	return l.cell().plainList() != nil || l.cell().holds(before)
}

// holds reports whether nothing has read the clock since lasting.
func (c *Cell) holds(before bool) bool { return !c.eval.end(before) }

// Tick forgets all values that depend on the clock, for questions with another context. It returns false,
// and the evaluation must not be used any more, if other results depend on it.
func (e *Eval) Tick(ctx context.Context) bool {
	if !e.Ticks || e.timed || len(e.tentative) > 0 || len(e.running) > 0 {
		return false
	}
	e.ctx = ctx
	for _, c := range e.clocked {
		c.hasVal, c.val, c.ok, c.clocked, c.cyclic, c.hasThunk = false, value.Null, false, false, false, false
		c.shape, c.kids, c.more = nil, nil, nil
	}
	e.clocked, e.ticking, e.frames = nil, false, nil
	return true
}
