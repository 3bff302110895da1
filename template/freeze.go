package template

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// freeze returns v as plain immutable data, because results are shared.
func (r *run) freeze(v value.Value) (value.Value, error) {
	if !r.mutable {
		return v, nil
	}
	f := freezer{done: map[any]value.Value{}}
	return f.value(v, 0)
}

// A freezer copies mutable lists and maps, and plain ones, which may hold mutable ones. done has the
// copies by the identities of what they are of, so that one that occurs several times is copied once.
type freezer struct{ done map[any]value.Value }

func (f *freezer) value(v value.Value, depth int) (value.Value, error) {
	if depth > maxValueDepth {
		return v, source.Errorf(source.Span{}, source.Limit, "the value is nested more than %d deep, or contains itself", maxValueDepth)
	}
	if !mayHoldMutable(v) {
		return v, nil
	}
	id, hasID := value.IdentityOf(v)
	if frozen, ok := f.done[id]; ok && hasID {
		return frozen.Mark(v.Marks()), nil
	}
	frozen, err := f.copied(v, depth)
	if err != nil {
		return v, err
	}
	if hasID {
		f.done[id] = frozen
	}
	return frozen.Mark(v.Marks()), nil
}

// mayHoldMutable reports whether v is a list or map of a template, or a plain one. Those of the
// document hold values of the document only.
func mayHoldMutable(v value.Value) bool {
	switch v.Kind() {
	case value.ListKind:
		switch v.List().(type) {
		case *list, value.Slice:
			return true
		}
	case value.MapKind:
		switch v.Map().(type) {
		case *dict, *namespace, *value.Dict:
			return true
		}
	}
	return false
}

// copied returns a list or map as a plain one without marks.
func (f *freezer) copied(v value.Value, depth int) (value.Value, error) {
	if v.Is(value.ListKind) {
		out := make(value.Slice, 0, v.List().Len())
		for item, err := range value.Items(v.List()) {
			if err == nil {
				item, err = f.value(item, depth+1)
			}
			if err != nil {
				return v, err
			}
			out = append(out, item)
		}
		return value.FromList(out), nil
	}
	m := v.Map()
	out := value.NewMap(m.Len())
	for k := range m.Keys() {
		item, _, err := m.Get(k)
		if err == nil {
			item, err = f.value(item, depth+1)
		}
		if err != nil {
			return v, err
		}
		out.Set(k, item)
	}
	return value.FromMap(out), nil
}
