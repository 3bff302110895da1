package graph

import (
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # The whole stack of a cell
//
// A fold ends at the layer that hides the rest. Explanations and errors need the rest too: every single layer of
// a cell, newest first, with those that do not apply. They are found from the root down: the layers of the cell around
// c are asked for the key of c, hidden ones too. In
//
//	base.yaml  {web: {port: 80}}
//	prod.yaml  {+include: base.yaml, web: {port: 81, +?/gone: }}
//
// the layers of web are two maps and a reference that has no target, and the layers of web.port are 81, then 80.

// A Role is the effect of a layer on the value of a cell.
type Role string

// The roles.
const (
	Sets    Role = "set"     // decides the value
	Merges  Role = "merged"  // adds entries or items to it
	Beaten  Role = "over"    // is hidden by a newer layer
	Deletes Role = "deleted" // removes older layers
	Refused Role = "refused" // does not apply
	Uses    Role = "uses"    // a value that was read to compute it

	Either Role = "either" // sets the value or not: a secret decides that

	IsPrivate Role = "private" // says that the value, or one around it, is no part of the output
)

// A Fact is one layer of a cell, or a value that its computation read.
type Fact struct {
	Role     Role
	At       source.Span
	Val      value.Value   // as written; valid for Sets, Merges, Beaten, Either, Uses, IsPrivate
	Path     value.Path    // of Uses: the cell that was read
	Layer    string        // the name of its root layer
	Through  []source.Span // the references that placed it here, innermost first
	Includes []source.Span // the includes of its file, innermost first
	Reason   string        // of Refused, of Uses by a condition, and the rule of a list
}

// Defines reports whether the fact is about a layer that the value, or a part of it, comes from.
func (f *Fact) Defines() bool { return f.Role == Sets || f.Role == Merges }

// An explanation collects the facts of one cell.
type explanation struct {
	cell    *Cell
	folded  *foldResult
	refused []Fact
	below   *value.Key   // the key to explain, if the cell is around the explained one
	whole   *explanation // the explanation of the explained cell
	set     bool         // the deciding layer was met
}

// account returns the explanation of the explained cell.
func (x *explanation) account() *explanation {
	if x.below != nil {
		return x.whole
	}
	return x
}

// everything returns all single layers of c, newest first, hidden ones included.
func (c *Cell) everything(x *explanation) ([]*layer, error) {
	if c.up == nil || c.item {
		l, err := c.layers()
		if err != nil {
			return nil, err
		}
		if l != nil {
			return c.singles(l, x)
		}
	}
	if c.up == nil {
		return nil, nil
	}
	parents, err := c.up.everything(&explanation{below: &c.key, whole: x.account()})
	if err != nil {
		return nil, err
	}
	var all []*layer
	for _, p := range parents {
		n := c.up.entryOf(p, c.key)
		if n == nil {
			continue
		}
		more, err := c.singles(p.under(n), x)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// entryOf returns the node of a single layer of c under a key, nil for none. It evaluates a
// computed layer.
func (c *Cell) entryOf(l *layer, k value.Key) Node {
	switch n := l.node.(type) {
	case *Map:
		if i, ok := n.Find(k); ok {
			return n.Entries[i].Node
		}
	case *View:
		if entry, err := n.entry(k); err == nil {
			return entry
		}
	case *Seq:
		if i, err := strconv.Atoi(k.Text); err == nil && i >= 0 && i < len(n.Items) {
			return n.Items[i]
		}
	case *Computed:
		if x, err := c.reveal(l); err == nil && x.node != l.node {
			return c.entryOf(x, k)
		}
	}
	return nil
}

// singles expands l to its leaf layers, following references. It adds those that do not
// apply to x.
func (c *Cell) singles(l *layer, x *explanation) ([]*layer, error) {
	if l.group != nil {
		var all []*layer
		for _, m := range l.members {
			more, err := c.singles(m, x)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
		return all, nil
	}
	switch n := l.node.(type) {
	case *Scalar, *Computed, *Map, *Seq, *Extend, *Delete, *View, *Define:
		return []*layer{l}, nil
	case *Overlay:
		var all []*layer
		if len(n.Own.Entries) > 0 || !n.Lone {
			all = append(all, l.under(n.Own))
		}
		for i := len(n.Bases) - 1; i >= 0; i-- {
			more, err := c.singles(l.under(n.Bases[i]), x)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
		if n.older != nil {
			more, err := c.singles(n.older, x)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
		return all, nil
	}
	target, err := c.expand(l)
	if err != nil {
		return nil, err
	}
	reported := false
	if g, ok := l.node.(*Guard); ok {
		reported = x.addUnchosen(c, l, g)
	}
	if target != nil {
		return c.singles(target, x)
	}
	if !reported {
		x.refuse(l)
	}
	return nil, nil
}

// originOf returns a fact with the way by which a layer takes part.
func originOf(l *layer) Fact {
	f := Fact{Layer: l.origin.layerName(), Includes: l.origin.Includes()}
	from := l.node
	for up := l; up != nil && len(f.Through) < maxIncludeNotes; up = up.up {
		if up.via != nil && up.via.From != FromFile {
			f.Through = append(f.Through, up.via.At)
		}
		if use, ok := up.node.(*Instance); ok && from != use.Given {
			f.Through = append(f.Through, use.At)
		}
		from = up.node
	}
	for o := l.origin; o != nil; o = o.Outer {
		if o.Outer == nil && o.Doc.Match != nil {
			f.Through = append(f.Through, o.Doc.Match.At)
		}
	}
	return f
}

// isWeak reports whether a node counts only if no other layer does.
func isWeak(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return n.Weak
	case *Seq:
		return n.Weak
	}
	return false
}

// layerName returns the name of the root layer of o.
func (o *Origin) layerName() string {
	for o != nil && o.Outer != nil {
		o = o.Outer
	}
	if o == nil {
		return ""
	}
	return o.Layer
}

// written returns the data of a node as written.
func written(n Node) value.Value {
	switch n := n.(type) {
	case *Scalar:
		return n.Val
	case *Computed:
		return n.Thunk.Raw()
	case *Map:
		return value.FromMap(value.NewMap(0))
	case *Seq, *Extend:
		return value.ListOf()
	}
	return value.Null
}

// addUnchosen adds the nodes for the explained place that a guard on c did not pick. It
// reports whether there are any.
func (x *explanation) addUnchosen(c *Cell, l *layer, g *Guard) (reported bool) {
	picked, err := c.decide(l, g)
	if err != nil {
		return false
	}
	whole := x.account()
	path := whole.cell.Path()[len(c.Path()):]
	for _, n := range g.May {
		if n == picked {
			continue
		}
		for _, at := range nodesAt(n, path) {
			reported = true
			whole.refused = append(whole.refused, Fact{
				Role: Refused, At: at.Span(), Val: written(at), Layer: l.origin.layerName(), Includes: l.origin.Includes(),
				Reason: "not chosen by the " + g.label() + " in " + g.At.String(),
			})
		}
	}
	if next, ok := picked.(*Guard); ok { // an "elif"
		reported = x.addUnchosen(c, l.under(next), next) || reported
	}
	return reported
}

// nodesAt returns the nodes at a path below n, newest first, as far as they are known
// without deciding a guard.
func nodesAt(n Node, path value.Path) []Node {
	switch n := n.(type) {
	case *Let:
		return nodesAt(n.Body, path)
	case *Stack:
		var all []Node
		for _, m := range slices.Backward(n.Layers) {
			all = append(all, nodesAt(m, path)...)
		}
		return all
	case *Guard:
		var all []Node
		for _, m := range n.May {
			all = append(all, nodesAt(m, path)...)
		}
		return all
	case *Map:
		if len(path) > 0 {
			if i, ok := n.Find(path[0]); ok {
				return nodesAt(n.Entries[i].Node, path[1:])
			}
			return nil
		}
		if n.Weak {
			return nil
		}
	}
	if len(path) > 0 {
		return nil
	}
	return []Node{n}
}

// refuse adds a layer that does not apply. Around the explained cell only conditions that
// could define its key are added.
func (x *explanation) refuse(l *layer) {
	if x.below != nil {
		// Around the explained cell only conditions count that could define the key.
		if g, ok := l.node.(*Guard); ok && g.May != nil && mayDefine(g, *x.below) {
			x.whole.refuse(l)
		}
		return
	}
	f := Fact{Role: Refused, At: l.node.Span(), Layer: l.origin.layerName(), Includes: l.origin.Includes()}
	switch n := l.node.(type) {
	case *Ref:
		f.Reason = n.Key + " is optional and has no target"
	case *Guard:
		f.Reason = "the " + n.label() + " does not apply"
	default:
		f.Reason = "contributes nothing"
	}
	x.refused = append(x.refused, f)
}
