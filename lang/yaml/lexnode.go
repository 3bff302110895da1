package yaml

// properties reads an anchor, a tag or both, and the scalar after them on the line, which
// may be a key.
func (l *lexer) properties() {
	first := l.pos
	var props [2]lexeme
	n := 0
	for l.pos < len(l.src) && (l.src[l.pos] == '&' || l.src[l.pos] == '!') {
		if n == len(props) {
			l.giveUp("properties")
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
	if l.startsScalar() {
		l.scalar(props[:n], first)
		return
	}
	if l.needsKey(first, l.lineStart) {
		l.giveUp("no key")
		return
	}
	for _, x := range props[:n] {
		l.emit(x)
	}
	l.keyAllowed = false
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

// name reads the name of an anchor or alias, after its indicator.
func (l *lexer) name() {
	start := l.pos + 1
	end := anchorEnd(l.src, start)
	l.pos = end
	closed := end >= len(l.src) || isSpace[l.src[end]] || l.flow > 0 && (l.src[end] == ',' || l.src[end] == ']' || l.src[end] == '}')
	if end == start || !closed {
		l.giveUp("name")
	}
}

// tag reads a tag of the forms "!name" and "!!name", without escapes.
func (l *lexer) tag() lexeme {
	start := l.pos
	i := start + 1
	if i < len(l.src) && l.src[i] == '!' {
		i++
	}
	for i < len(l.src) && (isNameByte[l.src[i]] || l.src[i] == '.' || l.src[i] == '/' || l.src[i] == ':') {
		i++
	}
	if i == start+1 || i < len(l.src) && !isSpace[l.src[i]] || l.src[start:i] == "!!" {
		l.giveUp("tag")
	}
	l.pos = i
	return lexeme{kind: lexTag, start: start, end: i}
}

// alias reads an alias, which must not be a key.
func (l *lexer) alias() {
	start := l.pos
	l.name()
	if l.colon(l.pos) >= 0 || l.needsKey(start, l.lineStart) {
		l.giveUp("alias as a key")
	}
	if l.reason != "" {
		return
	}
	l.emit(lexeme{kind: lexAlias, start: start, end: l.pos})
	l.keyAllowed = false
	l.lineComment(start)
}
