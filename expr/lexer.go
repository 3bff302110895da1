package expr

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

type tokenKind uint8

const (
	endToken tokenKind = iota
	nameToken
	numberToken
	stringToken
	opToken
	badToken // a text that is no token; its message is in str
)

// A token is one word of a Jinja expression.
type token struct {
	kind       tokenKind
	start, end int
	str        string // name, operator, text of a string, message of a bad token
	num        value.Value
}

// A lexer splits a Jinja expression into tokens on demand.
type lexer struct {
	text     string
	pos      int
	afterDot bool // "a.0.1" has two integers, not a float
}

func (l *lexer) next() token {
	for l.pos < len(l.text) && strings.IndexByte(" \t\r\n\f\v", l.text[l.pos]) >= 0 {
		l.pos++
	}
	t := l.scan()
	l.pos = t.end
	l.afterDot = t.kind == opToken && t.str == "."
	return t
}

func (l *lexer) scan() token {
	start := l.pos
	if start >= len(l.text) {
		return token{kind: endToken, start: start, end: start}
	}
	r, size := utf8.DecodeRuneInString(l.text[start:])
	switch {
	case isNameStart(r):
		return l.scanName()
	case r >= '0' && r <= '9':
		return l.scanNumber()
	case r == '"' || r == '\'':
		return l.scanString(byte(r))
	}
	for _, op := range [...]string{"**", "//", "==", "!=", "<=", ">="} {
		if strings.HasPrefix(l.text[start:], op) {
			return token{kind: opToken, start: start, end: start + 2, str: op}
		}
	}
	if strings.IndexByte("+-*/%~|.,:()[]{}<>=", l.text[start]) >= 0 {
		return token{kind: opToken, start: start, end: start + 1, str: l.text[start : start+1]}
	}
	return l.bad(start, start+size, "unexpected character %q", r)
}

func (l *lexer) bad(start, end int, format string, args ...any) token {
	return token{kind: badToken, start: start, end: end, str: fmt.Sprintf(format, args...)}
}

func isNameStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func isNamePart(r rune) bool {
	return isNameStart(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

func (l *lexer) scanName() token {
	rest := strings.TrimLeftFunc(l.text[l.pos:], isNamePart)
	end := len(l.text) - len(rest)
	return token{kind: nameToken, start: l.pos, end: end, str: l.text[l.pos:end]}
}

func (l *lexer) scanNumber() token {
	start := l.pos
	if base := l.prefixedBase(); base != 0 && !l.afterDot {
		end := l.digits(start+2, isHexDigit)
		return l.integer(start, end, l.text[start+2:end], base)
	}
	end := l.digits(start, isDigit)
	if l.afterDot {
		return l.integer(start, end, l.text[start:end], 10)
	}
	float := false
	if end+1 < len(l.text) && l.text[end] == '.' && isDigit(l.text[end+1]) {
		float = true
		end = l.digits(end+1, isDigit)
	}
	if e := l.exponent(end); e > end {
		float = true
		end = e
	}
	if !float {
		if strings.Trim(l.text[start:end], "0_") != "" && l.text[start] == '0' {
			return l.bad(start, end, "a number cannot begin with 0: write %s, or 0o%[1]s in base eight", strings.TrimLeft(l.text[start:end], "0_"))
		}
		return l.integer(start, end, l.text[start:end], 10)
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(l.text[start:end], "_", ""), 64)
	if err != nil {
		return l.bad(start, end, "number %s is too large", l.text[start:end])
	}
	return token{kind: numberToken, start: start, end: end, num: value.Float(f)}
}

func (l *lexer) prefixedBase() int {
	if l.pos+2 >= len(l.text) || l.text[l.pos] != '0' || !isHexDigit(l.text[l.pos+2]) {
		return 0
	}
	switch l.text[l.pos+1] {
	case 'x', 'X':
		return 16
	case 'o', 'O':
		return 8
	case 'b', 'B':
		return 2
	}
	return 0
}

// exponent returns the end of the exponent that begins at i, or i.
func (l *lexer) exponent(i int) int {
	if i >= len(l.text) || l.text[i] != 'e' && l.text[i] != 'E' {
		return i
	}
	j := i + 1
	if j < len(l.text) && (l.text[j] == '+' || l.text[j] == '-') {
		j++
	}
	if end := l.digits(j, isDigit); end > j {
		return end
	}
	return i
}

// digits returns the end of the digits from i on; single underscores may stand
// between them.
func (l *lexer) digits(i int, is func(byte) bool) int {
	for i < len(l.text) {
		switch {
		case is(l.text[i]):
			i++
		case l.text[i] == '_' && i+1 < len(l.text) && is(l.text[i+1]):
			i += 2
		default:
			return i
		}
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHexDigit(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// maxDigits bounds integers written out: reading decimal digits takes quadratic time.
const maxDigits = 5000

func (l *lexer) integer(start, end int, digits string, base int) token {
	digits = strings.ReplaceAll(digits, "_", "")
	if len(digits) > maxDigits {
		return l.bad(start, end, "integer has more than %d digits", maxDigits)
	}
	v, ok := parseInteger(digits, base)
	if !ok {
		return l.bad(start, end, "%s is not a number", l.text[start:end])
	}
	return token{kind: numberToken, start: start, end: end, num: v}
}

func parseInteger(digits string, base int) (value.Value, bool) {
	if i, err := strconv.ParseInt(digits, base, 64); err == nil {
		return value.Int(i), true
	}
	big, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return value.Null, false
	}
	return value.BigInt(big), true
}

// scanString reads a string literal. Its escapes are Python's: \n \x41 \u00e9 \101
// and so on; a backslash before anything else stays.
func (l *lexer) scanString(quote byte) token {
	start := l.pos
	var b strings.Builder
	for i := start + 1; i < len(l.text); {
		c := l.text[i]
		if c == quote {
			return token{kind: stringToken, start: start, end: i + 1, str: b.String()}
		}
		if c != '\\' || i+1 == len(l.text) {
			b.WriteByte(c)
			i++
			continue
		}
		n, ok := Unescape(&b, l.text[i:])
		if !ok {
			return l.bad(i, i+n, "bad escape %s in a string", l.text[i:i+n])
		}
		i += n
	}
	return l.bad(start, len(l.text), "string has no closing %c", quote)
}

// Unescape writes what the escape at the start of s means in a string of Python and
// returns its length. s begins with a backslash and is longer than that.
func Unescape(b *strings.Builder, s string) (n int, ok bool) {
	switch c := s[1]; c {
	case '\n':
		return 2, true
	case '\\', '\'', '"':
		b.WriteByte(c)
		return 2, true
	case 'x':
		return unescapeRune(b, s, 2)
	case 'u':
		return unescapeRune(b, s, 4)
	case 'U':
		return unescapeRune(b, s, 8)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return unescapeOctal(b, s), true
	default:
		if i := strings.IndexByte("abfnrtv", c); i >= 0 {
			b.WriteByte("\a\b\f\n\r\t\v"[i])
			return 2, true
		}
		b.WriteByte('\\')
		return 1, true
	}
}

// unescapeRune reads a character by its number. Two halves of a UTF-16 pair are one
// character; a half alone is none.
func unescapeRune(b *strings.Builder, s string, digits int) (n int, ok bool) {
	n = min(2+digits, len(s))
	r, ok := hexRune(s[2:n], digits)
	if !ok {
		return n, false
	}
	if utf16.IsSurrogate(r) {
		if n+6 > len(s) || s[n:n+2] != `\u` {
			return n, false
		}
		low, _ := hexRune(s[n+2:n+6], 4)
		r = utf16.DecodeRune(r, low)
		if r == utf8.RuneError {
			return n, false
		}
		n += 6
	}
	b.WriteRune(r)
	return n, true
}

func hexRune(s string, digits int) (rune, bool) {
	code, err := strconv.ParseUint(s, 16, 32)
	return rune(code), err == nil && len(s) == digits && code <= utf8.MaxRune
}

func unescapeOctal(b *strings.Builder, s string) int {
	n, code := 1, rune(0)
	for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' {
		code = code*8 + rune(s[n]-'0')
		n++
	}
	b.WriteRune(code)
	return n
}
