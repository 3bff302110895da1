package yaml

import "strings"

// properties reads an anchor, a tag or both, and the scalar after them on the line, which
// may be a key.
func (l *lexer) properties() {
	first := l.pos
	var props [2]lexeme
	n := 0
	for l.pos < len(l.src) && (l.src[l.pos] == '&' || l.src[l.pos] == '!') {
		if n == len(props) {
			l.fail("properties", l.pos, l.pos+1)
			return
		}
		if l.src[l.pos] == '!' {
			props[n] = l.tag()
		} else {
			start := l.pos
			l.name()
			props[n] = lexeme{kind: lexAnchor, start: start, end: l.pos}
		}
		if l.reason != "" {
			return
		}
		n++
		l.pos = skipBlanks(l.src, l.pos)
	}
	switch {
	case l.startsScalar():
		l.scalar(props[:n], first)
		return
	case l.flow > 0 || !l.keyAllowed || l.pos >= len(l.src):
	case l.src[l.pos] == ':' && l.blankAfter(l.pos):
		l.emptyKey(props[:n], first)
		return
	case (l.src[l.pos] == '[' || l.src[l.pos] == '{') && l.isBracketKey(l.pos):
		l.startBracketKey(props[:n], first)
		return
	}
	switch {
	case l.pos < len(l.src) && l.src[l.pos] == '*':
		l.fail("alias with properties", first, props[n-1].end)
		return
	case l.needsKey(first, l.lineStart):
		l.fail("property at the margin", first, props[n-1].end)
		return
	}
	for _, x := range props[:n] {
		l.emit(x)
	}
	if l.flow == 0 {
		l.keyAllowed = false
	}
	l.lineComment(l.last.start)
}

// emptyKey reads the colon after properties that are a key without text: "&a : b".
func (l *lexer) emptyKey(props []lexeme, first int) {
	if l.openBlock(lexMapStart, first); l.reason != "" {
		return
	}
	l.emit(lexeme{kind: lexKey, start: first, end: first})
	for _, x := range props {
		l.emit(x)
	}
	l.emit(lexeme{kind: lexValue, start: l.pos, end: l.pos + 1})
	l.keyAllowed = false
	l.pos++
	l.lineComment(l.last.start)
}

// startsScalar reports whether a plain or quoted scalar begins at the current place,
// after properties.
func (l *lexer) startsScalar() bool {
	if l.pos >= len(l.src) {
		return false
	}
	switch c := l.src[l.pos]; c {
	case '\n', '\r', '#', '[', '|', '>', '*':
		return false
	case '{':
		return l.atTemplate(l.pos)
	case ',', ']', '}':
		return l.flow == 0
	case '-', '?', ':':
		return !l.blankAfter(l.pos)
	}
	return true
}

// name reads the name of an anchor or alias, after its indicator. A colon at the end of the
// name of an anchor belongs to it. After an alias it is the colon of a key, unless there is an
// anchor with that name.
func (l *lexer) name() {
	start := l.pos + 1
	end := anchorEnd(l.src, start)
	if end < len(l.src) && l.src[end] == ':' {
		switch full := l.src[start : end+1]; {
		case l.src[start-1] == '&':
			if l.colonNames == nil {
				l.colonNames = map[string]bool{}
			}
			l.colonNames[full] = true
			end++
		case l.colonNames[full]:
			end++
		}
	}
	closed := end >= len(l.src) || isSpace[l.src[end]] || l.src[end] == ':' || l.flow > 0 && endsFlowValue(l.src[end])
	if end == start || !closed || strings.Contains(l.src[start:end], byteOrderMark) {
		l.fail("name", l.pos, min(end+1, len(l.src)))
	}
	l.pos = end
}

// endsFlowValue reports whether a byte may follow a name or a tag in brackets: the value is empty.
func endsFlowValue(c byte) bool { return c == ',' || c == ']' || c == '}' }

// tagMarks are the bytes of the name of a tag (YAML 1.2, production 40) beside name bytes, and except for "%",
// which begins an escape. verbatimMarks are the same for a tag between "<" and ">".
const (
	tagMarks      = "#;/?:@&=+$.~*'()"
	verbatimMarks = tagMarks + ",[]!"
)

// tag reads a tag: "!name", "!!name", "!e!name", "!<name>" or "!".
func (l *lexer) tag() lexeme {
	start := l.pos
	i := start + 1
	if i < len(l.src) && l.src[i] == '<' {
		i = l.tagBytes(i+1, verbatimMarks)
		if i >= len(l.src) || l.src[i] != '>' || i == start+2 {
			l.fail("tag", start, i)
			return lexeme{}
		}
		i++
	} else {
		handle := i + nameLength(l.src[i:])
		if handle < len(l.src) && l.src[handle] == '!' {
			i = handle + 1
			if l.tagBytes(i, tagMarks) == i {
				l.fail("tag", start, i)
				return lexeme{}
			}
		}
		i = l.tagBytes(i, tagMarks)
	}
	if i < len(l.src) && !isSpace[l.src[i]] && !(l.flow > 0 && endsFlowValue(l.src[i])) {
		l.fail("tag", start, i+1)
	}
	l.pos = i
	return lexeme{kind: lexTag, start: start, end: i}
}

// tagBytes returns the end of the name bytes, of these marks, and of escapes such as %21, from i on.
func (l *lexer) tagBytes(i int, marks string) int {
	for i < len(l.src) {
		switch {
		case isNameByte[l.src[i]] || strings.IndexByte(marks, l.src[i]) >= 0:
			i++
		case l.src[i] == '%' && i+2 < len(l.src) && isHex(l.src[i+1]) && isHex(l.src[i+2]):
			i += 3
		default:
			return i
		}
	}
	return i
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// alias reads an alias, which is a key if a colon follows.
func (l *lexer) alias() {
	start := l.pos
	l.name()
	if l.reason != "" {
		return
	}
	x := lexeme{kind: lexAlias, start: start, end: l.pos}
	switch colon := l.colon(l.pos); {
	case colon >= 0 && l.flow == 0:
		l.key(nil, start, x, colon)
		return
	case l.needsKey(start, l.lineStart):
		l.fail("no key", start, l.pos)
		return
	}
	l.emit(x)
	l.keyAllowed = false
	l.lineComment(start)
}
