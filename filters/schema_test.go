package filters

import (
	"strconv"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func TestSchemas(t *testing.T) {
	dict := func(pairs ...any) value.Value {
		m := value.NewMap(len(pairs) / 2)
		for i := 0; i < len(pairs); i += 2 {
			v, ok := pairs[i+1].(value.Value)
			if !ok {
				v = value.String(pairs[i+1].(string))
			}
			m.Set(value.K(pairs[i].(string)), v)
		}
		return value.FromMap(m)
	}
	one := value.Int(1)
	twice := value.NewMap(41)
	for i := range 40 {
		next := dict("$ref", "#/definitions/"+strconv.Itoa(i+1))
		twice.Set(value.K(strconv.Itoa(i)), dict("allOf", value.ListOf(next, next)))
	}
	twice.Set(value.K("40"), dict("type", "integer"))
	node := dict("required", value.ListOf(value.String("v")), "properties", dict("n", dict("$ref", "#/definitions/n")))
	for _, tt := range []struct {
		name   string
		schema value.Value
		data   value.Value
		want   bool
		err    string
	}{
		{"type", dict("type", "integer"), one, true, ""},
		{"wrong type", dict("type", "string"), one, false, ""},
		{"a list of items is draft 7", dict("items", value.ListOf(dict("type", "string"))), value.ListOf(one), false, ""},
		{"true", value.True, one, true, ""},
		{"false", value.False, one, false, ""},
		{"recursion through the data", dict("definitions", dict("n", node), "$ref", "#/definitions/n"),
			dict("v", one, "n", dict("v", one)), true, ""},
		{"recursion finds what is missing", dict("definitions", dict("n", node), "$ref", "#/definitions/n"),
			dict("v", one, "n", dict("w", one)), false, ""},
		{"itself", dict("$ref", "#"), one, false, "refers to itself"},
		{"itself in a choice", dict("anyOf", value.ListOf(dict("$ref", "#"))), one, false, "refers to itself"},
		{"two that are each other", dict("definitions", dict("a", dict("$ref", "#/definitions/b"), "b", dict("not", dict("$ref", "#/definitions/a")))),
			one, false, "refers to itself"},
		{"twice in each of many", dict("definitions", value.FromMap(twice), "$ref", "#/definitions/0"), one, false, "more than 100000 times"},
		{"another document", dict("$ref", "http://example.org/s"), one, false, "refers to another document"},
		{"nowhere", dict("$ref", "#/definitions/x"), one, false, "has no target"},
	} {
		f, _ := LookupFunction("validate_json")
		got, err := f.Apply(nil, value.ListOf(tt.data, tt.schema), value.Args{})
		switch {
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s: %v, want an error with %q", tt.name, err, tt.err)
		case tt.err == "" && (err != nil || got.Bool() != tt.want):
			t.Errorf("%s: %v, %v, want %v", tt.name, got.Bool(), err, tt.want)
		}
	}
}
