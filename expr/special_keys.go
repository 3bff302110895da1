package expr

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// specialKey returns what a key that begins with "." means on a map (spec:
// expressions, section 2). Unknown ones match nothing.
func (w *pathWalk) specialKey(v value.Value, key string) (value.Value, bool, error) {
	switch key {
	case ".":
		return v, true, nil
	case "..":
		return parentOf(v)
	case ".name", ".key":
		return nameOf(v), true, nil
	case ".root", ".all":
		return w.documentOf(v), true, nil
	case ".ancestors":
		list, err := ancestors(v)
		return value.ListOf(list...), true, err
	case ".parents":
		list, err := ancestors(v)
		return value.ListOf(reversed(list)...), true, err
	case ".children":
		list, err := w.childMaps(v)
		return value.ListOf(list...), true, err
	case ".descendants":
		d := descent{w: w}
		err := d.visit(v)
		return value.ListOf(d.found...), true, err
	}
	return value.Null, false, nil
}

func instance(v value.Value) (Instance, bool) {
	if !v.Is(value.MapKind) {
		return nil, false
	}
	i, ok := v.Map().(Instance)
	return i, ok
}

func parentOf(v value.Value) (value.Value, bool, error) {
	if i, ok := instance(v); ok {
		return i.Parent()
	}
	return value.Null, false, nil
}

func nameOf(v value.Value) value.Value {
	if i, ok := instance(v); ok {
		return i.Name()
	}
	return value.String("")
}

func (w *pathWalk) documentOf(v value.Value) value.Value {
	if i, ok := instance(v); ok {
		return i.Document()
	}
	return w.s.Env.Root()
}

// ancestors returns v, its parent and so on up to the root.
func ancestors(v value.Value) ([]value.Value, error) {
	var list []value.Value
	for more := true; more; {
		list = append(list, v)
		var err error
		if v, more, err = parentOf(v); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// reversed returns the ancestors without the first, root first.
func reversed(list []value.Value) []value.Value {
	var out []value.Value
	for i := len(list) - 1; i > 0; i-- {
		out = append(out, list[i])
	}
	return out
}

// childMaps returns the maps below v; lists in between do not count.
func (w *pathWalk) childMaps(v value.Value) ([]value.Value, error) {
	values, err := mapValues(v)
	if err != nil {
		return nil, err
	}
	return w.mapsIn(values, 0)
}

// maxListNesting bounds how deep lists in lists are searched for maps.
const maxListNesting = 10_000

func (w *pathWalk) mapsIn(values []value.Value, depth int) ([]value.Value, error) {
	if depth > maxListNesting {
		return nil, source.Errorf(source.Span{}, source.Limit, "lists are nested more than %d deep", maxListNesting)
	}
	var maps []value.Value
	for _, v := range values {
		if err := w.s.Env.Step(1); err != nil {
			return nil, err
		}
		switch v.Kind() {
		case value.MapKind:
			maps = append(maps, v)
		case value.ListKind:
			items, err := listItems(v)
			if err != nil {
				return nil, err
			}
			inner, err := w.mapsIn(items, depth+1)
			if err != nil {
				return nil, err
			}
			maps = append(maps, inner...)
		}
	}
	return maps, nil
}

// listItems returns the items of a list, marked if the list is.
func listItems(l value.Value) ([]value.Value, error) {
	items := make([]value.Value, 0, l.List().Len())
	for v, err := range value.Items(l.List()) {
		if err != nil {
			return nil, err
		}
		items = append(items, v.Mark(l.Marks()))
	}
	return items, nil
}

// A descent collects a map and all maps below it. A map that is met again, because
// an expression copied one of its own ancestors, is not followed twice.
type descent struct {
	w     *pathWalk
	seen  value.Visited
	found []value.Value
}

func (d *descent) visit(v value.Value) error {
	if !d.seen.Add(v) {
		return nil
	}
	if err := d.w.s.Env.Step(valueSteps); err != nil {
		return err
	}
	if err := d.w.s.Env.Enter(); err != nil {
		return err
	}
	defer d.w.s.Env.Leave()
	d.found = append(d.found, v)
	children, err := d.w.childMaps(v)
	if err != nil {
		return err
	}
	for _, c := range children {
		if err := d.visit(c); err != nil {
			return err
		}
	}
	return nil
}
