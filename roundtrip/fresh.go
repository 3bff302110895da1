package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// newEntry writes kid i of a block collection that has none of its own yet, without
// the indentation of its first line. slots are those of the collection, or nil.
func (w *writer) newEntry(d *draft, i int, p place, slots []slot) string {
	k := d.kids[i]
	if p.dash {
		p.last = w.siblingEnd(slots)
		return "-" + w.after(k.view(), w.asSibling(d, i, p), w.siblingGap(d, slots))
	}
	p.last = w.siblingEnd(slots)
	return w.keyText(k.key, Plain, false) + ":" + w.after(k.view(), w.asSibling(d, i, p), "")
}

// siblingEnd returns where the last slot ends.
func (w *writer) siblingEnd(slots []slot) int {
	if len(slots) == 0 {
		return len(w.src)
	}
	return slots[len(slots)-1].last
}

// siblingGap returns the blanks behind the first "-" of a list.
func (w *writer) siblingGap(d *draft, slots []slot) string {
	if len(slots) == 0 || d.fresh {
		return " "
	}
	at := slots[0].mark
	gap := w.src[at:skipBlanks(w.src, at)]
	if isRest(w.src, at) || strings.Trim(gap, " ") != "" {
		return " "
	}
	return gap
}

// asSibling returns the place of kid i with the style that its siblings suggest.
func (w *writer) asSibling(d *draft, i int, p place) place {
	p.style, p.inline = w.siblingStyle(d, i)
	return p
}

// siblingStyle returns the quotes that the kids before i have although they need
// none, and whether collections among them are in flow style.
func (w *writer) siblingStyle(d *draft, i int) (style Style, flow bool) {
	const near = 8
	scalar, collection := false, false
	for j := i - 1; j >= max(i-near, 0) && !(scalar && collection); j-- {
		n := d.kids[j].node
		if n == nil {
			continue
		}
		switch {
		case n.Kind() == Scalar && n.Scalar().Is(value.StringKind) && !scalar:
			scalar = true
			if _, plain := w.syntax.ScalarText(n.Scalar(), Plain, d.style() == Flow); plain && (n.Style() == SingleQuoted || n.Style() == DoubleQuoted) {
				style = n.Style()
			}
		case (n.Kind() == Map || n.Kind() == List) && n.Len() > 0 && !collection:
			collection, flow = true, w.isOnLine(n)
		}
	}
	return style, flow
}

// isOnLine reports whether a collection has the style of those on one line.
func (w *writer) isOnLine(n Node) bool {
	return n.Style() == Flow && (w.syntax.Blocks() || !strings.ContainsAny(n.At().Text(), "\r\n"))
}

// style returns the style of a collection.
func (d *draft) style() Style {
	if d.fresh || d.node == nil {
		return Block
	}
	return d.node.Style()
}

// after writes a value that is new behind ":" or "-", with what stands between.
// gap are the blanks behind "-".
func (w *writer) after(d *draft, p place, gap string) string {
	props := w.properties(d)
	switch kind := d.kind(); {
	case kind == Scalar:
		text, lines := w.scalar(d.scalar(), p.style, p, nil)
		return " " + props + text + lines
	case kind == Alias || w.count(d) == 0 || p.inline || d.style() == Flow && !d.fresh || !w.syntax.Blocks():
		return " " + props + w.inlineOf(d, p)
	case p.dash && props == "":
		if gap == "" {
			gap = " "
		}
		return gap + w.body(d, p.col+1+len(gap))
	}
	col := w.columnBelow(d, p)
	return strings.TrimRight(" "+props, " ") + w.layout.breaks + blanks(col) + w.body(d, col)
}

// properties writes tag and anchor with a blank behind each.
func (w *writer) properties(d *draft) string {
	out := ""
	if d.kind() == Alias {
		return out
	}
	if tag := d.tagName(); tag != "" {
		out = tag + " "
	}
	if anchor := d.anchor(); anchor != "" {
		out += "&" + anchor + " "
	}
	return out
}

// body writes the entries or items of a collection in block style at a column. The
// first line has no indentation, the last one no break.
func (w *writer) body(d *draft, col int) string {
	if w.depth++; w.depth > maxDepth {
		w.tooDeep(d)
	}
	defer func() { w.depth-- }()
	var b strings.Builder
	for i := range w.kids(d) {
		if w.err != nil {
			break
		}
		if i > 0 {
			b.WriteString(w.layout.breaks + blanks(col))
		}
		b.WriteString(w.newEntry(d, i, place{col: col, dash: d.kind() == List}, nil))
	}
	return b.String()
}

// maxDepth is how deep values are nested that are written.
const maxDepth = 1_000

func (w *writer) tooDeep(d *draft) {
	w.fail(source.Errorf(w.span(d), source.Limit, "the value is nested more than %d deep", maxDepth))
}

// inline writes a map or list in flow style in the place of an old value.
func (w *writer) inline(d *draft, p place) string {
	at := p.at
	if d.node != nil {
		at = int(d.node.At().Start)
	}
	return w.flowText(d, indentOf(w.src, at), w.spreads(d, p))
}

// inlineOf writes a map, a list or an alias in flow style in a new place.
func (w *writer) inlineOf(d *draft, _ place) string { return w.flowText(d, "", false) }

// spreads reports whether a collection in JSON has a line for each item.
func (w *writer) spreads(d *draft, p place) bool {
	if w.syntax.Blocks() || w.layout.unit == "" {
		return false
	}
	if n := d.node; n != nil && (n.Kind() == Map || n.Kind() == List) && n.Len() > 0 {
		return strings.ContainsAny(n.At().Text(), "\r\n")
	}
	return !p.inline
}

// flowText writes a map, a list or an alias in flow style: on one line, or with a
// line for each item below the indentation of its own line.
func (w *writer) flowText(d *draft, indent string, spread bool) string {
	if d.kind() == Alias {
		name, _ := d.node.Anchor()
		return "*" + name
	}
	if w.depth++; w.depth > maxDepth {
		w.tooDeep(d)
	}
	defer func() { w.depth-- }()
	kids := w.kids(d)
	if len(kids) == 0 {
		return bareText(d.kind())
	}
	inner := indent + w.layout.unit
	separator, lead, trail := ","+w.layout.gap, "", ""
	if spread {
		lead, trail = w.layout.breaks+inner, w.layout.breaks+indent
		separator = "," + lead
	}
	var b strings.Builder
	b.WriteString(bareText(d.kind())[:1] + lead)
	for i := range kids {
		if w.err != nil {
			break
		}
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(w.flowItem(d, i, inner, spread))
	}
	b.WriteString(trail + bareText(d.kind())[1:])
	return b.String()
}

// flowItem writes kid i of a collection in flow style.
func (w *writer) flowItem(d *draft, i int, indent string, spread bool) string {
	k := d.kids[i]
	out := ""
	style, flow := w.siblingStyle(d, i)
	if d.kind() == Map {
		out = w.keyText(k.key, w.siblingKeyStyle(d, i), true) + ":" + w.layout.colon
	}
	v := k.view()
	if v.kind() == Scalar {
		text, _ := w.scalar(v.scalar(), style, place{flow: true}, nil)
		return out + w.properties(v) + text
	}
	return out + w.properties(v) + w.flowText(v, indent, spread && !flow)
}

// siblingKeyStyle returns the quotes that the key before kid i has although it needs
// none.
func (w *writer) siblingKeyStyle(d *draft, i int) Style {
	for j := i - 1; j >= 0; j-- {
		k := d.kids[j]
		if k.orig < 0 {
			continue
		}
		key := d.node.Entry(k.orig).KeyNode
		if key.Kind() != Scalar || key.Style() == Plain {
			return Plain
		}
		if _, plain := w.syntax.ScalarText(key.Scalar(), Plain, true); plain {
			return key.Style()
		}
	}
	return Plain
}
