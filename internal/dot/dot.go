// Package dot draws documents as graphs for Graphviz: their values, the files that they
// are made of, or the nodes that the front ends made.
//
// Nothing that must not be shown gets into a drawing.
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

// maxBoxes is how many boxes a graph of values or nodes has at most.
const maxBoxes = 100_000

// A drawing is a graph that is being written.
type drawing struct {
	out   *bytes.Buffer
	ids   map[string]string // of what has a name
	boxes int
}

// draw writes a graph.
func draw(out *bytes.Buffer, content func(*drawing) error) error {
	fmt.Fprintln(out, "digraph yaytpl {")
	fmt.Fprintln(out, "  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];")
	err := content(&drawing{out: out, ids: map[string]string{}})
	fmt.Fprintln(out, "}")
	return err
}

// id returns the id of what has that name, and whether it is new.
func (d *drawing) id(name string) (id string, fresh bool) {
	id, known := d.ids[name]
	if !known {
		id = number(len(d.ids))
		d.ids[name] = id
	}
	return id, !known
}

func number(i int) string { return "n" + strconv.Itoa(i) }

// count takes one of the boxes that a graph may have.
func (d *drawing) count() error {
	if d.boxes++; d.boxes > maxBoxes {
		return source.Errorf(source.Span{}, source.Limit, "the graph has more than %d nodes", maxBoxes)
	}
	return nil
}

func (d *drawing) box(id, label string) {
	fmt.Fprintf(d.out, "  %s [label=%s];\n", id, strconv.Quote(label))
}

// edge draws an edge; attributes are those of Graphviz, "" for none.
func (d *drawing) edge(from, to, attributes string) {
	if attributes != "" {
		attributes = " [" + attributes + "]"
	}
	fmt.Fprintf(d.out, "  %s -> %s%s;\n", from, to, attributes)
}

// Values draws the places of a finished document, which must not contain itself: solid
// edges lead to what lies below a place, dashed ones to what computing a value reads.
//
// Codes: limit, and what evaluation finds.
func Values(out *bytes.Buffer, v value.Value, r *Reads) error {
	return draw(out, func(d *drawing) error {
		if err := d.value(v, nil); err != nil {
			return err
		}
		d.reads(r.order)
		return nil
	})
}

// value draws a value and what is below it.
func (d *drawing) value(v value.Value, path value.Path) error {
	id, _ := d.id(path.String())
	if err := d.count(); err != nil {
		return err
	}
	label := "document"
	if len(path) > 0 {
		label = path[len(path)-1].Text
	}
	if v.IsScalar() || v.Marks() != 0 {
		label += ": " + show.Value(v, false)
	}
	d.box(id, label)
	if v.Marks() != 0 {
		return nil // so is what is below it
	}
	switch v.Kind() {
	case value.MapKind:
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err == nil {
				err = d.below(id, path, k, item)
			}
			if err != nil {
				return err
			}
		}
	case value.ListKind:
		for i := range v.List().Len() {
			item, err := v.List().At(i)
			if err == nil {
				err = d.below(id, path, value.Index(i), item)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// below draws an entry or item of the place at a path.
func (d *drawing) below(id string, path value.Path, k value.Key, item value.Value) error {
	at := append(path[:len(path):len(path)], k)
	to, _ := d.id(at.String())
	d.edge(id, to, "")
	return d.value(item, at)
}

// reads draws what was read. A place that is none of the document gets a box.
func (d *drawing) reads(order []read) {
	for _, r := range order {
		if v, ok, err := r.cell.Value(); !ok || err != nil || v.Is(value.FuncKind) {
			continue // a name that means something else
		}
		from, _ := d.id(r.from)
		to, fresh := d.id(r.to)
		if fresh {
			d.box(to, r.cell.Name().String())
		}
		d.edge(from, to, "style=dashed")
	}
}

// Reads are what computing the values of a document looked at, each once.
type Reads struct {
	order []read
	seen  map[[2]string]bool
}

// A read is one place that computing the value of another looked at.
type read struct {
	from, to string // paths
	cell     *graph.Cell
}

// Listen notes what an evaluation reads from now on.
func Listen(e *graph.Eval) *Reads {
	r := &Reads{seen: map[[2]string]bool{}}
	e.OnRead = func(from, to *graph.Cell) {
		ends := [2]string{from.Path().String(), to.Path().String()}
		if !r.seen[ends] && ends[0] != ends[1] {
			r.seen[ends] = true
			r.order = append(r.order, read{ends[0], ends[1], to})
		}
	}
	return r
}

// An Include is one that was followed from a file to another.
type Include struct {
	From, To *source.File
	Key      string // the directive
}

// Includes draws files and the includes that lead from one to another. Those of layers
// are drawn even if nothing leads to them.
func Includes(out *bytes.Buffer, layers []*source.File, includes []Include) {
	_ = draw(out, func(d *drawing) error { // it cannot fail
		for _, f := range layers {
			d.file(f)
		}
		for _, in := range includes {
			d.edge(d.file(in.From), d.file(in.To), "label="+strconv.Quote(in.Key))
		}
		return nil
	})
}

// file draws a file, once, and returns its id.
func (d *drawing) file(f *source.File) string {
	id, fresh := d.id(f.Name)
	if fresh {
		d.box(id, f.Name)
	}
	return id
}

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
		switch n.Label {
		case "call", "new", graph.IncludeLabel: // names of macros, prototypes and files are always shown
			return n.Label + " " + firstLine(n.At.Text())
		}
		return n.Label + " " + written(n.At)
	case *graph.Each:
		return "for " + strings.Join(n.Names, ", ") + " in " + written(n.At)
	case *graph.Let:
		return "names"
	case *graph.Define:
		return n.Kind
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", n), "*graph."))
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
