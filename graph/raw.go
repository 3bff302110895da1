package graph

import "github.com/yaytpl/yaytpl/value"

// rawLayer replaces every overlay in l by the map that was written.
func rawLayer(l *layer) *layer {
	c := *l
	if l.members != nil {
		c.members = make([]*layer, len(l.members))
		for i, m := range l.members {
			c.members[i] = rawLayer(m)
		}
		return &c
	}
	c.node = RawNode(l.node)
	return &c
}

// RawNode returns a node with every directive in it as the data that it was
// written as.
func RawNode(n Node) Node {
	switch n := n.(type) {
	case *Overlay:
		return n.Written()
	case *Splice:
		return RawNode(n.Node)
	case *Positional:
		return RawNode(n.Node)
	case *Map:
		m := Map{At: n.At, Strategy: n.Strategy, Form: n.Form, Note: n.Note, Entries: make([]Entry, len(n.Entries))}
		for i, e := range n.Entries {
			e.Node = RawNode(e.Node)
			m.Entries[i] = e
		}
		return NewMap(m)
	case *Seq:
		s := Seq{At: n.At, Notes: n.Notes, Replace: n.Replace, Items: make([]Node, len(n.Items))}
		for i, item := range n.Items {
			s.Items[i] = RawNode(item)
		}
		return NewSeq(s)
	}
	return n
}

// Raw returns the value of c with all its layers but nothing evaluated:
// expressions and templates are the data that they are written as.
func (c *Cell) Raw() (value.Value, bool, error) {
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
		return f.top.node.(*Computed).Thunk.Raw(), true, nil
	case mapShape:
		return value.FromMap((*rawMap)(c)), true, nil
	case listShape:
		return value.FromList((*rawList)(c)), true, nil
	}
	return nullOf(f), true, nil
}
