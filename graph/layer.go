package graph

import "github.com/yaytpl/yaytpl/source"

// A layer is a node that lies on a cell, or a group of layers that belong
// together: those of one map with directives are folded into one before they join
// what is around them.
type layer struct {
	node   Node
	origin *Origin
	frame  *Frame
	up     *layer // the layer that holds this one, or that brought it here
	via    *Ref   // the reference that brought it here
	of     *Cell  // the cell whose layers these are, if they are shared with it

	*group // nil for a single node
}

// A group is several layers that are folded into one.
type group struct {
	members []*layer // newest first
	rule    *Rule
	sealed  bool     // a deletion in it has done its work inside
	foreign bool     // the strategies of its members are about another place
	overlay *Overlay // what it was made of, if it was an overlay

	keys *keyIndex // of the members, once asked for
}

// under returns the layer for an entry or item of l.
func (l *layer) under(n Node) *layer {
	return &layer{node: n, origin: l.origin, frame: l.frame, up: l}
}

// place copies l to where ref stands. The copies remember ref and the layer that
// holds it, so that a node that comes to contain itself is noticed.
func (l *layer) place(up *layer, ref *Ref) *layer {
	c := *l
	c.up, c.via = up, ref
	if l.group != nil {
		c.group = l.mapped(func(m *layer) *layer { return m.place(up, ref) })
	}
	return &c
}

// mapped returns a copy of a group with every member changed.
func (g *group) mapped(change func(*layer) *layer) *group {
	c := group{rule: g.rule, sealed: g.sealed, foreign: g.foreign, overlay: g.overlay, members: make([]*layer, len(g.members))}
	for i, m := range g.members {
		c.members[i] = change(m)
	}
	return &c
}

// share returns l, which is what the layers of a cell came to there, where ref
// stands. Unlike those that place copies, the members of a group stay as they are.
func (l *layer) share(of *Cell, up *layer, ref *Ref) *layer {
	c := *l
	c.up, c.via, c.of = up, ref, of
	return &c
}

// sharedWith reports whether l was reached through layers shared with a cell.
func (l *layer) sharedWith(of *Cell) bool {
	for ; l != nil; l = l.up {
		if l.of == of {
			return true
		}
	}
	return false
}

// elsewhere returns l as what stands in another place, which its strategy is not about
// (merge, section 6).
func (l *layer) elsewhere(rule *Rule) *layer {
	if l.of != nil {
		return l // see sharedFold
	}
	if l.group != nil {
		c, g := *l, *l.group
		c.group, g.foreign = &g, true
		return &c
	}
	if m, ok := l.node.(*Map); !ok || m.Strategy == DefaultStrategy {
		return l
	}
	g := &group{members: []*layer{l}, rule: rule, foreign: true}
	return &layer{group: g, origin: l.origin, frame: l.frame, up: l.up, via: l.via}
}

// leaves calls visit for every single node of l, newest first.
func (l *layer) leaves(visit func(*layer) bool) bool {
	if l.group == nil {
		return visit(l)
	}
	for _, m := range l.members {
		if !m.leaves(visit) {
			return false
		}
	}
	return true
}

// within reports whether l was reached through a layer of the node n.
func (l *layer) within(n Node) bool {
	for ; l != nil; l = l.up {
		if l.node == n {
			return true
		}
	}
	return false
}

// depth returns through how many layers l was reached.
func (l *layer) depth() int {
	n := 0
	for ; l != nil; l = l.up {
		n++
	}
	return n
}

func (l *layer) span() source.Span {
	if l.node != nil {
		return l.node.Span()
	}
	if l.group != nil {
		for _, m := range l.members {
			if at := m.span(); !at.IsZero() {
				return at
			}
		}
	}
	return source.Span{}
}
