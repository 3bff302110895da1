// Package draft has documents as edits are to leave them. What the edits do not touch is
// that of the document before, and as lazy.
package draft

import (
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Document is one that edits are made in. The value that it begins with stays as it is.
type Document struct{ Root value.Value }

// Apply makes an edit: all but moves. A parent that is missing or null becomes a map.
//
// Codes: not-found, bad-type, duplicate-key for what the document has no place for.
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

func (d *Document) append(e roundtrip.Edit) error {
	old, _, err := Find(d.Root, e.Path)
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

// open returns the map or list at a path as one of the draft, which can be changed. What
// is missing or null becomes a map. For anything else it returns nil.
func (d *Document) open(path value.Path) (any, error) {
	if len(path) == 0 {
		v, in := opened(d.Root)
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
		v, in := opened(old)
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
		v, in := opened(old)
		up.items[i] = itemDraft{val: v}
		return in, nil
	}
	return nil, nil
}

// opened returns a value that is a map or list as one of a draft.
func opened(v value.Value) (value.Value, any) {
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
			l = newListDraft(v.List())
			v = value.FromList(l)
		}
		return v, l
	case v.IsNull():
		m := &mapDraft{base: value.NewMap(0)}
		return value.FromMap(m), m
	}
	return v, nil
}

// Find returns what stands at a path below v, false for nothing.
func Find(v value.Value, path value.Path) (value.Value, bool, error) {
	for _, k := range path {
		var ok bool
		var err error
		switch {
		case v.Is(value.MapKind):
			v, ok, err = v.Map().Get(k)
		case v.Is(value.ListKind):
			i, isIndex := k.Value().Int()
			if ok = isIndex && i >= 0 && int(i) < v.List().Len(); ok {
				v, err = v.List().At(int(i))
			}
		}
		if !ok || err != nil {
			return value.Null, false, err
		}
	}
	return v, true, nil
}
