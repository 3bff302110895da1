package value

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// The operators follow Python: integers have any size, "/" returns a float, "//" and "%"
// round towards minus infinity, truth values count as 0 and 1. The result has the marks
// of both operands (spec: expressions, section 5).

// The operators of arithmetic, as expressions spell them.
const (
	OpAdd      = "+"
	OpSub      = "-"
	OpMul      = "*"
	OpDiv      = "/"
	OpFloorDiv = "//"
	OpMod      = "%"
	OpPow      = "**"
)

// Arith applies an operator to a and b. If charge is not nil, it is called with the
// steps that long integers cost: before the operation, and for a power after it.
func Arith(op string, a, b Value, charge func(steps int) error) (r Value, err error) {
	if err := chargeDigits(a, b, charge); err != nil {
		return Null, err
	}
	switch op {
	case OpAdd:
		r, err = Add(a, b)
	case OpSub:
		r, err = Sub(a, b)
	case OpMul:
		r, err = Mul(a, b)
	case OpDiv:
		r, err = Div(a, b)
	case OpFloorDiv:
		r, err = FloorDiv(a, b)
	case OpMod:
		r, err = Mod(a, b)
	case OpPow:
		if r, err = Pow(a, b); err == nil {
			err = chargePower(r, charge)
		}
	default:
		err = errors.New("unknown operator " + op)
	}
	return r, err
}

// chargeDigits charges an operation with two integers. The work of a multiplication or division
// grows with the product of their lengths, the work of making the result with their sum.
func chargeDigits(a, b Value, charge func(steps int) error) error {
	if charge == nil || a.kind != IntKind || b.kind != IntKind {
		return nil
	}
	if a.bigRef() == nil && b.bigRef() == nil {
		return charge(1)
	}
	const productsPerStep, wordsPerStep = 1000, 2
	x, y := 1+a.BigInt().BitLen()/64, 1+b.BigInt().BitLen()/64
	return charge(1 + x*y/productsPerStep + (x+y)/wordsPerStep)
}

// chargePower charges a power after it was computed, as a chain of multiplications.
func chargePower(r Value, charge func(steps int) error) error {
	if charge == nil {
		return nil
	}
	return chargeDigits(r, r, func(steps int) error { return charge(4 * steps) })
}

var errZeroDivision = errors.New("division by zero")

// Add returns a + b: a sum, or two texts or two lists joined.
func Add(a, b Value) (Value, error) {
	switch {
	case a.kind == StringKind && b.kind == StringKind:
		if len(a.Str())+len(b.Str()) > maxResult {
			return Null, &LimitError{What: "text", Max: maxResult}
		}
		return addTexts(a, b), nil
	case a.kind == ListKind && b.kind == ListKind:
		return addLists(a, b)
	}
	return arith(OpAdd, a, b, func(x, y Value) (Value, error) {
		if x.kind == FloatKind {
			return Float(x.Float() + y.Float()), nil
		}
		return addInts(x, y), nil
	})
}

// Sub returns the difference of two numbers.
func Sub(a, b Value) (Value, error) {
	return arith(OpSub, a, b, func(x, y Value) (Value, error) {
		if x.kind == FloatKind {
			return Float(x.Float() - y.Float()), nil
		}
		return BigInt(new(big.Int).Sub(x.BigInt(), y.BigInt())), nil
	})
}

// Mul returns a product, or a text or list repeated.
func Mul(a, b Value) (Value, error) {
	if isSequence(b) && isIntegral(a) {
		a, b = b, a
	}
	if isSequence(a) && isIntegral(b) {
		return repeat(a, AsNumber(b))
	}
	return arith(OpMul, a, b, func(x, y Value) (Value, error) {
		if x.kind == FloatKind {
			return Float(x.Float() * y.Float()), nil
		}
		if x.BigInt().BitLen()+y.BigInt().BitLen() > maxBits {
			return Null, &LimitError{What: "integer", Max: maxBits / 8}
		}
		return BigInt(new(big.Int).Mul(x.BigInt(), y.BigInt())), nil
	})
}

// Div returns a quotient, always a float.
func Div(a, b Value) (Value, error) {
	return arith(OpDiv, a, b, func(x, y Value) (Value, error) {
		if !Truthy(y) {
			return Null, errZeroDivision
		}
		if x.kind == FloatKind {
			return Float(x.Float() / y.Float()), nil
		}
		f, _ := new(big.Rat).SetFrac(x.BigInt(), y.BigInt()).Float64()
		if math.IsInf(f, 0) {
			return Null, errors.New("the quotient is too large for a float")
		}
		if f == 0 && y.BigInt().Sign() < 0 {
			f = math.Copysign(0, -1) // 0 / -2 is -0.0, as in Python
		}
		return Float(f), nil
	})
}

// FloorDiv returns a quotient rounded down.
func FloorDiv(a, b Value) (Value, error) {
	return arith(OpFloorDiv, a, b, func(x, y Value) (Value, error) {
		if !Truthy(y) {
			return Null, errZeroDivision
		}
		if x.kind == FloatKind {
			q, _ := floorDivFloats(x.Float(), y.Float())
			return Float(q), nil
		}
		q, _ := floorDivInts(x.BigInt(), y.BigInt())
		return BigInt(q), nil
	})
}

// Mod returns the remainder of a division, with the sign of b. If a is a text, it returns
// [Format] of a with b, or with the items of the list b.
func Mod(a, b Value) (Value, error) {
	if a.kind == StringKind {
		return modText(a, b)
	}
	return arith(OpMod, a, b, func(x, y Value) (Value, error) {
		if !Truthy(y) {
			return Null, errZeroDivision
		}
		if x.kind == FloatKind {
			_, r := floorDivFloats(x.Float(), y.Float())
			return Float(r), nil
		}
		_, r := floorDivInts(x.BigInt(), y.BigInt())
		return BigInt(r), nil
	})
}

// modText formats b as Python's "%" operator does. A list is a list or a tuple of Python: its items
// are the arguments, but a format with one directive takes a list of several as a whole.
//
//	'%s-%s' % [1, 2]    1-2
//	'%s' % [1, 2]       [1, 2]
func modText(a, b Value) (Value, error) {
	args := []Value{b}
	if b.kind == ListKind && !(b.List().Len() > 1 && takesOne(a.Str())) {
		var err error
		if args, err = ItemsOf(b.List()); err != nil {
			return Null, err
		}
		for i := range args {
			args[i] = args[i].Mark(b.marks)
		}
	}
	v, err := Format(a, args)
	return v.MarkParts(b.marks), err
}

// Pow returns a to the power of b: an integer for two integers with b >= 0.
func Pow(a, b Value) (Value, error) {
	return arith(OpPow, a, b, func(x, y Value) (Value, error) {
		if x.kind == IntKind && y.BigInt().Sign() >= 0 {
			return powInts(x.BigInt(), y.BigInt())
		}
		return powFloats(x.Float(), y.Float())
	})
}

// Neg returns -a.
func Neg(a Value) (Value, error) {
	switch n := AsNumber(a); n.kind {
	case IntKind:
		return BigInt(new(big.Int).Neg(n.BigInt())).Mark(a.marks), nil
	case FloatKind:
		return Float(-n.Float()).Mark(a.marks), nil
	case UndefinedKind:
		return Null, a.Reason()
	}
	return Null, fmt.Errorf("cannot negate %s", Article(a.kind))
}

// arith calls f with two integers or two floats.
func arith(op string, a, b Value, f func(x, y Value) (Value, error)) (Value, error) {
	for _, v := range []Value{a, b} {
		if v.kind == UndefinedKind {
			return Null, v.Reason()
		}
	}
	x, y := AsNumber(a), AsNumber(b)
	if !x.IsNumber() || !y.IsNumber() {
		return Null, cannotCompute(a.kind, op, b.kind)
	}
	if x.kind != y.kind && op != OpPow || op == OpPow && (x.kind == FloatKind || y.kind == FloatKind) {
		x, y = Float(x.Float()), Float(y.Float())
	}
	if err := finiteOperands(a, b, x, y); err != nil {
		return Null, err
	}
	r, err := f(x, y)
	return r.Mark(a.marks | b.marks), err
}

// finiteOperands returns an error if an integer is infinite as a float.
func finiteOperands(a, b, x, y Value) error {
	for _, p := range [][2]Value{{a, x}, {b, y}} {
		if p[0].kind == IntKind && p[1].kind == FloatKind && math.IsInf(p[1].Float(), 0) {
			return errors.New("the integer is too large for a float")
		}
	}
	return nil
}

func isSequence(v Value) bool { return v.kind == StringKind || v.kind == ListKind }
func isIntegral(v Value) bool { return v.kind == IntKind || v.kind == BoolKind }

func addTexts(a, b Value) Value {
	if (a.marks|b.marks)&Secret == 0 {
		return String(a.Str() + b.Str()).Mark(a.marks | b.marks)
	}
	var text TextBuilder
	text.write(a, a.Str())
	text.write(b, b.Str())
	return text.Value()
}

func addInts(x, y Value) Value {
	i, ok1 := x.Int()
	j, ok2 := y.Int()
	if s := i + j; ok1 && ok2 && (s > i) == (j > 0) {
		return Int(s)
	}
	return BigInt(new(big.Int).Add(x.BigInt(), y.BigInt()))
}

func powInts(x, y *big.Int) (Value, error) {
	if x.BitLen() > 1 && (!y.IsInt64() || y.Int64() > maxBits || int64(x.BitLen()-1)*y.Int64() > maxBits) {
		return Null, &LimitError{What: "integer", Max: maxBits / 8}
	}
	if x.BitLen() <= 1 && y.Sign() > 0 { // -1, 0, 1: only the parity of y counts
		y = new(big.Int).Add(big.NewInt(2), new(big.Int).And(y, big.NewInt(1)))
	}
	return BigInt(new(big.Int).Exp(x, y, nil)), nil
}

func powFloats(x, y float64) (Value, error) {
	if x == 0 && y < 0 {
		return Null, errors.New("zero cannot be raised to a negative power")
	}
	if x < 0 && !math.IsInf(x, 0) && y != math.Trunc(y) {
		return Null, errors.New("a negative number has no real root")
	}
	r := pow(x, y)
	if math.IsInf(r, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return Null, errors.New("the power is too large for a float")
	}
	return Float(r), nil
}

func floorDivInts(x, y *big.Int) (q, r *big.Int) {
	q, r = new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 && r.Sign() != y.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	return q, r
}

// floorDivFloats derives the quotient from the exact remainder, since rounding x/y may
// reach the next integer.
func floorDivFloats(x, y float64) (q, r float64) {
	r = math.Mod(x, y)
	q = (x - r) / y
	if r == 0 {
		r = math.Copysign(0, y)
	} else if (y < 0) != (r < 0) {
		r += y
		q--
	}
	if q == 0 {
		return math.Copysign(0, x/y), r
	}
	if f := math.Floor(q); q-f > 0.5 {
		return f + 1, r
	} else {
		return f, r
	}
}

func addLists(a, b Value) (Value, error) {
	if n := a.List().Len() + b.List().Len(); n > maxResult/itemSize {
		return Null, &LimitError{What: "list", Max: maxResult}
	}
	x, err := ItemsOf(a.List())
	if err != nil {
		return Null, err
	}
	y, err := ItemsOf(b.List())
	if err != nil {
		return Null, err
	}
	return ListOf(append(x, y...)...).Mark(a.marks | b.marks), nil
}

// repeat returns a text or list count times; it is empty if count is below one.
func repeat(seq, count Value) (Value, error) {
	size := len(seq.Str())
	if seq.kind == ListKind {
		size = seq.List().Len() * itemSize
	}
	n, ok := count.Int()
	switch {
	case size == 0 || count.BigInt().Sign() < 0:
		n = 0
	case !ok || n > int64(maxResult/size):
		return Null, &LimitError{What: seq.kind.String(), Max: maxResult}
	}
	marks := seq.marks | count.marks
	if seq.kind == StringKind {
		return String(strings.Repeat(seq.Str(), int(n))).Mark(marks), nil
	}
	items, err := ItemsOf(seq.List())
	return FromList(Slice(slices.Repeat(items, int(n)))).Mark(marks), err
}
