package yaml

import (
	"strings"
)

// A comment is a comment in the queue: it goes to the first lexeme that begins at
// or behind its target.
//
// The rules are those of the library, odd ones included, since a text must have the
// same comments at the same places whoever reads it. In short: what stands behind
// something on its line is the line comment of that; what is followed by an empty
// line and stands directly below something is its foot; a change of the indentation
// ends a foot; everything else is the head of what follows.
type comment struct {
	role   commentRole
	target int
	text   string

	gap    int // where the gap begins that it was found in, or the end of the comment before it
	start  int
	column int // of its first "#", counted from 1
	end    int
}

type commentRole uint8

const (
	headComment commentRole = iota
	lineComment
	footComment
)

const (
	maxBlanks   = 500 // the library looks for comments no further than 512 blanks
	maxComments = 100 // that wait for a lexeme or a node: joining more takes long
)

func (l *lexer) addComment(c comment) {
	if len(l.comments)-l.taken > maxComments {
		l.giveUp("many comments")
		return
	}
	if l.taken == len(l.comments) {
		l.comments, l.taken = l.comments[:0], 0
	}
	l.comments = append(l.comments, c)
}

// lineComment reads the comment on the line behind a lexeme.
func (l *lexer) lineComment(target int) {
	i := skipBlanks(l.src, l.pos)
	if i >= len(l.src) || l.src[i] != '#' {
		return
	}
	if i-l.pos > maxBlanks || !isBlank(l.src[i-1]) {
		l.giveUp("odd comment")
		return
	}
	l.pos = l.lineEnd(i)
	l.addComment(comment{role: lineComment, target: target, text: l.src[i:l.pos], start: i})
}

// lineEnd returns the offset of the line break behind i.
func (l *lexer) lineEnd(i int) int {
	n := strings.IndexByte(l.src[i:], '\n')
	if n < 0 {
		return len(l.src)
	}
	if n > 0 && l.src[i+n-1] == '\r' {
		n--
	}
	return i + n
}

// scanComments reads the comments on lines of their own in the gap that begins at
// from; the first is at the current place.
func (l *lexer) scanComments(from int) {
	above := l.last
	if above.kind == lexComma {
		above = l.previous
	}
	newlines := 0 // between the comment and the lexeme before it
	for i := l.pos; i > 0 && isSpace[l.src[i-1]]; i-- {
		if l.src[i-1] == '\n' {
			newlines++
		}
	}
	b := commentBlock{
		lexer: l, gap: from, target: above.start, above: above.kind,
		indent: max(l.indent, 0), first: newlines <= 1, footLine: -1 << 30,
	}
	if from > l.firstBreak {
		b.footLine = 1 - newlines
		if newlines == 0 && l.pos-l.lineStart > 1 {
			b.footLine++
		}
	}
	b.scan()
}

// A commentBlock is the comment that is being read, line by line. Lines are counted
// from that of the first comment of the gap.
type commentBlock struct {
	*lexer
	gap      int
	target   int     // of a foot
	above    lexKind // what is above the gap
	indent   int
	footLine int // where a foot begins

	first bool // there was no empty line yet
	empty bool // there was one just now

	lines       int // line breaks that were read
	line        int // the current line, as the library counts: see scan
	column      int // counted from 1
	start       int
	startLine   int
	startColumn int
	end         int // behind the text, as long as it is one line of the source
}

// scan reads up to what follows the comments. The library looks for it from behind
// the first byte of the line break, so that it does not see that of "\n" but the
// second byte of "\r\n", as an empty line; and it counts both bytes of the latter
// in empty lines.
func (b *commentBlock) scan() {
	b.buf = b.buf[:0]
	b.column = b.pos - b.lineStart
	blanks := 0
	for at := b.pos; ; at++ {
		b.column++
		c := byte(0)
		if at < len(b.src) {
			c = b.src[at]
		}
		if blanks++; blanks > maxBlanks {
			b.giveUp("odd comment")
			return
		}
		if isBlank(c) {
			continue
		}
		closing := b.flow > 0 && (c == ']' || c == '}')
		if lineBreak := c == '\n' || c == '\r'; closing || lineBreak || c == 0 {
			b.emptyLine(at, closing, c == 0)
			if !lineBreak {
				b.head(at)
				return
			}
			continue
		}
		if b.started() && b.column-1 < b.indent && b.column != b.startColumn {
			b.foot(at)
		}
		if c != '#' {
			b.head(at)
			return
		}
		if !b.started() {
			b.start, b.startLine, b.startColumn = at, b.line, b.column
		}
		end := b.lexer.lineEnd(at)
		if n := strings.Count(b.src[b.pos:at], "\n"); n > 0 {
			b.lines += n
			b.lineStart = strings.LastIndexByte(b.src[:at], '\n') + 1
		}
		if b.started() {
			b.join(b.src[at:end])
		}
		b.end, b.pos, at = end, end, end
		b.line, b.column, blanks = b.lines, 0, 0
		b.empty = false
	}
}

// started reports whether there is a comment that was not put in the queue.
func (b *commentBlock) started() bool { return b.end > 0 }

// emptyLine decides at an empty line, the end of the text or a closing bracket
// whether the comment so far is a foot.
func (b *commentBlock) emptyLine(at int, closing, ended bool) {
	if closing || !b.empty {
		dedented := b.startColumn-1 < b.indent
		below := b.startLine == b.footLine && b.above != lexValue
		switch {
		case closing || b.first && (below || dedented):
			if b.started() {
				if dedented { // it has nothing to do with what is above
					b.target = b.start
				}
				b.foot(at)
			}
		case b.started() && !ended:
			b.join("")
		}
	}
	if !closing && !ended {
		b.first, b.empty = false, true
		b.column = 0
		b.line++
	}
}

// join appends a line to the comment, which from now on is not a part of the source.
func (b *commentBlock) join(line string) {
	if len(b.buf) == 0 {
		b.buf = append(b.buf, b.src[b.start:b.end]...)
	}
	b.buf = append(b.buf, '\n')
	b.buf = append(b.buf, line...)
}

// text returns the comment so far and forgets it.
func (b *commentBlock) text() string {
	text := b.src[b.start:b.end]
	if len(b.buf) > 0 {
		text = string(b.buf)
	}
	b.buf, b.end = b.buf[:0], 0
	return text
}

func (b *commentBlock) foot(at int) {
	b.addComment(comment{
		role: footComment, target: b.target, text: b.text(),
		gap: b.gap, start: b.start, column: b.startColumn, end: at,
	})
	b.gap, b.target = at, at
}

func (b *commentBlock) head(at int) {
	if !b.started() {
		return
	}
	b.addComment(comment{
		role: headComment, target: b.start, text: b.text(),
		gap: b.gap, start: b.start, column: b.startColumn, end: at - 1,
	})
}

// pendingComments are comments that wait for a node to belong to.
type pendingComments struct {
	Comments
	n    int
	stem string // of the list or map that begins behind a "-"
}

// splitHead takes from the heads what an empty line separates from what follows: it
// belongs to the document.
func (w *pendingComments) splitHead() string {
	h := w.Head
	for i := len(h) - 1; i > 0; i-- {
		switch {
		case h[i] != '\n':
		case i == len(h)-1:
			w.Head = ""
			return h[:i]
		case h[i-1] == '\n':
			w.Head = h[i+1:]
			return h[:i-1]
		}
	}
	return ""
}

// look returns the next lexeme, and makes the comments that are its own wait for a
// node.
func (p *treeParser) look() *lexeme {
	x := p.peek()
	for p.taken < len(p.comments) && p.comments[p.taken].target <= x.start {
		c := &p.comments[p.taken]
		if c.role == headComment && x.kind == lexBlockEnd {
			break // it belongs to what follows
		}
		p.taken++
		if p.plain {
			continue
		}
		switch w := &p.pending; c.role {
		case headComment:
			w.Head = joinComments(w.Head, c.text)
		case lineComment:
			w.Line = joinComments(w.Line, c.text)
		case footComment:
			w.Foot = joinComments(w.Foot, c.text)
		}
		if p.pending.n++; p.pending.n > maxComments {
			p.giveUp("many comments")
		}
	}
	return x
}

// takeComments returns the comments that wait, or nil if there are none.
func (p *treeParser) takeComments() *Comments {
	if p.pending.n == 0 {
		return nil
	}
	c := p.commentSlab.one()
	*c = p.pending.Comments
	p.pending = pendingComments{}
	if *c == (Comments{}) {
		return nil
	}
	return c
}

// takeStem returns the comments that stand above the "-" before a list or map.
func (p *treeParser) takeStem() *Comments {
	if p.pending.stem == "" {
		return nil
	}
	c := p.commentSlab.one()
	c.Head, p.pending.stem = p.pending.stem, ""
	return c
}

// closed returns the comments of a list or map, of which the last one's line and foot
// count.
func (p *treeParser) closed(first, last *Comments) *Comments {
	if first == nil && last == nil {
		return nil
	}
	c := p.commentSlab.one()
	if first != nil {
		c.Head = first.Head
	}
	if last != nil {
		c.Line, c.Foot = last.Line, last.Foot
	}
	return c
}

// comment puts comments on a node.
func (p *treeParser) comment(n *Node, c *Comments) {
	if c != nil && *c != (Comments{}) && p.reason == "" {
		p.detailsOf(n).Comments = *c
	}
}

// entryComments are those of an entry's key and value, nil if there are none.
type entryComments struct{ key, value *Comments }

// raiseFoot makes the foot of the value that of the key, if that has none.
func (c *entryComments) raiseFoot(p *treeParser) {
	if c.value != nil && c.value.Foot != "" && (c.key == nil || c.key.Foot == "") {
		c.setFoot(p, c.value.Foot)
		c.value.Foot = ""
	}
}

// setFoot sets the foot of the key.
func (c *entryComments) setFoot(p *treeParser, foot string) {
	if c.key == nil {
		c.key = p.commentSlab.one()
	}
	c.key.Foot = foot
}

// commentEntry puts comments on the last entry.
func (p *treeParser) commentEntry(c *entryComments) {
	if c.key == nil && c.value == nil || p.reason != "" {
		return
	}
	e := &p.entryStack[len(p.entryStack)-1]
	if c.key == nil {
		c.key = p.commentSlab.one()
	}
	if c.value != nil {
		joinEntryComments(c.key, c.value, e.Value)
	}
	if *c.key != (Comments{}) {
		e.Comments = c.key
	}
}

// joinEntryComments adds to the comments of an entry those of its value v. The head of
// a map in block style is that of its first entry.
func joinEntryComments(all, of *Comments, v *Node) {
	if v.Kind == MapNode && v.Style == Block && len(v.Entries) > 0 {
		first := *v.Entries[0].Comments
		first.Head = joinComments(of.Head, first.Head)
		v.Entries[0].setComments(first)
	} else {
		all.Head = joinComments(all.Head, of.Head)
	}
	all.Line = joinComments(all.Line, of.Line)
	all.Foot = joinComments(of.Foot, all.Foot)
}

func joinComments(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
