package yaml

import (
	"strings"
	"unicode/utf8"
)

// maxKeyLength is the maximum distance from the beginning of a key to its colon.
const maxKeyLength = 1024

// scalar reads a plain or quoted scalar, which is a key if a colon follows. Its properties,
// read before, begin at first.
func (l *lexer) scalar(props []lexeme, first int) {
	x := lexeme{kind: lexScalar, start: l.pos}
	line, colon := l.lineStart, -1
	switch c := l.src[l.pos]; c {
	case '"', '\'':
		l.quoted(&x, c)
		switch {
		case l.reason != "":
		case line == l.lineStart:
			colon = l.colon(l.pos)
		case l.flow == 0 && l.keyAllowed && l.colon(l.pos) >= 0:
			l.fail("key of several lines", x.start, x.end)
		}
	default:
		colon = l.plain(&x)
	}
	switch {
	case l.reason != "":
	case colon >= 0:
		l.key(props, first, x, colon)
	case l.needsKey(first, line):
		l.fail("no key", first, x.end)
	default:
		l.queue = append(l.queue, props...)
		l.emit(x)
		l.keyAllowed = x.end < l.lineStart // a plain scalar consumes the line breaks after it
		if !l.keyAllowed {
			l.lineComment(x.start)
		}
	}
}

// key emits a key, which is a scalar or an alias, with its properties and its colon.
func (l *lexer) key(props []lexeme, first int, x lexeme, colon int) {
	switch {
	case l.flow == 0 && colon-first > maxKeyLength && utf8.RuneCountInString(l.src[first:colon]) > maxKeyLength:
		l.fail("long key", first, first+1)
		return
	case !l.keyAllowed && l.flow == 0:
		l.fail(l.noKeyHere("no key"), colon, colon+1)
		return
	}
	if l.flow == 0 && (l.indent < first-l.lineStart || l.tab >= l.lineStart) {
		if l.openBlock(lexMapStart, first); l.reason != "" {
			return
		}
	}
	if l.keyAllowed && (l.flow == 0 || l.last.kind != lexAnchor && l.last.kind != lexTag) { // a property on another line begins the key
		l.queue = append(l.queue, lexeme{kind: lexKey, start: first, end: first})
	}
	l.queue = append(l.queue, props...)
	l.queue = append(l.queue, x, lexeme{kind: lexValue, start: colon, end: colon + 1})
	l.previous, l.last = mark{lexScalar, x.start}, mark{lexValue, colon}
	l.keyAllowed = false
	l.pos = colon + 1
	if l.flow > 0 {
		l.lineComment(colon)
	} else {
		l.lineComment(x.start)
	}
}

// simplePlainEnd returns the end of a plain scalar, or of the part of it that is certainly plain and not a template.
func simplePlainEnd(src string, start int) int {
	end := start
	for end+1 < len(src) {
		switch c := src[end]; {
		case wordBytes[c] == alwaysInWord:
		case (c == ' ' || c == ':') && wordBytes[src[end+1]] == alwaysInWord && src[end+1] != '#':
		default:
			return end
		}
		end++
	}
	return end
}

// plainStop holds the bytes that may end a plain scalar or its line.
var plainStop = [256]bool{
	' ': true, '\t': true, '\n': true, '\r': true, ':': true,
	'{': true, '}': true, '[': true, ']': true, ',': true,
}

// plain reads a plain scalar of one or more lines. It returns the offset of the colon that
// makes it a key, or -1.
func (l *lexer) plain(x *lexeme) (colon int) {
	if !l.startsPlain() {
		l.giveUp("character")
		return -1
	}
	more := false
	if x.end, more = l.plainLine(x.start, x.start); !more {
		if l.pos < len(l.src) && l.src[l.pos] == ':' {
			return l.pos
		}
		return -1
	}
	breaks, more := l.continues()
	if !more {
		return -1
	}
	l.buf = append(l.buf[:0], l.src[x.start:x.end]...)
	for more {
		l.foldBreaks(breaks)
		start := l.pos
		x.end, more = l.plainLine(start, x.start)
		l.buf = append(l.buf, l.src[start:x.end]...)
		if more {
			breaks, more = l.continues()
		}
	}
	l.decode(x)
	return -1
}

// decode sets the text of a scalar to the contents of buf.
func (l *lexer) decode(x *lexeme) string {
	x.decoded = true
	text := string(l.buf)
	l.texts = append(l.texts, text)
	return text
}

// startsPlain reports whether a plain scalar can begin at the current place, where no
// other lexeme begins.
func (l *lexer) startsPlain() bool {
	switch c := l.src[l.pos]; c {
	case '-', '?', ':':
		return !l.blankAfter(l.pos) && !(l.flow > 0 && isFlowIndicator(l.src[l.pos+1]) && !l.atTemplate(l.pos+1))
	case '{':
		return l.atTemplate(l.pos)
	default:
		return strings.IndexByte("%@`,]}|>#\t", c) < 0
	}
}

// plainLine reads the part of a plain scalar on one line, from start on; the scalar begins at
// first. It returns its end, and whether the next line may continue it. The current place is then
// the line break, otherwise the first byte after the scalar and its blanks.
func (l *lexer) plainLine(start, first int) (end int, more bool) {
	i := start
	end = start
	for i < len(l.src) {
		c := l.src[i]
		if !plainStop[c] {
			i++
			continue
		}
		switch {
		case isBlank(c):
			end = i
			for i < len(l.src) && isBlank(l.src[i]) {
				i++
			}
			if i >= len(l.src) || isSpace[l.src[i]] || l.src[i] == '#' || l.endsPlain(i, first) {
				l.pos = i
				return end, i >= len(l.src) || isSpace[l.src[i]]
			}
		case isSpace[c]:
			l.pos = i
			return i, true
		case c == '{' && l.atTemplate(i):
			i = l.template(i)
		case l.endsPlain(i, first):
			l.pos = i
			return i, false
		default:
			i++
		}
	}
	l.pos = len(l.src)
	return len(l.src), true
}

// endsPlain reports whether the character at i ends the plain scalar that begins at first.
func (l *lexer) endsPlain(i, first int) bool {
	c := l.src[i]
	if c == ':' {
		return l.blankAfter(i) || l.flow > 0 && l.endsKey(i) && !l.isRoot(i, first)
	}
	return l.flow > 0 && isFlowIndicator(c) && !l.atTemplate(i)
}

// isRoot reports whether the colon at i is the end of "::", the path of the root, which is a text
// also before a bracket or comma. YAML knows nothing of it: there it is a key ":" without a value.
func (l *lexer) isRoot(i, first int) bool { return i == first+1 && l.src[first] == ':' }

// continues skips the line breaks at the current place and counts them. It reports
// whether the plain scalar continues after them.
func (l *lexer) continues() (breaks int, more bool) {
	for l.pos < len(l.src) && isSpace[l.src[l.pos]] {
		switch l.src[l.pos] {
		case '\n':
			breaks++
			l.lineStart = l.pos + 1
		case '\t':
			l.tab = l.pos
		}
		l.pos++
	}
	if l.pos >= len(l.src) || l.src[l.pos] == '#' {
		return 0, false
	}
	column := l.pos - l.lineStart
	switch c := l.src[l.pos]; {
	case column == 0 && isMarker(l.src[l.pos:]):
		return 0, false
	case l.flow > 0:
		more = c != ':' && (!isFlowIndicator(c) || l.atTemplate(l.pos)) || c == ':' && !l.endsKey(l.pos)
		if more && l.flowLine != l.lineStart {
			l.checkFlowLine()
		}
		return breaks, more && l.reason == ""
	case l.tab >= l.lineStart:
		column = l.margin()
	}
	return breaks, column > l.indent && !(l.src[l.pos] == ':' && l.blankAfter(l.pos))
}

// foldBreaks appends folded line breaks to buf: a blank for one, and n-1 line breaks for
// n of them.
func (l *lexer) foldBreaks(breaks int) {
	if breaks == 1 {
		l.buf = append(l.buf, ' ')
	}
	for ; breaks > 1; breaks-- {
		l.buf = append(l.buf, '\n')
	}
}

// atTemplate reports whether a template begins at i.
func (l *lexer) atTemplate(i int) bool { return l.src[i] == '{' && l.template(i) > 0 }

// template returns the end of the template that begins at i, or 0.
func (l *lexer) template(i int) int { return l.templates.end(i) }

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
	l.fail("open quote", l.pos, l.pos+1)
}

// escaped reads a quoted scalar whose text differs from its source. i is the offset of
// the first line break or escape.
func (l *lexer) escaped(x *lexeme, i int, q byte) {
	l.buf = append(l.buf[:0], l.src[l.pos+1:i]...)
	solid := len(strings.TrimRight(l.src[l.pos+1:i], " \t")) // a line break removes the blanks after these bytes
	for i < len(l.src) && l.reason == "" {
		switch c := l.src[i]; {
		case c == q && q == '\'' && i+1 < len(l.src) && l.src[i+1] == q:
			l.buf = append(l.buf, q)
			i += 2
		case c == q:
			x.end, l.pos = i+1, i+1
			l.decode(x)
			return
		case c == '\n' || c == '\r':
			l.buf = l.buf[:solid]
			var breaks int
			i, breaks = l.skipBreaks(i)
			l.foldBreaks(breaks)
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
	l.fail("open quote", l.pos, l.pos+1)
}

// skipBreaks skips the blanks and line breaks at i, and counts the line breaks.
func (l *lexer) skipBreaks(i int) (end, breaks int) {
	for i < len(l.src) && isSpace[l.src[i]] {
		if l.src[i] == '\n' {
			breaks++
			l.lineStart = i + 1
		}
		i++
	}
	switch {
	case i == l.lineStart && isMarker(l.src[i:]):
		l.fail("marker in quotes", i, i+3)
	case l.indent >= 0 && i < len(l.src) && l.margin() <= l.indent:
		l.shallow("quote indentation", i)
	}
	return i, breaks
}

// escape reads the escape at i and returns the offset after it.
func (l *lexer) escape(i int) int {
	if i+1 >= len(l.src) {
		return i + 1
	}
	c := l.src[i+1]
	if c == '\n' || c == '\r' { // it joins the lines, unless empty lines follow
		i, breaks := l.skipBreaks(i + 1)
		if breaks > 1 {
			l.foldBreaks(breaks)
		}
		return i
	}
	if digits := hexDigits(c); digits > 0 {
		r, n := unescapeHex(l.src[i:], digits)
		if n < 2+digits || !utf8.ValidRune(r) {
			l.fail("escape", i, i+2)
		}
		l.buf = utf8.AppendRune(l.buf, r)
		return i + n
	}
	if strings.IndexByte(simpleEscapes, c) < 0 {
		l.fail("escape", i, i+2)
	}
	l.buf = append(l.buf, simpleEscape(c, l.src[i+1:i+2])...)
	return i + 2
}
