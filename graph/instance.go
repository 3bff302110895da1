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
func (c *Cell) instance(l *layer, n *Instance) *layer {
	if r := c.recall(l); r != nil {
		return r.layer
	}
	frame := &Frame{up: l.frame}
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
	return x
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
	c := a.cell.kid(value.K(name), false)
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
