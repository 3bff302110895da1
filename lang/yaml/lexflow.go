package yaml

// inFlow reads the lexeme that begins with c in flow style.
func (l *lexer) inFlow(c byte) {
	switch c {
	case '[':
		l.open(lexListOpen)
	case ']':
		l.close(lexListClose)
	case '}':
		l.close(lexMapClose)
	case ',':
		l.emit(lexeme{kind: lexComma, start: l.pos, end: l.pos + 1})
		l.keyAllowed = true
		l.pos++
		l.lineComment(l.previous.start)
	case '{':
		if l.atTemplate(l.pos) {
			l.scalar(nil, l.pos)
		} else {
			l.open(lexMapOpen)
		}
	case '?':
		if !l.blankAfter(l.pos) {
			l.scalar(nil, l.pos)
			return
		}
		l.emit(lexeme{kind: lexKey, start: l.pos, end: l.pos + 1})
		l.keyAllowed = true
		l.pos++
	case ':':
		if !l.endsKey(l.pos) && !l.afterJSON() {
			l.scalar(nil, l.pos)
			return
		}
		l.emit(lexeme{kind: lexValue, start: l.pos, end: l.pos + 1})
		l.keyAllowed = false
		l.pos++
		l.lineComment(l.last.start)
	case '&', '!':
		l.properties()
	case '*':
		l.alias()
	default:
		l.scalar(nil, l.pos)
	}
}

// endsKey reports whether the colon at i is one in flow style, whatever is before it.
func (l *lexer) endsKey(i int) bool {
	return l.blankAfter(i) || isFlowIndicator(l.src[i+1]) && !l.atTemplate(i+1)
}

// afterJSON reports whether the last lexeme is a quoted scalar or a closing bracket: as in JSON,
// no blank is needed after the colon that follows.
func (l *lexer) afterJSON() bool {
	first := l.src[l.last.start]
	return l.last.kind == lexListClose || l.last.kind == lexMapClose || l.last.kind == lexScalar && (first == '"' || first == '\'')
}

// open reads an opening bracket.
func (l *lexer) open(kind lexKind) {
	if l.flow == 0 {
		if !l.bracketKey && l.keyAllowed && l.isBracketKey(l.pos) {
			l.startBracketKey(nil, l.pos)
		} else if !l.bracketKey && l.needsKey(l.pos, l.lineStart) {
			l.giveUp("no key")
		}
		if l.reason != "" {
			return
		}
		l.flowLine = l.lineStart
		l.flowMargin = min(l.margin(), max(l.indent, 0))
	}
	l.emit(lexeme{kind: kind, start: l.pos, end: l.pos + 1})
	l.flow++
	l.keyAllowed = true
	l.pos++
	l.lineComment(l.last.start)
}

// isBracketKey reports whether the brackets that open at i are a key in block style: they close
// on the same line, and a colon follows.
func (l *lexer) isBracketKey(i int) bool {
	end := min(len(l.src), i+maxKeyLength)
	depth := 0
	begins, json := true, false // a value may begin here: quotes count; the last one ended with a quote or bracket
	for ; i < end && l.src[i] != '\n'; i++ {
		switch c := l.src[i]; {
		case c == '{' && l.atTemplate(i):
			i = l.template(i) - 1
			begins, json = false, false
		case c == '[' || c == '{':
			depth++
			begins, json = true, false
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return l.colon(i+1) >= 0
			}
			begins, json = false, true
		case begins && (c == '"' || c == '\''):
			i, _ = quotedEnd(l.src, i)
			i--
			begins, json = false, true
		case c == ',' || c == ':' && (json || l.endsKey(i)) || begins && c == '?' && l.blankAfter(i):
			begins, json = true, false
		case c == '#' && isBlank(l.src[i-1]):
			return false
		case begins && (c == '!' || c == '&'):
			for i+1 < end && !isSpace[l.src[i+1]] && !isFlowIndicator(l.src[i+1]) {
				i++
			}
		case !isBlank(c):
			begins, json = false, false
		}
	}
	return false
}

// startBracketKey emits the lexemes before brackets that are a key. Their properties begin at
// first.
func (l *lexer) startBracketKey(props []lexeme, first int) {
	l.openBlock(lexMapStart, first)
	l.emit(lexeme{kind: lexKey, start: first, end: first})
	for _, x := range props {
		l.emit(x)
	}
	l.bracketKey = true
}

// close reads a closing bracket.
func (l *lexer) close(kind lexKind) {
	l.emit(lexeme{kind: kind, start: l.pos, end: l.pos + 1})
	l.flow--
	l.keyAllowed = false
	l.pos++
	if l.flow == 0 {
		if colon := l.colon(l.pos); colon >= 0 {
			if !l.bracketKey {
				l.fail("no key", colon, colon+1)
				return
			}
			l.emit(lexeme{kind: lexValue, start: colon, end: colon + 1})
			l.pos = colon + 1
		}
		l.bracketKey = false
	}
	l.lineComment(l.last.start)
}

// checkFlowLine checks the indentation of a line in brackets, at its first lexeme: it is deeper
// than the block around the brackets. A line that begins with a closing bracket may also be
// where the line of the opening bracket begins, as everybody writes it:
//
//	a: [
//	  b
//	]
func (l *lexer) checkFlowLine() {
	l.flowLine = l.lineStart
	if margin := l.margin(); margin <= l.indent {
		if c := l.src[l.pos]; c != ']' && c != '}' || margin < l.flowMargin {
			l.shallow("flow indentation", l.pos)
		}
		l.outdented = l.outdented || margin < l.indent
	}
}

// shallow stops the lexer at offset i, since the line of the current place is not indented enough:
// because of a tab if there is one. A lenient lexer goes on, as most other readers do.
func (l *lexer) shallow(reason string, i int) {
	if tab := l.lineStart + l.margin(); tab < i && l.src[tab] == '\t' {
		l.fail("tab", tab, tab+1)
		return
	}
	if l.lenient {
		if len(l.shallows) < maxFindings {
			l.shallows = append(l.shallows, shallowLine{reason, i, l.indent + 1})
		}
		return
	}
	l.fail(reason, i, i)
}

// A shallowLine is a line in brackets or quotes whose first character, at an offset, is not
// indented by least.
type shallowLine struct {
	reason string
	at     int
	least  int
}
