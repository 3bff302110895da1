package value

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"math/big"
	"strings"
)

// Equal reports whether a and b are the same data. Integers and floats compare by value,
// as in Python; a truth value equals only a truth value. The order of maps, marks and
// spellings do not count. It is an error if the values are nested without end, or share
// lists so often that the comparison would take too long.
func Equal(a, b Value) (bool, error) {
	c := equality{}
	return c.equal(a, b)
}

// EqualCharged is Equal with its work charged: every chargedSteps values it calls charge,
// whose error ends the comparison.
func EqualCharged(a, b Value, charge func(steps int) error) (bool, error) {
	c := equality{charge: charge}
	return c.equal(a, b)
}

// chargedSteps is the number of values after which the work is charged.
const chargedSteps = 256

// maxEqualSteps bounds the values that one comparison visits.
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
	if c.depth > MaxNesting {
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
		return c.charge(2 * chargedSteps) // a value of a and one of b
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

// compareFloats compares two floats. It returns -1 if one is a NaN, so that a NaN equals
// nothing.
func compareFloats(x, y float64) int {
	switch {
	case x == y:
		return 0
	case x > y:
		return 1
	}
	return -1
}

// Compare orders a and b: numbers by value, texts by code point, truth values false
// first, lists item by item. Other pairs are an error.
func Compare(a, b Value) (int, error) { return CompareCharged(a, b, nil) }

// CompareCharged is Compare with its work charged as by [EqualCharged].
func CompareCharged(a, b Value, charge func(steps int) error) (int, error) {
	numeric := func(v Value) bool { return v.IsNumber() || v.kind == BoolKind }
	switch {
	case a.IsNumber() && b.IsNumber():
		return compareNumbers(a, b), nil
	case numeric(a) && numeric(b):
		return compareNumbers(AsNumber(a), AsNumber(b)), nil
	case a.kind == StringKind && b.kind == StringKind:
		return strings.Compare(a.Str(), b.Str()), nil
	case a.kind == ListKind && b.kind == ListKind:
		return compareLists(a.List(), b.List(), charge)
	}
	return 0, fmt.Errorf("cannot order %s and %s", Article(a.kind), Article(b.kind))
}

// The comparisons that order values, as expressions spell them.
const (
	OpLess         = "<"
	OpLessEqual    = "<="
	OpGreater      = ">"
	OpGreaterEqual = ">="
)

// Ordered reports whether a op b for one of the four comparisons. A NaN is neither less
// nor greater than anything. The work is charged as that of [CompareCharged].
func Ordered(op string, a, b Value, charge func(steps int) error) (bool, error) {
	c, err := CompareCharged(a, b, charge)
	if err != nil || isNaN(a) || isNaN(b) {
		return false, err
	}
	switch op {
	case OpLess:
		return c < 0, nil
	case OpLessEqual:
		return c <= 0, nil
	case OpGreater:
		return c > 0, nil
	case OpGreaterEqual:
		return c >= 0, nil
	}
	return false, fmt.Errorf("unknown operator %s", op)
}

func isNaN(v Value) bool { return v.kind == FloatKind && math.IsNaN(v.Float()) }

// AsNumber returns 0 or 1 for a truth value, as Python does, and other values unchanged.
func AsNumber(v Value) Value {
	if v.kind == BoolKind {
		return Int(int64(v.num)).Mark(v.marks)
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

// hashSeed makes hashes that no input can predict.
var hashSeed = maphash.MakeSeed()

// Hash returns a number that is the same for values that are [Equal], for hash tables of
// values. A NaN, which equals nothing, has a hash too. The work is charged, and bounded,
// as that of [EqualCharged].
func Hash(v Value, charge func(steps int) error) (uint64, error) {
	h := hasher{equality{charge: charge}}
	return h.hash(v)
}

// A hasher visits values as a comparison does.
type hasher struct{ equality }

func (h *hasher) hash(v Value) (uint64, error) {
	switch v.kind {
	case ListKind, MapKind:
		if h.depth > MaxNesting {
			return 0, errTooDeep
		}
		h.depth++
		defer func() { h.depth-- }()
		if v.kind == ListKind {
			return h.list(v.List())
		}
		return h.dict(v.Map())
	case IntKind, FloatKind:
		return hashText(FloatKind, hashedNumber(v)), nil
	case BoolKind:
		return hashWords(BoolKind, v.num), nil
	case StringKind:
		return hashText(StringKind, v.Str()), nil
	}
	return hashWords(v.kind), nil
}

// maxExact is the greatest integer up to which every integer is a float.
const maxExact = 1 << 53

// hashedNumber returns a text that is the same for a float and the integer that equals
// it.
func hashedNumber(v Value) string {
	f := v.Float()
	if i, ok := v.Int(); ok && -maxExact <= i && i <= maxExact {
		f = float64(i)
	} else if v.kind == IntKind {
		var exact big.Accuracy
		if f, exact = new(big.Float).SetInt(v.BigInt()).Float64(); exact != big.Exact {
			return v.BigInt().String()
		}
	}
	return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f+0))) // -0 is 0
}

func (h *hasher) list(l List) (uint64, error) {
	sum := hashWords(ListKind, uint64(l.Len()))
	for i := range l.Len() {
		if err := h.step(); err != nil {
			return 0, err
		}
		item, err := l.At(i)
		if err != nil {
			return 0, err
		}
		n, err := h.hash(item)
		if err != nil {
			return 0, err
		}
		sum = hashWords(ListKind, sum, n)
	}
	return sum, nil
}

// dict returns the sum of the entries, since their order does not count.
func (h *hasher) dict(m Map) (uint64, error) {
	sum := uint64(m.Len())
	for k := range m.Keys() {
		if err := h.step(); err != nil {
			return 0, err
		}
		item, _, err := m.Get(k)
		if err != nil {
			return 0, err
		}
		n, err := h.hash(item)
		if err != nil {
			return 0, err
		}
		sum += hashWords(MapKind, hashText(k.Kind, k.Text), n)
	}
	return hashWords(MapKind, sum), nil
}

func hashText(kind Kind, s string) uint64 { return hashWords(kind, maphash.String(hashSeed, s)) }

func hashWords(kind Kind, words ...uint64) uint64 {
	b := make([]byte, 1, 1+3*8)
	b[0] = byte(kind)
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return maphash.Bytes(hashSeed, b)
}
