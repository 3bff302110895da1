package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Frame binds names around nodes: those of a Let, the item of an Each, the
// arguments of an Instance.
type Frame struct {
	up   *Frame
	name string // of a single binding
	val  value.Value
	more names // of the others

	use *Instance // whose frame it is, nil for other names
}

// names are the names of one frame.
type names interface {
	// lookup returns the cell that a name is bound to, nil for none.
	lookup(name string) (*Cell, error)
	// each calls visit for every cell that a name is bound to, in order.
	each(name string, visit func(*Cell) error) error
	// known returns the names, for near misses.
	known() []string
}

// Lookup returns the value of a bound name, and false if there is none.
func (f *Frame) Lookup(name string) (value.Value, bool, error) {
	for ; f != nil; f = f.up {
		if f.isShared() {
			continue
		}
		v, ok, err := f.own(name)
		if ok || err != nil {
			return v, ok, err
		}
	}
	return value.Null, false, nil
}

// isShared reports whether the names of f are found further out.
func (f *Frame) isShared() bool {
	b, ok := f.more.(*letNames)
	return ok && b.shared
}

// own is Lookup in this frame alone.
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

// Each calls visit for the values of everything that a name is bound to, outermost
// first, and where they were written.
func (f *Frame) Each(name string, visit func(value.Value, source.Span) error) error {
	if f == nil {
		return nil
	}
	if err := f.up.Each(name, visit); err != nil || f.more == nil || f.isShared() {
		return err
	}
	return f.visit(name, visit)
}

// visit is Each in this frame alone.
func (f *Frame) visit(name string, visit func(value.Value, source.Span) error) error {
	return f.more.each(name, func(c *Cell) error {
		v, _, err := c.Value()
		if err != nil {
			return err
		}
		return visit(v, c.layer.span())
	})
}

// Uses returns where the macros and prototypes are used that a frame stands in,
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

// Names returns the names that Lookup knows, innermost first.
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

// Names returns the names that the Lets around a whole root layer bind: those that
// other root layers see as well.
func (e *Eval) Names() []string {
	var all []string
	for f := range e.rootFrames {
		all = append(all, f.more.known()...)
	}
	return all
}

// Lookup returns the value of a name that a root layer binds, newest first.
func (e *Eval) Lookup(name string) (v value.Value, ok bool, err error) {
	for f := range e.rootFrames {
		if v, ok, err = f.own(name); ok || err != nil {
			return v, ok, err
		}
	}
	return value.Null, false, nil
}

// Each calls visit for the values of everything that root layers bind a name to,
// oldest first.
func (e *Eval) Each(name string, visit func(value.Value, source.Span) error) error {
	for _, f := range slices.Backward(slices.Collect(e.rootFrames)) {
		if err := f.visit(name, visit); err != nil {
			return err
		}
	}
	return nil
}

// rootFrames yields the frames of the root layers that bind names, newest first.
func (e *Eval) rootFrames(yield func(*Frame) bool) {
	if e.root.layer == nil {
		return
	}
	e.root.layer.leaves(func(l *layer) bool {
		if let, ok := l.node.(*Let); ok {
			return yield(e.root.let(l, let).frame)
		}
		return true
	})
}
