package pongo2

import (
	"math"
	"strings"

	"github.com/flosch/pongo2/v6"

	"github.com/yaytpl/yaytpl/source"
)

// filter calls a filter.
func (r *run) filter(name string, args []*pongo2.Value) *pongo2.Value {
	param := pongo2.AsValue(nil)
	if len(args) > 1 {
		param = args[1]
	}
	n := room(name, args[0], param)
	r.fits(r.at, n)
	r.charge(plus(n, work(name, args[0], param)))
	v, err := pongo2.ApplyFilter(name, args[0], param)
	if err != nil {
		r.fail(source.Errorf(r.at, source.BadValue, "the filter %s fails%s", name, r.detail(": %s", plainer(err.OrigError.Error()))))
	}
	return v
}

// growthOf returns the factor by which the text of a filter may be longer than its input, without its arguments.
func growthOf(filter string) int {
	switch filter {
	case "escapejs", "linebreaksbr", "escape", "e":
		return 7
	case "linebreaks", "linenumbers", "urlize", "urlizetrunc", "split", "make_list":
		return 32 // a list has 16 bytes for each item
	case "default", "default_if_none", "safe", "length", "length_is", "wordcount", "first", "last", "random", "yesno", "pluralize", "divisibleby",
		"float", "integer", "striptags", "removetags", "cut", "truncatechars", "truncatewords", "slice", "add", "ljust", "rjust", "center",
		"floatformat", "get_digit", "capfirst", "wordwrap", "join", "stringformat":
		return 2
	}
	return 4
}

// room returns how many bytes a filter may need at most.
func room(filter string, in, param *pongo2.Value) int {
	n := size(in)
	switch filter {
	case "ljust", "rjust", "center":
		return plus(n, param.Integer())
	case "floatformat":
		return plus(plus(n+400, param.Integer()), -param.Integer()) // of which one is negative
	case "add", "default", "default_if_none":
		return n + size(param)
	case "join":
		return plus(full(in.Interface()), times(in.Len(), size(param)))
	case "stringformat":
		format := param.String()
		return plus(len(format), times(strings.Count(format, "%"), plus(width(format), 64+full(in.Interface()))))
	}
	return plus(times(n, growthOf(filter)), size(param))
}

// work returns the number of bytes that a filter copies or reads in addition to its result.
func work(filter string, in, param *pongo2.Value) int {
	switch filter {
	case "join": // the library takes a text apart for each of its characters
		if in.IsString() {
			return times(size(in), size(in))
		}
	case "truncatewords_html", "truncatechars_html": // it appends the name of a tag character by character
		longest := 0
		for tag := range strings.SplitSeq(in.String(), "<") {
			name, _, _ := strings.Cut(tag, ">")
			longest = max(longest, len(name))
		}
		return times(longest, longest)
	case "removetags":
		return times(size(in), 10*strings.Count(param.String(), ","))
	}
	return 0
}

// width returns the largest number of a format of package fmt, which does not take larger ones than widest.
func width(format string) int {
	const widest = 1_000_000
	most, n := 0, 0
	for _, c := range []byte(format) {
		switch {
		case c == '*':
			return widest
		case c >= '0' && c <= '9':
			n = min(10*n+int(c-'0'), widest)
		default:
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// plus returns a+b, at most the largest integer. A negative b adds nothing.
func plus(a, b int) int { return a + min(max(b, 0), math.MaxInt-a) }

// times returns a*b of numbers that are not negative, at most the largest integer.
func times(a, b int) int {
	if b > 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}

// size returns the bytes of the text of a value.
func size(v *pongo2.Value) int {
	if v.IsString() {
		return len(v.String())
	}
	return 32 // a number, or the name of a type
}

// full returns more than the bytes of the texts of a value and of everything that it contains.
func full(v any) int {
	n := 64
	switch v := v.(type) {
	case string:
		n = len(v)
	case []string:
		for _, item := range v {
			n = plus(n, len(item))
		}
	case []any:
		for _, item := range v {
			n = plus(n, full(item)+2)
		}
	case map[string]any:
		for key, item := range v {
			n = plus(n, full(item)+len(key)+2)
		}
	}
	return n
}
