package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// comprehension is [item for names in source if test], with any number of clauses, or
// {key: item for ...} (spec: yay, section 4.5). All of it is evaluated.
func (ev evaluator) comprehension(n *expr.For) (value.Value, error) {
	ev.probing = false
	if n.Key != nil {
		return ev.mapComprehension(n)
	}
	items := value.Slice{}
	marks := value.Marks(0)
	err := ev.turns(n.Clauses, &marks, func(turn evaluator) error {
		v, err := turn.eval(n.Item)
		items = append(items, v)
		if err == nil {
			err = placed(ev.in.Step(keptSteps), n.Item.Span())
		}
		return err
	})
	if err != nil {
		return value.Null, within(err)
	}
	return value.FromList(items).Mark(marks), nil
}

// keptSteps is what an item that is kept counts for, so that steps bound memory.
const keptSteps = 50

func (ev evaluator) mapComprehension(n *expr.For) (value.Value, error) {
	m := value.NewMap(0)
	marks := value.Marks(0)
	err := ev.turns(n.Clauses, &marks, func(turn evaluator) error {
		k, err := turn.eval(n.Key)
		if err != nil {
			return err
		}
		text, err := textOf(k, n.Key.Span())
		if err != nil {
			return err
		}
		marks |= k.Marks()
		v, err := turn.eval(n.Item)
		m.Set(value.K(text), v)
		if err == nil {
			err = placed(ev.in.Step(keptSteps), n.Item.Span())
		}
		return err
	})
	if err != nil {
		return value.Null, within(err)
	}
	return value.FromMap(m).Mark(marks), nil
}

// turns calls do for every turn of the clauses, with their names bound, and collects
// the marks of what they run over.
func (ev evaluator) turns(clauses []expr.ForClause, marks *value.Marks, do func(evaluator) error) error {
	if len(clauses) == 0 {
		return do(ev)
	}
	c := &clauses[0]
	src, err := ev.eval(c.In)
	if err != nil {
		return err
	}
	list, err := iterate(src, c.In.Span())
	if err != nil {
		return err
	}
	*marks |= src.Marks()
	for i := range list.Len() {
		item, err := list.At(i)
		if err != nil {
			return err
		}
		turn, err := ev.bind(c, item.Mark(src.Marks()))
		if err != nil {
			return err
		}
		takes, err := turn.passes(c.Ifs)
		if err != nil {
			return err
		}
		if !takes {
			continue
		}
		if err := turn.turns(clauses[1:], marks, do); err != nil {
			return err
		}
	}
	return nil
}

// bind returns the evaluator of one turn. Several names share out an item that is a
// list of as many items.
func (ev evaluator) bind(c *expr.ForClause, item value.Value) (evaluator, error) {
	if err := ev.in.Step(1); err != nil {
		return ev, placed(err, c.At)
	}
	if len(c.Names) == 1 {
		ev.vars = ev.vars.with(c.Names[0], item)
		return ev, nil
	}
	items, err := shareOut(item, len(c.Names), c.At)
	if err != nil {
		return ev, err
	}
	for i, name := range c.Names {
		ev.vars = ev.vars.with(name, items[i])
	}
	return ev, nil
}

// shareOut returns the items of a list that several names stand for.
func shareOut(v value.Value, names int, at source.Span) ([]value.Value, error) {
	if !v.Is(value.ListKind) {
		return nil, source.Errorf(at, source.WrongType, "expected a list of %d items for %d names, not %s", names, names, describe(v))
	}
	if n := v.List().Len(); n != names {
		return nil, source.Errorf(at, source.WrongType, "expected a list of %d items for %d names, not of %d", names, names, n)
	}
	items := make([]value.Value, names)
	for i := range items {
		item, err := v.List().At(i)
		if err != nil {
			return nil, err
		}
		items[i] = item.Mark(v.Marks())
	}
	return items, nil
}

func (ev evaluator) passes(tests []expr.Node) (bool, error) {
	for _, test := range tests {
		v, err := ev.eval(test)
		if err != nil {
			return false, err
		}
		if ok, err := holds(v, test.Span()); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
