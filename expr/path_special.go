package expr

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// specialKey returns the value of a key that begins with ".", such as .parents (spec:
// expressions, section 2). An unknown key has no match.
func (w *pathWalk) specialKey(v value.Value, key string) (value.Value, bool, error) {
	switch key {
	case ".":
		return v, true, nil
	case "..":
		return parentOf(v)
	case ".name", ".key":
		if i, ok := instance(v); ok {
			return i.Name(), true, nil
		}
		return value.String(""), true, nil
	case ".root", ".all":
		if i, ok := instance(v); ok {
			return i.Document(), true, nil
		}
		return w.s.Env.Root(), true, nil
	case ".ancestors":
		list, err := ancestors(v)
		return value.ListOf(list...), true, err
	case ".parents":
		list, err := ancestors(v)
		slices.Reverse(list)
		return value.ListOf(list[:max(0, len(list)-1)]...), true, err
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

// childMaps returns the maps below v, and the maps in lists below it.
func (w *pathWalk) childMaps(v value.Value) ([]value.Value, error) {
	values, err := mapValues(v)
	if err != nil {
		return nil, err
	}
	var maps []value.Value
	err = value.Walk(value.ListOf(values...), func(at value.Position, v value.Value, err error) error {
		if at.Depth == 0 {
			return nil
		}
		if err == nil {
			err = w.s.Env.Step(1)
		}
		if err == nil && v.Is(value.MapKind) {
			maps, err = append(maps, v.Mark(at.Marks)), value.SkipInside
		}
		return err
	})
	return maps, err
}

// listItems returns the items of a list, marked if the list is.
func listItems(l value.Value) ([]value.Value, error) {
	items, err := value.ItemsOf(l.List())
	for i, v := range items {
		items[i] = v.Mark(l.Marks())
	}
	return items, err
}

// A descent collects a map and all maps below it. It visits a map once, since an
// expression may copy a map that contains the expression.
type descent struct {
	w     *pathWalk
	seen  value.Visited
	found []value.Value
}

// visit adds v and the maps below it, in the order of the text.
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
