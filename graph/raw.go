package graph

import (
	"iter"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// rawLayer replaces every overlay in l by the map as written.
func (e *Eval) rawLayer(l *layer) *layer {
	c := *l
	if l.group != nil {
		c.group = l.mapped(e.rawLayer)
		return &c
	}
	c.node = e.rawNode(l.node)
	return &c
}

// rawNode returns a node in which every directive is the data that it was written as. Nodes that aliases have in common
// have their raw nodes in common, too: aliases of aliases have exponentially many places.
func (e *Eval) rawNode(n Node) Node {
	raw, ok := e.raw[n]
	if !ok {
		_ = e.Step(rawSteps) // the next step of the evaluation has the error
		raw = e.newRawNode(n)
		if e.raw == nil {
			e.raw = map[Node]Node{}
		}
		e.raw[n] = raw
	}
	return raw
}

// newRawNode makes the result of rawNode.
func (e *Eval) newRawNode(n Node) Node {
	switch n := n.(type) {
	case *Overlay:
		return n.Written()
	case *Splice:
		return e.rawNode(n.Node)
	case *Positional:
		return e.rawNode(n.Node)
	case *Map:
		m := Map{At: n.At, Strategy: n.Strategy, Form: n.Form, Note: n.Note, Entries: make([]Entry, len(n.Entries))}
		for i, entry := range n.Entries {
			entry.Node = e.rawNode(entry.Node)
			m.Entries[i] = entry
		}
		if n.Lists != nil && n.Lists.Written != nil {
			m.Entries = slices.Insert(m.Entries, n.Lists.Before, *n.Lists.Written)
		}
		return NewMap(m)
	case *Seq:
		s := Seq{At: n.At, Notes: n.Notes, Replace: n.Replace, Items: make([]Node, len(n.Items))}
		for i, item := range n.Items {
			s.Items[i] = e.rawNode(item)
		}
		return NewSeq(s)
	}
	return n
}

// Raw returns the value of c with all layers merged and nothing evaluated: expressions and
// templates are the data that they were written as.
func (c *Cell) Raw() (value.Value, bool, error) {
	f, err := c.fold()
	if err != nil {
		return value.Null, false, err
	}
	switch f.kind {
	case absentShape, deletedShape:
		return value.Null, false, nil
	case scalarShape:
		return f.top.node.(*Scalar).Val, true, nil
	case computedShape:
		if n, ok := f.top.node.(*Computed); ok {
			return n.Thunk.Raw(), true, nil
		}
		return value.Null, false, nil
	case mapShape:
		return value.FromMap((*rawMap)(c)), true, nil
	case listShape:
		return value.FromList((*rawList)(c)), true, nil
	}
	return nullOf(f), true, nil
}

// A rawMap is the map on a cell with nothing evaluated.
type rawMap Cell

// A rawList is the list on a cell with nothing evaluated.
type rawList Cell

func (l *rawList) Len() int                             { return (*Cell)(l).itemCount() }
func (l *rawList) AnnotationAt(i int) *value.Annotation { return (*Cell)(l).itemAnnotation(i) }

// Keys, Len and AnnotationAt are as in a lazyMap, with directives that are data as well.
func (m *rawMap) Keys() iter.Seq[value.Key] {
	if (*Cell)(m).plain() != nil {
		return (*lazyMap)(m).Keys()
	}
	return yieldKeys((*Cell)(m).rawKeys())
}

func (m *rawMap) Len() int {
	if p := (*Cell)(m).plain(); p != nil {
		return len(p.Entries)
	}
	keys, err := (*Cell)(m).rawKeys()
	if err != nil {
		return 1
	}
	return len(keys)
}

func (m *rawMap) AnnotationAt(i int) *value.Annotation {
	if (*Cell)(m).plain() != nil {
		return (*lazyMap)(m).AnnotationAt(i)
	}
	keys, err := (*Cell)(m).rawKeys()
	return (*Cell)(m).annotationAt(keys, err, i)
}

func (m *rawMap) Get(k value.Key) (value.Value, bool, error) {
	if k == value.UnknownKey {
		return (*lazyMap)(m).Get(k)
	}
	if p := (*Cell)(m).plain(); p != nil {
		i, ok := p.Find(k)
		if !ok {
			return value.Null, false, nil
		}
		v, err := (*Cell)(m).rawConstant(k, false, p.Entries[i].Node)
		return v, true, err
	}
	return (*Cell)(m).kid(k).rawBelow()
}

func (l *rawList) At(i int) (value.Value, error) {
	if s := (*Cell)(l).plainList(); s != nil && i < len(s.Items) {
		return (*Cell)(l).rawConstant(value.Index(i), true, s.Items[i])
	}
	v, _, err := (*Cell)(l).itemKid(i).rawBelow()
	return v, err
}

// rawSteps is the number of steps for reading a raw value. Aliases of aliases have
// exponentially many places, so that comparing two documents would not end otherwise.
const rawSteps = 50

// Identity implements [value.Identified], as for a lazyMap.
func (m *rawMap) Identity() any {
	if p := (*Cell)(m).plain(); p != nil {
		return p
	}
	return m
}

// Identity is as in a rawMap.
func (l *rawList) Identity() any {
	if s := (*Cell)(l).plainList(); s != nil {
		return s
	}
	return l
}

// rawConstant is Cell.constant for values with nothing evaluated.
func (c *Cell) rawConstant(k value.Key, item bool, n Node) (value.Value, error) {
	switch n := n.(type) {
	case *Scalar:
		return n.Val, c.eval.Step(1)
	case *Map:
		return value.FromMap((*rawMap)(c.constantKid(c.layer, k, item, n))), c.eval.Step(cellSteps)
	}
	return value.FromList((*rawList)(c.constantKid(c.layer, k, item, n))), c.eval.Step(cellSteps)
}

// rawBelow is Raw for walks through a document: it counts steps.
func (c *Cell) rawBelow() (value.Value, bool, error) {
	if err := c.eval.Step(rawSteps); err != nil {
		return value.Null, false, err
	}
	return c.Raw()
}

// Locate returns the position of the text of an entry in the source.
func (m *rawMap) Locate(k value.Key) (expr.Placer, bool) { return (*Cell)(m).kid(k).placer() }

// Locate returns the position of the text of an item in the source.
func (l *rawList) Locate(k value.Key) (expr.Placer, bool) { return (*Cell)(l).below(k, true).placer() }

// placer returns the position of the text on c, false if it has none.
func (c *Cell) placer() (expr.Placer, bool) {
	f, err := c.fold()
	if err != nil || f.top == nil || f.top.node == nil {
		return nil, false
	}
	return TextPlacer(f.top.node)
}

// TextPlacer returns the position of the text of a node in the source, false if it has none.
func TextPlacer(n Node) (expr.Placer, bool) {
	if n, ok := n.(*Computed); ok {
		if at, ok := n.Thunk.(expr.Placer); ok {
			return at, true
		}
	}
	at := n.Span()
	switch text := at.Text(); {
	case at.IsZero():
		return nil, false
	case strings.HasPrefix(text, "'"), strings.HasPrefix(text, `"`) && !strings.Contains(text, `\`):
		return expr.At(at.Sub(1, len(text)-1)), true
	case strings.ContainsAny(text, "\n\"|>"):
		return expr.Nowhere(at), true
	}
	return expr.At(at), true
}
