package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Explain returns every layer of c, newest first: the layer that sets the value, those it
// overrides, those that do not apply; then the values that the computation read, and those
// that the conditions of the deciding layer read. It needs no records of the evaluation,
// because layers are never dropped: it walks the stack past the layer that hides the rest.
//
//	a: 1, then a: {{ b }}   set a: {{ b }}, over a: 1, uses b
func (c *Cell) Explain() ([]Fact, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	x := explanation{cell: c, folded: f}
	all, err := c.everything(&x)
	if err != nil {
		return nil, err
	}
	var facts []Fact
	var decided []Fact
	for _, l := range all {
		fact := x.fact(l)
		if fact.Role == Beaten && isWeak(l.node) {
			continue // the empty value of a block
		}
		facts = append(facts, fact)
		if fact.Role == Sets {
			decided = c.conditions(l)
		}
	}
	facts = append(facts, x.refused...)
	private, err := c.privateFacts()
	if err != nil {
		return nil, err
	}
	facts = append(facts, private...)
	// Compute the cell again and record its reads.
	uses := c.reading(func() error {
		_, _, err := c.compute()
		return err
	})
	return append(append(facts, uses...), decided...), nil
}

// privateFacts returns where it is said that c, or a place around it, is private.
func (c *Cell) privateFacts() ([]Fact, error) {
	var facts []Fact
	for ; c.up != nil; c = c.up {
		if c.item {
			continue
		}
		p, err := c.up.privacy()
		if err != nil {
			return nil, err
		}
		if hidden, _ := p.hides(c.key); !hidden {
			continue
		}
		for _, l := range p.from {
			for _, n := range l.node.(*Map).Private.Names {
				if n.Matches(c.key.Text) {
					f := originOf(l)
					f.Role, f.At, f.Val = IsPrivate, n.At, value.String(n.Text)
					facts = append(facts, f)
				}
			}
		}
	}
	return facts, nil
}

// KeyPlace returns the place of the key of c in the newest map that has it, and the includes of its file.
// It is zero for the root, items and entries of computed maps.
func (c *Cell) KeyPlace() (source.Span, []source.Span) {
	if c.up == nil || c.item {
		return source.Span{}, nil
	}
	f, err := c.up.fold()
	if err != nil {
		return source.Span{}, nil
	}
	for _, m := range f.maps {
		if n, ok := m.node.(*Map); ok {
			if i, ok := n.Find(c.key); ok {
				return n.Entries[i].KeyAt, originOf(m).Includes
			}
		}
	}
	return source.Span{}, nil
}

// SetAt returns the place of the layer that sets the value of c. It is zero if there is none, or the layers
// cannot be told.
func (c *Cell) SetAt() source.Span {
	f, err := c.fold()
	if err != nil {
		return source.Span{}
	}
	x := explanation{cell: c, folded: f}
	all, err := c.everything(&x)
	if err != nil {
		return source.Span{}
	}
	for _, l := range all {
		if x.role(l) == Sets {
			return l.node.Span()
		}
	}
	return source.Span{}
}

// fact returns the fact of a layer.
func (x *explanation) fact(l *layer) Fact {
	f := originOf(l)
	f.Role, f.At, f.Val = x.role(l), l.node.Span(), written(l.node)
	for n := x.folded.note; n != nil; n = n.older {
		if n.rule != nil && n.of.node == l.node {
			f.Reason = n.rule.reason()
			break
		}
	}
	return f
}

// role returns the effect of a layer. It is called for the layers from newest to oldest.
func (x *explanation) role(l *layer) Role {
	if !x.set {
		x.set = true
		if _, deleted := l.node.(*Delete); deleted {
			return Deletes
		}
		if x.decides(l) {
			return Sets
		}
		x.set = false
	}
	for _, m := range x.folded.maps {
		_, isView := m.node.(*View)
		if m.node == l.node || m.up != nil && m.up.node == l.node && isView {
			return Merges
		}
	}
	for _, it := range x.folded.items {
		if !it.layer.leaves(func(part *layer) bool { return !part.within(l.node) }) {
			return Merges // the item, or a part of it
		}
	}
	return Beaten
}

// decides reports whether l sets the value.
func (x *explanation) decides(l *layer) bool {
	f := x.folded
	if f.top != nil && sameOrigin(f.top.node, l.node) {
		return true
	}
	if _, ok := l.node.(*Computed); ok && f.kind == absentShape {
		return true // an entry of the map that is the value of an enclosing expression
	}
	return len(f.maps) > 0 && f.maps[0].node == l.node
}

// sameOrigin reports whether two nodes are the same, or the same entry of a value, for
// which a node is created each time.
func sameOrigin(a, b Node) bool {
	if a == b {
		return true
	}
	x, ok := a.(*Computed)
	y, also := b.(*Computed)
	return ok && also && x.At == y.At && isEntry(x.Thunk) && isEntry(y.Thunk)
}

// isEntry reports whether a thunk evaluates to an entry of a map.
func isEntry(t Thunk) bool {
	_, ok := t.(entryThunk)
	return ok
}

// conditions returns the values that the conditions around l read, innermost first.
func (c *Cell) conditions(l *layer) []Fact {
	var facts []Fact
	for ; l != nil; l = l.up {
		g, ok := l.node.(*Guard)
		if !ok {
			continue
		}
		at, ch := c.decision(l, g)
		switch {
		case ch == nil:
		case g.Causes != nil:
			p := at.rangeOf(ch.layer, g)
			for _, cause := range g.Causes(p, ch.on, c.Path()[len(at.Path()):]) {
				facts = append(facts, at.readBy(cause.Label, cause.At, func() error {
					_, err := at.run(cause.On, p)
					return err
				})...)
			}
		default:
			facts = append(facts, at.readBy(g.label(), g.At, func() error {
				_, _, err := at.ask(ch.layer, g)
				return err
			})...)
		}
	}
	return facts
}

// readBy returns the values that a condition or the like, a computation on c, reads.
func (c *Cell) readBy(label string, where source.Span, f func() error) []Fact {
	read := c.reading(f)
	for i := range read {
		read[i].Reason = "for the " + label + " in " + where.String()
	}
	return read
}

// decision returns the choice of a guard around c in the same frame (that is, the same turn
// of a loop), and the cell it was made on: an enclosing cell, or the cell of a shared base.
func (c *Cell) decision(l *layer, g *Guard) (*Cell, *choice) {
	for up := c; up != nil; up = up.up {
		if ch := c.eval.choices[guardAt{g, up, l.frame}]; ch != nil {
			return up, ch
		}
	}
	for at, ch := range c.eval.choices {
		if at.guard == g && at.frame == l.frame {
			return at.cell, ch
		}
	}
	return nil, nil
}

// reading returns the values that f, a computation on c, reads.
func (c *Cell) reading(f func() error) []Fact {
	e := c.eval
	outer, wasDiscreet := e.OnRead, e.Discreet
	defer func() { e.OnRead, e.Discreet = outer, wasDiscreet }()
	e.Discreet = true
	var cells []*Cell
	type variable struct {
		path string
		at   source.Span // of a bound name, which several values may have
	}
	seen := map[variable]bool{}
	e.OnRead = func(from, to *Cell) {
		read := variable{path: to.Path().String()}
		if to.bound != unbound && to.layer != nil {
			read.at = to.layer.span()
		}
		if from == c && to != c && !seen[read] && len(cells) < maxIncludeNotes {
			seen[read] = true
			cells = append(cells, to)
		}
	}
	if f() != nil {
		return nil // the caller reports the error of the value
	}
	e.OnRead = nil
	var facts []Fact
	for i, at := range cells {
		v, ok, err := at.Value()
		if !ok || err != nil || v.Is(value.FuncKind) || v.Is(value.MapKind) && (c.isIn(at) || slices.ContainsFunc(cells[i+1:], func(to *Cell) bool { return to.isIn(at) })) {
			continue
		}
		used := Fact{Role: Uses, Path: at.Name(), Val: v}
		if l, err := at.layers(); err == nil && l != nil && !at.Shaded() {
			if at.apart {
				l = l.up // the call, instead of the body of the macro
			}
			used.At = l.span()
		}
		facts = append(facts, used)
	}
	return facts
}

// WrittenKinds returns the kinds of the values that the layers of c have, hidden ones too, as far as they
// are known without evaluation. Layers that another one removes do not count.
func (c *Cell) WrittenKinds() []value.Kind {
	f, err := c.fold()
	if err != nil {
		return nil
	}
	all, err := c.everything(&explanation{cell: c, folded: f})
	if err != nil {
		return nil
	}
	var kinds []value.Kind
	for _, l := range all {
		switch n := l.node.(type) {
		case *Scalar:
			kinds = append(kinds, n.Val.Kind())
		case *Map:
			if !n.Form && !n.Weak {
				kinds = append(kinds, value.MapKind)
			}
		case *Seq:
			if !n.Weak {
				kinds = append(kinds, value.ListKind)
			}
		case *Extend:
			kinds = append(kinds, value.ListKind)
		case *Delete:
			return kinds
		}
	}
	return kinds
}
