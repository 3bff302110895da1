package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
)

// Comments that stay when the entries around them go. In
//
//	hosts:
//	  - a # first
//	  # - b
//	  - c
//
// "# first" goes with its item, but the item that is commented out is about no other: it stays
// when hosts becomes [], another list, or a text.

// emptied writes "{}" or "[]" in the place of a block collection that has no kids left.
// Comments between the entries stay.
func (w *writer) emptied(d *draft, p site) (rope, int, bool) {
	slots, ok := blockSlots(w.src, d.node)
	if !ok {
		return nil, 0, false
	}
	old := w.partsOf(d.node, p)
	from := w.setLines(d.node, p, slots)
	r := w.before(d, p, old.before)
	r = r.new(w.gapAfter(r, d, p)+bareText(d.kind())).old(old.tailStart, old.tailEnd)
	return r.add(w.leftover(slots, max(from, old.tailEnd))), slots[len(slots)-1].last, true
}

func bareText(k yaml.Kind) string {
	if k == yaml.MapNode {
		return "{}"
	}
	return "[]"
}

// leftover returns the lines between the slots of removed entries that are not blank:
// comments.
func (w *writer) leftover(slots []slot, from int) rope {
	r := rope{}
	for _, s := range slots {
		stop := beforeBreak(w.src, s.lead)
		if stop > from && strings.TrimSpace(w.src[from:stop]) != "" {
			r = r.old(from, stop)
		}
		from = s.last
	}
	return r
}

// keptComments returns the comments of an old block collection that are about none of its entries,
// such as entries that are commented out: they stay when another value takes its place.
func (w *writer) keptComments(d *draft, p site) string {
	n := d.node
	if !d.fresh || p.flow || n.Style != yaml.Block || n.Kind != yaml.MapNode && n.Kind != yaml.SeqNode || n.Len() == 0 {
		return ""
	}
	slots, ok := blockSlots(w.src, n)
	if !ok {
		return ""
	}
	from := w.setLines(n, p, slots)
	text := w.leftover(slots, max(from, w.partsOf(n, p).tailEnd)).string(w.src)
	if last := slots[len(slots)-1].last; last < p.last && strings.TrimSpace(w.src[last:p.last]) != "" {
		text += strings.TrimRight(w.src[last:p.last], " \t\r\n")
	}
	return text
}

// commentLines returns lines of comments, each after a line break, at a column.
func (w *writer) commentLines(lines string, col int) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		switch line = strings.TrimSpace(line); {
		case line != "":
			b.WriteString(w.layout.breaks + blanks(col) + line)
		case b.Len() > 0:
			b.WriteString(w.layout.breaks)
		}
	}
	return b.String()
}
