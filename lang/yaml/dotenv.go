package yaml

import (
	"slices"
	"strings"
	"unicode"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// ParseEnv parses a .env file, which sets variables of the environment, to a map of texts (spec:
// everyday, B7):
//
//	# a comment
//	PORT=80                  # "80": blanks and "#" after a blank end the value
//	export NAME="a\n$b"      escapes \n \r \t \\ \" \' \$ \` and a line break; the value may have several lines
//	RAW='a\n'                no escapes; the value may have several lines
//	EMPTY=
//
// A line break inside of quotes is \n in a file whose lines end in \r\n, else as written. Comments are placed as in
// YAML: above a name, and after its value. Variables in values ($b) are not expanded. A name that is set twice is an error, or a warning with
// o.Lenient.
//
// Codes: syntax, duplicate-key, limit.
func ParseEnv(f *source.File, o ParseOptions) ([]*Document, []*source.Diagnostic) {
	if d := checkSize(f, o); d != nil {
		return nil, []*source.Diagnostic{d}
	}
	if at := invalidUTF8(f.Text); at >= 0 {
		return nil, []*source.Diagnostic{source.Errorf(f.Span(at, at+1), source.Syntax, "the text is not UTF-8")}
	}
	p := &envParser{file: f, s: f.Text, opts: o, seen: map[string]int{}}
	p.root = newNode(&p.nodes)
	p.root.Kind, p.root.Style, p.root.At = MapNode, Block, f.Span(0, len(f.Text))
	p.i = afterMark(f.Text)
	for p.i < len(p.s) && source.FirstError(p.found) == nil {
		p.line()
	}
	if source.FirstError(p.found) != nil {
		return nil, p.found
	}
	d := &Document{Root: p.root, At: p.root.At, Head: p.head, Options: fileOptions(f.Text)}
	d.Foot = p.above(true)
	return []*Document{d}, p.found
}

// An envParser reads the text s of a .env file from byte i.
type envParser struct {
	file  *source.File
	s     string
	i     int
	opts  ParseOptions
	nodes slab[Node]
	root  *Node
	seen  map[string]int // index of the entry, by name
	found []*source.Diagnostic

	lineBreak string   // the first one outside of quotes, "" before it was read
	head      string   // comments of the document
	comments  []string // lines that wait for the next name, "" for an empty line between two comments
	tail      string   // the comment at the end of the last line
}

func (p *envParser) fail(from, to int, format string, args ...any) *source.Diagnostic {
	d := source.Errorf(p.file.Span(from, to), source.Syntax, format, args...)
	p.found = append(p.found, d)
	return d
}

// blanks skips blanks on a line.
func (p *envParser) blanks() {
	p.i = skipBlanks(p.s, p.i)
}

// lineEnd returns the offset of the end of the current line, without its break.
func (p *envParser) lineEnd() int { return endBefore(p.s, p.i) }

// atEnd skips blanks and a comment, and reports whether the line ends there. It then skips the break.
func (p *envParser) atEnd() bool {
	p.blanks()
	end := p.lineEnd()
	if p.i < end && p.s[p.i] != '#' {
		return false
	}
	p.tail = strings.TrimRight(strings.Map(commentRune, p.s[p.i:end]), " \t")
	p.i = end
	if p.i < len(p.s) && p.s[p.i] == '\r' {
		p.i++
	}
	if p.i < len(p.s) && p.s[p.i] == '\n' {
		p.i++
	}
	if p.lineBreak == "" {
		p.lineBreak = p.s[end:p.i]
	}
	return true
}

// commentRune returns a character of a comment. It returns a blank for characters that end a line in other formats,
// and for characters that other formats do not allow.
func commentRune(r rune) rune {
	if unicode.IsControl(r) && r != '\t' || unicode.In(r, unicode.Zl, unicode.Zp) || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF {
		return ' '
	}
	return r
}

// comment keeps the comment of a line without a name for the next one, or notes that the line is empty.
func (p *envParser) comment() {
	if n := len(p.comments); p.tail != "" || n == 0 || p.comments[n-1] != "" {
		p.comments = append(p.comments, p.tail)
	}
}

// above takes the comments above the line that was just read, or above the end of the file. Some are not of that line:
//
//	# the head of the document
//
//	A=1
//	# the foot of A, which an empty line or the end of the file follows
//
//	# the head of B
//	B=2
func (p *envParser) above(atEnd bool) string {
	lines := p.comments
	p.comments = nil
	empty := slices.Index(lines, "")
	if atEnd && empty < 0 {
		empty = len(lines)
	}
	switch n := len(p.root.Entries); {
	case n == 0 && !atEnd:
		for i := len(lines) - 1; i > 0 && p.head == ""; i-- {
			if lines[i] == "" {
				p.head, lines = strings.TrimPrefix(strings.Join(lines[:i], "\n"), "\n"), lines[i+1:]
			}
		}
	case n > 0 && empty > 0:
		last := &p.root.Entries[n-1]
		last.setComments(Comments{Head: last.Head, Line: last.Line, Foot: strings.Join(lines[:empty], "\n")})
		lines = lines[empty:]
	}
	text := strings.TrimPrefix(strings.Join(lines, "\n"), "\n")
	if atEnd {
		return strings.TrimSuffix(text, "\n")
	}
	return text
}

// line reads a line, with the following ones if its value has several.
func (p *envParser) line() {
	if p.atEnd() {
		p.comment()
		return
	}
	start := p.i
	name := p.name()
	if name == "export" && p.i < len(p.s) && isBlank(p.s[p.i]) {
		p.blanks()
		if p.i < len(p.s) && p.s[p.i] != '=' {
			start = p.i
			name = p.name()
		}
	}
	key := newNode(&p.nodes)
	key.At, key.Value = p.file.Span(start, p.i), value.String(name)
	p.blanks()
	switch {
	case name == "":
		p.fail(p.i, min(p.i+1, len(p.s)), "a line of a .env file is NAME=VALUE; a name has letters, digits and _").
			WithHint("a comment begins with #")
		return
	case p.i == len(p.s) || p.s[p.i] != '=':
		p.fail(start, start+len(name), "%s has no \"=\"", name).WithHint("write %s=VALUE; a value of several lines is in quotes", name)
		return
	}
	p.i++
	v := p.value()
	if v == nil {
		return
	}
	p.add(name, key, v)
}

// name reads a name, "" for none.
func (p *envParser) name() string {
	start := p.i
	for p.i < len(p.s) && isEnvName(p.s[p.i], p.i > start) {
		p.i++
	}
	return p.s[start:p.i]
}

// isEnvName reports whether a name may have a byte; inner is false for its first one.
func isEnvName(c byte, inner bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || inner && ('0' <= c && c <= '9' || c == '.' || c == '-')
}

// add adds an entry.
func (p *envParser) add(name string, key, v *Node) {
	e := entryOf(value.K(name), key, v)
	e.setComments(Comments{Head: p.above(false), Line: p.tail})
	i, twice := p.seen[name]
	if !twice {
		if len(p.root.Entries) == p.opts.maxValues() {
			p.found = append(p.found, tooManyValues(p.file, int(key.At.Start), p.opts))
			return
		}
		p.seen[name] = len(p.root.Entries)
		p.root.parts().Entries = append(p.root.Entries, e)
		return
	}
	first := p.root.Entries[i].KeyAt
	d := source.Errorf(key.At, source.DuplicateKey, "duplicate name %q; first at %s", name, first).
		WithHint("remove one of them").Note(first, "first here")
	if p.opts.Lenient {
		p.root.Entries[i] = e
		if len(p.found) == maxFindings {
			return
		}
		d.Severity = source.Warning
		d.Message += "; the last wins"
	}
	p.found = append(p.found, d)
}

// value reads the value after "=" and the rest of the line, nil after an error.
func (p *envParser) value() *Node {
	p.blanks()
	n := newNode(&p.nodes)
	if p.i < len(p.s) && (p.s[p.i] == '"' || p.s[p.i] == '\'') {
		start := p.i
		if !p.quoted(p.s[start]) {
			return nil
		}
		n.At = p.file.Span(start, p.i)
		if !p.atEnd() {
			p.fail(p.i, p.lineEnd(), "there is text after the closing quote").WithHint("a comment begins with #")
			return nil
		}
		text := p.s[start+1 : n.At.End-1]
		if p.lineBreak != "\n" {
			text = strings.ReplaceAll(text, "\r\n", "\n")
		}
		n.Style = SingleQuoted
		if p.s[start] == '"' {
			n.Style, text = DoubleQuoted, unescapeEnv(text)
		}
		n.Value = value.String(text)
		return n
	}
	start, end := p.i, p.lineEnd()
	text := p.s[start:end]
	for i := range len(text) {
		if text[i] == '#' && (i == 0 || isBlank(text[i-1])) {
			text = text[:i]
			break
		}
	}
	text = strings.TrimRight(text, " \t")
	n.At, n.Value = p.file.Span(start, start+len(text)), value.String(text)
	p.i = start + len(text)
	p.atEnd()
	return n
}

// quoted skips a text in quotes, and returns false after an error.
func (p *envParser) quoted(quote byte) bool {
	start := p.i
	for p.i++; p.i < len(p.s); p.i++ {
		switch c := p.s[p.i]; {
		case c == quote:
			p.i++
			return true
		case c == '\\' && quote == '"':
			p.i++
		}
	}
	p.fail(start, start+1, "the closing quote is missing")
	return false
}

// unescapeEnv returns a text in double quotes without its escapes.
func unescapeEnv(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && strings.HasPrefix(s[i+1:], "\r\n"): // a line that goes on, as before a \n
			i += 2
		case s[i] == '\\':
			i++
			b.WriteString(envEscape(s[i]))
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// envEscape returns the text of an escape in double quotes. A backslash before another character stays.
func envEscape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case '\n':
		return ""
	case '\\', '"', '\'', '$', '`':
		return string(c)
	}
	return "\\" + string([]byte{c})
}
