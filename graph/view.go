package graph

import (
	"errors"
	"iter"
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A mapView is the map that the layers of a cell come to.
type mapView Cell

// A listView is the list that the layers of a cell come to.
type listView Cell

func (m *mapView) cell() *Cell  { return (*Cell)(m) }
func (l *listView) cell() *Cell { return (*Cell)(l) }

// CellOf returns the cell that a lazy map or list of a configuration shows, nil for
// any other value.
func CellOf(v value.Value) *Cell {
	switch v.Kind() {
	case value.MapKind:
		if m, ok := v.Map().(*mapView); ok {
			return m.cell()
		}
	case value.ListKind:
		if l, ok := v.List().(*listView); ok {
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
		return value.FromMap((*mapView)(c.constantKid(k, item, n)))
	}
	return value.FromList((*listView)(c.constantKid(k, item, n)))
}

func (c *Cell) constantKid(k value.Key, item bool, n Node) *Cell {
	return &Cell{eval: c.eval, up: c, key: k, item: item, layer: c.layer.under(n), hasLayer: true}
}

// keys returns the keys of the map on c, in the order in which they were first
// defined, without those that were deleted.
func (c *Cell) keys() ([]value.Key, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	if f.hasKeys {
		return f.keys, nil
	}
	var keys []value.Key
	provisional, err := c.eval.provisionally(func() (err error) {
		keys, err = c.collectKeys(f)
		return err
	})
	if err == nil && !provisional {
		f.keys, f.hasKeys = keys, true
	}
	if err == nil && provisional {
		c.eval.saw(looked{c, itsExtent}, keyList(keys), true)
	}
	return keys, err
}

func (c *Cell) collectKeys(f *folded) ([]value.Key, error) {
	return c.keysWhere(f, func(k value.Key) (bool, error) { return c.stays(f, k) })
}

// AllKeys returns the keys of the map on c, those included whose presence cannot be
// told because of an error: asking for their value tells it.
func (c *Cell) AllKeys() ([]value.Key, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	return c.keysWhere(f, func(k value.Key) (bool, error) {
		ok, err := c.stays(f, k)
		if errors.Is(err, source.ErrLimit) {
			return false, err
		}
		return ok || err != nil, nil
	})
}

// keysWhere returns the keys that stay, oldest first.
func (c *Cell) keysWhere(f *folded, stays func(value.Key) (bool, error)) ([]value.Key, error) {
	if len(f.maps) == 1 {
		if m, ok := f.maps[0].node.(*Map); ok && len(m.Entries) <= smallMap {
			return m.keysWhere(stays)
		}
	}
	all, err := f.allKeys()
	if err != nil {
		return nil, err
	}
	keys := make([]value.Key, 0, len(all))
	seen := newKeySet(len(all))
	for _, k := range all {
		if !seen.add(k) {
			continue
		}
		ok, err := stays(k)
		if err != nil {
			return nil, err
		}
		if ok {
			keys = append(keys, k)
		}
	}
	return keys, c.eval.Step(len(all))
}

// keysWhere is the same for a single map with few keys.
func (m *Map) keysWhere(stays func(value.Key) (bool, error)) ([]value.Key, error) {
	keys := make([]value.Key, 0, len(m.Entries))
	for i := range m.Entries {
		k := m.Entries[i].Key
		if contains(keys, k) {
			continue
		}
		ok, err := stays(k)
		if err != nil {
			return nil, err
		}
		if ok {
			keys = append(keys, k)
		}
	}
	return keys, nil
}

// allKeys returns the keys of the maps that show through, oldest first, with
// repetitions.
func (f *folded) allKeys() ([]value.Key, error) {
	if len(f.maps) == 1 {
		return keysOf(f.maps[0])
	}
	var all, last []value.Key
	for i := len(f.maps) - 1; i >= 0; i-- {
		keys, err := keysOf(f.maps[i])
		if err != nil {
			return nil, err
		}
		if v, ok := f.maps[i].node.(*View); ok && v.Last {
			last = append(last, keys...)
		} else {
			all = append(all, keys...)
		}
	}
	return append(all, last...), nil
}

// A keySet finds repeated keys. Of few keys it is a list.
type keySet struct {
	few  []value.Key
	many map[value.Key]bool
}

func newKeySet(n int) *keySet {
	if n <= smallMap {
		return &keySet{few: make([]value.Key, 0, n)}
	}
	return &keySet{many: make(map[value.Key]bool, n)}
}

// add reports whether the key is new.
func (s *keySet) add(k value.Key) bool {
	if s.many == nil {
		if contains(s.few, k) {
			return false
		}
		s.few = append(s.few, k)
		return true
	}
	if s.many[k] {
		return false
	}
	s.many[k] = true
	return true
}

func contains(keys []value.Key, k value.Key) bool {
	for _, have := range keys {
		if have == k {
			return true
		}
	}
	return false
}

// stays reports whether there is something under k. Most often the newest entry
// says so by itself.
func (c *Cell) stays(f *folded, k value.Key) (bool, error) {
	if e := f.newest(k, anyEntry); e != nil && isSolid(e.Node) {
		if s, null := e.Node.(*Scalar); !null || !s.Val.IsNull() {
			return true, nil
		}
	}
	return c.kid(k, false).present()
}

// Keys yields the keys, or one key whose value is the error if they cannot be
// known.
func (m *mapView) Keys() iter.Seq[value.Key] {
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
func (m *mapView) Len() int {
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
func (m *mapView) Get(k value.Key) (value.Value, bool, error) {
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
	return m.cell().kid(k, false).Value()
}

// Has reports whether there is something under k, without working it out.
func (m *mapView) Has(k value.Key) (bool, error) {
	kid := m.cell().kid(k, false)
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
func (m *mapView) AnnotationAt(i int) *value.Annotation {
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
func (c *Cell) AsMap() value.Value { return value.FromMap((*mapView)(c)) }

// RootMap returns the document that c stands in as a value: its root map without
// evaluating anything, or what else it is.
func (c *Cell) RootMap() value.Value {
	for c.up != nil {
		c = c.up
	}
	if c.layer != nil && c.layer.hasMap() {
		return value.FromMap((*mapView)(c))
	}
	f, err := c.fold()
	if err == nil && f.kind == mapShape {
		return value.FromMap((*mapView)(c))
	}
	v, _, _ := c.Value()
	return v
}

// hasMap reports whether l certainly has a map, so that as layers of a document it
// is one, or an error. No condition needs to be decided to know.
func (l *layer) hasMap() bool {
	return !l.leaves(func(l *layer) bool { return !certainlyMap(l.node) })
}

// isMap reports whether what lies on a cell can only be a map of data, or an error:
// then no condition needs to be decided before a key is asked for (spec: yay,
// section 6.4).
func (l *layer) isMap() bool {
	if l.of != nil {
		return false
	}
	if l.group == nil {
		return typedMap(l.node)
	}
	for _, m := range l.members {
		if m.isMap() {
			return l.rule.Typed && l.overlay == nil
		}
		if !l.rule.mayGoOn(m.node) {
			return false
		}
	}
	return false
}

// typedMap is isMap for a node.
func typedMap(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return !n.Weak && !n.Form && n.Strategy == DefaultStrategy
	case *Let:
		return typedMap(n.Body)
	case *Stack:
		for _, top := range slices.Backward(n.Layers) {
			if typedMap(top) {
				return n.Rule.Typed
			}
			if !n.Rule.mayGoOn(top) {
				return false
			}
		}
	}
	return false
}

// mayGoOn reports whether a map below a layer makes the whole a map: in a block it
// always does, elsewhere if the layer can only come to maps or nothing.
func (r *Rule) mayGoOn(top Node) bool { return r.ConcatLists || onlyMaps(top) }

func onlyMaps(n Node) bool {
	g, ok := n.(*Guard)
	return ok && g.May != nil && !slices.ContainsFunc(g.May, func(m Node) bool { return !typedMap(m) && !onlyMaps(m) })
}

func certainlyMap(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return !n.Weak
	case *Overlay:
		return !n.Lone
	case *Let:
		return certainlyMap(n.Body)
	case *Stack:
		return slices.ContainsFunc(n.Layers, certainlyMap)
	}
	return false
}

// Named returns the value under a text key of c, false if there is none.
func (c *Cell) Named(name string) (value.Value, bool, error) {
	return (*mapView)(c).Get(value.K(name))
}

// TextKeys returns the keys of c that are text.
func (c *Cell) TextKeys() []string {
	var names []string
	for k := range (*mapView)(c).Keys() {
		if k.Kind == value.StringKind {
			names = append(names, k.Text)
		}
	}
	return names
}

// Parent returns the nearest enclosing map, false at the root.
func (m *mapView) Parent() (value.Value, bool, error) {
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
func (m *mapView) Name() value.Value {
	if m.up == nil {
		return value.String("")
	}
	return m.key.Value()
}

// Computing reports whether the value under a key of that name is what is being
// worked out at the moment.
func (m *mapView) Computing(name string) bool {
	running := m.cell().eval.running
	if len(running) == 0 {
		return false
	}
	c := running[len(running)-1].cell
	return c.up == m.cell() && !c.item && c.key.Text == name
}

// Document returns the root of the document.
func (m *mapView) Document() value.Value {
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
func (l *listView) Len() int {
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
func (l *listView) At(i int) (value.Value, error) {
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
func (l *listView) AnnotationAt(i int) *value.Annotation {
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

// A rawMap is a map with all its layers but nothing evaluated.
type rawMap Cell

// A rawList is the same for lists.
type rawList Cell

func (m *rawMap) Len() int                              { return (*mapView)(m).Len() }
func (m *rawMap) Keys() iter.Seq[value.Key]             { return (*mapView)(m).Keys() }
func (l *rawList) Len() int                             { return (*listView)(l).Len() }
func (m *rawMap) AnnotationAt(i int) *value.Annotation  { return (*mapView)(m).AnnotationAt(i) }
func (l *rawList) AnnotationAt(i int) *value.Annotation { return (*listView)(l).AnnotationAt(i) }

func (m *rawMap) Get(k value.Key) (value.Value, bool, error) {
	if k == value.UnknownKey {
		return (*mapView)(m).Get(k)
	}
	return (*Cell)(m).kid(k, false).Raw()
}

func (l *rawList) At(i int) (value.Value, error) {
	v, _, err := (*Cell)(l).itemKid(i).Raw()
	return v, err
}
