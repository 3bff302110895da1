package filters

import (
	"github.com/yaytpl/yaytpl/value"
)

func compareTests() []Func {
	f := func(name, doc, example string, op operation, aliases ...string) Func {
		return Func{
			Name: name, Aliases: aliases, Family: "compare", Params: []Param{req("other", Any)}, Doc: doc,
			Example: "{{ " + example + " }}", Result: "true",
			Call: func(c *Ctx, in value.Value, a Bound) (value.Value, error) { return op(c, in, a.Get("other")) },
		}
	}
	return []Func{
		f("eq", "Whether two values are equal.", "1 is eq 1.0", equal, "==", "equalto"),
		f("ne", "Whether two values differ.", "1 is ne 2", unequal, "!="),
		f("gt", "Whether the value is greater.", "2 is gt 1", ordered(greater), ">", "greaterthan"),
		f("ge", "Whether the value is greater or equal.", "2 is ge 2", ordered(greaterOrEqual), ">="),
		f("lt", "Whether the value is less.", "1 is lt 2", ordered(less), "<", "lessthan"),
		f("le", "Whether the value is less or equal.", "2 is le 2", ordered(lessOrEqual), "<="),
		f("sameas", "Whether both are the same value of the same type.", "(1 is sameas 1.0) == false", sameAs),
		f("divisibleby", "Whether a number is a multiple of another.", "4 is divisibleby 2", divisibleBy),
		asks("even", "compare", "Whether a number is a multiple of two.", "4 is even", parity(0)),
		asks("odd", "compare", "Whether a number is no multiple of two.", "3 is odd", parity(1)),
	}
}

func sameAs(c *Ctx, a, b value.Value) (value.Value, error) {
	if a.Kind() != b.Kind() {
		return value.False, nil
	}
	return equal(c, a, b)
}

func divisibleBy(_ *Ctx, a, b value.Value) (value.Value, error) {
	if _, err := numberIn(a); err != nil {
		return value.Null, err
	}
	rest, err := value.Mod(a, b)
	return value.Bool(!value.Truthy(rest)), err
}

// parity asks for the rest of a division by two.
func parity(want int64) func(*Ctx, value.Value, Bound) (value.Value, error) {
	return func(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
		n, err := numberIn(in)
		if err != nil {
			return value.Null, err
		}
		rest, err := value.Mod(n, value.Int(2))
		if err != nil {
			return value.Null, err
		}
		return equal(c, rest, value.Int(want))
	}
}

func equal(c *Ctx, a, b value.Value) (value.Value, error) {
	same, err := c.equal(a, b)
	return value.Bool(same), err
}

func unequal(c *Ctx, a, b value.Value) (value.Value, error) {
	same, err := c.equal(a, b)
	return value.Bool(!same), err
}

// What the result of a comparison may have to be.
func greater(n int) bool        { return n > 0 }
func greaterOrEqual(n int) bool { return n >= 0 }
func less(n int) bool           { return n < 0 }
func lessOrEqual(n int) bool    { return n <= 0 }

func ordered(holds func(int) bool) operation {
	return func(c *Ctx, a, b value.Value) (value.Value, error) {
		n, err := c.compare(a, b)
		return value.Bool(err == nil && holds(n)), err
	}
}
