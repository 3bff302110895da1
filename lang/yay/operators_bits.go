package yay

import (
	"math/big"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// maxBits bounds an integer that a shift makes.
const maxBits = 1 << 20

func isBitwise(op string) bool {
	switch op {
	case "<<", ">>", "&", "|", "^":
		return true
	}
	return false
}

// bitwise applies an operator to two integers. Of two truth values "&", "|" and "^"
// are truth values.
func bitwise(n *expr.Binary, x, y value.Value) (value.Value, error) {
	a, err := asInteger(x, n.X.Span())
	if err != nil {
		return value.Null, err
	}
	b, err := asInteger(y, n.Y.Span())
	if err != nil {
		return value.Null, err
	}
	if n.Op == "<<" || n.Op == ">>" {
		return shift(n, a, b)
	}
	r := bits(n.Op, a, b)
	if x.Is(value.BoolKind) && y.Is(value.BoolKind) {
		return value.Bool(value.Truthy(r)), nil
	}
	return r, nil
}

func bits(op string, a, b value.Value) value.Value {
	i, ok1 := a.Int()
	j, ok2 := b.Int()
	small := ok1 && ok2
	switch {
	case op == "&" && small:
		return value.Int(i & j)
	case op == "|" && small:
		return value.Int(i | j)
	case op == "^" && small:
		return value.Int(i ^ j)
	case op == "&":
		return value.BigInt(new(big.Int).And(a.BigInt(), b.BigInt()))
	case op == "|":
		return value.BigInt(new(big.Int).Or(a.BigInt(), b.BigInt()))
	}
	return value.BigInt(new(big.Int).Xor(a.BigInt(), b.BigInt()))
}

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

// invert is ~x.
func invert(x value.Value, at source.Span) (value.Value, error) {
	v, err := asInteger(x, at)
	if err != nil {
		return value.Null, err
	}
	if i, ok := v.Int(); ok {
		return value.Int(^i), nil
	}
	return value.BigInt(new(big.Int).Not(v.BigInt())), nil
}
