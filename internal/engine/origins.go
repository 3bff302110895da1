package engine

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Origins returns the layers that made the value at a path, newest first: the one that sets it, or those
// that are merged in it. A part of a computed value has the origins of the whole.
//
// The error is one of evaluation.
func (d *Document) Origins(path value.Path) ([]graph.Fact, error) {
	e, err := d.Eval()
	if err != nil {
		return nil, err
	}
	return origins(e, path), nil
}

func origins(e *graph.Eval, path value.Path) []graph.Fact {
	for n := len(path); n >= 0; n-- {
		c := e.Root().Shown(path[:n])
		if c.Shaded() {
			continue // a secret decides which layers these are
		}
		facts, err := c.Explain()
		if err != nil {
			continue
		}
		var made []graph.Fact
		for _, f := range facts {
			if f.Defines() && !f.At.IsZero() {
				made = append(made, f)
			}
		}
		if len(made) > 0 {
			return made
		}
	}
	return nil
}

// place returns the place of the value at a path as explain does, or of the last key, and the includes of
// its file.
func place(e *graph.Eval, path value.Path, key bool) (source.Span, []source.Span) {
	if key {
		if c := e.Root().Shown(path); !c.Shaded() {
			if at, includes := c.KeyPlace(); !at.IsZero() {
				return at, includes
			}
		}
	}
	for _, f := range origins(e, path) {
		return f.At, f.Includes
	}
	return source.Span{}, nil
}

// Lines are the lines of printed documents.
type Lines struct{ docs []*yaml.Document }

// NewLines parses documents as they were printed, in YAML.
func NewLines(text string) Lines {
	docs, _ := yaml.Parse(source.NewFile("the result", text), yaml.ParseOptions{NoTemplates: true})
	return Lines{docs}
}

// At returns the number of the document and the path of the value on a line, counted from 1. With a column
// it is the innermost value there, else the outermost that begins on the line, or the innermost that goes
// on there. Ok is false after the last line.
func (l Lines) At(line, col int) (doc int, path value.Path, ok bool) {
	for i, d := range l.docs {
		if d.Root == nil {
			continue
		}
		last, _ := d.Root.At.File.Position(max(int(d.Root.At.End)-1, int(d.Root.At.Start)))
		if line <= last {
			return i, valueOn(d.Root, line, col), true
		}
	}
	return 0, nil, false
}

// valueOn returns the path of the value on a line of a tree.
//
//	1 web:                1: web   2: web.hosts   3: web.hosts   4: web.hosts[1]
//	2   hosts: [{ip: 1},
//	3
//	4      {ip: 2}]
func valueOn(n *yaml.Node, line, col int) value.Path {
	var path value.Path
	for {
		var key value.Key
		var below *yaml.Node
		begins := false
		for i := range n.Len() {
			start, k := n.Child(i).At, value.Index(i)
			if n.Kind == yaml.MapNode {
				start, k = n.Entries[i].KeyAt, n.Entries[i].Key
			}
			l, c := start.File.Position(int(start.Start))
			if l > line || l == line && col > 0 && c > col || begins && col == 0 {
				break
			}
			key, below, begins = k, n.Child(i), l == line
		}
		if below == nil {
			return path
		}
		path = append(path, key)
		if begins && col == 0 {
			return path
		}
		n = below
	}
}
