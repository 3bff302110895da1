package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// movedEntry writes an entry or item of a block collection that comes from another map or
// list: its old text with its comments, at its new indentation. It returns false if it has
// to be written from scratch.
func (w *writer) movedEntry(d *draft, k *kid, p site) (string, bool) {
	s, ok := w.originSlot(k.from)
	switch {
	case !ok || w.afresh:
		return "", false
	case k.from.node.Style == yaml.Flow:
		return w.outOfFlow(d, k, s, p), true
	case k.from.node.Kind != d.kind():
		return w.turned(d, k, s, p), true
	}
	col := column(w.src, s.start)
	inner := site{at: s.mark, col: col, dash: p.dash, last: s.last}
	text := w.chunk(*k.from, k, s, inner).string(w.src)
	return shifted(strings.TrimLeft(text, " "), p.col-col), true
}

// originSlot returns the slot of a moved entry or item, or false if oldSlots cannot locate
// it.
func (w *writer) originSlot(o *origin) (slot, bool) {
	slots := w.oldSlots(o.node)
	if slots == nil {
		return slot{}, false
	}
	return slots[o.index], true
}

// oldSlots returns the slots of a map or list in the old text, or nil if they cannot be
// located. The result is cached: several entries of one map may move.
func (w *writer) oldSlots(n *yaml.Node) []slot {
	slots, known := w.slots[n]
	if known {
		return slots
	}
	ok := false
	if n.Style == yaml.Flow {
		slots, ok = flowSlots(w.src, n)
	} else if p, understood := w.oldPlace(n); understood {
		if slots, ok = blockSlots(w.src, n); ok {
			w.setLines(n, p, slots)
		}
	}
	if !ok {
		slots = nil
	}
	w.slots[n] = slots
	return slots
}

// oldPlace returns the place of a block collection in the old text, as far as
// [writer.setLines] needs it.
func (w *writer) oldPlace(n *yaml.Node) (site, bool) {
	o, ok := w.holder(n)
	if !ok {
		return site{col: -1}, true
	}
	slots, ok := blockSlots(w.src, o.node)
	if !ok {
		return site{}, false
	}
	s := slots[o.index]
	return site{at: s.mark, col: column(w.src, s.start)}, true
}

// holder returns the position of a map or list in the old tree, or false for the root.
func (e *editor) holder(n *yaml.Node) (origin, bool) {
	if e.holders == nil {
		e.holders = map[*yaml.Node]origin{}
		e.findHolders(e.docs[e.number].Root)
	}
	o, ok := e.holders[n]
	return o, ok
}

func (e *editor) findHolders(n *yaml.Node) {
	for i := range n.Len() {
		if child := n.Child(i); child != nil && child.Len() > 0 {
			e.holders[child] = origin{n, i}
			e.findHolders(child)
		}
	}
}

// turned writes an entry as an item, or an item as an entry.
func (w *writer) turned(d *draft, k *kid, s slot, p site) string {
	col := column(w.src, s.start)
	above := ""
	if line := lineStart(w.src, s.start); s.lead < line {
		above = shifted(strings.TrimLeft(w.src[s.lead:line], " "), p.col-col) + blanks(p.col)
	}
	head := "-"
	if !p.dash {
		head = w.keyText(k.key.Value(), yaml.Plain, false) + ":"
	}
	v := k.view()
	at := s.valueStart() // of "? key" the end of the key
	r, resume := w.value(v, site{at: at, col: col, dash: !p.dash, last: s.last})
	text := r.old(resume, s.last).string(w.src)
	if n := v.node; v.fresh || n.Style != yaml.Block || n.Len() == 0 || len(v.kids) == 0 && v.open {
		return above + head + shifted(text, p.col-col)
	}
	return above + head + w.turnedBlock(v, text, at, p)
}

// turnedBlock writes the value of an entry as the value of an item, or the other way round. The
// value is a block collection, and text its text after the mark.
func (w *writer) turnedBlock(v *draft, text string, mark int, p site) string {
	start := int(v.node.At.Start)
	before := w.src[mark:start]
	to := p.col + w.layout.step
	switch {
	case p.dash:
		to = p.col + len("- ")
	case v.node.Kind == yaml.SeqNode:
		to = p.col + w.layout.dash
	}
	text = shifted(text, to-column(w.src, start))
	switch {
	case !strings.ContainsAny(before, "\r\n"):
		return w.layout.breaks + blanks(to) + strings.TrimLeft(text, " ")
	case p.dash && strings.TrimSpace(before) == "":
		return " " + strings.TrimLeft(text, " \r\n")
	}
	return text
}

// outOfFlow writes an item of a flow collection as one in block style, with the comments
// above it and on its line.
func (w *writer) outOfFlow(d *draft, k *kid, s slot, p site) string {
	above, beside := w.flowComments(k.from, s)
	var b strings.Builder
	for _, comment := range above {
		b.WriteString(comment + w.layout.breaks + blanks(p.col))
	}
	text := w.flowValueText(k, s, blanks(p.col))
	switch {
	case p.dash:
		b.WriteString("-")
	default:
		b.WriteString(w.movedKey(k, s, false) + ":")
	}
	if text != "" {
		b.WriteString(" " + text)
	}
	if beside != "" {
		b.WriteString(" " + beside)
	}
	return b.String()
}

// movedItem writes an item of a flow collection that comes from another map or list. It
// returns false if it has to be written from scratch.
func (w *writer) movedItem(d *draft, k *kid, indent string) (string, bool) {
	s, ok := w.originSlot(k.from)
	if !ok || w.afresh || k.from.node.Style != yaml.Flow {
		return "", false
	}
	if above, beside := w.flowComments(k.from, s); len(above) > 0 || beside != "" {
		return "", false
	}
	text := w.flowValueText(k, s, indent)
	switch {
	case d.kind() == yaml.MapNode && text == "":
		return w.movedKey(k, s, true) + ": ", true
	case d.kind() == yaml.MapNode:
		return w.movedKey(k, s, true) + ":" + w.colonGap(k, s) + text, true
	case text == "":
		return "", false
	}
	return text, true
}

// colonGap returns the blanks after the colon of a moved entry of a flow map.
func (w *writer) colonGap(k *kid, s slot) string {
	if k.from.node.Kind != yaml.MapNode || s.mark < 0 {
		return w.layout.colon
	}
	gap := w.src[s.mark:skipBlanks(w.src, s.mark)]
	if gap == "" && w.syntax.blocks() {
		return w.layout.colon
	}
	return gap
}

// movedKey returns the key of an entry from a flow collection, in its old spelling if it
// is the same.
func (w *writer) movedKey(k *kid, s slot, flow bool) string {
	if k.from.node.Kind == yaml.MapNode {
		if !k.from.isRenamed(k) {
			return w.src[s.start:s.keyEnd]
		}
		return w.keyText(k.key.Value(), k.from.keyNode().Style, flow)
	}
	style := yaml.Plain
	if !w.syntax.blocks() {
		style = yaml.DoubleQuoted
	}
	return w.keyText(k.key.Value(), style, flow)
}

// flowValueText returns the value of an item of a flow collection. Its further lines get
// the given indentation.
func (w *writer) flowValueText(k *kid, s slot, indent string) string {
	at := s.start
	if k.from.node.Kind == yaml.MapNode {
		at = s.valueStart()
	}
	v := k.view()
	if isEmpty(v.node) && !v.isChanged() && v.anchor() == "" && v.tagName() == "" {
		return ""
	}
	r, resume := w.value(v, site{at: at, last: s.end, flow: true})
	text := r.old(resume, s.end).string(w.src)
	if trimmed := strings.TrimLeft(text, " \t\r\n"); !strings.HasPrefix(trimmed, "#") {
		text = trimmed
	}
	return reindented(text, indentOf(w.src, s.start), indent)
}

// flowComments returns the comments of an item of a flow collection: those on lines above
// it, and the one on its own line.
func (w *writer) flowComments(o *origin, s slot) (above []string, beside string) {
	start := int(o.node.At.Start) + 1
	if o.index > 0 {
		start = w.oldSlots(o.node)[o.index-1].next
	} else if at := skipBlanks(w.src, start); w.src[at] == '#' {
		start = lineEnd(w.src, at) // that comment belongs to the bracket
	}
	for line := range strings.Lines(w.src[start:s.start]) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			above = append(above, line)
		}
	}
	if _, comment, ok := strings.Cut(w.src[s.end:s.next], "#"); ok {
		beside = "#" + comment
	}
	return above, beside
}

// losesComments reports whether a moved entry or item has comments, which writing it from
// scratch would lose.
func (w *writer) losesComments(k *kid) bool {
	child := k.from.node.Child(k.from.index)
	s, ok := w.originSlot(k.from)
	switch {
	case !ok:
		return w.hasComment(k.from.node)
	case k.from.node.Style == yaml.Flow:
		above, beside := w.flowComments(k.from, s)
		return len(above) > 0 || beside != "" || w.hasComment(child)
	}
	g := gaps{src: w.src, at: s.lead}
	if key := k.from.keyNode(); key != nil {
		g.node(key)
	}
	g.node(child)
	g.upTo(s.last)
	return g.found
}

// movedAnew refuses to write a moved entry or item with comments from scratch.
func (w *writer) movedAnew(d *draft, k *kid) {
	if w.losesComments(k) {
		w.fail(source.Refuse(w.span(k.d), source.LosesComments, "the moved value can only be written anew, but it has comments").
			WithHint("take the comments out first, or edit it by hand"))
	}
}

// shifted returns lines with more blanks before each, or fewer. The first line stays.
func shifted(text string, by int) string {
	if by == 0 {
		return text
	}
	return mapLines(text, func(line string) string {
		switch {
		case lineEnd(line, 0) == 0:
			return line
		case by > 0:
			return blanks(by) + line
		}
		return line[min(-by, len(line)-len(strings.TrimLeft(line, " "))):]
	})
}

// reindented returns lines with another indentation. The first line stays.
func reindented(text, from, to string) string {
	if from == to {
		return text
	}
	return mapLines(text, func(line string) string {
		if rest, ok := strings.CutPrefix(line, from); ok && !isBlankLine(line, 0) {
			return to + rest
		}
		return line
	})
}

// mapLines returns a text with f applied to each line but the first. Lines have their
// break.
func mapLines(text string, f func(line string) string) string {
	var b strings.Builder
	for start := 0; start < len(text); {
		next := afterBreak(text, lineEnd(text, start))
		line := text[start:next]
		if start > 0 {
			line = f(line)
		}
		b.WriteString(line)
		start = next
	}
	return b.String()
}

// hasComment reports whether a comment is between the parts of a node or in the header
// of a block scalar.
func (w *writer) hasComment(n *yaml.Node) bool {
	g := gaps{src: w.src, at: int(n.At.Start)}
	g.node(n)
	return g.found
}

// gaps searches the text between the scalars of a tree for comments, in the order of the
// text.
type gaps struct {
	src   string
	at    int
	found bool
}

func (g *gaps) node(n *yaml.Node) {
	switch {
	case n.Kind == yaml.MapNode || n.Kind == yaml.SeqNode:
		for child := range nodesIn(n) {
			g.node(child)
		}
		if n.Style == yaml.Flow {
			g.upTo(int(n.At.End))
		}
		return
	case isEmpty(n):
		return
	}
	g.upTo(int(n.At.Start))
	g.at = max(g.at, int(n.At.End))
	switch {
	case isBlockScalar(n):
		header, _, _ := strings.Cut(n.At.Text(), "\n")
		g.found = g.found || strings.Contains(header, "#")
	case n.Style < yaml.Literal && isRest(g.src, g.at):
		g.upTo(lineEnd(g.src, g.at))
	}
}

// upTo searches the text up to an offset.
func (g *gaps) upTo(end int) {
	for ; g.at < end; g.at++ {
		g.found = g.found || g.src[g.at] == '#' && (g.at == 0 || isBlank(g.src[g.at-1]) || g.src[g.at-1] == '\n' || g.src[g.at-1] == '\r')
	}
}
