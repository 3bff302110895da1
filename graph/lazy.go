package graph

import (
	"iter"
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A lazyMap is the map on a cell as a value. Its entries are evaluated on demand.
type lazyMap Cell

// A lazyList is the list on a cell as a value.
type lazyList Cell

func (m *lazyMap) cell() *Cell  { return (*Cell)(m) }
func (l *lazyList) cell() *Cell { return (*Cell)(l) }

// CellOf returns the cell of a lazy map or list, nil for any other value.
func CellOf(v value.Value) *Cell {
	switch v.Kind() {
	case value.MapKind:
		switch m := v.Map().(type) {
		case *lazyMap:
			return m.cell()
		case *publicMap:
			return m.cell()
		}
	case value.ListKind:
		if l, ok := v.List().(*lazyList); ok {
			return l.cell()
		}
	}
	return nil
}

// plain returns the map node of a cell without other layers that is constant, otherwise
// nil.
func (c *Cell) plain() *Map {
	if c.layer != nil && c.layer.group == nil {
		if m, ok := c.layer.node.(*Map); ok && m.constant {
			return m
		}
	}
	return nil
}

// plainList is plain for lists.
func (c *Cell) plainList() *Seq {
	if c.layer != nil && c.layer.group == nil {
		if s, ok := c.layer.node.(*Seq); ok && s.constant {
			return s
		}
	}
	return nil
}

// cellSteps is the cost of a cell that is made for a constant map or list and is not kept.
const cellSteps = 32

// constant returns the value of a constant node below c without asking other layers.
func (c *Cell) constant(k value.Key, item bool, n Node) (value.Value, error) {
	switch n := n.(type) {
	case *Scalar:
		return n.Val, c.eval.Step(1)
	case *Map:
		return value.FromMap((*lazyMap)(c.constantKid(c.layer, k, item, n))), c.eval.Step(cellSteps)
	}
	return value.FromList((*lazyList)(c.constantKid(c.layer, k, item, n))), c.eval.Step(cellSteps)
}

// IsConstant reports whether v is a map or list of an evaluation in which nothing is computed.
func IsConstant(v value.Value) bool {
	c := CellOf(v)
	return c != nil && (c.plain() != nil || c.plainList() != nil)
}

// Identity implements [value.Identified]: a constant map is the same data at each of its places.
func (m *lazyMap) Identity() any {
	if p := m.cell().plain(); p != nil {
		return p
	}
	return m
}

// Identity implements [value.Identified] for constant lists, as for maps.
func (l *lazyList) Identity() any {
	if s := l.cell().plainList(); s != nil {
		return s
	}
	return l
}

// constantKid returns a cell for a constant node in the layer in of c. It is not kept.
func (c *Cell) constantKid(in *layer, k value.Key, item bool, n Node) *Cell {
	return &Cell{eval: c.eval, up: c, key: k, item: item, layer: in.under(n), hasLayer: true}
}

// Keys yields the keys. If they are unknown because of an error it yields value.UnknownKey,
// and Get returns the error for that key.
func (m *lazyMap) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) {
		if p := m.cell().plain(); p != nil {
			for i := range p.Entries {
				if !yield(p.Entries[i].Key) {
					return
				}
			}
			return
		}
		keys, err := m.cell().seenKeys()
		if err != nil {
			yield(value.UnknownKey)
			return
		}
		for _, k := range keys {
			if !yield(k) {
				return
			}
		}
	}
}

// Len returns the number of entries.
func (m *lazyMap) Len() int {
	if p := m.cell().plain(); p != nil {
		return len(p.Entries)
	}
	keys, err := m.cell().seenKeys()
	if err != nil {
		return 1
	}
	return len(keys)
}

// Get returns the value under k.
func (m *lazyMap) Get(k value.Key) (value.Value, bool, error) {
	if p := m.cell().plain(); p != nil {
		i, ok := p.Find(k)
		if !ok {
			return value.Null, false, nil
		}
		if m.cell().eval.isQuiet() {
			v, err := m.cell().constant(k, false, p.Entries[i].Node)
			return v, true, err
		}
	}
	if k == value.UnknownKey {
		_, err := m.cell().keys()
		return value.Null, err != nil, err
	}
	if seen, err := m.cell().isSeen(k); !seen || err != nil {
		return value.Null, err != nil, err
	}
	if v, ok, err := m.cell().onlyConstant(k); ok {
		return v, true, err
	}
	return m.cell().kid(k).Value()
}

// onlyConstant returns the value under k if only one layer is there and has a constant, without a cell that is kept.
func (c *Cell) onlyConstant(k value.Key) (v value.Value, ok bool, err error) {
	if c.layer == nil || !c.eval.isQuiet() {
		return value.Null, false, nil
	}
	in, e := c.layer.only(k)
	if e == nil || !isConstant(e.Node) {
		return value.Null, false, nil
	}
	switch n := e.Node.(type) {
	case *Scalar:
		return n.Val, !n.Val.IsNull(), c.eval.Step(1)
	case *Map:
		v = value.FromMap((*lazyMap)(c.constantKid(in, k, false, n)))
	default:
		v = value.FromList((*lazyList)(c.constantKid(in, k, false, n)))
	}
	return v, true, c.eval.Step(cellSteps)
}

// isQuiet reports whether constant data can be read without its cells: nobody listens to reads, and
// no secret condition may have put other data there.
func (e *Eval) isQuiet() bool { return e.OnRead == nil && e.shady == nil }

// Through implements [value.Passage].
func (m *lazyMap) Through(k value.Key) (value.Value, bool, error) {
	return m.cell().kid(k).passed()
}

// Has reports whether there is a value under k, without evaluating it.
func (m *lazyMap) Has(k value.Key) (bool, error) {
	if seen, err := m.cell().isSeen(k); !seen || err != nil {
		return false, err
	}
	kid := m.cell().kid(k)
	var ok bool
	provisional, err := kid.eval.provisionally(func() (err error) {
		ok, err = kid.present()
		return err
	})
	if provisional && err == nil {
		kid.eval.saw(probe{kid, presence}, value.Bool(ok), true)
	}
	return ok, err
}

// AnnotationAt returns the annotation of the i-th entry, from the newest layer with one: see [Cell.annotationAt].
func (m *lazyMap) AnnotationAt(i int) *value.Annotation {
	c := m.cell()
	if p := c.plain(); p != nil {
		return p.Entries[i].Note
	}
	keys, err := c.seenKeys()
	return c.annotationAt(keys, err, i)
}

// AsMap returns c as a map, whatever its layers are, without evaluating anything.
func (c *Cell) AsMap() value.Value { return value.FromMap((*lazyMap)(c)) }

// RootMap returns the document around c as a value: its root map without evaluating
// anything, or the value that it has instead.
func (c *Cell) RootMap() value.Value {
	for c.up != nil {
		c = c.up
	}
	if c.layer != nil && !c.layer.leaves(func(l *layer) bool { return !certainlyMap(l.node) }) {
		return value.FromMap((*lazyMap)(c))
	}
	f, err := c.fold()
	if err == nil && f.kind == mapShape {
		return value.FromMap((*lazyMap)(c))
	}
	v, _, _ := c.Value()
	return v
}

// Named returns the value under a text key of c, false if there is none.
func (c *Cell) Named(name string) (value.Value, bool, error) {
	return (*lazyMap)(c).Get(value.K(name))
}

// TextKeys returns the keys of c that are text.
func (c *Cell) TextKeys() []string {
	var names []string
	for k := range (*lazyMap)(c).Keys() {
		if k.Kind == value.StringKind {
			names = append(names, k.Text)
		}
	}
	return names
}

// Parent returns the nearest enclosing map, false at the root.
func (m *lazyMap) Parent() (value.Value, bool, error) {
	return m.cell().Enclosing()
}

// Enclosing returns the nearest map around c, false at the root. A cell with a key is in a
// map; only for a bound cell this has to be looked up.
func (c *Cell) Enclosing() (value.Value, bool, error) {
	for ; c.up != nil; c = c.up {
		inMap := !c.item
		if c.bound == bound {
			f, err := c.up.fold()
			if err != nil {
				return value.Null, false, err
			}
			inMap = f.kind == mapShape
		}
		if inMap {
			return c.up.AsMap(), true, nil
		}
	}
	return value.Null, false, nil
}

// Name returns the key in the enclosing cell, "" at the root.
func (m *lazyMap) Name() value.Value {
	if m.up == nil {
		return value.String("")
	}
	return m.key.Value()
}

// Computing reports whether the value under the text key name is being computed.
func (m *lazyMap) Computing(name string) bool {
	running := m.cell().eval.running
	if len(running) == 0 {
		return false
	}
	c := running[len(running)-1].cell
	return c.up == m.cell() && !c.item && c.key.Text == name
}

// Document returns the root of the document.
func (m *lazyMap) Document() value.Value {
	c := m.cell()
	for c.up != nil {
		c = c.up
	}
	v, _, err := c.Value()
	if err != nil {
		return value.Null
	}
	return v
}

// Len returns the number of items.
func (l *lazyList) Len() int {
	c := l.cell()
	if shown, err := c.shownItems(); err != nil {
		return 1 // At returns the error
	} else if shown != nil {
		return len(shown)
	}
	return c.itemCount()
}

// itemCount returns the number of items of the list on c, absent ones included.
func (c *Cell) itemCount() int {
	n := 0
	if s := c.plainList(); s != nil {
		return len(s.Items)
	}
	provisional, err := c.eval.provisionally(func() error {
		f, err := c.fold()
		if err == nil && f.kind == listShape {
			n = len(f.items)
		}
		return err
	})
	if err == nil && provisional {
		c.eval.saw(probe{c, itsExtent}, value.Int(int64(n)), true)
	}
	return n
}

// At returns item i.
func (l *lazyList) At(i int) (value.Value, error) {
	c := l.cell()
	if s := c.plainList(); s != nil && i < len(s.Items) && c.eval.isQuiet() {
		return c.constant(value.Index(i), true, s.Items[i])
	}
	i, err := c.itemAt(i)
	if err != nil {
		return value.Null, err
	}
	v, ok, err := c.itemKid(i).Value()
	if err == nil && !ok {
		v = value.Null
	}
	return v, err
}

// AnnotationAt returns the annotation of item i.
func (l *lazyList) AnnotationAt(i int) *value.Annotation {
	i, err := l.cell().itemAt(i)
	if err != nil {
		return nil
	}
	return l.cell().itemAnnotation(i)
}

// itemAnnotation returns the annotation of an item of the list on c.
func (c *Cell) itemAnnotation(i int) *value.Annotation {
	if s := c.plainList(); s != nil {
		if s.Notes == nil || i >= len(s.Notes) {
			return nil
		}
		return s.Notes[i]
	}
	f, err := c.fold()
	if err != nil || i >= len(f.items) {
		return nil
	}
	return f.items[i].note
}

// reveal evaluates a computed layer below other layers on c, so that they can join it: a
// map becomes a View, a list a Seq.
func (c *Cell) reveal(l *layer) (*layer, error) {
	if r := c.recall(l); r != nil {
		return r.layer, r.err
	}
	var x *layer
	provisional, err := c.eval.provisionally(func() error {
		n := l.node.(*Computed)
		v, err := c.run(n.Thunk, &Context{Cell: c, Origin: l.origin, Frame: l.frame, At: n.At})
		if err == nil && CellOf(v) == c {
			err = source.Errorf(n.At, source.Cycle, "%s needs its own value", c.label()).
				WithHint("this layer adds %s to itself: remove it", c.label())
		}
		x = l.under(nodeOf(n.At, v))
		return err
	})
	if !provisional && !c.eval.forgets(err) {
		c.learn(l, x, err)
	}
	return x, err
}

// nodeOf returns a node that contributes v.
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

// An itemThunk evaluates to an item of a list.
type itemThunk struct {
	list value.Value
	i    int
}

func (t itemThunk) Eval(*Context) (value.Value, error) {
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

// An entryThunk evaluates to an entry of a map.
type entryThunk struct {
	m     value.Map
	k     value.Key
	marks value.Marks
}

func (t entryThunk) Eval(*Context) (value.Value, error) {
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

// entry returns a node for the entry under a key, nil for none. It avoids evaluating the
// entry only to know whether it exists.
func (n *View) entry(k value.Key) (Node, error) {
	m, err := n.Map()
	if err != nil {
		return nil, err
	}
	var ok bool
	if c, is := m.(*lazyMap); is {
		err = n.through(c.cell(), viewedEntry, k, func() (err error) { ok, err = c.cell().kid(k).present(); return err })
	} else {
		_, ok, err = m.Get(k)
	}
	if !ok || err != nil {
		return nil, err
	}
	return &Computed{At: n.At, Thunk: entryThunk{m, k, n.Marks}}, nil
}

// A viewed is a question that a View passes on to the cell whose map it has, while it is being answered.
type viewed struct {
	cell *Cell
	what viewedPart
	key  value.Key // of viewedEntry
	view int       // as in a run
}

// A viewedPart is the part of a map that a View asks for.
type viewedPart uint8

const (
	viewedKeys viewedPart = iota
	viewedEntry
	viewedPrivacy
)

// through calls ask, which asks c for a part of the map of n. It is an error if this leads to the same question, without
// a computation on the way that would notice it:
//
//	a: {{ x }}, then a: {b: 1}   the keys of a are b and the keys of x
//	x: {{ a }}, then x: {c: 1}   the keys of x are c and the keys of a
func (n *View) through(c *Cell, what viewedPart, k value.Key, ask func() error) error {
	e := c.eval
	q := viewed{c, what, k, e.view()}
	if c.viewed && slices.Contains(e.viewed, q) {
		return source.Errorf(n.At, source.Cycle, "%s needs its own value", c.label()).
			WithHint("the layers of %s add it to itself, through other values", c.label())
	}
	if err := e.Enter(); err != nil {
		return err
	}
	defer e.Leave()
	was := c.viewed
	c.viewed, e.viewed = true, append(e.viewed, q)
	err := ask()
	c.viewed, e.viewed = was, e.viewed[:len(e.viewed)-1]
	return err
}

// Compact drops the cells below item i of a list whose whole value is known, and keeps the
// value as plain data. So a loop of many turns keeps only the result of each. Cells asked
// for later are evaluated again. It compacts only items inside of frames, such as the frames of
// loops, because no caller needs to know the place of such data.
func (c *Cell) Compact(i int) error {
	item := c.loopItem(i)
	if item == nil || c.eval.private { // plain data has no private keys
		return nil
	}
	plain, err := value.Plain(item.val)
	if err != nil {
		return err
	}
	item.val = plain.Mark(item.val.Marks())
	item.forget()
	return nil
}

// Release implements [value.Releasing]. Unlike Compact it does not keep the value.
func (l *lazyList) Release(i int) {
	if item := l.cell().loopItem(i); item != nil {
		item.forget()
	}
}

// loopItem returns the cell of item i if it is inside of a frame, and a map or list with
// cells below it; otherwise nil.
func (c *Cell) loopItem(i int) *Cell {
	f := c.shape
	if f == nil || f.kind != listShape || i >= len(f.items) || f.items[i].layer.frame == nil {
		return nil
	}
	item := c.itemKid(i)
	looked := item.kids != nil || item.more != nil && item.more.items != nil
	if !item.hasVal || !looked || CellOf(item.val) != item {
		return nil
	}
	return item
}

// forget drops everything cached below c.
func (c *Cell) forget() { c.kids, c.shape, c.more = nil, nil, nil }
