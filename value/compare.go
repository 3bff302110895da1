package value

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"math/big"
	"strings"
	"sync"
)

// Equal reports whether a and b are the same data. Integers and floats compare by value,
// as in Python; a truth value equals only a truth value. The order of maps, marks and
// spellings do not count. It is an error if the values are nested without end, or share
// lists so often that the comparison would take too long.
func Equal(a, b Value) (bool, error) {
	c := Comparison{}
	return c.Equal(a, b)
}

// EqualCharged is Equal with its work charged: every chargedSteps values it calls charge,
// whose error ends the comparison.
func EqualCharged(a, b Value, charge func(steps int) error) (bool, error) {
	c := Comparison{Charge: charge}
	return c.Equal(a, b)
}

// A Comparison compares values and collects the marks of all that it looks at, so that a
// result which depends on the comparison can have them. The zero Comparison is ready to use:
//
//	var c value.Comparison
//	same, err := c.Equal(answer, password)
//	v := value.Bool(same).Mark(c.Marks)
type Comparison struct {
	Charge func(steps int) error  // is called with the work: see [EqualCharged]; or nil
	Marks  Marks                  // of the values that decided the results so far
	Met    interface{ Decided() } // is told when a value with marks is first looked at; or nil

	steps, depth int  // of the current comparison
	exact        bool // hashes are computed as for [Fingerprint]

	known *Pairs // of [Same]: lists and maps without differences; nil for other comparisons
	alike bool   // see [Alike]
}

// Look notes that a value with the marks m decides a result.
func (c *Comparison) Look(m Marks) {
	if m&^c.Marks == 0 {
		return
	}
	if c.Marks == 0 && c.Met != nil {
		c.Met.Decided()
	}
	c.Marks |= m
}

// Equal is the function [Equal].
func (c *Comparison) Equal(a, b Value) (bool, error) {
	c.steps, c.depth = 0, 0
	return c.equal(a, b)
}

// In reports whether a list contains x.
func (c *Comparison) In(x Value, l List) (bool, error) {
	c.steps, c.depth = 0, 0
	for item, err := range Items(l) {
		if err == nil {
			err = c.step()
		}
		if err != nil {
			return false, err
		}
		if same, err := c.equal(x, item); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// Compare is the function [Compare].
func (c *Comparison) Compare(a, b Value) (int, error) {
	c.steps, c.depth = 0, 0
	return c.compare(a, b)
}

// Ordered is the function [Ordered].
func (c *Comparison) Ordered(op string, a, b Value) (bool, error) {
	n, err := c.Compare(a, b)
	if err != nil || isNaN(a) || isNaN(b) {
		return false, err
	}
	switch op {
	case OpLess:
		return n < 0, nil
	case OpLessEqual:
		return n <= 0, nil
	case OpGreater:
		return n > 0, nil
	case OpGreaterEqual:
		return n >= 0, nil
	}
	return false, fmt.Errorf("unknown operator %s", op)
}

// Hash is the function [Hash].
func (c *Comparison) Hash(v Value) (uint64, error) {
	c.steps, c.depth = 0, 0
	return c.hash(v)
}

// chargedSteps is the number of values after which the work is charged.
const chargedSteps = 256

// maxEqualSteps bounds the values that one comparison visits.
const maxEqualSteps = 20_000_000

func (c *Comparison) equal(a, b Value) (bool, error) {
	c.Look(a.marks | b.marks)
	switch {
	case c.known != nil && c.differ(a, b):
		return false, nil
	case c.known != nil && isNaN(a):
		return isNaN(b), nil
	case a.IsNumber() && b.IsNumber():
		return compareNumbers(a, b) == 0, c.digits(a, b)
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
		return a.Str() == b.Str(), c.text(min(len(a.Str()), len(b.Str())))
	case ListKind, MapKind:
		return c.inside(a, b)
	case FuncKind:
		return a.Func() == b.Func(), nil
	}
	return true, nil
}

// inside compares two lists or two maps, one level deeper.
func (c *Comparison) inside(a, b Value) (same bool, err error) {
	if c.depth > MaxNesting {
		return false, errTooDeep
	}
	if c.known != nil && c.known.Has(a, b) {
		return true, nil
	}
	c.depth++
	defer func() { c.depth-- }()
	if a.kind == ListKind {
		same, err = c.equalLists(a.List(), b.List())
	} else {
		same, err = c.equalMaps(a.Map(), b.Map())
	}
	if same && err == nil && c.known != nil {
		c.known.Add(a, b)
	}
	return same, err
}

// text charges n bytes of long texts.
func (c *Comparison) text(n int) error {
	const bytesPerStep = 64
	if n < bytesPerStep || c.Charge == nil {
		return nil
	}
	return c.Charge(n / bytesPerStep)
}

// digits charges two numbers of many digits.
func (c *Comparison) digits(a, b Value) error {
	const wordsPerStep = 16
	if x, y := a.bigRef(), b.bigRef(); x != nil && y != nil && c.Charge != nil {
		return c.Charge(1 + min(len(x.Bits()), len(y.Bits()))/wordsPerStep)
	}
	return nil
}

func (c *Comparison) step() error { return c.stepBy(1) }

// entrySteps is the cost of an entry of a map, whose key is looked up.
const entrySteps = 8

// valuePairSteps is the cost of a value of a and one of b.
const valuePairSteps = 3

func (c *Comparison) stepBy(n int) error {
	before := c.steps / chargedSteps
	if c.steps += n; c.steps > maxEqualSteps && c.known == nil {
		return endlessError(fmt.Sprintf("comparing the values takes more than %d steps", maxEqualSteps))
	}
	if c.Charge != nil && c.steps/chargedSteps != before {
		return c.Charge(valuePairSteps * chargedSteps)
	}
	return nil
}

func (c *Comparison) equalLists(a, b List) (bool, error) {
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

func (c *Comparison) equalMaps(a, b Map) (bool, error) {
	if a.Len() != b.Len() {
		return false, nil
	}
	for k := range a.Keys() {
		if err := c.stepBy(entrySteps); err != nil {
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
	c := Comparison{Charge: charge}
	return c.Compare(a, b)
}

func (c *Comparison) compare(a, b Value) (int, error) {
	c.Look(a.marks | b.marks)
	numeric := func(v Value) bool { return v.IsNumber() || v.kind == BoolKind }
	switch {
	case a.IsNumber() && b.IsNumber():
		return compareNumbers(a, b), c.digits(a, b)
	case numeric(a) && numeric(b):
		return compareNumbers(AsNumber(a), AsNumber(b)), nil
	case a.kind == StringKind && b.kind == StringKind:
		return strings.Compare(a.Str(), b.Str()), c.text(min(len(a.Str()), len(b.Str())))
	case a.kind == ListKind && b.kind == ListKind:
		return c.compareLists(a.List(), b.List())
	}
	return 0, cannotOrder(a.kind, b.kind)
}

// The comparisons that order values, as expressions spell them.
const (
	OpLess         = "<"
	OpLessEqual    = "<="
	OpGreater      = ">"
	OpGreaterEqual = ">="
)

// Ordered reports whether a op b for one of the four comparisons. A NaN is neither less
// nor greater than anything. The work is charged as in [CompareCharged].
func Ordered(op string, a, b Value, charge func(steps int) error) (bool, error) {
	c := Comparison{Charge: charge}
	return c.Ordered(op, a, b)
}

func isNaN(v Value) bool { return v.kind == FloatKind && math.IsNaN(v.Float()) }

// AsNumber returns 0 or 1 for a truth value, as Python does, and other values unchanged.
func AsNumber(v Value) Value {
	if v.kind == BoolKind {
		return Int(int64(v.num)).Mark(v.marks)
	}
	return v
}

func (c *Comparison) compareLists(a, b List) (int, error) {
	for i := range min(a.Len(), b.Len()) {
		x, err := a.At(i)
		if err != nil {
			return 0, err
		}
		y, err := b.At(i)
		if err != nil {
			return 0, err
		}
		if err := c.stepBy(2); err != nil {
			return 0, err
		}
		if eq, err := c.equal(x, y); err != nil {
			return 0, err
		} else if !eq {
			return c.compare(x, y)
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

// seed makes hashes that no input can predict. It is made when it is first needed, since every run pays
// for what a package makes at the start.
var seed struct {
	once sync.Once
	made maphash.Seed
}

func hashSeed() maphash.Seed {
	seed.once.Do(func() { seed.made = maphash.MakeSeed() })
	return seed.made
}

// Hash returns a number that is the same for values that are [Equal], for hash tables of
// values. A NaN, which equals nothing, has a hash too. The work is charged, and bounded,
// as in [EqualCharged].
func Hash(v Value, charge func(steps int) error) (uint64, error) {
	c := Comparison{Charge: charge}
	return c.Hash(v)
}

func (c *Comparison) hash(v Value) (uint64, error) {
	c.Look(v.marks)
	if c.exact {
		if tag := OwnTag(v); tag != "" {
			sum, err := c.hash(v.WithoutSource())
			return hashWords(v.kind, hashText(v.kind, tag), sum), err
		}
	}
	switch v.kind {
	case ListKind, MapKind:
		if c.depth > MaxNesting {
			return 0, errTooDeep
		}
		c.depth++
		defer func() { c.depth-- }()
		if v.kind == ListKind {
			return c.list(v.List())
		}
		return c.dict(v.Map())
	case IntKind, FloatKind:
		kind := FloatKind
		if c.exact {
			kind = v.kind
		}
		return hashText(kind, hashedNumber(v)), nil
	case BoolKind:
		return hashWords(BoolKind, v.num), nil
	case StringKind:
		return hashText(StringKind, v.Str()), c.text(len(v.Str()))
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
	if math.IsNaN(f) {
		f = math.NaN() // of one kind
	}
	return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f+0))) // -0 is 0
}

func (c *Comparison) list(l List) (uint64, error) {
	sum := hashWords(ListKind, uint64(l.Len()))
	for i := range l.Len() {
		if err := c.step(); err != nil {
			return 0, err
		}
		item, err := l.At(i)
		if err != nil {
			return 0, err
		}
		n, err := c.hash(item)
		if err != nil {
			return 0, err
		}
		sum = hashWords(ListKind, sum, n)
	}
	return sum, nil
}

// dict returns the sum of the entries, since their order does not count.
func (c *Comparison) dict(m Map) (uint64, error) {
	sum := uint64(m.Len())
	for k := range m.Keys() {
		if err := c.stepBy(entrySteps); err != nil {
			return 0, err
		}
		item, _, err := m.Get(k)
		if err != nil {
			return 0, err
		}
		n, err := c.hash(item)
		if err != nil {
			return 0, err
		}
		sum += hashWords(MapKind, hashText(k.Kind, k.Text), n)
	}
	return hashWords(MapKind, sum), nil
}

func hashText(kind Kind, s string) uint64 { return hashWords(kind, maphash.String(hashSeed(), s)) }

func hashWords(kind Kind, words ...uint64) uint64 {
	b := make([]byte, 1, 1+3*8)
	b[0] = byte(kind)
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return maphash.Bytes(hashSeed(), b)
}
