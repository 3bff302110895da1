package yaml

import (
	"strings"
	"unicode/utf8"
)

// A lexer splits the common subset of YAML into lexemes: everything except complex keys,
// directives, aliases as keys and other rare syntax. At unknown syntax and at errors it
// gives up, and the library parses the whole text and reports the errors. So the lexer may
// be strict, but it must never accept a text that the library rejects.
//
// Block structure has lexemes of its own, as in the library: the start of a map or list,
// a key before its scalar, the end of a block. The lexemes of
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
// (the list of b is "loose": its items are in the column of the keys). Comments are in a
// queue of their own, each with the offset of its lexeme: see comment.
type lexer struct {
	src       string
	templates templateFinder

	pos        int
	lineStart  int
	firstBreak int   // offset of the first line break, or the length of the text
	indent     int   // column of the enclosing block collection, or -1
	indents    []int // those around it
	flow       int   // nesting of brackets
	keyAllowed bool  // a key may begin here
	ended      bool

	queue []lexeme
	next  int      // index in queue of the next lexeme to take
	texts []string // the texts of decoded scalars in queue

	last, previous mark // the last two lexemes
	comments       []comment
	taken          int // number of comments that were taken

	buf        []byte // the text of a scalar that is being decoded
	jsonEscape bool   // the quoted scalar has an escape that YAML 1.2 took from JSON
	reason     string // why the lexer gave up, or ""
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
	lexNothing lexKind = iota // the lexer gave up
	lexStart                  // before the text
	lexEnd
	lexDocumentStart
	lexDocumentEnd
	lexListStart // of block style
	lexMapStart  // of block style
	lexBlockEnd
	lexItem // "-"
	lexKey  // before the scalar of a key; it has no text
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

// ahead is the number of lexemes that must be known to place the comments of the first.
const ahead = 3

func newLexer(src string, opts ParseOptions) *lexer {
	l := &lexer{src: src, templates: templateFinder{src: src, off: opts.NoTemplates}, indent: -1, keyAllowed: true, last: mark{kind: lexStart}}
	l.pos = afterMark(src)
	l.lineStart = l.pos
	l.firstBreak = len(src)
	if i := strings.IndexByte(src, '\n'); i >= 0 {
		l.firstBreak = i
	}
	if !commonCharacters(src[l.pos:]) {
		l.giveUp("characters")
	}
	return l
}

// giveUp stops the lexer, so that the library parses the text. The first reason counts.
func (l *lexer) giveUp(reason string) {
	if l.reason == "" {
		l.reason = reason
	}
}

// peek returns the next lexeme. It is valid until the next call of skip.
func (l *lexer) peek() *lexeme {
	for len(l.queue)-l.next < ahead && !l.ended && l.reason == "" {
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
	if l.flow == 0 {
		column := l.pos - l.lineStart
		if atEnd { // before any other lexeme the line has only blanks and indicators
			column = utf8.RuneCountInString(l.src[l.lineStart:])
		}
		l.closeBlocks(column, from)
	}
	marker := !atEnd && l.pos == l.lineStart && (l.src[l.pos] == '-' || l.src[l.pos] == '.') && isMarker(l.src[l.pos:])
	switch {
	case (atEnd || marker) && l.flow > 0:
		l.giveUp("open bracket")
	case atEnd:
		l.closeBlocks(-1, l.pos)
		l.emit(lexeme{kind: lexEnd, start: l.pos, end: l.pos})
		l.ended = true
	case marker:
		l.closeBlocks(-1, l.pos)
		l.keyAllowed = false
		kind := lexDocumentStart
		if l.src[l.pos] == '.' {
			kind = lexDocumentEnd
		}
		l.emit(lexeme{kind: kind, start: l.pos, end: l.pos + 3})
		l.pos += 3
	case l.flow > 0:
		l.inFlow(l.src[l.pos])
	default:
		l.inBlock(l.src[l.pos])
	}
}

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
			if l.flow == 0 && l.keyAllowed {
				l.giveUp("tab")
				return
			}
			l.pos++
		case '#':
			if l.pos > l.lineStart && !isBlank(l.src[l.pos-1]) {
				l.giveUp("# without a blank")
				return
			}
			if l.scanComments(from); l.reason != "" {
				return
			}
		default:
			return
		}
	}
}

func (l *lexer) newLine(n int) {
	l.pos += n
	l.lineStart = l.pos
	if l.flow == 0 {
		l.keyAllowed = true
	}
}

// openBlock opens a block collection if the column is deeper than the enclosing one.
func (l *lexer) openBlock(kind lexKind, start int) {
	col := start - l.lineStart
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
	for l.indent > col {
		reach := end
		for i := len(l.comments) - 1; i >= l.taken && l.comments[i].end >= reach; i-- {
			if c := &l.comments[i]; c.column == l.indent+1 {
				end = c.start
			}
			reach = l.comments[i].gap
		}
		l.emit(lexeme{kind: lexBlockEnd, start: end, end: end})
		l.indent = l.indents[len(l.indents)-1]
		l.indents = l.indents[:len(l.indents)-1]
	}
}

// inBlock reads the lexeme that begins with c in block style.
func (l *lexer) inBlock(c byte) {
	switch c {
	case '-':
		if l.blankAfter(l.pos) {
			if !l.keyAllowed {
				l.giveUp("- after a value")
				return
			}
			l.openBlock(lexListStart, l.pos)
			l.emit(lexeme{kind: lexItem, start: l.pos, end: l.pos + 1})
			l.pos++
			return
		}
	case '?', ':':
		if l.blankAfter(l.pos) {
			l.giveUp("complex key")
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
	}
	l.scalar(nil, l.pos)
}

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
	case '?', ':':
		first := l.src[l.last.start]
		quoted := l.last.kind == lexScalar && (first == '"' || first == '\'')
		if l.blankAfter(l.pos) || isFlowIndicator(l.src[l.pos+1]) || l.last.kind == lexListClose || l.last.kind == lexMapClose || quoted {
			l.giveUp("complex key")
			return
		}
		l.scalar(nil, l.pos)
	case '&', '!':
		l.properties()
	case '*':
		l.alias()
	default:
		l.scalar(nil, l.pos)
	}
}

// needsKey reports whether a key must begin at offset i, since it is in the column of
// keys or items. The line begins at offset line.
func (l *lexer) needsKey(i, line int) bool {
	return l.flow == 0 && l.keyAllowed && i-line == l.indent
}

// open reads an opening bracket.
func (l *lexer) open(kind lexKind) {
	if l.needsKey(l.pos, l.lineStart) {
		l.giveUp("no key")
		return
	}
	l.emit(lexeme{kind: kind, start: l.pos, end: l.pos + 1})
	l.flow++
	l.keyAllowed = true
	l.pos++
	l.lineComment(l.last.start)
}

// close reads a closing bracket.
func (l *lexer) close(kind lexKind) {
	l.emit(lexeme{kind: kind, start: l.pos, end: l.pos + 1})
	l.flow--
	l.keyAllowed = false
	l.pos++
	if l.colon(l.pos) >= 0 {
		l.giveUp("complex key")
		return
	}
	l.lineComment(l.last.start)
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
