package filters

import (
	"fmt"
	"math"

	"github.com/yaytpl/yaytpl/value"
)

// changers are methods that Python has and immutable values cannot.
var changers = map[value.Kind]map[string]string{
	value.ListKind: {
		"append": "l + [x]", "extend": "l + other", "insert": "l[:i] + [x] + l[i:]", "remove": "l | difference([x])",
		"pop": "l[:-1]", "sort": "l | sort", "reverse": "l | reverse", "clear": "[]",
	},
	value.MapKind: {
		"update": "m | combine(other)", "setdefault": "m | combine(other)", "pop": "m | dict2items | rejectattr('key', 'eq', k) | items2dict",
		"popitem": "m | dict2items", "clear": "{}",
	},
}

// CallMethod calls a method of a value. The result is false if values of its kind
// have no method of that name; a key of a map is not looked for.
func CallMethod(c *Ctx, recv value.Value, name string, args value.Args) (value.Value, bool, error) {
	if recv.Is(value.UndefinedKind) {
		return value.Null, true, reason(recv)
	}
	if instead, ok := changers[recv.Kind()][name]; ok {
		return value.Null, true, fmt.Errorf("method %q would change the value, which is not possible here; use %s", name, instead)
	}
	t, ok := tables().methods[recv.Kind()]
	if !ok {
		return value.Null, false, nil
	}
	f, ok := t.lookup(name)
	if !ok {
		return value.Null, false, nil
	}
	v, err := f.Apply(c, recv, args)
	return v, true, err
}

func dictMethods() []Func {
	return []Func{
		{
			Name: "items", Family: "methods", Call: dictPairs, flow: moves,
			Doc: "The [key, value] pairs of a map.", Example: "{{ {'a': 1}.items() }}", Result: `[["a", 1]]`,
		},
		{
			Name: "keys", Family: "methods", Call: toList, flow: moves,
			Doc: "The keys of a map.", Example: "{{ {'a': 1}.keys() }}", Result: `["a"]`,
		},
		{
			Name: "values", Family: "methods", flow: moves,
			Doc: "The values of a map.", Example: "{{ {'a': 1}.values() }}", Result: "[1]",
			Call: func(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
				items, err := c.valuesOf(in)
				return value.ListOf(items...), err
			},
		},
		{
			Name: "get", Family: "methods", flow: moves, Call: dictGet,
			Params: []Param{req("key", Any), opt("default", Any, value.Null)},
			Doc:    "The value under a key, or the default.", Example: "{{ {'a': 1}.get('b', 2) }}", Result: "2",
		},
		{
			Name: "copy", Family: "methods", flow: moves,
			Doc: "The map itself, since nothing can change it.", Example: "{{ {'a': 1}.copy() }}", Result: `{"a": 1}`,
			Call: func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) { return in, nil },
		},
	}
}

func dictGet(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
	k, ok := value.KeyOf(a.Get("key"))
	if !ok {
		return value.Null, fmt.Errorf("%s cannot be a key", value.Article(a.Get("key").Kind()))
	}
	v, ok, err := in.Map().Get(k)
	if err != nil || ok {
		return v, err
	}
	return a.Get("default"), nil
}

func listMethods() []Func {
	return []Func{
		{
			Name: "index", Family: "methods", Params: []Param{req("value", Any)},
			Doc: "The index of the first item that equals a value.", Example: "{{ [3, 4].index(4) }}", Result: "1",
			Call: func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
				at, err := c.positions(in, a.Get("value"))
				if err == nil && len(at) == 0 {
					err = fmt.Errorf("the list has no such item")
				}
				if err != nil {
					return value.Null, err
				}
				return value.Int(int64(at[0])), nil
			},
		},
		{
			Name: "count", Family: "methods", Params: []Param{req("value", Any)},
			Doc: "How many items equal a value.", Example: "{{ [3, 4, 3].count(3) }}", Result: "2",
			Call: func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
				at, err := c.positions(in, a.Get("value"))
				return value.Int(int64(len(at))), err
			},
		},
		{
			Name: "copy", Family: "methods", flow: moves,
			Doc: "The list itself, since nothing can change it.", Example: "{{ [1].copy() }}", Result: "[1]",
			Call: func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) { return in, nil },
		},
	}
}

func (c *Ctx) positions(list, v value.Value) ([]int, error) {
	items, err := c.listItems(list)
	var out []int
	for i, item := range items {
		same, err := c.equal(item, v)
		if err != nil {
			return nil, err
		}
		if same {
			out = append(out, i)
		}
	}
	return out, err
}

func numberMethods() []Func {
	return []Func{
		{
			Name: "bit_length", Family: "methods", Doc: "The number of bits of an integer.",
			Example: "{{ (255).bit_length() }}", Result: "8",
			Call: func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) {
				if !in.Is(value.IntKind) {
					return value.Null, fmt.Errorf("wants an integer, got %s", value.Article(in.Kind()))
				}
				return value.Int(int64(in.BigInt().BitLen())), nil
			},
		},
		{
			Name: "is_integer", Family: "methods", Doc: "Whether a number is whole.",
			Example: "{{ (1.0).is_integer() }}", Result: "true",
			Call: func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) {
				f := in.Float()
				return value.Bool(in.Is(value.IntKind) || f == math.Trunc(f) && !math.IsInf(f, 0)), nil
			},
		},
	}
}
