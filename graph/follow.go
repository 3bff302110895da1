package graph

import (
	"errors"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// follow finds the target of a reference and places it on c. The reference is
// hidden meanwhile: its target may lie in the very map that it adds to.
func (c *Cell) follow(l *layer, ref *Ref) (*layer, error) {
	e := c.eval
	if e.meets(ref, c) {
		return nil, nil
	}
	if err := e.Enter(); err != nil {
		return nil, err
	}
	defer e.Leave()
	var target *layer
	h := &hidden{node: ref, cell: c}
	provisional, err := e.hide(h, func() (err error) {
		target, err = c.find(l, ref)
		if h.met && errors.Is(err, source.ErrMissing) && c.vanishes(ref) {
			return c.recursive(l, ref, nil, h.way...)
		}
		return err
	})
	if len(e.hidden) == 0 && len(e.tentative) > 0 && !e.settling && err == nil {
		err = e.settle()
	}
	if errors.Is(err, source.ErrMissing) && (provisional || ref.Optional) {
		// What is missing now may be there when the layers that are hidden are not.
		if !provisional && ref.From == FromFile {
			e.warnMissing(err)
		}
		return nil, nil
	}
	if target == nil || err != nil {
		return nil, err
	}
	if ref.Deep {
		return target, nil
	}
	return target, c.noCycle(l, ref, target)
}

// warnMissing tells that an optional file is not there (merge, section 5).
func (e *Eval) warnMissing(err error) {
	d := *source.AsDiagnostic(err, source.Span{}, source.MissingInclude)
	d.Severity, d.Hint = source.Warning, ""
	e.Warn(&d)
}

func (c *Cell) find(l *layer, ref *Ref) (*layer, error) {
	switch ref.From {
	case FromFile:
		return c.findInFile(l, ref)
	case FromAnchor:
		return c.findAnchor(l, ref)
	case FromHere:
		return c.findRelative(l, ref)
	}
	return c.findAbsolute(l, ref)
}

// findAbsolute looks in the document first, then in the file that the pointer was
// written in (merge, section 2).
func (c *Cell) findAbsolute(l *layer, ref *Ref) (*layer, error) {
	at, err := c.eval.root.Find(ref.Path)
	if err == nil && at == nil && l.origin != nil && l.origin.Ref != nil {
		at, err = c.eval.FileRoot(l.origin).Find(ref.Path)
	}
	if err != nil {
		return nil, err
	}
	return c.target(l, ref, at)
}

func (c *Cell) findRelative(l *layer, ref *Ref) (*layer, error) {
	start := c.standing()
	for range ref.Up {
		if start.up == nil {
			return nil, missing(l, ref)
		}
		start = start.up.standing()
	}
	at, err := start.Find(ref.Path)
	if err != nil {
		return nil, err
	}
	return c.target(l, ref, at)
}

// target returns the layers of a cell that a pointer leads to, placed on c.
func (c *Cell) target(l *layer, ref *Ref, at *Cell) (*layer, error) {
	if at == nil {
		return nil, missing(l, ref)
	}
	for up := c; up != nil; up = up.up {
		if up == at {
			return nil, c.recursive(l, ref, at)
		}
	}
	t, err := at.layers()
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, missing(l, ref)
	}
	switch {
	case ref.Raw:
		return rawLayer(t.place(l, ref)), nil
	case isPortable(t):
		return c.shared(l, ref, at, t)
	}
	return t.place(l, ref), nil
}

// isPortable reports whether a layer comes to the same wherever it is placed: its
// directives do not say where from they start.
func isPortable(l *layer) bool {
	o, ok := l.node.(*Overlay)
	if !ok {
		return false
	}
	for _, b := range o.Bases {
		if ref, ok := b.(*Ref); !ok || ref.From == FromHere {
			return false
		}
	}
	return true
}

// shared returns what portable layers came to on the cell that they lie on, so that
// a map that many others stand on is worked out once.
func (c *Cell) shared(l *layer, ref *Ref, at *Cell, t *layer) (*layer, error) {
	e := c.eval
	e.hidden[len(e.hidden)-1].sharing = true
	if e.sharesItself(at) || l.sharedWith(at) {
		return nil, c.recursive(l, ref, at, e.backTo(at)...)
	}
	x, err := at.expand(t)
	if err != nil {
		return nil, err
	}
	if x == nil {
		return nil, missing(l, ref)
	}
	return x.share(at, l, ref), nil
}

// vanishes reports whether the target of a pointer, which was not found, lies on a
// place that is nothing only as long as ref is hidden.
func (c *Cell) vanishes(ref *Ref) bool {
	at := c.eval.root
	switch ref.From {
	case FromAnchor, FromFile:
		return false
	case FromHere:
		at = c
		for range ref.Up {
			if at = at.up; at == nil {
				return false
			}
		}
	}
	for _, seg := range ref.Path {
		next, err := at.step(seg)
		if err != nil {
			return false
		}
		if next == nil {
			l, err := at.kid(value.K(seg)).layers()
			if err != nil || l == nil {
				return false
			}
			_, deleted := l.node.(*Delete)
			return !deleted
		}
		at = next
	}
	return false
}

func missing(l *layer, ref *Ref) *source.Diagnostic {
	d := source.Errorf(ref.At, source.MissingInclude, "missing include: %s has no target", ref.Key)
	d.Includes = l.origin.Includes()
	return d.WithHint(`a "?" after the "+" would make it optional`)
}

// noCycle reports a reference whose target holds the reference itself: placed here
// it would hold itself again, without end.
func (c *Cell) noCycle(l *layer, ref *Ref, target *layer) (err error) {
	if err := c.eval.Step(l.depth()); err != nil { // what the search costs
		return err
	}
	target.leaves(func(t *layer) bool {
		if l.within(t.node) {
			err = c.recursive(l, ref, nil)
		}
		return err == nil
	})
	return err
}

// recursive makes the error that names every step of a cycle of references: those
// on the way back to ref, and those that ref itself was reached through.
func (c *Cell) recursive(l *layer, ref *Ref, at *Cell, way ...*Ref) *source.Diagnostic {
	what := ref.Key
	if ref.From == FromFile {
		what = ref.File
	} else if at != nil {
		what = at.Path().String()
	}
	d := source.Errorf(ref.At, source.RecursiveInclude, "recursive include %q in %q when including %s", what, c.Path(), ref.Key)
	d.Includes = l.origin.Includes()
	for _, step := range way {
		if step != ref {
			d.Note(step.At, "through %s", step.Key)
		}
	}
	for up := l; up != nil && len(d.Notes) < maxIncludeNotes; up = up.up {
		if up.via != nil {
			d.Note(up.via.At, "through %s", up.via.Key)
		}
	}
	return d
}
