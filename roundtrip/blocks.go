package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
)

// blockValue writes a block collection that has kids, and returns false if it is
// written in a way that is not understood.
func (w *writer) blockValue(d *draft, p place) (rope, int, bool) {
	slots, ok := blockSlots(w.src, d.node)
	if !ok {
		return nil, 0, false
	}
	from := w.setLines(d.node, p, slots)
	b := &blockWriter{writer: w, d: d, slots: slots, from: from, col: column(w.src, slots[0].start)}
	b.middle = !beginsLine(w.src, slots[0].start)
	return rope{}.old(p.at, from).add(b.write()), slots[len(slots)-1].last, true
}

// setLines finds the lines of the slots of a block collection, and returns where its
// text begins: behind the line of its key if it stands below it.
func (w *writer) setLines(n *yaml.Node, p place, slots []slot) int {
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

// keepHead leaves the first comment of a document to the document.
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
	from   int  // where its text begins
	col    int  // of its entries
	middle bool // the first entry stands behind a "-" on its line

	out     rope
	last    int  // the last slot that was written, or -1
	written bool // anything
	between bool // what lies before the next slot is written
}

func (b *blockWriter) write() rope {
	b.last = -1
	settle(b.d.kids)
	for i, k := range b.d.kids {
		if k.stays {
			b.keep(k)
			continue
		}
		b.add(b.lines(k), k.before, b.nextKept(i))
	}
	b.end()
	return b.out
}

// nextKept returns the slot of the next kid that stays, or -1.
func (b *blockWriter) nextKept(i int) int {
	for _, k := range b.d.kids[i:] {
		if k.stays {
			return k.orig
		}
	}
	return -1
}

// put appends to the output. Behind a "-" nothing begins with blanks.
func (b *blockWriter) put(r rope) {
	if b.middle && len(b.out) == 0 {
		r = r.trimLeft(b.src)
	}
	b.out = b.out.add(r)
}

// keep writes a kid that stays where it was.
func (b *blockWriter) keep(k *kid) {
	if !b.between {
		b.put(b.gap(k.orig))
	}
	s := b.slots[k.orig]
	if k.orig == 0 && b.middle && len(b.out) > 0 {
		b.put(rope{}.new(blanks(b.col)))
	}
	b.put(b.chunk(k, s))
	b.last, b.written, b.between = k.orig, true, false
}

// add writes the lines of a new or moved kid. The slot next follows, if it is not
// negative.
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

// gap returns what lies between the last slot that was written and the slot next:
// the lines of those between them are left out.
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
		behind := behindBreak(b.src, b.slots[i].last)
		if behind < len(b.src) && isBlankLine(b.src, behind) {
			stop = trimBlankLines(b.src, start, stop)
			if i == 0 && !b.belowComment() {
				behind = skipBlankLines(b.src, behind)
			}
		}
		r = r.old(start, stop)
		start = behind
	}
	return r
}

// belowComment reports whether a comment stands above the first entry, which a blank
// line tells from the entry that comes next.
func (b *blockWriter) belowComment() bool {
	first := b.slots[0].lead
	if b.middle {
		return false
	}
	above := lineStart(b.src, beforeBreak(b.src, first))
	return above != first && commentColumn(b.src, above) >= 0
}

// end writes what lies behind the last slot that was written, if slots follow that
// are gone.
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
		behind := behindBreak(b.src, s.last)
		if behind >= len(b.src) || isBlankLine(b.src, behind) {
			stop = trimBlankLines(b.src, start, stop)
		}
		r = r.old(start, stop)
		start = behind
	}
	b.out = b.out.add(r.dropBreak(b.src))
}

// chunk writes the lines of an entry or item that was there.
func (b *blockWriter) chunk(k *kid, s slot) rope {
	if !k.renamed && !k.d.isChanged() {
		return rope{}.old(s.lead, s.last)
	}
	p := place{at: s.valueStart(), col: b.col, dash: b.d.node.Kind == yaml.SeqNode, last: s.last}
	p = p.takes(b.siblings(b.d, k), k.view())
	p.style = yaml.Plain
	return b.writer.chunk(origin{b.d.node, k.orig}, k, s, p)
}

// chunk writes the lines of an entry or item that stood somewhere. p is the place of its
// value.
func (w *writer) chunk(o origin, k *kid, s slot, p place) rope {
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

// upToValue writes what stands before the value of an entry or item that stood somewhere,
// with the key that it has now.
func (w *writer) upToValue(o origin, k *kid, s slot, flow bool) rope {
	if !o.isRenamed(k) {
		return rope{}.old(s.start, s.valueStart())
	}
	key := o.keyNode()
	text := w.keyText(k.key.Value(), key.Style, flow)
	return rope{}.old(s.start, int(key.At.Start)).new(text).old(int(key.At.End), s.valueStart())
}

// lines returns the lines of a kid that is new or was moved, without the last break.
func (b *blockWriter) lines(k *kid) string {
	if k.orig < 0 {
		p := place{col: b.col, dash: b.d.kind() == yaml.SeqNode, last: -1}
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
