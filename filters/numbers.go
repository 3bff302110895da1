package filters

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// numberFilters follow Jinja (int, float, abs, round, sum) and Ansible (log, pow, root). Integers have any size.
func numberFilters() []Func {
	return family("numbers",
		moving(row("int", "Converts the value to an integer, a text in the given base. The default replaces values that are no number.",
			"{{ '0x1f' | int(base=16) }}", "31", toInt, opt("default", Any, value.Int(0)), opt("base", Int, value.Int(10)))),
		moving(row("float", "Converts the value to a float. The default replaces values that are no number.",
			"{{ '1e3' | float }}", "1000.0", toFloat, opt("default", Any, value.Float(0)))),
		row("abs", "Returns the absolute value of a number.",
			"{{ -2 | abs }}", "2", with((*Ctx).number, absolute)),
		row("round", "Rounds a number to a number of decimals. The method is common, ceil or floor. A float stays a float.",
			"{{ 42.55 | round(1, 'floor') }}", "42.5",
			with((*Ctx).number, roundNumber), opt("precision", Int, value.Int(0)), opt("method", Text, value.String("common"))),
		row("sum", "Returns the sum of the items, or of an attribute of each. With an empty list as start it joins lists.",
			"{{ [{'n': 1}, {'n': 2}] | sum('n') }}", "3", sum, opt("attribute", Any, value.Null), opt("start", Any, value.Int(0))),
		row("log", "Returns the logarithm, by default the natural one.",
			"{{ 100 | log(10) }}", "2.0", with((*Ctx).number, logarithm), opt("base", Float, value.Float(math.E))),
		row("pow", "Raises the number to a power; the result is a float.",
			"{{ 2 | pow(3) }}", "8.0", with((*Ctx).number, power), req("power", Float)),
		row("root", "Returns the square root, or another root, as a float.",
			"{{ 9 | root }}", "3.0", with((*Ctx).number, root), opt("base", Float, value.Int(2))),
	)
}

// toInt is Jinja's int: a text that is no integer is read as a float and cut, '1.9' is 1. The default replaces
// values that are no number, and infinite ones.
func toInt(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
	if in.Is(value.StringKind) {
		if i, ok := parseInt(in.Str(), a.Int("base")); ok {
			return i, nil
		}
	}
	n := value.AsNumber(in)
	if n.Is(value.IntKind) {
		return n.WithoutSource(), nil
	}
	f, ok := floatOf(in)
	if !ok || math.IsInf(f, 0) || math.IsNaN(f) {
		return a.Get("default"), nil
	}
	return truncateFloat(f), nil
}

func truncateFloat(f float64) value.Value {
	i, _ := new(big.Float).SetFloat64(math.Trunc(f)).Int(nil)
	return value.BigInt(i)
}

// maxDigits bounds the length of numbers in texts, since parsing takes more than linear
// time.
const maxDigits = 100_000

// parseInt parses an integer as Python does: with blanks around it, underscores between
// digits, and a prefix that agrees with the base. " 0x_1f " is 31 in base 16 and 0.
func parseInt(s string, base int) (value.Value, bool) {
	s = strings.TrimSpace(s)
	sign := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	if len(s) == len(strings.TrimLeft(s, "+-")) && len(s) <= maxDigits && (base == 0 || base >= 2 && base <= 36) {
		if len(s) > 2 && s[0] == '0' && base != 0 && value.BaseOf(s[1]|0x20) == base {
			s = strings.TrimPrefix(s[2:], "_")
		}
		if clean, ok := withoutUnderscores(s); ok {
			if i, ok := value.ParseInt(clean, base); ok {
				if sign {
					i, _ = value.Neg(i)
				}
				return i, true
			}
		}
	}
	return value.Null, false
}

func withoutUnderscores(s string) (string, bool) {
	if strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
		return "", false
	}
	return strings.ReplaceAll(s, "_", ""), true
}

// floatOf converts a number, a bool or the text of a number to a float.
func floatOf(v value.Value) (float64, bool) {
	n := value.AsNumber(v)
	if n.IsNumber() {
		return n.Float(), true
	}
	if !v.Is(value.StringKind) {
		return 0, false
	}
	s, ok := withoutUnderscores(strings.TrimSpace(v.Str()))
	if !ok || strings.ContainsAny(s, "xXpP") || len(s) > maxDigits {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if errors.Is(err, strconv.ErrRange) {
		err = nil // too large numbers are infinite, as in Python
	}
	return f, err == nil
}

// float is floatOf with an error for values that are no number.
func (c *Ctx) float(v value.Value) (float64, error) {
	f, ok := floatOf(v)
	if !ok {
		return 0, value.Wants("a number", v.Kind())
	}
	return f, nil
}

func toFloat(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
	if f, ok := floatOf(in); ok {
		return value.Float(f), nil
	}
	return a.Get("default"), nil
}

// number returns v as a number; a bool is 0 or 1.
func (c *Ctx) number(in value.Value) (value.Value, error) {
	n := value.AsNumber(in)
	if !n.IsNumber() {
		return n, value.Wants("a number", in.Kind())
	}
	return n, nil
}

func absolute(_ *Ctx, n value.Value, _ Bound) (value.Value, error) {
	if n.Is(value.IntKind) {
		return value.BigInt(new(big.Int).Abs(n.BigInt())), nil
	}
	return value.Float(math.Abs(n.Float())), nil
}

// roundNumber is Jinja's round: common is round of Python, with ties to even, and keeps an integer an integer;
// ceil and floor return floats.
func roundNumber(_ *Ctx, n value.Value, a Bound) (value.Value, error) {
	digits := a.Int("precision")
	if digits > 400 || digits < -400 {
		return value.Null, errPrecision
	}
	switch a.Str("method") {
	case "common":
		if n.Is(value.IntKind) {
			return roundInt(n.BigInt(), digits), nil
		}
		return value.Float(roundFloat(n.Float(), digits)), nil
	case "ceil":
		return roundTo(math.Ceil, n.Float(), digits)
	case "floor":
		return roundTo(math.Floor, n.Float(), digits)
	}
	return value.Null, fmt.Errorf("the method is common, ceil or floor, not %q", a.Str("method"))
}

var errPrecision = errors.New("the precision is out of range")

// roundTo rounds f to a number of decimals with round, which is Ceil or Floor.
func roundTo(round func(float64) float64, f float64, digits int) (value.Value, error) {
	scale := math.Pow(10, float64(digits))
	if scale == 0 || math.IsInf(scale, 0) || math.IsInf(f*scale, 0) && !math.IsInf(f, 0) {
		return value.Null, errPrecision
	}
	return value.Float((round(f*scale) + 0) / scale), nil // + 0: no negative zero
}

// roundFloat rounds the exact value of f to a number of decimals, ties to even.
func roundFloat(f float64, digits int) float64 {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return f
	}
	if digits < 0 {
		scale := math.Pow(10, float64(-digits))
		if math.IsInf(scale, 0) {
			return math.Copysign(0, f)
		}
		return math.RoundToEven(f/scale) * scale
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
	if err != nil {
		return f
	}
	return r
}

// roundInt rounds to a power of ten, with ties to even: 25 to the tens is 20, 35 is 40.
func roundInt(i *big.Int, digits int) value.Value {
	if digits >= 0 {
		return value.BigInt(i)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-digits)), nil)
	q, r := new(big.Int).DivMod(i, scale, new(big.Int))
	twice := new(big.Int).Lsh(r, 1)
	if n := twice.Cmp(scale); n > 0 || n == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	return value.BigInt(q.Mul(q, scale))
}

// sum adds as Python: numbers to start, or lists to an empty list. Texts are refused, as in Python.
func sum(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	items, err := c.attributes(in, a.Get("attribute"))
	if err != nil {
		return value.Null, err
	}
	total := a.Get("start").WithoutSource()
	switch total.Kind() {
	case value.ListKind:
		return c.sumLists(total, items)
	case value.StringKind:
		return value.Null, errors.New("cannot sum texts; use join")
	}
	for _, item := range items {
		if item.Is(value.UndefinedKind) {
			return value.Null, reason(item)
		}
		if total, err = value.Add(total, item); err != nil {
			return value.Null, err
		}
	}
	return total, nil
}

// sumLists joins lists in one, whose length is checked before each list is read.
func (c *Ctx) sumLists(start value.Value, items []value.Value) (value.Value, error) {
	out, err := c.listItems(start)
	for i := 0; i < len(items) && err == nil; i++ {
		if !items[i].Is(value.ListKind) {
			return value.Null, fmt.Errorf("cannot add %s to a list", value.Article(items[i].Kind()))
		}
		if err = c.fitsItems(len(out) + items[i].List().Len()); err == nil {
			var more []value.Value
			more, err = c.listItems(items[i])
			out = append(out, more...)
		}
	}
	return value.ListOf(out...), err
}

// logarithm computes base 10 by itself, since log(x) / log(base) is inexact: log(1000) / log(10) is less than 3.
func logarithm(_ *Ctx, n value.Value, a Bound) (value.Value, error) {
	x, base := n.Float(), a.Get("base").Float()
	if x <= 0 || base <= 0 || base == 1 {
		return value.Null, errors.New("the logarithm does not exist for these numbers")
	}
	switch base {
	case 10:
		return value.Float(value.Log10(x)), nil
	case math.E:
		return value.Float(value.Log(x)), nil
	}
	return value.Float(value.Log(x) / value.Log(base)), nil
}

func power(_ *Ctx, n value.Value, a Bound) (value.Value, error) {
	return value.Pow(value.Float(n.Float()), value.Float(a.Get("power").Float()))
}

func root(_ *Ctx, n value.Value, a Bound) (value.Value, error) {
	x, base := n.Float(), a.Get("base").Float()
	if x < 0 || base == 0 {
		return value.Null, errors.New("the root does not exist for these numbers")
	}
	if base == 2 {
		return value.Float(math.Sqrt(x)), nil
	}
	return value.Pow(value.Float(x), value.Float(1/base))
}
