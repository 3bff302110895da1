package template

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// A dict is a map that the template may change.
type dict struct {
	*value.Dict
	run *run
}

// A namespace is a map whose entries statements set: {% set ns.x = 1 %}.
type namespace struct{ dict }

var dictMethods = map[string]changer[*dict]{
	"update":     {0, math.MaxInt, (*dict).update},
	"pop":        {1, 2, (*dict).pop},
	"popitem":    {0, 0, (*dict).popItem},
	"setdefault": {1, 2, (*dict).setDefault},
	"clear":      {0, 0, (*dict).clear},
}

// CallMethod calls the methods that change the map.
func (d *dict) CallMethod(name string, args value.Args) (value.Value, bool, error) {
	return callChanger(dictMethods, d, name, args)
}

// moved counts the work of moving n entries.
func (d *dict) moved(n int) error { return d.run.base.Env.Step(n / movesInStep) }

func (d *dict) update(args value.Args) (value.Value, error) {
	for _, more := range args.Pos {
		if err := expr.Raise(more); err != nil {
			return value.Null, err
		}
		if err := d.merge(more); err != nil {
			return value.Null, err
		}
	}
	for _, a := range args.Named {
		d.Set(value.K(a.Name), d.run.own(a.Value))
	}
	return value.Null, nil
}

// merge takes over the entries of a map, or those of a list of pairs.
func (d *dict) merge(more value.Value) error {
	if more.Is(value.ListKind) {
		if err := d.run.base.Env.Step(more.List().Len()); err != nil {
			return err
		}
		for pair, err := range value.Items(more.List()) {
			if err != nil {
				return err
			}
			if err := d.setPair(pair.Mark(more.Marks())); err != nil {
				return err
			}
		}
		return nil
	}
	if !more.Is(value.MapKind) {
		return fmt.Errorf("update() needs a map, not %s", value.Article(more.Kind()))
	}
	if err := d.run.base.Env.Step(more.Map().Len()); err != nil {
		return err
	}
	for _, k := range slices.Collect(more.Map().Keys()) {
		v, ok, err := more.Map().Get(k)
		if err != nil {
			return err
		}
		if ok {
			d.add(k, v, more.Marks())
		}
	}
	return nil
}

func (d *dict) setPair(pair value.Value) error {
	if !pair.Is(value.ListKind) || pair.List().Len() != 2 {
		return errors.New("update() needs a map or a list of pairs")
	}
	k, err := pair.List().At(0)
	if err != nil {
		return err
	}
	v, err := pair.List().At(1)
	if err != nil {
		return err
	}
	key, err := keyOf(k)
	if err == nil {
		d.add(key, v, k.Marks()|pair.Marks())
	}
	return err
}

// add sets an entry. The key came from a value with these marks. Keys have none of
// their own, so that the whole text has to have them.
func (d *dict) add(k value.Key, v value.Value, marks value.Marks) {
	d.run.out.decidedBy(marks)
	d.Set(k, d.run.own(v.Mark(marks)))
}

func keyOf(v value.Value) (value.Key, error) {
	k, ok := value.KeyOf(v)
	if !ok {
		return k, fmt.Errorf("%s cannot be a key", value.Article(v.Kind()))
	}
	return k, nil
}

func (d *dict) pop(args value.Args) (value.Value, error) {
	k, err := keyOf(args.Pos[0])
	if err != nil {
		return value.Null, err
	}
	v, ok, _ := d.Get(k)
	switch {
	case ok:
		d.Delete(k)
		return v, d.moved(d.Len())
	case len(args.Pos) > 1:
		return args.Pos[1], nil
	}
	return value.Null, fmt.Errorf("pop() did not find the key %q", k.Text)
}

func (d *dict) popItem(value.Args) (value.Value, error) {
	keys := slices.Collect(d.Keys())
	if len(keys) == 0 {
		return value.Null, errors.New("popitem() on an empty map")
	}
	k := keys[len(keys)-1]
	v, _, _ := d.Get(k)
	d.Delete(k)
	return value.ListOf(k.Value(), v), d.moved(d.Len())
}

func (d *dict) clear(value.Args) (value.Value, error) {
	d.Dict = value.NewMap(0)
	return value.Null, nil
}

func (d *dict) setDefault(args value.Args) (value.Value, error) {
	k, err := keyOf(args.Pos[0])
	if err != nil {
		return value.Null, err
	}
	if v, ok, _ := d.Get(k); ok {
		return v, nil
	}
	v := value.Null
	if len(args.Pos) > 1 {
		v = args.Pos[1]
	}
	d.add(k, v, args.Pos[0].Marks())
	v, _, _ = d.Get(k)
	return v, nil
}
