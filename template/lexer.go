package template

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// blanks are the characters that whitespace control trims, and that are stripped around
// a template.
const blanks = " \t\r\n\f\v"

// isSpace reports whether whitespace control trims r: what Python takes for whitespace.
func isSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

// isInLine is isSpace without the characters that end a line.
func isInLine(r rune) bool { return isSpace(r) && r != '\n' && r != '\r' }

// A pieceKind is the kind of a piece.
type pieceKind uint8

const (
	textPiece pieceKind = iota
	outputPiece
	blockPiece
)

// A piece is one part of a template: text to copy, an expression to write, or a
// statement. Comments and raw markers leave none. The pieces of
//
//	a{% if x -%} b{{ c }}
//
// are the text "a", the statement " if x ", the text "b" and the expression " c ".
type piece struct {
	kind       pieceKind
	text       string // text after whitespace control, or the text between the delimiters
	start, end int    // the whole piece in the template, delimiters included
	body       int    // offset of text in the template (not for textPiece)
}

// A lexer cuts a template into pieces. It knows delimiters, strings, brackets, raw
// blocks, comments and whitespace control, but not expressions.
type lexer struct {
	src    string
	syn    *syntax
	firsts string // the first characters of all openers
	start  int    // where the template begins, after its header line
	pos    int
	text   int // pos, after what a sign before it trims
	pieces []piece

	trimNext  bool // the last delimiter has "-": trim the text that follows
	trimBreak bool // trim_blocks: drop the line break that follows
	other     foreignText
}

// lex returns the pieces of src[start:], also if there is an error.
func lex(src string, start int, syn *syntax) ([]piece, *textError) {
	l := &lexer{src: src, syn: syn, firsts: syn.firsts(), start: start, pos: start}
	for l.pos < len(src) {
		if err := l.next(); err != nil {
			return l.pieces, err
		}
	}
	return l.pieces, nil
}

// An opener is an opening delimiter in the text.
type opener struct {
	at   int
	len  int
	kind openerKind
}

type openerKind uint8

const (
	noOpener openerKind = iota
	variableOpener
	blockOpener
	commentOpener
	lineStatementOpener
	lineCommentOpener
)

// next reads the text up to the next opener, and the piece that it opens.
func (l *lexer) next() *textError {
	if l.text = l.pos; l.trimNext {
		l.text = len(l.src) - len(strings.TrimLeftFunc(l.src[l.pos:], isSpace))
	}
	o := l.find(l.pos)
	switch o.kind {
	case noOpener:
		l.addText(l.pos, len(l.src), keepEnd)
		l.pos = len(l.src)
		return nil
	case lineStatementOpener:
		return l.lineStatement(o)
	}
	inner := o.at + o.len
	sign := l.byteAt(inner)
	l.addText(l.pos, o.at, l.trimmingBy(sign, o.kind))
	if sign == '-' || sign == '+' {
		inner++
	}
	switch o.kind {
	case lineCommentOpener:
		l.pos = l.lineEnd(inner)
		return nil
	case commentOpener:
		return l.comment(o, inner)
	case blockOpener:
		if name, _ := firstWord(l.src[inner:]); name == "raw" {
			return l.raw(o, inner)
		}
		return l.delimited(o, inner, blockPiece, l.syn.block[1])
	}
	return l.delimited(o, inner, outputPiece, l.syn.variable[1])
}

func (l *lexer) byteAt(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// find returns the first opener at or after from.
func (l *lexer) find(from int) opener {
	for i := from; i < len(l.src); i++ {
		n := strings.IndexAny(l.src[i:], l.firsts)
		if n < 0 {
			break
		}
		i += n
		if o := l.openerAt(i); o.kind == variableOpener && l.syn.variable[0] == "{{" && foreign(l.src, i) {
			i = l.other.end(l.src, i) - 1
		} else if o.kind != noOpener {
			return o
		}
	}
	return opener{}
}

// firsts returns the first characters of the delimiters and prefixes that open something.
func (s *syntax) firsts() (all string) {
	for _, opens := range [...]string{s.variable[0], s.block[0], s.comment[0], s.lineStatement, s.lineComment} {
		if r, size := utf8.DecodeRuneInString(opens); size > 0 && !strings.ContainsRune(all, r) {
			all += string(r)
		}
	}
	return all
}

// foreign reports whether the "{{" at i belongs to another tool, as in "${{ x }}".
func foreign(text string, i int) bool { return i > 0 && text[i-1] == '$' }

// A foreignText finds the ends of another tool's expressions in one text.
type foreignText struct {
	unclosed bool // no "}}" is left, so the text is not searched again
}

// end returns the end of the foreign expression that begins with "{{" at i: the offset
// after its "}}", or after the "{{" if it is never closed.
func (f *foreignText) end(text string, i int) int {
	if !f.unclosed {
		if n := strings.Index(text[i+2:], "}}"); n >= 0 {
			return i + 2 + n + 2
		}
		f.unclosed = true
	}
	return i + 2
}

// openerAt returns the longest opener at i.
func (l *lexer) openerAt(i int) opener {
	var best opener
	try := func(kind openerKind, s string) {
		if s != "" && len(s) > best.len && strings.HasPrefix(l.src[i:], s) {
			best = opener{i, len(s), kind}
		}
	}
	try(variableOpener, l.syn.variable[0])
	try(blockOpener, l.syn.block[0])
	try(commentOpener, l.syn.comment[0])
	if p := l.syn.lineStatement; p != "" && strings.HasPrefix(l.src[i:], p) && l.onItsLine(i, false) {
		try(lineStatementOpener, p)
	}
	if p := l.syn.lineComment; p != "" && strings.HasPrefix(l.src[i:], p) && l.onItsLine(i, true) {
		try(lineCommentOpener, p)
	}
	return best
}

// onItsLine reports whether a prefix at i can begin a line statement or a line comment: a
// statement has its line for itself, a comment may follow text. Blanks that a sign before them
// trims are not there any more, so that neither follows them.
func (l *lexer) onItsLine(i int, comment bool) bool {
	from := min(l.text, i)
	before := strings.TrimRight(l.src[from:i], " \t\v")
	if comment {
		before = strings.TrimRightFunc(before, isInLine)
	}
	at := from + len(before)
	if at == l.start || endsLine(l.src[at-1]) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(l.src[:at])
	return comment && !isSpace(last)
}

// cutIndent returns text without the blanks at its end, and reports whether they begin
// a line. text begins at from.
func (l *lexer) cutIndent(text string, from int) (kept string, alone bool) {
	kept = strings.TrimRightFunc(text, isInLine)
	if kept == "" {
		return kept, from == l.start || endsLine(l.src[from-1])
	}
	return kept, endsLine(kept[len(kept)-1])
}

func endsLine(c byte) bool { return c == '\n' || c == '\r' }

// A trimming is the treatment of whitespace at the end of a text.
type trimming uint8

const (
	keepEnd    trimming = iota
	trimLine            // drop blanks that have nothing but blanks around them on their line
	trimBlanks          // drop blanks
	trimEnd             // drop all of it
)

// trimmingBy returns the effect of an opener on the text before it. sign is the byte
// after the opener.
func (l *lexer) trimmingBy(sign byte, kind openerKind) trimming {
	switch {
	case sign == '-':
		return trimEnd
	case kind == lineCommentOpener:
		return trimBlanks
	case kind == lineStatementOpener:
		return trimLine
	case l.syn.lstripBlocks && kind != variableOpener && sign != '+':
		return trimLine
	}
	return keepEnd
}

// addText adds the text [from, to) after whitespace control.
func (l *lexer) addText(from, to int, end trimming) {
	text := l.src[from:to]
	switch {
	case l.trimNext:
		text = strings.TrimLeftFunc(text, isSpace)
	case l.trimBreak:
		if cut, ok := strings.CutPrefix(text, "\r\n"); ok {
			text = cut
		} else {
			text = strings.TrimPrefix(text, "\n")
		}
	}
	from = to - len(text)
	l.trimNext, l.trimBreak = false, false
	switch end {
	case trimEnd:
		text = strings.TrimRightFunc(text, isSpace)
	case trimBlanks:
		text = strings.TrimRightFunc(text, isInLine)
	case trimLine:
		if kept, alone := l.cutIndent(text, from); alone {
			text = kept
		}
	}
	if l.syn.newline != "" {
		text = strings.ReplaceAll(unifyBreaks(text), "\n", l.syn.newline)
	}
	if text != "" {
		l.pieces = append(l.pieces, piece{kind: textPiece, text: text, start: from, end: to})
	}
}

// unifyBreaks returns text with LF in place of CRLF and CR.
func unifyBreaks(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// delimited reads an expression or a statement up to its closing delimiter.
func (l *lexer) delimited(o opener, inner int, kind pieceKind, close string) *textError {
	c := findClose(l.src, inner, close)
	if !c.found {
		return l.unclosed(o, close)
	}
	end := c.at
	l.pos = end + len(close)
	p := piece{kind: kind, start: o.at, end: l.pos, body: inner}
	if end > inner {
		switch sign := l.src[end-1]; {
		case sign == '-':
			l.trimNext = true
			end--
		case sign == '+' && kind == blockPiece:
			end--
		default:
			l.trimBreak = l.syn.trimBlocks && kind == blockPiece
		}
	}
	p.text = l.src[inner:end]
	l.pieces = append(l.pieces, p)
	if c.broken {
		l.pos = len(l.src) // the expression is an error; scanning on could take quadratic time
	}
	return nil
}

// unclosed returns the error for an opener without its closing delimiter.
func (l *lexer) unclosed(o opener, close string) *textError {
	open := l.src[o.at : o.at+o.len]
	return &textError{o.at, o.at + o.len, "\"" + open + "\" is never closed: expected \"" + close + "\""}
}

// comment skips a comment. Its delimiters may carry signs.
func (l *lexer) comment(o opener, inner int) *textError {
	close := l.syn.comment[1]
	n := strings.Index(l.src[inner:], close)
	if n < 0 {
		return l.unclosed(o, close)
	}
	end := inner + n
	l.pos = end + len(close)
	l.afterBlock(l.src[inner:end])
	return nil
}

// raw reads a raw block: everything up to "endraw" is text.
func (l *lexer) raw(o opener, inner int) *textError {
	close := l.syn.block[1]
	c := findClose(l.src, inner, close)
	if !c.found {
		return l.unclosed(o, close)
	}
	end := c.at
	head := l.src[inner:end]
	if strings.Trim(head, blanks+"-+") != "raw" {
		return &textError{inner, end, "\"raw\" takes no arguments"}
	}
	l.trimNext = strings.HasSuffix(head, "-")
	from := end + len(close)
	for at := from; ; at += len(l.syn.block[0]) {
		n := strings.Index(l.src[at:], l.syn.block[0])
		if n < 0 {
			return &textError{o.at, from, "expected \"endraw\" for \"raw\""}
		}
		at += n
		if e, ok := l.endRaw(at); ok {
			tail := l.src[at+len(l.syn.block[0]) : e]
			l.addText(from, at, l.trimmingBy(tail[0], blockOpener))
			l.afterBlock(tail)
			l.pos = e + len(close)
			return nil
		}
	}
}

// afterBlock notes how the end of a block trims the text after it. inside is the text
// between the delimiters.
func (l *lexer) afterBlock(inside string) {
	l.trimNext = strings.HasSuffix(inside, "-")
	l.trimBreak = l.syn.trimBlocks && !strings.HasSuffix(inside, "+")
}

// endRaw reports whether the opener at i begins "endraw", and returns the offset of its
// closing delimiter.
func (l *lexer) endRaw(i int) (end int, ok bool) {
	rest := withoutSign(l.src[i+len(l.syn.block[0]):])
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, blanks), "endraw")
	if !ok {
		return 0, false
	}
	rest = withoutSign(strings.TrimLeft(rest, blanks))
	return len(l.src) - len(rest), strings.HasPrefix(rest, l.syn.block[1])
}

func withoutSign(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

// lineStatement reads a statement that is a line of its own. It continues on the next
// line while a bracket is open. Blank lines after it belong to it.
func (l *lexer) lineStatement(o opener) *textError {
	inner := o.at + o.len
	sign := l.byteAt(inner)
	l.addText(l.pos, o.at, l.trimmingBy(sign, o.kind))
	if sign == '-' || sign == '+' {
		inner++
	}
	end := l.lineEnd(inner)
	if c := findClose(l.src, inner, "\n"); c.found && !c.broken {
		end = c.at
	}
	text := strings.TrimRightFunc(l.src[inner:end], isSpace)
	l.pieces = append(l.pieces, piece{kind: blockPiece, text: text, start: o.at, end: inner + len(text), body: inner})
	rest := strings.TrimLeftFunc(l.src[end:], isSpace)
	l.pos = len(l.src)
	if rest != "" {
		l.pos = end + 1 + strings.LastIndexByte(l.src[end:len(l.src)-len(rest)], '\n')
	}
	return nil
}

// lineEnd returns the end of the line that contains i, before its line break.
func (l *lexer) lineEnd(i int) int {
	if n := strings.IndexByte(l.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(l.src)
}

// A closing is the end of an expression or statement.
type closing struct {
	at     int
	found  bool
	broken bool // a string or bracket is never closed, so the expression is invalid
}

// findClose finds the closing delimiter of an expression. Those in strings or brackets
// do not count: the delimiter of {{ {'a': '}}'} }} is the last. If a string or bracket is
// never closed, they do count, and the parser of the expression reports the error.
func findClose(s string, from int, close string) closing {
	depth, first := 0, -1
	for i := from; i < len(s); {
		c := s[i]
		if c == close[0] && strings.HasPrefix(s[i:], close) {
			if depth == 0 {
				return closing{at: i, found: true}
			}
			if first < 0 {
				first = i
			}
		}
		switch c {
		case '\'', '"':
			end, ok := stringEnd(s, i)
			if !ok { // an unclosed quote hides no delimiter
				if first < 0 {
					if n := strings.Index(s[i:], close); n >= 0 {
						first = i + n
					}
				}
				return closing{at: first, found: first >= 0, broken: true}
			}
			i = end
			continue
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
		i++
	}
	return closing{at: first, found: first >= 0, broken: true}
}

// stringEnd returns the offset after the string literal that begins at i.
func stringEnd(s string, i int) (int, bool) {
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case s[i]:
			return j + 1, true
		}
	}
	return 0, false
}

// firstWord returns the name that begins a statement, and its offset.
func firstWord(s string) (word string, at int) {
	for at < len(s) && strings.IndexByte(blanks, s[at]) >= 0 {
		at++
	}
	end := at
	for end < len(s) && isWordByte(s[end]) {
		end++
	}
	return s[at:end], at
}

// isLetter reports whether c can begin an ASCII name.
func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isWordByte reports whether c can be part of a name.
func isWordByte(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c >= 0x80 }
