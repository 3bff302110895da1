package roundtrip

import (
	"strings"
	"unicode"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// newEntry writes a kid of a block collection that is not in its old text, without the
// indentation of its first line. The gap is the blanks after a "-".
func (w *writer) newEntry(d *draft, k *kid, p site, gap string) string {
	if k.from != nil {
		if text, ok := w.movedEntry(d, k, p); ok {
			return text
		}
		w.movedAnew(d, k)
	}
	p = p.takes(w.siblings(d, k), k.view())
	p.inline = (p.inline || k.view().form == inFlow) && !isNoted(k.view())
	if k.note != nil {
		if comment := strings.Join(commentLines(k.note.Line), " "); comment != "" {
			p.comment = " " + comment
		}
	}
	text := "-"
	if p.dash {
		text += w.after(k.view(), p, gap)
	} else {
		text = w.keyText(w.keyValue(k), w.siblingKeyStyle(d), false) + ":" + w.after(k.view(), p, "")
	}
	return w.head(k, p.col) + text + w.foot(d, k, p.col)
}

// dashGap returns the blanks after the first "-" of a list.
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

// after writes a new value after ":" or "-", with the space between them. The gap is the
// blanks after "-".
func (w *writer) after(d *draft, p site, gap string) string {
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

// ownStyle returns the style of an old scalar, or the given one for a new scalar.
func (d *draft) ownStyle(otherwise yaml.Style) yaml.Style {
	if d.fresh {
		return otherwise
	}
	return d.node.Style
}

// properties writes tag and anchor, each with a blank after it.
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

// body writes the entries or items of a collection in block style at a column. The first
// line has no indentation, the last one no line break. The old text continues at the
// offset last.
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
		p := site{col: col, dash: d.kind() == yaml.SeqNode, last: -1}
		if i == len(kids)-1 {
			p.last = last
		}
		b.WriteString(w.newEntry(d, kids[i], p, " "))
	}
	return b.String()
}

// maxDepth bounds the depth of values that are written.
const maxDepth = 1_000

func (w *writer) tooDeep(d *draft) {
	w.fail(source.Errorf(w.span(d), source.Limit, "the value is nested more than %d deep", maxDepth))
}

// spreads reports whether a collection in JSON has a line for each item.
func (w *writer) spreads(d *draft, p site) bool {
	if w.syntax.blocks() || w.layout.unit == "" {
		return false
	}
	if n := d.node; n != nil && (n.Kind == yaml.MapNode || n.Kind == yaml.SeqNode) && n.Len() > 0 {
		return strings.ContainsAny(n.At.Text(), "\r\n")
	}
	return !p.inline
}

// flowText writes a map, list or alias in flow style: on one line, or with spread, each
// item on a line of its own. The indentation is the one of the line that the collection
// begins on.
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
		text, _ := w.scalar(v.scalar(), v.ownStyle(near.quotes), site{flow: true}, nil)
		return out + w.properties(v) + text
	}
	return out + w.properties(v) + w.flowText(v, indent, spread && !near.flow)
}

// annotate gives a new kid the comments and style of its source.
func (k *kid) annotate(note *value.Annotation) {
	if note == nil {
		return
	}
	k.note = note
	k.spelling = note.KeySpelling
	k.d.form = inBlock
	if note.Flow {
		k.d.form = inFlow
	}
	if k.d.tag == "" {
		k.d.tag = note.Tag
	}
}

// keyValue returns the key as a scalar with its spelling from the source. Keys of JSON are
// text.
func (w *writer) keyValue(k *kid) value.Value {
	v := k.key.Value()
	switch {
	case !w.syntax.blocks():
		return value.String(k.key.Text)
	case k.spelling == "":
		return v
	case v.Is(value.StringKind):
		return v.WithSource(value.Scalar{Plain: k.spelling == k.key.Text})
	}
	return v.WithSource(value.Scalar{Plain: true, Spelling: k.spelling})
}

// head returns the comments above a new entry in a column, with the line break and blanks
// after each.
func (w *writer) head(k *kid, col int) string {
	if k.note == nil {
		return ""
	}
	var b strings.Builder
	for _, line := range commentLines(k.note.Head) {
		b.WriteString(line + w.layout.breaks + blanks(col))
	}
	return b.String()
}

// foot returns the comments below a new entry in a column, with the line break and blanks
// before each. An empty line separates them from the next entry.
func (w *writer) foot(d *draft, k *kid, col int) string {
	if k.note == nil {
		return ""
	}
	var b strings.Builder
	for _, line := range commentLines(k.note.Foot) {
		b.WriteString(w.layout.breaks + blanks(col) + line)
	}
	if b.Len() > 0 && k.at < len(d.kids)-1 {
		b.WriteString(w.layout.breaks)
	}
	return b.String()
}

// commentLines returns the lines of a comment, each as a comment: "x" becomes "# x".
func commentLines(text string) []string {
	printable := func(r rune) rune { // -1 for a character that is not allowed in a comment
		if r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(strings.Map(printable, line))
		if line != "" && line[0] != '#' {
			line = "# " + line
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// isNoted reports whether the new value of a draft has comments, which flow style has no
// place for.
func isNoted(d *draft) bool {
	looked := maxLooked
	return hasNotes(d, &looked, 0)
}

func hasNotes(d *draft, looked *int, depth int) bool {
	if !d.fresh && !d.open || d.kind() == yaml.ScalarNode || depth > maxDepth {
		return false
	}
	kids, err := d.children()
	if err != nil {
		return false
	}
	for _, k := range kids {
		if *looked--; *looked < 0 {
			return false
		}
		if k.note != nil && (k.note.Head != "" || k.note.Line != "" || k.note.Foot != "") || hasNotes(k.view(), looked, depth+1) {
			return true
		}
	}
	return false
}

// A siblingForm is the style of the values near a kid, which a new kid gets as well.
type siblingForm struct {
	quotes yaml.Style // quotes of scalars that could be plain

	// The style of collections of the same kind:
	flow  bool // on one line in flow style
	block bool // in block style below their entry,
	below int  // and this many columns to its right
}

// siblings returns the style of the values near a kid.
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
			collection = true
			out.flow = n.Style == yaml.Flow && (w.syntax.blocks() || !strings.ContainsAny(n.At.Text(), "\r\n"))
			if out.block = n.Style == yaml.Block && d.kind() == yaml.MapNode; out.block {
				out.below = column(w.src, int(n.At.Start)) - column(w.src, int(d.node.At.Start))
			}
		}
	}
	return out
}

// takes returns the place with the style of the values near it, as far as it suits d.
func (p site) takes(f siblingForm, d *draft) site {
	p.style, p.inline = f.quotes, f.flow
	p.near, p.below = f.block, f.below
	if p.inline && d.fresh && !p.flow {
		room := lineWidth - max(p.col, 0)
		p.inline = fitsLine(d, &room)
	}
	return p
}

// lineWidth bounds a new line in flow style among lines in block style.
const lineWidth = 80

// fitsLine subtracts the approximate width of a value in flow style from room, and reports
// whether the value fits.
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

// needlessQuotes returns the style of a quoted scalar that could be plain; otherwise it
// returns Plain.
func (w *writer) needlessQuotes(n *yaml.Node, flow bool) yaml.Style {
	if n.Style != yaml.SingleQuoted && n.Style != yaml.DoubleQuoted {
		return yaml.Plain
	}
	if _, plain := w.syntax.scalarText(n.Value, yaml.Plain, flow); !plain {
		return yaml.Plain
	}
	return n.Style
}

// neighbours returns the old values near a kid: the values before it, the nearest first, then
// the values after it.
func neighbours(d *draft, k *kid) []*yaml.Node {
	if d.fresh {
		return nil // all of it is new
	}
	const near = 8
	var out []*yaml.Node
	add := func(i int) {
		if n := d.kids[i].node; n != nil {
			out = append(out, n)
		}
	}
	for i := k.at - 1; i >= max(k.at-near, 0); i-- {
		add(i)
	}
	for i := k.at + 1; i < min(k.at+near, len(d.kids)); i++ {
		add(i)
	}
	return out
}

// siblingKeyStyle returns the quotes of the first and the last key of a map, if both have
// the same and could be plain; otherwise Plain.
func (w *writer) siblingKeyStyle(d *draft) yaml.Style {
	if d.fresh || d.node == nil || d.node.Kind != yaml.MapNode || d.node.Len() == 0 {
		return yaml.Plain
	}
	first, last := d.node.Entries[0].KeyNode(), d.node.Entries[d.node.Len()-1].KeyNode()
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
