package yaml

import (
	"strings"
	"unicode/utf8"
)

// quoted reads a quoted scalar.
func (l *lexer) quoted(x *lexeme, q byte) {
	x.style = SingleQuoted
	if q == '"' {
		x.style = DoubleQuoted
	}
	start := l.pos + 1
	for i := start; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == q && (q == '"' || i+1 >= len(l.src) || l.src[i+1] != q):
			x.end, l.pos = i+1, i+1
			return
		case c == q || c == '\n' || c == '\r' || c == '\\' && q == '"':
			l.escaped(x, i, q)
			return
		}
	}
	l.giveUp("open quote")
}

// escaped reads a quoted scalar that is not what stands between the quotes: at i
// there is the first line break or escape.
func (l *lexer) escaped(x *lexeme, i int, q byte) {
	l.buf = append(l.buf[:0], l.src[l.pos+1:i]...)
	l.jsonEscape = false
	line := l.lineStart
	solid := len(strings.TrimRight(l.src[l.pos+1:i], " \t")) // what no line break removes
	for i < len(l.src) && l.reason == "" {
		switch c := l.src[i]; {
		case c == q && q == '\'' && i+1 < len(l.src) && l.src[i+1] == q:
			l.buf = append(l.buf, q)
			i += 2
		case c == q:
			x.end, l.pos = i+1, i+1
			l.decode(x)
			if l.jsonEscape && l.lineStart != line {
				l.giveUp("JSON escape on several lines")
			}
			return
		case c == '\n' || c == '\r':
			l.buf = l.buf[:solid]
			i = l.foldedLines(i)
		case c == '\\' && q == '"':
			i = l.escape(i)
		default:
			l.buf = append(l.buf, c)
			if i++; isBlank(c) {
				continue
			}
		}
		solid = len(l.buf)
	}
	l.giveUp("open quote")
}

// foldedLines folds the line breaks at i.
func (l *lexer) foldedLines(i int) int {
	i, breaks := l.skipBreaks(i)
	l.foldBreaks(breaks)
	return i
}

// skipBreaks skips blanks and line breaks, and counts the latter.
func (l *lexer) skipBreaks(i int) (end, breaks int) {
	for i < len(l.src) && isSpace[l.src[i]] {
		if l.src[i] == '\n' {
			breaks++
			l.lineStart = i + 1
		}
		i++
	}
	if i == l.lineStart && isMarker(l.src[i:]) {
		l.giveUp("marker in quotes")
	}
	return i, breaks
}

// escape reads the escape at i and returns the offset behind it.
func (l *lexer) escape(i int) int {
	if i+1 >= len(l.src) {
		return i + 1
	}
	c := l.src[i+1]
	if c == '\n' || c == '\r' { // the lines are joined, but empty lines behind it count
		i, breaks := l.skipBreaks(i + 1)
		if breaks > 1 {
			l.foldBreaks(breaks)
		}
		return i
	}
	if digits := hexDigits(c); digits > 0 {
		return l.hexEscape(i, digits)
	}
	if strings.IndexByte("0abtnvfreN_LP\t \"'\\/", c) < 0 {
		l.giveUp("escape")
	}
	l.jsonEscape = l.jsonEscape || c == '/'
	l.buf = append(l.buf, simpleEscape(c, l.src[i+1:i+2])...)
	return i + 2
}

// hexEscape reads an escape with hexadecimal digits.
func (l *lexer) hexEscape(i, digits int) int {
	r, n := unescapeHex(l.src[i:], digits)
	if n < 2+digits || !utf8.ValidRune(r) {
		l.giveUp("escape")
	}
	l.jsonEscape = l.jsonEscape || n > 2+digits
	l.buf = utf8.AppendRune(l.buf, r)
	return i + n
}
