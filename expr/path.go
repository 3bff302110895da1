package expr

import (
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Path is a path expression such as ::hosts::*::[role=web]?::ip
// (spec: expressions, section 1).
type Path struct {
	Place
	Segments []Segment // split at "::", the empty one before a leading "::" included

	marks value.Marks // of the text that it was read from
}

// A Segment is one step of a [Path].
type Segment struct {
	At      source.Span
	Kind    SegmentKind
	Key     string // of names, the digits of an integer, the variable without "$"
	Index   int    // of integers
	Filters []PathFilter
	Test    *PathTest // set in the last segment of a filter only
	First   bool      // "?": only the first match
}

// A SegmentKind is the kind of the key of a [Segment].
type SegmentKind uint8

// The kinds of keys.
const (
	NoKey SegmentKind = iota
	NameKey
	IndexKey
	VarKey
	StarKey
)

// A PathFilter is a condition in brackets.
type PathFilter struct {
	Negate bool
	Path   *Path // relative to the value; its last segment may have a test
}

// A PathTest compares a value with a text or a variable.
type PathTest struct {
	NotEqual bool
	Var      bool
	Text     string // or the variable without "$"
}

// String writes the path so that ParsePath returns the same path.
func (p *Path) String() string {
	var b strings.Builder
	for i := range p.Segments {
		if i > 0 {
			if strings.HasSuffix(p.Segments[i-1].Key, ":") {
				b.WriteByte(' ') // or the colon would join the "::"
			}
			b.WriteString("::")
		}
		p.Segments[i].write(&b)
	}
	return b.String()
}

func (s *Segment) write(b *strings.Builder) {
	switch s.Kind {
	case VarKey:
		b.WriteByte('$')
	case StarKey:
		b.WriteByte('*')
	}
	b.WriteString(s.Key)
	for _, f := range s.Filters {
		b.WriteByte('[')
		if f.Negate {
			b.WriteByte('!')
		}
		b.WriteString(f.Path.String())
		b.WriteByte(']')
	}
	if s.First {
		b.WriteByte('?')
	}
	if s.Test != nil {
		if strings.HasSuffix(s.Key, "!") {
			b.WriteByte(' ') // or the mark would join the "="
		}
		b.WriteString(s.Test.String())
	}
}

// String writes the test with its operator.
func (t *PathTest) String() string {
	s := "="
	if t.NotEqual {
		s = "!="
	}
	if t.Var {
		s += "$"
	}
	return s + t.Text
}

// absolute reports whether the path begins at the root of the document.
func (p *Path) absolute() bool {
	return len(p.Segments) > 1 && p.Segments[0].empty()
}

// empty reports whether the segment has neither key nor conditions.
func (s *Segment) empty() bool {
	return s.Kind == NoKey && s.Filters == nil && s.Test == nil && !s.First
}

// Constant returns the keys of a path from the root that has names and integers only, so
// that it leads to one place: ::a::b::0. A reader may then search the text for the place
// without building the document.
func (p *Path) Constant() ([]value.Key, bool) {
	if !p.absolute() {
		return nil, false
	}
	var keys []value.Key
	if len(p.Segments) == 2 && p.Segments[1].empty() {
		return keys, true
	}
	for _, s := range p.Segments[1:] {
		special := s.Kind == NameKey && strings.HasPrefix(s.Key, ".")
		if s.Kind != NameKey && s.Kind != IndexKey || s.Filters != nil || s.First || special {
			return nil, false
		}
		k := value.K(s.Key)
		if s.Kind == IndexKey {
			k.Kind = value.IntKind
		}
		keys = append(keys, k)
	}
	return keys, true
}

// ParsePath parses a path expression. Errors have the code syntax; those about brackets
// contain "bracket".
func ParsePath(text string, at Placer) (*Path, error) {
	p := pathParser{text: text, at: at}
	path, err := p.path(0, len(text), false)
	return path, Conceal(err)
}

type pathParser struct {
	text  string
	at    Placer
	depth int
}

func (p *pathParser) errorf(start, end int, format string, args ...any) *source.Diagnostic {
	return source.Errorf(p.at.TextSpan(start, end), source.Syntax, "path: "+format, args...)
}

// path reads text[start:end]. The last segment of the path of a filter may have a test.
func (p *pathParser) path(start, end int, filter bool) (*Path, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		return nil, source.Errorf(p.at.TextSpan(start, end), source.Limit, "path: filters are nested too deeply")
	}
	var test *PathTest
	limit := end
	if filter {
		var err error
		if test, limit, err = p.splitTest(start, end); err != nil {
			return nil, err
		}
	}
	out := &Path{Place: Place{p.at.TextSpan(start, end)}}
	for i := start; ; {
		stop, err := p.segmentEnd(i, limit)
		if err != nil {
			return nil, err
		}
		s, err := p.segment(i, stop)
		if err != nil {
			return nil, err
		}
		out.Segments = append(out.Segments, s)
		if stop == limit {
			break
		}
		i = stop + 2
	}
	out.Segments[len(out.Segments)-1].Test = test
	return out, nil
}

// segmentEnd returns the end of the segment at i: the next "::" outside brackets, or
// end.
func (p *pathParser) segmentEnd(i, end int) (int, error) {
	for i < end {
		switch {
		case p.text[i] == '[':
			closing, err := p.closing(i, end)
			if err != nil {
				return 0, err
			}
			i = closing + 1
		case p.text[i] == ']':
			return 0, p.errorf(i, i+1, `closing bracket "]" without an opening one`)
		case p.text[i] == ':' && i+1 < end && p.text[i+1] == ':':
			return i, nil
		default:
			i++
		}
	}
	return end, nil
}

// closing returns the offset of the bracket that closes the one at i.
func (p *pathParser) closing(i, end int) (int, error) {
	depth := 0
	for j := i; j < end; j++ {
		switch p.text[j] {
		case '[':
			depth++
		case ']':
			depth--
			if depth == 0 {
				return j, nil
			}
		}
		if depth > maxNesting {
			return 0, source.Errorf(p.at.TextSpan(i, j), source.Limit, "path: brackets are nested too deeply")
		}
	}
	return 0, p.errorf(i, i+1, `bracket "[" is not closed`)
}

func (p *pathParser) segment(start, end int) (Segment, error) {
	start, end = p.trim(start, end)
	s := Segment{At: p.at.TextSpan(start, end)}
	keyEnd := start
	for keyEnd < end && p.text[keyEnd] != '[' && p.text[keyEnd] != '?' {
		keyEnd++
	}
	if err := p.key(&s, start, keyEnd); err != nil {
		return s, err
	}
	i, err := p.filters(&s, keyEnd, end)
	if err != nil {
		return s, err
	}
	if i < end && p.text[i] == '?' {
		s.First = true
		i++
	}
	if rest, _ := p.trim(i, end); rest < end {
		if s.First {
			return s, p.errorf(rest, end, `"?" ends a segment: expected "::" after it`)
		}
		return s, p.errorf(rest, end, `text after a closing bracket: expected "::", "[" or "?"`)
	}
	return s, nil
}

// filters reads the filters at i and returns their end.
func (p *pathParser) filters(s *Segment, i, end int) (int, error) {
	for {
		next, _ := p.trim(i, end)
		if next == end || p.text[next] != '[' {
			return next, nil
		}
		closing, err := p.closing(next, end)
		if err != nil {
			return 0, err
		}
		var f PathFilter
		from, to := p.trim(next+1, closing)
		if f.Negate = from < to && p.text[from] == '!'; f.Negate {
			from++
		}
		if f.Path, err = p.path(from, to, true); err != nil {
			return 0, err
		}
		s.Filters = append(s.Filters, f)
		i = closing + 1
	}
}

// splitTest returns the test of a filter, after its "=" or "!=", and the end of the path
// before it.
func (p *pathParser) splitTest(start, end int) (*PathTest, int, error) {
	depth := 0
	for i := start; i < end; i++ {
		switch p.text[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '=':
			if depth != 0 {
				continue
			}
			t, err := p.test(i+1, end)
			if err != nil || i == start || p.text[i-1] != '!' {
				return t, i, err
			}
			t.NotEqual = true
			return t, i - 1, nil
		}
	}
	return nil, end, nil
}

func (p *pathParser) test(start, end int) (*PathTest, error) {
	start, end = p.trim(start, end)
	t := &PathTest{Text: p.text[start:end]}
	if strings.HasPrefix(t.Text, "$") {
		t.Var = true
		start++
		t.Text = strings.TrimSpace(t.Text[1:])
		if t.Text == "" {
			return nil, p.errorf(start-1, end, `"$" without the name of a variable`)
		}
	}
	if i := strings.IndexAny(p.text[start:end], "$[]:?"); i >= 0 {
		c, kind := p.text[start+i], ""
		if c == '[' || c == ']' {
			kind = " (a bracket)"
		}
		return nil, p.errorf(start+i, start+i+1, "%q%s cannot be part of a test: use a variable", c, kind)
	}
	return t, nil
}

// key reads the key of a segment.
func (p *pathParser) key(s *Segment, start, end int) error {
	_, end = p.trim(start, end)
	text := p.text[start:end]
	switch {
	case text == "":
		return nil
	case text == "*":
		s.Kind = StarKey
		return nil
	case text[0] == '!':
		return p.errorf(start, start+1, `"!" negates a filter and belongs inside its brackets`)
	case text[0] == '$':
		s.Kind, s.Key = VarKey, strings.TrimSpace(text[1:])
		if s.Key == "" {
			return p.errorf(start, end, `"$" without the name of a variable`)
		}
		start++
	default:
		s.Kind, s.Key = NameKey, text
		if digits := strings.TrimPrefix(text, "-"); digits != "" && strings.Trim(digits, "0123456789") == "" {
			if i, err := strconv.Atoi(text); err == nil {
				s.Kind, s.Index = IndexKey, i
			}
		}
	}
	if i := strings.IndexAny(p.text[start:end], "$="); i >= 0 {
		i += start
		if p.text[i] == '=' {
			return p.errorf(i, i+1, `a test belongs in brackets: [name=value]`)
		}
		return p.errorf(i, i+1, `%q cannot be part of a key: use a variable`, p.text[i])
	}
	return nil
}

func (p *pathParser) trim(start, end int) (int, int) {
	for start < end && strings.IndexByte(blanks, p.text[start]) >= 0 {
		start++
	}
	for end > start && strings.IndexByte(blanks, p.text[end-1]) >= 0 {
		end--
	}
	return start, end
}
