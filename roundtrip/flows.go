package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
)

// flowValue writes a flow collection, and returns false if it is written in a way
// that is not understood.
func (w *writer) flowValue(d *draft, p place) (rope, int, bool) {
	open, end := int(d.node.At.Start), int(d.node.At.End)
	if open >= len(w.src) || w.src[open] != '[' && w.src[open] != '{' {
		return nil, 0, false
	}
	slots, ok := flowSlots(w.src, d.node)
	if !ok {
		return nil, 0, false
	}
	settle(d.kids)
	f := &flowWriter{writer: w, d: d, slots: slots, open: open, inside: open + 1, end: end}
	if at := skipBlanks(w.src, f.inside); w.src[at] == '#' {
		f.inside = lineEnd(w.src, at) // the comment beside the bracket belongs to it
	}
	r := rope{}
	if p.colon {
		r = r.new(": ")
	}
	r = r.old(p.at, f.inside)
	switch {
	case len(d.kids) == 0:
		r = r.add(f.emptied())
	case len(slots) == 0:
		r = r.add(f.filled())
	default:
		r = r.add(f.items())
	}
	return r.old(end-1, end), end, true
}

// A flowWriter writes what stands between the brackets of a flow collection.
type flowWriter struct {
	*writer
	d      *draft
	slots  []slot
	open   int // offset of the bracket
	inside int // where the items begin, with what stands before the first
	end    int // behind the closing bracket
}

// emptied writes the inside of a collection that has nothing left.
func (f *flowWriter) emptied() rope {
	first, last := f.slots[0], f.slots[len(f.slots)-1]
	before := f.src[f.inside:first.start]
	if before == f.src[last.next:f.end-1] && !strings.ContainsAny(before, "\r\n") {
		return rope{}.new(before)
	}
	return nil
}

// filled writes the inside of a collection that had nothing.
func (f *flowWriter) filled() rope {
	inside := f.src[f.inside : f.end-1]
	indent := indentOf(f.src, f.open)
	parts := make([]string, len(f.d.kids))
	spread := f.spreads(f.d, place{}) || strings.ContainsAny(inside, "\r\n")
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

// items writes the items of a collection that had some.
func (f *flowWriter) items() rope {
	r := rope{}
	final := f.slots[len(f.slots)-1]
	newLine := false // what comes next begins a line
	for i, k := range f.d.kids {
		above, beside := f.movedComments(k)
		for _, comment := range above {
			r = r.new(f.lineSeparator() + comment)
		}
		lead := f.lead(i)
		if (newLine || len(above) > 0) && !strings.ContainsAny(lead.string(f.src), "\r\n") {
			lead = rope{}.new(f.lineSeparator())
		}
		item := f.item(i)
		more := i < len(f.d.kids)-1 || final.comma >= 0
		r = r.add(lead).add(item).add(f.behind(k, item, more))
		if newLine = beside != ""; newLine {
			r = r.new(" " + beside)
		}
	}
	if newLine && !strings.ContainsAny(f.src[final.next:f.end-1], "\r\n") {
		r = r.new(f.layout.breaks + indentOf(f.src, f.open))
	}
	return r.old(final.next, f.end-1)
}

// movedComments returns the comments of an item that is elsewhere in the collection now.
func (f *flowWriter) movedComments(k *kid) (above []string, beside string) {
	if k.stays || k.orig < 0 {
		return nil, ""
	}
	return f.flowComments(&origin{f.d.node, k.orig}, f.slots[k.orig])
}

// lineSeparator returns what stands before an item that begins a line.
func (f *flowWriter) lineSeparator() string {
	if s := f.separator(); strings.ContainsAny(s, "\r\n") {
		return s
	}
	return f.layout.breaks + indentOf(f.src, f.open) + f.layout.unit
}

// lead writes what stands before an item, on its line and above it.
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
		return rope{}.new(withoutComments(first))
	}
	return rope{}.new(f.separator())
}

// separator returns what stands between the comma and a new item.
func (f *flowWriter) separator() string {
	n := len(f.slots)
	if n > 1 {
		return withoutComments(f.src[f.slots[n-2].next:f.slots[n-1].start])
	}
	if first := f.src[f.inside:f.slots[0].start]; strings.ContainsAny(first, "\r\n") {
		return withoutComments(first)
	}
	return f.layout.gap
}

// withoutComments returns the line break and indentation before an item.
func withoutComments(s string) string {
	if !strings.Contains(s, "#") {
		return s
	}
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
		spread := f.spreads(f.d, place{}) && strings.ContainsAny(f.separator(), "\r\n")
		return rope{}.new(f.flowItem(f.d, k, indent, spread))
	}
	r := f.old(k, f.slots[k.orig])
	if k.stays {
		return r
	}
	return rope{}.new(r.string(f.src))
}

// old writes an item that was there.
func (f *flowWriter) old(k *kid, s slot) rope {
	if !k.renamed && !k.d.isChanged() {
		return rope{}.old(s.start, s.end)
	}
	r := f.upToValue(origin{f.d.node, k.orig}, k, s, true)
	missing := f.d.node.Kind == yaml.MapNode && s.mark < 0
	p := place{at: s.valueStart(), last: s.end, flow: true, colon: missing}
	p.inline = f.siblings(f.d, k).flow
	v, resume := f.value(k.view(), p)
	return r.add(v).old(resume, s.end)
}

// behind writes the comma behind an item, if there is to be one, and the comment on
// its line.
func (f *flowWriter) behind(k *kid, item rope, comma bool) rope {
	if !k.stays {
		if comma {
			return rope{}.new(f.newComma(item))
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
		return r.old(s.end, s.comma).trimBlank(f.src).old(s.comma+1, s.next)
	}
	return r.old(s.end, s.next)
}

// newComma returns the comma behind an item that had none. Behind a colon without a value
// it needs a blank: without it the colon would be part of the key.
func (f *flowWriter) newComma(item rope) string {
	if strings.HasSuffix(item.string(f.src), ":") {
		return " ,"
	}
	return ","
}
