package lookup

import (
	"sync"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Document returns all effective data of a table as a document: a map whose entries are looked up
// when they are asked for, each at the place of its binding. The lock guards the table.
//
// Codes: the codes of reading the data of providers, and of evaluating bindings that may be
// optional.
func Document(t *bind.Table, f *source.File, lock sync.Locker) (*graph.Doc, error) {
	lock.Lock()
	defer lock.Unlock()
	names, err := t.All()
	if err != nil {
		return nil, err
	}
	root := graph.Map{At: f.Span(0, 0)}
	for _, name := range names {
		place, now := t.Place(name)
		if place.IsZero() {
			place = root.At
		}
		var n graph.Node = &graph.Computed{At: place, Thunk: &bound{t, name, lock}}
		if a, err := answerNow(t, name, now); err == nil && now {
			if !a.Found {
				continue
			}
			if constant, ok := nodeOf(a.Value, place, 0); ok {
				n = constant // newer layers join its maps and lists
			}
		}
		root.Entries = append(root.Entries, graph.Entry{Key: value.K(name), KeyAt: place, Node: n})
	}
	return &graph.Doc{File: f, Root: graph.NewMap(root), Base: graph.BaseOf(f), Lang: frontend.Bindings}, nil
}

// answerNow looks a name up if that is to be done now.
func answerNow(t *bind.Table, name string, now bool) (bind.Answer, error) {
	if !now {
		return bind.Answer{}, nil
	}
	return t.Lookup(RequestOf(name))
}

// nodeOf returns plain data as nodes, and false for other values: with marks or tags, or deep.
func nodeOf(v value.Value, at source.Span, depth int) (graph.Node, bool) {
	if s := v.Source(); v.Marks() != 0 || s != nil && s.Tag != "" || depth > maxDepth {
		return nil, false
	}
	switch v.Kind() {
	case value.MapKind:
		m := graph.Map{At: at}
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			n, ok := nodeOf(item, at, depth+1)
			if err != nil || !ok {
				return nil, false
			}
			m.Entries = append(m.Entries, graph.Entry{Key: k, KeyAt: at, Node: n})
		}
		return graph.NewMap(m), true
	case value.ListKind:
		s := graph.Seq{At: at}
		for i := range v.List().Len() {
			item, err := v.List().At(i)
			n, ok := nodeOf(item, at, depth+1)
			if err != nil || !ok {
				return nil, false
			}
			s.Items = append(s.Items, n)
		}
		return graph.NewSeq(s), true
	}
	return &graph.Scalar{At: at, Val: v}, true
}

// maxDepth bounds the nodes of a constant; a deeper one is one value.
const maxDepth = 100

// RequestOf asks for a name as it is, dots included.
func RequestOf(name string) bind.Request {
	return bind.Request{Keys: []bind.KeyPath{{Text: name, Segments: []bind.Segment{{Text: name}}}}}
}

// A bound is the value of a name of a table.
type bound struct {
	table *bind.Table
	name  string
	lock  sync.Locker
}

// Eval looks the name up.
func (b *bound) Eval(*graph.Context) (value.Value, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	a, err := b.table.Lookup(RequestOf(b.name))
	if err != nil {
		return value.Null, err
	}
	return Plain(b.table, a.Value)
}

// Raw returns the value, since bindings have no other form; null if it cannot be evaluated.
func (b *bound) Raw() value.Value {
	v, err := b.Eval(nil)
	if err != nil {
		return value.Null
	}
	return v
}

// Soft reports that a cycle is an error.
func (b *bound) Soft() bool { return false }
