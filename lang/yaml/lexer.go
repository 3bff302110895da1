package yaml

import (
	"strings"
	"unicode/utf8"
)

// A lexer splits a text of YAML 1.2 into lexemes. It stops at the first error: see fail.
//
// Block structure has lexemes of its own: the start of a map or list, a key before its
// scalar, the end of a block. The lexemes of
//
//	a: [1]
//	b:
//	- c
//
// are
//
//	MapStart Key Scalar(a) Value ListOpen Scalar(1) ListClose
//	         Key Scalar(b) Value Item Scalar(c) BlockEnd End
//
// (the list of b is "loose": its items are in the column of the keys). In brackets the
// lexemes Key and Value do not always come together: in {"a"\n: b} only the second shows
// that "a" is a key. Comments are in a queue of their own, each with the offset of its
// lexeme: see comment.
type lexer struct {
	src         string
	templates   templateFinder
	loneReturns bool // the file has returns without a newline, which src has as newlines

	pos        int
	lineStart  int
	firstBreak int   // offset of the first line break, or the length of the text
	indent     int   // column of the enclosing block collection, or -1
	indents    []int // the indentations around it
	keyAllowed bool  // a key may begin here
	ended      bool
	tab        int // offset of the last tab between lexemes, or -1

	flow       int  // nesting of brackets
	flowMargin int  // the least column of a closing bracket that begins a line
	flowLine   int  // start of the last line in brackets whose indentation was checked
	bracketKey bool // the open brackets are a key in block style
	outdented  bool // a line in brackets began before the column of the block around them

	lenient  bool
	shallows []shallowLine // of a lenient lexer

	queue []lexeme
	next  int      // index in queue of the next lexeme to take
	ahead int      // lexemes that peek reads; 1 if comments are not read
	texts []string // the texts of decoded scalars in queue

	last, previous mark // the last two lexemes
	comments       []comment
	taken          int         // number of comments that were taken
	columns        map[int]int // see firstInColumns

	buf        []byte          // the text of a scalar that is being decoded
	colonNames map[string]bool // anchors whose names end with a colon

	reason           string // why the lexer stopped, or "": see failures
	failedAt, failed int    // where, as offsets
}

// A lexeme is a token or a mark of block structure. The start of a lexBlockEnd is the
// offset up to which comments belong to the block.
type lexeme struct {
	kind       lexKind
	style      Style // of a scalar
	decoded    bool  // the text of a scalar is the next of texts, not a part of the source
	start, end int
}

// A mark is the part of a lexeme that places comments.
type mark struct {
	kind  lexKind
	start int
}

type lexKind uint8

const (
	lexNothing lexKind = iota // the lexer stopped
	lexStart                  // before the text
	lexEnd
	lexDirective // a line such as %YAML 1.2, without its comment
	lexDocumentStart
	lexDocumentEnd
	lexListStart // of block style
	lexMapStart  // of block style
	lexBlockEnd
	lexItem // "-"
	lexKey  // before the scalar of a key; "?", or it has no text
	lexValue
	lexListOpen
	lexListClose
	lexMapOpen
	lexMapClose
	lexComma
	lexAnchor
	lexTag
	lexAlias
	lexScalar
)

// commentsAhead is the number of lexemes that must be known to place the comments of the first.
const commentsAhead = 3

func newLexer(src string, opts ParseOptions) *lexer {
	valid, loneReturn := scanCharacters(src)
	if loneReturn { // it is a line break; offsets stay the same
		src = replaceReturns(src)
	}
	l := &lexer{src: src, templates: templateFinder{src: src, off: opts.NoTemplates}, loneReturns: loneReturn, lenient: opts.Lenient,
		indent: -1, keyAllowed: true, tab: -1, last: mark{kind: lexStart}, ahead: commentsAhead}
	l.pos = afterMark(src)
	l.lineStart = l.pos
	l.firstBreak = len(src)
	if i := strings.IndexByte(src, '\n'); i >= 0 {
		l.firstBreak = i
	}
	if !valid {
		l.giveUp("characters")
	}
	return l
}

// giveUp stops the lexer at the current place. The first reason counts.
func (l *lexer) giveUp(reason string) { l.fail(reason, l.pos, l.pos) }

// fail stops the lexer because of the bytes from start to end. If they are none, the rest of
// the line is meant. The first reason counts.
func (l *lexer) fail(reason string, start, end int) {
	if l.reason == "" {
		l.reason, l.failedAt, l.failed = reason, start, end
	}
}

// peek returns the next lexeme. It is valid until the next call of skip.
func (l *lexer) peek() *lexeme {
	for len(l.queue)-l.next < l.ahead && !l.ended && l.reason == "" {
		l.fetch()
	}
	if l.reason != "" {
		return &lexeme{}
	}
	return &l.queue[l.next]
}

// skip takes the next lexeme, after a call of peek.
func (l *lexer) skip() {
	if l.reason != "" {
		return
	}
	l.next++
	if l.next >= 64 { // the queue stays short
		l.queue = l.queue[:copy(l.queue, l.queue[l.next:])]
		l.next = 0
	}
}

// text returns the text of a scalar. It must be called once for each scalar, in order.
func (l *lexer) text(x *lexeme) string {
	switch {
	case x.decoded:
		text := l.texts[0]
		l.texts = l.texts[:copy(l.texts, l.texts[1:])]
		return text
	case x.style == Plain:
		return l.src[x.start:x.end]
	}
	return l.src[x.start+1 : x.end-1]
}

func (l *lexer) emit(x lexeme) {
	l.queue = append(l.queue, x)
	l.previous, l.last = l.last, mark{x.kind, x.start}
}

// fetch reads the next lexeme, and the lexemes of block structure before it.
func (l *lexer) fetch() {
	from := l.pos
	l.gap(from)
	if l.reason != "" {
		return
	}
	atEnd := l.pos >= len(l.src)
	marker := l.pos == l.lineStart && !atEnd && (l.src[l.pos] == '-' || l.src[l.pos] == '.') && isMarker(l.src[l.pos:])
	if l.flow == 0 {
		column := l.pos - l.lineStart
		switch {
		case atEnd: // before any other lexeme the line has only blanks and indicators
			column = utf8.RuneCountInString(l.src[l.lineStart:])
		case l.tab >= l.lineStart && skipBlanks(l.src, l.lineStart) == l.pos:
			column = l.margin() // a tab is no indentation
		}
		if l.indent > column {
			l.closeBlocks(column, from)
		}
		if l.tab >= l.lineStart && l.indent >= column && !atEnd {
			l.fail("tab", l.lineStart+column, l.lineStart+column+1)
			return
		}
		if !atEnd && !marker {
			l.inBlock(l.src[l.pos])
			return
		}
	}
	switch {
	case (atEnd || marker) && l.flow > 0:
		l.giveUp("open bracket")
	case atEnd:
		l.closeBlocks(-1, l.pos)
		l.emit(lexeme{kind: lexEnd, start: l.pos, end: l.pos})
		l.ended = true
	case marker:
		l.marker()
	default:
		if l.flowLine != l.lineStart {
			if l.checkFlowLine(); l.reason != "" {
				return
			}
		}
		l.inFlow(l.src[l.pos])
	}
}

// marker reads "---" or "...".
func (l *lexer) marker() {
	l.closeBlocks(-1, l.pos)
	l.keyAllowed = false
	kind := lexDocumentStart
	if l.src[l.pos] == '.' {
		kind = lexDocumentEnd
	}
	l.emit(lexeme{kind: kind, start: l.pos, end: l.pos + 3})
	l.pos += 3
	if i := skipBlanks(l.src, l.pos); kind == lexDocumentEnd && i < len(l.src) && !isSpace[l.src[i]] && l.src[i] != '#' {
		l.fail("text after an end", i, i)
	}
}

// margin returns the number of spaces at the beginning of the current line.
func (l *lexer) margin() int { return skipSpaces(l.src, l.lineStart) - l.lineStart }

// gap skips the blanks, line breaks and comments from offset from on.
func (l *lexer) gap(from int) {
	for l.pos < len(l.src) {
		switch l.src[l.pos] {
		case ' ':
			l.pos++
		case '\n':
			l.newLine(1)
		case '\r':
			l.newLine(2)
		case '\t':
			l.tab = l.pos
			l.pos++
		case '#':
			if l.pos > l.lineStart && !isBlank(l.src[l.pos-1]) {
				l.giveUp("comment without a blank")
				return
			}
			if l.ahead == 1 {
				l.pos = l.lineEnd(l.pos)
			} else if l.scanComments(from); l.reason != "" {
				return
			}
		case byteOrderMark[0]:
			if !l.betweenDocuments() || l.pos != l.lineStart || !strings.HasPrefix(l.src[l.pos:], byteOrderMark) {
				return
			}
			l.pos += len(byteOrderMark)
			l.lineStart = l.pos
		default:
			return
		}
	}
}

// betweenDocuments reports whether the next lexeme is not inside of a document that began
// already: a directive is allowed there.
func (l *lexer) betweenDocuments() bool {
	return l.last.kind == lexStart || l.last.kind == lexDocumentEnd || l.last.kind == lexDirective
}

func (l *lexer) newLine(n int) {
	l.pos += n
	l.lineStart = l.pos
	if l.flow == 0 {
		l.keyAllowed = true
	}
}

// openBlock opens a block collection if the column is deeper than the enclosing one. An entry
// or item begins at start, on the current line: there must be no tab before it.
func (l *lexer) openBlock(kind lexKind, start int) {
	col := start - l.lineStart
	if l.tab >= l.lineStart {
		l.fail("tab", l.tab, l.tab+1)
		return
	}
	if l.indent >= col {
		return
	}
	l.indents = append(l.indents, l.indent)
	l.indent = col
	l.emit(lexeme{kind: kind, start: start, end: start})
}

// closeBlocks closes the block collections that are deeper than a column. The gap before
// the current place begins at from. Its comments in the column of a block still belong to
// that block: below, c belongs to b and d does not.
//
//	a:
//	  b: 1
//	  # c
//	# d
//	e: 2
func (l *lexer) closeBlocks(col, from int) {
	if l.indent <= col {
		return
	}
	end := from - 1 // the offset of the character before the gap
	for end > 0 && l.src[end]&0xC0 == 0x80 {
		end--
	}
	first := l.firstInColumns(end)
	for l.indent > col {
		if start, ok := first[l.indent+1]; ok {
			end = start
		}
		l.emit(lexeme{kind: lexBlockEnd, start: end, end: end})
		l.indent = l.indents[len(l.indents)-1]
		l.indents = l.indents[:len(l.indents)-1]
	}
}

// firstInColumns returns the starts of the first comment in each column, counted from 1, of the gap
// after offset end. It is nil if there are no comments.
func (l *lexer) firstInColumns(end int) map[int]int {
	i, reach := len(l.comments)-1, end
	if i < l.taken || l.comments[i].end < reach {
		return nil
	}
	if l.columns == nil {
		l.columns = map[int]int{}
	}
	clear(l.columns)
	for ; i >= l.taken && l.comments[i].end >= reach; i-- {
		l.columns[l.comments[i].column] = l.comments[i].start
		reach = l.comments[i].gap
	}
	return l.columns
}

// inBlock reads the lexeme that begins with c in block style.
func (l *lexer) inBlock(c byte) {
	switch c {
	case '-':
		if l.blankAfter(l.pos) {
			l.indicator(lexListStart, lexItem)
			return
		}
	case '?':
		if l.blankAfter(l.pos) {
			l.indicator(lexMapStart, lexKey)
			return
		}
	case ':':
		if l.blankAfter(l.pos) {
			l.indicator(lexMapStart, lexValue)
			return
		}
	case '[':
		l.open(lexListOpen)
		return
	case '{':
		if !l.atTemplate(l.pos) {
			l.open(lexMapOpen)
			return
		}
	case '|', '>':
		l.blockScalar(c)
		return
	case '&', '!':
		l.properties()
		return
	case '*':
		l.alias()
		return
	case '%':
		if l.pos == l.lineStart && l.betweenDocuments() {
			l.directive()
			return
		}
	}
	l.scalar(nil, l.pos)
}

// indicator reads "-", "?" or ":" in block style, after which a collection may begin on the
// same line.
func (l *lexer) indicator(block, kind lexKind) {
	if !l.keyAllowed {
		l.fail(l.noKeyHere("indicator after a value"), l.pos, l.pos+1)
		return
	}
	if l.openBlock(block, l.pos); l.reason != "" {
		return
	}
	l.emit(lexeme{kind: kind, start: l.pos, end: l.pos + 1})
	l.pos++
}

// noKeyHere returns the reason why no key or item can begin at the current place: the line begins
// with "---", or another one.
func (l *lexer) noKeyHere(other string) string {
	if isMarker(l.src[l.lineStart:]) {
		return "after a marker"
	}
	return other
}

// needsKey reports whether a key must begin at offset i, since it is in the column of
// keys or items. The line begins at offset line.
func (l *lexer) needsKey(i, line int) bool {
	return l.flow == 0 && l.keyAllowed && i-line == l.indent
}

// colon returns the offset of the colon that follows on the line, or -1.
func (l *lexer) colon(i int) int {
	i = skipBlanks(l.src, i)
	if i < len(l.src) && l.src[i] == ':' && (l.flow > 0 || l.blankAfter(i)) {
		return i
	}
	return -1
}

// blankAfter reports whether a blank, a line break or the end follows offset i.
func (l *lexer) blankAfter(i int) bool {
	return i+1 >= len(l.src) || isSpace[l.src[i+1]]
}
