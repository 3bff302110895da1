package yaml

import (
	"encoding/json"
	"io"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// ParseJSON parses JSON text strictly by RFC 8259. Each of several values is a document of
// its own; an empty text has one document with a nil root.
//
// Codes: syntax, duplicate-key, limit. It stops at the first syntax error.
func ParseJSON(f *source.File, opts ParseOptions) ([]*Document, []*source.Diagnostic) {
	if d := checkSize(f, opts); d != nil {
		return nil, []*source.Diagnostic{d}
	}
	p := &jsonParser{file: f, opts: opts, src: f.Text}
	p.pos = afterMark(f.Text)
	var docs []*Document
	for p.space(); p.pos < len(p.src); p.space() {
		if len(docs) == maxDocuments {
			return nil, []*source.Diagnostic{tooManyDocuments(f, p.pos)}
		}
		root, ok := p.value()
		if !ok {
			return docs, p.found.all(p.err)
		}
		docs = append(docs, &Document{Root: root, At: root.At})
	}
	if len(docs) == 0 {
		docs = append(docs, &Document{At: f.Span(0, len(f.Text))})
	}
	return docs, p.found.all()
}

// A jsonParser parses JSON values. Its methods return false after the first error.
type jsonParser struct {
	file  *source.File
	opts  ParseOptions
	src   string
	pos   int
	depth int
	count int // items and members

	opened []int // offsets of the brackets around the current place
	nodes  slab[Node]
	found  findings
	err    *source.Diagnostic
}

func (p *jsonParser) fail(start, end int, format string, args ...any) bool {
	p.err = source.Errorf(p.file.Span(start, end), source.Syntax, format, args...)
	return false
}

func (p *jsonParser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end.
func (p *jsonParser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// value parses the value at the current place.
func (p *jsonParser) value() (*Node, bool) {
	start := p.pos
	n := newNode(&p.nodes)
	ok := true
	switch c := p.peek(); {
	case c == '{' || c == '[':
		ok = p.nested(n, c)
	case c == '"':
		ok = p.text(n)
	case c == '-' || c >= '0' && c <= '9':
		ok = p.number(n)
	default:
		ok = p.word(n)
	}
	n.At = p.file.Span(start, p.pos)
	return n, ok
}

// nested parses a list or map.
func (p *jsonParser) nested(n *Node, bracket byte) bool {
	n.Style = Flow
	if p.depth++; p.depth > p.opts.maxDepth() {
		p.err = tooDeep(p.file, p.pos, p.opts)
		return false
	}
	defer func() { p.depth-- }()
	if bracket == '[' {
		n.Kind = SeqNode
		return p.sequence(']', func() bool {
			item, ok := p.value()
			n.parts().Items = append(n.Items, item)
			return ok
		})
	}
	n.Kind = MapNode
	ok := p.sequence('}', func() bool { return p.member(n) })
	if ok {
		n.parts().Entries = uniqueKeys(n.Entries, p.opts, &p.found)
	}
	return ok
}

// sequence parses the items or members up to a closing bracket, with commas between them.
func (p *jsonParser) sequence(closer byte, item func() bool) bool {
	open := p.pos
	p.pos++
	if p.space(); p.peek() == closer {
		p.pos++
		return true
	}
	p.opened = append(p.opened, open)
	for {
		p.space()
		if p.pos >= len(p.src) {
			return p.unclosed(open, closer)
		}
		if p.count++; p.count > p.opts.maxValues() {
			p.err = tooManyValues(p.file, p.pos, p.opts)
			return false
		}
		if !item() {
			return false
		}
		switch p.space(); {
		case p.pos >= len(p.src):
			return p.unclosed(open, closer)
		case p.peek() == closer:
			p.pos++
			p.opened = p.opened[:len(p.opened)-1]
			return true
		case p.peek() != ',':
			return p.notSeparated(open, closer)
		}
		comma := p.pos
		p.pos++
		if p.space(); p.peek() == closer {
			return p.hinted("remove it", comma, comma+1, "JSON has no comma before %q", string(closer))
		}
	}
}

// member parses an entry of a map.
func (p *jsonParser) member(n *Node) bool {
	if p.peek() != '"' {
		return p.badKey()
	}
	start := p.pos
	key := Node{Parts: noParts}
	if !p.text(&key) {
		return false
	}
	key.At = p.file.Span(start, p.pos)
	e := Entry{Key: value.K(key.Value.Str()), KeyAt: key.At, Comments: noComments}
	if len(e.Key.Text)+len(`""`) < p.pos-start { // it has escapes
		kept := key
		e.key = &kept
	}
	if p.space(); p.peek() != ':' {
		return p.hinted(`an entry of a map is written "key": value`, start, int(key.At.End), `missing ":" after this key`)
	}
	p.pos++
	p.space()
	var ok bool
	e.Value, ok = p.value()
	n.parts().Entries = append(n.Entries, e)
	return ok
}

// text parses a string. Without escapes its data is a part of the source.
func (p *jsonParser) text(n *Node) bool {
	n.Style = DoubleQuoted
	start, escaped := p.pos, false
	for p.pos++; p.pos < len(p.src) && p.src[p.pos] != '"'; p.pos++ {
		switch c := p.src[p.pos]; {
		case c == '\n' || c == '\r':
			return p.hinted(`add the closing quote, or write a line break as \n`, start, start+1, "the quote is not closed on its line")
		case c < ' ':
			return p.fail(p.pos, p.pos+1, "a text cannot hold the control character %U: write it as an escape", rune(c))
		case c == '\\':
			escaped = true
			if !p.escape() {
				return false
			}
		}
	}
	if p.pos >= len(p.src) {
		return p.hinted("add the closing quote", start, start+1, "the quote is never closed")
	}
	p.pos++
	text := p.src[start+1 : p.pos-1]
	if !utf8.ValidString(text) {
		return p.fail(start, p.pos, "the text is not UTF-8")
	}
	if escaped {
		d := textDecoder{src: p.src[start:p.pos]}
		d.flow(1, len(d.src)-1, '"')
		text = d.text.String()
	}
	n.Value = value.String(text)
	return true
}

// escape checks the escape at the current place and skips to its last byte.
func (p *jsonParser) escape() bool {
	p.pos++
	c := p.peek()
	if c == 'u' {
		if _, ok := hex(p.src[p.pos-1:], 4); !ok {
			return p.fail(p.pos-1, p.pos+1, `\u needs four hexadecimal digits`)
		}
		p.pos += 4
		return true
	}
	if c == 0 || strings.IndexByte(`"\/bfnrt`, c) < 0 {
		return p.hinted(`write the backslash twice`, p.pos-1, p.pos+1, "JSON has no such escape")
	}
	return true
}

// number parses -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?
func (p *jsonParser) number(n *Node) bool {
	start := p.pos
	for p.pos < len(p.src) && strings.IndexByte("+-.eE0123456789", p.src[p.pos]) >= 0 {
		p.pos++
	}
	text := p.src[start:p.pos]
	if !jsonNumber(text) {
		return p.hinted(numberHint(text), start, p.pos, "%q is not a number in JSON", text)
	}
	v, ok := resolveNumber(text)
	if !ok {
		return p.fail(start, p.pos, "the number is too long")
	}
	n.Value = spelled(v, text)
	return true
}

// jsonNumber reports whether s is a number of RFC 8259.
func jsonNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	whole := countDigits(digits)
	if whole == 0 || whole > 1 && digits[0] == '0' {
		return false
	}
	rest := digits[whole:]
	if rest != "" && rest[0] == '.' && countDigits(rest[1:]) == 0 {
		return false
	}
	return rest == "" || isFloat(digits)
}

// word parses null, true or false.
func (p *jsonParser) word(n *Node) bool {
	rest := p.src[p.pos:]
	for _, word := range [...]string{"null", "true", "false"} {
		if strings.HasPrefix(rest, word) && (len(rest) == len(word) || !isNameByte[rest[len(word)]]) {
			p.pos += len(word)
			n.Value, _ = resolveWord(word)
			return true
		}
	}
	if p.pos >= len(p.src) {
		return p.fail(p.pos, p.pos, "the text ends where a value is expected")
	}
	return p.notAValue()
}

// EncodeJSON writes v as JSON and a line break. Keys keep their order, characters are not
// escaped without need, and numbers keep their spelling if it is valid JSON.
//
// Codes: output (.inf, .nan, a text that is not UTF-8, a function), bad-key (two keys with
// the same text), bad-tag (a tag that is not YAML's own, unless DropTags is set), limit.
// Errors of computed lists and maps are returned as they are.
func EncodeJSON(w io.Writer, v value.Value, opts EncodeOptions) error {
	e := &jsonEncoder{output: newOutput(w, opts), step: opts.Indent}
	if e.step <= 0 {
		e.step = 2
	}
	v = e.shown(v)
	e.value(v, e.root(v))
	e.write("\n")
	return e.end()
}

// EncodeKYAML writes v as a document of KYAML, the dialect of YAML of Kubernetes that does not depend on
// indentation: maps and lists in brackets, with a comma after each item, texts in quotes, and keys
// without them where all readers take them for texts.
//
// Codes: the codes of [EncodeJSON], without bad-key.
func EncodeKYAML(w io.Writer, v value.Value, opts EncodeOptions) error {
	opts.Compact = false
	e := &jsonEncoder{output: newOutput(w, opts), step: 2, kyaml: true}
	e.write("---\n")
	v = e.shown(v)
	e.value(v, e.root(v))
	e.write("\n")
	return e.end()
}

type jsonEncoder struct {
	*output
	step, depth int
	kyaml       bool
}

func (e *jsonEncoder) value(v value.Value, a value.Annotation) {
	if e.refusesTag(v, a) {
		return
	}
	switch v.Kind() {
	case value.ListKind, value.MapKind:
		if l := e.lasting(v); l != nil {
			e.remember(l, memoForm{language: e.language(), column: int32(e.depth), step: int16(min(e.step, math.MaxInt16))}, nil, func() { e.collection(v) })
			return
		}
		e.collection(v)
	case value.StringKind:
		e.text(v.Str())
	case value.IntKind, value.FloatKind:
		e.number(v)
	case value.NullKind, value.BoolKind:
		e.write(canonical(v))
	default:
		e.unwritable(v)
	}
}

func (e *jsonEncoder) collection(v value.Value) {
	if v.Is(value.ListKind) {
		e.list(v.List())
		return
	}
	e.mapping(v.Map())
}

func (e *jsonEncoder) language() memoLanguage {
	if e.kyaml {
		return memoKYAML
	}
	return memoJSON
}

func (e *jsonEncoder) list(l value.List) {
	if e.kyaml && e.holdsMaps(l) { // [{ a: 1 }, { b: 2 }]: only the entries are indented
		e.inBrackets(l, e.value)
		return
	}
	e.write("[")
	e.depth++
	empty := true
	e.items(l, func(i int, v value.Value) {
		e.separate(&empty)
		e.value(v, annotationOf(l, i))
	})
	e.closeWith("]", empty)
}

// holdsMaps reports whether a list has items, and all are maps with keys.
func (e *jsonEncoder) holdsMaps(l value.List) bool {
	for i := range l.Len() {
		v, err := l.At(i)
		if err != nil {
			return false
		}
		if v = e.shown(v); !v.Is(value.MapKind) || v.Map().Len() == 0 {
			return false
		}
	}
	return l.Len() > 0
}

func (e *jsonEncoder) mapping(m value.Map) {
	e.write("{")
	e.depth++
	empty := true
	var twins map[string]bool
	if !e.kyaml {
		twins = twinKeys(m)
	}
	e.entries(m, func(i int, k value.Key, v value.Value) {
		if twins[k.Text] {
			e.fail(source.BadKey, "two keys have the text %q, which JSON cannot tell apart", k.Text)
			return
		}
		e.separate(&empty)
		if e.kyaml && (k.Kind != value.StringKind || isPlainKey(k.Text)) {
			e.write(k.Text)
		} else {
			e.text(k.Text)
		}
		e.write(":")
		if !e.Compact {
			e.write(" ")
		}
		e.value(v, annotationOf(m, i))
	})
	e.closeWith("}", empty)
}

// separate writes the comma before an item or entry, unless it is the first, and a new line.
func (e *jsonEncoder) separate(empty *bool) {
	if !*empty {
		e.write(",")
	}
	*empty = false
	e.newLine()
}

func (e *jsonEncoder) closeWith(bracket string, empty bool) {
	e.depth--
	if !empty {
		if e.kyaml {
			e.write(",")
		}
		e.newLine()
	}
	e.write(bracket)
}

func (e *jsonEncoder) newLine() {
	if !e.Compact {
		e.write("\n")
		e.indent(e.depth * e.step)
	}
}

// number writes the spelling of a number if it is JSON, such as 1e3, or else its canonical text.
func (e *jsonEncoder) number(v value.Value) {
	text := spelling(v)
	if text != canonical(v) && json.Valid([]byte(text)) {
		e.write(text) // also a number that is too large for a float, such as 1e999
		return
	}
	if f := v.Float(); !e.kyaml && v.Is(value.FloatKind) && (math.IsInf(f, 0) || math.IsNaN(f)) {
		e.fail(source.Output, "%s has no spelling in JSON", canonical(v))
		return
	}
	e.write(canonical(v))
}

// text writes a string, with escapes for quotes, backslashes and control characters.
func (e *jsonEncoder) text(s string) {
	if !utf8.ValidString(s) {
		e.fail(source.Output, "the text is not UTF-8, and JSON has no type for bytes")
		return
	}
	if e.kyaml {
		e.write(doubleQuote(s))
		return
	}
	e.write(`"`)
	from := 0
	for i := range len(s) {
		if escape := jsonEscape(s[i]); escape != "" {
			e.write(s[from:i])
			e.write(escape)
			from = i + 1
		}
	}
	e.write(s[from:])
	e.write(`"`)
}

// isPlainKey reports whether a key needs no quotes in KYAML.
func isPlainKey(s string) bool {
	return safePlain(s) && !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII || strings.ContainsRune(" ,:[]{}#&*!|>'\"%@`", r) })
}

// jsonEscape returns the escape of a byte, or "" if it needs none.
func jsonEscape(c byte) string {
	if c >= ' ' && c != '"' && c != '\\' {
		return ""
	}
	const short = "\"\\\n\t\r\b\f"
	if i := strings.IndexByte(short, c); i >= 0 {
		return [...]string{`\"`, `\\`, `\n`, `\t`, `\r`, `\b`, `\f`}[i]
	}
	const digits = "0123456789abcdef"
	return `\u00` + string([]byte{digits[c>>4], digits[c&15]})
}
