package edit

import (
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// original returns the document as it is before it is restored.
func (f *fold) original() restore.Original {
	doc := f.doc.Layers()[0].Doc
	o := restore.Original{Root: doc.Root, Anchors: doc.Anchors, Value: f.before, Written: f.expanded, World: world{f.doc}}
	if f.tree != nil {
		o.Tree = f.tree.Root
	}
	return o
}

// worldOf returns the world of an edited document: its nodes are those of its value, apart
// from those that are as they were, and its names stand for what is in their places.
func (f *fold) worldOf(edited restore.Edited) (restore.World, error) {
	was := f.doc.Layers()[0]
	doc := *was.Doc
	var err error
	if doc.Root, err = merge.Lower(edited.Value, doc.File, f.parseOptions()); err != nil {
		return nil, err
	}
	for _, in := range edited.Intact {
		replaceNode(doc.Root, in.At, in.Node)
	}
	doc.Anchors = map[string]graph.Node{}
	for name, p := range edited.Names {
		if n := nodeAt(doc.Root, p); n != nil {
			doc.Anchors[name] = n
		} else if isIntact(p, edited.Intact) {
			doc.Anchors[name] = was.Doc.Anchors[name]
		}
	}
	layer := was
	layer.Doc = &doc
	return quietWorld(f.doc.Project().Document(f.doc.Index(), layer))
}

// quietWorld returns the world of a document that warns of nothing: the original did.
func quietWorld(d *engine.Document) (restore.World, error) {
	warn := d.Project().SetWarn(func(*source.Diagnostic) {})
	defer func() { d.Project().SetWarn(warn) }()
	_, err := d.Eval()
	return world{d}, err
}

// isIntact reports whether a place is in one that is as it was.
func isIntact(p value.Path, intact []restore.Intact) bool {
	return slices.ContainsFunc(intact, func(in restore.Intact) bool { return p.HasPrefix(in.At) })
}

// replaceNode puts a node in a place of nodes without directives, if there is one.
func replaceNode(root graph.Node, p value.Path, n graph.Node) {
	last := len(p) - 1
	if last < 0 {
		return
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

// nodeAt returns the node at a path of nodes without directives, nil for none.
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

// A world is a document in which nodes are tried. It implements [restore.World].
type world struct{ doc *engine.Document }

// Alone implements [restore.World].
func (w world) Alone(p value.Path, n graph.Node) (value.Value, bool, error) {
	e, err := w.doc.Eval()
	if err != nil {
		return value.Null, false, err
	}
	return e.Root().At(p).Alone(n).Raw()
}

// Join implements [restore.World]: the values are those of one key, in two maps.
func (w world) Join(older, newer value.Value) (value.Value, error) {
	key := value.K("v")
	below, err := w.keyed(key, older)
	if err != nil {
		return value.Null, err
	}
	above, err := w.keyed(key, newer)
	if err != nil {
		return value.Null, err
	}
	n := &graph.Overlay{Bases: []graph.Node{below}, Own: above, Rule: graph.MergeRule}
	v, _, err := w.Alone(nil, n)
	if err != nil {
		return value.Null, err
	}
	got, _, err := v.Map().Get(key)
	return got, err
}

func (w world) keyed(k value.Key, v value.Value) (*graph.Map, error) {
	n, err := merge.Lower(v, w.doc.Layers()[0].Doc.File, merge.Options{NoTemplates: true, NoExpressions: true})
	if err != nil {
		return nil, err
	}
	return graph.NewMap(graph.Map{Entries: []graph.Entry{{Key: k, Node: n}}}), nil
}
