package engine

import (
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// WithDefines puts a layer for each definition over layers.
func (p *Project) WithDefines(layers []Layer, defines []string) ([]Layer, error) {
	for _, text := range defines {
		doc, err := p.define(text, layers)
		if err != nil {
			return nil, err
		}
		layers = append(layers, Layer{doc.File.Name, []*graph.Doc{doc}})
	}
	return layers, nil
}

// define makes a layer of PATH=VALUE, which sets, or PATH+=VALUE, which appends to a list
// (design: decisions, "Layers"), above the layers below. -D a.b[0].c=1 becomes the layer
//
//	a: {b: [{+%: merge, c: 1}]}
//
// with the item joined to the one of that index.
func (p *Project) define(text string, below []Layer) (*graph.Doc, error) {
	path, val, ok := docpath.CutAssignment(text)
	if !ok {
		return nil, source.Errorf(source.Span{}, source.Usage, "-D needs PATH=VALUE, got %q", text)
	}
	path, appends := strings.CutSuffix(path, "+")
	steps, err := docpath.Parse(path)
	if err != nil {
		return nil, err
	}
	f := source.NewFile("-D "+path, val)
	docs, findings := frontend.ParseDefinition(f, p.opts.Parse)
	for _, d := range findings {
		if d.Severity == source.Error {
			return nil, d
		}
	}
	doc := *docs[0]
	doc.Base = p.dir
	n := doc.Root
	if n == nil {
		n = &graph.Scalar{At: f.Span(0, 0)}
	}
	if appends {
		n = appending(n)
	} else {
		n = setting(n)
	}
	doc.Root = at(p.exactKeys(steps, below), n)
	return &doc, nil
}

// exactKeys joins the steps that together are a key of the layers below: the exact key wins
// over its split.
func (p *Project) exactKeys(steps []docpath.Step, below []Layer) []docpath.Step {
	if !docpath.IsSplit(steps) {
		return steps
	}
	for _, d := range p.Pair(below) {
		v, err := d.Expanded()
		if err != nil {
			continue // rendering returns this error
		}
		if known := docpath.JoinKnown(v, steps); len(known) < len(steps) {
			return known
		}
	}
	return steps
}

// setting returns n as a layer that hides everything below it.
func setting(n graph.Node) graph.Node {
	switch n := n.(type) {
	case *graph.Map:
		m := *n
		m.Strategy = graph.ReplaceStrategy
		return graph.NewMap(m)
	case *graph.Overlay:
		o := *n
		own := *n.Own
		own.Strategy = graph.ReplaceStrategy
		o.Own = graph.NewMap(own)
		return &o
	case *graph.Seq:
		s := *n
		s.Replace = true
		return graph.NewSeq(s)
	case *graph.Scalar:
		s := *n
		s.Final = s.Val.IsNull()
		return &s
	}
	return n
}

// appending returns n as a layer that adds items to a list.
func appending(n graph.Node) graph.Node {
	if s, ok := n.(*graph.Seq); ok {
		return &graph.Extend{At: s.At, Items: s.Items}
	}
	return &graph.Extend{At: n.Span(), Items: []graph.Node{n}}
}

// at returns n below a path of maps and list items.
func at(steps []docpath.Step, n graph.Node) graph.Node {
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		switch {
		case s.Match != "":
			n = joining(n, &graph.Where{Key: s.Match, Text: s.Text})
		case s.Index:
			n = joining(n, &graph.Where{Index: s.Number})
		default:
			e := graph.Entry{Key: value.K(s.Key), Node: n}
			n = graph.NewMap(graph.Map{At: n.Span(), Entries: []graph.Entry{e}})
		}
	}
	return n
}

// joining returns a list whose only item joins the item that where selects.
func joining(n graph.Node, where *graph.Where) graph.Node {
	return graph.NewSeq(graph.Seq{At: n.Span(), Items: []graph.Node{&graph.Positional{Node: n, Where: where}}})
}
