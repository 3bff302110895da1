package graph

import (
	"context"
	"errors"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A guardAt is a guard on a cell: the same node may guard several places.
type guardAt struct {
	guard *Guard
	cell  *Cell
	frame *Frame
}

// A choice is what a guard picked, with what it saw while some guard (itself, or
// one further out) was still hidden: that must hold in the finished graph before
// anybody may rely on the choice.
type choice struct {
	layer *layer
	node  Node
	reads []read
	err   error
}

// A read is a value that a guard saw provisionally.
type read struct {
	cell *Cell
	seen assumed
}

// An assumed is the value that a cell is taken to have.
type assumed struct {
	val value.Value
	ok  bool
	err error // it cannot be had
}

// decide returns the node that a guard contributes on c, nil for none.
func (c *Cell) decide(l *layer, g *Guard) (Node, error) {
	e := c.eval
	at := guardAt{g, c, l.frame}
	if e.choices[at] != nil {
		return e.chosen(at)
	}
	if e.meets(g, c) {
		return nil, nil
	}
	ch := c.choose(l, g)
	if ch.err != nil && (len(ch.reads) == 0 || stops(ch.err)) {
		return nil, ch.err
	}
	e.choices[at] = ch
	if len(ch.reads) > 0 {
		e.tentative = append(e.tentative, at)
	}
	if len(e.hidden) == 0 && len(e.tentative) > 0 && !e.settling {
		if err := e.settle(); err != nil {
			return nil, err
		}
	}
	return e.chosen(at)
}

// chosen returns a choice that was made. As long as it is tentative, so is all that
// follows from it; and a condition that fails contributes nothing until then,
// because what it lacks may be there in the end.
func (e *Eval) chosen(at guardAt) (Node, error) {
	ch := e.choices[at]
	if len(ch.reads) == 0 {
		return ch.node, ch.err
	}
	if len(e.hidden) > 0 {
		e.low = min(e.low, 0)
	}
	return ch.node, nil
}

// stops reports whether an error ends the evaluation, whatever guards decide.
func stops(err error) bool {
	return errors.Is(err, source.ErrLimit) || errors.Is(err, context.Canceled)
}

// choose asks a guard with the guard itself hidden.
func (c *Cell) choose(l *layer, g *Guard) *choice {
	h := &hidden{node: g, cell: c, guard: true}
	var n Node
	_, err := c.eval.hide(h, func() error {
		p := &Place{Cell: c, Origin: l.origin, Frame: l.frame, At: g.At, Inside: true}
		v, err := c.run(g.On, p)
		if err == nil {
			n, err = g.Pick(p, v)
		}
		return err
	})
	return &choice{layer: l, node: n, reads: h.reads, err: err}
}

// saw records that the guard being decided read a value that may yet change.
func (e *Eval) saw(c *Cell, v value.Value, ok bool) {
	for i := len(e.hidden) - 1; i >= 0; i-- {
		if h := e.hidden[i]; h.guard {
			h.reads = append(h.reads, read{c, e.snapshot(v, ok)})
			return
		}
	}
}

// snapshot takes a value as it is now: lists and maps are looked at again later,
// when other layers may be hidden.
func (e *Eval) snapshot(v value.Value, ok bool) assumed {
	if !ok {
		return assumed{}
	}
	plain, err := value.Plain(v)
	if err != nil {
		return assumed{val: v, ok: true}
	}
	return assumed{val: plain, ok: true}
}

// settle confirms every tentative choice against the finished graph, and chooses
// again where another guard's choice changed what was seen. Choices that do not
// come to rest are a paradox.
func (e *Eval) settle() error {
	e.settling = true
	defer func() { e.settling = false }()
	for range min(len(e.tentative)+1, e.limits.Rounds) {
		bad, seen, now, err := e.unconfirmed()
		if err != nil {
			return e.giveUp(err)
		}
		if bad == nil {
			e.commit()
			return nil
		}
		old := e.choices[*bad]
		delete(e.choices, *bad)
		ch := bad.cell.choose(old.layer, bad.guard)
		if ch.err != nil && stops(ch.err) {
			return e.giveUp(ch.err)
		}
		e.choices[*bad] = ch
		if sameReads(old.reads, ch.reads) {
			return e.giveUp(paradox(*bad, seen, now))
		}
	}
	return e.giveUp(source.Errorf(e.tentative[0].guard.At, source.Paradox, "conditions that depend on each other do not come to rest"))
}

func (e *Eval) commit() {
	for _, at := range e.tentative {
		for _, r := range e.choices[at].reads {
			if r.cell.state == unknown {
				r.cell.val, r.cell.ok, r.cell.state = r.seen.val, r.seen.ok, done
			}
		}
		e.choices[at].reads = nil
	}
	e.tentative = nil
}

func (e *Eval) giveUp(err error) error {
	for _, at := range e.tentative {
		e.choices[at] = &choice{err: err}
	}
	e.tentative = nil
	return err
}

// unconfirmed looks for a read that does not hold when all other reads do: what
// the guards saw must be a fixed point.
func (e *Eval) unconfirmed() (*guardAt, read, assumed, error) {
	clear(e.assume)
	defer clear(e.assume)
	for _, at := range e.tentative {
		for _, r := range e.choices[at].reads {
			e.assume[r.cell] = r.seen
		}
	}
	checked := map[*Cell]assumed{}
	for _, at := range e.tentative {
		for _, r := range e.choices[at].reads {
			now, ok := checked[r.cell]
			if !ok {
				v, here, err := r.cell.compute()
				if err != nil && stops(err) {
					return nil, r, now, err
				}
				now = e.snapshot(v, here)
				now.err = err
				checked[r.cell] = now
			}
			if !now.equal(r.seen) {
				bad := at
				return &bad, r, now, nil
			}
		}
	}
	return nil, read{}, assumed{}, nil
}

func (a assumed) equal(b assumed) bool {
	if a.ok != b.ok || (a.err == nil) != (b.err == nil) {
		return false
	}
	eq, err := value.Equal(a.val, b.val)
	return eq && err == nil
}

func sameReads(a, b []read) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].cell != b[i].cell || !a[i].seen.equal(b[i].seen) {
			return false
		}
	}
	return true
}

func paradox(at guardAt, r read, now assumed) error {
	return source.Errorf(at.guard.At, source.Paradox, "this %s decides %s by a value that it changes itself: %s was %s and became %s",
		at.guard.label(), at.cell.Path(), r.cell.Path(), r.seen.text(), now.text())
}

func (g *Guard) label() string {
	if g.Label == "" {
		return "condition"
	}
	return g.Label
}

func (a assumed) text() string {
	switch {
	case a.err != nil:
		return "an error"
	case !a.ok:
		return "missing"
	}
	if a.val.Marks() != 0 {
		return "*****"
	}
	s, err := value.Repr(a.val)
	if err != nil || len(s) > 60 {
		return value.Article(a.val.Kind())
	}
	return s
}
