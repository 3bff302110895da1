package value

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
)

// endless is a list that contains itself, as a list of a configuration can.
type endless struct{}

func (endless) Len() int              { return 1 }
func (endless) At(int) (Value, error) { return FromList(endless{}), nil }

func TestValuesWithoutEnd(t *testing.T) {
	_, err := Equal(FromList(endless{}), FromList(endless{}))
	if err == nil || !strings.Contains(err.Error(), "nested more than") {
		t.Errorf("Equal of a list in itself: error %v", err)
	}
	if _, err := Diff(FromList(endless{}), FromList(endless{})); err == nil || !strings.Contains(err.Error(), "nested") {
		t.Errorf("Diff of a list in itself: error %v", err)
	}
}

func TestEqualOfSharedLists(t *testing.T) {
	shared := func() Value {
		v := Int(1)
		for range 40 {
			v = ListOf(v, v)
		}
		return v
	}
	_, err := Equal(shared(), shared())
	if err == nil || !strings.Contains(err.Error(), "steps") {
		t.Errorf("Equal of shared lists: error %v", err)
	}
}

func TestReprOfSharedListsIsBounded(t *testing.T) {
	v := String(strings.Repeat("x", 1000))
	for range 40 {
		v = ListOf(v, v)
	}
	if _, err := Repr(v); err == nil {
		t.Error("Repr of 2^40 texts gives no error")
	}
}

func TestHashAgreesWithEqual(t *testing.T) {
	dict := func(pairs ...Value) Value {
		m := NewMap(len(pairs) / 2)
		for i := 0; i < len(pairs); i += 2 {
			k, _ := KeyOf(pairs[i])
			m.Set(k, pairs[i+1])
		}
		return FromMap(m)
	}
	large := new(big.Int).Lsh(big.NewInt(1), 70)
	values := []Value{
		Null, True, False, Int(0), Int(1), Float(1), Float(0), Float(math.Copysign(0, -1)), Float(1.5), String("1"), String(""),
		Int(1 << 60), Int(1<<60 + 1), Float(1 << 60), BigInt(large), BigInt(new(big.Int).Add(large, big.NewInt(1))), Float(1 << 70),
		ListOf(), ListOf(Int(1)), ListOf(Float(1)), ListOf(True), ListOf(Int(1), Int(2)), ListOf(Int(2), Int(1)), ListOf(ListOf(Int(1)), Int(2)),
		dict(), dict(Int(1), Null), dict(String("1"), Null), dict(String("a"), Int(1), String("b"), Int(2)),
		dict(String("b"), Float(2), String("a"), Int(1)), dict(String("a"), Int(2), String("b"), Int(1)),
	}
	for _, a := range values {
		for _, b := range values {
			x, errX := Hash(a, nil)
			y, errY := Hash(b, nil)
			equal, err := Equal(a, b)
			if err := errors.Join(errX, errY, err); err != nil {
				t.Fatal(err)
			}
			if equal != (x == y) {
				t.Errorf("%v and %v: equal is %v, same hash is %v", a, b, equal, x == y)
			}
		}
	}
}

func TestHashIsCharged(t *testing.T) {
	shared := ListOf(Int(1))
	for range 40 {
		shared = ListOf(shared, shared)
	}
	refusal := errors.New("enough")
	left := 10_000
	charge := func(steps int) error {
		if left -= steps; left < 0 {
			return refusal
		}
		return nil
	}
	if _, err := Hash(shared, charge); err != refusal {
		t.Errorf("err = %v, want that of the charge", err)
	}
	if _, err := Hash(shared, nil); err == nil {
		t.Error("a list that shares lists 40 times over was hashed")
	}
}

func TestOrdered(t *testing.T) {
	nan, _ := Sub(Float(math.Inf(1)), Float(math.Inf(1)))
	for _, c := range []struct {
		op   string
		a, b Value
		want bool
	}{
		{OpLess, Int(1), Float(1.5), true}, {OpLess, Int(1), Int(1), false},
		{OpLessEqual, Int(1), Int(1), true}, {OpGreater, String("b"), String("a"), true},
		{OpGreaterEqual, Int(1), Int(2), false}, {OpGreaterEqual, nan, Int(1), false}, {OpLessEqual, nan, nan, false},
	} {
		if got, err := Ordered(c.op, c.a, c.b, nil); got != c.want || err != nil {
			t.Errorf("%v %s %v: %v and %v", c.a, c.op, c.b, got, err)
		}
	}
	for _, op := range []string{OpLess, "=="} {
		if _, err := Ordered(op, Int(1), String("a"), nil); err == nil {
			t.Errorf("%s of a number and a text is an error", op)
		}
	}
	if _, err := Ordered("==", Int(1), Int(1), nil); err == nil {
		t.Error("an unknown operator is an error")
	}
}
