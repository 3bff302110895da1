package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// # Values that a secret condition chooses
//
// A guard whose condition has marks chooses values that contain nothing of the secret, and still
// say which it is. So these values get the marks of the condition. Here the guard is the "if":
//
//	port: 80
//	name: web
//	if password == "x":
//	    port: 81
//
// It may define port: port is marked, whether the guard picked its map or nothing. It cannot define
// name. A shade is a node that a guard with marks may contribute to a place; port has the shade 81.
// Maps get no marks, since their keys are structure: each entry has the shades of its own key. A
// list is marked as a whole, since its length depends on the guard too.
//
// Most evaluations have no such guard, and skip all of this: see Eval.shady.

// A shade is a node that a guard, or a loop, whose condition has marks may contribute.
type shade struct {
	node  Node // nil for any
	marks value.Marks
}

// shadeBy notes that the value chose what is on c: one of the nodes, or with nil any node. A value
// without marks chooses nothing that is secret.
func (c *Cell) shadeBy(on value.Value, may []Node) {
	marks := on.Marks()
	if marks == 0 {
		return
	}
	e := c.eval
	if e.shady == nil {
		e.shady = map[*Cell][]shade{}
	}
	if may == nil {
		may = []Node{nil}
	}
	for _, n := range may {
		if s := (shade{n, marks}); !slices.Contains(e.shady[c], s) {
			e.shady[c] = append(e.shady[c], s)
		}
	}
}

// shadeFrom notes what chose the part of the list c that was made on the cell of an item.
func (c *Cell) shadeFrom(place *Cell) {
	for _, s := range c.eval.shady[place] {
		c.shadeBy(value.Null.Mark(s.marks), nil)
	}
}

// shades returns the shades of guards on c and around it that may define c.
func (c *Cell) shades() []shade {
	e := c.eval
	own := e.shady[c]
	if c.up == nil || c.bound != unbound {
		return own
	}
	all := own[:len(own):len(own)]
	for _, s := range c.up.shades() {
		all = s.under(c.key, all)
	}
	if up := c.up; up.hasLayer && up.layer != nil {
		for _, of := range up.layer.sources(nil) {
			if kid := of.below(c.key, c.item); kid != c {
				all = append(all, kid.shades()...)
			}
		}
	}
	return all
}

// sources returns the cells that share their layers with l.
func (l *layer) sources(all []*Cell) []*Cell {
	if l.of != nil {
		all = append(all, l.of)
	}
	if l.group != nil {
		for _, m := range l.members {
			all = m.sources(all)
		}
	}
	return all
}

// under appends the shades of the places under a key.
func (s shade) under(k value.Key, all []shade) []shade {
	var parts []Node
	switch n := s.node.(type) {
	case *Map:
		if i, ok := n.Find(k); ok {
			all = append(all, shade{n.Entries[i].Node, s.marks})
		}
		return all
	case *Scalar, *Delete:
		return all
	case *Guard:
		parts = n.May
	case *Let:
		parts = []Node{n.Body}
	case *Stack:
		parts = n.Layers
	case *Overlay:
		parts = append([]Node{n.Own}, n.Bases...)
	}
	if parts == nil { // what it contributes is not known without evaluating it
		return append(all, shade{nil, s.marks})
	}
	for _, n := range parts {
		all = shade{n, s.marks}.under(k, all)
	}
	return all
}

// Shaded reports whether a secret condition chooses what is on c.
func (c *Cell) Shaded() bool { return c.eval.shady != nil && len(c.shades()) > 0 }

// withShades returns a value of c with the marks of the guards that may define it.
func (c *Cell) withShades(v value.Value) value.Value {
	if v.Is(value.MapKind) {
		return v
	}
	for _, s := range c.shades() {
		v = v.Mark(s.marks)
	}
	return v
}
