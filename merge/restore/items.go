package restore

import (
	"errors"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/value"
)

// A list over an older one is written in the first of these forms that gives the wanted list
// (spec: everyday, A5). The older list is
//
//	steps: [{name: a, image: x}, {name: b, image: y}]
//
//	wanted                                   override
//	[{name: a, ...}, {name: b, ...}, c]      the whole list: the items that are there already join it
//	[{name: a, ...}, {name: b, image: z}]    [{name: b, image: z}], with +lists: {steps: by name}
//	[{name: a, ...}]                         [{name: b, +%: whiteout}], with the same rule
//	[{name: a, ...}, {name: c, image: y}]    the same with {name: c, ...} after it
//	[{name: c, ...}, {name: b, ...}]         [{+%: merge, name: c}]
//	[{name: b, ...}, {name: a, ...}]         [{+%: replace}, {name: b, ...}, {name: a, ...}]
//
// What is said of whole documents in walk.go holds for each item that is merged with an older one:
// only its differences are written.

// A listItem is an item to be written.
type listItem struct {
	v    value.Value
	note *value.Annotation
}

// A listValue is a list of items to be written.
type listValue []listItem

// Len implements [value.List].
func (l listValue) Len() int { return len(l) }

// At implements [value.List].
func (l listValue) At(i int) (value.Value, error) { return l[i].v, nil }

// AnnotationAt implements [value.Annotated].
func (l listValue) AnnotationAt(i int) *value.Annotation { return l[i].note }

// itemOf returns an item as it is in the edited document at a path.
func (w *walk) itemOf(p value.Path, v value.Value) listItem {
	v, note := w.asWritten(p, v)
	return listItem{v, note}
}

// overrideList returns the override that turns a list into another one.
func (w *walk) overrideList(s slot, base optional, want value.Value) (override, error) {
	older, err := value.ItemsOf(base.v.List())
	if err != nil {
		return override{}, err
	}
	wanted, err := value.ItemsOf(want.List())
	if err != nil {
		return override{}, err
	}
	x := listOver{walk: w, slot: s, older: older, want: wanted}
	if w.careful.meets(s.at) && !isPrivate(s.at) {
		return override{v: x.replacing()}, nil
	}
	if v, ok, err := x.appended(base, want); ok || err != nil {
		return override{v: v}, err
	}
	if isPrivate(s.at) {
		return override{}, &inexpressibleError{s.at}
	}
	items, field, err := x.byField()
	if items == nil && err == nil {
		items, err = x.byPosition()
	}
	if err != nil || items == nil {
		return override{v: x.replacing()}, ignoreInexpressible(err)
	}
	return override{value.FromList(items), field}, nil
}

// ignoreInexpressible returns err, or nil for an inexpressibleError.
func ignoreInexpressible(err error) error {
	if _, ok := errors.AsType[*inexpressibleError](err); ok {
		return nil
	}
	return err
}

// A listOver makes a list that gives the wanted one over an older one.
type listOver struct {
	*walk
	slot
	older, want []value.Value
}

// appended returns the wanted list or, where repeats stay, its new items, if that is enough.
func (x *listOver) appended(base optional, want value.Value) (value.Value, bool, error) {
	v := want
	switch x.lists.Policy().Kind {
	case graph.ByField:
		return v, false, nil
	case graph.AppendPolicy:
		if len(x.want) < len(x.older) {
			return v, false, nil
		}
		v = value.FromList(value.Slice(x.want[len(x.older):]))
	}
	got, err := x.world.Join(base.v, v, x.lists)
	if err != nil {
		return v, false, err
	}
	eq, err := value.Same(got, want)
	return v, eq, err
}

// byField returns the list of items that are merged by a field, and the field if that needs a new
// rule; nil if there is none.
func (x *listOver) byField() (listValue, string, error) {
	field, lists, isNew := x.field(x.older)
	if field == "" {
		return nil, "", nil
	}
	m, ok := matchBy(field, x.older, x.want, isNew)
	if !ok {
		return nil, "", nil
	}
	items := listValue{}
	for i := range m.now {
		item, differs, err := x.merged(m, i, lists)
		if err != nil {
			return nil, "", err
		}
		if differs {
			items = append(items, item)
		}
	}
	for j := m.tail; j < len(x.want); j++ {
		items = append(items, x.itemOf(x.at.With(value.Index(j)), x.want[j]))
	}
	if !isNew {
		field = ""
	}
	return items, field, nil
}

// merged returns the item that turns the i-th older item into what is wanted, and whether that
// differs from the older item.
func (x *listOver) merged(m fieldMatch, i int, lists *graph.Lists) (listItem, bool, error) {
	j := m.now[i]
	if j >= 0 {
		if eq, err := value.Same(x.older[i], x.want[j]); eq || err != nil {
			return listItem{}, false, err
		}
	}
	id, _, err := x.older[i].Map().Get(value.K(m.field))
	if err != nil || j < 0 {
		return removing(m.field, id), true, err
	}
	item, err := x.difference(m.field, id, slot{at: x.at.With(value.Index(j)), lists: lists.Item(nil)}, x.older[i], x.want[j])
	return item, true, err
}

// removing returns the item that removes items with a value under a field.
func removing(field string, id value.Value) listItem {
	m := value.NewMap(2)
	m.Set(value.K(field), id)
	m.Set(value.K("+%"), value.String("whiteout"))
	return listItem{value.FromMap(m), inFlow}
}

// difference returns the map with a first entry, and the entries that turn the older map into want.
func (w *walk) difference(key string, v value.Value, s slot, older, want value.Value) (listItem, error) {
	diff, err := w.overrideMap(s, some(older), want.Map())
	if err != nil {
		return listItem{}, err
	}
	out := value.NewMap(diff.Map().Len() + 1)
	out.Set(value.K(key), v)
	for k := range diff.Map().Keys() {
		if k.Text == key {
			return listItem{}, &inexpressibleError{s.at}
		}
		item, _, _ := diff.Map().Get(k)
		out.Set(k, item)
	}
	m := value.FromMap(overrides{out, w, s.at})
	return listItem{m, w.style(s.at, m)}, nil
}

// byPosition returns the list of items that are merged by position, nil if there is none.
func (x *listOver) byPosition() (listValue, error) {
	n, last := len(x.older), -1
	if len(x.want) < n || x.moves() {
		return nil, nil
	}
	for i, old := range x.older {
		switch eq, err := value.Same(old, x.want[i]); {
		case err != nil:
			return nil, err
		case eq:
		case !old.Is(value.MapKind) || !x.want[i].Is(value.MapKind):
			return nil, nil
		default:
			last = i
		}
	}
	tail := x.want[n:]
	policy := x.lists.Policy()
	if last < 0 || policy.Kind == graph.ByField && len(tail) > 0 || policy.Kind != graph.AppendPolicy && !areApart(x.want[:n], tail) {
		return nil, nil
	}
	items := listValue{}
	for i := range last + 1 {
		item, err := x.placed(i)
		if item.v.IsNull() || err != nil {
			return nil, err
		}
		if _, named := value.FieldKey(item.v, policy.Field); named && policy.Kind == graph.ByField {
			return nil, nil
		}
		items = append(items, item)
	}
	for i := range tail {
		items = append(items, x.itemOf(x.at.With(value.Index(n+i)), tail[i]))
	}
	return items, nil
}

// moves reports whether an item that a field identifies is wanted at another index. Merged by
// position, it would be another item with its name.
func (x *listOver) moves() bool {
	for _, field := range value.ItemFields {
		if !haveOwn(field, x.older) {
			continue
		}
		at := make(map[value.Key]int, len(x.older))
		for i, v := range x.older {
			k, _ := value.FieldKey(v, field)
			at[k] = i
		}
		for i, v := range x.want {
			if k, ok := value.FieldKey(v, field); ok {
				if was, known := at[k]; known && was != i {
					return true
				}
			}
		}
		return false
	}
	return false
}

// placed returns the item that is merged with the i-th older item by position, null if that is no
// map.
func (x *listOver) placed(i int) (listItem, error) {
	if !x.older[i].Is(value.MapKind) {
		return listItem{}, nil
	}
	eq, err := value.Same(x.older[i], x.want[i])
	if eq || err != nil {
		return listItem{Marker("merge"), inFlow}, err
	}
	return x.difference("+%", value.String("merge"), slot{at: x.at.With(value.Index(i)), lists: x.lists.Item(nil)}, x.older[i], x.want[i])
}

// replacing returns the wanted list, in place of older ones.
func (x *listOver) replacing() value.Value {
	items := listValue{{Marker("replace"), inFlow}}
	for i, v := range x.want {
		items = append(items, x.itemOf(x.at.With(value.Index(i)), v))
	}
	return value.FromList(items)
}
