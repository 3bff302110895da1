package docpath

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// Segments are joined as dotted parts are: the exact key wins over its split. The keys of
// Puppet's data have "::", and values below them are named with dots, so that
//
//	profile::web.port   has the steps  profile, ::web, .port (Glued)
//
// which are the keys "profile::web.port", "profile::web" and "port", or "profile" and
// "web.port", whichever the document has. Where it has none of them a dot in a segment is part
// of the key: [Whole].
//
//	::profile::web.port   begins with "::": the keys "profile" and "web.port" and no others

// hasSegments reports whether a path has a "::" outside of quotes and brackets.
func hasSegments(path string) bool {
	_, _, found := cutSegment(path)
	return found
}

// cutSegment splits a path at the first "::" outside of quotes and brackets. A quote begins a key
// where it is at the start, after a dot or after "[".
func cutSegment(path string) (before, after string, found bool) {
	depth := 0
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case (c == '"' || c == '\'') && (i == 0 || path[i-1] == '.' || path[i-1] == '['):
			if end := closingQuote(path[i:]); end > 0 {
				i += end
			}
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ':' && depth <= 0 && strings.HasPrefix(path[i:], "::"):
			return path[:i], path[i+len("::"):], true
		}
	}
	return path, "", false
}

// closingQuote returns the index of the quote that closes the one at the start of text, 0 if none
// does.
func closingQuote(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case text[0]:
			return i
		case '\\':
			i++
		}
	}
	return 0
}

// segmentSteps parses segments, which may have brackets and quotes: ::a::b.c::d[0] has the steps
// "a", "b.c", "d" and 0. Without "::" at the start the steps may be joined.
func segmentSteps(path string) ([]Step, error) {
	rest, strict := strings.CutPrefix(path, "::")
	var steps []Step
	for more := true; more; {
		var segment string
		segment, rest, more = cutSegment(rest)
		next, err := oneSegment(strings.TrimSpace(segment), strict)
		if err != nil {
			return nil, err
		}
		if joins := len(steps) > 0 && len(next) > 0 && !strict; joins && isPlain(steps[len(steps)-1]) && isPlain(next[0]) {
			next[0].Sep = "::"
		}
		if steps = append(steps, next...); len(steps) > maxSteps {
			return nil, tooLong(path)
		}
	}
	return steps, nil
}

// isPlain reports whether a step of a segment is text without quotes and brackets.
func isPlain(s Step) bool { return s.plain && !s.Item && s.Match == "" }

// oneSegment parses the text between two "::": a key, then brackets and quoted keys, if any.
func oneSegment(text string, strict bool) ([]Step, error) {
	end := plainEnd(text, strict)
	key, rest := text[:end], text[end:]
	if key != "" && strings.HasPrefix(rest, ".") {
		rest = rest[1:]
	}
	var steps []Step
	switch parts := strings.Split(key, "."); {
	case key == "":
	case strict || len(parts) == 1 || len(parts) > maxSteps || slices.Contains(parts, ""):
		steps = []Step{plainKey(key)}
	default:
		for i, part := range parts {
			s := Step{Key: part, Exact: true, plain: true}
			if i > 0 {
				s.Sep, s.Glued = ".", true
			}
			steps = append(steps, s)
		}
	}
	if rest == "" {
		return steps, nil
	}
	p := parser{text: rest}
	more, err := p.parse()
	return append(steps, more...), err
}

// plainEnd returns the length of the text before the first bracket or quoted key of a segment. A quote
// that is not closed is text, as is one after a dot where dots are text.
func plainEnd(text string, strict bool) int {
	for i := range len(text) {
		switch c := text[i]; {
		case c == '[':
			return i
		case (c == '"' || c == '\'') && i == 0 && closingQuote(text) > 0:
			return 0
		case c == '.' && !strict && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\'') && closingQuote(text[i+1:]) > 0:
			return i
		}
	}
	return len(text)
}

// plainKey returns the step of a segment.
func plainKey(key string) Step {
	s := keyOrIndex(key)
	s.Star, s.plain = key == "*", true
	return s
}

// Whole returns steps with each segment as one key: the steps of a place that no key of the
// document decides.
func Whole(steps []Step) []Step {
	if !slices.ContainsFunc(steps, func(s Step) bool { return s.Glued }) {
		return steps
	}
	var all []Step
	for i := 0; i < len(steps); {
		s, n := wholeStep(steps[i:])
		all = append(all, s)
		i += n
	}
	return all
}

// wholeStep returns the first segment as one step, and the number of steps that it is made of. If
// steps begins in the middle of a segment, that is one step.
func wholeStep(steps []Step) (Step, int) {
	n := 1
	for !steps[0].Glued && n < len(steps) && steps[n].Glued {
		n++
	}
	if n == 1 {
		return steps[0], 1
	}
	s := plainKey(joinedText(steps[:n]))
	s.Sep, s.Start = steps[0].Sep, steps[0].Start
	return s, n
}

// HasQualified reports whether the first steps could be one key with "::", and v is a map with keys
// of that form: then the user probably means one key.
func HasQualified(v value.Value, steps []Step) bool {
	if len(steps) < 2 || steps[1].Sep == "" || !v.Is(value.MapKind) {
		return false
	}
	if n := joinable(steps); !slices.ContainsFunc(steps[1:n], func(s Step) bool { return s.Sep == "::" }) {
		return false
	}
	for k := range v.Map().Keys() {
		if strings.Contains(k.Text, "::") {
			return true
		}
	}
	return false
}

// Qualified returns the path below a place in which the first steps, joined by "::", are one key in
// quotes: "a::b".c for a::b.c.
func Qualified(below value.Path, steps []Step) string {
	n := joinable(steps)
	for n > 1 && steps[n-1].Glued {
		n--
	}
	path := strconv.Quote(joinedText(steps[:n]))
	if len(below) > 0 {
		path = below.String() + "." + path
	}
	if n == len(steps) {
		return path
	}
	rest := Written(steps[n:])
	if rest[0] != '[' {
		path += "."
	}
	return path + rest
}

// SameKey reports whether two steps are written alike.
func SameKey(a, b Step) bool { return a.Key == b.Key && a.Match == b.Match && a.Text == b.Text }
