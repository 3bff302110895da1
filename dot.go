package yaytpl

import (
	"bytes"
	"io"

	"github.com/yaytpl/yaytpl/internal/dot"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/resource"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// WriteDot writes the document as a graph for Graphviz. With of "values" its nodes are the
// places of the document, solid edges lead to the places below, and dashed ones to the values
// that an expression reads. With of "includes" its nodes are files. With of "nodes" they are
// the nodes of the layers, before anything is evaluated, and dotted edges lead to the nodes
// below. With of "resources" they are the resources of a program of the mgmt language, or of a document
// of that form; edges that notify are bold.
//
// Codes: usage for another value of "of", limit, bad-document for no graph of resources, and the codes of
// evaluation.
func (d *Document) WriteDot(w io.Writer, of string) error {
	var out bytes.Buffer
	if err := d.draw(&out, of); err != nil {
		return err
	}
	return show.WriteTo(w, out.Bytes())
}

// draw writes the graph to out while it holds the lock.
func (d *Document) draw(out *bytes.Buffer, of string) error {
	defer d.lock()()
	switch of {
	case "", "values":
		return drawValues(out, d.engine.Afresh()) // evaluated values would read nothing
	case "includes":
		return drawIncludes(out, d.engine)
	case "nodes":
		if err := d.engine.ParseText(); err != nil {
			return err
		}
		return dot.Nodes(out, d.engine.Layers())
	case "resources":
		return drawResources(out, d.engine)
	}
	return source.Errorf(source.Span{}, source.Usage, "cannot draw %q; use values, includes, nodes or resources; Bindings.WriteDot draws bindings", of)
}

// drawValues draws the places of the finished document and the values that they read.
func drawValues(out *bytes.Buffer, d *engine.Document) error {
	e, err := d.Eval()
	if err != nil {
		return err
	}
	reads := dot.Listen(e)
	v, err := d.Value()
	if err == nil {
		err = d.Force(v) // fails if v contains itself
	}
	if err != nil {
		return err
	}
	return dot.Values(out, v, reads)
}

// drawIncludes draws the files of the layers and those that evaluating the document included.
func drawIncludes(out *bytes.Buffer, d *engine.Document) error {
	v, err := d.Value()
	if err == nil {
		err = d.Force(v)
	}
	if err != nil {
		return err
	}
	var layers []*source.File
	for _, l := range d.Layers() {
		layers = append(layers, l.Doc.File)
	}
	var includes []dot.Include
	for _, in := range d.Project().Includes() {
		includes = append(includes, dot.Include{From: in.From, To: in.To, Key: in.Key})
	}
	dot.Includes(out, layers, includes)
	return nil
}

// drawResources draws the resources of the finished document.
func drawResources(out *bytes.Buffer, d *engine.Document) error {
	v, err := d.Value()
	if err != nil {
		return err
	}
	g, err := resource.Of(v)
	if err != nil {
		return err
	}
	if _, ok, err := v.Map().Get(value.K("resources")); err == nil && !ok {
		return source.Errorf(source.Span{}, source.BadDocument, "the document is no graph of resources: it has no key resources")
	}
	return dot.Resources(out, v, g)
}
