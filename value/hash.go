package value

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/big"
)

// hashSeed makes hashes of this process that no input can foresee.
var hashSeed = maphash.MakeSeed()

// Hash returns a number that is the same for values that are [Equal], so that a value
// is found among many without comparing it with each. A NaN, which equals nothing, has
// one as well. The work is charged, and bounded, as that of [EqualCharged].
func Hash(v Value, charge func(steps int) error) (uint64, error) {
	h := hasher{equality{charge: charge}}
	return h.hash(v)
}

// A hasher visits values as a comparison does.
type hasher struct{ equality }

func (h *hasher) hash(v Value) (uint64, error) {
	switch v.kind {
	case ListKind, MapKind:
		if h.depth > maxDepth {
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

// maxExact is the integer up to which floats stand for every integer.
const maxExact = 1 << 53

// hashedNumber is a text that is the same for a float and the integer that it equals.
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

// dict adds up the entries, whose order does not count.
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
