package expr

import (
	"strconv"
	"strings"

	late "github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A sequence has the parameters of the lookup of that name.
type sequence struct {
	start, end, stride, count int64
	hasEnd, hasCount          bool
	format                    string
}

// sequenceRange is the short form [start-]end[/stride][:format].
var sequenceRange = late.Regexp{Text: `^(?:` + sequenceNumber + `-)?` + sequenceNumber + `(?:/` + sequenceNumber + `)?(?::(.+))?$`}

const sequenceNumber = `(0?[xX]?[0-9a-fA-F]+)`

// lookupSequence makes the texts of each term. Without a term the options say it all.
func lookupSequence(c lookupCall) ([]value.Value, error) {
	terms := c.terms
	if len(terms) == 0 && len(c.options) > 0 {
		terms = []value.Value{value.String("")}
	}
	var all []value.Value
	for _, t := range terms {
		q := sequence{start: 1, stride: 1, format: "%d"}
		if err := q.read(c, t); err != nil {
			return nil, err
		}
		for _, o := range c.options {
			if o.Value.IsNull() || o.Name == "errors" {
				continue
			}
			text, err := value.Text(o.Value.WithoutSource())
			if err == nil {
				err = q.option(c, o.Name, text)
			}
			if err != nil {
				return nil, err
			}
		}
		items, err := q.items(c)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

// read reads a term, which may be the number of the end.
func (q *sequence) read(c lookupCall, term value.Value) error {
	if !term.Is(value.StringKind) && !term.Is(value.IntKind) {
		return c.errorf(source.BadType, "lookup %q needs a string, not %s", c.name, value.Article(term.Kind()))
	}
	text, err := value.Text(term)
	if err != nil {
		return err
	}
	if m := sequenceRange.Get().FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		for i, name := range [...]string{"", "start", "end", "stride", "format"} {
			if i == 0 || m[i] == "" {
				continue
			}
			if err := q.option(c, name, m[i]); err != nil {
				return err
			}
		}
		return nil
	}
	rest, options, err := c.inTerm(text)
	if err != nil {
		return err
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		return c.errorf(source.BadValue, `lookup "sequence" cannot read %q: write start=1 end=3 or 1-3`, rest)
	}
	for _, o := range options {
		if err := c.known(o.name); err != nil {
			return err
		}
		if err := q.option(c, o.name, o.text); err != nil {
			return err
		}
	}
	return nil
}

// option sets one option of a sequence. Numbers may be hexadecimal or octal, 0x1f and 0o17. 017 is an error, as in
// Python: some languages read it as octal.
func (q *sequence) option(c lookupCall, name, text string) error {
	if name == "format" {
		if strings.Count(text, "%") != 1 {
			return c.errorf(source.BadValue, "the format of a sequence has one place for the number, such as host%%02d, and no other %%: not %q", text)
		}
		q.format = text
		return nil
	}
	n, err := strconv.ParseInt(text, 0, 64)
	switch {
	case err != nil:
		return c.errorf(source.BadValue, "the %s of a sequence is an integer, not %q", name, text)
	case oldOctal(text) && n != 0:
		return c.errorf(source.BadValue, "the %s of a sequence is an integer, not %q", name, text).
			WithHint("a decimal number does not begin with 0, and an octal one begins with 0o")
	}
	switch name {
	case "start":
		q.start = n
	case "end":
		q.end, q.hasEnd = n, true
	case "stride":
		q.stride = n
	case "count":
		q.count, q.hasCount = n, true
	}
	return nil
}

// oldOctal reports whether a number begins with a zero that says nothing in some languages, and
// "octal" in others.
func oldOctal(text string) bool {
	digits := strings.TrimLeft(text, "+-")
	return len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9'
}

// formattedSteps is the cost of an item that is made with a format.
const formattedSteps = 48

// maxItems bounds the texts of a sequence.
const maxItems = 2 << 20

// items makes the texts. The direction of the stride must lead to the end, since a sequence the other way would be
// empty by mistake.
func (q *sequence) items(c lookupCall) ([]value.Value, error) {
	if q.hasEnd == q.hasCount {
		return nil, c.errorf(source.BadValue, "a sequence needs either end or count")
	}
	if q.count < 0 {
		return nil, c.errorf(source.BadValue, "the count of a sequence is not negative")
	}
	if q.stride == 0 {
		return nil, c.errorf(source.BadValue, "a sequence with a stride of 0 has no end")
	}
	if q.hasEnd && (q.end > q.start && q.stride < 0 || q.end < q.start && q.stride > 0) {
		return nil, c.errorf(source.BadValue, "a sequence from %d to %d needs a stride of the other sign", q.start, q.end)
	}
	var out []value.Value
	for n := q.start; !q.done(n, len(out)); n += q.stride {
		if err := c.Step(formattedSteps); err != nil {
			return nil, err
		}
		text, err := value.Format(value.String(q.format), []value.Value{value.Int(n)})
		if err != nil {
			return nil, err
		}
		if out = append(out, text); len(out) > maxItems {
			return nil, c.errorf(source.Limit, "the list would have more than %d items", maxItems)
		}
	}
	return out, nil
}

func (q *sequence) done(n int64, made int) bool {
	switch {
	case q.hasCount:
		return int64(made) >= q.count
	case q.stride < 0:
		return n < q.end || made > 0 && n > q.start
	}
	return n > q.end || made > 0 && n < q.start
}
