package roundtrip

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// smallText is the size up to which verify always parses the whole text.
const smallText = 1 << 16

// verify parses the changed parts of the new text and compares them with the draft: the
// entries around the patches, or the whole text if those entries are not enough to be
// sure.
func (e *editor) verify(patches []patch) bool {
	if len(patches) == 0 {
		return !e.root.isChanged() || e.verifyWhole(patches)
	}
	far := e.moves && strings.Contains(e.src, "*") // an alias outside of the changed parts may be affected
	if len(e.src) > smallText && e.root.node != nil && !far && e.verifyParts(patches) {
		return true
	}
	e.entries = nil
	return e.verifyWhole(patches)
}

// verifyWhole parses the whole new text.
func (e *editor) verifyWhole(patches []patch) bool {
	f := source.NewFile(e.file.Name, applied(e.src, patches))
	docs, err := e.syntax.parse(f)
	if err != nil || len(docs) != len(e.docs) {
		return false
	}
	for i, doc := range docs {
		if i == e.number {
			if !e.isMeant(doc.Root, e.root) || !e.areTargetsMeant(doc.Root) {
				return false
			}
		} else if !isUnchanged(doc.Root, e.docs[i].Root) {
			return false
		}
	}
	return true
}

// A part is a range of the old text that is verified by itself: whole lines, or in JSON a
// whole value.
type part struct {
	start, end int
	draft      *draft
	kids       []*kid // the kids of the draft in that range, nil for the whole draft
}

// verifyParts parses the parts of the new text that edits changed. It returns false if a
// patch is outside of all parts.
func (e *editor) verifyParts(patches []patch) bool {
	var parts []part
	w := &writer{editor: e}
	if !w.collect(e.root, site{col: -1}, &parts) {
		return false
	}
	for _, p := range patches {
		inside := func(part part) bool { return part.start <= p.start && p.end <= part.end }
		if !slices.ContainsFunc(parts, inside) {
			return false
		}
	}
	for _, part := range parts {
		text, ok := window(e.src, patches, part.start, part.end)
		if !ok {
			return false
		}
		n, err := e.syntax.fragment(e.docs[e.number], text)
		switch {
		case err != nil || n == nil:
			return false
		case part.kids == nil && !e.isMeant(n, part.draft):
			return false
		case part.kids != nil && (n.Kind != part.draft.kind() || !e.areMeant(n, part.kids)):
			return false
		}
		e.entries = append(e.entries, Entry{e.src[part.start:part.end], text})
	}
	return true
}

// collect appends the changed parts of a draft. It returns false if a change has no part
// around it that can be parsed by itself.
func (w *writer) collect(d *draft, p site, parts *[]part) bool {
	switch {
	case !d.isChanged():
		return true
	case !w.syntax.blocks():
		return w.collectJSON(d, parts)
	case d.fresh || d.rewrite || d.retagged != nil || len(d.kids) == 0 || d.node.Style != yaml.Block:
		return false
	}
	slots, ok := blockSlots(w.src, d.node)
	if !ok {
		return false
	}
	w.setLines(d.node, p, slots)
	if d.isReshaped() {
		return w.collectRun(d, slots, parts)
	}
	for i, k := range d.kids {
		if !k.renamed && !k.d.isChanged() {
			continue
		}
		s := slots[i]
		inner := site{at: s.mark, col: column(w.src, s.start), dash: d.node.Kind == yaml.SeqNode, last: s.last}
		if !k.renamed && w.collect(k.d, inner, parts) {
			continue
		}
		if !beginsLine(w.src, s.start) {
			return false
		}
		*parts = append(*parts, part{lineStart(w.src, s.lead), s.last, d, []*kid{k}})
	}
	return true
}

// collectRun appends the entries from the one before the first change to the one after the
// last.
func (w *writer) collectRun(d *draft, slots []slot, parts *[]part) bool {
	n, m := len(d.kids), len(slots)
	same := func(k *kid, orig int) bool { return k.orig == orig && !k.renamed && !k.d.isChanged() }
	head, tail := 0, 0
	for head < n && head < m && same(d.kids[head], head) {
		head++
	}
	for tail < n-head && tail < m-head && same(d.kids[n-1-tail], m-1-tail) {
		tail++
	}
	head, tail = max(head-1, 0), max(tail-1, 0)
	if !beginsLine(w.src, slots[head].start) {
		return false
	}
	*parts = append(*parts, part{lineStart(w.src, slots[head].lead), slots[m-1-tail].last, d, d.kids[head : n-tail]})
	return true
}

// collectJSON appends the smallest values that changed. A value in JSON reads the same
// anywhere.
func (w *writer) collectJSON(d *draft, parts *[]part) bool {
	whole := d.fresh || d.rewrite || d.isReshaped()
	for _, k := range d.kids {
		whole = whole || k.renamed
	}
	if whole {
		at := d.node.At
		*parts = append(*parts, part{int(at.Start), int(at.End), d, nil})
		return true
	}
	for _, k := range d.kids {
		if k.d.isChanged() && !w.collectJSON(k.d, parts) {
			return false
		}
	}
	return true
}

// isMeant reports whether a node of the new text is the draft.
func (e *editor) isMeant(n *yaml.Node, d *draft) bool {
	switch {
	case !d.isChanged():
		return isUnchanged(n, d.node)
	case n == nil:
		return d.kind() == yaml.ScalarNode && d.scalar().IsNull() && d.tagName() == "" && d.anchor() == ""
	}
	if n.Kind != d.kind() || n.Tag != d.tagName() || n.Anchor != d.anchor() {
		return false
	}
	if n.Kind == yaml.ScalarNode {
		return sameScalar(n.Value, d.scalar())
	}
	kids, err := d.children()
	return err == nil && e.areMeant(n, kids)
}

func (e *editor) areMeant(n *yaml.Node, kids []*kid) bool {
	if n.Len() != len(kids) {
		return false
	}
	for i, k := range kids {
		key, merge, child := childAt(n, i)
		if n.Kind == yaml.MapNode && (key != e.textKey(k.key) || merge != k.merge) {
			return false
		}
		if !e.isMeant(child, k.view()) {
			return false
		}
	}
	return true
}

// isUnchanged reports whether two nodes are equal: data, tags, anchors, aliases.
func isUnchanged(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if a.Kind != b.Kind || a.Tag != b.Tag || a.Anchor != b.Anchor || a.Len() != b.Len() {
		return false
	}
	if a.Kind == yaml.ScalarNode {
		return sameScalar(a.Value, b.Value)
	}
	for i := range a.Len() {
		keyA, mergeA, childA := childAt(a, i)
		keyB, mergeB, childB := childAt(b, i)
		if keyA != keyB || mergeA != mergeB || !isUnchanged(childA, childB) {
			return false
		}
	}
	return true
}

// The text of a literal or folded scalar at the end of a text depends on the last line
// break: without one it has none either. Where an edit moves such a scalar to the end of
// the text, or away from it, its data would change, though nobody touched it.

// mendEnding repairs patches that change the data of a block scalar at the end of the
// text. Its line break depends on the line break of the text: in "a: |\n  x" without a last line
// break the value is "x", but if an edit appends "\nb: 1", it becomes "x\n". So the scalar
// gets "|-", or the text a last line break. mendEnding returns false if there is no such
// scalar.
func (e *editor) mendEnding(patches []patch) ([]patch, bool) {
	if !e.syntax.blocks() || e.number != len(e.docs)-1 || len(patches) == 0 || endsLine(e.src) {
		return nil, false
	}
	if n := lastOf(e.root.node); n != nil && isBlockScalar(n) && int(n.At.End) == len(e.src) {
		if out, ok := e.stripEnding(n, patches); ok {
			return out, true
		}
	}
	if endsLine(applied(e.src, patches)) {
		return nil, false
	}
	out := slices.Clone(patches)
	if last := &out[len(out)-1]; last.end == len(e.src) {
		last.text += breakOf(e.src)
		return out, true
	}
	return append(out, patch{len(e.src), len(e.src), breakOf(e.src)}), true
}

// stripEnding gives a block scalar, which other lines follow now, a "-" in its header.
func (e *editor) stripEnding(n *yaml.Node, patches []patch) ([]patch, bool) {
	start := int(n.At.Start)
	indicators := blockIndicators(e.src[start:])
	stripped := strings.TrimRight(indicators, "+-") + "-"
	end := start + len(indicators)
	at := slices.IndexFunc(patches, func(p patch) bool { return p.end > start })
	if stripped == indicators || at < 0 || patches[at].start < end {
		return nil, false
	}
	return slices.Insert(slices.Clone(patches), at, patch{start, end, stripped}), true
}

// lastOf returns the last scalar or alias of a tree, or nil if the tree ends in an empty
// collection or in flow style.
func lastOf(n *yaml.Node) *yaml.Node {
	for n != nil && (n.Kind == yaml.MapNode || n.Kind == yaml.SeqNode) {
		if n.Len() == 0 || n.Style == yaml.Flow {
			return nil
		}
		_, _, n = childAt(n, n.Len()-1)
	}
	return n
}

func isBlockScalar(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.Style == yaml.Literal || n.Style == yaml.Folded)
}

func endsLine(s string) bool { return strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r") }
