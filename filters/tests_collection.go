package filters

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

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
		asks("all", "collections", "Whether all items are true.", "[true, 1] is all",
			func(c *Ctx, in value.Value, _ Bound) (value.Value, error) { return c.everyItem(in, true) }),
		asks("any", "collections", "Whether an item is true.", "[false, 1] is any",
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
		return value.Bool(strings.Contains(container.Str(), v.Str())), c.read(len(container.Str()))
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
		if same, err := c.equal(item, v); same || err != nil {
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

// convertBool reads a word for false as Ansible does.
func convertBool(s string) bool {
	switch strings.ToLower(s) {
	case "no", "off", "false", "0", "n", "f", "":
		return false
	}
	return true
}
