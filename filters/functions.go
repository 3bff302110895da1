package filters

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// textFunctions are functions of expression objects, such as {eval: {urljoin: [...]}}. The argument of such a
// function is the piped value of a filter.
func textFunctions() []Func {
	functions := family("functions",
		row("urljoin", "Builds a URL from [scheme, host, port, path, query, fragment]; the first two are required. The default port of a scheme is omitted.",
			"{eval: {urljoin: [https, example.org, 443, 'a b']}}", `"https://example.org/a%20b"`, with((*Ctx).list, urlJoin)),
	)
	for _, f := range scalarFilters() {
		switch f.Name {
		case "scalar":
			f.Example, f.Result = "{eval: {scalar: 5 mb, unit: kB}}", `"5000 kB"`
		case "scalar_value":
			f.Example, f.Result = "{eval: {scalar_value: 1.5 KiB}}", "1536"
		}
		functions = append(functions, f)
	}
	return functions
}

func urlJoin(c *Ctx, args []value.Value, _ Bound) (value.Value, error) {
	if len(args) < 2 || len(args) > 6 {
		return value.Null, errors.New("wants a list of 2 to 6: scheme, host, port, path, query, fragment")
	}
	var p [6]string
	for i, v := range args {
		if v.IsNull() {
			continue
		}
		var err error
		if p[i], err = c.text(v); err != nil {
			return value.Null, err
		}
	}
	if s := joinURL(p); s != "" {
		return value.String(s), nil
	}
	return value.Null, nil
}

// joinURL joins scheme, host, port, path, query and fragment. Path and fragment keep their slashes, the query encodes
// blanks as +, and a path after a host begins with a slash.
func joinURL(p [6]string) string {
	scheme, netloc, port := p[0], p[1], p[2]
	defaults := map[string]string{"http": "80", "https": "443", "ftp": "21", "ssh": "22"}
	if netloc != "" && port != "" && port != defaults[scheme] {
		netloc += ":" + port
	}
	path := percentEncode(p[3], "/")
	if netloc != "" && path != "" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if netloc != "" {
		path = "//" + netloc + path
	}
	if scheme != "" && path != "" {
		path = scheme + ":" + path
	}
	if p[4] != "" {
		path += "?" + quotePlus(p[4])
	}
	if p[5] != "" {
		path += "#" + percentEncode(p[5], "/")
	}
	return path
}

// globalFunctions are range, dict, cycler, joiner and lipsum of Jinja, undef of Ansible and list of Python.
func globalFunctions() []Func {
	return family("globals",
		row("range", "Returns the integers from start, or 0, up to but not including stop.",
			"{{ range(1, 6, 2) }}", "[1, 3, 5]",
			rangeOf, req("start", Int), opt("stop", Int, value.Null), opt("step", Int, value.Int(1))),
		moving(row("dict", "Builds a map from a map or a list of pairs, and named arguments.",
			"{{ dict([['a', 1]], b=2) }}", `{"a": 1, "b": 2}`, dictOf, opt("from", Any, value.Null), keywords("entries"))),
		moving(row("list", "Returns the items of a list, characters of a text or keys of a map.",
			"{{ list('ab') }}", `["a", "b"]`,
			func(c *Ctx, _ value.Value, a Bound) (value.Value, error) {
				if a.Get("from").IsNull() {
					return value.ListOf(), nil
				}
				return listOf(c.items(a.Get("from")))
			}, opt("from", Items, value.Null))),
		moving(row("cycler", "Returns an object that cycles through the arguments: next() returns the current one and advances, current only returns it, reset() returns to the first.",
			"{{ cycler('odd', 'even').next() }}", `"odd"`, newCycler, variadic("items", Any))),
		moving(row("joiner", "Returns a function whose first call returns an empty text, and every later call sep.",
			"{{ joiner('|')() }}", `""`, newJoiner, opt("sep", Text, value.String(", ")))),
		row("lipsum", "Returns n paragraphs of random Latin words, from min up to but not including max in each, as HTML or as text.",
			"{{ lipsum(2, false, 5, 6) | wordcount }}", "10",
			lipsum, opt("n", Int, value.Int(5)), opt("html", Bool, value.True), opt("min", Int, value.Int(20)), opt("max", Int, value.Int(100))),
		row("undef", "Returns an undefined value. Using it is an error with this hint.",
			"{{ undef('say which host') | default('localhost') }}", `"localhost"`,
			func(_ *Ctx, _ value.Value, a Bound) (value.Value, error) {
				return value.Undefined(errors.New(a.Str("hint"))), nil
			}, opt("hint", Text, value.String("the value is undefined on purpose"))),
	)
}

// newCycler returns a cycler. No other value shares its state.
func newCycler(_ *Ctx, _ value.Value, a Bound) (value.Value, error) {
	items, at := a.Rest(), 0
	if len(items) == 0 {
		return value.Null, errors.New("needs at least one value")
	}
	method := func(name string, do func() value.Value) (value.Value, bool) {
		return value.FromFunc(&value.Func{Name: "cycler." + name, Call: func(value.Args) (value.Value, error) {
			return do(), nil
		}}), true
	}
	return value.FromFunc(&value.Func{
		Name: "cycler",
		Call: func(value.Args) (value.Value, error) {
			return value.Null, errors.New("a cycler cannot be called; call its method next()")
		},
		Attr: func(name string) (value.Value, bool) {
			switch name {
			case "current":
				return items[at], true
			case "next":
				return method(name, func() value.Value {
					v := items[at]
					at = (at + 1) % len(items)
					return v
				})
			case "reset":
				return method(name, func() value.Value {
					at = 0
					return value.Null
				})
			}
			return value.Null, false
		},
	}), nil
}

// newJoiner is Jinja's joiner, a function with a state: whether it was called before.
func newJoiner(_ *Ctx, _ value.Value, a Bound) (value.Value, error) {
	sep, used := a.Get("sep"), false
	return value.FromFunc(&value.Func{Name: "joiner", Call: func(value.Args) (value.Value, error) {
		if !used {
			used = true
			return value.String(""), nil
		}
		return sep, nil
	}}), nil
}

// rangeLength returns the number of integers from start up to, without, end.
func rangeLength(start, end, step value.Value) (*big.Int, error) {
	d := step.BigInt()
	if d.Sign() == 0 {
		return nil, errors.New("the step is zero")
	}
	span := new(big.Int).Sub(end.BigInt(), start.BigInt())
	if d.Sign() < 0 {
		span.Neg(span)
		d = new(big.Int).Neg(d)
	}
	if span.Sign() <= 0 {
		return new(big.Int), nil
	}
	span.Add(span, d)
	span.Sub(span, big.NewInt(1))
	return span.Div(span, d), nil
}

// rangeOf is Python's range as a list. The number of items is computed, with numbers of any size, and reserved before
// the list is made; lists of small numbers, the usual case, are filled without big integers.
func rangeOf(c *Ctx, _ value.Value, a Bound) (value.Value, error) {
	start, stop := a.Get("start"), a.Get("stop")
	if stop.IsNull() {
		start, stop = value.Int(0), start
	}
	n, err := rangeLength(start, stop, a.Get("step"))
	if err == nil {
		err = c.reserveRows(n, 0)
	}
	if err == nil {
		err = c.step(itemSteps * int(n.Int64()))
	}
	if err != nil {
		return value.Null, err
	}
	out := make([]value.Value, n.Int64())
	if from, ok := start.Int(); ok {
		if by, ok := a.Get("step").Int(); ok && rangeFits(from, by, n.Int64()) {
			for i := range out {
				out[i] = value.Int(from + int64(i)*by)
			}
			return value.ListOf(out...), nil
		}
	}
	next := start.WithoutSource()
	for i := range out {
		out[i] = next
		if next, err = value.Add(next, a.Get("step")); err != nil {
			return value.Null, err
		}
	}
	return value.ListOf(out...), nil
}

// rangeFits reports whether n numbers from the first one on, by apart, are all of 64 bits.
func rangeFits(first, by, n int64) bool {
	const bits = 1 << 31 // n is at most some millions
	return -bits < by && by < bits && -bits<<24 < first && first < bits<<24 && n < bits>>1
}

// dictOf is Python's dict: a map or pairs first, then named arguments, which override.
func dictOf(c *Ctx, _ value.Value, a Bound) (value.Value, error) {
	m := newMapping(len(a.Named()))
	if err := c.step(filledSteps * len(a.Named())); err != nil {
		return value.Null, err
	}
	if from := a.Get("from"); !from.IsNull() {
		pairs, err := c.pairs(from)
		if err == nil {
			err = c.step(filledSteps * len(pairs))
		}
		for i := 0; i < len(pairs) && err == nil; i++ {
			err = m.set(pairs[i][0], pairs[i][1])
		}
		if err != nil {
			return value.Null, fmt.Errorf("from: %w", err)
		}
	}
	for _, n := range a.Named() {
		m.dict.Set(value.K(n.Name), n.Value)
	}
	return m.value(), nil
}
