package yay

import (
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// include is "include operand" (spec: yay, section 5.1). Which file it is may depend
// on anything, the search path included, so it is decided like a condition.
func (a *assembly) include(s *Include) *graph.Guard {
	g := &graph.Guard{At: s.Operand.Span(), On: &fileThunk{written{s.Operand}}, Label: graph.IncludeLabel, Item: a.shape.list}
	g.Pick = func(p *graph.Place, v value.Value) (graph.Node, error) {
		if v.IsNull() {
			return nil, nil
		}
		return runtimeOf(p).node(g, v.Str(), func() graph.Node { return includeNode(g.At, v.Str()) }), nil
	}
	return g
}

// includeNode returns the files of a list that fileThunk made.
func includeNode(at source.Span, files string) graph.Node {
	var refs []graph.Node
	for _, name := range strings.Split(files, fileSeparator) {
		refs = append(refs, &graph.Ref{At: at, Key: "include " + at.Text(), From: graph.FromFile, File: name, FileAt: at, Deep: true})
	}
	if len(refs) == 1 {
		return refs[0]
	}
	return &graph.Stack{At: at, Layers: refs, Rule: graph.BlockRule}
}

const fileSeparator = "\x00"

// A fileThunk is the files that an include names, found along the search path: their
// full names as one text, null for none.
type fileThunk struct{ written }

// Eval evaluates the operand at p.
func (t *fileThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, withHint(err, fileHint(t.node))
	}
	names, err := textsOf(v, t.node.Span())
	if err != nil {
		return v, p.Included(err)
	}
	if len(names) == 0 {
		return value.Null.Mark(v.Marks()), nil
	}
	for i, name := range names {
		if names[i], err = (*site)(p).find(name, t.node.Span()); err != nil {
			return v, p.Included(nameless(err, v))
		}
	}
	return value.String(strings.Join(names, fileSeparator)).Mark(v.Marks()), nil
}

// nameless returns an error about a file without its name if that must not be shown.
func nameless(err error, name value.Value) error {
	marks, deep := value.DeepMarks(name)
	d, ok := err.(*source.Diagnostic)
	if marks == 0 && deep == nil || !ok {
		return err
	}
	return source.Errorf(d.At, d.Code, "the file cannot be opened; its name must not be shown")
}

// textsOf returns one text, or those of a list.
func textsOf(v value.Value, at source.Span) ([]string, error) {
	if !v.Is(value.ListKind) {
		text, err := textOf(v, at)
		return []string{text}, err
	}
	var texts []string
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return nil, err
		}
		text, err := textOf(item, at)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}
