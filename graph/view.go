package graph

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A View contributes the entries of a map that is a value already. Nothing of the
// map is looked at before it is needed.
type View struct {
	At  source.Span
	Map func() (value.Map, error)

	// Marks are those of the map: its entries have them as well.
	Marks value.Marks

	// Last says that the keys come behind those of newer layers.
	Last bool
}

// reveal works out what a computed value below others on c is, so that they can
// join it: a map becomes a View, a list a Seq.
func (c *Cell) reveal(l *layer) (*layer, error) {
	if r := c.recall(l); r != nil {
		return r.layer, r.err
	}
	var x *layer
	provisional, err := c.eval.provisionally(func() error {
		n := l.node.(*Computed)
		v, err := c.run(n.Thunk, &Place{Cell: c, Origin: l.origin, Frame: l.frame, At: n.At})
		x = l.under(nodeOf(n.At, v))
		return err
	})
	if !provisional {
		c.learn(l, x, err)
	}
	return x, err
}

// nodeOf returns a node that contributes a value.
func nodeOf(at source.Span, v value.Value) Node {
	switch v.Kind() {
	case value.MapKind:
		m := v.Map()
		return &View{At: at, Map: func() (value.Map, error) { return m, nil }, Marks: v.Marks()}
	case value.ListKind:
		items := make([]Node, v.List().Len())
		for i := range items {
			items[i] = &Computed{At: at, Thunk: itemThunk{v, i}}
		}
		return NewSeq(Seq{At: at, Items: items})
	}
	return &Scalar{At: at, Val: v}
}

// An itemThunk is an item of a list that is a value.
type itemThunk struct {
	list value.Value
	i    int
}

func (t itemThunk) Eval(*Place) (value.Value, error) {
	v, err := t.list.List().At(t.i)
	return v.Mark(t.list.Marks()), err
}

func (t itemThunk) Raw() value.Value {
	v, err := t.Eval(nil)
	if err != nil {
		return value.Null
	}
	return v
}

func (t itemThunk) Soft() bool { return false }

// An entryThunk is an entry of a map that is a value.
type entryThunk struct {
	m     value.Map
	k     value.Key
	marks value.Marks
}

func (t entryThunk) Eval(*Place) (value.Value, error) {
	v, _, err := t.m.Get(t.k)
	return v.Mark(t.marks), err
}

func (t entryThunk) Raw() value.Value {
	v, err := t.Eval(nil)
	if err != nil {
		return value.Null
	}
	return v
}

func (t entryThunk) Soft() bool { return false }

// entry returns a node for what a View has under a key, nil for nothing. It does
// not evaluate the entry if it can be told without that whether it is there.
func (n *View) entry(k value.Key) (Node, error) {
	m, err := n.Map()
	if err != nil {
		return nil, err
	}
	var ok bool
	if c, is := m.(*lazyMap); is {
		ok, err = c.cell().kid(k).present()
	} else {
		_, ok, err = m.Get(k)
	}
	if !ok || err != nil {
		return nil, err
	}
	return &Computed{At: n.At, Thunk: entryThunk{m, k, n.Marks}}, nil
}

// keysOf returns the keys of a layer that is a map.
func keysOf(l *layer) ([]value.Key, error) {
	switch n := l.node.(type) {
	case *Map:
		keys := make([]value.Key, len(n.Entries))
		for i := range n.Entries {
			keys[i] = n.Entries[i].Key
		}
		return keys, nil
	case *View:
		m, err := n.Map()
		if err != nil {
			return nil, err
		}
		return value.KeysOf(m)
	}
	return nil, nil
}
