package yaytpl

import (
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// A step is one part of a path on the command line (design: decisions, "Paths on
// the command line").
type step struct {
	key    string
	exact  bool // quoted, or from a form without dots: not to be split or joined
	index  bool // a list index
	number int
	match  string // [match=text]
	text   string
}

// parsePath reads a path: a JSON pointer if it begins with "/", segments if it
// contains "::", else dotted. "." is the root.
func parsePath(path string) ([]step, error) {
	switch {
	case path == ".", path == "", path == "::":
		return nil, nil
	case path[0] == '/':
		return pointerSteps(path)
	case strings.Contains(path, "::"):
		return segmentSteps(path)
	}
	p := pathParser{text: path}
	return p.parse()
}

// pointerSteps reads a JSON pointer (RFC 6901).
func pointerSteps(path string) ([]step, error) {
	for i := range len(path) {
		if path[i] == '~' && !strings.HasPrefix(path[i+1:], "0") && !strings.HasPrefix(path[i+1:], "1") {
			p := pathParser{text: path, pos: i}
			return nil, p.errorf("in a JSON pointer, ~0 stands for ~ and ~1 for /")
		}
	}
	var steps []step
	for seg := range strings.SplitSeq(path[1:], "/") {
		seg = strings.ReplaceAll(strings.ReplaceAll(seg, "~1", "/"), "~0", "~")
		steps = append(steps, keyOrIndex(seg))
	}
	return steps, nil
}

func segmentSteps(path string) ([]step, error) {
	var steps []step
	for seg := range strings.SplitSeq(strings.TrimPrefix(path, "::"), "::") {
		key, rest, has := strings.Cut(strings.TrimSpace(seg), "[")
		if key != "" {
			steps = append(steps, keyOrIndex(key))
		}
		if has {
			p := pathParser{text: "[" + rest}
			more, err := p.parse()
			if err != nil {
				return nil, err
			}
			steps = append(steps, more...)
		}
	}
	return steps, nil
}

func keyOrIndex(s string) step {
	st := step{key: s, exact: true}
	if n, err := strconv.Atoi(s); err == nil {
		st.index, st.number = true, n
	}
	return st
}

// A pathParser reads a dotted path: a.b[0]."x.y"["k"][name=web] with "\" before a
// character that stands for itself.
type pathParser struct {
	text string
	pos  int
}

func (p *pathParser) parse() ([]step, error) {
	var steps []step
	for p.pos < len(p.text) {
		var s step
		var err error
		if p.text[p.pos] == '[' {
			s, err = p.bracket()
		} else {
			s, err = p.key()
		}
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
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

func (p *pathParser) key() (step, error) {
	if c := p.text[p.pos]; c == '"' || c == '\'' {
		s, err := p.quoted(c)
		return step{key: s, exact: true}, err
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
		return step{}, p.errorf("a key is missing")
	}
	return step{key: b.String(), exact: escaped}, nil
}

func (p *pathParser) quoted(quote byte) (string, error) {
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

func (p *pathParser) bracket() (step, error) {
	p.pos++
	if p.pos < len(p.text) && (p.text[p.pos] == '"' || p.text[p.pos] == '\'') {
		s, err := p.quoted(p.text[p.pos])
		if err != nil {
			return step{}, err
		}
		if p.pos >= len(p.text) || p.text[p.pos] != ']' {
			return step{}, p.errorf("a bracket is not closed")
		}
		p.pos++
		return step{key: s, exact: true}, nil
	}
	end := strings.IndexByte(p.text[p.pos:], ']')
	if end < 0 {
		return step{}, p.errorf("a bracket is not closed")
	}
	inner := p.text[p.pos : p.pos+end]
	p.pos += end + 1
	if n, err := strconv.Atoi(inner); err == nil {
		return step{key: inner, exact: true, index: true, number: n}, nil
	}
	if key, text, ok := strings.Cut(inner, "="); ok && key != "" {
		return step{match: strings.TrimSpace(key), text: strings.TrimSpace(text)}, nil
	}
	return step{}, p.errorf("brackets take an index, a quoted key or name=value, not %q", inner)
}

func (p *pathParser) errorf(format string, args ...any) error {
	f := source.NewFile("path", p.text)
	return source.Errorf(f.Span(p.pos, len(p.text)), source.Syntax, format, args...)
}

// dotted joins the steps from i on that were written with plain dots, longest
// first: the exact key wins over its split. It returns the keys to try with the
// number of steps that each takes.
func dotted(steps []step) (keys []string, taken []int) {
	n := 1
	for n < len(steps) && !steps[0].exact && !steps[n].exact && !steps[n].index && steps[n].match == "" {
		n++
	}
	for ; n > 0; n-- {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = steps[i].key
		}
		keys = append(keys, strings.Join(parts, "."))
		taken = append(taken, n)
	}
	return keys, taken
}
