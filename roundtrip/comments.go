package roundtrip

import "strings"

// hasComment reports whether there is a comment between the parts of a node, or in
// the header of a block scalar.
func (w *writer) hasComment(n Node) bool {
	g := gaps{src: w.src, at: int(n.At().Start)}
	g.node(n)
	return g.found
}

// gaps looks at what lies between the scalars of a tree, in the order of the text.
type gaps struct {
	src   string
	at    int
	found bool
}

func (g *gaps) node(n Node) {
	if n.Kind() == Scalar || n.Kind() == Alias {
		g.leaf(n)
		return
	}
	for i := range n.Len() {
		if n.Kind() == Map {
			g.node(n.Entry(i).KeyNode)
		}
		_, _, child := childAt(n, i)
		g.node(child)
	}
	if n.Style() == Flow {
		g.upTo(int(n.At().End))
	}
}

func (g *gaps) leaf(n Node) {
	if isEmpty(n) {
		return
	}
	g.upTo(int(n.At().Start))
	g.at = max(g.at, int(n.At().End))
	if n.Style() == Literal || n.Style() == Folded {
		header, _, _ := strings.Cut(n.At().Text(), "\n")
		g.found = g.found || strings.Contains(header, "#")
	}
	if n.Style() < Literal && isRest(g.src, g.at) {
		g.upTo(lineEnd(g.src, g.at))
	}
}

// upTo looks at the text up to an offset.
func (g *gaps) upTo(end int) {
	for ; g.at < end; g.at++ {
		g.found = g.found || g.src[g.at] == '#' && (g.at == 0 || isBlank(g.src[g.at-1]) || g.src[g.at-1] == '\n' || g.src[g.at-1] == '\r')
	}
}
