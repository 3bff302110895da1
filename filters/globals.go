package filters

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/yaytpl/yaytpl/value"
)

func globalFunctions() []Func {
	return []Func{
		{
			Name: "range", Family: "globals", Call: rangeOf,
			Params:  []Param{req("start", Int), opt("stop", Int, value.Null), opt("step", Int, value.Int(1))},
			Doc:     "The integers from start, or 0, up to but without stop.",
			Example: "{{ range(1, 6, 2) }}", Result: "[1, 3, 5]",
		},
		{
			Name: "dict", Family: "globals", Call: dictOf, flow: moves,
			Params:  []Param{opt("from", Any, value.Null), keywords("entries")},
			Doc:     "A map from a map or a list of pairs, and named arguments.",
			Example: "{{ dict([['a', 1]], b=2) }}", Result: `{"a": 1, "b": 2}`,
		},
		{
			Name: "list", Family: "globals", flow: moves,
			Params:  []Param{opt("from", Items, value.Null)},
			Doc:     "The items of a list, characters of a text or keys of a map.",
			Example: "{{ list('ab') }}", Result: `["a", "b"]`,
			Call: func(c *Ctx, _ value.Value, a Bound) (value.Value, error) {
				if a.Get("from").IsNull() {
					return value.ListOf(), nil
				}
				return toList(c, a.Get("from"), a)
			},
		},
		{
			Name: "cycler", Family: "globals", flow: moves, Call: newCycler,
			Params:  []Param{variadic("items", Any)},
			Doc:     "Something that goes through its arguments again and again: next() returns one and goes on, current is the one at hand, reset() goes back to the first.",
			Example: "{{ cycler('odd', 'even').next() }}", Result: `"odd"`,
		},
		{
			Name: "joiner", Family: "globals", flow: moves, Call: newJoiner,
			Params:  []Param{opt("sep", Text, value.String(", "))},
			Doc:     "A function that returns an empty text when it is called first, and sep ever after.",
			Example: "{{ joiner('|')() }}", Result: `""`,
		},
		{
			Name: "undef", Family: "globals", Call: newUndefined,
			Params:  []Param{opt("hint", Text, value.String("the value is undefined on purpose"))},
			Doc:     "A value that is undefined: an error, with this hint, for everybody who needs it.",
			Example: "{{ undef('say which host') | default('localhost') }}", Result: `"localhost"`,
		},
	}
}

// newCycler makes a value whose state nobody else sees.
func newCycler(_ *Ctx, _ value.Value, a Bound) (value.Value, error) {
	items, at := a.Rest(), 0
	if len(items) == 0 {
		return value.Null, errors.New("needs the values to go through")
	}
	method := func(name string, do func()) (value.Value, bool) {
		return value.FromFunc(&value.Func{Name: "cycler." + name, Call: func(value.Args) (value.Value, error) {
			v := items[at]
			do()
			return v, nil
		}}), true
	}
	return value.FromFunc(&value.Func{
		Name: "cycler",
		Call: func(value.Args) (value.Value, error) {
			return value.Null, errors.New("a cycler is asked by its next()")
		},
		Attr: func(name string) (value.Value, bool) {
			switch name {
			case "current":
				return items[at], true
			case "next":
				return method(name, func() { at = (at + 1) % len(items) })
			case "reset":
				return method(name, func() { at = 0 })
			}
			return value.Null, false
		},
	}), nil
}

func newJoiner(_ *Ctx, _ value.Value, a Bound) (value.Value, error) {
	sep, used := a.Get("sep"), false
	return value.FromFunc(&value.Func{Name: "joiner", Call: func(value.Args) (value.Value, error) {
		if !used {
			used = true
			return value.String(""), nil
		}
		return sep, nil
	}}), nil
}

func newUndefined(_ *Ctx, _ value.Value, a Bound) (value.Value, error) {
	return value.Undefined(errors.New(a.Str("hint"))), nil
}

// rangeLength counts the numbers from start to end.
func rangeLength(start, end, step value.Value) (*big.Int, error) {
	d := step.BigInt()
	if d.Sign() == 0 {
		return nil, errors.New("the step is zero")
	}
	span := new(big.Int).Sub(end.BigInt(), start.BigInt())
	if d.Sign() < 0 {
		span.Neg(span)
		d = new(big.Int).Neg(d)
	}
	if span.Sign() <= 0 {
		return new(big.Int), nil
	}
	span.Add(span, d)
	span.Sub(span, big.NewInt(1))
	return span.Div(span, d), nil
}

func rangeOf(c *Ctx, _ value.Value, a Bound) (value.Value, error) {
	start, stop := a.Get("start"), a.Get("stop")
	if stop.IsNull() {
		start, stop = value.Int(0), start
	}
	n, err := rangeLength(start, stop, a.Get("step"))
	if err != nil {
		return value.Null, err
	}
	if err := c.reserveRows(n, 0); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, n.Int64())
	next := start.WithoutSource()
	for i := range out {
		out[i] = next
		if next, err = value.Add(next, a.Get("step")); err != nil {
			return value.Null, err
		}
	}
	return value.ListOf(out...), nil
}

func dictOf(c *Ctx, _ value.Value, a Bound) (value.Value, error) {
	m := c.newMapping(len(a.Named()))
	if from := a.Get("from"); !from.IsNull() {
		pairs, err := c.pairs(from)
		if err != nil {
			return value.Null, fmt.Errorf("from: %w", err)
		}
		for _, p := range pairs {
			if err := m.set(p[0], p[1]); err != nil {
				return value.Null, err
			}
		}
	}
	for _, n := range a.Named() {
		m.dict.Set(value.K(n.Name), n.Value)
	}
	return m.value(), nil
}
