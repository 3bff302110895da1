package edit

import (
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/value"
)

// withPrivate returns the value that an edit sets with the private keys of the old one, and their directive, at every
// depth: they are no part of what its user sees. Keys that v has are not kept.
//
//	old     {+private: [base], base: /srv, data: /srv/data}
//	v       {data: /data}
//	result  {+private: [base], base: /srv, data: /data}
//
// The second result reports whether there are any.
func withPrivate(old, v value.Value) (value.Value, bool) {
	if !old.Is(value.MapKind) || !v.Is(value.MapKind) {
		return v, false
	}
	out := keptMap{Dict: value.NewMap(v.Map().Len())}
	some := out.keepPrivate(old.Map(), v.Map())
	i := -1
	for k := range v.Map().Keys() {
		i++
		item, ok, err := v.Map().Get(k)
		if !ok || err != nil {
			return v, false // the edit returns the error
		}
		before, _, _ := old.Map().Get(k)
		item, kept := withPrivate(before, item)
		some = some || kept
		out.add(k, item, value.NoteAt(v, i))
	}
	if !some {
		return v, false
	}
	return value.FromMap(&out), true
}

// A keptMap is a map with the private keys of an older one.
type keptMap struct {
	*value.Dict
	notes []*value.Annotation
}

// AnnotationAt implements [value.Annotated].
func (m *keptMap) AnnotationAt(i int) *value.Annotation { return m.notes[i] }

// add sets an entry with its annotation. Keys are added once, so that notes has one annotation for each, in order.
func (m *keptMap) add(k value.Key, v value.Value, note *value.Annotation) {
	m.Set(k, v)
	m.notes = append(m.notes, note)
}

// keepPrivate adds the entries of old that are private and that v does not have. It reports whether old has private keys.
func (m *keptMap) keepPrivate(old, v value.Map) bool {
	list, ok, err := old.Get(graph.PrivateKey)
	if !ok || err != nil {
		return false
	}
	var names []graph.PrivateName
	for item := range value.Items(list.List()) {
		names = append(names, graph.PrivateName{Text: item.Str()})
	}
	i := -1
	for k := range old.Keys() {
		i++
		isPrivate := func(n graph.PrivateName) bool { return n.Matches(k.Text) }
		if k != graph.PrivateKey && !slices.ContainsFunc(names, isPrivate) {
			continue
		}
		item, ok, err := old.Get(k)
		if _, given, _ := v.Get(k); given || !ok || err != nil {
			continue
		}
		m.add(k, item, value.NoteAt(value.FromMap(old), i))
	}
	return true
}
