package scan

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads the string literal whose quotes begin at an offset; the token includes its
// prefix.
func (s *Scanner) string(t *Token, quotes int, raw bool) {
	closing := s.Text[quotes : quotes+1]
	if triple := min(quotes+3, s.End); s.Syntax.Triple && s.Text[quotes:triple] == closing+closing+closing {
		closing = s.Text[quotes:triple]
	}
	start, quote, escapes := quotes+len(closing), closing[0], false
	for i := start; i < s.End; i++ {
		switch c := s.Text[i]; {
		case c == '\\':
			escapes = true
			i++
		case c == quote && (len(closing) == 1 || strings.HasPrefix(s.Text[i:s.End], closing)):
			s.token(t, String, i+len(closing), s.Text[start:i])
			if escapes && !raw {
				s.unescape(t, i)
			}
			return
		}
	}
	s.token(t, Bad, s.End, "string has no closing "+closing)
}

// unescape replaces the escapes in the text of a string literal, which ends before the
// quotes at an offset.
func (s *Scanner) unescape(t *Token, end int) {
	var b strings.Builder
	for rest := t.Text; rest != ""; {
		if i := strings.IndexByte(rest, '\\'); i != 0 {
			if i < 0 {
				i = len(rest)
			}
			b.WriteString(rest[:i])
			rest = rest[i:]
			continue
		}
		n, ok := Unescape(&b, rest)
		if !ok {
			at := end - len(rest)
			t.Kind, t.Start, t.End, t.Text = Bad, at, at+n, "bad escape %s in a string"
			return
		}
		rest = rest[n:]
	}
	t.Text = b.String()
}

// Unescape writes the character of the escape at the start of s and returns the length
// of the escape. s begins with a backslash and is longer than that. Escapes are Python's:
// \n \x41 \u00e9 \101; a backslash before any other character stays.
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
		n, code := 1, rune(0)
		for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' {
			code = code*8 + rune(s[n]-'0')
			n++
		}
		b.WriteRune(code)
		return n, true
	default:
		if i := strings.IndexByte("abfnrtv", c); i >= 0 {
			b.WriteByte("\a\b\f\n\r\t\v"[i])
			return 2, true
		}
		b.WriteByte('\\')
		return 1, true
	}
}

// unescapeRune writes a character given by its number. A UTF-16 pair, such as
// \ud83d\ude00, is one character; half of a pair is an error.
func unescapeRune(b *strings.Builder, s string, digits int) (n int, ok bool) {
	n = 2
	for n < min(2+digits, len(s)) && isHexDigit(s[n]) {
		n++
	}
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
