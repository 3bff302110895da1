package yaytpl

import (
	"bytes"
	"io"

	"github.com/yaytpl/yaytpl/internal/dot"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/source"
)

// WriteDot writes the document as a graph for Graphviz. With of "values" its nodes
// are the places of the document, its solid edges lead to what lies below a place
// and its dashed ones to what computing a value reads. With of "includes" its
// nodes are files. With of "nodes" they are what the files say, before anything is
// evaluated; dotted edges lead to what a node lies on.
//
// Codes: usage for another of, limit, and what evaluation finds.
func (d *Document) WriteDot(w io.Writer, of string) error {
	var out bytes.Buffer
	if err := d.draw(&out, of); err != nil {
		return err
	}
	return show.WriteTo(w, out.Bytes())
}

func (d *Document) draw(out *bytes.Buffer, of string) error {
	defer d.turn()()
	switch of {
	case "", "values":
		return d.drawValues(out)
	case "includes":
		return d.drawIncludes(out)
	case "nodes":
		if err := d.parseText(); err != nil {
			return err
		}
		return dot.Nodes(out, d.layers)
	}
	return source.Errorf(source.Span{}, source.Usage, "cannot draw %q; there are values, includes and nodes", of)
}

// drawValues draws the places of the finished document.
func (d *Document) drawValues(out *bytes.Buffer) error {
	d = d.afresh() // a value that is known reads nothing
	e, err := d.eval()
	if err != nil {
		return err
	}
	reads := dot.Listen(e)
	v, err := d.finished()
	if err == nil {
		err = d.force(v) // it may contain itself
	}
	if err != nil {
		return err
	}
	return dot.Values(out, v, reads)
}

// drawIncludes draws the files that the finished document is made of.
func (d *Document) drawIncludes(out *bytes.Buffer) error {
	v, err := d.finished()
	if err == nil {
		err = d.force(v)
	}
	if err != nil {
		return err
	}
	var layers []*source.File
	for _, l := range d.layers {
		layers = append(layers, l.Doc.File)
	}
	var includes []dot.Include
	for _, in := range d.project.loads {
		includes = append(includes, dot.Include{From: in.from, To: in.to, Key: in.key})
	}
	dot.Includes(out, layers, includes)
	return nil
}
