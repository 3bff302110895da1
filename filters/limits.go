package filters

import (
	"cmp"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

const defaultMaxBytes = 64 << 20

// itemBytes is what an item of a list counts against MaxBytes.
const itemBytes = 32

func (c *Ctx) step(n int) error {
	if c.Caller == nil || n <= 0 {
		return nil
	}
	return c.Caller.Step(n)
}

// bytesPerStep is how much of a text a filter goes through in a step.
const bytesPerStep = 8

// read counts the work of going through a text of n bytes.
func (c *Ctx) read(n int) error { return c.step(n / bytesPerStep) }

// equal compares two values, which counts.
func (c *Ctx) equal(a, b value.Value) (bool, error) { return value.EqualCharged(a, b, c.charge()) }

// compare orders two values, which counts.
func (c *Ctx) compare(a, b value.Value) (int, error) { return value.CompareCharged(a, b, c.charge()) }

// charge is what functions are given that count their work, or nil.
func (c *Ctx) charge() func(int) error {
	if c.Caller == nil {
		return nil
	}
	return c.Caller.Step
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

// maxRead is how many values a filter may read from a text.
func (c *Ctx) maxRead() int { return 2 * c.maxItems() }

// tooManyRead is the error for a text that stands for more.
func (c *Ctx) tooManyRead() error {
	return &value.LimitError{What: "what the text stands for", Max: c.maxRead() * itemBytes}
}

// reserveProduct asks whether a text of n parts of size bytes may be made.
func (c *Ctx) reserveProduct(n, size int) error {
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	if n > 0 && size > limit/n {
		return &value.LimitError{What: "result", Max: limit}
	}
	return c.reserve(n * size)
}

// measure refuses a value whose text would be too big.
func (c *Ctx) measure(v value.Value) error {
	if v.IsScalar() {
		return nil
	}
	_, err := c.size(v)
	return err
}

// size returns about how many bytes the text of v has. Too many are an error.
func (c *Ctx) size(v value.Value) (int, error) {
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	left := limit
	err := c.measureIn(v, &left, 0)
	return limit - left, err
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
