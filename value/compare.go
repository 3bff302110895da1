package value

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strings"
)

// Equal reports whether a and b are the same data. Integers and floats compare by
// value, as in Python; a truth value equals only a truth value. Maps are equal
// whatever their order. Marks and spellings do not count. Values that are nested
// without end, or that share lists so often that comparing them would take too
// long, are an error.
func Equal(a, b Value) (bool, error) {
	c := equality{}
	return c.equal(a, b)
}

// EqualCharged is Equal that counts its work: charge is told, before it goes on, of
// every so many values that were looked at.
func EqualCharged(a, b Value, charge func(steps int) error) (bool, error) {
	c := equality{charge: charge}
	return c.equal(a, b)
}

// chargedSteps is after how many values the work is charged.
const chargedSteps = 256

// maxEqualSteps bounds the values that one comparison looks at.
const maxEqualSteps = 10_000_000

type equality struct {
	steps, depth int
	charge       func(steps int) error // or nil
}

func (c *equality) equal(a, b Value) (bool, error) {
	if a.IsNumber() && b.IsNumber() {
		return compareNumbers(a, b) == 0, nil
	}
	if a.kind != b.kind {
		return false, nil
	}
	switch a.kind {
	case NullKind:
		return true, nil
	case BoolKind:
		return a.num == b.num, nil
	case StringKind:
		return a.Str() == b.Str(), nil
	case ListKind, MapKind:
		return c.inside(a, b)
	case FuncKind:
		return a.Func() == b.Func(), nil
	}
	return true, nil
}

// inside compares two lists or two maps, one level deeper.
func (c *equality) inside(a, b Value) (bool, error) {
	if c.depth > maxDepth {
		return false, errTooDeep
	}
	c.depth++
	defer func() { c.depth-- }()
	if a.kind == ListKind {
		return c.equalLists(a.List(), b.List())
	}
	return c.equalMaps(a.Map(), b.Map())
}

func (c *equality) step() error {
	if c.steps++; c.steps > maxEqualSteps {
		return endlessError(fmt.Sprintf("comparing the values takes more than %d steps", maxEqualSteps))
	}
	if c.charge != nil && c.steps%chargedSteps == 0 {
		return c.charge(2 * chargedSteps) // one in each
	}
	return nil
}

func (c *equality) equalLists(a, b List) (bool, error) {
	if a.Len() != b.Len() {
		return false, nil
	}
	for i := range a.Len() {
		if err := c.step(); err != nil {
			return false, err
		}
		x, err := a.At(i)
		if err != nil {
			return false, err
		}
		y, err := b.At(i)
		if err != nil {
			return false, err
		}
		if eq, err := c.equal(x, y); !eq || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (c *equality) equalMaps(a, b Map) (bool, error) {
	if a.Len() != b.Len() {
		return false, nil
	}
	for k := range a.Keys() {
		if err := c.step(); err != nil {
			return false, err
		}
		y, ok, err := b.Get(k)
		if !ok || err != nil {
			return false, err
		}
		x, _, err := a.Get(k)
		if err != nil {
			return false, err
		}
		if eq, err := c.equal(x, y); !eq || err != nil {
			return false, err
		}
	}
	return true, nil
}

func compareNumbers(a, b Value) int {
	if a.kind == IntKind && b.kind == IntKind {
		x, okx := a.Int()
		y, oky := b.Int()
		if okx && oky {
			return cmp.Compare(x, y)
		}
		return a.BigInt().Cmp(b.BigInt())
	}
	if a.kind == FloatKind && b.kind == FloatKind {
		return compareFloats(a.Float(), b.Float())
	}
	if a.kind == FloatKind {
		return -compareNumbers(b, a)
	}
	f := b.Float()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return compareFloats(0, f)
	}
	return new(big.Float).SetInt(a.BigInt()).Cmp(big.NewFloat(f))
}

// compareFloats never says that a NaN equals anything.
func compareFloats(x, y float64) int {
	switch {
	case x == y:
		return 0
	case x > y:
		return 1
	}
	return -1
}

// Compare orders a and b: numbers by value, texts by code point, truth values
// false first, lists item by item. Other pairs have no order: an error.
func Compare(a, b Value) (int, error) { return CompareCharged(a, b, nil) }

// CompareCharged is Compare that counts its work as [EqualCharged] does.
func CompareCharged(a, b Value, charge func(steps int) error) (int, error) {
	numeric := func(v Value) bool { return v.IsNumber() || v.kind == BoolKind }
	switch {
	case a.IsNumber() && b.IsNumber():
		return compareNumbers(a, b), nil
	case numeric(a) && numeric(b):
		return compareNumbers(asNumber(a), asNumber(b)), nil
	case a.kind == StringKind && b.kind == StringKind:
		return strings.Compare(a.Str(), b.Str()), nil
	case a.kind == ListKind && b.kind == ListKind:
		return compareLists(a.List(), b.List(), charge)
	}
	return 0, fmt.Errorf("cannot order %s and %s", Article(a.kind), Article(b.kind))
}

func asNumber(v Value) Value {
	if v.kind == BoolKind {
		return Int(int64(v.num))
	}
	return v
}

func compareLists(a, b List, charge func(steps int) error) (int, error) {
	same := equality{charge: charge}
	for i := range min(a.Len(), b.Len()) {
		x, err := a.At(i)
		if err != nil {
			return 0, err
		}
		y, err := b.At(i)
		if err != nil {
			return 0, err
		}
		if err := same.step(); err != nil {
			return 0, err
		}
		if eq, err := same.equal(x, y); err != nil {
			return 0, err
		} else if !eq {
			return CompareCharged(x, y, charge)
		}
	}
	return cmp.Compare(a.Len(), b.Len()), nil
}

// Truthy reports whether v counts as true: not null, false, 0, empty text, empty
// list, empty map or undefined.
func Truthy(v Value) bool {
	switch v.kind {
	case BoolKind:
		return v.num != 0
	case IntKind:
		return v.bigRef() != nil || v.num != 0
	case FloatKind:
		return v.Float() != 0
	case StringKind:
		return v.Str() != ""
	case ListKind:
		return v.List().Len() > 0
	case MapKind:
		return v.Map().Len() > 0
	case FuncKind:
		return true
	}
	return false
}

// Article returns the kind with its article, for messages.
func Article(k Kind) string {
	switch k {
	case NullKind:
		return "null"
	case IntKind, UndefinedKind:
		return "an " + k.String()
	}
	return "a " + k.String()
}
