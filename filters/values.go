package filters

import (
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// valueFilters choose or convert a value. default and mandatory take an undefined value, which most filters
// report as an error.
func valueFilters() []Func {
	return family("values",
		Func{
			Name: "default", Aliases: []string{"d"}, Call: defaultTo, flow: chooses, input: takesUndefined,
			Params:  []Param{opt("default_value", Any, value.String("")), opt("boolean", Bool, value.False)},
			Doc:     "Returns the value, or the default if it is undefined; with boolean=true also if it is empty, null or false.",
			Example: "{{ ghost.x | default('d') }}", Result: `"d"`,
		},
		Func{
			Name: "mandatory", Call: mandatory, flow: moves, input: takesUndefined,
			Params:  []Param{opt("msg", Text, value.Null)},
			Doc:     "Returns the value. An undefined value is an error with the message msg.",
			Example: "{{ 5 | mandatory }}", Result: "5",
		},
		Func{
			Name: "ternary", Call: ternary, flow: chooses, input: takesUndefined,
			Params:  []Param{req("true_val", Any), req("false_val", Any), opt("none_val", Any, value.Null)},
			Doc:     "Returns true_val if the value is true, else false_val, or none_val for null, if given.",
			Example: "{{ none | ternary('y', 'n', 'nil') }}", Result: `"nil"`,
		},
		moving(row("bool", "Converts yes, on, true and 1 in any letter case to true, other values to false; null stays null.",
			"{{ 'Yes' | bool }}", "true", toBool)),
		moving(row("type_debug", "Returns the name of the type in Python.",
			"{{ {} | type_debug }}", `"dict"`, typeDebug)),
		moving(row("sensitive", "Marks the value as sensitive: it is never printed, and values computed from it are sensitive too.",
			"{{ ('pw' | sensitive) == 'pw' }}", `"<<REDACTED>>"`,
			func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) { return in.Mark(value.Sensitive), nil })),
	)
}

// defaultTo is Jinja's default. A null is a value and is kept, unless boolean=true asks for any value that counts as
// false.
func defaultTo(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	c.look(a.Get("boolean"))
	if in.Is(value.UndefinedKind) || a.Bool("boolean") && !value.Truthy(in) {
		return a.Get("default_value"), nil
	}
	return in, nil
}

// mandatory is Ansible's mandatory: it reports an undefined value here, with the message of the argument.
func mandatory(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
	if !in.Is(value.UndefinedKind) {
		return in, nil
	}
	if msg := a.Get("msg"); !msg.IsNull() {
		return value.Null, errors.New(msg.Str())
	}
	return value.Null, reason(in)
}

// ternary is Ansible's ternary. none_val is for null only, which otherwise counts as false.
func ternary(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	if in.Is(value.UndefinedKind) {
		return value.Null, reason(in)
	}
	if in.IsNull() {
		c.look(a.Get("none_val"))
	}
	switch {
	case in.IsNull() && a.Given("none_val") && !a.Get("none_val").IsNull():
		return a.Get("none_val"), nil
	case value.Truthy(in):
		return a.Get("true_val"), nil
	}
	return a.Get("false_val"), nil
}

// toBool is Ansible's bool: yes, on, true and 1 are true, in any letter case, other texts are false, and so are
// numbers other than 1. A null stays null.
func toBool(_ *Ctx, in value.Value, _ Bound) (value.Value, error) {
	switch in.Kind() {
	case value.NullKind, value.BoolKind:
		return in, nil
	case value.StringKind:
		return value.Bool(slices.Contains([]string{"yes", "on", "true", "1"}, strings.ToLower(in.Str()))), nil
	case value.IntKind, value.FloatKind:
		return value.Bool(in.Float() == 1), nil
	}
	return value.False, nil
}

// typeDebug returns the name that the type has in Python, as Ansible's type_debug does.
func typeDebug(_ *Ctx, in value.Value, _ Bound) (value.Value, error) {
	names := map[value.Kind]string{
		value.NullKind: "NoneType", value.BoolKind: "bool", value.IntKind: "int", value.FloatKind: "float",
		value.StringKind: "str", value.ListKind: "list", value.MapKind: "dict", value.FuncKind: "function",
	}
	return value.String(names[in.Kind()]), nil
}
