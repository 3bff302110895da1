package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// passOver notes what the nodes that a guard on c did not pick say about the place
// that is explained. It reports whether they say something.
func (x *explanation) passOver(c *Cell, l *layer, g *Guard) (told bool) {
	picked, err := c.decide(l, g)
	if err != nil {
		return false
	}
	whole := x
	if x.below != nil {
		whole = x.whole
	}
	path := whole.cell.Path()[len(c.Path()):]
	for _, n := range g.May {
		if n == picked {
			continue
		}
		for _, at := range nodesAt(n, path) {
			told = true
			whole.refused = append(whole.refused, Fact{
				Role: Refused, At: at.Span(), Val: written(at), Layer: l.origin.layerName(), Includes: l.origin.Includes(),
				Reason: "not chosen by the " + g.label() + " in " + g.At.String(),
			})
		}
	}
	if next, ok := picked.(*Guard); ok { // what "elif" is
		told = x.passOver(c, l.under(next), next) || told
	}
	return told
}

// nodesAt returns what is written at a path below n, newest first, as far as that
// can be told without deciding anything.
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

func (x *explanation) refuse(l *layer) {
	if x.below != nil {
		// Further up only conditions count that could have given the key.
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
		f.Reason = "comes to nothing"
	}
	x.refused = append(x.refused, f)
}

// above returns an account of the enclosing cell for what it says about key.
func (x *explanation) above(key *value.Key) *explanation {
	if x.below != nil {
		x = x.whole
	}
	return &explanation{below: key, whole: x}
}
