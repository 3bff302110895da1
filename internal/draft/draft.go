// Package draft applies edits to the value of a document, without copying or evaluating the parts
// that the edits do not touch.
package draft

import (
	"iter"
	"slices"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Document is a value under edit. The original value does not change: edited maps and lists
// are layers over the original ones.
type Document struct{ Root value.Value }

// Apply applies an edit; a move is two of them. A missing or null parent becomes a map.
//
// Codes: not-found, bad-type, duplicate-key if the document has no place for the edit.
func (d *Document) Apply(e roundtrip.Edit) error {
	if e.Op == roundtrip.Append {
		return d.append(e)
	}
	if len(e.Path) == 0 {
		d.Root = value.Null
		if e.Op == roundtrip.Set {
			d.Root = e.Value
		}
		return nil
	}
	n := len(e.Path) - 1
	in, err := d.open(e.Path[:n])
	if err != nil {
		return err
	}
	switch in := in.(type) {
	case *mapDraft:
		return in.apply(e)
	case *listDraft:
		return in.apply(e)
	}
	return source.Errorf(source.Span{}, source.BadType, "%s is neither a map nor a list", e.Path[:n])
}

// append applies the operation Append. A missing or null list becomes a list of one item.
func (d *Document) append(e roundtrip.Edit) error {
	old, _, err := value.Find(d.Root, e.Path)
	switch {
	case err != nil:
		return err
	case old.IsNull():
		return d.Apply(roundtrip.Edit{Op: roundtrip.Set, Path: e.Path, Value: value.ListOf(e.Value)})
	case !old.Is(value.ListKind):
		return source.Errorf(source.Span{}, source.BadType, "%s is %s, not a list", e.Path, value.Article(old.Kind()))
	}
	in, err := d.open(e.Path)
	if err == nil {
		l := in.(*listDraft)
		l.items = append(l.items, itemDraft{val: e.Value})
	}
	return err
}

// open returns the *mapDraft or *listDraft at a path, and puts drafts in place of the maps and
// lists on the way down to it. A missing or null value becomes a map. For other values open
// returns nil.
func (d *Document) open(path value.Path) (any, error) {
	if len(path) == 0 {
		v, in := draftOf(d.Root)
		d.Root = v
		return in, nil
	}
	n := len(path) - 1
	up, err := d.open(path[:n])
	if err != nil {
		return nil, err
	}
	switch up := up.(type) {
	case *mapDraft:
		old, _, err := up.Get(path[n])
		if err != nil {
			return nil, err
		}
		v, in := draftOf(old)
		up.set(path[n], v)
		return in, nil
	case *listDraft:
		i := up.find(path[n])
		if i < 0 {
			return nil, nil
		}
		old, err := up.At(i)
		if err != nil {
			return nil, err
		}
		v, in := draftOf(old)
		up.items[i] = itemDraft{val: v}
		return in, nil
	}
	return nil, nil
}

// draftOf returns the draft for a map, list or null, and the value to put in place of v: a value
// of that draft. The draft of other values is nil.
func draftOf(v value.Value) (value.Value, any) {
	switch {
	case v.Is(value.MapKind):
		m, ok := v.Map().(*mapDraft)
		if !ok {
			m = &mapDraft{base: v.Map()}
			v = value.FromMap(m)
		}
		return v, m
	case v.Is(value.ListKind):
		l, ok := v.List().(*listDraft)
		if !ok {
			l = &listDraft{base: v.List(), items: make([]itemDraft, v.List().Len())}
			for i := range l.items {
				l.items[i] = itemDraft{based: true, index: i}
			}
			v = value.FromList(l)
		}
		return v, l
	case v.IsNull():
		m := &mapDraft{base: value.NewMap(0)}
		return value.FromMap(m), m
	}
	return v, nil
}

// A mapDraft is a map with changes over a base, which does not change. After deleting a from the
// base {a: 1, b: 2} and setting c, then d, and deleting c again, its keys are b, d:
//
//	vals {d}  gone {a}  new [c d]  at {d: 1}
type mapDraft struct {
	base value.Map
	vals map[value.Key]value.Value // values that were set
	gone map[value.Key]bool        // keys of the base that were deleted
	new  []value.Key               // keys after the keys of the base, in order, with deleted ones
	at   map[value.Key]int         // index in new of the keys that are not deleted
}

// Len implements [value.Map].
func (m *mapDraft) Len() int { return m.base.Len() - len(m.gone) + len(m.at) }

// Keys implements [value.Map].
func (m *mapDraft) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) {
		for k := range m.base.Keys() {
			if !m.gone[k] && !yield(k) {
				return
			}
		}
		for i, k := range m.new {
			if at, ok := m.at[k]; ok && at == i && !yield(k) {
				return
			}
		}
	}
}

// Get implements [value.Map].
func (m *mapDraft) Get(k value.Key) (value.Value, bool, error) {
	if v, ok := m.vals[k]; ok {
		return v, true, nil
	}
	if m.gone[k] {
		return value.Null, false, nil
	}
	return m.base.Get(k)
}

// apply applies an edit of one of the map's keys.
func (m *mapDraft) apply(e roundtrip.Edit) error {
	key := e.Path[len(e.Path)-1]
	old, there, err := m.Get(key)
	switch {
	case err != nil:
		return err
	case e.Op == roundtrip.Set || e.Op == roundtrip.Insert:
		m.set(key, e.Value)
		return nil
	case !there:
		return source.Errorf(source.Span{}, source.NotFound, "%s does not exist", e.Path)
	case e.Op == roundtrip.Delete:
		m.remove(key)
		return nil
	}
	if e.Key == key {
		return source.Errorf(source.Span{}, source.DuplicateKey, "%s has that key already", e.Path)
	}
	if _, taken, _ := m.Get(e.Key); taken {
		return source.Errorf(source.Span{}, source.DuplicateKey, "the map of %s has a key %q already", e.Path, e.Key.Text)
	}
	m.remove(key)
	m.set(e.Key, old)
	return nil
}

func (m *mapDraft) set(k value.Key, v value.Value) {
	if m.vals == nil {
		m.vals, m.at = map[value.Key]value.Value{}, map[value.Key]int{}
	}
	if _, ok := m.vals[k]; !ok {
		if _, based, _ := m.base.Get(k); !based || m.gone[k] {
			m.at[k] = len(m.new)
			m.new = append(m.new, k)
		}
	}
	m.vals[k] = v
}

func (m *mapDraft) remove(k value.Key) {
	delete(m.vals, k)
	if _, ok := m.at[k]; ok {
		delete(m.at, k)
		return
	}
	if m.gone == nil {
		m.gone = map[value.Key]bool{}
	}
	m.gone[k] = true
}

// A listDraft is a list with changes over a base, which does not change.
type listDraft struct {
	base  value.List
	items []itemDraft
}

// An itemDraft is an item of a listDraft: an item of the base or a new one.
type itemDraft struct {
	based bool
	index int         // in the base
	val   value.Value // of a new item
}

// Len implements [value.List].
func (l *listDraft) Len() int { return len(l.items) }

// At implements [value.List].
func (l *listDraft) At(i int) (value.Value, error) {
	if item := l.items[i]; !item.based {
		return item.val, nil
	}
	return l.base.At(l.items[i].index)
}

// find returns the index of the item with a key, or -1 if there is none.
func (l *listDraft) find(k value.Key) int {
	i, ok := k.Value().Int()
	if !ok || i < 0 || int(i) >= len(l.items) {
		return -1
	}
	return int(i)
}

// apply applies an edit of one of the list's items. The index after the last item adds one.
func (l *listDraft) apply(e roundtrip.Edit) error {
	key := e.Path[len(e.Path)-1]
	i := l.find(key)
	atEnd := key == value.Index(len(l.items))
	switch item := (itemDraft{val: e.Value}); {
	case e.Op == roundtrip.Rename:
		return source.Errorf(source.Span{}, source.BadType, "%s is an item of a list and has no key", e.Path)
	case e.Op != roundtrip.Delete && atEnd:
		l.items = append(l.items, item)
	case i < 0:
		return source.Errorf(source.Span{}, source.NotFound, "%s does not exist", e.Path)
	case e.Op == roundtrip.Delete:
		l.items = slices.Delete(l.items, i, i+1)
	case e.Op == roundtrip.Insert:
		l.items = slices.Insert(l.items, i, item)
	default:
		l.items[i] = item
	}
	return nil
}
