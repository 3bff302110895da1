package yaml

// properties reads an anchor, a tag or both, and the scalar behind them on the line:
// they may begin a key.
func (l *lexer) properties() {
	first := l.pos
	var props [2]lexeme
	n := 0
	for l.pos < len(l.src) && (l.src[l.pos] == '&' || l.src[l.pos] == '!') {
		if n == len(props) {
			l.giveUp("properties")
			return
		}
		if props[n] = l.property(l.src[l.pos]); l.reason != "" {
			return
		}
		n++
		for l.pos < len(l.src) && isBlank(l.src[l.pos]) {
			l.pos++
		}
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

// startsScalar reports whether a plain or quoted scalar stands behind properties.
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

func (l *lexer) property(c byte) lexeme {
	if c == '!' {
		return l.tag()
	}
	start := l.pos
	l.name()
	return lexeme{kind: lexAnchor, start: start, end: l.pos}
}

// name reads the name of an anchor or alias behind its indicator.
func (l *lexer) name() {
	start := l.pos + 1
	end := anchorEnd(l.src, start)
	l.pos = end
	closed := end >= len(l.src) || isSpace[l.src[end]] || l.flow > 0 && (l.src[end] == ',' || l.src[end] == ']' || l.src[end] == '}')
	if end == start || !closed {
		l.giveUp("name")
	}
}

// tag reads a tag of the forms "!name" and "!!name", with no escapes in it.
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

var isNameByte = func() (set [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
		set[c] = true
	}
	return set
}()
