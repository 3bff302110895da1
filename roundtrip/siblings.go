package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// A siblingForm is how the values near a kid are written, which it is to look like.
type siblingForm struct {
	quotes yaml.Style // of scalars, although they need none

	// Of collections of its kind:
	flow  bool // on one line in flow style
	block bool // in block style below their entry, and
	below int  // so many columns right of it
}

// siblings returns the form of the values near a kid.
func (w *writer) siblings(d *draft, k *kid) siblingForm {
	var out siblingForm
	kind := k.view().kind()
	scalar, collection := false, false
	for _, n := range neighbours(d, k) {
		switch {
		case n.Kind == yaml.ScalarNode && n.Value.Is(value.StringKind) && !scalar:
			scalar = true
			out.quotes = w.needlessQuotes(n, d.style() == yaml.Flow)
		case n.Kind == kind && n.Len() > 0 && !collection:
			collection, out.flow = true, w.isOnLine(n)
			if out.block = n.Style == yaml.Block && d.kind() == yaml.MapNode; out.block {
				out.below = column(w.src, int(n.At.Start)) - column(w.src, int(d.node.At.Start))
			}
		}
	}
	return out
}

// takes returns the place with the form of the values near it, as far as d fits into it.
func (p place) takes(f siblingForm, d *draft) place {
	p.style, p.inline = f.quotes, f.flow
	p.near, p.below = f.block, f.below
	if p.inline && d.fresh && !p.flow {
		room := lineWidth - max(p.col, 0)
		p.inline = fitsLine(d, &room)
	}
	return p
}

// lineWidth is up to where a new line in flow style goes among lines in block style.
const lineWidth = 80

// fitsLine takes what a value needs in flow style, about, from the room that there is, and
// reports whether some is left.
func fitsLine(d *draft, room *int) bool {
	if d.kind() == yaml.ScalarNode {
		*room -= len(d.scalar().Str())
		return *room >= 0
	}
	kids, err := d.children()
	if err != nil {
		return false
	}
	for _, k := range kids {
		if *room -= len(", ") + len(k.key.Text); *room < 0 || !fitsLine(k.view(), room) {
			return false
		}
	}
	return true
}

// needlessQuotes returns the quotes of a scalar that needs none, or Plain.
func (w *writer) needlessQuotes(n *yaml.Node, flow bool) yaml.Style {
	if n.Style != yaml.SingleQuoted && n.Style != yaml.DoubleQuoted {
		return yaml.Plain
	}
	if _, plain := w.syntax.scalarText(n.Value, yaml.Plain, flow); !plain {
		return yaml.Plain
	}
	return n.Style
}

// neighbours returns the values near a kid, the nearest before it first, then those
// behind it.
func neighbours(d *draft, k *kid) []*yaml.Node {
	if d.fresh {
		return nil // all of it is new
	}
	const near = 8
	var out []*yaml.Node
	for i := k.at - 1; i >= max(k.at-near, 0); i-- {
		out = append(out, nodeOf(d.kids[i])...)
	}
	for i := k.at + 1; i < min(k.at+near, len(d.kids)); i++ {
		out = append(out, nodeOf(d.kids[i])...)
	}
	return out
}

func nodeOf(k *kid) []*yaml.Node {
	if k.node == nil {
		return nil
	}
	return []*yaml.Node{k.node}
}

// isOnLine reports whether a collection has the style of those on one line.
func (w *writer) isOnLine(n *yaml.Node) bool {
	return n.Style == yaml.Flow && (w.syntax.blocks() || !strings.ContainsAny(n.At.Text(), "\r\n"))
}

// siblingKeyStyle returns the quotes that the first and the last key of a map have
// although they need none.
func (w *writer) siblingKeyStyle(d *draft) yaml.Style {
	if d.fresh || d.node == nil || d.node.Kind != yaml.MapNode || d.node.Len() == 0 {
		return yaml.Plain
	}
	first, last := d.node.Entries[0].KeyNode, d.node.Entries[d.node.Len()-1].KeyNode
	if first.Kind != yaml.ScalarNode || last.Kind != yaml.ScalarNode {
		return yaml.Plain
	}
	flow := d.node.Style == yaml.Flow
	style := w.needlessQuotes(first, flow)
	if style != w.needlessQuotes(last, flow) {
		return yaml.Plain
	}
	return style
}
