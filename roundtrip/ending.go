package roundtrip

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
)

// The text of a literal or folded scalar at the end of a text depends on the last line
// break: without one it has none either. Where an edit moves such a scalar to the end of
// the text, or away from it, its data would change, though nobody touched it.

// mendEnding returns patches with which a block scalar at the end of the old or the new
// text has the line break that it had, or had not. It returns false if there is none.
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

// lastOf returns the last node of a tree that is no map or list; nil if it ends in one
// that is empty or in flow style.
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
