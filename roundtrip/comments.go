package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
)

// hasComment reports whether there is a comment between the parts of a node, or in
// the header of a block scalar.
func (w *writer) hasComment(n *yaml.Node) bool {
	g := gaps{src: w.src, at: int(n.At.Start)}
	g.node(n)
	return g.found
}

// gaps looks at what lies between the scalars of a tree, in the order of the text.
type gaps struct {
	src   string
	at    int
	found bool
}

func (g *gaps) node(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode || n.Kind == yaml.AliasNode {
		g.leaf(n)
		return
	}
	for i := range n.Len() {
		if n.Kind == yaml.MapNode {
			g.node(n.Entries[i].KeyNode)
		}
		child := n.Child(i)
		g.node(child)
	}
	if n.Style == yaml.Flow {
		g.upTo(int(n.At.End))
	}
}

func (g *gaps) leaf(n *yaml.Node) {
	if isEmpty(n) {
		return
	}
	g.upTo(int(n.At.Start))
	g.at = max(g.at, int(n.At.End))
	if n.Style == yaml.Literal || n.Style == yaml.Folded {
		header, _, _ := strings.Cut(n.At.Text(), "\n")
		g.found = g.found || strings.Contains(header, "#")
	}
	if n.Style < yaml.Literal && isRest(g.src, g.at) {
		g.upTo(lineEnd(g.src, g.at))
	}
}

// upTo looks at the text up to an offset.
func (g *gaps) upTo(end int) {
	for ; g.at < end; g.at++ {
		g.found = g.found || g.src[g.at] == '#' && (g.at == 0 || isBlank(g.src[g.at-1]) || g.src[g.at-1] == '\n' || g.src[g.at-1] == '\r')
	}
}
