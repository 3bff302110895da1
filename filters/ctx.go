package filters

import (
	"cmp"
	crand "crypto/rand"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Caller is what filters may ask of the evaluation that calls them.
type Caller interface {
	// Step is told how many items or bytes a call handles, and may refuse.
	Step(n int) error

	// CallFilter and CallTest serve map('name') and select('name').
	CallFilter(name string, in value.Value, args value.Args) (value.Value, error)
	CallTest(name string, in value.Value, args value.Args) (bool, error)

	// Attr reads one attribute or item of a value; a missing one is undefined.
	Attr(v value.Value, name string) (value.Value, error)

	// Random returns the bits of random choices without a seed.
	Random() uint64

	// Now is the clock of strftime.
	Now() time.Time
}

// A Ctx is what filters need from their surroundings. The zero Ctx works.
type Ctx struct {
	// Caller may be nil: then the tables of this package serve, maps and lists are
	// read, chance is the system's, and nobody tells the time.
	Caller Caller

	// MaxBytes bounds what one call may make; 0 means 64 MB.
	MaxBytes int
}

const defaultMaxBytes = 64 << 20

// itemBytes is what an item of a list counts against MaxBytes.
const itemBytes = 32

func (c *Ctx) step(n int) error {
	if c.Caller == nil || n <= 0 {
		return nil
	}
	return c.Caller.Step(n)
}

// fits asks whether a result of n bytes may be made.
func (c *Ctx) fits(n int) error {
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	if n < 0 || n > limit {
		return &value.LimitError{What: "result", Max: limit}
	}
	return nil
}

// reserve asks the same and counts the bytes as steps.
func (c *Ctx) reserve(n int) error {
	if err := c.fits(n); err != nil {
		return err
	}
	return c.step(n)
}

// maxItems is how many items a list may have that a filter makes.
func (c *Ctx) maxItems() int { return cmp.Or(c.MaxBytes, defaultMaxBytes) / itemBytes }

// fitsItems asks whether a list of n items may be made.
func (c *Ctx) fitsItems(n int) error {
	if n < 0 || n > c.maxItems() {
		return &value.LimitError{What: "list", Max: cmp.Or(c.MaxBytes, defaultMaxBytes)}
	}
	return nil
}

// reserveItems asks the same and counts the items as steps.
func (c *Ctx) reserveItems(n int) error {
	if err := c.fitsItems(n); err != nil {
		return err
	}
	return c.step(n)
}

// reserveProduct asks whether a text of n parts of size bytes may be made.
func (c *Ctx) reserveProduct(n, size int) error {
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	if n > 0 && size > limit/n {
		return &value.LimitError{What: "result", Max: limit}
	}
	return c.reserve(n * size)
}

// items returns what iterating over v gives: items, characters or keys. What is in
// a marked collection is marked.
func (c *Ctx) items(v value.Value) ([]value.Value, error) {
	switch v.Kind() {
	case value.ListKind:
		return c.listItems(v)
	case value.StringKind:
		if err := c.reserveItems(len(v.Str())); err != nil {
			return nil, err
		}
		return characters(v), nil
	case value.MapKind:
		if err := c.reserveItems(v.Map().Len()); err != nil {
			return nil, err
		}
		keys := make([]value.Value, 0, v.Map().Len())
		for k := range v.Map().Keys() {
			keys = append(keys, k.Value().Mark(v.Marks()))
		}
		return keys, nil
	case value.UndefinedKind:
		return nil, reason(v)
	}
	return nil, fmt.Errorf("wants a list, got %s", value.Article(v.Kind()))
}

func (c *Ctx) listItems(v value.Value) ([]value.Value, error) {
	if err := c.step(v.List().Len()); err != nil {
		return nil, err
	}
	items := make([]value.Value, 0, v.List().Len())
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return nil, err
		}
		items = append(items, item.Mark(v.Marks()))
	}
	return items, nil
}

func characters(v value.Value) []value.Value {
	s := v.Str()
	items := make([]value.Value, 0, len(s))
	for i, r := range s {
		n := len(string(r))
		if r == '\uFFFD' && s[i] != 0xEF {
			n = 1
		}
		items = append(items, value.String(s[i:i+n]).Mark(v.Marks()))
	}
	return items
}

// An entry is a key of a map with its value.
type entry struct {
	key value.Key
	val value.Value
}

// entries returns what is in the map v, marked if v is.
func (c *Ctx) entries(v value.Value) ([]entry, error) {
	if !v.Is(value.MapKind) {
		return nil, fmt.Errorf("wants a map, got %s", value.Article(v.Kind()))
	}
	m := v.Map()
	if err := c.step(m.Len()); err != nil {
		return nil, err
	}
	out := make([]entry, 0, m.Len())
	for k := range m.Keys() {
		item, ok, err := m.Get(k)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, entry{k, item.Mark(v.Marks())})
		}
	}
	return out, nil
}

// sortEntries orders entries by their keys.
func sortEntries(entries []entry) {
	slices.SortStableFunc(entries, func(x, y entry) int { return strings.Compare(x.key.Text, y.key.Text) })
}

// text returns v as templates write it. The size is checked first: a few shared
// lists can stand for an endless text.
func (c *Ctx) text(v value.Value) (string, error) {
	if err := c.measure(v); err != nil {
		return "", err
	}
	return value.Text(v)
}

func (c *Ctx) repr(v value.Value) (string, error) {
	if err := c.measure(v); err != nil {
		return "", err
	}
	return value.Repr(v)
}

// measure refuses a value whose text would be too big.
func (c *Ctx) measure(v value.Value) error {
	if v.IsScalar() {
		return nil
	}
	left := cmp.Or(c.MaxBytes, defaultMaxBytes)
	return c.measureIn(v, &left, 0)
}

const maxDepth = 1000

func (c *Ctx) measureIn(v value.Value, left *int, depth int) error {
	if *left -= 2 + len(v.Str()); *left < 0 {
		return &value.LimitError{What: "result", Max: cmp.Or(c.MaxBytes, defaultMaxBytes)}
	}
	if depth > maxDepth {
		return errTooDeep
	}
	switch v.Kind() {
	case value.ListKind:
		items, err := c.listItems(v)
		if err != nil {
			return err
		}
		for _, item := range items {
			if err := c.measureIn(item, left, depth+1); err != nil {
				return err
			}
		}
	case value.MapKind:
		entries, err := c.entries(v)
		if err != nil {
			return err
		}
		for _, e := range entries {
			*left -= len(e.key.Text)
			if err := c.measureIn(e.val, left, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

var errTooDeep = source.Errorf(source.Span{}, source.Limit, "the value is nested more than %d deep", maxDepth)

func (c *Ctx) callFilter(name string, in value.Value, args value.Args) (value.Value, error) {
	if c.Caller != nil {
		return c.Caller.CallFilter(name, in, args)
	}
	return CallFilter(c, name, in, args)
}

func (c *Ctx) callTest(name string, in value.Value, args value.Args) (bool, error) {
	if c.Caller != nil {
		return c.Caller.CallTest(name, in, args)
	}
	v, err := CallTest(c, name, in, args)
	return value.Truthy(v), err
}

// attr reads the attribute at a dotted path, as map(attribute='a.b.0') writes it.
func (c *Ctx) attr(v value.Value, path string) (value.Value, error) {
	for part := range strings.SplitSeq(path, ".") {
		marks := v.Marks()
		var err error
		if c.Caller != nil {
			v, err = c.Caller.Attr(v, part)
		} else {
			v, err = attribute(v, part)
		}
		if err != nil || v.Is(value.UndefinedKind) {
			return v, err
		}
		v = v.Mark(marks)
	}
	return v, nil
}

func attribute(v value.Value, name string) (value.Value, error) {
	switch v.Kind() {
	case value.MapKind:
		for _, k := range []value.Key{value.K(name), {Text: name, Kind: value.IntKind}} {
			if item, ok, err := v.Map().Get(k); ok || err != nil {
				return item, err
			}
		}
	case value.ListKind:
		i, err := strconv.Atoi(name)
		if n := v.List().Len(); err == nil && i < n && i >= -n {
			return v.List().At((i + n) % n)
		}
	case value.UndefinedKind:
		return v, nil
	}
	return value.Undefined(fmt.Errorf("%s has no attribute %q", value.Article(v.Kind()), name)), nil
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
