package lint

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Reference is a key of a document that a template, an expression or a pointer in a file
// names (spec: everyday, A5).
type Reference struct {
	expr.Mention
	Doc      *graph.Doc
	Included bool       // Doc is an included file: Self is a path in this file
	Self     value.Path // the map that holds the reference, as it is written
	Scope    Scope      // of a reference in a directive
}

// References returns the references in layers and in the files that they include, and the
// places of all keys that are written there, by [Reference].Self with the key.
func References(layers, included []*graph.Doc) ([]Reference, []Definition) {
	all := references{data: nodeData{places: true}}
	for _, doc := range layers {
		all.file(doc, false)
	}
	for _, doc := range included {
		all.file(doc, true)
	}
	return all.found, all.keys
}

// A Definition is a key as it is written in a file.
type Definition struct {
	At       source.Span
	Doc      *graph.Doc
	Included bool
	Path     value.Path // in the file
}

// references walks the nodes of documents.
type references struct {
	doc      *graph.Doc
	included bool
	seen     map[graph.Node]bool
	data     nodeData
	found    []Reference
	keys     []Definition
}

func (r *references) file(doc *graph.Doc, included bool) {
	r.doc, r.included, r.seen = doc, included, map[graph.Node]bool{}
	if doc.Root != nil {
		r.node(doc.Root, surroundings{})
	}
}

// surroundings are the place of a node in its file.
type surroundings struct {
	path  value.Path // of the node
	self  value.Path // of the map around it
	names []string   // that are bound there
	depth int
}

// at returns the surroundings of an entry or item.
func (s surroundings) at(k value.Key) surroundings {
	s.path = append(slices.Clip(s.path), k)
	s.depth++
	return s
}

// binding returns s with more names.
func (s surroundings) binding(names ...string) surroundings {
	s.names = append(slices.Clip(s.names), names...)
	s.depth++
	return s
}

// A mentioner is a computed value that knows the keys that it names.
type mentioner interface {
	Mentions(visit func(expr.Mention))
}

// thunk adds the references of a computed value.
func (r *references) thunk(t graph.Thunk, s surroundings) {
	if m, ok := t.(mentioner); ok {
		r.mentions(s, m.Mentions)
	}
}

// mentions adds the keys that mention visits.
func (r *references) mentions(s surroundings, mention func(visit func(expr.Mention))) {
	mention(func(m expr.Mention) {
		if (m.From == expr.RootName || m.From == expr.RootNearest) && slices.Contains(s.names, m.Keys[0]) {
			if m.From, m.Keys = expr.RootUnknown, m.Keys[1:]; len(m.Keys) == 0 {
				return
			}
		}
		r.found = append(r.found, Reference{Mention: m, Doc: r.doc, Included: r.included, Self: s.self})
	})
}

// expression adds the references of a map that is an expression object, and reports whether it
// is one.
func (r *references) expression(n *graph.Map, s surroundings) bool {
	raw := r.data.of(n)
	if !expr.IsExpression(raw.Map()) {
		return false
	}
	r.mentions(s, func(visit func(expr.Mention)) { merge.Mentions(raw, n.At, visit) })
	return true
}

// A locatedMap is the data of a map with the places of its texts.
type locatedMap struct {
	value.Map
	node *graph.Map
}

// Locate returns the position of the text of an entry.
func (m locatedMap) Locate(k value.Key) (expr.Placer, bool) {
	i, ok := m.node.Find(k)
	if !ok {
		return nil, false
	}
	return graph.TextPlacer(m.node.Entries[i].Node)
}

// A locatedList is the data of a list with the places of its texts.
type locatedList struct {
	value.List
	node *graph.Seq
}

// Locate returns the position of the text of an item.
func (l locatedList) Locate(k value.Key) (expr.Placer, bool) {
	i, ok := k.Value().Int()
	if !ok || i < 0 || int(i) >= len(l.node.Items) {
		return nil, false
	}
	return graph.TextPlacer(l.node.Items[i])
}

// node visits a node and its parts.
func (r *references) node(n graph.Node, s surroundings) {
	if n == nil || s.depth > maxDepth || r.seen[n] {
		return
	}
	r.seen[n] = true
	switch n := n.(type) {
	case *graph.Map:
		if n.Form && r.expression(n, s) {
			return
		}
		s.self = s.path
		r.directives(n, s)
		for i := range n.Entries {
			e := &n.Entries[i]
			at := s.at(e.Key)
			r.keys = append(r.keys, Definition{e.KeyAt, r.doc, r.included, at.path})
			r.node(e.Node, at)
		}
	case *graph.Overlay:
		for _, b := range n.Bases {
			inner := s
			inner.self = s.path
			r.node(b, inner)
		}
		r.node(n.Own, s)
	case *graph.Seq:
		for i, item := range n.Items {
			r.node(item, s.at(value.Index(i)))
		}
	case *graph.Computed:
		r.thunk(n.Thunk, s)
	case *graph.Ref:
		r.pointer(n, s)
	case *graph.Guard:
		r.thunk(n.On, s)
		r.parts(n, s)
	case *graph.Each:
		r.thunk(n.Over, s)
		r.parts(n, s.binding(n.Names...))
	case *graph.Let:
		var names []string
		for i := range n.Names {
			names = append(names, n.Names[i].Key.Text)
		}
		r.parts(n, s.binding(names...))
	case *graph.Stack:
		for _, layer := range n.Layers {
			r.node(layer, s)
		}
	case *graph.Splice, *graph.Positional, *graph.Extend, *graph.Define:
		r.parts(n, s)
	}
}

func (r *references) parts(n graph.Node, s surroundings) {
	s.depth++
	for _, part := range graph.Parts(n) {
		r.node(part.Node, s)
	}
}

// pointer adds the keys of a pointer such as +/web/port.
func (r *references) pointer(ref *graph.Ref, s surroundings) {
	from, before := expr.RootUnknown, []string(nil)
	switch {
	case ref.From == graph.FromRoot:
		from = expr.RootDoc
	case ref.From == graph.FromHere && ref.Up <= len(s.self):
		from = expr.RootDoc
		for _, k := range s.self[:len(s.self)-ref.Up] {
			before = append(before, k.Text)
		}
		if r.included {
			from = expr.RootUnknown
		}
	}
	spans := segmentSpans(ref.At, len(ref.Path))
	for i := range ref.Path {
		at := ref.At
		if spans != nil {
			at = spans[i]
		}
		keys := slices.Concat(before, ref.Path[:i+1])
		r.found = append(r.found, Reference{
			Mention: expr.Mention{At: at, Form: expr.FormPointer, From: from, Keys: keys}, Doc: r.doc, Included: r.included, Self: s.self,
		})
	}
}

// segmentSpans returns the places of the last n segments of a pointer, nil if they cannot be
// told apart.
func segmentSpans(at source.Span, n int) []source.Span {
	text := at.Text()
	end := len(text)
	if end > 1 && (text[0] == '"' || text[0] == '\'') && text[end-1] == text[0] {
		end--
	}
	spans := make([]source.Span, n)
	for i := n - 1; i >= 0; i-- {
		slash := strings.LastIndexByte(text[:end], '/')
		if slash < 0 {
			return nil
		}
		spans[i] = at.Sub(slash+1, end)
		end = slash
	}
	return spans
}
