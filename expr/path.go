package expr

import (
	"errors"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Path is a path expression such as ::hosts::*::[role=web]?::ip
// (spec: expressions, section 1).
type Path struct {
	Range
	Segments []Segment // split at "::", the empty one before a leading "::" included

	marks    value.Marks // of the text that it was read from
	expected bool        // a match is expected: see expect
	asked    bool        // it is a query of a user: see Asked
}

// Asked marks a path as the query of a user. A query always reports a test on a whole list.
func (p *Path) Asked() { p.asked = true }

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
	Op   TestOp
	Var  bool
	Text string // or the variable without "$"

	pattern *value.Regexp // of a match with a text
}

// A TestOp is the operator of a [PathTest].
type TestOp uint8

// The operators. Those of order compare numbers with numbers and texts with texts.
const (
	TestEqual TestOp = iota
	TestNotEqual
	TestLess
	TestLessEqual
	TestGreater
	TestGreaterEqual
	TestMatches // the text contains a match of an RE2 expression
)

// testOps are the operators as they are written; of two at one place the longer counts.
var testOps = []string{TestEqual: "=", TestNotEqual: "!=", TestLess: "<", TestLessEqual: "<=", TestGreater: ">", TestGreaterEqual: ">=", TestMatches: "~="}

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
		if strings.HasSuffix(s.Key, "!") || strings.HasSuffix(s.Key, "~") {
			b.WriteByte(' ') // or the mark would join the operator
		}
		b.WriteString(s.Test.String())
	}
}

// String writes the test with its operator.
func (t *PathTest) String() string {
	op := testOps[t.Op]
	switch {
	case t.Var:
		return op + "$" + t.Text
	case t.Text == "" && t.Op > TestNotEqual, strings.ContainsAny(t.Text, "$[]:?\"'"), t.Text != strings.Trim(t.Text, blanks), strings.HasPrefix(t.Text, "="):
		return op + "'" + strings.ReplaceAll(t.Text, "'", "''") + "'"
	}
	return op + t.Text
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
// contain "bracket". For a path in the spelling of get or jq there is a hint.
func ParsePath(text string, at Placer) (*Path, error) {
	p := pathParser{text: text, at: at}
	path, err := p.path(0, len(text), false)
	if d, ok := err.(*source.Diagnostic); ok && d.Code == source.Syntax {
		err = hintSpelling(d, text)
	}
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
	out := &Path{Range: Range{p.at.TextSpan(start, end)}}
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
		case '"', '\'':
			if p.afterOperator(i, j) {
				closing, err := p.closingQuote(j, end)
				if err != nil {
					return 0, err
				}
				j = closing
			}
		}
		if depth > maxNesting {
			return 0, source.Errorf(p.at.TextSpan(i, j), source.Limit, "path: brackets are nested too deeply")
		}
	}
	return 0, p.errorf(i, i+1, `bracket "[" is not closed`)
}

// afterOperator reports whether the quote at i begins the right side of a test, and is not a
// part of a key such as it's. The text is read from start on.
func (p *pathParser) afterOperator(start, i int) bool {
	before := strings.TrimRight(p.text[start:i], blanks)
	return before != "" && strings.IndexByte("=<>", before[len(before)-1]) >= 0
}

// closingQuote returns the offset of the quote that closes the one at i. As in YAML, a
// quote is doubled in single quotes, and follows a backslash in double quotes.
func (p *pathParser) closingQuote(i, end int) (int, error) {
	quote := p.text[i]
	for j := i + 1; j < end; j++ {
		switch {
		case p.text[j] == '\\' && quote == '"':
			j++
		case p.text[j] == quote && quote == '\'' && j+1 < end && p.text[j+1] == quote:
			j++
		case p.text[j] == quote:
			return j, nil
		}
	}
	return 0, p.errorf(i, i+1, "the quote is not closed")
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

// splitTest returns the test of a filter, after its operator, and the end of the path before
// it.
func (p *pathParser) splitTest(start, end int) (*PathTest, int, error) {
	depth := 0
	for i := start; i < end; i++ {
		switch p.text[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '=', '<', '>', '!', '~':
			if op, ok := p.operator(i, end); ok && depth == 0 {
				t, err := p.test(op, i, end)
				return t, i, err
			}
		case '"', '\'':
			if p.afterOperator(start, i) { // in a nested filter
				closing, err := p.closingQuote(i, end)
				if err != nil {
					return nil, 0, err
				}
				i = closing
			}
		}
	}
	return nil, end, nil
}

// operator returns the operator of a test at i.
func (p *pathParser) operator(i, end int) (TestOp, bool) {
	op, found := TestEqual, false
	for o, text := range testOps {
		if strings.HasPrefix(p.text[i:end], text) && (!found || len(text) > len(testOps[op])) {
			op, found = TestOp(o), true
		}
	}
	return op, found
}

// test reads the test whose operator is at i.
func (p *pathParser) test(op TestOp, i, end int) (*PathTest, error) {
	start, end := p.trim(i+len(testOps[op]), end)
	t := &PathTest{Op: op, Text: p.text[start:end]}
	switch {
	case t.Text == "" && op > TestNotEqual:
		return nil, p.errorf(i, end, "%q without a value after it", testOps[op])
	case strings.HasPrefix(t.Text, "$"):
		t.Var = true
		t.Text = strings.TrimSpace(t.Text[1:])
		if t.Text == "" {
			return nil, p.errorf(start, end, `"$" without the name of a variable`)
		}
		start++
	case strings.HasPrefix(t.Text, "'"), strings.HasPrefix(t.Text, `"`):
		closing, err := p.closingQuote(start, end)
		if err != nil {
			return nil, err
		}
		if closing != end-1 {
			return nil, p.errorf(closing+1, end, "text after the closing quote")
		}
		if t.Text, err = p.unquoted(start, end); err != nil {
			return nil, err
		}
		return t, p.compile(t, start, end)
	}
	if j := strings.IndexAny(p.text[start:end], "$[]:?"); j >= 0 && (op != TestMatches || t.Var) {
		c, kind := p.text[start+j], ""
		if c == '[' || c == ']' {
			kind = " (a bracket)"
		}
		return nil, p.errorf(start+j, start+j+1, "%q%s cannot be part of a test: quote the value, or use a variable", c, kind)
	}
	return t, p.compile(t, start, end)
}

// compile compiles the expression of a match with a text.
func (p *pathParser) compile(t *PathTest, start, end int) error {
	if t.Op != TestMatches || t.Var {
		return nil
	}
	var err error
	if t.pattern, err = value.CompileRegexp(t.Text); err != nil {
		return p.errorf(start, end, "%s", patternError(err))
	}
	return nil
}

// patternError describes the error of a regular expression in the words of RE2.
func patternError(err error) string {
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		return "regular expression: " + string(e.Code)
	}
	return "regular expression: " + err.Error()
}

// unquoted returns the text of a quoted value, with the escapes of YAML in double quotes.
func (p *pathParser) unquoted(start, end int) (string, error) {
	inner := p.text[start+1 : end-1]
	if p.text[start] == '\'' {
		return strings.ReplaceAll(inner, "''", "'"), nil
	}
	var b strings.Builder
	for i := 0; i < len(inner); {
		if inner[i] != '\\' {
			b.WriteByte(inner[i])
			i++
			continue
		}
		n := 2
		switch c := inner[i+1]; c {
		case '"', '\\', '/', ' ':
			b.WriteByte(c)
		case '0':
			b.WriteByte(0)
		case 'e':
			b.WriteByte(0x1b)
		default:
			var ok bool
			if n, ok = scan.Unescape(&b, inner[i:]); n < 2 {
				_, size := utf8.DecodeRuneInString(inner[i+1:])
				n, ok = 1+size, false
			}
			if !ok {
				at := start + 1 + i
				return "", p.errorf(at, at+n, "unknown escape %s", inner[i:i+n])
			}
		}
		i += n
	}
	return b.String(), nil
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
