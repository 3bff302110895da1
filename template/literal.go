package template

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// readLiteral reads a text that is a Python literal as a whole: a number, True,
// False, None, a list, a dict, or a tuple, which becomes a list (spec: expressions,
// section 7). A quoted text as a whole is not taken, so that it keeps its quotes;
// inside of lists and dicts texts are read. Text that is no literal gives false.
//
// A float keeps its spelling where YAML would read it the same way: 1.10 stays 1.10.
// What is in lists and dicts is charged as steps before there is more of it; a literal of
// more than maxLiteralItems is an error, since a short template can make one.
func readLiteral(text string, work stepper) (v value.Value, ok bool, err error) {
	if !mayBeLiteral(text) {
		return value.Null, false, nil
	}
	p := literalParser{src: strings.TrimRight(text, blanks), work: work}
	p.lineBreaks()
	v, ok = p.top()
	if p.refused != nil {
		return value.Null, false, p.refused
	}
	if !ok || p.pos != len(p.src) || v.Is(value.StringKind) {
		return value.Null, false, nil
	}
	if v.Is(value.FloatKind) && plainFloat(p.src) {
		v = v.WithSource(value.Scalar{Spelling: p.src, Plain: true})
	}
	return v, true, nil
}

// literalPrefix reads the literal that a text begins with, quoted texts included,
// and returns what it takes.
func literalPrefix(text string) (v value.Value, n int, ok bool) {
	p := literalParser{src: text}
	p.space()
	v, ok = p.value()
	return v, p.pos, ok
}

// mayBeLiteral looks at the first byte: most texts need no more.
func mayBeLiteral(text string) bool {
	text = strings.TrimLeft(text, "\r\n")
	if text == "" {
		return false
	}
	switch c := text[0]; c {
	case '[', '(', '{', '-', '+', '.', 'T', 'F', 'N', '\'', '"':
		return true
	default:
		return '0' <= c && c <= '9'
	}
}

// maxLiteralDepth bounds the nesting of brackets, as Python's own parser does.
const maxLiteralDepth = 200

// maxIntDigits is how long a number Python takes.
const maxIntDigits = 4300

// maxLiteralItems bounds what is in the lists and dicts of a literal.
const maxLiteralItems = 4 << 20

// A stepper counts work, and may refuse more of it.
type stepper interface{ Step(n int) error }

type literalParser struct {
	src     string
	pos     int
	depth   int
	items   int     // values so far
	work    stepper // or nil
	refused error   // why the literal is not read
}

// count counts a value, and is false if no more may be read.
func (p *literalParser) count() bool {
	if p.items++; p.items%itemsCounted != 0 {
		return true
	}
	if p.items > maxLiteralItems {
		p.refused = source.Errorf(source.Span{}, source.Limit, "the text of the template is a literal of more than %d values", maxLiteralItems)
	} else if p.work != nil {
		p.refused = p.work.Step(literalSteps * itemsCounted)
	}
	return p.refused == nil
}

// literalSteps is what reading a value costs.
const literalSteps = 4

// lineBreaks skips empty lines before the literal.
func (p *literalParser) lineBreaks() {
	for p.pos < len(p.src) && (p.src[p.pos] == '\n' || p.src[p.pos] == '\r') {
		p.pos++
	}
}

func (p *literalParser) space() {
	for p.pos < len(p.src) && strings.IndexByte(blanks, p.src[p.pos]) >= 0 {
		p.pos++
	}
}

// lineSpace skips blanks between the words of one line. Inside of brackets a line
// break is a blank.
func (p *literalParser) lineSpace() {
	if p.depth > 0 {
		p.space()
		return
	}
	for p.pos < len(p.src) && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t') {
		p.pos++
	}
}

func (p *literalParser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func (p *literalParser) accept(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.pos++
	return true
}

// top reads a value, or several with commas between them: a tuple.
func (p *literalParser) top() (value.Value, bool) {
	first, ok := p.value()
	if !ok {
		return first, false
	}
	p.lineSpace()
	if p.peek() != ',' {
		return first, true
	}
	items := value.Slice{first}
	for p.accept(',') {
		p.lineSpace()
		if p.pos == len(p.src) || p.peek() == ')' {
			break
		}
		v, ok := p.value()
		if !ok {
			return v, false
		}
		items = append(items, v)
		p.lineSpace()
	}
	return value.FromList(items), true
}

func (p *literalParser) value() (value.Value, bool) {
	if !p.count() {
		return value.Null, false
	}
	switch c := p.peek(); {
	case c == '[':
		return p.bracket(p.list)
	case c == '(':
		return p.bracket(p.tuple)
	case c == '{':
		return p.bracket(p.dict)
	case c == '\'' || c == '"':
		return p.text()
	case c == '-' || c == '+':
		p.pos++
		p.lineSpace()
		n, ok := p.number()
		if ok && c == '-' {
			n, _ = value.Neg(n)
		}
		return n, ok
	case isLetter(c):
		return p.constant()
	}
	return p.number()
}

func (p *literalParser) bracket(inside func() (value.Value, bool)) (value.Value, bool) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxLiteralDepth {
		return value.Null, false
	}
	p.pos++
	p.space()
	return inside()
}

func (p *literalParser) list() (value.Value, bool) {
	items := value.Slice{}
	for !p.accept(']') {
		v, ok := p.value()
		if !ok || !p.comma(']') {
			return v, false
		}
		items = append(items, v)
	}
	return value.FromList(items), true
}

// tuple reads what is in parentheses: a value, or a tuple.
func (p *literalParser) tuple() (value.Value, bool) {
	if p.accept(')') {
		return value.ListOf(), true
	}
	v, ok := p.top()
	return v, ok && p.accept(')')
}

// comma reads the comma between items; the last one may be missing.
func (p *literalParser) comma(closing byte) bool {
	p.space()
	if !p.accept(',') {
		return p.peek() == closing
	}
	p.space()
	return true
}

// dict reads a dict. A set has no counterpart in YAML and is not taken.
func (p *literalParser) dict() (value.Value, bool) {
	m := value.NewMap(4)
	for !p.accept('}') {
		k, ok := p.value()
		if !ok {
			return k, false
		}
		key, ok := value.KeyOf(k)
		p.space()
		if !ok || !p.accept(':') {
			return k, false
		}
		p.space()
		v, ok := p.value()
		if !ok || !p.comma('}') {
			return v, false
		}
		m.Set(key, v)
	}
	return value.FromMap(m), true
}

func (p *literalParser) constant() (value.Value, bool) {
	start := p.pos
	for p.pos < len(p.src) && isWordByte(p.src[p.pos]) {
		p.pos++
	}
	switch p.src[start:p.pos] {
	case "True":
		return value.True, true
	case "False":
		return value.False, true
	case "None":
		return value.Null, true
	}
	return value.Null, false
}

// number reads an unsigned number.
func (p *literalParser) number() (value.Value, bool) {
	start := p.pos
	for p.pos < len(p.src) && (isWordByte(p.src[p.pos]) || p.src[p.pos] == '.' || p.exponentSign(start)) {
		p.pos++
	}
	s := p.src[start:p.pos]
	if len(s) > 1 && s[0] == '0' && strings.IndexByte("xXoObB", s[1]) >= 0 {
		return basedInt(s)
	}
	if strings.ContainsAny(s, ".eE") {
		return floatLiteral(s)
	}
	return decimalInt(s)
}

// exponentSign reports whether the current sign belongs to an exponent: 1e-3.
func (p *literalParser) exponentSign(start int) bool {
	c := p.src[p.pos]
	if c != '-' && c != '+' || p.pos == start || strings.HasPrefix(p.src[start:], "0x") {
		return false
	}
	before := p.src[p.pos-1]
	return before == 'e' || before == 'E'
}

// digits returns s without the underscores between its digits, and false if it is
// not made of digits of that base and single underscores between them.
func digits(s string, base int) (string, bool) {
	if s == "" || s[0] == '_' || s[len(s)-1] == '_' || strings.Contains(s, "__") || len(s) > 2*maxIntDigits {
		return "", false
	}
	for i := range len(s) {
		if s[i] != '_' && digitOf(s[i]) >= base {
			return "", false
		}
	}
	return strings.ReplaceAll(s, "_", ""), true
}

func digitOf(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 99
}

// basedInt reads 0x1F, 0o17 and 0b1.
func basedInt(s string) (value.Value, bool) {
	base := map[byte]int{'x': 16, 'o': 8, 'b': 2}[s[1]|0x20]
	d, ok := digits(strings.TrimPrefix(s[2:], "_"), base)
	if !ok {
		return value.Null, false
	}
	return intInBase(d, base)
}

func decimalInt(s string) (value.Value, bool) {
	d, ok := digits(s, 10)
	if !ok || d[0] == '0' && strings.Trim(d, "0") != "" {
		return value.Null, false // 007 is no number in Python, 00 is
	}
	return intInBase(d, 10)
}

func intInBase(d string, base int) (value.Value, bool) {
	if i, err := strconv.ParseInt(d, base, 64); err == nil {
		return value.Int(i), true
	}
	b, ok := new(big.Int).SetString(d, base)
	if !ok || len(d) > maxIntDigits {
		return value.Null, false
	}
	return value.BigInt(b), true
}

// floatLiteral reads 1.5, 5., .5 and 1e3. Numbers too big for a float are no
// literals: they are more likely a digest such as 12e4567.
func floatLiteral(s string) (value.Value, bool) {
	mantissa, exponent, hasExponent := cutExponent(s)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" || !digitsOrEmpty(whole) || !digitsOrEmpty(fraction) {
		return value.Null, false
	}
	if hasExponent {
		if _, ok := digits(exponent, 10); !ok {
			return value.Null, false
		}
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if err != nil || math.IsInf(f, 0) {
		return value.Null, false
	}
	return value.Float(f), true
}

// cutExponent splits a float at its "e"; the exponent is without its sign.
func cutExponent(s string) (mantissa, exponent string, ok bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exponent = s[i+1:]
		if exponent != "" && (exponent[0] == '-' || exponent[0] == '+') {
			exponent = exponent[1:]
		}
		return s[:i], exponent, true
	}
	return s, "", false
}

func digitsOrEmpty(s string) bool {
	_, ok := digits(s, 10)
	return ok || s == ""
}

// plainFloat reports whether YAML's core schema reads s as a float, too.
func plainFloat(s string) bool {
	return strings.Trim(s, "0123456789+-.eE") == ""
}

// text reads adjacent quoted texts. Prefixes such as b and r are not taken.
func (p *literalParser) text() (value.Value, bool) {
	var b strings.Builder
	for c := p.peek(); c == '\'' || c == '"'; c = p.peek() {
		if !p.quoted(&b) {
			return value.Null, false
		}
		p.lineSpace()
	}
	return value.String(b.String()), true
}

func (p *literalParser) quoted(b *strings.Builder) bool {
	quote := p.src[p.pos : p.pos+1]
	if strings.HasPrefix(p.src[p.pos:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	p.pos += len(quote)
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case strings.HasPrefix(p.src[p.pos:], quote):
			p.pos += len(quote)
			return true
		case c == '\\':
			if !p.escape(b) {
				return false
			}
		case c == '\n' && len(quote) == 1:
			return false
		default:
			b.WriteByte(c)
			p.pos++
		}
	}
	return false
}

var simpleEscapes = map[byte]string{
	'\n': "", '\\': `\`, '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

func (p *literalParser) escape(b *strings.Builder) bool {
	if p.pos+1 >= len(p.src) {
		return false
	}
	c := p.src[p.pos+1]
	if s, ok := simpleEscapes[c]; ok {
		b.WriteString(s)
		p.pos += 2
		return true
	}
	switch c {
	case 'x':
		return p.codePoint(b, 2)
	case 'u':
		return p.codePoint(b, 4)
	case 'U':
		return p.codePoint(b, 8)
	case 'N':
		return false
	}
	if '0' <= c && c <= '7' {
		return p.octal(b)
	}
	b.WriteByte('\\') // an escape that Python does not know stays as it is
	p.pos++
	return true
}

func (p *literalParser) codePoint(b *strings.Builder, n int) bool {
	from := p.pos + 2
	if from+n > len(p.src) {
		return false
	}
	r, err := strconv.ParseUint(p.src[from:from+n], 16, 32)
	if err != nil || r > utf8.MaxRune {
		return false
	}
	b.WriteRune(rune(r))
	p.pos = from + n
	return true
}

func (p *literalParser) octal(b *strings.Builder) bool {
	from, end := p.pos+1, p.pos+1
	for end < len(p.src) && end < from+3 && '0' <= p.src[end] && p.src[end] <= '7' {
		end++
	}
	r, err := strconv.ParseUint(p.src[from:end], 8, 32)
	if err != nil {
		return false
	}
	b.WriteRune(rune(r))
	p.pos = end
	return true
}
