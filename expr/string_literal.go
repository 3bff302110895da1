package expr

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

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
