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

// A freezer copies mutable lists and maps. done holds the copies, so that one that occurs
// twice is copied once.
type freezer struct{ done map[any]value.Value }

func (f *freezer) value(v value.Value, depth int) (value.Value, error) {
	if depth > maxValueDepth {
		return v, source.Errorf(source.Span{}, source.Limit, "the value is nested more than %d deep, or contains itself", maxValueDepth)
	}
	switch v.Kind() {
	case value.ListKind:
		return f.list(v, depth)
	case value.MapKind:
		return f.dict(v, depth)
	}
	return v, nil
}

func (f *freezer) list(v value.Value, depth int) (value.Value, error) {
	l, own := v.List().(*list)
	items, plain := v.List().(value.Slice)
	if own {
		if frozen, ok := f.done[l]; ok {
			return frozen.Mark(v.Marks()), nil
		}
		items = l.items
	} else if !plain {
		return v, nil
	}
	out := make(value.Slice, len(items))
	for i, item := range items {
		var err error
		if out[i], err = f.value(item, depth+1); err != nil {
			return v, err
		}
	}
	if own {
		f.done[l] = value.FromList(out)
	}
	return value.FromList(out).Mark(v.Marks()), nil
}

func (f *freezer) dict(v value.Value, depth int) (value.Value, error) {
	m := v.Map()
	switch m.(type) {
	case *dict, *namespace, *value.Dict:
	default:
		return v, nil
	}
	if frozen, ok := f.done[m]; ok {
		return frozen.Mark(v.Marks()), nil
	}
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
	f.done[m] = value.FromMap(out)
	return value.FromMap(out).Mark(v.Marks()), nil
}
