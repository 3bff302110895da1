package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// A siblingForm is how the values near a kid are written, which it is to look like.
type siblingForm struct {
	quotes Style // of scalars, although they need none

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
		case n.Kind() == Scalar && n.Scalar().Is(value.StringKind) && !scalar:
			scalar = true
			out.quotes = w.needlessQuotes(n, d.style() == Flow)
		case n.Kind() == kind && n.Len() > 0 && !collection:
			collection, out.flow = true, w.isOnLine(n)
			if out.block = n.Style() == Block && d.kind() == Map; out.block {
				out.below = column(w.src, int(n.At().Start)) - column(w.src, int(d.node.At().Start))
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
	if d.kind() == Scalar {
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
func (w *writer) needlessQuotes(n Node, flow bool) Style {
	if n.Style() != SingleQuoted && n.Style() != DoubleQuoted {
		return Plain
	}
	if _, plain := w.syntax.ScalarText(n.Scalar(), Plain, flow); !plain {
		return Plain
	}
	return n.Style()
}

// neighbours returns the values near a kid, the nearest before it first, then those
// behind it.
func neighbours(d *draft, k *kid) []Node {
	if d.fresh {
		return nil // all of it is new
	}
	const near = 8
	var out []Node
	for i := k.at - 1; i >= max(k.at-near, 0); i-- {
		out = append(out, nodeOf(d.kids[i])...)
	}
	for i := k.at + 1; i < min(k.at+near, len(d.kids)); i++ {
		out = append(out, nodeOf(d.kids[i])...)
	}
	return out
}

func nodeOf(k *kid) []Node {
	if k.node == nil {
		return nil
	}
	return []Node{k.node}
}

// isOnLine reports whether a collection has the style of those on one line.
func (w *writer) isOnLine(n Node) bool {
	return n.Style() == Flow && (w.syntax.Blocks() || !strings.ContainsAny(n.At().Text(), "\r\n"))
}

// siblingKeyStyle returns the quotes that the first and the last key of a map have
// although they need none.
func (w *writer) siblingKeyStyle(d *draft) Style {
	if d.fresh || d.node == nil || d.node.Kind() != Map || d.node.Len() == 0 {
		return Plain
	}
	first, last := d.node.Entry(0).KeyNode, d.node.Entry(d.node.Len()-1).KeyNode
	if first.Kind() != Scalar || last.Kind() != Scalar {
		return Plain
	}
	flow := d.node.Style() == Flow
	style := w.needlessQuotes(first, flow)
	if style != w.needlessQuotes(last, flow) {
		return Plain
	}
	return style
}
