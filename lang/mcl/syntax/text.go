package syntax

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
)

// str reads a string, and decodes it into parts (spec: mcl, section 6).
func (p *parser) str() Expr {
	start := p.tok.start
	d := stringDecoder{p: p, pos: int(start) + 1, end: int(p.tok.end) - 1}
	p.advance()
	parts := d.decode()
	return &Str{p.base(start, 1), parts}
}

// A stringDecoder decodes the text between two quotes.
//
//	a\t${b}$${c}   "a<tab>", the variable b, "${c}"
type stringDecoder struct {
	p        *parser
	pos, end int // in the text of the file
	parts    []Part
	text     []byte
	escaped  source.Span // the first escape that makes bytes: \x or octal
	broken   bool        // there is a problem
}

// decode returns the parts, or nothing if the string has a problem.
func (d *stringDecoder) decode() []Part {
	t := d.p.file.Text
	if raw := t[d.pos:d.end]; raw != "" && !strings.ContainsAny(raw, `\$`) {
		return []Part{{Text: raw}}
	}
	for d.pos < d.end && !d.broken {
		rest := t[d.pos:d.end]
		switch {
		case rest[0] == '\\':
			d.escape()
		case strings.HasPrefix(rest, "$${"):
			d.text = append(d.text, "${"...)
			d.pos += len("$${")
		case strings.HasPrefix(rest, "${"):
			d.reference()
		default:
			n := max(1, nextOf(rest[1:], `\$`)+1)
			d.text = append(d.text, rest[:n]...)
			d.pos += n
		}
	}
	d.flush()
	if d.broken {
		return nil
	}
	return d.parts
}

// nextOf returns the offset of the first of some bytes in a text, or the length of the text.
func nextOf(text, bytes string) int {
	if i := strings.IndexAny(text, bytes); i >= 0 {
		return i
	}
	return len(text)
}

// flush ends the part of text.
func (d *stringDecoder) flush() {
	if len(d.text) == 0 {
		return
	}
	if !d.escaped.IsZero() && !utf8.Valid(d.text) {
		d.problem(int(d.escaped.Start), int(d.escaped.End), "the escape %s makes the string something else than UTF-8", d.escaped.Text())
	}
	d.parts = append(d.parts, Part{Text: string(d.text)})
	d.text, d.escaped = d.text[:0], source.Span{}
}

// problem makes the string a bad one. Decoding stops.
func (d *stringDecoder) problem(start, end int, format string, args ...any) *source.Diagnostic {
	d.broken = true
	return d.p.problem(d.p.file.Span(start, end), format, args...)
}

// simpleEscapes are the meanings of the letters after a backslash, 0 for others.
var simpleEscapes = [256]byte{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\', '"': '"', '$': '$'}

// escape decodes an escape. The string does not end after its backslash.
func (d *stringDecoder) escape() {
	t, at := d.p.file.Text, d.pos
	c := t[at+1]
	if plain := simpleEscapes[c]; plain != 0 {
		d.text = append(d.text, plain)
		d.pos += 2
		return
	}
	digits, base := 0, 16
	from := at + 2
	switch {
	case c == 'x':
		digits = 2
	case c == 'u':
		digits = 4
	case c == 'U':
		digits = 8
	case c >= '0' && c <= '7':
		digits, base, from = 3, 8, at+1
	default:
		_, size := utf8.DecodeRuneInString(t[at+1:])
		d.problem(at, at+1+size, "unexpected escape %s in a string", t[at:at+1+size]).
			WithHint(`there are \a \b \f \n \r \t \v \\ \" \$, \xHH, \uHHHH, \UHHHHHHHH and three octal digits; a backslash is written \\`)
		return
	}
	end := min(from+digits, d.end)
	n, err := strconv.ParseUint(t[from:end], base, 32)
	char := c == 'u' || c == 'U'
	if err != nil || end-from < digits || !char && n > 255 || char && !utf8.ValidRune(rune(n)) {
		d.problem(at, at+2, "unexpected escape %s in a string: it needs %d digits to the base %d that are a character", t[at:at+2], digits, base)
		return
	}
	if char {
		d.text = utf8.AppendRune(d.text, rune(n))
	} else {
		if d.escaped.IsZero() {
			d.escaped = d.p.file.Span(at, end)
		}
		d.text = append(d.text, byte(n))
	}
	d.pos = end
}

// reference decodes "${name}", or "${name(args)}" of 2018.
func (d *stringDecoder) reference() {
	start := d.pos
	d.flush()
	d.pos += len("${")
	d.blanks()
	nameStart := d.pos
	name := d.name()
	var ref Expr
	switch {
	case name == "":
	case d.skip('('):
		at := d.p.file.Span(nameStart, nameStart+len(name))
		if args, ok := d.args(); ok {
			ref = &Call{Base: d.base(nameStart, 1), Name: Word{name, at}, Args: args}
		}
	default:
		ref = &Var{d.baseTo(nameStart, nameStart+len(name), 0), name}
	}
	d.blanks()
	if ref != nil && d.skip('}') {
		d.parts = append(d.parts, Part{Ref: ref})
		return
	}
	if d.broken {
		return
	}
	closing := strings.IndexByte(d.p.file.Text[start:d.end], '}')
	if closing < 0 {
		d.problem(start, start+2, "unexpected end of the string: \"${\" is not closed").WithHint("write \\${ for the characters themselves")
		return
	}
	bad := d.p.file.Span(start, start+closing+1)
	d.problem(start, start+closing+1, "unexpected reference %s in a string", bad.Text()).
		WithHint("the name of a variable goes between the braces; write \\${ for the characters themselves")
}

func (d *stringDecoder) blanks() {
	for d.pos < d.end && (d.p.file.Text[d.pos] == ' ' || d.p.file.Text[d.pos] == '\t') {
		d.pos++
	}
}

// skip passes over a character if it is the next one.
func (d *stringDecoder) skip(c byte) bool {
	if d.pos < d.end && d.p.file.Text[d.pos] == c {
		d.pos++
		return true
	}
	return false
}

// name reads a name with dots, or returns "".
func (d *stringDecoder) name() string {
	start, t := d.pos, d.p.file.Text
	for {
		word := d.pos
		for d.pos < d.end && isWordByte(t[d.pos]) {
			d.pos++
		}
		w := t[word:d.pos]
		if w == "" || w[0] < 'a' || w[0] > 'z' || strings.HasSuffix(w, "_") || isCommon(w) {
			d.pos = start
			return ""
		}
		if !d.skip('.') {
			return t[start:d.pos]
		}
	}
}

// args reads the arguments of a call: names of variables, and literals.
func (d *stringDecoder) args() (*Args, bool) {
	a := &Args{Open: d.p.file.Span(d.pos-1, d.pos)}
	for {
		if d.blanks(); d.skip(')') {
			a.Close = d.p.file.Span(d.pos-1, d.pos)
			return a, true
		}
		x := d.arg()
		if x == nil {
			return nil, false
		}
		a.List = append(a.List, x)
		d.blanks()
		if d.pos == d.end || d.p.file.Text[d.pos] != ')' && !d.skip(',') {
			return nil, false
		}
	}
}

// arg reads an argument, or returns nil.
func (d *stringDecoder) arg() Expr {
	start, t := d.pos, d.p.file.Text
	if strings.HasPrefix(t[d.pos:d.end], `\"`) {
		return d.quoted()
	}
	if w := strings.TrimPrefix(t[start:start+nextOf(t[start:d.end], " \t,)")], "-"); w != "" && isDigit(w[0]) {
		return d.number(start)
	}
	if i := slices.IndexFunc([]string{"true", "false"}, func(w string) bool {
		return strings.HasPrefix(t[start:d.end], w) && (start+len(w) == d.end || !isWordByte(t[start+len(w)]))
	}); i >= 0 {
		d.pos += len("true") + i
		return &Bool{d.base(start, 0), i == 0}
	}
	name := d.name()
	if name == "" {
		return nil
	}
	return &Var{d.base(start, 0), name}
}

// number reads an argument that is a number, or returns nil.
func (d *stringDecoder) number(start int) Expr {
	end := start + nextOf(d.p.file.Text[start:d.end], " \t,)")
	digits := d.p.file.Text[start:end]
	d.pos = end
	if strings.Trim(digits, "-.0123456789") != "" || strings.HasSuffix(digits, ".") {
		return nil
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return &Int{d.base(start, 0), n}
	}
	if x, err := strconv.ParseFloat(digits, 64); err == nil && strings.Contains(digits, ".") {
		return &Float{d.base(start, 0), x}
	}
	return nil
}

// quoted reads an argument between escaped quotes, or returns nil. It refers to nothing.
func (d *stringDecoder) quoted() Expr {
	start := d.pos
	inner := stringDecoder{p: d.p, pos: start + 2, end: d.end}
	closing := strings.Index(d.p.file.Text[inner.pos:d.end], `\"`)
	if closing < 0 {
		return nil
	}
	inner.end = inner.pos + closing
	for inner.pos < inner.end && !inner.broken {
		if d.p.file.Text[inner.pos] == '\\' {
			inner.escape()
			continue
		}
		inner.text = append(inner.text, d.p.file.Text[inner.pos])
		inner.pos++
	}
	inner.flush()
	if d.pos = inner.end + 2; inner.broken {
		d.broken = true
		return nil
	}
	return &Str{d.base(start, 0), inner.parts}
}

// base makes the common part of an expression in a string, from start to the position.
func (d *stringDecoder) base(start, height int) Base { return d.baseTo(start, d.pos, height) }

func (d *stringDecoder) baseTo(start, end, height int) Base {
	b := d.p.base(uint32(start), height)
	b.At = d.p.file.Span(start, end)
	return b
}

// Shown returns the text of a literal for a message: a mask, if it is one of an encrypted file.
func Shown(at source.Span, text string) string {
	if at.File.Secret {
		return "*****"
	}
	return text
}
