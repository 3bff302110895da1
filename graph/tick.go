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

// ReadsClock notes that the running computation reads the clock.
func (e *Eval) ReadsClock() {
	e.ticking = true
	if len(e.running) == 0 {
		e.timed = true // nothing tells what keeps the answer
	}
}

// ReadsHistory notes that something asks for what values were in earlier evaluations: then no tick is
// possible.
func (e *Eval) ReadsHistory() { e.timed = true }

// begin notes that a computation begins whose result is kept, and returns a note for end.
func (e *Eval) begin() (before bool) {
	before, e.ticking = e.ticking, false
	return before
}

// end reports whether the computation since begin has read the clock.
func (e *Eval) end(before bool) (clocked bool) {
	clocked = e.ticking
	e.ticking = clocked || before
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
