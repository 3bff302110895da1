package filters

import (
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"

	"github.com/yaytpl/yaytpl/value"
)

func randomFilters() []Func {
	return []Func{
		{
			Name: "random", Family: "random", Call: randomItem, flow: moves,
			Params: []Param{
				opt("start", Int, value.Int(0)), opt("step", Int, value.Int(1)), opt("seed", Any, value.Null),
			},
			Doc:     "A random item of a list, or for a number n a random integer below n. With a seed the choice is always the same.",
			Example: "{{ [7] | random(seed='s') }}", Result: "7",
		},
		{
			Name: "shuffle", Family: "random", Call: shuffle, flow: moves,
			Params:  []Param{opt("seed", Any, value.Null)},
			Doc:     "The items in random order. With a seed the order is always the same.",
			Example: "{{ [3, 1, 2] | shuffle(seed='s') | sort }}", Result: "[1, 2, 3]",
		},
	}
}

// seeded is a generator whose numbers depend on nothing but the seed, on every
// machine and in every release.
func seeded(seed string) *rand.Rand { return rand.New(rand.NewChaCha8(sha256.Sum256([]byte(seed)))) }

func randomItem(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	r, err := c.random(a.Get("seed"))
	if err != nil {
		return value.Null, err
	}
	if n, ok := in.Int(); ok {
		return randomNumber(r, a.Get("start"), n, a.Get("step"))
	}
	items, err := c.items(in)
	if err != nil {
		return value.Null, err
	}
	if len(items) == 0 {
		return value.Undefined(errEmpty("a random item")), nil
	}
	return items[r.IntN(len(items))], nil
}

func randomNumber(r *rand.Rand, start value.Value, end int64, step value.Value) (value.Value, error) {
	n, err := rangeLength(start, value.Int(end), step)
	if err != nil {
		return value.Null, err
	}
	if n.Sign() <= 0 {
		return value.Null, errEmpty("a random number")
	}
	if !n.IsInt64() {
		return value.Null, errors.New("there are too many numbers to choose from")
	}
	offset, err := value.Mul(value.Int(r.Int64N(n.Int64())), step)
	if err != nil {
		return value.Null, err
	}
	return value.Add(start, offset)
}

func shuffle(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	r, err := c.random(a.Get("seed"))
	if err != nil {
		return value.Null, err
	}
	items, err := c.items(in)
	r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	return value.ListOf(items...), err
}

// random returns the source for a seed, or the one of the surroundings.
func (c *Ctx) random(seed value.Value) (*rand.Rand, error) {
	if !seed.IsNull() {
		s, err := c.text(seed)
		return seeded(s), err
	}
	if c.Caller != nil {
		return rand.New(callerRandom{c.Caller}), nil
	}
	return rand.New(systemRandom{}), nil
}

// callerRandom is randomness that comes from the evaluation.
type callerRandom struct{ c Caller }

// Uint64 implements [rand.Source].
func (s callerRandom) Uint64() uint64 { return s.c.Random() }

type systemRandom struct{}

func (systemRandom) Uint64() uint64 {
	var b [8]byte
	_, _ = crand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return binary.LittleEndian.Uint64(b[:])
}
