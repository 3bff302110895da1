package yay

import (
	"errors"
	"math"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func (ev evaluator) unary(n *expr.Unary) (value.Value, error) {
	x, err := ev.operand(n.X)
	if err != nil {
		return value.Null, err
	}
	if n.Op == "not" {
		noteWord(ev.in, x, n.X.Span())
		holds, err := truth(x, n.X.Span())
		return value.Bool(!holds).Mark(x.Marks()), err
	}
	var r value.Value
	switch n.Op {
	case "+":
		r, err = asNumber(x, n.X.Span())
		r = r.WithoutSource()
	case "-":
		r, err = negate(x, n.X.Span())
	case "~":
		r, err = invert(x, n.X.Span())
	default:
		err = source.Errorf(n.At, source.Internal, "unknown operator %q", n.Op)
	}
	return r.Mark(x.Marks()), err
}

func negate(x value.Value, at source.Span) (value.Value, error) {
	v, err := asNumber(x, at)
	if err != nil {
		return value.Null, err
	}
	if i, ok := v.Int(); ok && i != math.MinInt64 {
		return value.Int(-i), nil
	}
	return value.Neg(v)
}

func (ev evaluator) binary(n *expr.Binary) (value.Value, error) {
	x, err := ev.operand(n.X)
	if err != nil {
		return value.Null, err
	}
	y, err := ev.operand(n.Y)
	if err != nil {
		return value.Null, err
	}
	if r, ok := smallResult(n.Op, x, y); ok {
		return r.Mark(x.Marks() | y.Marks()), nil
	}
	if n.Op == "+" {
		return ev.add(n, x, y)
	}
	a, err := asNumber(x, n.X.Span())
	if err != nil {
		return value.Null, err
	}
	b, err := asNumber(y, n.Y.Span())
	if err != nil {
		return value.Null, err
	}
	var r value.Value
	if isBitwise(n.Op) {
		r, err = bitwise(n, x, y)
	} else {
		r, err = arithmetic(ev.in, n, a, b)
	}
	if err != nil {
		return value.Null, err
	}
	return r.Mark(x.Marks() | y.Marks()), nil
}

// add is x + y: the sum if both can be read as numbers, else the two texts joined
// (spec: yay, section 4.2).
func (ev evaluator) add(n *expr.Binary, x, y value.Value) (value.Value, error) {
	for _, o := range [2]struct {
		v  value.Value
		at expr.Node
	}{{x, n.X}, {y, n.Y}} {
		if !o.v.IsScalar() {
			return value.Null, wrongType(o.at.Span(), "a number or a string", o.v)
		}
	}
	a, err := numberOrNull(x, n.X.Span())
	if err != nil {
		return value.Null, err
	}
	b, err := numberOrNull(y, n.Y.Span())
	if err != nil {
		return value.Null, err
	}
	if a.IsNumber() && b.IsNumber() {
		r, err := arithmetic(ev.in, n, a, b)
		return r.Mark(x.Marks() | y.Marks()), err
	}
	t := textJoin{max: ev.in.MaxText()}
	if err := t.add(x, n.X.Span()); err != nil {
		return value.Null, err
	}
	if err := t.add(y, n.Y.Span()); err != nil {
		return value.Null, err
	}
	v := t.value()
	return v, ev.charge(len(v.Str()), n.At)
}

// numberOrNull is asNumber that gives null for what is no number.
func numberOrNull(v value.Value, at source.Span) (value.Value, error) {
	switch v.Kind() {
	case value.IntKind, value.FloatKind, value.BoolKind:
		return number(v), nil
	case value.StringKind:
		return parseNumber(v.Str(), at)
	}
	return value.Null, nil
}

// arithmetic applies an operator to two numbers as Python does.
func arithmetic(in surroundings, n *expr.Binary, a, b value.Value) (value.Value, error) {
	if r, ok := smallResult(n.Op, a, b); ok {
		return r, nil
	}
	if err := checkOperands(n, a, b); err != nil {
		return value.Null, err
	}
	if err := chargeDigits(in, a, b); err != nil {
		return value.Null, placed(err, n.At)
	}
	r, err := anyNumbers(n.Op, a, b)
	if err == nil && n.Op == "**" {
		err = placed(chargeDigits(in, r, r), n.At)
	}
	return r, arithmeticError(n, err)
}

// chargeDigits counts the work of multiplying or dividing two integers, which grows
// with the product of their lengths.
func chargeDigits(in surroundings, a, b value.Value) error {
	if !a.Is(value.IntKind) || !b.Is(value.IntKind) {
		return nil
	}
	const wordsPerStep = 1000
	return in.Step(1 + (1+a.BigInt().BitLen()/64)*(1+b.BigInt().BitLen()/64)/wordsPerStep)
}

// smallResult applies an operator where that is cheap: to integers that fit a word,
// if the result does.
func smallResult(op string, x, y value.Value) (value.Value, bool) {
	i, ok := x.Int()
	if !ok {
		return value.Null, false
	}
	j, ok := y.Int()
	if !ok {
		return value.Null, false
	}
	return smallInts(op, i, j)
}

// smallInts applies an operator to integers that fit a word, and returns false if the
// result does not or if there is none.
func smallInts(op string, i, j int64) (value.Value, bool) {
	switch op {
	case "+":
		s := i + j
		return value.Int(s), (s > i) == (j > 0)
	case "-":
		d := i - j
		return value.Int(d), (d < i) == (j > 0)
	case "*":
		p, ok := multiply(i, j)
		return value.Int(p), ok
	case "/":
		const exact = 1 << 53
		if j == 0 || i > exact || i < -exact || j > exact || j < -exact {
			return value.Null, false
		}
		return value.Float(float64(i) / float64(j)), true
	case "//", "%":
		if j == 0 || j == -1 {
			return value.Null, false
		}
		q, r := i/j, i%j
		if r != 0 && (r < 0) != (j < 0) {
			q, r = q-1, r+j
		}
		if op == "%" {
			return value.Int(r), true
		}
		return value.Int(q), true
	}
	return value.Null, false
}

func multiply(i, j int64) (int64, bool) {
	const small = 1 << 31
	if i < small && i > -small && j < small && j > -small {
		return i * j, true
	}
	p := i * j
	return p, i != 0 && i != -1 && j != -1 && p/i == j
}

func anyNumbers(op string, a, b value.Value) (value.Value, error) {
	switch op {
	case "+":
		return value.Add(a, b)
	case "-":
		return value.Sub(a, b)
	case "*":
		return value.Mul(a, b)
	case "/":
		return value.Div(a, b)
	case "//":
		return value.FloorDiv(a, b)
	case "%":
		return value.Mod(a, b)
	case "**":
		return value.Pow(a, b)
	}
	return value.Null, errors.New("unknown operator " + op)
}

// checkOperands finds what an operator has no result for, at the operand that is
// wrong.
func checkOperands(n *expr.Binary, a, b value.Value) error {
	switch n.Op {
	case "/", "//", "%":
		if !value.Truthy(b) {
			return source.Errorf(n.Y.Span(), source.ZeroDivision, "division by zero")
		}
	case "**":
		switch {
		case !value.Truthy(a) && b.Float() < 0:
			return source.Errorf(n.X.Span(), source.ZeroDivision, "division by zero: zero has no negative powers")
		case a.Float() < 0 && b.Float() != math.Trunc(b.Float()):
			return source.Errorf(n.X.Span(), source.WrongType, "expected a number that is not negative: its exponent is no integer")
		}
	}
	return nil
}

// arithmeticError is the error of an operation on two numbers: a result that is too
// large.
func arithmeticError(n *expr.Binary, err error) error {
	if err == nil {
		return nil
	}
	if d := diagnosticOf(err); d != nil {
		return d
	}
	var tooBig *value.LimitError
	if errors.As(err, &tooBig) {
		return source.Errorf(n.At, source.Limit, "%s", tooBig)
	}
	return source.Errorf(n.At, source.BadValue, "%s", err)
}
