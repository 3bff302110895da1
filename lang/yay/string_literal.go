package yay

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
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
		n, ok := expr.Unescape(&b, rest)
		if !ok {
			at := end - len(rest)
			return l.bad(at, at+n, "bad escape %s in a string", quote(rest[:n], l.secret))
		}
		rest = rest[n:]
	}
	t.str = b.String()
	return t
}
