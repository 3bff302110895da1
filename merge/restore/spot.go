package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// A spot is a place of the text with what it means and came to.
type spot struct {
	syntax *yaml.Node
	node   graph.Node
	text   value.Path // in the text: directives are keys, a splice is one item

	was    value.Path // in the document before it was edited, if placed
	placed bool
	old    optional // what was there

	is    value.Path // in the edited document
	entry bool       // it is an entry of a map, which can be left out

	// layered says that directives of a map around it may bring something to its place.
	layered bool

	// restless says that what is below the map around it has changed.
	restless bool
}

// under returns the spot of an explicit entry.
func (s spot) under(e explicit) (spot, error) {
	kid, err := s.unnamed(e)
	kid.text, kid.was, kid.is = longer(s.text, e.key), longer(s.was, e.key), longer(s.is, e.key)
	return kid, err
}

// unnamed is under without the paths.
func (s spot) unnamed(e explicit) (spot, error) {
	old, err := s.old.get(e.key)
	_, built := bare(s.node).(*graph.Overlay)
	return spot{
		layered: s.layered || built,
		syntax:  e.syntax.Value, node: e.node, old: old, placed: s.placed, entry: true, restless: s.restless,
	}, err
}

// longer returns a path with one more key, which shares nothing with p.
func longer(p value.Path, k value.Key) value.Path { return append(slices.Clip(p), k) }

// bare returns what an item of a list is, without its part in the list.
func bare(n graph.Node) graph.Node {
	switch n := n.(type) {
	case *graph.Splice:
		return n.Node
	case *graph.Positional:
		return n.Node
	}
	return n
}

// markers returns how many items a list of the text begins with that are none: one if it
// has the mark that lets it replace others.
func (s spot) markers(seq *graph.Seq) int {
	if seq.Replace {
		return len(s.syntax.Items) - len(seq.Items)
	}
	return 0
}
