package docpath

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Step is one part of a path.
type Step struct {
	Key    string
	Exact  bool   // quoted, or from a notation without dots
	Sep    string // "." or "::" before the step if it may be one key with the step before it, else ""
	Glued  bool   // the rest of a segment with dots, such as c in a::b.c
	Index  bool   // Key is also the index Number of a list
	Number int
	Item   bool // an index in brackets, such as [0]: in a place that does not exist, of a list
	Start  bool // the step begins a path of its own: it is not joined with the steps before it
	Star   bool // a "*" without quotes: in a pattern, every entry or item; elsewhere the key "*"

	Match, Text string // [Match=Text]: the item of a list with that entry; Key is empty

	at    *value.Key // the key itself, if it is known
	plain bool       // of a segment, without quotes and brackets
}

// maxSteps is the most steps of a path: the depth to which documents may be nested.
const maxSteps = 10_000

// Parse parses a path: a JSON pointer if it begins with "/", segments if it contains
// "::" outside of quotes and brackets, else a dotted path. "." is the root, which has no steps.
//
// Codes: syntax; limit for more than 10,000 steps.
func Parse(path string) ([]Step, error) {
	switch {
	case path == ".", path == "", path == "::":
		return nil, nil
	case !utf8.ValidString(path):
		p := parser{text: strings.ToValidUTF8(path, "\uFFFD")}
		p.pos = strings.IndexRune(p.text, utf8.RuneError)
		return nil, p.errorf("the path is not text in UTF-8")
	case path[0] == '/':
		return pointerSteps(path)
	case hasSegments(path):
		return segmentSteps(path)
	}
	p := parser{text: path}
	return p.parse()
}

// tooLong returns the error for a path of more than maxSteps steps.
func tooLong(path string) error {
	at := source.NewFile("path", path).Span(0, len(path))
	return source.Errorf(at, source.Limit, "a path has more than %d parts", maxSteps)
}

// pointerSteps parses a JSON pointer (RFC 6901): /a~1b/0 has the steps "a/b" and 0.
func pointerSteps(path string) ([]Step, error) {
	for i := range len(path) {
		if path[i] == '~' && !strings.HasPrefix(path[i+1:], "0") && !strings.HasPrefix(path[i+1:], "1") {
			p := parser{text: path, pos: i}
			return nil, p.errorf("in a JSON pointer, ~ is written ~0, and / is written ~1")
		}
	}
	var steps []Step
	for seg := range strings.SplitSeq(path[1:], "/") {
		seg = strings.ReplaceAll(strings.ReplaceAll(seg, "~1", "/"), "~0", "~")
		steps = append(steps, keyOrIndex(seg))
		if len(steps) > maxSteps {
			return nil, tooLong(path)
		}
	}
	return steps, nil
}

// keyOrIndex returns the step of a key that is also an index if it is a number.
func keyOrIndex(s string) Step {
	st := Step{Key: s, Exact: true}
	if n, err := strconv.Atoi(s); err == nil {
		st.Index, st.Number = true, n
	}
	return st
}

// A parser parses a dotted path: a.b[0]."x.y"["k"][name=web]. A "\" before a character
// makes it a plain one: a\.b is the key "a.b".
type parser struct {
	text string
	pos  int
}

func (p *parser) parse() ([]Step, error) {
	var steps []Step
	for p.pos < len(p.text) {
		var s Step
		var err error
		if p.text[p.pos] == '[' {
			s, err = p.bracket()
		} else {
			s, err = p.key()
			if n := len(steps); n > 0 && !s.Exact && !steps[n-1].Exact && steps[n-1].Match == "" {
				s.Sep = "."
			}
		}
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
		if len(steps) > maxSteps {
			return nil, tooLong(p.text)
		}
		if p.pos < len(p.text) && p.text[p.pos] == '.' {
			p.pos++
			if p.pos == len(p.text) {
				return nil, p.errorf("the path ends in a dot")
			}
		} else if p.pos < len(p.text) && p.text[p.pos] != '[' {
			return nil, p.errorf("expected a dot or a bracket before %q", p.text[p.pos:])
		}
	}
	return steps, nil
}

func (p *parser) key() (Step, error) {
	if c := p.text[p.pos]; c == '"' || c == '\'' {
		s, err := p.quoted(c)
		return Step{Key: s, Exact: true}, err
	}
	var b strings.Builder
	escaped := false
	for p.pos < len(p.text) && p.text[p.pos] != '.' && p.text[p.pos] != '[' {
		if p.text[p.pos] == '\\' && p.pos+1 < len(p.text) {
			p.pos++
			escaped = true
		}
		b.WriteByte(p.text[p.pos])
		p.pos++
	}
	if b.Len() == 0 {
		return Step{}, p.missingKey()
	}
	return Step{Key: b.String(), Exact: escaped, Star: b.String() == "*" && !escaped}, nil
}

func (p *parser) quoted(quote byte) (string, error) {
	var b strings.Builder
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == quote:
			p.pos++
			return b.String(), nil
		case c == '\\' && p.pos+1 < len(p.text):
			p.pos++
			b.WriteByte(p.text[p.pos])
		default:
			b.WriteByte(c)
		}
	}
	return "", p.errorf("a quote is not closed")
}

func (p *parser) bracket() (Step, error) {
	open := p.pos
	p.pos++
	if p.pos < len(p.text) && (p.text[p.pos] == '"' || p.text[p.pos] == '\'') {
		s, err := p.quoted(p.text[p.pos])
		if err != nil {
			return Step{}, err
		}
		if p.pos >= len(p.text) || p.text[p.pos] != ']' {
			return Step{}, p.unclosed(open)
		}
		p.pos++
		return Step{Key: s, Exact: true}, nil
	}
	end := strings.IndexByte(p.text[p.pos:], ']')
	if end < 0 {
		return Step{}, p.unclosed(open)
	}
	inner := p.text[p.pos : p.pos+end]
	p.pos += end + 1
	if n, err := strconv.Atoi(inner); err == nil {
		return Step{Key: inner, Exact: true, Index: true, Number: n, Item: true}, nil
	}
	key, text, ok := strings.Cut(inner, "=")
	if key = strings.TrimSpace(key); ok && key != "" {
		return Step{Match: key, Text: strings.TrimSpace(text)}, nil
	}
	d := p.fail(open+1, p.pos-1, "brackets take an index, a quoted key or name=value, not %q", inner)
	if open > 0 && (inner == "*" || inner == "") {
		list := p.text[:open]
		d.WithHint("to edit all items write %s.*, with --all; to read them, query FILE '::%s::*'", list, strings.ReplaceAll(list, ".", "::"))
	}
	return Step{}, d
}

// unclosed returns the error of a bracket without an end.
func (p *parser) unclosed(open int) error {
	return p.fail(open, open+1, `the "[" is never closed`).WithHint(`add the closing "]"`)
}

// errorf returns the error of the text that is left.
func (p *parser) errorf(format string, args ...any) error {
	return p.fail(p.pos, len(p.text), format, args...)
}

// fail returns the error of the bytes [start, end).
func (p *parser) fail(start, end int, format string, args ...any) *source.Diagnostic {
	return source.Errorf(source.NewFile("path", p.text).Span(start, end), source.Syntax, format, args...)
}

// missingKey returns the error of two dots, or of one at the start, where jq and yq have one.
func (p *parser) missingKey() error {
	rest := strings.TrimLeft(p.text, ".")
	if p.pos == 0 && rest != "" {
		return p.fail(0, len(p.text)-len(rest), "a path does not begin with a dot").WithHint("write %s", rest)
	}
	return p.fail(p.pos, p.pos+1, "a key is missing between two dots").WithHint("an empty key is written \"\"")
}
