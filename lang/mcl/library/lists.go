package library

import (
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/value"
)

// listFunctions returns the functions on lists and maps.
func listFunctions() []*Func {
	return []*Func{
		{
			Name: "len", Signatures: []string{"func(?1) int"}, Rule: Len, Doc: "the number of bytes of a text, of items of a list, of pairs of a map",
			Example: `len("héé")`, Result: `5`,
			Call: length,
		},
		{
			Name: "contains", Signatures: []string{"func(needle ?1, haystack []?1) bool"}, Rule: Comparable, Doc: "whether a list has an item that equals needle, as needle in haystack",
			Example: `contains(2, [1, 2])`, Result: `true`,
			Call: contains,
		},
		{
			Name: "list.lookup", Signatures: []string{"func(list []?1, index int) ?1"}, Doc: "an item of a list, counted from 0, as list[index]",
			Example: `list.lookup([10, 20], 1)`, Result: `20`,
			Call: func(c *Call) (value.Value, error) { return At(c.Args[0], c.Args[1], c.At) },
		},
		{
			Name: "list_lookup", Signatures: []string{"func(list []?1, index int) ?1"}, Doc: "list.lookup without an import",
			Example: `list_lookup([10, 20], 1)`, Result: `20`,
			Call: func(c *Call) (value.Value, error) { return At(c.Args[0], c.Args[1], c.At) },
		},
		{
			Name: "list.concat", Signatures: []string{"func(a []?1) []?1"}, Rule: Variadic, Doc: "one or more lists, one after the other",
			Example: `list.concat([1], [], [2, 3])`, Result: `[1, 2, 3]`,
			Call: func(c *Call) (value.Value, error) { return c.concat(c.Args) },
		},
		{
			Name: "map.lookup", Signatures: []string{"func(map map{?1: ?2}, key ?1) ?2"}, Doc: "the value of a key of a map, as map[key]",
			Example: `map.lookup({"a" => 1}, "a")`, Result: `1`,
			Call: func(c *Call) (value.Value, error) { return At(c.Args[0], c.Args[1], c.At) },
		},
		{
			Name: "map_lookup", Signatures: []string{"func(map map{?1: ?2}, key ?1) ?2"}, Doc: "map.lookup without an import",
			Example: `map_lookup({"a" => 1}, "a")`, Result: `1`,
			Call: func(c *Call) (value.Value, error) { return At(c.Args[0], c.Args[1], c.At) },
		},
		{
			Name: "map.keys", Signatures: []string{"func(x map{?1: ?2}) []?1"}, Doc: "the keys of a map, sorted",
			Example: `map.keys({"a" => 1})`, Result: `["a"]`,
			Call: func(c *Call) (value.Value, error) {
				keys, _ := mapOf(c.Args[0]).Sorted()
				return value.FromList(value.Slice(keys)).Mark(c.Args[0].Marks()), c.Step(len(keys))
			},
		},
		{
			Name: "map.values", Signatures: []string{"func(x map{?1: ?2}) []?2"}, Doc: "the values of a map, in the order of its sorted keys",
			Example: `map.values({"a" => 1})`, Result: `[1]`,
			Call: func(c *Call) (value.Value, error) {
				_, items := mapOf(c.Args[0]).Sorted()
				return value.FromList(value.Slice(items)).Mark(c.Args[0].Marks()), c.Step(len(items))
			},
		},
	}
}

// mapOf returns the map of a value of the language.
func mapOf(v value.Value) *types.Mapping { return v.Map().(*types.Mapping) }

func length(c *Call) (value.Value, error) {
	v := c.Args[0]
	n := len(v.Str())
	switch {
	case v.Is(value.ListKind):
		n = v.List().Len()
	case v.Is(value.MapKind):
		n = v.Map().Len()
	}
	return value.Int(int64(n)).Mark(v.Marks()), nil
}

func contains(c *Call) (value.Value, error) {
	same := value.Comparison{Charge: c.Step}
	same.Look(c.Args[0].Marks() | c.Args[1].Marks())
	found, err := same.In(c.Args[0], c.Args[1].List())
	return value.Bool(found).Mark(same.Marks), err
}

// concat returns lists one after the other.
func (c *Call) concat(lists []value.Value) (value.Value, error) {
	out := itemList{call: c}
	var marks value.Marks
	for _, l := range lists {
		marks |= l.Marks()
		if err := out.addAll(l.List()); err != nil {
			return value.Null, err
		}
	}
	return out.value().Mark(marks), nil
}
