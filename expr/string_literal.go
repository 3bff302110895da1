package expr

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
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
		n, ok := unescape(&b, l.text[i:])
		if !ok {
			return l.bad(i, i+n, "bad escape %s in a string", l.text[i:i+n])
		}
		i += n
	}
	return l.bad(start, len(l.text), "string has no closing %c", quote)
}

// unescape writes what the escape at the start of s means and returns its length.
func unescape(b *strings.Builder, s string) (n int, ok bool) {
	switch c := s[1]; c {
	case '\n':
		return 2, true
	case '\\', '\'', '"':
		b.WriteByte(c)
		return 2, true
	case 'x':
		return unescapeHex(b, s, 2)
	case 'u':
		return unescapeHex(b, s, 4)
	case 'U':
		return unescapeHex(b, s, 8)
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

func unescapeHex(b *strings.Builder, s string, digits int) (n int, ok bool) {
	n = min(2+digits, len(s))
	code, err := strconv.ParseUint(s[2:n], 16, 32)
	if err != nil || n < 2+digits || code > utf8.MaxRune {
		return n, false
	}
	b.WriteRune(rune(code))
	return n, true
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
