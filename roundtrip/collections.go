package roundtrip

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
)

// blockValue writes a block collection with kids. It returns false if blockSlots cannot
// locate the old entries.
func (w *writer) blockValue(d *draft, p site) (rope, int, bool) {
	slots, ok := blockSlots(w.src, d.node)
	if !ok {
		return nil, 0, false
	}
	from := w.setLines(d.node, p, slots)
	b := &blockWriter{writer: w, d: d, slots: slots, from: from, col: column(w.src, slots[0].start)}
	b.middle = !beginsLine(w.src, slots[0].start)
	b.write()
	return rope{}.old(p.at, from).add(b.out), slots[len(slots)-1].last, true
}

// setLines sets the lines of the slots of a block collection and returns the offset at
// which its text begins: the end of the line of its key, if it is on the lines below.
func (w *writer) setLines(n *yaml.Node, p site, slots []slot) int {
	first := &slots[0]
	if stop := lineEnd(w.src, w.markOf(n, p)); stop < first.start {
		setLines(w.src, slots, stop)
		return stop
	}
	if p.col >= 0 {
		setLines(w.src, slots, first.start)
		return first.start
	}
	setLines(w.src, slots, 0)
	w.keepHead(first)
	return first.lead
}

// keepHead leaves the first comment of a document to the document: it is not a comment of
// the first entry.
func (w *writer) keepHead(first *slot) {
	if first.lead == first.start {
		return
	}
	above := first.lead
	for {
		line := lineStart(w.src, beforeBreak(w.src, above))
		if line == above || !isBlankLine(w.src, line) {
			break
		}
		above = line
	}
	before := w.src[lineStart(w.src, beforeBreak(w.src, above)):above]
	if before == "" || strings.HasPrefix(before, "---") || strings.HasPrefix(before, "%") {
		first.lead = lineStart(w.src, first.start)
	}
}

// A blockWriter writes the entries or items of a block collection.
type blockWriter struct {
	*writer
	d      *draft
	slots  []slot
	from   int  // offset at which its text begins
	col    int  // column of its entries
	middle bool // the first entry follows a "-" on its line: "- a: 1"

	out     rope
	last    int  // index of the last slot that was written, or -1
	written bool // something was written
	between bool // the text before the next slot is written already
}

// write writes all kids, in their new order.
func (b *blockWriter) write() {
	b.last = -1
	settle(b.d.kids)
	for i, k := range b.d.kids {
		if !k.stays {
			next := -1 // the slot of the next kid that stays
			if j := slices.IndexFunc(b.d.kids[i:], func(k *kid) bool { return k.stays }); j >= 0 {
				next = b.d.kids[i+j].orig
			}
			b.add(b.lines(k), k.before, next)
			continue
		}
		if !b.between {
			b.put(b.gap(k.orig))
		}
		if k.orig == 0 && b.middle && len(b.out) > 0 {
			b.put(rope{}.new(blanks(b.col)))
		}
		b.put(b.chunk(k, b.slots[k.orig]))
		b.last, b.written, b.between = k.orig, true, false
	}
	b.end()
}

// put appends to the output. After a "-" on the same line the output begins without
// blanks.
func (b *blockWriter) put(r rope) {
	if b.middle && len(b.out) == 0 {
		r = r.trimLeft(b.src)
	}
	b.out = b.out.add(r)
}

// add writes the lines of a new or moved kid. If next is not negative, slot next is the
// following one.
func (b *blockWriter) add(lines string, before bool, next int) {
	if next >= 0 && !b.between && (before || !b.written) {
		b.put(b.gap(next))
		b.between = true
	}
	switch {
	case b.between:
		b.put(rope{}.new(lines + b.layout.breaks))
	case b.written:
		b.put(rope{}.new(b.layout.breaks + lines))
	default:
		b.put(rope{}.old(b.from, b.slots[0].lead).new(lines))
	}
	b.written = true
}

// gap returns the text between the last slot that was written and slot next, without the
// lines of the slots between them.
func (b *blockWriter) gap(next int) rope {
	r := rope{}
	start, i := b.from, 0
	if b.last >= 0 {
		start, i = b.slots[b.last].last, b.last+1
	}
	for ; i <= next; i++ {
		stop := b.slots[i].lead
		if i == next {
			return r.old(start, stop)
		}
		after := afterBreak(b.src, b.slots[i].last)
		if after < len(b.src) && isBlankLine(b.src, after) {
			stop = trimBlankLines(b.src, start, stop)
			// After a removed first entry its blank line goes, unless a comment precedes it:
			// the blank line separates that from the next entry.
			first := b.slots[0].lead
			above := lineStart(b.src, beforeBreak(b.src, first))
			belowComment := !b.middle && above != first && commentColumn(b.src, above) >= 0
			if i == 0 && !belowComment {
				after = skipBlankLines(b.src, after)
			}
		}
		r = r.old(start, stop)
		start = after
	}
	return r
}

// end writes the text after the last slot that was written, if the slots after it were
// removed.
func (b *blockWriter) end() {
	n := len(b.slots)
	if b.last == n-1 {
		return
	}
	if b.last < 0 {
		b.out = b.out.add(b.leftover(b.slots[1:], b.slots[0].last))
		return
	}
	r := rope{}
	start := b.slots[b.last].last
	for _, s := range b.slots[b.last+1:] {
		stop := s.lead
		after := afterBreak(b.src, s.last)
		if after >= len(b.src) || isBlankLine(b.src, after) {
			stop = trimBlankLines(b.src, start, stop)
		}
		r = r.old(start, stop)
		start = after
	}
	if k := len(r) - 1; k >= 0 { // without its last line break
		r[k].end = max(beforeBreak(b.src, r[k].end), r[k].start)
	}
	b.out = b.out.add(r)
}

// chunk writes the lines of an old entry or item.
func (b *blockWriter) chunk(k *kid, s slot) rope {
	if !k.renamed && !k.d.isChanged() {
		return rope{}.old(s.lead, s.last)
	}
	p := site{at: s.valueStart(), col: b.col, dash: b.d.node.Kind == yaml.SeqNode, last: s.last}
	p = p.takes(b.siblings(b.d, k), k.view())
	p.style = yaml.Plain
	return b.writer.chunk(origin{b.d.node, k.orig}, k, s, p)
}

// chunk writes the lines of an entry or item from position o. The place p is the place of its
// value.
func (w *writer) chunk(o origin, k *kid, s slot, p site) rope {
	if !o.isRenamed(k) && !k.d.isChanged() {
		return rope{}.old(s.lead, s.last)
	}
	r := rope{}.old(s.lead, s.start).add(w.upToValue(o, k, s, false))
	if s.mark < 0 && k.d.isChanged() {
		r = r.new(w.layout.breaks + blanks(p.col) + ":")
	}
	v, resume := w.value(k.view(), p)
	return r.add(v).old(resume, s.last)
}

// upToValue writes the text before the value of an entry or item from position o, with its
// new key.
func (w *writer) upToValue(o origin, k *kid, s slot, flow bool) rope {
	if !o.isRenamed(k) {
		return rope{}.old(s.start, s.valueStart())
	}
	key := o.keyNode()
	text := w.keyText(k.key.Value(), key.Style, flow)
	return rope{}.old(s.start, int(key.At.Start)).new(text).old(int(key.At.End), s.valueStart())
}

// lines returns the lines of a new or moved kid, without the last line break.
func (b *blockWriter) lines(k *kid) string {
	if k.orig < 0 {
		p := site{col: b.col, dash: b.d.kind() == yaml.SeqNode, last: -1}
		if b.last >= 0 && !b.between {
			p.last = b.slots[b.last].last
		}
		return blanks(b.col) + b.newEntry(b.d, k, p, b.dashGap(b.d, b.slots[0]))
	}
	s := b.slots[k.orig]
	text := b.chunk(k, s).string(b.src)
	if s.lead == s.start && !beginsLine(b.src, s.start) {
		text = blanks(b.col) + text
	}
	return text
}

// flowValue writes a flow collection. It returns false if flowSlots cannot locate the old
// items.
func (w *writer) flowValue(d *draft, p site) (rope, int, bool) {
	open, end := int(d.node.At.Start), int(d.node.At.End)
	if open >= len(w.src) || w.src[open] != '[' && w.src[open] != '{' {
		return w.pairValue(d, p)
	}
	slots, ok := flowSlots(w.src, d.node)
	if !ok {
		return nil, 0, false
	}
	settle(d.kids)
	f := &flowWriter{writer: w, d: d, slots: slots, open: open, inside: open + 1, end: end}
	if at := skipBlanks(w.src, f.inside); w.src[at] == '#' {
		f.inside = lineEnd(w.src, at) // the comment after the bracket belongs to the bracket
	}
	r := rope{}
	if p.colon {
		r = r.new(": ")
	}
	r = r.old(p.at, f.inside)
	switch {
	case len(d.kids) == 0:
		// The blanks of "[ a ]" stay if they are the same on both sides: "[ ]".
		before, after := w.src[f.inside:slots[0].start], w.src[slots[len(slots)-1].next:end-1]
		switch {
		case strings.Contains(after, "#"): // comments below the last item
			r = r.new(after)
		case f.inside > open+1: // the bracket cannot follow the comment on its line
			r = r.new(w.layout.breaks + indentOf(w.src, end-1))
		case before == after && !strings.ContainsAny(before, "\r\n"):
			r = r.new(before)
		}
	case len(slots) == 0:
		r = r.add(f.filled())
	default:
		r = r.add(f.items())
	}
	return r.old(end-1, end), end, true
}

// pairValue writes a map without brackets, such as the map in "[a: 1]", which gets them if it has to
// have another number of entries: "[{a: 1, b: 2}]". A comment after the value stays after it.
func (w *writer) pairValue(d *draft, p site) (rope, int, bool) {
	n := d.node
	if n.Kind != yaml.MapNode || n.Style != yaml.Flow || n.Len() != 1 || p.colon {
		return nil, 0, false
	}
	s, ok := flowSlot(w.src, n, 0, int(n.At.Start))
	if !ok || s.mark < 0 || len(d.kids) == 0 && strings.Contains(w.src[s.start:s.end], "#") {
		return nil, 0, false
	}
	s.comma, s.next = -1, s.end
	f := &flowWriter{writer: w, d: d, slots: []slot{s}, open: s.start, inside: s.start, end: s.end}
	settle(d.kids)
	r := rope{}.old(p.at, s.start)
	if len(d.kids) == 1 && d.kids[0].stays {
		return r.add(f.item(0)), s.end, true
	}
	r = r.new("{")
	for i, k := range d.kids {
		item := f.item(i)
		r = r.add(item)
		if i < len(d.kids)-1 {
			r = r.add(f.trailing(k, item, true)).new(w.layout.gap)
		}
	}
	return r.new("}"), s.end, true
}

// A flowWriter writes the text between the brackets of a flow collection.
type flowWriter struct {
	*writer
	d      *draft
	slots  []slot
	open   int // offset of the bracket
	inside int // offset after the bracket and the comment on its line
	end    int // offset after the closing bracket
}

// filled writes the inside of a collection that was empty.
func (f *flowWriter) filled() rope {
	inside := f.src[f.inside : f.end-1]
	indent := indentOf(f.src, f.open)
	parts := make([]string, len(f.d.kids))
	spread := f.spreads(f.d, site{}) || strings.ContainsAny(inside, "\r\n")
	inner := indent + f.layout.unit
	for i := range parts {
		parts[i] = f.flowItem(f.d, f.d.kids[i], inner, spread)
	}
	switch {
	case strings.Contains(inside, "#"):
		return rope{}.old(f.inside, f.end-1).new(strings.Join(parts, ", "))
	case spread:
		lead := f.layout.breaks + inner
		return rope{}.new(lead + strings.Join(parts, ","+lead) + f.layout.breaks + indent)
	}
	return rope{}.new(inside + strings.Join(parts, ","+f.layout.gap) + inside)
}

// items writes the items of a collection that was not empty.
func (f *flowWriter) items() rope {
	r := rope{}
	final := f.slots[len(f.slots)-1]
	newLine := false // the next item begins a line
	for i, k := range f.d.kids {
		var above []string
		var beside string
		if !k.stays && k.orig >= 0 {
			above, beside = f.flowComments(&origin{f.d.node, k.orig}, f.slots[k.orig])
		}
		for _, comment := range above {
			r = r.new(f.lineSeparator() + comment)
		}
		lead := f.lead(i)
		if (newLine || len(above) > 0) && !strings.ContainsAny(lead.string(f.src), "\r\n") {
			lead = rope{}.new(f.lineSeparator())
		}
		item := f.item(i)
		more := i < len(f.d.kids)-1 || final.comma >= 0
		r = r.add(lead).add(item).add(f.trailing(k, item, more))
		if newLine = beside != ""; newLine {
			r = r.new(" " + beside)
		}
		if k.stays {
			s := f.slots[k.orig]
			rest := f.src[s.end:s.next]
			newLine = strings.LastIndexByte(rest, '#') > strings.LastIndexAny(rest, "\r\n") // not before a comma below
		}
	}
	if newLine && !strings.ContainsAny(f.src[final.next:f.end-1], "\r\n") {
		r = r.new(f.layout.breaks + indentOf(f.src, f.open))
	}
	return r.old(final.next, f.end-1)
}

// lineSeparator returns the text before an item that begins a line.
func (f *flowWriter) lineSeparator() string {
	if s := f.separator(); strings.ContainsAny(s, "\r\n") {
		return s
	}
	return f.layout.breaks + indentOf(f.src, f.open) + f.layout.unit
}

// lead writes the text before an item, on its line and above it.
func (f *flowWriter) lead(i int) rope {
	k := f.d.kids[i]
	first := f.src[f.inside:f.slots[0].start]
	if k.stays {
		start := f.inside
		if k.orig > 0 {
			start = f.slots[k.orig-1].next
		}
		own := f.src[start:f.slots[k.orig].start]
		ownLine := strings.ContainsAny(own, "\r\n") && (i > 0 || strings.ContainsAny(first, "\r\n"))
		if (i == 0) == (k.orig == 0) || ownLine || strings.Contains(own, "#") {
			return rope{}.old(start, f.slots[k.orig].start)
		}
	}
	if i == 0 {
		if strings.Contains(first, "#") {
			first = lastBreak(first)
		}
		return rope{}.new(first)
	}
	return rope{}.new(f.separator())
}

// separator returns the text between the comma and a new item. Empty lines between old items
// are not repeated.
func (f *flowWriter) separator() string {
	n := len(f.slots)
	if n > 1 {
		return lastBreak(f.src[f.slots[n-2].next:f.slots[n-1].start])
	}
	if first := f.src[f.inside:f.slots[0].start]; strings.ContainsAny(first, "\r\n") {
		return lastBreak(first)
	}
	return f.layout.gap
}

// lastBreak returns the last line break in the text before an item, with the indentation; the
// text itself if it has none.
func lastBreak(s string) string {
	last := lineStart(s, len(s))
	return s[beforeBreak(s, last):]
}

// item writes an item itself.
func (f *flowWriter) item(i int) rope {
	k := f.d.kids[i]
	if k.orig < 0 {
		indent := indentOf(f.src, f.slots[0].start)
		if !beginsLine(f.src, f.slots[0].start) && !strings.ContainsAny(f.separator(), "\r\n") {
			indent = indentOf(f.src, f.open)
		}
		spread := f.spreads(f.d, site{}) && strings.ContainsAny(f.separator(), "\r\n")
		return rope{}.new(f.flowItem(f.d, k, indent, spread))
	}
	s := f.slots[k.orig]
	r := rope{}.old(s.start, s.end)
	if k.renamed || k.d.isChanged() {
		missing := f.d.node.Kind == yaml.MapNode && s.mark < 0
		p := site{at: s.valueStart(), last: s.end, flow: true, colon: missing}
		p.inline = f.siblings(f.d, k).flow
		r = f.upToValue(origin{f.d.node, k.orig}, k, s, true)
		v, resume := f.value(k.view(), p)
		r = r.add(v).old(resume, s.end)
	}
	if k.renamed && endsInColon(r.string(f.src)) {
		r = r.new(" ")
	}
	if k.stays {
		return r
	}
	return rope{}.new(r.string(f.src))
}

// endsInColon reports whether an item of a flow collection has no value after its colon. A blank has to
// follow it: most readers take "{a:}" and "{a:, b: 1}" for the key "a:".
func endsInColon(item string) bool { return strings.HasSuffix(item, ":") }

// trailing writes the text after an item: the comma, if there is to be one, and the comment
// on its line.
func (f *flowWriter) trailing(k *kid, item rope, comma bool) rope {
	if !k.stays {
		switch {
		case comma:
			return rope{}.new(f.newComma(item))
		case endsInColon(item.string(f.src)):
			return rope{}.new(" ")
		}
		return nil
	}
	s := f.slots[k.orig]
	r := rope{}
	switch {
	case comma && s.comma >= 0:
		return r.old(s.end, s.next)
	case comma:
		return r.new(f.newComma(item)).old(s.end, s.next)
	case s.comma >= 0:
		between := strings.TrimRight(f.src[s.end:s.comma], " \t\r\n")
		if between == "" && endsInColon(item.string(f.src)) {
			r = r.new(" ")
		}
		r = r.old(s.end, s.end+len(between)) // a comment
		return r.old(s.comma+1, s.next)
	}
	return r.old(s.end, s.next)
}

// newComma returns the comma after an item that had none. After a colon without a value, and
// after a tag, a blank has to precede it: "!t," would be the tag "t,".
func (f *flowWriter) newComma(item rope) string {
	text := item.string(f.src)
	word := text[strings.LastIndexAny(text, " \t\r\n")+1:]
	if endsInColon(text) || strings.HasPrefix(word, "!") {
		return " ,"
	}
	return ","
}
