package filters

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// is makes a test without arguments out of a predicate.
func is(name, family, doc, example string, f func(v value.Value) bool) Func {
	return asks(name, family, doc, example, func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) {
		return value.Bool(f(in)), nil
	})
}

// asks makes a test without arguments.
func asks(name, family, doc, example string, call func(*Ctx, value.Value, Bound) (value.Value, error)) Func {
	return Func{Name: name, Family: family, Doc: doc, Example: "{{ " + example + " }}", Result: "true", Call: call}
}

func ofKind(kinds ...value.Kind) func(value.Value) bool {
	return func(v value.Value) bool { return slices.ContainsFunc(kinds, v.Is) }
}

func kindTests() []Func {
	sequence := ofKind(value.StringKind, value.ListKind, value.MapKind)
	defined := is("defined", "kinds", "Whether there is a value.", "1 is defined", func(v value.Value) bool { return !v.Is(value.UndefinedKind) })
	undefined := is("undefined", "kinds", "Whether there is no value.", "ghost is undefined", func(v value.Value) bool { return v.Is(value.UndefinedKind) })
	for _, f := range []*Func{&defined, &undefined} {
		f.input, f.flow = takesUndefined, plain
	}
	return []Func{
		defined, undefined,
		is("boolean", "kinds", "Whether the value is true or false.", "true is boolean", ofKind(value.BoolKind)),
		is("callable", "kinds", "Whether the value is a function.", "(1 is callable) == false", ofKind(value.FuncKind)),
		is("false", "kinds", "Whether the value is false itself.", "false is false", func(v value.Value) bool { return v.Is(value.BoolKind) && !v.Bool() }),
		is("true", "kinds", "Whether the value is true itself.", "true is true", func(v value.Value) bool { return v.Is(value.BoolKind) && v.Bool() }),
		is("float", "kinds", "Whether the value is a float.", "1.0 is float", ofKind(value.FloatKind)),
		is("nan", "kinds", "Whether the value is the float that is not a number.", "('nan' | float) is nan", func(v value.Value) bool {
			return v.Is(value.FloatKind) && v.Float() != v.Float()
		}),
		is("integer", "kinds", "Whether the value is an integer.", "1 is integer", ofKind(value.IntKind)),
		is("number", "kinds", "Whether the value is a number.", "1.5 is number", ofKind(value.IntKind, value.FloatKind, value.BoolKind)),
		is("string", "kinds", "Whether the value is a text.", "'a' is string", ofKind(value.StringKind)),
		is("mapping", "kinds", "Whether the value is a map.", "{} is mapping", ofKind(value.MapKind)),
		is("sequence", "kinds", "Whether the value has items: a list, map or text.", "[] is sequence", sequence),
		is("iterable", "kinds", "Whether a loop can go over the value.", "[] is iterable", sequence),
		is("none", "kinds", "Whether the value is null.", "none is none", value.Value.IsNull),
		is("escaped", "kinds", "Whether the value is marked as safe HTML, which no value is.", "('a' is escaped) == false", func(value.Value) bool { return false }),
		is("filter", "kinds", "Whether there is a filter of this name.", "'upper' is filter", func(v value.Value) bool {
			_, ok := LookupFilter(v.Str())
			return ok
		}),
		is("test", "kinds", "Whether there is a test of this name.", "'odd' is test", func(v value.Value) bool {
			_, ok := LookupTest(v.Str())
			return ok
		}),
	}
}
