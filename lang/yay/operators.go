package yay

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// unary is not x, +x, -x and ~x.
func (ev evaluator) unary(n *expr.Unary) (value.Value, error) {
	x, err := ev.operand(n.X)
	if err != nil {
		return value.Null, err
	}
	at := n.X.Span()
	var r value.Value
	switch n.Op {
	case "not":
		noteWord(ev.in, x, at)
		var holds bool
		holds, err = truth(x, at)
		r = value.Bool(!holds)
	case "+":
		r, err = asNumber(x, at)
		r = r.WithoutSource()
	case "-":
		if r, err = asNumber(x, at); err != nil {
			break
		}
		if i, ok := r.Int(); ok && i != math.MinInt64 {
			r = value.Int(-i)
		} else {
			r, err = value.Neg(r)
		}
	case "~":
		if r, err = asInteger(x, at); err == nil {
			r = value.BigInt(new(big.Int).Not(r.BigInt()))
		}
	default:
		err = source.Errorf(n.At, source.Internal, "unknown operator %q", n.Op)
	}
	return r.Mark(x.Marks()), err
}

// binary is an operator of arithmetic, or of bits, with two operands.
//
//go:noinline
func (ev evaluator) binary(n *expr.Binary) (value.Value, error) {
	x, err := ev.operand(n.X)
	if err != nil {
		return value.Null, err
	}
	y, err := ev.operand(n.Y)
	if err != nil {
		return value.Null, err
	}
	return ev.combine(n, x, y)
}

// combine applies the operator of n to its operands.
func (ev evaluator) combine(n *expr.Binary, x, y value.Value) (value.Value, error) {
	if r, ok := smallResult(n.Op, x, y); ok {
		return r.Mark(x.Marks() | y.Marks()), nil
	}
	return ev.combined(n, x, y)
}

// combined applies the operator of n to operands of any kind and size.
//
//go:noinline
func (ev evaluator) combined(n *expr.Binary, x, y value.Value) (value.Value, error) {
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
	switch n.Op {
	case "<<", ">>", "&", "|", "^":
		r, err = bitwise(n, x, y)
	default:
		r, err = arithmetic(ev.in, n, a, b)
	}
	if err != nil {
		return value.Null, err
	}
	return r.Mark(x.Marks() | y.Marks()), nil
}

// add is x + y: the sum if both can be read as numbers, else the concatenation of the two
// texts (spec: yay, section 4.2).
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

// numberOrNull is asNumber, but returns null for a value that is not a number.
func numberOrNull(v value.Value, at source.Span) (value.Value, error) {
	switch v.Kind() {
	case value.IntKind, value.FloatKind, value.BoolKind:
		return value.AsNumber(v), nil
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
	var stopped error
	r, err := value.Arith(n.Op, a, b, func(steps int) error {
		stopped = placed(in.Step(steps), n.At)
		return stopped
	})
	switch {
	case stopped != nil:
		return value.Null, stopped
	case err == nil:
		return r, nil
	}
	if d := diagnosticOf(err); d != nil {
		return r, d
	}
	code := source.BadValue
	if tooBig := (*value.LimitError)(nil); errors.As(err, &tooBig) {
		code = source.Limit
	}
	return r, source.Errorf(n.At, code, "%s", err)
}

// smallResult applies an operator to integers that fit an int64, and returns false for
// other operands and if the result does not fit.
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

// smallInts applies an operator to two integers. It returns false if there is no result or
// if it does not fit.
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
	case "&":
		return value.Int(i & j), true
	case "|":
		return value.Int(i | j), true
	case "^":
		return value.Int(i ^ j), true
	}
	return value.Null, false
}

// multiply returns a product, and false if it does not fit or may not fit.
func multiply(i, j int64) (int64, bool) {
	const small = 1 << 31
	if i < small && i > -small && j < small && j > -small {
		return i * j, true
	}
	p := i * j
	return p, i != 0 && i != -1 && j != -1 && p/i == j
}

// checkOperands returns the error of operands for which an operator has no result. Its
// place is the operand that causes it.
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

// maxBits bounds the size of an integer that a shift makes.
const maxBits = 1 << 20

// bitwise applies an operator to two integers. "&", "|" and "^" of two truth values are
// truth values.
func bitwise(n *expr.Binary, x, y value.Value) (value.Value, error) {
	a, err := asInteger(x, n.X.Span())
	if err != nil {
		return value.Null, err
	}
	b, err := asInteger(y, n.Y.Span())
	if err != nil {
		return value.Null, err
	}
	r := new(big.Int)
	switch n.Op {
	case "&":
		r.And(a.BigInt(), b.BigInt())
	case "|":
		r.Or(a.BigInt(), b.BigInt())
	case "^":
		r.Xor(a.BigInt(), b.BigInt())
	default:
		return shift(n, a, b)
	}
	if x.Is(value.BoolKind) && y.Is(value.BoolKind) {
		return value.Bool(r.Sign() != 0), nil
	}
	return value.BigInt(r), nil
}

// shift is a << b and a >> b.
func shift(n *expr.Binary, a, b value.Value) (value.Value, error) {
	x, count := a.BigInt(), b.BigInt()
	switch {
	case count.Sign() < 0:
		return value.Null, source.Errorf(n.Y.Span(), source.WrongType, "expected an integer from 0 as the width of a shift, not a negative one")
	case x.Sign() == 0:
		return value.Int(0), nil
	case n.Op == ">>" && (!count.IsInt64() || count.Int64() > maxBits*8):
		return value.Int(int64(min(x.Sign(), 0))), nil
	case n.Op == ">>":
		return value.BigInt(new(big.Int).Rsh(x, uint(count.Int64()))), nil
	case !count.IsInt64() || count.Int64() > maxBits || int64(x.BitLen())+count.Int64() > maxBits:
		return value.Null, source.Errorf(n.At, source.Limit, "an integer would have more than %d bits", maxBits)
	}
	return value.BigInt(new(big.Int).Lsh(x, uint(count.Int64()))), nil
}

// compare is a comparison. The parser refuses chains of them.
func (ev evaluator) compare(n *expr.Compare) (value.Value, error) {
	if len(n.Rest) != 1 {
		return value.Null, source.Errorf(n.At, source.Syntax, `comparisons cannot be chained: write "and" between them`)
	}
	x, err := ev.operand(n.First)
	if err != nil {
		return value.Null, err
	}
	link := &n.Rest[0]
	y, err := ev.operand(link.Y)
	if err != nil {
		return value.Null, err
	}
	return ev.compareTo(n.First, link, x, y)
}

// compareTo compares x, the value of first, by one link of a comparison.
func (ev evaluator) compareTo(first expr.Node, link *expr.Comparison, x, y value.Value) (value.Value, error) {
	if err := ev.charge(len(x.Str())+len(y.Str()), link.At); err != nil {
		return value.Null, err
	}
	var r bool
	var err error
	looked := value.Comparison{Charge: ev.in.Step, Met: ev.in}
	looked.Look(x.Marks() | y.Marks())
	switch link.Op {
	case "==", "!=":
		r, err = ev.equal(&looked, x, y)
		r, err = r == (link.Op == "=="), dataError(within(err), link.At)
	case "in", "not in":
		r, err = ev.contains(&looked, first.Span(), link, x, y)
		r, err = r == (link.Op == "in"), within(err)
	default: // < <= > >=, of numbers only
		var a, b value.Value
		if a, err = asNumber(x, first.Span()); err != nil {
			return value.Null, err
		}
		if b, err = asNumber(y, link.Y.Span()); err != nil {
			return value.Null, err
		}
		r, err = value.Ordered(link.Op, a, b, nil)
	}
	if err != nil {
		return value.Null, err
	}
	return value.Bool(r).Mark(looked.Marks), nil
}

// equal compares data. A text never equals a number. A truth value equals 0 or 1 (spec:
// yay, section 4.2).
func (ev evaluator) equal(looked *value.Comparison, x, y value.Value) (bool, error) {
	looked.Look(x.Marks() | y.Marks())
	if x.Is(value.StringKind) && y.Is(value.StringKind) {
		return x.Str() == y.Str(), nil
	}
	if i, ok := x.Int(); ok {
		if j, ok := y.Int(); ok {
			return i == j, nil
		}
	}
	if x.Is(value.BoolKind) != y.Is(value.BoolKind) {
		x, y = value.AsNumber(x), value.AsNumber(y)
	}
	return looked.Equal(x, y)
}

func isNaN(v value.Value) bool { return v.Is(value.FloatKind) && math.IsNaN(v.Float()) }

// contains is "x in y": x is an item of a list, a key of a mapping, or a part of a text.
func (ev evaluator) contains(looked *value.Comparison, xAt source.Span, link *expr.Comparison, x, y value.Value) (bool, error) {
	switch y.Kind() {
	case value.ListKind:
		return ev.listContains(looked, link, y.List(), x)
	case value.MapKind:
		if !x.IsScalar() {
			return false, wrongType(xAt, "a string as the key of a mapping", x)
		}
		if !x.Is(value.StringKind) {
			return false, nil
		}
		return hasKey(y.Map(), x.Str())
	case value.StringKind:
		if !x.Is(value.StringKind) {
			return false, wrongType(xAt, "a string", x)
		}
		return strings.Contains(y.Str(), x.Str()), nil
	}
	return false, wrongType(link.Y.Span(), "a list, a mapping or a string", y)
}

func (ev evaluator) listContains(looked *value.Comparison, link *expr.Comparison, l value.List, x value.Value) (bool, error) {
	if r, ok := l.(*rangeList); ok {
		return r.contains(x), nil
	}
	for i := range l.Len() {
		if err := ev.in.Step(1); err != nil {
			return false, placed(err, link.At)
		}
		item, err := l.At(i)
		if err != nil {
			return false, err
		}
		if eq, err := ev.equal(looked, item, x); eq || err != nil {
			return eq, dataError(err, link.At)
		}
	}
	return false, nil
}

// logic is "and" and "or". The first operand is a scalar. The result is the operand
// that decides, and the second operand is evaluated only if it decides.
func (ev evaluator) logic(n *expr.Logic) (value.Value, error) {
	x, err := ev.operand(n.X)
	if err != nil {
		return value.Null, err
	}
	noteWord(ev.in, x, n.X.Span())
	ev.decided(x.Marks())
	holds, err := truth(x, n.X.Span())
	if err != nil || holds == (n.Op == "or") {
		return x, err
	}
	y, err := ev.operand(n.Y)
	if err != nil {
		return value.Null, err
	}
	return y.Mark(x.Marks()), nil
}

const wantNumber = "a number (integer or float)"

// asNumber returns v as an integer or a float: a truth value as 0 or 1, and a text that
// spells a number as that number (spec: yay, section 4.2). The result has no marks.
func asNumber(v value.Value, at source.Span) (value.Value, error) {
	switch v.Kind() {
	case value.IntKind:
		return v, nil
	case value.FloatKind:
		return v, nil
	case value.BoolKind:
		return value.AsNumber(v), nil
	case value.StringKind:
		n, err := parseNumber(v.Str(), at)
		if err != nil || n.IsNumber() {
			return n, err
		}
	}
	return value.Null, wrongType(at, wantNumber, v)
}

// asInteger is asNumber for operations on integers.
func asInteger(v value.Value, at source.Span) (value.Value, error) {
	switch v.Kind() {
	case value.IntKind:
		return v, nil
	case value.BoolKind:
		return value.AsNumber(v), nil
	case value.StringKind:
		n, err := parseNumber(v.Str(), at)
		if err != nil || n.Is(value.IntKind) {
			return n, err
		}
	}
	return value.Null, wrongType(at, "an integer", v)
}

// parseNumber reads a text that is spelled like a plain number (spec: yay, section 3). It
// returns null for other texts.
func parseNumber(s string, at source.Span) (value.Value, error) {
	switch numberForm(s) {
	case intForm:
		if len(s) > scan.MaxDigits {
			return value.Null, source.Errorf(at, source.Limit, "an integer would have more than %d digits", scan.MaxDigits)
		}
		i, _ := value.ParseInt(s, 10)
		return i, nil
	case floatForm:
		f, _ := strconv.ParseFloat(s, 64) // out of range is infinite
		return value.Float(f), nil
	}
	return value.Null, nil
}

// truth returns the truth of a condition. Scalars are true as in Python, null is false
// (spec: yay, section 5.6). A list or mapping is a type error.
func truth(v value.Value, at source.Span) (bool, error) {
	if !v.IsScalar() {
		return false, wrongType(at, "a condition (a bool, a number or a string)", v)
	}
	return value.Truthy(v), nil
}

// holds is truth, but allows lists and mappings, which are true unless they are empty.
func holds(v value.Value, at source.Span) (bool, error) {
	switch v.Kind() {
	case value.ListKind:
		return v.List().Len() > 0, nil
	case value.MapKind:
		keys, err := value.KeysOf(v.Map())
		return len(keys) > 0, placed(err, at)
	}
	return truth(v, at)
}

// iterate returns the list for a loop over v: the items of a list, or the keys of a mapping
// as texts, sorted (spec: yay, sections 5.7 and 12). The items do not have the marks of v.
func iterate(v value.Value, at source.Span) (value.List, error) {
	switch v.Kind() {
	case value.ListKind:
		return v.List(), nil
	case value.MapKind:
		return sortedKeys(v.Map(), at)
	}
	return nil, wrongType(at, "a list or a mapping", v).WithHint("%s", flowText(v))
}
