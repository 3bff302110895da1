package filters

import (
	"fmt"

	"github.com/yaytpl/yaytpl/value"
)

func compareTests() []Func {
	f := func(name, doc, example string, op func(a, b value.Value) (value.Value, error), aliases ...string) Func {
		return Func{
			Name: name, Aliases: aliases, Family: "compare", Params: []Param{req("other", Any)}, Doc: doc,
			Example: "{{ " + example + " }}", Result: "true",
			Call: func(_ *Ctx, in value.Value, a Bound) (value.Value, error) { return op(in, a.Get("other")) },
		}
	}
	return []Func{
		f("eq", "Whether two values are equal.", "1 is eq 1.0", equal(true), "==", "equalto"),
		f("ne", "Whether two values differ.", "1 is ne 2", equal(false), "!="),
		f("gt", "Whether the value is greater.", "2 is gt 1", ordered(func(n int) bool { return n > 0 }), ">", "greaterthan"),
		f("ge", "Whether the value is greater or equal.", "2 is ge 2", ordered(func(n int) bool { return n >= 0 }), ">="),
		f("lt", "Whether the value is less.", "1 is lt 2", ordered(func(n int) bool { return n < 0 }), "<", "lessthan"),
		f("le", "Whether the value is less or equal.", "2 is le 2", ordered(func(n int) bool { return n <= 0 }), "<="),
		f("sameas", "Whether both are the same value of the same type.", "(1 is sameas 1.0) == false", sameAs),
		f("divisibleby", "Whether a number is a multiple of another.", "4 is divisibleby 2", divisibleBy),
		is("even", "compare", "Whether a number is a multiple of two.", "4 is even", nil).with(parity(false)),
		is("odd", "compare", "Whether a number is no multiple of two.", "3 is odd", nil).with(parity(true)),
	}
}

// with replaces what f does.
func (f Func) with(call func(*Ctx, value.Value, Bound) (value.Value, error)) Func {
	f.Call = call
	return f
}

func sameAs(a, b value.Value) (value.Value, error) {
	if a.Kind() != b.Kind() {
		return value.False, nil
	}
	return equal(true)(a, b)
}

func divisibleBy(a, b value.Value) (value.Value, error) {
	if _, err := numberIn(a); err != nil {
		return value.Null, err
	}
	rest, err := value.Mod(a, b)
	return value.Bool(!value.Truthy(rest)), err
}

func parity(odd bool) func(*Ctx, value.Value, Bound) (value.Value, error) {
	return func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) {
		n, err := numberIn(in)
		if err != nil {
			return value.Null, err
		}
		rest, err := value.Mod(n, value.Int(2))
		if err != nil {
			return value.Null, err
		}
		one, err := value.Equal(rest, value.Int(1))
		return value.Bool(odd == one && (one || !value.Truthy(rest))), err
	}
}

func collectionTests() []Func {
	f := func(name, doc, example string, call func(*Ctx, value.Value, Bound) (value.Value, error), aliases ...string) Func {
		return Func{
			Name: name, Aliases: aliases, Family: "collections", Params: []Param{req("other", Any)}, Doc: doc,
			Example: "{{ " + example + " }}", Result: "true", Call: call,
		}
	}
	return []Func{
		f("in", "Whether the value is an item of a list, a key of a map or a part of a text.", "2 is in [1, 2]",
			func(c *Ctx, in value.Value, a Bound) (value.Value, error) { return c.contains(a.Get("other"), in) }),
		f("contains", "Whether a list has an item, a map a key or a text a part.", "[1, 2] is contains(2)",
			func(c *Ctx, in value.Value, a Bound) (value.Value, error) { return c.contains(in, a.Get("other")) }),
		f("subset", "Whether all items are in the other list.", "[1] is subset([1, 2])",
			func(c *Ctx, in value.Value, a Bound) (value.Value, error) { return c.includes(a.Get("other"), in) }, "issubset"),
		f("superset", "Whether all items of the other list are in this one.", "[1, 2] is superset([1])",
			func(c *Ctx, in value.Value, a Bound) (value.Value, error) { return c.includes(in, a.Get("other")) }, "issuperset"),
		is("all", "collections", "Whether all items are true.", "[true, 1] is all", nil).with(
			func(c *Ctx, in value.Value, _ Bound) (value.Value, error) { return c.everyItem(in, true) }),
		is("any", "collections", "Whether an item is true.", "[false, 1] is any", nil).with(
			func(c *Ctx, in value.Value, _ Bound) (value.Value, error) { return c.everyItem(in, false) }),
		truthTest("truthy", "Whether the value counts as true; with convert_bool texts such as 'no' count as what they say.", "'a' is truthy", true),
		truthTest("falsy", "Whether the value counts as false; with convert_bool texts such as 'no' count as what they say.", "'no' is falsy(convert_bool=true)", false),
	}
}

func (c *Ctx) contains(container, v value.Value) (value.Value, error) {
	switch container.Kind() {
	case value.StringKind:
		if !v.Is(value.StringKind) {
			return value.Null, fmt.Errorf("a text cannot contain %s", value.Article(v.Kind()))
		}
		return value.Bool(containsText(container.Str(), v.Str())), nil
	case value.MapKind:
		k, ok := value.KeyOf(v)
		if !ok {
			return value.False, nil
		}
		_, ok, err := container.Map().Get(k)
		return value.Bool(ok), err
	}
	items, err := c.items(container)
	if err != nil {
		return value.Null, err
	}
	for _, item := range items {
		if same, err := value.Equal(item, v); same || err != nil {
			return value.Bool(same), err
		}
	}
	return value.False, nil
}

func (c *Ctx) includes(big, small value.Value) (value.Value, error) {
	x, err := c.items(big)
	if err != nil {
		return value.Null, err
	}
	y, err := c.items(small)
	if err != nil {
		return value.Null, err
	}
	missing, err := c.those(y, x, false)
	return value.Bool(len(missing) == 0), err
}

// everyItem reports whether all items are true, or with all false whether any is.
func (c *Ctx) everyItem(in value.Value, all bool) (value.Value, error) {
	items, err := c.items(in)
	for _, item := range items {
		if value.Truthy(item) != all {
			return value.Bool(!all), err
		}
	}
	return value.Bool(all), err
}

func truthTest(name, doc, example string, want bool) Func {
	return Func{
		Name: name, Family: "collections", Params: []Param{opt("convert_bool", Bool, value.False)}, Doc: doc,
		Example: "{{ " + example + " }}", Result: "true",
		Call: func(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
			truth := value.Truthy(in)
			if a.Bool("convert_bool") && in.Is(value.StringKind) {
				truth = convertBool(in.Str())
			}
			return value.Bool(truth == want), nil
		},
	}
}
