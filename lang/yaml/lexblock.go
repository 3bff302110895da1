package yaml

// blockScalar reads a literal or folded scalar.
func (l *lexer) blockScalar(indicator byte) {
	x := lexeme{kind: lexScalar, style: Literal, start: l.pos}
	if indicator == '>' {
		x.style = Folded
	}
	if l.needsKey(l.pos, l.lineStart) {
		l.fail("no key", l.pos, l.pos+1)
		return
	}
	b := blockLines{lexer: l, folded: x.style == Folded, column: -1}
	if !b.header() {
		l.giveUp("block header")
		return
	}
	l.buf = l.buf[:0]
	b.scan()
	if l.reason != "" {
		return
	}
	l.decode(&x)
	x.end = b.end
	if b.chomp == '+' {
		x.end = max(b.end, b.emptyEnd)
	}
	l.emit(x)
	l.keyAllowed = true
}

// blockLines reads the lines of a block scalar.
type blockLines struct {
	*lexer
	folded bool
	chomp  byte // '+', '-' or 0
	column int  // of the text, -1 if it is not known yet
	end    int  // of the header, or of the last line of text

	empty    int // empty lines that are not written yet
	emptyEnd int // of the last empty line
}

// header reads the header and its line break.
func (b *blockLines) header() bool {
	start := b.pos
	b.pos++
	for range 2 {
		switch c := b.at(); {
		case b.chomp == 0 && (c == '+' || c == '-'):
			b.chomp = c
		case b.column < 0 && c >= '1' && c <= '9':
			b.column = max(b.indent, 0) + int(c-'0')
		default:
			continue
		}
		b.pos++
	}
	for isBlank(b.at()) {
		b.pos++
	}
	if b.at() == '#' {
		b.lineComment(start)
	}
	b.end = b.pos
	return b.reason == "" && (b.pos >= len(b.src) || b.lineBreak())
}

// at returns the byte at the current place, or 0.
func (b *blockLines) at() byte {
	if b.pos < len(b.src) {
		return b.src[b.pos]
	}
	return 0
}

// lineBreak skips a line break, if there is one.
func (b *blockLines) lineBreak() bool {
	switch b.at() {
	case '\n':
		b.pos++
	case '\r':
		b.pos += 2
	default:
		return false
	}
	b.lineStart = b.pos
	return true
}

// scan reads the lines below the header. Spaces at the end of the text of the file have no line break,
// and are data in two cases, as in the official test suite: "|+" and nothing else is one empty line,
// and deeper spaces below a line of text are a line.
func (b *blockLines) scan() {
	pending, wasBlank := false, false // a line break is not written yet; the line before it begins with a blank
	b.skipEmpty()
	for b.reason == "" && b.pos-b.lineStart == b.column && b.pos < len(b.src) {
		if b.column == 0 && isMarker(b.src[b.pos:]) {
			break
		}
		blank := isBlank(b.src[b.pos])
		switch {
		case !pending:
		case !b.folded || wasBlank || blank:
			b.buf = append(b.buf, '\n')
		case b.empty == 0:
			b.buf = append(b.buf, ' ')
		}
		b.writeEmpty()
		wasBlank = blank
		b.end = b.lineEnd(b.pos)
		b.buf = append(b.buf, b.src[b.pos:b.end]...)
		spaces := pending && blank && b.end == len(b.src) && skipBlanks(b.src, b.pos) == b.end
		b.pos = b.end
		pending = b.lineBreak() || spaces
		b.skipEmpty()
	}
	if b.chomp != '-' && pending {
		b.buf = append(b.buf, '\n')
	}
	if b.chomp == '+' {
		b.writeEmpty()
	}
}

func (b *blockLines) writeEmpty() {
	for ; b.empty > 0; b.empty-- {
		b.buf = append(b.buf, '\n')
	}
}

// skipEmpty skips empty lines and the indentation of the line after them. If the header
// does not state the column of the text, this line does.
func (b *blockLines) skipEmpty() {
	deepest, deepLine := 0, 0
	atStart := b.pos == b.lineStart
	for {
		for b.at() == ' ' && (b.column < 0 || b.pos-b.lineStart < b.column) {
			b.pos++
		}
		at, line := b.pos, b.lineStart
		if !b.lineBreak() {
			break
		}
		if at-line > deepest {
			deepest, deepLine = at-line, line
		}
		b.empty++
		b.emptyEnd = at
	}
	col, ended := b.pos-b.lineStart, b.pos >= len(b.src)
	if col == 0 && !ended {
		ended = isMarker(b.src[b.pos:])
	}
	if ended && atStart && col > 0 && b.empty == 0 && len(b.buf) == 0 {
		b.empty++
		b.emptyEnd = b.pos
	}
	if b.at() == '\t' && (col < b.column || col <= b.indent) { // it begins no line of text, and no comment
		b.fail("tab", b.pos, b.pos+1)
	}
	if b.column >= 0 {
		return
	}
	if b.column = max(deepest, b.indent+1); ended || col <= b.indent {
		return
	}
	if deepest > col {
		b.fail("indentation of a block", deepLine, deepLine+deepest)
	}
	b.column = col
}
