package graph

import (
	"iter"

	"github.com/yaytpl/yaytpl/value"
)

// A lazyMap is the map that the layers of a cell come to, as a value: entries are worked
// out when they are asked for.
type lazyMap Cell

// A lazyList is the same for lists.
type lazyList Cell

func (m *lazyMap) cell() *Cell  { return (*Cell)(m) }
func (l *lazyList) cell() *Cell { return (*Cell)(l) }

// CellOf returns the cell that a lazy map or list of a configuration shows, nil for
// any other value.
func CellOf(v value.Value) *Cell {
	switch v.Kind() {
	case value.MapKind:
		if m, ok := v.Map().(*lazyMap); ok {
			return m.cell()
		}
	case value.ListKind:
		if l, ok := v.List().(*lazyList); ok {
			return l.cell()
		}
	}
	return nil
}

// plain returns the map node of a cell that is just that and needs no evaluation.
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

// constant returns what a node below c comes to that needs no evaluation, without
// asking all layers for it.
func (c *Cell) constant(k value.Key, item bool, n Node) value.Value {
	switch n := n.(type) {
	case *Scalar:
		return n.Val
	case *Map:
		return value.FromMap((*lazyMap)(c.constantKid(k, item, n)))
	}
	return value.FromList((*lazyList)(c.constantKid(k, item, n)))
}

func (c *Cell) constantKid(k value.Key, item bool, n Node) *Cell {
	return &Cell{eval: c.eval, up: c, key: k, item: item, layer: c.layer.under(n), hasLayer: true}
}

// Keys yields the keys, or one key whose value is the error if they cannot be
// known.
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
		keys, err := m.cell().keys()
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
	keys, err := m.cell().keys()
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
		if m.cell().eval.OnRead == nil {
			return m.cell().constant(k, false, p.Entries[i].Node), true, m.cell().eval.Step(1)
		}
	}
	if k == value.UnknownKey {
		_, err := m.cell().keys()
		return value.Null, err != nil, err
	}
	return m.cell().kid(k).Value()
}

// Has reports whether there is something under k, without working it out.
func (m *lazyMap) Has(k value.Key) (bool, error) {
	kid := m.cell().kid(k)
	var ok bool
	provisional, err := kid.eval.provisionally(func() (err error) {
		ok, err = kid.present()
		return err
	})
	if provisional && err == nil {
		kid.eval.saw(looked{kid, presence}, value.Bool(ok), true)
	}
	return ok, err
}

// AnnotationAt returns what the source says about the i-th entry: the newest layer
// that defines it.
func (m *lazyMap) AnnotationAt(i int) *value.Annotation {
	c := m.cell()
	if p := c.plain(); p != nil {
		return p.Entries[i].Note
	}
	keys, err := c.keys()
	f, _ := c.fold()
	if err != nil || f == nil || i >= len(keys) {
		return nil
	}
	if e := f.newest(keys[i], hasNote); e != nil {
		return e.Note
	}
	return nil
}

// AsMap returns the map on c, whatever is there, without evaluating anything.
func (c *Cell) AsMap() value.Value { return value.FromMap((*lazyMap)(c)) }

// RootMap returns the document that c stands in as a value: its root map without
// evaluating anything, or what else it is.
func (c *Cell) RootMap() value.Value {
	for c.up != nil {
		c = c.up
	}
	if c.layer != nil && c.layer.hasMap() {
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

// Enclosing returns the nearest map around c, false at the root. What has a key
// lies in a map, so that nothing needs to be worked out to know.
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

// Computing reports whether the value under a key of that name is what is being
// worked out at the moment.
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
	c, n := l.cell(), 0
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
		c.eval.saw(looked{c, itsExtent}, value.Int(int64(n)), true)
	}
	return n
}

// At returns item i.
func (l *lazyList) At(i int) (value.Value, error) {
	c := l.cell()
	if s := c.plainList(); s != nil && i < len(s.Items) && c.eval.OnRead == nil {
		return c.constant(value.Index(i), true, s.Items[i]), c.eval.Step(1)
	}
	v, ok, err := c.itemKid(i).Value()
	if err == nil && !ok {
		v = value.Null
	}
	return v, err
}

// AnnotationAt returns what the source says about item i.
func (l *lazyList) AnnotationAt(i int) *value.Annotation {
	if s := l.cell().plainList(); s != nil {
		if s.Notes == nil || i >= len(s.Notes) {
			return nil
		}
		return s.Notes[i]
	}
	f, err := l.cell().fold()
	if err != nil || i >= len(f.items) {
		return nil
	}
	return f.items[i].note
}
