package yaml

import "strings"

// maxKeyLength is how far the colon may be from the beginning of its key.
const maxKeyLength = 1024

// scalar reads a plain or quoted scalar, which is a key if a colon follows. The
// properties before it on its line begin at first.
func (l *lexer) scalar(props []lexeme, first int) {
	x := lexeme{kind: lexScalar, start: l.pos}
	line, colon := l.lineStart, -1
	switch c := l.src[l.pos]; c {
	case '"', '\'':
		l.quoted(&x, c)
		if l.reason == "" && line == l.lineStart {
			colon = l.colon(l.pos)
		}
	default:
		colon = l.plain(&x)
	}
	switch {
	case l.reason != "":
	case colon >= 0:
		l.key(props, first, x, colon)
	case l.needsKey(first, line):
		l.giveUp("no key")
	default:
		l.queue = append(l.queue, props...)
		l.emit(x)
		l.keyAllowed = x.end < l.lineStart // a plain scalar takes the line breaks behind it
		if !l.keyAllowed {
			l.lineComment(x.start)
		}
	}
}

// key emits a key with its properties, and the colon behind it.
func (l *lexer) key(props []lexeme, first int, x lexeme, colon int) {
	if !l.keyAllowed || colon-first > maxKeyLength {
		l.giveUp("no key")
		return
	}
	if l.flow == 0 {
		l.openBlock(lexMapStart, first)
	}
	l.queue = append(l.queue, lexeme{kind: lexKey, start: first, end: first})
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

// plainStop holds the bytes that need a look in a plain scalar.
var plainStop = [256]bool{
	' ': true, '\t': true, '\n': true, '\r': true, ':': true,
	'{': true, '}': true, '[': true, ']': true, ',': true,
}

// plain reads a plain scalar. It returns the offset of the colon that makes it a
// key, or -1.
func (l *lexer) plain(x *lexeme) (colon int) {
	if !l.startsPlain() {
		l.giveUp("character")
		return -1
	}
	end, more := l.plainLine(l.pos)
	x.end = end
	if more {
		l.plainLines(x)
		return -1
	}
	if l.pos < len(l.src) && l.src[l.pos] == ':' && l.blankAfter(l.pos) {
		return l.pos
	}
	return -1
}

// plainLines reads the lines that continue a plain scalar, and what is blank behind it.
func (l *lexer) plainLines(x *lexeme) {
	breaks, more := l.continues()
	if !more {
		return
	}
	l.buf = append(l.buf[:0], l.src[x.start:x.end]...)
	for more {
		l.foldBreaks(breaks)
		start := l.pos
		x.end, more = l.plainLine(start)
		l.buf = append(l.buf, l.src[start:x.end]...)
		if more {
			breaks, more = l.continues()
		}
	}
	l.decode(x)
}

// decode gives a scalar the text that was put together for it.
func (l *lexer) decode(x *lexeme) string {
	x.decoded = true
	text := string(l.buf)
	l.texts = append(l.texts, text)
	return text
}

// startsPlain reports whether a plain scalar can begin at the current place. Other
// lexemes were ruled out.
func (l *lexer) startsPlain() bool {
	switch c := l.src[l.pos]; c {
	case '-', '?', ':':
		return !l.blankAfter(l.pos)
	case '{':
		return l.atTemplate(l.pos)
	default:
		return strings.IndexByte("%@`,]}|>#\t", c) < 0
	}
}

// plainLine reads the part of a plain scalar on one line. It returns its end, and
// whether the next line may continue it; the current place is then at the line
// break, else behind the blanks.
func (l *lexer) plainLine(start int) (end int, more bool) {
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
			if i >= len(l.src) || isSpace[l.src[i]] || l.src[i] == '#' || l.endsPlain(i) {
				l.pos = i
				return end, i >= len(l.src) || isSpace[l.src[i]]
			}
		case isSpace[c]:
			l.pos = i
			return i, true
		case c == '{' && l.atTemplate(i):
			i = l.template(i)
		case l.endsPlain(i):
			l.pos = i
			return i, false
		default:
			i++
		}
	}
	l.pos = len(l.src)
	return len(l.src), true
}

// endsPlain reports whether the character at i ends a plain scalar.
func (l *lexer) endsPlain(i int) bool {
	c := l.src[i]
	return c == ':' && l.blankAfter(i) || l.flow > 0 && isFlowIndicator(c) && !l.atTemplate(i)
}

// continues reports whether a plain scalar goes on behind the line breaks at the
// current place, which it counts, and moves to what follows.
func (l *lexer) continues() (breaks int, more bool) {
	for l.pos < len(l.src) && isSpace[l.src[l.pos]] {
		switch l.src[l.pos] {
		case '\n':
			breaks++
			l.lineStart = l.pos + 1
		case '\t':
			l.giveUp("tab")
			return 0, false
		}
		l.pos++
	}
	if l.pos >= len(l.src) || l.src[l.pos] == '#' {
		return 0, false
	}
	margin := l.pos == l.lineStart
	switch c := l.src[l.pos]; {
	case l.flow == 0 && l.pos-l.lineStart <= l.indent, margin && isMarker(l.src[l.pos:]):
		return 0, false
	case margin && c == '%' || l.flow > 0 && c == '?' || c == ':' && l.blankAfter(l.pos):
		l.giveUp("odd line")
		return 0, false
	case l.flow > 0 && isFlowIndicator(c) && !l.atTemplate(l.pos):
		return 0, false
	}
	return breaks, true
}

// foldBreaks writes what line breaks come to between lines of text.
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
func (l *lexer) template(i int) int {
	end := l.templates.end(i)
	if end > 0 && strings.IndexByte(l.src[i:end], '\t') >= 0 {
		l.giveUp("tab in a template")
	}
	return end
}
