package graph

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Definition is a Define with its origin. Names in its body are resolved where it is
// used, not where it is written.
type Definition struct {
	Kind string
	At   source.Span

	body   Node
	origin *Origin
}

// definitionOf returns the definition that a value is, or nil.
func definitionOf(v value.Value) *Definition {
	if f := v.Func(); f != nil {
		def, _ := f.Definition.(*Definition)
		return def
	}
	return nil
}

// Identity returns a comparable value that is equal for equal definitions.
func (d *Definition) Identity() any {
	return struct {
		body   Node
		origin *Origin
	}{d.body, d.origin}
}

// instance returns the layers of an Instance on c: the body of its definition with the
// arguments bound, below the layer that was given.
func (c *Cell) instance(l *layer, n *Instance) (*layer, error) {
	if r := c.recall(l); r != nil {
		return r.layer, nil
	}
	x, err := c.newInstance(l, n)
	if err == nil {
		c.learn(l, x, nil)
	}
	return x, err
}

// newInstance is instance for a caller that caches the result.
func (c *Cell) newInstance(l *layer, n *Instance) (*layer, error) {
	if err := c.eval.enterInstance(l, n); err != nil {
		return nil, err
	}
	if n.Self != "" {
		return new(constructed).body(c, l, n), nil
	}
	return new(called).body(c, l, n), nil
}

// expandPicked expands the layer that a guard picked. The caller caches the result for the guard.
func (c *Cell) expandPicked(l *layer) (*layer, error) {
	if n, ok := l.node.(*Instance); ok {
		return c.newInstance(l, n)
	}
	return c.expand(l)
}

// isOneGuard reports whether s is a guard over an empty value that counts only if the guard contributes nothing, as a
// block is that has one directive.
func (s *Stack) isOneGuard() bool {
	if len(s.Layers) != 2 || s.Rule.appendLists {
		return false
	}
	m, ok := s.Layers[0].(*Map)
	if !ok || !m.Weak {
		return false
	}
	_, ok = s.Layers[1].(*Guard)
	return ok
}

// foldOneGuard is foldGroup for such a stack, without making the group.
func (c *Cell) foldOneGuard(l *layer, s *Stack) (foldResult, error) {
	if err := c.eval.Step(stepsOfDirective); err != nil {
		return foldResult{}, err
	}
	f, err := c.foldLayer(l.under(s.Layers[1]))
	if err != nil {
		return f, err
	}
	if f.kind == absentShape || f.weak {
		return c.foldLayer(l.under(s.Layers[0]))
	}
	j := join{cell: c, rule: s.Rule}
	if j.hides(f) {
		return f.seal(), nil
	}
	return j.over(f, foldResult{})
}

// An instanceOfMaps is all that a block with one directive needs on a cell to be an instance of a definition that is a
// plain map, with or without a plain map that is given. One allocation for all of it is faster, as for a call.
type instanceOfMaps struct {
	constructed
	guard, own layer // of the directive and of the Instance
	shape      foldResult
	memo       cellMemo
	found      [1]expansion
}

// foldInstance is fold for such a block, if the definition is known without a choice. Otherwise the result is nil.
func (c *Cell) foldInstance() (*foldResult, error) {
	l := c.layer
	if l == nil || l.group != nil {
		return nil, nil
	}
	s, ok := l.node.(*Stack)
	if !ok || !s.isOneGuard() {
		return nil, nil
	}
	g := s.Layers[1].(*Guard)
	v, ok := c.named(l, g)
	if !ok {
		return nil, nil
	}
	picked, err := c.pick(l, g, v)
	n, ok := picked.(*Instance)
	if err != nil || !ok || n.Self == "" || !isPlain(n.Def.body) || n.Given != nil && !isPlain(n.Given) {
		return nil, nil
	}
	if err := c.eval.enterInstance(l, n); err != nil {
		return nil, err
	}
	m := &instanceOfMaps{}
	m.guard = layer{node: g, origin: l.origin, frame: l.frame, up: l}
	m.own = layer{node: n, origin: l.origin, frame: l.frame, up: &m.guard}
	x := m.body(c, &m.own, n)
	m.shape = foldResult{kind: mapShape, top: x, maps: m.members[1:]}
	if n.Given != nil {
		m.shape.top, m.shape.maps = &m.given, m.members[:]
	}
	m.members[1] = &m.layer
	if c.more == nil {
		c.more, m.memo.found = &m.memo, m.found[:0]
	}
	c.learn(&m.guard, x, nil)
	c.shape = &m.shape
	return c.shape, c.eval.Step(stepsOfDirective)
}

// isPlain reports whether a node is a map that joins others, and has no other effect.
func isPlain(n Node) bool {
	m, ok := n.(*Map)
	return ok && m.Strategy == DefaultStrategy && !m.Weak
}

// A bodyOf is the body of a definition where it is used, with the names around it.
type bodyOf struct {
	frame Frame
	layer layer
}

// of returns the layer of the body of n. l is the layer of n.
func (b *bodyOf) of(l *layer, n *Instance) *layer {
	b.frame = Frame{up: l.frame, use: n, instances: l.frame.around()}
	b.frame.instances.add(n)
	b.layer = layer{node: n.Def.body, origin: n.Def.origin, frame: &b.frame, up: l}
	return &b.layer
}

// A called is what an Instance with arguments needs. One allocation for all of it is faster, and calls of
// macros are frequent.
type called struct {
	bodyOf
	args  Cell
	given layer // of the arguments
}

// body returns the layer of the body of n, with its arguments bound. l is the layer of n on c.
func (m *called) body(c *Cell, l *layer, n *Instance) *layer {
	m.args = Cell{eval: c.eval, up: c, key: argumentsKey, bound: bound, hasLayer: true}
	if n.Args != nil {
		m.given = layer{node: n.Args, origin: l.origin, frame: l.frame, up: l}
		m.args.layer = &m.given
	}
	x := m.of(l, n)
	m.frame.more = arguments{&m.args}
	return x
}

// A constructed is what an Instance with a name for itself needs.
type constructed struct {
	bodyOf
	given   layer // of the keys that it is given
	whole   layer
	group   group
	members [2]*layer
}

// body returns the layers of n on c: those that it is given over its body, with its name bound. l is the layer
// of n.
func (m *constructed) body(c *Cell, l *layer, n *Instance) *layer {
	x := m.of(l, n)
	m.frame.name, m.frame.val = n.Self, c.AsMap()
	if n.Given == nil {
		return x
	}
	m.given = layer{node: n.Given, origin: l.origin, frame: l.frame, up: l}
	m.members = [2]*layer{&m.given, x}
	m.group = group{members: m.members[:], rule: n.Rule, sealed: true}
	m.whole = layer{group: &m.group, origin: l.origin, frame: l.frame, up: l}
	return &m.whole
}

// InstanceSteps is the number of steps for creating an instance.
const InstanceSteps = 200

// enterInstance counts the work of an instance, and checks that it is not nested too deeply.
func (e *Eval) enterInstance(l *layer, n *Instance) error {
	if err := e.nested(l, n); err != nil {
		return err
	}
	return e.Step(InstanceSteps)
}

// nested returns an error if n is in too many other instances. Instances in each other may
// never end, as long as a caller asks for more.
func (e *Eval) nested(l *layer, n *Instance) error {
	around := l.frame.around()
	if n.Self == "" && int(around.calls) < e.limits.Includes || n.Self != "" && int(around.calls+around.selves) < e.limits.Includes {
		return nil
	}
	d := source.Errorf(n.At, source.Limit, "%ss are nested more than %d deep", n.Def.Kind, e.limits.Includes)
	d.Includes = l.origin.Includes()
	return d.WithHint("a condition has to end the recursion")
}

// An instances counts Instances in each other: those with arguments, and those with a name for themselves.
type instances struct{ calls, selves int32 }

func (i *instances) add(n *Instance) {
	if n.Self == "" {
		i.calls++
	} else {
		i.selves++
	}
}

// around counts the Instances around a node in f.
func (f *Frame) around() instances {
	for ; f != nil; f = f.up {
		if f.use != nil {
			return f.instances
		}
	}
	return instances{}
}

// argumentsKey is the key of the cell whose entries are the arguments of an Instance. No
// name contains a blank.
var argumentsKey = value.K("call ")

// An arguments is the set of names of an Instance: the keys of a map.
type arguments struct{ cell *Cell }

// Bind returns a cell outside of the configuration for a node that is evaluated as if it
// had been written at p.
func (p *Context) Bind(name string, n Node) *Cell {
	l := &layer{node: n, origin: p.Origin, frame: p.Frame}
	return &Cell{eval: p.Cell.eval, up: p.Cell, key: value.K(name), bound: bound, layer: l, hasLayer: true}
}

func (a arguments) lookup(name string) (*Cell, error) {
	key := value.K(name)
	if l := a.cell.layer; l == nil || l.isPlainMap() && !mayDefine(l.node, key) {
		return nil, nil
	}
	c := a.cell.kid(key)
	ok, err := c.present()
	if !ok || err != nil {
		return nil, err
	}
	return c, nil
}

func (a arguments) lasting() bool { return a.cell.layer == nil || a.cell.layer.isPlainMap() }

// Argument returns the cell of an argument of the call that made the map c, nil if c was not made by a call in
// an expression, or the call has no such argument.
func (c *Cell) Argument(name string) *Cell {
	if !c.apart || c.layer == nil || c.layer.frame == nil {
		return nil
	}
	a, ok := c.layer.frame.more.(arguments)
	if !ok {
		return nil
	}
	arg, err := a.lookup(name)
	if err != nil {
		return nil
	}
	return arg
}

// Written returns the map that c has, if only one map contributes to it, and the frame of its names.
func (c *Cell) Written() (*Map, *Frame) {
	if c.layer == nil || !c.layer.isPlainMap() {
		return nil, nil
	}
	return c.layer.node.(*Map), c.layer.frame
}

// Defined returns the map in the definition that a name is bound to in a frame, or for all root layers. It is
// nil if the name is bound to anything else. Nothing is evaluated but includes.
func (e *Eval) Defined(f *Frame, name string) *Map {
	c := e.definition(f, name)
	if c == nil {
		return nil
	}
	m, _ := c.layer.node.(*Define).Body.(*Map)
	return m
}

// definition returns the cell of the definition that a name is bound to, nil if it is bound to anything else.
func (e *Eval) definition(f *Frame, name string) *Cell {
	at, c, err := f.find(name)
	if c == nil && at == nil && err == nil {
		for _, f := range e.rootFrames() {
			if c, err = f.more.lookup(name); c != nil || err != nil {
				break
			}
		}
	}
	if c == nil || c.layer == nil || err != nil {
		return nil
	}
	if _, ok := c.layer.node.(*Define); !ok {
		return nil
	}
	return c
}

func (a arguments) each(string, func(*Cell) error) error { return nil }

func (a arguments) known() []string { return a.cell.TextKeys() }

// Caller returns the place of the call that p, the place of a value of Args, is of. The map of the instance is on a cell
// next to the cell of the call.
func (p *Context) Caller() *Context {
	return &Context{Cell: p.Cell.up.up, Origin: p.Origin, Frame: p.Frame, At: p.At}
}

// Value returns the value of an instance that is part of an expression at p. The expression decides
// where it is used, so the cell of the result has the layers of the body, not the Instance.
func (n *Instance) Value(p *Context) (value.Value, bool, error) {
	m := new(struct {
		called
		cell  Cell
		layer layer // of the Instance
	})
	c := &m.cell
	*c = Cell{eval: p.Cell.eval, up: p.Cell.up, key: p.Cell.key, item: p.Cell.item, bound: p.Cell.bound, hasLayer: true, apart: true}
	if p.Inside {
		c.up, c.key, c.item, c.bound = p.Cell, value.K(n.Def.Kind), false, boundInMap
	}
	m.layer = layer{node: n, origin: p.Origin, frame: p.Frame}
	if err := c.eval.enterInstance(&m.layer, n); err != nil {
		return value.Null, false, err
	}
	c.layer = m.called.body(c, &m.layer, n)
	return c.Value()
}
