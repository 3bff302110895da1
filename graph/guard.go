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
	on    value.Value // what the condition came to
	node  Node        // what it picked
	reads []read
	err   error
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
	ch := &choice{layer: l}
	_, ch.err = c.eval.hide(h, func() (err error) {
		ch.on, ch.node, err = c.ask(l, g)
		return err
	})
	ch.reads = h.reads
	return ch
}

func (c *Cell) ask(l *layer, g *Guard) (value.Value, Node, error) {
	p := &Place{Cell: c, Origin: l.origin, Frame: l.frame, At: g.At, Inside: !g.Item}
	v, err := c.run(g.On, p)
	if err != nil {
		return v, nil, err
	}
	n, err := g.Pick(p, v)
	return v, n, err
}

// stands reports whether a guard that saw something else than what is there now
// would pick the same again. Then only its reads have to be brought up to date.
func (at guardAt) stands(ch *choice) bool {
	v, n, err := at.cell.ask(ch.layer, at.guard)
	if err != nil || ch.err != nil {
		return false
	}
	if n != ch.node && !sameName(v, n, ch) {
		return false
	}
	for i := range ch.reads {
		r := &ch.reads[i]
		v, ok, err := r.look()
		if err != nil {
			return false
		}
		r.seen = at.cell.eval.snapshot(v, ok)
	}
	return true
}

// sameName reports whether a guard that makes a node for a name, as an include does,
// would make the same node.
func sameName(v value.Value, n Node, ch *choice) bool {
	if n == nil || ch.node == nil || !v.IsScalar() || !ch.on.IsScalar() {
		return false
	}
	eq, err := value.Equal(v, ch.on)
	return eq && err == nil
}

func (g *Guard) label() string {
	if g.Label == "" {
		return "condition"
	}
	return g.Label
}
