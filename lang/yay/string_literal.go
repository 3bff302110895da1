package yay

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scanString reads the string literal whose quotes begin at an offset behind its
// prefix. Escapes are Python's, and a backslash before anything else stays. A raw
// string keeps all of them.
func (l *lexer) scanString(quotes int, raw bool) token {
	closing := l.text[quotes : quotes+1]
	if triple := strings.Repeat(closing, 3); strings.HasPrefix(l.text[quotes:l.end], triple) {
		closing = triple
	}
	start := quotes + len(closing)
	for i := start; i < l.end; i++ {
		switch {
		case l.text[i] == '\\':
			i++
		case strings.HasPrefix(l.text[i:l.end], closing):
			return l.stringToken(start, i, i+len(closing), raw)
		}
	}
	return l.bad(l.pos, l.end, "unexpected end of line: the string has no closing %s", closing)
}

// stringToken returns the token of a literal whose text is [start, end).
func (l *lexer) stringToken(start, end, behind int, raw bool) token {
	t := token{kind: stringToken, start: l.pos, end: behind, str: l.text[start:end]}
	if raw || !strings.Contains(t.str, `\`) {
		return t
	}
	var b strings.Builder
	for rest := t.str; rest != ""; {
		if rest[0] != '\\' {
			n := len(rest)
			if i := strings.IndexByte(rest, '\\'); i >= 0 {
				n = i
			}
			b.WriteString(rest[:n])
			rest = rest[n:]
			continue
		}
		n, ok := unescape(&b, rest)
		if !ok {
			at := end - len(rest)
			return l.bad(at, at+n, "bad escape %s in a string", quote(rest[:n], l.secret))
		}
		rest = rest[n:]
	}
	t.str = b.String()
	return t
}

// unescape writes what the escape at the start of s means and returns its length.
func unescape(b *strings.Builder, s string) (n int, ok bool) {
	switch c := s[1]; c {
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
