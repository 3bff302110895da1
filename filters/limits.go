package filters

import (
	"cmp"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Work is counted before it is done: a filter that multiplies its input, such as range, product, indent or
// ljust, first asks reserve, reserveItems or reserveProduct for the size of its result, and only then allocates.
// {{ 'x'.ljust(10 ** 12) }} fails at once instead of filling the memory. Reading is counted as well, by read and
// by the costs below, so that a loop over a large input ends at the limit of steps even if it makes nothing.
//
// A step is about 20 ns of work. The costs of items and entries were chosen for that unit: they are larger than
// one where a value is copied, hashed or has its marks collected.
const defaultMaxBytes = 64 << 20

// itemBytes is the size of a list item for MaxBytes.
const itemBytes = 32

// step counts n steps of work. Without a caller nothing is counted.
func (c *Ctx) step(n int) error {
	if c.Caller == nil || n <= 0 {
		return nil
	}
	return c.Caller.Step(n)
}

// bytesPerStep is the number of bytes that a filter reads in one step.
const bytesPerStep = 4

// read counts the steps of reading a text of n bytes.
func (c *Ctx) read(n int) error { return c.step(n / bytesPerStep) }

// equal reports whether two values are equal. The comparison counts as steps.
func (c *Ctx) equal(a, b value.Value) (bool, error) { return c.comparison().Equal(a, b) }

// compare returns the order of two values. The comparison counts as steps.
func (c *Ctx) compare(a, b value.Value) (int, error) { return c.comparison().Compare(a, b) }

// comparison returns the comparison of the call, which collects the marks of what it compares.
func (c *Ctx) comparison() *value.Comparison {
	if c.looked.Charge == nil && c.Caller != nil {
		c.looked.Charge = c.Caller.Step
		c.looked.Met, _ = c.Caller.(interface{ Decided() })
	}
	return &c.looked
}

// charge returns the step counter for functions of other packages, or nil.
func (c *Ctx) charge() func(int) error {
	if c.Caller == nil {
		return nil
	}
	return c.Caller.Step
}

// fits returns an error if a result of n bytes exceeds the limit.
func (c *Ctx) fits(n int) error {
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	if n < 0 || n > limit {
		return &value.LimitError{What: "result", Max: limit}
	}
	return nil
}

// reserve is fits, and counts the bytes as steps.
func (c *Ctx) reserve(n int) error {
	if err := c.fits(n); err != nil {
		return err
	}
	return c.step(n)
}

// maxItems is the largest length of a list that a filter may return.
func (c *Ctx) maxItems() int { return cmp.Or(c.MaxBytes, defaultMaxBytes) / itemBytes }

// fitsItems returns an error if a list of n items exceeds the limit.
func (c *Ctx) fitsItems(n int) error {
	if n < 0 || n > c.maxItems() {
		return &value.LimitError{What: "list", Max: cmp.Or(c.MaxBytes, defaultMaxBytes)}
	}
	return nil
}

// reserveItems is fitsItems, and counts the items as steps.
func (c *Ctx) reserveItems(n int) error {
	if err := c.fitsItems(n); err != nil {
		return err
	}
	return c.step(n)
}

// maxRead is the number of values that a filter may parse from one text.
func (c *Ctx) maxRead() int { return 2 * c.maxItems() }

// tooManyRead is the error for a text of more values.
func (c *Ctx) tooManyRead() error {
	return &value.LimitError{What: "the data of the text", Max: c.maxRead() * itemBytes}
}

// reserveProduct is reserve for n parts of size bytes. It avoids overflow.
func (c *Ctx) reserveProduct(n, size int) error {
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	if n > 0 && size > limit/n {
		return &value.LimitError{What: "result", Max: limit}
	}
	return c.reserve(n * size)
}

// measure returns an error if the text of v exceeds the limit.
func (c *Ctx) measure(v value.Value) error {
	if v.IsScalar() {
		return c.step(value.TextSteps(v))
	}
	_, err := c.size(v)
	return err
}

// size estimates the bytes of the text of v. It stops with an error at the limit.
func (c *Ctx) size(v value.Value) (int, error) {
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	left := limit
	err := value.Walk(v, func(at value.Position, v value.Value, err error) error {
		if left -= len(at.Key.Text) + 2 + len(v.Str()); left < 0 {
			return &value.LimitError{What: "result", Max: limit}
		}
		switch {
		case err != nil:
			return err
		case at.Depth > maxDepth:
			return errTooDeep
		case v.Is(value.ListKind):
			return c.step(2 + 2*v.List().Len())
		case v.Is(value.MapKind):
			return c.step(entrySteps + entrySteps*v.Map().Len())
		}
		return c.step(value.TextSteps(v))
	})
	return limit - left, err
}

// entrySteps is the cost of an entry of a map that a filter reads or copies.
const entrySteps = 4

// itemSteps is the cost of an item of a list that is read or made.
const itemSteps = 3

// maxDepth bounds recursion over nested values, since an overflow of Go's stack cannot be recovered.
const maxDepth = 1000

var errTooDeep = &source.Diagnostic{Code: source.Limit, Message: "the value is nested more than 1000 deep"} // maxDepth
