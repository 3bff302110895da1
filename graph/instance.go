package graph

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Definition is a Define with where it was written. Names in its body mean what
// they mean where it is used.
type Definition struct {
	Kind string
	At   source.Span

	body   Node
	origin *Origin
}

// Identity returns what is the same for equal definitions, and comparable.
func (d *Definition) Identity() any {
	return struct {
		body   Node
		origin *Origin
	}{d.body, d.origin}
}

// definition returns the value of a name that a Define lies on: a function that
// only the language can call.
func (c *Cell) definition(l *layer, n *Define) value.Value {
	d := &Definition{Kind: n.Kind, At: n.At, body: n.Body, origin: l.origin}
	return value.FromFunc(&value.Func{Name: c.key.Text, Definition: d})
}

// instance returns the layers of an Instance on c.
func (c *Cell) instance(l *layer, n *Instance) (*layer, error) {
	if r := c.recall(l); r != nil {
		return r.layer, nil
	}
	if err := c.eval.nested(l, n); err != nil {
		return nil, err
	}
	if err := c.eval.Step(instanceSteps); err != nil {
		return nil, err
	}
	frame := &Frame{up: l.frame, use: n}
	if n.Self != "" {
		frame.name, frame.val = n.Self, c.AsMap()
	} else {
		frame.more = c.arguments(l, n)
	}
	x := &layer{node: n.Def.body, origin: n.Def.origin, frame: frame, up: l}
	if n.Given != nil {
		g := &group{members: []*layer{l.under(n.Given), x}, rule: n.Rule, sealed: true}
		x = &layer{group: g, origin: l.origin, frame: l.frame, up: l}
	}
	c.learn(l, x, nil)
	return x, nil
}

// instanceSteps is what an instance counts for: what it takes to make one.
const instanceSteps = 200

// nested returns an error if n stands in too many other instances: they may go on
// without end, one in the other, as far as anybody looks.
func (e *Eval) nested(l *layer, n *Instance) error {
	depth := 0
	for f := l.frame; f != nil; f = f.up {
		if f.isInstance(n.Self) {
			depth++
		}
	}
	if depth < e.limits.Includes {
		return nil
	}
	d := source.Errorf(n.At, source.Limit, "each %s stands in another, more than %d deep", n.Def.Kind, e.limits.Includes)
	d.Includes = l.origin.Includes()
	return d.WithHint("a condition in it would have to end that")
}

// isInstance reports whether a frame is that of an Instance.
func (f *Frame) isInstance(self string) bool {
	if f.more == nil {
		return self != "" && f.name == self
	}
	_, args := f.more.(arguments)
	return args
}

// argumentsKey is that of the cell whose entries are the arguments of an Instance. No
// name is written so.
var argumentsKey = value.K("call ")

// arguments are the names of an Instance: the keys of a map.
type arguments struct{ cell *Cell }

func (c *Cell) arguments(l *layer, n *Instance) arguments {
	a := &Cell{eval: c.eval, up: c, key: argumentsKey, bound: bound, hasLayer: true}
	if n.Args != nil {
		a.layer = l.under(n.Args)
	}
	return arguments{a}
}

// Bind returns a cell that is not part of the configuration, with a node as if it
// stood at p.
func (p *Place) Bind(name string, n Node) *Cell {
	l := &layer{node: n, origin: p.Origin, frame: p.Frame}
	return &Cell{eval: p.Cell.eval, up: p.Cell, key: value.K(name), bound: bound, layer: l, hasLayer: true}
}

func (a arguments) lookup(name string) (*Cell, error) {
	c := a.cell.kid(value.K(name))
	ok, err := c.present()
	if !ok || err != nil {
		return nil, err
	}
	return c, nil
}

func (a arguments) each(string, func(*Cell) error) error { return nil }

func (a arguments) known() []string { return a.cell.TextKeys() }

// Value returns the value of an instance that is part of an expression at p.
func (n *Instance) Value(p *Place) (value.Value, bool, error) {
	c := &Cell{eval: p.Cell.eval, up: p.Cell.up, key: p.Cell.key, item: p.Cell.item, bound: p.Cell.bound, hasLayer: true}
	if p.Inside {
		c.up, c.key, c.item, c.bound = p.Cell, value.K(n.Def.Kind), false, boundInMap
	}
	c.layer = &layer{node: n, origin: p.Origin, frame: p.Frame}
	return c.Value()
}
