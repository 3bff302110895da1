package yaytpl

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// WriteDot writes the document as a graph for Graphviz. With of "values" its nodes
// are the places of the document, its solid edges lead to what lies below a place
// and its dashed ones to what computing a value reads. With of "includes" its
// nodes are files. With of "nodes" they are what the files say, before anything is
// evaluated; dotted edges lead to what a node lies on.
func (d *Document) WriteDot(w io.Writer, of string) error {
	var out bytes.Buffer
	if err := d.draw(&out, of); err != nil {
		return err
	}
	return writeAll(w, out.Bytes())
}

func (d *Document) draw(out *bytes.Buffer, of string) error {
	defer d.turn()()
	g := dotGraph{w: out, ids: map[string]int{}}
	fmt.Fprintln(out, "digraph yaytpl {")
	fmt.Fprintln(out, "  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];")
	var err error
	switch of {
	case "", "values":
		err = g.values(d)
	case "includes":
		err = g.includes(d)
	case "nodes":
		err = g.nodes(d)
	default:
		return source.Errorf(source.Span{}, source.Usage, "cannot draw %q; there are values, includes and nodes", of)
	}
	fmt.Fprintln(out, "}")
	return err
}

type dotGraph struct {
	w     *bytes.Buffer
	ids   map[string]int
	drawn int
	keys  value.Path // labels around what is drawn
}

const maxDotNodes = 100_000

func (g *dotGraph) id(name string) (string, bool) {
	n, known := g.ids[name]
	if !known {
		n = len(g.ids)
		g.ids[name] = n
	}
	return "n" + strconv.Itoa(n), !known
}

func (g *dotGraph) values(d *Document) error {
	d = d.afresh() // a value that is known reads nothing
	e, err := d.eval()
	if err != nil {
		return err
	}
	type edge struct{ from, to string }
	reads, cells := map[edge]bool{}, map[string]*graph.Cell{}
	var order []edge
	e.OnRead = func(from, to *graph.Cell) {
		ed := edge{from.Path().String(), to.Path().String()}
		if !reads[ed] && ed.from != ed.to {
			reads[ed] = true
			order = append(order, ed)
			cells[ed.to] = to
		}
	}
	v, err := d.finished()
	if err != nil {
		return err
	}
	if err := d.force(v); err != nil { // among others of a document that contains itself
		return err
	}
	if err := g.value(v, nil); err != nil {
		return err
	}
	for _, ed := range order {
		to := cells[ed.to]
		if v, ok, err := to.Value(); !ok || err != nil || v.Is(value.FuncKind) {
			continue // a name that means something else
		}
		from, _ := g.id(ed.from)
		id, fresh := g.id(ed.to)
		if fresh {
			fmt.Fprintf(g.w, "  %s [label=%s];\n", id, strconv.Quote(to.Name().String()))
		}
		fmt.Fprintf(g.w, "  %s -> %s [style=dashed];\n", from, id)
	}
	return nil
}

func (g *dotGraph) value(v value.Value, p value.Path) error {
	id, _ := g.id(p.String())
	if g.drawn++; g.drawn > maxDotNodes {
		return source.Errorf(source.Span{}, source.Limit, "the graph has more than %d nodes", maxDotNodes)
	}
	label := "document"
	if len(p) > 0 {
		label = p[len(p)-1].Text
	}
	if v.IsScalar() || v.Marks() != 0 {
		label += ": " + brief(v, false)
	}
	fmt.Fprintf(g.w, "  %s [label=%s];\n", id, strconv.Quote(label))
	if v.Marks() != 0 {
		return nil // so is what is below it
	}
	below := func(k value.Key, item value.Value, err error) error {
		if err != nil {
			return err
		}
		at := append(p[:len(p):len(p)], k)
		kid, _ := g.id(at.String())
		fmt.Fprintf(g.w, "  %s -> %s;\n", id, kid)
		return g.value(item, at)
	}
	switch v.Kind() {
	case value.MapKind:
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err := below(k, item, err); err != nil {
				return err
			}
		}
	case value.ListKind:
		for i := range v.List().Len() {
			item, err := v.List().At(i)
			if err := below(value.Index(i), item, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// includes draws the files that the finished document is made of.
func (g *dotGraph) includes(d *Document) error {
	p := d.project
	v, err := d.finished()
	if err != nil {
		return err
	}
	if err := d.force(v); err != nil {
		return err
	}
	file := func(f *source.File) string {
		id, fresh := g.id(f.Name)
		if fresh {
			fmt.Fprintf(g.w, "  %s [label=%s];\n", id, strconv.Quote(f.Name))
		}
		return id
	}
	for _, l := range d.layers {
		file(l.Doc.File)
	}
	for _, in := range p.loads {
		fmt.Fprintf(g.w, "  %s -> %s [label=%s];\n", file(in.from), file(in.to), strconv.Quote(in.key))
	}
	return nil
}
