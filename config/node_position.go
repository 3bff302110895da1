package config

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
)

// At returns where the value of n is written: the layer that decides it. What is in
// a computed list or map has the place of that; a value that cannot be worked out
// has its own. The zero span is no place: n leads nowhere, or to data of the program.
func (n Node) At() source.Span {
	var at source.Span
	if n.in == nil || n.bad != nil {
		return at
	}
	err := n.in.look(func(v view) error {
		x, err := n.follow(v)
		if !isMissing(err) {
			at = x.span()
		}
		return nil
	})
	if err != nil {
		return source.Span{}
	}
	return at
}

// Position returns the file, line and column of [Node.At], counted from 1. Without a
// place they are "", 0 and 0.
func (n Node) Position() (file string, line, column int) {
	at := n.At()
	if at.IsZero() {
		return "", 0, 0
	}
	line, column = at.File.Position(int(at.Start))
	return at.File.Name, line, column
}

// span returns where x is written.
func (x *found) span() source.Span {
	for c := x.cell; c != nil; c = c.Up() {
		facts, err := c.Explain()
		if err != nil {
			return source.Span{}
		}
		for _, f := range facts {
			if f.Role == graph.Sets {
				return f.At
			}
		}
	}
	return source.Span{}
}
