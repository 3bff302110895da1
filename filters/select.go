package filters

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

func selectFilters() []Func {
	test := []Param{variadic("test", Any), keywords("named")}
	attrTest := []Param{req("attribute", Any), variadic("test", Any), keywords("named")}
	return []Func{
		{
			Name: "map", Family: "select", Call: mapItems, flow: moves,
			Params:  []Param{variadic("filter", Any), keywords("named")},
			Doc:     "Each item put through a filter, or with attribute= one attribute of each, with default= for those without it.",
			Example: "{{ [{'a': {'b': 1}}, {}] | map(attribute='a.b', default=0) }}", Result: "[1, 0]",
		},
		{
			Name: "select", Family: "select", Call: selecting(passing, theItem), flow: moves, Params: test,
			Doc:     "The items that pass a test; without one those that are true.",
			Example: "{{ [1, 2, 3] | select('odd') }}", Result: "[1, 3]",
		},
		{
			Name: "reject", Family: "select", Call: selecting(failing, theItem), flow: moves, Params: test,
			Doc:     "The items that fail a test; without one those that are false.",
			Example: "{{ [1, 2, 3] | reject('gt', 1) }}", Result: "[1]",
		},
		{
			Name: "selectattr", Family: "select", Call: selecting(passing, itsAttribute), flow: moves, Params: attrTest,
			Doc:     "The items of which an attribute passes a test; without one those where it is true.",
			Example: "{{ [{'n': 1}, {'n': 2}] | selectattr('n', 'gt', 1) }}", Result: `[{"n": 2}]`,
		},
		{
			Name: "rejectattr", Family: "select", Call: selecting(failing, itsAttribute), flow: moves, Params: attrTest,
			Doc:     "The items of which an attribute fails a test; without one those where it is false.",
			Example: "{{ [{'n': 1}, {}] | rejectattr('n', 'defined') }}", Result: "[{}]",
		},
	}
}

func mapItems(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	if len(a.Rest()) == 0 {
		return mapAttribute(c, in, a)
	}
	name := a.Rest()[0]
	if !name.Is(value.StringKind) {
		return value.Null, errors.New("the first argument is the name of a filter, as text")
	}
	items, err := c.items(in)
	if err != nil {
		return value.Null, err
	}
	args := value.Args{Pos: a.Rest()[1:], Named: a.Named()}
	for i := range items {
		if items[i], err = c.callFilter(name.Str(), items[i], args); err != nil {
			return value.Null, err
		}
	}
	return value.ListOf(items...), nil
}

func mapAttribute(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	attribute, def, hasDefault := value.Null, value.Null, false
	for _, n := range a.Named() {
		switch n.Name {
		case "attribute":
			attribute = n.Value
		case "default":
			def, hasDefault = n.Value, true
		default:
			return value.Null, errors.New("wants the name of a filter, or attribute= with default=")
		}
	}
	if attribute.IsNull() {
		return value.Null, errors.New("wants the name of a filter, or attribute=")
	}
	items, err := c.attributes(in, attribute)
	if err != nil {
		return value.Null, err
	}
	if hasDefault {
		replaceUndefined(items, def)
	}
	return value.ListOf(items...), nil
}

// A subject is what a test is about: the items, or the attribute of each named first.
type subject func(c *Ctx, items []value.Value, a Bound) ([]value.Value, error)

func theItem(_ *Ctx, items []value.Value, _ Bound) ([]value.Value, error) { return items, nil }

func itsAttribute(c *Ctx, items []value.Value, a Bound) ([]value.Value, error) {
	attributes := slices.Clone(items)
	return attributes, c.toAttributes(attributes, a.Get("attribute"))
}

// What the test has to say about items that are kept.
const (
	passing = true
	failing = false
)

// selecting makes the four filters that keep some of the items.
func selecting(want bool, about subject) func(*Ctx, value.Value, Bound) (value.Value, error) {
	return func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
		items, err := c.items(in)
		if err != nil {
			return value.Null, err
		}
		subjects, err := about(c, items, a)
		if err != nil {
			return value.Null, err
		}
		kept := []value.Value{}
		for i, s := range subjects {
			ok, err := c.passes(s, a)
			if err != nil {
				return value.Null, err
			}
			if ok == want {
				kept = append(kept, items[i])
			}
		}
		return value.ListOf(kept...), nil
	}
}

func (c *Ctx) passes(v value.Value, a Bound) (bool, error) {
	if len(a.Rest()) == 0 {
		return value.Truthy(v), nil
	}
	name := a.Rest()[0]
	if !name.Is(value.StringKind) {
		return false, errors.New("the test is given by its name, as text")
	}
	return c.callTest(name.Str(), v, value.Args{Pos: a.Rest()[1:], Named: a.Named()})
}
