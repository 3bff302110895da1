// Package dot draws documents as graphs for Graphviz: their values, the files that they
// are made of, or the nodes that the front ends made.
//
// Nothing that must not be shown gets into a drawing.
package dot

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/yaytpl/yaytpl/source"
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
