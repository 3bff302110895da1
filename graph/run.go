package graph

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A run is a computation under way. A cell may be computed once more in another view.
type run struct {
	cell *Cell
	view int
	soft bool
	at   source.Span
}

// view tells apart what a computation sees: how many layers are hidden, and whether
// choices are being confirmed, which may begin while a value is worked out that they
// were made for.
func (e *Eval) view() int {
	if e.settling {
		return -1 - len(e.hidden)
	}
	return len(e.hidden)
}

// run evaluates a thunk on c. A thunk that needs itself is a cycle; one that gets
// there through expression objects only sees null (spec: expressions, section 4).
func (c *Cell) run(t Thunk, p *Place) (value.Value, error) {
	e := c.eval
	if i := e.runOf(c); i >= 0 {
		return e.reentered(i, t)
	}
	if err := e.Enter(); err != nil {
		return value.Null, at(err, p)
	}
	defer e.Leave()
	c.busy++
	e.running = append(e.running, run{c, e.view(), t.Soft(), p.At})
	v, err := t.Eval(p)
	e.running = e.running[:len(e.running)-1]
	c.busy--
	return v, at(err, p)
}

// runOf returns which of the computations under way is that of c in the same
// view, -1 for none.
func (e *Eval) runOf(c *Cell) int {
	if c.busy == 0 {
		return -1
	}
	view := e.view()
	for i := len(e.running) - 1; i >= 0; i-- {
		if r := &e.running[i]; r.cell == c && r.view == view {
			return i
		}
	}
	return -1
}

// at gives an error without a place the place of the value being computed.
func at(err error, p *Place) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || !d.At.IsZero() {
		return err
	}
	placed := *d
	placed.At = p.At
	placed.Includes = p.Origin.Includes()
	return &placed
}

func (e *Eval) reentered(i int, t Thunk) (value.Value, error) {
	steps := fromFirst(e.running[i:])
	soft := t.Soft()
	for _, r := range steps {
		soft = soft && r.soft
	}
	d := source.Errorf(steps[0].at, source.Cycle, "%s needs its own value%s", steps[0].cell.label(), chainOf(steps))
	for j, r := range steps {
		next := steps[(j+1)%len(steps)]
		d.Note(r.at, "%s needs %s", r.cell.Name(), next.cell.Name())
		if len(d.Notes) == maxIncludeNotes {
			break
		}
	}
	if !soft || e.strictCycles {
		return value.Null, d
	}
	e.lowRun = min(e.lowRun, i)
	for _, r := range steps {
		r.cell.cyclic = true
	}
	d.Severity = source.Warning
	d.Message += ", which is null there"
	e.Warn(d)
	return value.Null, nil
}

// fromFirst turns a cycle so that it begins with what comes first in the source:
// seen from any of its members it is the same.
func fromFirst(cycle []run) []run {
	first := 0
	for i, r := range cycle {
		f := cycle[first]
		if r.at.File == f.at.File && r.at.Start < f.at.Start {
			first = i
		}
	}
	return append(append([]run{}, cycle[first:]...), cycle[:first]...)
}

// chainOf names the steps of a cycle with their places, as far as a line holds.
func chainOf(steps []run) string {
	if len(steps) == 1 {
		return ""
	}
	var b strings.Builder
	b.WriteString(":")
	for i, r := range steps {
		if i == maxChain {
			b.WriteString(" ...")
			break
		}
		fmt.Fprintf(&b, " %s (%s) needs", r.cell.Name(), r.at)
	}
	fmt.Fprintf(&b, " %s", steps[0].cell.Name())
	return b.String()
}

const maxChain = 6
