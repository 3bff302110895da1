package graph

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Value returns the value of c, and false if there is nothing at c. Lists and maps
// are lazy: their items are worked out when they are asked for.
func (c *Cell) Value() (value.Value, bool, error) {
	e := c.eval
	if e.OnRead != nil && len(e.running) > 0 {
		e.OnRead(e.running[len(e.running)-1].cell, c)
	}
	if c.hasVal && !c.shaded() {
		return c.val, c.ok, c.failure()
	}
	if a, ok := e.assume[c]; ok {
		e.saw(looked{cell: c}, a.val, a.ok)
		return a.val, a.ok, nil
	}
	var v value.Value
	var ok bool
	lowRun := e.lowRun
	e.lowRun = none
	provisional, err := e.provisionally(func() (err error) {
		v, ok, err = c.compute()
		return err
	})
	sawNull := e.lowRun < len(e.running)
	e.lowRun = min(lowRun, e.lowRun)
	if !sawNull {
		e.lowRun = lowRun
	}
	switch {
	case !provisional && !sawNull:
		c.val, c.ok, c.hasVal = v, ok, true
		if err != nil {
			c.memo().err = err
		}
	case provisional && err == nil:
		e.saw(looked{cell: c}, v, ok)
	}
	return v, ok, err
}

// failure returns the error of a cell whose value was worked out, or nil.
func (c *Cell) failure() error {
	if c.more == nil {
		return nil
	}
	return c.more.err
}

// shaded reports whether the value of c is another than the one remembered as long
// as what asks for it is computed: both lie on soft cycles, and to c the asker is
// null. So every cell has the value that it has when it is asked first.
func (c *Cell) shaded() bool {
	if !c.cyclic {
		return false
	}
	for _, r := range c.eval.running {
		if r.cell.cyclic {
			return true
		}
	}
	return false
}

// compute works out the value of c from its layers.
func (c *Cell) compute() (value.Value, bool, error) {
	l, err := c.layers()
	if l == nil || err != nil {
		return value.Null, false, err
	}
	if l.group == nil && l.of == nil {
		switch n := l.node.(type) { // most often: nothing to fold
		case *Scalar:
			if !n.Val.IsNull() {
				return n.Val, true, nil
			}
		case *Computed:
			return c.computed(n.Thunk, &Place{Cell: c, Origin: l.origin, Frame: l.frame, At: n.At})
		}
	}
	if l.isMap() {
		return c.AsMap(), true, nil
	}
	f, err := c.fold()
	if err != nil {
		return value.Null, false, err
	}
	switch f.kind {
	case absentShape, deletedShape:
		return value.Null, false, nil
	case scalarShape:
		return f.top.node.(*Scalar).Val, true, nil
	case computedShape:
		if def, ok := f.top.node.(*Define); ok {
			return c.definition(f.top, def), true, nil
		}
		n := f.top.node.(*Computed)
		return c.computed(n.Thunk, &Place{Cell: c, Origin: f.top.origin, Frame: f.top.frame, At: n.At})
	case mapShape:
		return c.computeMap(f)
	case listShape:
		return value.FromList((*lazyList)(c)), true, nil
	}
	return nullOf(f), true, nil
}

func nullOf(f *folded) value.Value {
	if s, ok := f.top.node.(*Scalar); ok && s.Val.IsNull() {
		return s.Val
	}
	return value.Null
}

func (c *Cell) computeMap(f *folded) (value.Value, bool, error) {
	t, p, err := c.form(f)
	if err != nil {
		return value.Null, false, err
	}
	if t == nil {
		return value.FromMap((*lazyMap)(c)), true, nil
	}
	return c.computed(t, p)
}

// form returns the thunk of a map that is an expression object, nil for data.
func (c *Cell) form(f *folded) (Thunk, *Place, error) {
	var holder *layer
	for _, m := range f.maps {
		if n, ok := m.node.(*Map); ok && n.Form {
			holder = m
			break
		}
	}
	if holder == nil || c.eval.forms == nil {
		return nil, nil, nil
	}
	p := &Place{Cell: c, Origin: holder.origin, Frame: holder.frame, At: holder.node.Span()}
	if c.hasThunk {
		return c.more.thunk, p, nil
	}
	var t Thunk
	provisional, err := c.eval.provisionally(func() error {
		raw, _, err := c.Raw()
		if err == nil {
			t, _ = c.eval.forms(raw, p)
		}
		return err
	})
	if err == nil && !provisional {
		c.memo().thunk, c.hasThunk = t, true
	}
	return t, p, err
}

func (c *Cell) computed(t Thunk, p *Place) (value.Value, bool, error) {
	v, err := c.run(t, p)
	if err == nil && c.isWithin(CellOf(v)) {
		err = source.Errorf(p.At, source.Cycle, "%s would contain itself: it is the value of %s, which it lies in", c.label(), CellOf(v).label())
	}
	return v, err == nil, err
}

// Contained returns the error of a map or list that holds itself, perhaps by way of
// others.
func (c *Cell) Contained() error {
	at := source.Span{}
	if l, err := c.layers(); l != nil && err == nil {
		at = l.span()
	}
	return source.Errorf(at, source.Cycle, "%s would contain itself: this is a cycle", c.label())
}

// isWithin reports whether c is other or lies below it. What is bound to a name lies
// beside the configuration.
func (c *Cell) isWithin(other *Cell) bool {
	for ; c != nil && other != nil && c.bound == unbound; c = c.up {
		if c == other {
			return true
		}
	}
	return false
}

// Included adds to an error in the file that p stands in how that was included.
func (p *Place) Included(err error) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || p.Origin.Ref == nil || d.Includes != nil || d.At.File != p.Origin.Doc.File {
		return err
	}
	there := *d
	there.Includes = p.Origin.Includes()
	return &there
}
