package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
)

// An edit that sets a map or list with a tag over one of the same kind changes the tag in its place,
// so that the comments inside stay:
//
//	u: !T              u: !U
//	  a: 1 # one   to    a: 1 # one
//	  b: 2               b: 3

// withTag writes a map or list that gets another tag. If there is no place for the tag, it is written
// from scratch.
func (w *writer) withTag(d *draft, p site) (rope, int) {
	inner := *d
	inner.retagged = nil
	r, resume := w.value(&inner, p)
	if w.err == nil {
		if from, to, text, ok := w.tagPlace(d, p); ok {
			if r, ok := r.substituted(from, to, text); ok {
				return r, resume
			}
		}
	}
	anew := draft{node: d.node, fresh: true, value: *d.retagged, tag: d.tag, form: d.form}
	return w.replaced(&anew, p)
}

// tagPlace returns the range of the old text that the new tag replaces, and its text.
func (w *writer) tagPlace(d *draft, p site) (from, to int, text string, ok bool) {
	n := d.node
	switch start := int(n.At.Start); {
	case n.Tag != "":
		return int(n.TagAt.Start), int(n.TagAt.End), d.tag, true
	case n.Anchor != "":
		at := int(n.AnchorAt.Start)
		return at, at, d.tag + " ", true
	case n.Style == yaml.Flow && start < len(w.src) && (w.src[start] == '{' || w.src[start] == '['):
		return start, start, d.tag + " ", true
	case n.Style == yaml.Block && p.col >= 0 && start > lineEnd(w.src, p.at):
		return p.at, p.at, " " + d.tag, true
	case n.Style == yaml.Block && p.col < 0:
		return start, start, d.tag + w.layout.breaks, true
	case n.Style == yaml.Block && p.dash: // "- a: 1": on the same line it would be the tag of a
		return p.at, start, " " + d.tag + w.layout.breaks + strings.Repeat(" ", column(w.src, start)), true
	}
	return 0, 0, "", false
}

// substituted returns the rope with text in place of a range of the old text, or false if it does not
// have this range in one piece.
func (r rope) substituted(from, to int, text string) (rope, bool) {
	for i, p := range r {
		if p.end < 0 || from < p.start || to > p.end {
			continue
		}
		out := append(rope{}, r[:i]...)
		return out.old(p.start, from).new(text).old(to, p.end).add(r[i+1:]), true
	}
	return nil, false
}
