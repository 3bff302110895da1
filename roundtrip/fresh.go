package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// newEntry writes a kid of a block collection that has none of its own yet, without
// the indentation of its first line. gap are the blanks behind a "-".
func (w *writer) newEntry(d *draft, k *kid, p place, gap string) string {
	if k.from != nil {
		if text, ok := w.movedEntry(d, k, p); ok {
			return text
		}
		w.movedAnew(d, k)
	}
	p = p.takes(w.siblings(d, k), k.view())
	p.inline = (p.inline || k.view().form == inFlow) && !isNoted(k.view())
	p.comment = lineComment(k)
	text := "-"
	if p.dash {
		text += w.after(k.view(), p, gap)
	} else {
		text = w.keyText(w.keyValue(k), w.siblingKeyStyle(d), false) + ":" + w.after(k.view(), p, "")
	}
	return w.head(k, p.col) + text + w.foot(d, k, p.col)
}

// dashGap returns the blanks behind the first "-" of a list.
func (w *writer) dashGap(d *draft, first slot) string {
	if d.kind() != yaml.SeqNode || isRest(w.src, first.mark) {
		return " "
	}
	gap := w.src[first.mark:skipBlanks(w.src, first.mark)]
	if strings.Trim(gap, " ") != "" {
		return " "
	}
	return gap
}

// style returns the style of a collection.
func (d *draft) style() yaml.Style {
	if d.fresh || d.node == nil {
		return yaml.Block
	}
	return d.node.Style
}

// after writes a value that is new behind ":" or "-", with what stands between.
// gap are the blanks behind "-".
func (w *writer) after(d *draft, p place, gap string) string {
	props := w.properties(d)
	switch kind := d.kind(); {
	case kind == yaml.ScalarNode:
		text, lines := w.scalar(d.scalar(), d.ownStyle(p.style), p, nil)
		return " " + props + text + p.comment + lines
	case kind == yaml.AliasNode || w.count(d) == 0 || p.inline || d.style() == yaml.Flow && !d.fresh || !w.syntax.blocks():
		return " " + props + w.flowText(d, "", w.spreads(d, p)) + p.comment
	case p.dash && props == "" && p.comment == "":
		return gap + w.body(d, p.col+1+len(gap), p.last)
	}
	col := w.columnBelow(d, p)
	return strings.TrimRight(" "+props, " ") + p.comment + w.layout.breaks + blanks(col) + w.body(d, col, p.last)
}

// ownStyle returns the style that a scalar had, or the one given for a new one.
func (d *draft) ownStyle(otherwise yaml.Style) yaml.Style {
	if d.fresh {
		return otherwise
	}
	return d.node.Style
}

// properties writes tag and anchor with a blank behind each.
func (w *writer) properties(d *draft) string {
	out := ""
	if d.kind() == yaml.AliasNode {
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
// first line has no indentation, the last one no break. last is where the old text
// goes on behind it.
func (w *writer) body(d *draft, col, last int) string {
	if w.depth++; w.depth > maxDepth {
		w.tooDeep(d)
	}
	defer func() { w.depth-- }()
	var b strings.Builder
	kids := w.kids(d)
	settle(kids)
	for i := range kids {
		if w.err != nil {
			break
		}
		if i > 0 {
			b.WriteString(w.layout.breaks + blanks(col))
		}
		p := place{col: col, dash: d.kind() == yaml.SeqNode, last: -1}
		if i == len(kids)-1 {
			p.last = last
		}
		b.WriteString(w.newEntry(d, kids[i], p, " "))
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
		at = int(d.node.At.Start)
	}
	return w.flowText(d, indentOf(w.src, at), w.spreads(d, p))
}

// spreads reports whether a collection in JSON has a line for each item.
func (w *writer) spreads(d *draft, p place) bool {
	if w.syntax.blocks() || w.layout.unit == "" {
		return false
	}
	if n := d.node; n != nil && (n.Kind == yaml.MapNode || n.Kind == yaml.SeqNode) && n.Len() > 0 {
		return strings.ContainsAny(n.At.Text(), "\r\n")
	}
	return !p.inline
}

// flowText writes a map, a list or an alias in flow style: on one line, or with a
// line for each item below the indentation of its own line.
func (w *writer) flowText(d *draft, indent string, spread bool) string {
	if d.kind() == yaml.AliasNode {
		return "*" + d.node.Anchor
	}
	if w.depth++; w.depth > maxDepth {
		w.tooDeep(d)
	}
	defer func() { w.depth-- }()
	kids := w.kids(d)
	settle(kids)
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
		b.WriteString(w.flowItem(d, kids[i], inner, spread))
	}
	b.WriteString(trail + bareText(d.kind())[1:])
	return b.String()
}

// flowItem writes a kid of a collection in flow style.
func (w *writer) flowItem(d *draft, k *kid, indent string, spread bool) string {
	if k.from != nil {
		if text, ok := w.movedItem(d, k, indent); ok {
			return text
		}
		w.movedAnew(d, k)
	}
	out := ""
	near := w.siblings(d, k)
	if d.kind() == yaml.MapNode {
		out = w.keyText(w.keyValue(k), w.siblingKeyStyle(d), true) + ":" + w.layout.colon
	}
	v := k.view()
	if v.kind() == yaml.ScalarNode {
		text, _ := w.scalar(v.scalar(), v.ownStyle(near.quotes), place{flow: true}, nil)
		return out + w.properties(v) + text
	}
	return out + w.properties(v) + w.flowText(v, indent, spread && !near.flow)
}
