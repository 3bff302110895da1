package edit

import (
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// worldOf returns the world of an edited document. Its nodes are made from its value, apart
// from the intact ones, which the text has. Its anchors are the nodes at the places
// of its names.
func (f *fold) worldOf(edited restore.Edited) (restore.World, error) {
	was := f.doc.Main()
	doc := *was
	err := checkSize(edited.Value)
	if err != nil {
		return nil, err
	}
	if doc.Root, err = merge.Lower(edited.Value, doc.File, f.parseOptions()); err != nil {
		return nil, err
	}
	for _, in := range edited.Intact {
		replaceNode(doc.Root, in.At, in.Node)
	}
	doc.Anchors = map[string]graph.Node{}
	for name, named := range edited.Names {
		p := named.At
		switch n := nodeAt(doc.Root, p); {
		case named.IsOwn:
			if doc.Anchors[name], err = merge.Lower(named.Own, doc.File, f.parseOptions()); err != nil {
				return nil, err
			}
		case n != nil:
			doc.Anchors[name] = n
		case slices.ContainsFunc(edited.Intact, func(in restore.Intact) bool { return p.HasPrefix(in.At) }):
			doc.Anchors[name] = was.Anchors[name]
		}
	}
	p := f.doc.Project()
	d := f.doc.WithMain(&doc)
	warn := p.SetWarn(func(*source.Diagnostic) {}) // the original document has had its warnings
	defer func() { p.SetWarn(warn) }()
	_, err = d.Eval()
	return world{d}, err
}

// maxValues bounds the values of an edited document, each of which becomes a node. A list that aliases repeat
// counts wherever it is: a short text can have very many.
const maxValues = 5_000_000

// checkSize returns an error for a document with too many values.
func checkSize(v value.Value) error {
	n := 0
	return value.Walk(v, func(value.Position, value.Value, error) error {
		if n++; n > maxValues {
			return source.Errorf(source.Span{}, source.Limit, "the document has more than %d values: it is too large to be edited as a whole", maxValues)
		}
		return nil
	})
}

// replaceNode replaces the node at a path of nodes without directives, if there is one.
func replaceNode(root graph.Node, p value.Path, n graph.Node) {
	last := len(p) - 1
	if last < 0 || nodeAt(root, p[:last]) == nil {
		return
	}
	for i := range p {
		graph.Vary(nodeAt(root, p[:i]))
	}
	switch in := nodeAt(root, p[:last]).(type) {
	case *graph.Map:
		if i, ok := in.Find(p[last]); ok {
			in.Entries[i].Node = n
		}
	case *graph.Seq:
		if i, ok := p[last].Value().Int(); ok && i >= 0 && int(i) < len(in.Items) {
			in.Items[i] = n
		}
	}
}

// nodeAt returns the node at a path of nodes without directives, nil if there is none.
func nodeAt(n graph.Node, p value.Path) graph.Node {
	for _, k := range p {
		switch in := n.(type) {
		case *graph.Map:
			i, ok := in.Find(k)
			if !ok {
				return nil
			}
			n = in.Entries[i].Node
		case *graph.Seq:
			i, ok := k.Value().Int()
			if !ok || i < 0 || int(i) >= len(in.Items) {
				return nil
			}
			n = in.Items[i]
		default:
			return nil
		}
	}
	return n
}

// A world evaluates nodes in a document. It implements [restore.World].
type world struct{ doc *engine.Document }

// Alone implements [restore.World].
func (w world) Alone(p value.Path, n graph.Node, lists *graph.Lists) (value.Value, bool, error) {
	return w.doc.Alone(p, n, lists)
}

// Below implements [restore.World].
func (w world) Below() (value.Value, bool, error) { return w.doc.Below() }

// Join implements [restore.World]. It merges two maps that have the values under one key.
func (w world) Join(older, newer value.Value, lists *graph.Lists) (value.Value, error) {
	key := value.K("v")
	below, err := w.keyed(key, older, nil)
	if err != nil {
		return value.Null, err
	}
	above, err := w.keyed(key, newer, lists.Joining())
	if err != nil {
		return value.Null, err
	}
	n := &graph.Overlay{Bases: []graph.Node{below}, Own: above, Rule: graph.MergeRule}
	v, _, err := w.Alone(nil, n, nil)
	if err != nil {
		return value.Null, err
	}
	got, _, err := v.Map().Get(key)
	return got, err
}

// keyed returns a map node of one key.
func (w world) keyed(k value.Key, v value.Value, lists *graph.Lists) (*graph.Map, error) {
	n, err := merge.Lower(v, w.doc.Main().File, merge.Options{ParseOptions: yaml.ParseOptions{NoTemplates: true}, NoExpressions: true})
	if err != nil {
		return nil, err
	}
	return graph.NewMap(graph.Map{Entries: []graph.Entry{{Key: k, Node: n}}, Lists: lists}), nil
}
