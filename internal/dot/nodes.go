package dot

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Nodes draws what the layers of a document say, before anything is evaluated: solid
// edges lead to what stands in a node, dotted ones to what it lies on. Nodes are numbered
// in the order in which they are met, so that the same text always gives the same
// numbers.
//
// Code: limit.
func Nodes(out *bytes.Buffer, layers []graph.RootLayer) error {
	return draw(out, func(d *drawing) error {
		g := nodes{drawing: d}
		newer := ""
		for i := len(layers) - 1; i >= 0; i-- {
			root := layers[i].Doc.Root
			if root == nil {
				continue
			}
			id, err := g.pile(root, 0)
			if err != nil {
				return err
			}
			if newer != "" {
				g.predecessor(newer, id)
			}
			newer = id
		}
		return nil
	})
}

// nodes are drawn from their roots down.
type nodes struct {
	*drawing
	keys value.Path // labels around what is drawn
}

// maxNodeDepth bounds the nesting of what is drawn.
const maxNodeDepth = 10_000

// pile draws the nodes that lie on one another and returns the id of the newest.
func (g *nodes) pile(n graph.Node, depth int) (string, error) {
	if depth > maxNodeDepth {
		return "", source.Errorf(n.Span(), source.Limit, "the graph is nested more than %d deep", maxNodeDepth)
	}
	var first, newer string
	for _, n := range graph.Pile(n) {
		id, err := g.node(n, depth)
		if err != nil {
			return "", err
		}
		if newer != "" {
			g.predecessor(newer, id)
		} else {
			first = id
		}
		newer = id
	}
	return first, nil
}

func (g *nodes) predecessor(newer, older string) {
	g.edge(newer, older, `style=dotted, label="predecessor"`)
}

// node draws one node and what stands in it.
func (g *nodes) node(n graph.Node, depth int) (string, error) {
	id := number(g.boxes)
	if err := g.count(); err != nil {
		return "", err
	}
	label := nodeLabel(n)
	if show.InsideSensitive(g.keys) {
		label = value.SensitiveText
	}
	g.box(id, label)
	for _, part := range graph.Parts(n) {
		g.keys = append(g.keys, value.K(part.Label))
		kid, err := g.pile(part.Node, depth+1)
		g.keys = g.keys[:len(g.keys)-1]
		if err != nil {
			return "", err
		}
		g.edge(id, kid, "label="+strconv.Quote(part.Label))
	}
	return id, nil
}

// nodeLabel says what a node is.
func nodeLabel(n graph.Node) string {
	switch n := n.(type) {
	case *graph.Scalar:
		if n.Val.Is(value.StringKind) && n.Val.Marks() == 0 {
			return firstLine(n.Val.Str())
		}
		return show.Value(n.Val, false)
	case *graph.Computed:
		return written(n.At)
	case *graph.Map:
		return "map"
	case *graph.Seq:
		return "list"
	case *graph.Extend:
		return "extend"
	case *graph.Ref:
		return n.Key
	case *graph.Guard:
		return n.Label + " " + guardText(n)
	case *graph.Each:
		return "for " + strings.Join(n.Names, ", ") + " in " + written(n.At)
	case *graph.Let:
		return "names"
	case *graph.Define:
		return n.Kind
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", n), "*graph."))
}

// guardText returns what a guard decides by. The names of macros, of prototypes and
// of files are always shown.
func guardText(n *graph.Guard) string {
	switch n.Label {
	case "call", "new", graph.IncludeLabel:
		return firstLine(n.At.Text())
	}
	return written(n.At)
}

// written returns an expression or template as the source has it, as far as a label
// holds.
func written(at source.Span) string {
	text := at.Text()
	switch {
	case at.File != nil && at.File.Secret:
		return value.SecretText
	case show.CallsSensitive(text):
		return value.SensitiveText
	}
	return firstLine(text)
}

const maxLabel = 60

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if runes := []rune(text); len(runes) > maxLabel {
		text = string(runes[:maxLabel]) + "..."
	}
	return text
}
