package library

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// oldFunctions returns the functions that only the dialect of 2018 has, without an import.
func oldFunctions() []*Func {
	return []*Func{
		{
			Name: "getenv", Signatures: []string{"func(str) str"}, Class: Host, Old: true, Doc: "a variable of the environment, an empty text if it is not set",
			Example: `getenv("NOPE")`, Result: `""`,
			Call: func(c *Call) (value.Value, error) {
				text, _ := c.host().Getenv(c.text(0))
				return c.textResult(text)
			},
		},
		{
			Name: "defaultenv", Signatures: []string{"func(str, str) str"}, Class: Host, Old: true, Doc: "a variable of the environment, the second argument if it is not set",
			Example: `defaultenv("NOPE", "none")`, Result: `"none"`,
			Call: func(c *Call) (value.Value, error) {
				text, ok := c.host().Getenv(c.text(0))
				if !ok {
					text = c.text(1)
				}
				return c.textResult(text)
			},
		},
		{
			Name: "maplookup", Signatures: []string{"func(map map{?1: ?2}, key ?1, default ?2) ?2"}, Old: true, Doc: "the value of a key of a map, the default if it is missing",
			Example: `maplookup({"a" => 1}, "b", 0)`, Result: `0`,
			Call: func(c *Call) (value.Value, error) {
				v, ok := mapOf(c.Args[0]).Lookup(c.Args[1])
				if !ok {
					v = c.Args[2]
				}
				return v.Mark(c.Args[0].Marks() | c.Args[1].Marks()), nil
			},
		},
		{
			Name: "structlookup", Signatures: []string{"func(struct ?1, field str) ?2"}, Rule: StructLookup, Old: true, Doc: "a field of a struct, as $s->field",
			Example: `structlookup(struct{a => 1}, "a")`, Result: `1`,
			Call: func(c *Call) (value.Value, error) {
				v, ok, err := c.Args[0].Map().Get(value.K(c.text(1)))
				if err == nil && !ok {
					err = source.Errorf(c.At, source.Internal, "the struct has no field %s", c.text(1))
				}
				return v.Mark(c.Args[0].Marks()), err
			},
		},
		{
			Name: "answer", Signatures: []string{"func() int"}, Old: true, Doc: "42",
			Example: `answer()`, Result: `42`,
			Call: func(*Call) (value.Value, error) { return value.Int(42), nil },
		},
	}
}
