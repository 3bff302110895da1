package filters

import (
	"errors"
	"fmt"

	"github.com/yaytpl/yaytpl/value"
)

func dictFilters() []Func {
	names := []Param{opt("key_name", Text, value.String("key")), opt("value_name", Text, value.String("value"))}
	return []Func{
		{
			Name: "dict2items", Family: "dicts", Call: dictToItems, flow: moves, Params: names,
			Doc:     "A map as a list of maps with key and value.",
			Example: "{{ {'a': 1} | dict2items }}", Result: `[{"key": "a", "value": 1}]`,
		},
		{
			Name: "items2dict", Family: "dicts", Call: itemsToDict, flow: moves, Params: names,
			Doc:     "A list of maps with key and value as one map.",
			Example: "{{ [{'key': 'a', 'value': 1}] | items2dict }}", Result: `{"a": 1}`,
		},
		{
			Name: "items", Family: "dicts", Call: dictPairs, flow: moves,
			Doc:     "The [key, value] pairs of a map.",
			Example: "{{ {'a': 1} | items }}", Result: `[["a", 1]]`,
			input: takesUndefined,
		},
		{
			Name: "rekey_on_member", Family: "dicts", Call: rekeyOnMember, flow: moves,
			Params:  []Param{req("key", Any), opt("duplicates", Text, value.String("error"))},
			Doc:     "A list of maps, or a map of maps, as a map under the values of one of their keys. Duplicates are an error or overwrite.",
			Example: "{{ [{'n': 'a', 'v': 1}] | rekey_on_member('n') }}", Result: `{"a": {"n": "a", "v": 1}}`,
		},
		{
			Name: "attr", Family: "dicts", Call: attrFilter, flow: moves,
			Params:  []Param{req("name", Text), opt("default", Any, value.Null)},
			Doc:     "One attribute of the value by its name.",
			Example: "{{ {'a-b': 1} | attr('a-b') }}", Result: "1",
		},
	}
}

func dictToItems(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	entries, err := c.entries(in)
	if err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(entries))
	for i, e := range entries {
		m := value.NewMap(2)
		m.Set(value.K(a.Str("key_name")), e.key.Value())
		m.Set(value.K(a.Str("value_name")), e.val)
		out[i] = value.FromMap(m)
	}
	return value.ListOf(out...), nil
}

func itemsToDict(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	if !in.Is(value.ListKind) {
		return value.Null, fmt.Errorf("wants a list, got %s", value.Article(in.Kind()))
	}
	items, err := c.listItems(in)
	if err != nil {
		return value.Null, err
	}
	m := c.newMapping(len(items))
	for _, item := range items {
		k, err := member(item, a.Str("key_name"))
		if err != nil {
			return value.Null, err
		}
		v, err := member(item, a.Str("value_name"))
		if err != nil {
			return value.Null, err
		}
		if err := m.set(k, v); err != nil {
			return value.Null, err
		}
	}
	return m.value(), nil
}

// member returns item[name], which must be there.
func member(item value.Value, name string) (value.Value, error) {
	if !item.Is(value.MapKind) {
		return value.Null, fmt.Errorf("wants a list of maps, got %s in it", value.Article(item.Kind()))
	}
	v, ok, err := item.Map().Get(value.K(name))
	if err == nil && !ok {
		err = fmt.Errorf("an item has no key %q", name)
	}
	return v.Mark(item.Marks()), err
}

// A mapping is a map under construction. Since keys carry no marks, marked ones
// mark the whole map.
type mapping struct {
	dict  *value.Dict
	marks value.Marks
}

func (c *Ctx) newMapping(n int) *mapping { return &mapping{dict: value.NewMap(n)} }

func (m *mapping) set(key, v value.Value) error {
	k, ok := value.KeyOf(key)
	if !ok {
		return fmt.Errorf("%s cannot be a key", value.Article(key.Kind()))
	}
	m.marks |= key.Marks()
	m.dict.Set(k, v)
	return nil
}

func (m *mapping) value() value.Value { return value.FromMap(m.dict).Mark(m.marks) }

func dictPairs(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if in.Is(value.UndefinedKind) {
		return value.ListOf(), nil
	}
	entries, err := c.entries(in)
	out := make([]value.Value, len(entries))
	for i, e := range entries {
		out[i] = value.ListOf(e.key.Value(), e.val)
	}
	return value.ListOf(out...), err
}

func rekeyOnMember(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	duplicates := a.Str("duplicates")
	if duplicates != "error" && duplicates != "overwrite" {
		return value.Null, fmt.Errorf("duplicates is \"error\" or \"overwrite\", not %q", duplicates)
	}
	items, err := c.valuesOf(in)
	if err != nil {
		return value.Null, err
	}
	name, err := c.text(a.Get("key"))
	if err != nil {
		return value.Null, err
	}
	m := c.newMapping(len(items))
	for _, item := range items {
		k, err := member(item, name)
		if err != nil {
			return value.Null, err
		}
		before := m.dict.Len()
		if err := m.set(k, item); err != nil {
			return value.Null, err
		}
		if m.dict.Len() == before && duplicates == "error" {
			return value.Null, errors.New("two items have the same value under the key")
		}
	}
	return m.value(), nil
}

func attrFilter(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	marks := in.Marks()
	v, err := c.oneAttr(in, a.Str("name"))
	if v.Is(value.UndefinedKind) && a.Given("default") {
		return a.Get("default"), err
	}
	return v.Mark(marks), err
}
