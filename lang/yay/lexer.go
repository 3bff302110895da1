package yay

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
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

// A token is one word of an expression.
type token struct {
	kind       tokenKind
	start, end int
	str        string // name, operator, text of a string, message of a bad token
	num        value.Value
}

func (t token) is(word string) bool {
	return t.str == word && (t.kind == nameToken || t.kind == opToken)
}

// A lexer splits an expression into tokens on demand. It reads up to the end of a
// line; in a directive a "\" continues on the next one (spec: yay, section 1.9).
type lexer struct {
	text      string
	pos, end  int
	directive bool
	braces    int // open ones, so that "}}" is two of them where two are open
	comment   int // start of the comment that ended the line, or -1
	secret    bool
}

func (l *lexer) next() token {
	l.skip()
	t := l.scan()
	l.pos = t.end
	return t
}

// skip passes over blanks, over a comment and, in a directive, over line breaks
// behind a backslash.
func (l *lexer) skip() {
	for {
		l.pos = skipBlanks(l.text, l.pos, l.end)
		switch {
		case l.pos == l.end:
			return
		case l.text[l.pos] == '#':
			l.comment = l.pos
			l.pos = l.end
			return
		case l.directive && l.text[l.pos] == '\\' && skipBlanks(l.text, l.pos+1, l.end) == l.end:
			l.pos = nextLine(l.text, l.end)
			l.end = lineEnd(l.text, l.pos)
		default:
			return
		}
	}
}

// operators are those of two characters; "}}" is not among them.
var operators = [...]string{"**", "//", "<<", ">>", "<=", ">=", "==", "!=", "<>"}

func (l *lexer) scan() token {
	start := l.pos
	if start >= l.end {
		return token{kind: endToken, start: start, end: start}
	}
	c := l.text[start]
	switch {
	case isNameStart(c):
		return l.scanWord()
	case isDigit(c), c == '.' && start+1 < l.end && isDigit(l.text[start+1]):
		return l.scanNumber()
	case c == '"' || c == '\'':
		return l.scanString(start, false)
	}
	if start+1 < l.end {
		for _, op := range operators {
			if l.text[start:start+2] == op {
				return l.op(op)
			}
		}
	}
	return l.scanPunctuation(c)
}

func (l *lexer) scanPunctuation(c byte) token {
	switch {
	case c == '{':
		l.braces++
	case c == '}' && l.braces > 0:
		l.braces--
	case c == '}' && strings.HasPrefix(l.text[l.pos:l.end], "}}"):
		return l.op("}}")
	}
	if strings.IndexByte("+-*/%&|^~<>()[]{},:.=`@;", c) >= 0 {
		return l.op(l.text[l.pos : l.pos+1])
	}
	r, size := utf8.DecodeRuneInString(l.text[l.pos:l.end])
	return l.bad(l.pos, l.pos+size, "unexpected character %s", quote(string(r), l.secret))
}

func (l *lexer) op(text string) token {
	return token{kind: opToken, start: l.pos, end: l.pos + len(text), str: text}
}

func (l *lexer) bad(start, end int, format string, args ...any) token {
	return token{kind: badToken, start: start, end: end, str: fmt.Sprintf(format, args...)}
}

func isNameStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isNamePart(c byte) bool { return isNameStart(c) || isDigit(c) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// scanWord reads a name, or a string with a prefix.
func (l *lexer) scanWord() token {
	end := l.wordEnd(l.pos)
	word := l.text[l.pos:end]
	if end < l.end && (l.text[end] == '"' || l.text[end] == '\'') {
		switch strings.ToLower(word) {
		case "r", "ur":
			return l.scanString(end, true)
		case "u":
			return l.scanString(end, false)
		}
	}
	return token{kind: nameToken, start: l.pos, end: end, str: word}
}

// scanNumber reads an integer or a float.
func (l *lexer) scanNumber() token {
	end := l.pos
	if base := l.base(); base != 0 {
		end = l.wordEnd(l.pos + 2)
		return l.integer(end, l.text[l.pos+2:end], base)
	}
	end = l.digits(end)
	float := false
	if end < l.end && l.text[end] == '.' && (end+1 == l.end || !isNameStart(l.text[end+1])) {
		float = true
		end = l.digits(end + 1)
	}
	if e := l.exponent(end); e > end {
		float = true
		end = e
	}
	if end < l.end && isNamePart(l.text[end]) {
		end = l.wordEnd(end)
		return l.bad(l.pos, end, "%s is not a number", quote(l.text[l.pos:end], l.secret))
	}
	if float {
		return l.float(end)
	}
	digits := l.text[l.pos:end]
	if len(digits) > 1 && digits[0] == '0' {
		return l.bad(l.pos, end, "a number cannot begin with 0: %s", quote(digits, l.secret))
	}
	return l.integer(end, digits, 10)
}

// base returns the base that a prefix such as 0x names, or 0.
func (l *lexer) base() int {
	if l.pos+2 >= l.end || l.text[l.pos] != '0' || !isNamePart(l.text[l.pos+2]) {
		return 0
	}
	switch l.text[l.pos+1] | 0x20 {
	case 'x':
		return 16
	case 'o':
		return 8
	case 'b':
		return 2
	}
	return 0
}

// digits returns the end of the digits at i.
func (l *lexer) digits(i int) int { return i + countDigits(l.text[i:l.end]) }

// wordEnd returns the end of the letters and digits at i.
func (l *lexer) wordEnd(i int) int {
	for i < l.end && isNamePart(l.text[i]) {
		i++
	}
	return i
}

// exponent returns the end of the exponent that begins at i, or i.
func (l *lexer) exponent(i int) int {
	if i >= l.end || l.text[i]|0x20 != 'e' {
		return i
	}
	j := i + 1
	if j < l.end && (l.text[j] == '+' || l.text[j] == '-') {
		j++
	}
	if end := l.digits(j); end > j {
		return end
	}
	return i
}

func (l *lexer) float(end int) token {
	f, err := strconv.ParseFloat(l.text[l.pos:end], 64)
	if err != nil {
		return l.bad(l.pos, end, "number %s is too large", quote(l.text[l.pos:end], l.secret))
	}
	return token{kind: numberToken, start: l.pos, end: end, num: value.Float(f)}
}

// maxDigits bounds integers: reading them takes quadratic time.
const maxDigits = 5000

func (l *lexer) integer(end int, digits string, base int) token {
	if len(digits) > maxDigits {
		return l.bad(l.pos, end, "integer has more than %d digits", maxDigits)
	}
	v, ok := parseInteger(digits, base)
	if !ok {
		return l.bad(l.pos, end, "%s is not a number", quote(l.text[l.pos:end], l.secret))
	}
	return token{kind: numberToken, start: l.pos, end: end, num: v}
}

// parseInteger reads digits, before which a sign may stand.
func parseInteger(digits string, base int) (value.Value, bool) {
	if i, err := strconv.ParseInt(digits, base, 64); err == nil {
		return value.Int(i), true
	}
	if strings.Contains(digits, "_") {
		return value.Null, false
	}
	i, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return value.Null, false
	}
	return value.BigInt(i), true
}
