package library

import (
	"math"
	"strconv"

	"github.com/yaytpl/yaytpl/value"
)

// numberFunctions returns the functions on numbers, and those that convert them.
func numberFunctions() []*Func {
	return append([]*Func{
		{
			Name: "math.mod", Signatures: []string{"func(?1, ?1) ?1"}, Rule: Numeric, Doc: "the remainder of a division, with the sign of the first",
			Example: `math.mod(-7, 3)`, Result: `-1`,
			Call: mod,
		},
		{
			Name: "math.pow", Alias: "pow", Signatures: []string{"func(x float, y float) float"}, Doc: "x to the power of y",
			Example: `math.pow(2.0, 10.0)`, Result: `1024.0`,
			Call: func(c *Call) (value.Value, error) { return c.finite(math.Pow(c.Args[0].Float(), c.Args[1].Float())) },
		},
		{
			Name: "math.sqrt", Signatures: []string{"func(x float) float"}, Doc: "the square root of x",
			Example: `math.sqrt(2.25)`, Result: `1.5`,
			Call: func(c *Call) (value.Value, error) {
				if c.Args[0].Float() < 0 {
					return value.Null, c.Fail("the square root of a negative number")
				}
				return c.finite(math.Sqrt(c.Args[0].Float()))
			},
		},
		{
			Name: "math.minus1", Signatures: []string{"func(x int) int"}, Doc: "x - 1",
			Example: `math.minus1(0)`, Result: `-1`,
			Call: func(c *Call) (value.Value, error) { return c.result(value.Int(c.int(0) - 1)) },
		},
	}, conversions()...)
}

func conversions() []*Func {
	return []*Func{
		{
			Name: "convert.int_to_str", Alias: "int2str", Signatures: []string{"func(a int) str"}, Doc: "the number in decimal",
			Example: `convert.int_to_str(-7)`, Result: `"-7"`,
			Call: func(c *Call) (value.Value, error) { return c.textResult(strconv.FormatInt(c.int(0), 10)) },
		},
		{
			Name: "convert.str_to_int", Signatures: []string{"func(a str) int"}, Doc: "the number that a text spells in decimal",
			Example: `convert.str_to_int("+42")`, Result: `42`,
			Call: func(c *Call) (value.Value, error) {
				n, err := strconv.ParseInt(c.text(0), 10, 64)
				if err != nil {
					return value.Null, c.Fail("%s is no integer of 64 bits", c.quote(0))
				}
				return c.result(value.Int(n))
			},
		},
		{
			Name: "convert.str_to_float", Signatures: []string{"func(a str) float"}, Doc: "the number that a text spells, with a point or exponent",
			Example: `convert.str_to_float("1e3")`, Result: `1000.0`,
			Call: func(c *Call) (value.Value, error) {
				f, err := strconv.ParseFloat(c.text(0), 64)
				if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
					return value.Null, c.Fail("%s is no finite number", c.quote(0))
				}
				return c.result(value.Float(f))
			},
		},
		{
			Name: "convert.to_float", Signatures: []string{"func(a int) float"}, Doc: "the nearest float",
			Example: `convert.to_float(3)`, Result: `3.0`,
			Call: func(c *Call) (value.Value, error) { return c.result(value.Float(float64(c.int(0)))) },
		},
		{
			Name: "convert.to_int", Signatures: []string{"func(a float) int"}, Doc: "the number without its fraction",
			Example: `convert.to_int(-3.9)`, Result: `-3`,
			Call: func(c *Call) (value.Value, error) {
				f := math.Trunc(c.Args[0].Float())
				if !(f >= -(1<<63) && f < 1<<63) {
					return value.Null, c.Fail("the number does not fit into 64 bits")
				}
				return c.result(value.Int(int64(f)))
			},
		},
		{
			Name: "convert.parse_bool", Signatures: []string{"func(a str) bool"}, Doc: "true for 1 t T TRUE true True, false for 0 f F FALSE false False",
			Example: `convert.parse_bool("T")`, Result: `true`,
			Call: func(c *Call) (value.Value, error) {
				b, err := strconv.ParseBool(c.text(0))
				if err != nil {
					return value.Null, c.Fail("%s is no truth value", c.quote(0))
				}
				return c.truth(b)
			},
		},
		{
			Name: "convert.format_bool", Signatures: []string{"func(a bool) str"}, Doc: "true or false as a text",
			Example: `convert.format_bool(false)`, Result: `"false"`,
			Call: func(c *Call) (value.Value, error) { return c.textResult(strconv.FormatBool(c.Args[0].Bool())) },
		},
	}
}

// finite is result for a number that must be finite.
func (c *Call) finite(f float64) (value.Value, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return value.Null, c.Fail("the result is not a finite number")
	}
	return c.result(value.Float(f))
}

// mod returns a remainder; of integers it is exact.
func mod(c *Call) (value.Value, error) {
	if c.Args[0].Is(value.IntKind) {
		switch b := c.int(1); b {
		case 0:
			return value.Null, c.Fail("a remainder of a division by zero")
		case -1:
			return c.result(value.Int(0)) // also of the least integer, whose quotient does not fit
		default:
			return c.result(value.Int(c.int(0) % b))
		}
	}
	if c.Args[1].Float() == 0 {
		return value.Null, c.Fail("a remainder of a division by zero")
	}
	return c.finite(math.Mod(c.Args[0].Float(), c.Args[1].Float()))
}
