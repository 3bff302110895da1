package filters

import (
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

// randomFilters are random and shuffle of Ansible. Without a seed they ask the evaluation for random numbers.
func randomFilters() []Func {
	return family("random",
		moving(row("random", "Returns a random item of a list, or for a number n a random integer below n. With a seed the result is always the same.",
			"{{ [7] | random(seed='s') }}", "7",
			randomItem, opt("start", Int, value.Int(0)), opt("step", Int, value.Int(1)), opt("seed", Any, value.Null))),
		moving(row("shuffle", "Shuffles the items. With a seed the result is always the same.",
			"{{ [3, 1, 2] | shuffle(seed='s') | sort }}", "[1, 2, 3]", shuffle, opt("seed", Any, value.Null))),
	)
}

// randomItem returns a random item of a list, or for a number one of range(start, number, step).
func randomItem(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	r, err := c.random(a.Get("seed"))
	if err != nil {
		return value.Null, err
	}
	if n, ok := in.Int(); ok {
		return randomNumber(r, a.Get("start"), n, a.Get("step"))
	}
	if a.Given("start") || a.Given("step") {
		return value.Null, errors.New("start and step are for a number, not for the items of a list")
	}
	items, err := c.items(in)
	if err != nil {
		return value.Null, err
	}
	if len(items) == 0 {
		return value.Undefined(errEmpty("random item")), nil
	}
	return items[r.IntN(len(items))], nil
}

func randomNumber(r *rand.Rand, start value.Value, end int64, step value.Value) (value.Value, error) {
	n, err := rangeLength(start, value.Int(end), step)
	if err != nil {
		return value.Null, err
	}
	if n.Sign() <= 0 {
		return value.Null, errors.New("the range of numbers is empty")
	}
	if !n.IsInt64() {
		return value.Null, errors.New("the range of numbers is too large")
	}
	offset, err := value.Mul(value.Int(r.Int64N(n.Int64())), step)
	if err != nil {
		return value.Null, err
	}
	return value.Add(start, offset)
}

// shuffle is Ansible's shuffle. With a seed the order is the same on every machine, but is not Ansible's.
func shuffle(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	r, err := c.random(a.Get("seed"))
	if err != nil {
		return value.Null, err
	}
	items, err := c.items(in)
	r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	return value.ListOf(items...), err
}

// random returns the source of random numbers: with a seed one whose numbers depend on
// nothing else, on every machine and in every release; else the source of the evaluation.
func (c *Ctx) random(seed value.Value) (*rand.Rand, error) {
	if seed.IsNull() {
		return c.unseeded(), nil
	}
	s, err := c.text(seed)
	return rand.New(rand.NewChaCha8(sha256.Sum256([]byte(s)))), err
}

// unseeded returns the random numbers of the evaluation, or of the system if there is no evaluation.
func (c *Ctx) unseeded() *rand.Rand {
	if c.Caller != nil {
		return rand.New(callerRandom{c.Caller})
	}
	return rand.New(systemRandom{})
}

// callerRandom is the source of random numbers of the evaluation.
type callerRandom struct{ c Caller }

// Uint64 implements [rand.Source].
func (s callerRandom) Uint64() uint64 { return s.c.Random() }

type systemRandom struct{}

func (systemRandom) Uint64() uint64 {
	var b [8]byte
	_, _ = crand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return binary.LittleEndian.Uint64(b[:])
}

func generateFunctions() []Func {
	return family("generate", Func{
		Name: "generate_string", Aliases: []string{"_generate"}, Call: generateString,
		Params: []Param{
			opt("preset", Text, value.Null), opt("len", Int, value.Int(10)), opt("ranges", Any, value.Null), opt("seed", Any, value.Null),
		},
		Doc:     "Generates a random text of the characters of a preset, number or password, or of ranges, a list of [first, last]. With a seed the result is always the same.",
		Example: "{eval: {generate_string: number, len: 4, ranges: [['7', '7']]}}", Result: `"7777"`,
	})
}

// presets are the ranges of characters by name.
var presets = lazy.Value[map[string][][2]rune]{Make: func() map[string][][2]rune {
	return map[string][][2]rune{
		"number":   {{'0', '9'}},
		"password": {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'#', '&'}, {'*', '+'}, {'-', '.'}, {':', '@'}, {'_', '_'}},
	}
}}

func generateString(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	name := in.Str()
	if !a.Get("preset").IsNull() {
		name = a.Str("preset")
	}
	ranges, ok := presets.Get()[name]
	if !a.Get("ranges").IsNull() {
		var err error
		if ranges, err = c.ranges(a.Get("ranges")); err != nil {
			return value.Null, err
		}
	} else if !ok {
		return value.Null, fmt.Errorf("unknown preset %q; it is number or password, or give ranges", name)
	}
	if a.Int("len") < 0 {
		return value.Null, errors.New("the length is negative")
	}
	if err := c.reserveProduct(a.Int("len"), utf8.UTFMax); err != nil {
		return value.Null, err
	}
	if err := c.step(drawSteps * a.Int("len")); err != nil {
		return value.Null, err
	}
	return c.randomText(ranges, a)
}

// drawSteps is the cost of a random number.
const drawSteps = 8

func (c *Ctx) randomText(ranges [][2]rune, a Bound) (value.Value, error) {
	r, err := c.random(a.Get("seed"))
	if err != nil {
		return value.Null, err
	}
	ends := make([]int, len(ranges)) // the number of characters up to the end of each range
	total := 0
	for i, x := range ranges {
		total += int(x[1]-x[0]) + 1
		ends[i] = total
	}
	var b strings.Builder
	for range a.Int("len") {
		n := r.IntN(total)
		i, _ := slices.BinarySearch(ends, n+1)
		b.WriteRune(ranges[i][1] - rune(ends[i]-1-n))
	}
	return value.String(b.String()), nil
}

// ranges parses [[first, last], ...]; the bounds are characters or their numbers.
func (c *Ctx) ranges(v value.Value) ([][2]rune, error) {
	pairs, err := c.pairs(v)
	if err != nil {
		return nil, err
	}
	if len(pairs) == 0 {
		return nil, errors.New("ranges is empty")
	}
	return convert(pairs, func(p [2]value.Value) ([2]rune, error) {
		from, ok1 := character(p[0])
		to, ok2 := character(p[1])
		if !ok1 || !ok2 || from > to {
			return [2]rune{}, errors.New("ranges must be a list of [first, last] characters")
		}
		return [2]rune{from, to}, nil
	})
}

func character(v value.Value) (rune, bool) {
	if i, ok := v.Int(); ok {
		return rune(i), i >= 0 && i <= utf8.MaxRune
	}
	r, n := utf8.DecodeRuneInString(v.Str())
	return r, n > 0 && n == len(v.Str())
}
