// Package dot draws documents as graphs for Graphviz: their values, the files that they include,
// or the nodes that the front ends produce.
//
// Labels do not contain secret or sensitive values.
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

// maxBoxes is the limit of boxes in a graph of values or nodes.
const maxBoxes = 100_000

// A drawing writes a graph.
type drawing struct {
	out   *bytes.Buffer
	ids   map[string]string // ids of boxes by their names
	boxes int
}

// draw writes a graph with the boxes and edges that content draws.
func draw(out *bytes.Buffer, content func(*drawing) error) error {
	fmt.Fprintln(out, "digraph yaytpl {")
	fmt.Fprintln(out, "  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];")
	err := content(&drawing{out: out, ids: map[string]string{}})
	fmt.Fprintln(out, "}")
	return err
}

// id returns the id of the box called name, and whether it is new.
func (d *drawing) id(name string) (id string, fresh bool) {
	id, known := d.ids[name]
	if !known {
		id = number(len(d.ids))
		d.ids[name] = id
	}
	return id, !known
}

// number returns the id of the box with a number: n0, n1.
func number(i int) string { return "n" + strconv.Itoa(i) }

// count counts one box against the limit.
func (d *drawing) count() error {
	if d.boxes++; d.boxes > maxBoxes {
		return source.Errorf(source.Span{}, source.Limit, "the graph has more than %d nodes", maxBoxes)
	}
	return nil
}

// box draws a box.
func (d *drawing) box(id, label string) {
	fmt.Fprintf(d.out, "  %s [label=%s];\n", id, quoted(label))
}

// quoted returns a label as a string of the DOT language. Graphviz knows only the escapes \n, \\ and \"; other control
// characters are shown by their symbols.
func quoted(label string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range label {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('\u2400' + r) // U+2409 is the symbol for a tabulator
		case r == 0x7f:
			b.WriteRune('\u2421')
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// edge draws an edge; attributes are in the syntax of Graphviz, "" for none.
func (d *drawing) edge(from, to, attributes string) {
	if attributes != "" {
		attributes = " [" + attributes + "]"
	}
	fmt.Fprintf(d.out, "  %s -> %s%s;\n", from, to, attributes)
}

// Values draws the places of an evaluated document, which must not contain itself. A solid edge
// leads from a map or list to an entry or item, a dashed one from a computed value to a place
// that it reads. For
//
//	a: 1
//	b: {{ a + 1 }}
//
// there are solid edges from the document to a and b, and a dashed one from b to a.
//
// Codes: limit, and the codes of evaluation.
func Values(out *bytes.Buffer, v value.Value, r *Reads) error {
	return draw(out, func(d *drawing) error {
		if err := d.value(v, nil); err != nil {
			return err
		}
		d.reads(r.order)
		return nil
	})
}

// value draws the value at a path and the values below it.
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
		return nil // the values below it are marked as well
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

// below draws the entry or item k of the place at a path, and the edge to it.
func (d *drawing) below(id string, path value.Path, k value.Key, item value.Value) error {
	at := append(path[:len(path):len(path)], k)
	to, _ := d.id(at.String())
	d.edge(id, to, "")
	return d.value(item, at)
}

// reads draws the edges to places that were read. A place outside of the document, such as a
// name in a let, gets a box.
func (d *drawing) reads(order []read) {
	for _, r := range order {
		if v, ok, err := r.to.Value(); !ok || err != nil || v.Is(value.FuncKind) {
			continue // no value: a function, or a name that was not found
		}
		from, to := d.place(r.from), d.place(r.to)
		d.edge(from, to, "style=dashed")
	}
}

// place draws the box of a place that is not in the document, once, and returns the id of a place.
func (d *drawing) place(c *graph.Cell) string {
	id, fresh := d.id(c.Path().String())
	if fresh {
		d.box(id, c.Name().String())
	}
	return id
}

// Reads is the list of places that were read while the values of a document were computed, each
// pair of places once.
type Reads struct {
	order []read
	seen  map[[2]string]bool
}

// A read is a place that was read to compute the value of another one.
type read struct{ from, to *graph.Cell }

// Listen records the reads of an evaluation from now on.
func Listen(e *graph.Eval) *Reads {
	r := &Reads{seen: map[[2]string]bool{}}
	e.Discreet = true
	e.OnRead = func(from, to *graph.Cell) {
		ends := [2]string{from.Path().String(), to.Path().String()}
		if !r.seen[ends] && ends[0] != ends[1] {
			r.seen[ends] = true
			r.order = append(r.order, read{from, to})
		}
	}
	return r
}

// An Include is a file that another one includes.
type Include struct {
	From, To *source.File
	Key      string // the directive
}

// Includes draws files, with an edge from a file to each file that it includes. The files of
// layers are drawn even if none includes them.
func Includes(out *bytes.Buffer, layers []*source.File, includes []Include) {
	_ = draw(out, func(d *drawing) error { // it cannot fail
		for _, f := range layers {
			d.file(f)
		}
		for _, in := range includes {
			d.edge(d.file(in.From), d.file(in.To), "label="+quoted(in.Key))
		}
		return nil
	})
}

// file draws a file, once, and returns the id of its box.
func (d *drawing) file(f *source.File) string {
	id, fresh := d.id(f.Name)
	if fresh {
		d.box(id, f.Name)
	}
	return id
}

// Nodes draws the nodes of the layers of a document, before evaluation. A solid edge leads from
// a node to a part of it, a dotted one to the node below it. Nodes are numbered in the order in
// which they are visited, so equal texts have equal numbers.
//
// Code: limit.
func Nodes(out *bytes.Buffer, layers []graph.RootLayer) error {
	return draw(out, func(d *drawing) error {
		g := nodeDrawing{drawing: d}
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

// A nodeDrawing draws nodes from their roots down.
type nodeDrawing struct {
	*drawing
	keys value.Path // labels of the edges down to the current node
}

// maxNodeDepth is the limit of nesting of nodes.
const maxNodeDepth = 10_000

// pile draws a node and the nodes below it in the same place, and returns the id of the newest.
func (g *nodeDrawing) pile(n graph.Node, depth int) (string, error) {
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

// predecessor draws the edge from a node to the one below it.
func (g *nodeDrawing) predecessor(newer, older string) {
	g.edge(newer, older, `style=dotted, label="predecessor"`)
}

// node draws one node and its parts, and returns its id.
func (g *nodeDrawing) node(n graph.Node, depth int) (string, error) {
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
		g.edge(id, kid, "label="+quoted(part.Label))
	}
	return id, nil
}

// nodeLabel returns the label of a node: its value, its source text or its kind.
func nodeLabel(n graph.Node) string {
	switch n := n.(type) {
	case *graph.Scalar:
		if n.Val.Is(value.StringKind) && n.Val.Marks() == 0 {
			return firstLine(n.Val.Str())
		}
		return show.Value(n.Val, false)
	case *graph.Computed:
		return sourceLabel(n.At)
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
		case "call", "new", graph.IncludeLabel: // names of macros, prototypes and files are not masked
			return n.Label + " " + firstLine(n.At.Text())
		}
		return n.Label + " " + sourceLabel(n.At)
	case *graph.Each:
		return "for " + strings.Join(n.Names, ", ") + " in " + sourceLabel(n.At)
	case *graph.Let:
		return "names"
	case *graph.Define:
		return n.Kind
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", n), "*graph."))
}

// sourceLabel returns the source text of an expression or template, cut to the length of a
// label, or the mask of a secret or sensitive one.
func sourceLabel(at source.Span) string {
	text := at.Text()
	switch {
	case at.File != nil && at.File.Secret:
		return value.SecretText
	case show.CallsSensitive(text):
		return value.SensitiveText
	}
	return firstLine(text)
}

// maxLabel is the length of a label in bytes, from which on it is cut.
const maxLabel = 60

// firstLine returns the first line of a text, cut to the length of a label.
func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return source.Cut(text, maxLabel)
}
