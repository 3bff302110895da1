package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Frame binds names around nodes: the names of a Let, the item of an Each, the arguments
// of an Instance.
type Frame struct {
	up   *Frame
	name string // of a single binding
	val  value.Value
	more names // of several bindings

	use       *Instance // the Instance of the frame, nil for other frames
	instances instances // around the body of use, itself included

	// A name that was looked up from here, and the cell that a frame around binds it to, or nil.
	farName string
	far     *Cell
}

// A names is the set of names of one frame.
type names interface {
	// lookup returns the cell that a name is bound to, nil for none.
	lookup(name string) (*Cell, error)
	// lasting reports whether the result of lookup is always the same for a name.
	lasting() bool
	// each calls visit for every cell that a name is bound to, in order.
	each(name string, visit func(*Cell) error) error
	// known returns the names, for near misses.
	known() []string
}

// Lookup returns the value of a bound name, false if there is none.
func (f *Frame) Lookup(name string) (value.Value, bool, error) {
	at, c, err := f.find(name)
	switch {
	case c != nil:
		return c.Value()
	case at == nil || err != nil:
		return value.Null, false, err
	}
	return at.val, true, nil
}

// find returns the frame that binds a name, nil for none, and the cell of the name, nil for a frame with a
// value. Frames in frames, such as the frames of a macro that calls itself, keep the last name that was found far
// away, so that the search does not grow with their number.
func (f *Frame) find(name string) (at *Frame, c *Cell, err error) {
	const near = 4
	passed, lasting := 0, true
	for at = f; at != nil; at = at.up {
		if at.farName == name && name != "" {
			c, at = at.far, nil
			break
		}
		if at.more == nil {
			if at.name == name {
				return at, nil, nil
			}
		} else if !at.isShared() {
			lasting = lasting && at.more.lasting()
			if c, err = at.more.lookup(name); c != nil || err != nil {
				break
			}
		}
		passed++
	}
	if passed > near && lasting && err == nil {
		f.farName, f.far = name, c
	}
	return at, c, err
}

// isShared reports whether the names of f are looked up in an outer frame.
func (f *Frame) isShared() bool {
	b, ok := f.more.(*letNames)
	return ok && b.shared
}

// own is Lookup in this frame only.
func (f *Frame) own(name string) (value.Value, bool, error) {
	if f.more == nil {
		return f.val, f.name == name, nil
	}
	c, err := f.more.lookup(name)
	if c == nil || err != nil {
		return value.Null, false, err
	}
	return c.Value()
}

// Each calls visit for all values that a name is bound to, outermost first, and the
// positions where they were written.
func (f *Frame) Each(name string, visit func(value.Value, source.Span) error) error {
	if f == nil {
		return nil
	}
	if err := f.up.Each(name, visit); err != nil || f.more == nil || f.isShared() {
		return err
	}
	return f.visit(name, visit)
}

// visit is Each in this frame only.
func (f *Frame) visit(name string, visit func(value.Value, source.Span) error) error {
	return f.more.each(name, func(c *Cell) error {
		v, _, err := c.Value()
		if err != nil {
			return err
		}
		return visit(v, c.layer.span())
	})
}

// Uses returns the positions at which the macros and prototypes around a frame are used,
// innermost first.
func (f *Frame) Uses() []source.Span {
	var all []source.Span
	for ; f != nil && len(all) < maxIncludeNotes; f = f.up {
		if f.use != nil {
			all = append(all, f.use.At)
		}
	}
	return all
}

// Names returns the names that Lookup finds, innermost first.
func (f *Frame) Names() []string {
	var all []string
	for ; f != nil; f = f.up {
		if f.more == nil {
			all = append(all, f.name)
			continue
		}
		all = append(all, f.more.known()...)
	}
	return all
}

// Names returns the names that the Lets around whole root layers bind. All root layers see
// these names.
func (e *Eval) Names() []string {
	var all []string
	for _, f := range e.rootFrames() {
		all = append(all, f.more.known()...)
	}
	return all
}

// Lookup returns the value of a name that a root layer binds, newest first.
func (e *Eval) Lookup(name string) (v value.Value, ok bool, err error) {
	for _, f := range e.rootFrames() {
		if v, ok, err = f.own(name); ok || err != nil {
			return v, ok, err
		}
	}
	return value.Null, false, nil
}

// Each calls visit for all values that root layers bind a name to, oldest first.
func (e *Eval) Each(name string, visit func(value.Value, source.Span) error) error {
	for _, f := range slices.Backward(e.rootFrames()) {
		if err := f.visit(name, visit); err != nil {
			return err
		}
	}
	return nil
}

// rootFrames returns the frames of the root layers that bind names, newest first.
func (e *Eval) rootFrames() []*Frame {
	if e.frames != nil || e.root.layer == nil {
		return e.frames
	}
	e.frames = []*Frame{}
	e.root.layer.leaves(func(l *layer) bool {
		if let, ok := l.node.(*Let); ok {
			e.frames = append(e.frames, e.root.let(l, let).frame)
		}
		return true
	})
	return e.frames
}

// A letNames is the set of names of a Let on a cell.
type letNames struct {
	let     *Let
	cell    *Cell
	layer   *layer // of the body, in whose frame the bound nodes are evaluated
	cells   []*Cell
	imports map[string]*Cell // the results of looking up names in imports; nil for not found

	// shared says that the names are also names of an outer frame: the frame of the Let which
	// imports this one, or the frame of all root layers. They are looked up there, because a
	// later stanza there may bind them again.
	shared bool
}

// let returns the body of a Let with its names bound. The same layer always has the same
// frame.
func (c *Cell) let(l *layer, n *Let) *layer {
	if r := c.recall(l); r != nil {
		return r.layer
	}
	body := l.under(n.Body)
	body.frame = &Frame{up: l.frame, more: &letNames{let: n, cell: c, layer: body, shared: c.shares(l)}}
	c.learn(l, body, nil)
	return body
}

// shares reports whether a Let is the whole of a file that Yay includes, or of a layer of
// the document.
func (c *Cell) shares(l *layer) bool {
	if l.via != nil {
		return l.via.Deep && l.frame != nil
	}
	return c == c.eval.root && l.up == nil
}

// lookup implements names. The latest stanza that binds or imports the name counts (spec:
// yay, section 6.3).
func (b *letNames) lookup(name string) (*Cell, error) {
	own := len(b.let.Names) - 1
	for own >= 0 && b.let.Names[own].Key.Text != name {
		own--
	}
	if len(b.let.Imports) > 0 {
		if c, err := b.imported(name, own); c != nil || err != nil {
			return c, err
		}
	}
	if own < 0 {
		return nil, nil
	}
	return b.at(own), nil
}

// lasting implements names.
func (b *letNames) lasting() bool { return len(b.let.Imports) == 0 }

// at returns the cell of the i-th name. It is next to the map of the Let: see
// [Cell.Enclosing].
func (b *letNames) at(i int) *Cell {
	if b.cells == nil {
		b.cells = make([]*Cell, len(b.let.Names))
	}
	if b.cells[i] == nil {
		name := &b.let.Names[i]
		as := bound
		if b.let.Map {
			as = boundInMap
		}
		b.cells[i] = &Cell{eval: b.cell.eval, up: b.cell, key: name.Key, bound: as, layer: b.layer.under(name.Node), hasLayer: true}
	}
	return b.cells[i]
}

// imported looks up a name in the imports that are newer than the Let's own definition of
// it, whose index is own, or -1.
func (b *letNames) imported(name string, own int) (*Cell, error) {
	if c, ok := b.imports[name]; ok {
		return c, nil
	}
	var found *Cell
	provisional, err := b.cell.eval.provisionally(func() (err error) {
		for i := len(b.let.Imports) - 1; i >= 0 && found == nil && err == nil; i-- {
			if imp := b.let.Imports[i]; imp.Before > own {
				err = b.cell.visitNames(b.layer.under(imp.Node), func(n names) (err error) {
					if found == nil {
						found, err = n.lookup(name)
					}
					return err
				})
			}
		}
		return err
	})
	if err == nil && !provisional {
		if b.imports == nil {
			b.imports = map[string]*Cell{}
		}
		b.imports[name] = found
	}
	return found, err
}

// visitSteps is the cost of a layer in which names are looked for. Each of many includes looks for the
// search path in all includes before it.
const visitSteps = 40

// visitNames calls visit for the names of the Lets around the whole of a layer on c, newest
// first.
func (c *Cell) visitNames(l *layer, visit func(names) error) error {
	if err := c.eval.Enter(); err != nil {
		return err
	}
	defer c.eval.Leave()
	if err := c.eval.Step(visitSteps); err != nil {
		return err
	}
	if _, isLet := l.node.(*Let); !isLet {
		var err error
		if l, err = c.expand(l); l == nil || err != nil {
			return err
		}
	}
	if let, ok := l.node.(*Let); ok {
		return visit(c.let(l, let).frame.more)
	}
	if l.group == nil {
		return nil
	}
	for _, m := range l.members {
		if err := c.visitNames(m, visit); err != nil {
			return err
		}
	}
	return nil
}

// each implements names.
func (b *letNames) each(name string, visit func(*Cell) error) error {
	const namesPerStep = 4
	if err := b.cell.eval.Step(1 + len(b.let.Names)/namesPerStep); err != nil {
		return err
	}
	next := 0
	for i := 0; i <= len(b.let.Names); i++ {
		for ; next < len(b.let.Imports) && b.let.Imports[next].Before == i; next++ {
			err := b.cell.visitNames(b.layer.under(b.let.Imports[next].Node), func(n names) error { return n.each(name, visit) })
			if err != nil {
				return err
			}
		}
		if i < len(b.let.Names) && b.let.Names[i].Key.Text == name {
			if err := visit(b.at(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// known implements names.
func (b *letNames) known() []string {
	var all []string
	for i := range slices.Backward(b.let.Names) {
		all = append(all, b.let.Names[i].Key.Text)
	}
	return all
}
