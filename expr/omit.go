package expr

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # omit
//
// The name omit, as in Ansible, has a value that is not there (spec: everyday, B6):
//
//	opt: "{{ 5 if tls else omit }}"       without tls, there is no key opt
//	l: [1, "{{ omit }}", 2]               [1, 2]
//	m: "{{ {'x': 1, 'y': omit} }}"        {x: 1}
//	r: "{{ 3.7 | round(omit) }}"          round() without an argument
//	t: "a{{ omit }}"                      an error: it is no text
//
// It is undefined, with a reason of its own, so each use as data is an error. A key of the document
// or a variable of that name hides it.

// OmitName is the name of the value that is not there.
const OmitName = "omit"

// omitted is the reason of the value.
var omitted = &source.Diagnostic{
	Code:    source.BadValue,
	Message: "omit is no data: it means that there is no value",
	Hint:    "it can be a whole value, an item, an entry or an argument",
}

// omit returns the value that is not there.
func omit() value.Value { return value.Undefined(omitted) }

// IsOmit reports whether v is the value that is not there.
func IsOmit(v value.Value) bool { return v.Is(value.UndefinedKind) && v.Reason() == error(omitted) }

// MayOmit reports whether a template may evaluate to omit: whether it has the name. It is true for
// other texts with that word as well.
func MayOmit(text string) bool { return strings.Contains(text, OmitName) }

// maxOmitDepth bounds the nesting of data that WithoutOmitted looks into.
const maxOmitDepth = 1_000

// WithoutOmitted returns v without the items and entries that are omit, at any depth. Data of the
// document has none, and is not looked into. step counts the items.
func WithoutOmitted(v value.Value, step func(int) error) (value.Value, error) {
	return withoutOmitted(v, step, 0)
}

// withoutOmitted copies maps and lists that expressions made. Lists and maps of the document are value.Identified
// and stay, so that a large document is not copied.
func withoutOmitted(v value.Value, step func(int) error, depth int) (value.Value, error) {
	if depth > maxOmitDepth || !isCollection(v) {
		return v, nil
	}
	if v.Is(value.ListKind) {
		if _, ok := v.List().(value.Identified); ok {
			return v, nil
		}
		return listWithoutOmitted(v, step, depth)
	}
	if _, ok := v.Map().(value.Identified); ok {
		return v, nil
	}
	m := value.NewMap(v.Map().Len())
	for k := range v.Map().Keys() {
		item, ok, err := v.Map().Get(k)
		if err == nil {
			err = step(1)
		}
		if err != nil {
			return v, err
		}
		if !ok || IsOmit(item) {
			continue
		}
		if item, err = withoutOmitted(item, step, depth+1); err != nil {
			return v, err
		}
		m.Set(k, item)
	}
	return value.FromMap(m).Mark(v.Marks()), nil
}

func listWithoutOmitted(v value.Value, step func(int) error, depth int) (value.Value, error) {
	items := make([]value.Value, 0, v.List().Len())
	for item, err := range value.Items(v.List()) {
		if err == nil {
			err = step(1)
		}
		if err != nil {
			return v, err
		}
		if IsOmit(item) {
			continue
		}
		if item, err = withoutOmitted(item, step, depth+1); err != nil {
			return v, err
		}
		items = append(items, item)
	}
	return value.ListOf(items...).Mark(v.Marks()), nil
}

// givenArgs returns the arguments of a call without those that are omit. Functions that return one
// of their arguments get it, so that x | default(omit) is omit where there is no x. An argument
// after one that is not there would take its place, which is an error.
func givenArgs(callee string, args value.Args) (value.Args, error) {
	if !hasOmit(args) {
		return args, nil
	}
	switch callee {
	case "default", "d", "ternary", "map", "get", "pop", "setdefault":
		return args, nil
	}
	given := value.Args{}
	for i, v := range args.Pos {
		if !IsOmit(v) {
			if len(given.Pos) < i {
				return args, source.Errorf(source.Span{}, source.BadValue, "an argument that is omit is followed by another one").
					WithHint("give the later arguments by name")
			}
			given.Pos = append(given.Pos, v)
		}
	}
	for _, a := range args.Named {
		if !IsOmit(a.Value) || a.Name == "default" || a.Name == "default_value" {
			given.Named = append(given.Named, a)
		}
	}
	return given, nil
}

// hasOmit reports whether an argument is omit.
func hasOmit(args value.Args) bool {
	return slices.ContainsFunc(args.Pos, IsOmit) || slices.ContainsFunc(args.Named, func(a value.Named) bool { return IsOmit(a.Value) })
}

// TextMayOmit reports whether a text in data that is not evaluated is a template that may be omit.
func TextMayOmit(raw value.Value) bool {
	found := false
	_ = value.Walk(raw, func(_ value.Position, v value.Value, _ error) error {
		if v.Is(value.StringKind) && IsTemplate(v.Str()) && MayOmit(v.Str()) {
			found = true
			return value.SkipAll
		}
		return nil
	})
	return found
}
