package yaml

import "strings"

// Comments are placed as gopkg.in/yaml.v3 does, odd rules included: tests compare them. In
//
//	# 1
//
//	# 2
//	a: 1 # 3
//	# 4
//
//	# 5
//	b:
//	  # 6
//	  - c
//	  # 7
//	# 8
//	d: 2
//
//	# 9
//
// the comments are
//
//	1  head of the document: an empty line separates it from a
//	2  head of a
//	3  line comment of a
//	4  foot of a: it is directly below a, and an empty line follows
//	5  head of b
//	6  head of the item c
//	7  foot of c: it is in the column of the list, which ends after it
//	8  head of d: no empty line follows
//	9  foot of the document
//
// A comment after something on the same line is its line comment. A comment directly below
// something is its foot if an empty line or a smaller indentation follows. Every other
// comment is the head of the next node.
//
// The lexer and the tree parser share the work. The lexer reads the comments of a gap, the
// text between two lexemes (scanComments), and gives each a role and a target: the offset
// of a lexeme. Comment 3 has the offset of the lexeme "a", comment 4 too, comment 5 its own
// offset, since the lexeme below is not known yet. The tree parser takes a comment when it
// looks at the first lexeme that begins at the target or after it (look), and keeps it
// pending until the node or entry of that lexeme takes it (takeComments).

// A comment is a comment that waits for its lexeme: the first one that begins at its
// target or after it.
type comment struct {
	role   commentRole
	target int
	text   string

	gap    int // start of the gap of the comment, or the end of the comment before it
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

// addComment queues a comment.
func (l *lexer) addComment(c comment) {
	if l.taken == len(l.comments) {
		l.comments, l.taken = l.comments[:0], 0
	}
	l.comments = append(l.comments, c)
}

// lineComment reads the comment after a lexeme on its line, if there is one.
func (l *lexer) lineComment(target int) {
	i := skipBlanks(l.src, l.pos)
	if i >= len(l.src) || l.src[i] != '#' {
		return
	}
	if !isBlank(l.src[i-1]) {
		l.fail("comment without a blank", i, i)
		return
	}
	l.pos = l.lineEnd(i)
	if l.ahead > 1 {
		l.addComment(comment{role: lineComment, target: target, text: l.src[i:l.pos], start: i})
	}
}

// lineEnd returns the offset of the first line break from i on. A line break is \n, or
// \r\n, whose offset is the offset of \r.
func (l *lexer) lineEnd(i int) int { return endBefore(l.src, i) }

// scanComments reads the comments on their own lines in the gap that begins at from. The
// first is at the current place.
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

// A commentBlock reads the comments of a gap line by line. Lines are counted from the
// first comment.
type commentBlock struct {
	*lexer
	gap      int
	target   int     // of a foot
	above    lexKind // the lexeme above the gap
	indent   int
	footLine int // the line on which a foot begins

	first bool // there was no empty line yet
	empty bool // the last line was empty

	lines       int // line breaks that were read
	line        int // the current line, as scan counts
	column      int // counted from 1
	start       int // of the current comment
	startLine   int
	startColumn int
	end         int // of the current comment, 0 if there is none; buf has a text of several lines
}

// scan reads the comments up to the next lexeme. It counts empty lines as
// gopkg.in/yaml.v3 does, which continues one byte after the end of a comment: so "# a\n" has no empty line
// after it, but "# a\r\n" has one, at its "\n"; and in an empty line "\r\n" counts twice.
func (b *commentBlock) scan() {
	b.buf = b.buf[:0]
	b.column = b.pos - b.lineStart
	for at := b.pos; ; at++ {
		b.column++
		c := byte(0)
		if at < len(b.src) {
			c = b.src[at]
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
		b.line, b.column = b.lines, 0
		b.empty = false
	}
}

// started reports whether there is a comment that is not in the queue yet.
func (b *commentBlock) started() bool { return b.end > 0 }

// emptyLine decides whether the current comment is a foot, at an empty line, the end of
// the text or a closing bracket.
func (b *commentBlock) emptyLine(at int, closing, ended bool) {
	if closing || !b.empty {
		dedented := b.startColumn-1 < b.indent
		below := b.startLine == b.footLine && b.above != lexValue
		switch {
		case closing || b.first && (below || dedented):
			if b.started() {
				if dedented { // it does not belong to the lexeme above
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

// join appends a line to the comment. Its text is then in buf, not a part of the source.
func (b *commentBlock) join(line string) {
	if len(b.buf) == 0 {
		b.buf = append(b.buf, b.src[b.start:b.end]...)
	}
	b.buf = append(b.buf, '\n')
	b.buf = append(b.buf, line...)
}

// text returns the current comment and resets it.
func (b *commentBlock) text() string {
	text := b.src[b.start:b.end]
	if len(b.buf) > 0 {
		text = string(b.buf)
	}
	b.buf, b.end = b.buf[:0], 0
	return text
}

// foot queues the current comment as a foot that ends at an offset.
func (b *commentBlock) foot(at int) {
	b.addComment(comment{
		role: footComment, target: b.target, text: b.text(),
		gap: b.gap, start: b.start, column: b.startColumn, end: at,
	})
	b.gap, b.target = at, at
}

// head queues the current comment, if there is one, as the head of the lexeme at an offset.
func (b *commentBlock) head(at int) {
	if !b.started() {
		return
	}
	b.addComment(comment{
		role: headComment, target: b.start, text: b.text(),
		gap: b.gap, start: b.start, column: b.startColumn, end: at - 1,
	})
}

// pendingComments are the comments that wait for a node.
type pendingComments struct {
	head, line, foot joined
	stem             string // the head of a list or map that begins after a "-"
}

// joined is a text of several comments, which are joined once: a text may have many comments
// below each other that are comments of one node.
type joined struct {
	text string
	more []string
	size int // of the joined text
}

func (j *joined) add(text string) {
	switch {
	case text == "":
	case j.size == 0:
		j.text, j.size = text, len(text)
	default:
		j.more = append(j.more, text)
		j.size += 1 + len(text)
	}
}

// join returns the joined text.
func (j *joined) join() string {
	if len(j.more) > 0 {
		j.text, j.more = j.text+"\n"+strings.Join(j.more, "\n"), nil
	}
	return j.text
}

// cut removes the first n bytes and the line break after them, and returns them.
func (j *joined) cut(n int) string {
	text := j.join()
	*j = joined{}
	j.add(text[min(n+1, len(text)):])
	return text[:n]
}

// splitHead removes the part of the head that an empty line separates from the first node,
// and returns it: the head of the document.
func (w *pendingComments) splitHead() string {
	h := w.head.join()
	for i := len(h) - 1; i > 0; i-- {
		switch {
		case h[i] != '\n':
		case i == len(h)-1:
			return w.head.cut(i)
		case h[i-1] == '\n':
			return strings.TrimSuffix(w.head.cut(i), "\n")
		}
	}
	return ""
}

// look returns the next lexeme. Its comments become pending.
func (p *treeParser) look() *lexeme {
	x := p.peek()
	for p.taken < len(p.comments) && p.comments[p.taken].target <= x.start {
		c := &p.comments[p.taken]
		if c.role == headComment && x.kind == lexBlockEnd {
			break // it belongs to the lexeme after the block
		}
		p.taken++
		switch w := &p.pending; c.role {
		case headComment:
			w.head.add(c.text)
		case lineComment:
			w.line.add(c.text)
		case footComment:
			w.foot.add(c.text)
		}
	}
	return x
}

// takeComments returns the pending comments and resets them. It returns nil if there are
// none.
func (p *treeParser) takeComments() *Comments {
	w := &p.pending
	if w.head.size+w.line.size+w.foot.size == 0 {
		if w.stem != "" { // a store of a pointer costs more than the comparison
			w.stem = ""
		}
		return nil
	}
	c := p.commentSlab.one()
	*c = Comments{w.head.join(), w.line.join(), w.foot.join()}
	*w = pendingComments{}
	return c
}

// takeStem returns the comments above the "-" before a list or map, nil if there are none.
func (p *treeParser) takeStem() *Comments {
	if p.pending.stem == "" {
		return nil
	}
	c := p.commentSlab.one()
	c.Head, p.pending.stem = p.pending.stem, ""
	return c
}

// closed returns the comments of a list or map: the head of those at its start, the line
// and foot of those at its end. A comment after an opening bracket, which gopkg.in/yaml.v3 drops, is of the head too:
//
//	ports: [ # of the front
//	  80, 443]
func (p *treeParser) closed(first, last *Comments) *Comments {
	if first == nil && last == nil {
		return nil
	}
	c := p.commentSlab.one()
	if first != nil {
		c.Head = joinComments(first.Head, first.Line)
	}
	if last != nil {
		c.Line, c.Foot = last.Line, last.Foot
	}
	return c
}

// comment sets the comments of a node.
func (p *treeParser) comment(n *Node, c *Comments) {
	if c != nil && *c != (Comments{}) && p.reason == "" {
		p.detailsOf(n).Comments = *c
	}
}

// entryComments are the comments of an entry's key and value, nil if there are none.
type entryComments struct{ key, value *Comments }

// raiseFoot moves the foot of the value to the key, if the key has none.
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

// commentEntry sets the comments of the last entry.
func (p *treeParser) commentEntry(c *entryComments) {
	if c.key == nil && c.value == nil || p.reason != "" || len(p.entryStack) == 0 {
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

// joinEntryComments adds the comments of the value v to the comments of its entry. The head of a
// map in block style goes to its first entry instead:
//
//	a:
//	  # head of b
//	  b: 1
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

// joinComments joins two comments, which may be empty, with a line break.
func joinComments(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// propertyComment returns the comment after the anchor or tag of a list or map in block style,
// which it takes from the first entry or item below, where the rules of the parser put it.
//
//	web: &web # the front
//	  port: 80
func (n *Node) propertyComment() string {
	if n.Kind != MapNode && n.Kind != SeqNode || n.Style != Block || n.Anchor == "" && n.Tag == "" {
		return ""
	}
	end := max(n.AnchorAt.End, n.TagAt.End)
	f := n.AnchorAt.File
	if f == nil {
		f = n.TagAt.File
	}
	rest := strings.TrimLeft(f.Text[end:], " \t")
	if !strings.HasPrefix(rest, "#") {
		return ""
	}
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	if below := n.firstComments(); below != nil && rest != "" {
		if others, ok := strings.CutPrefix(below.Line, rest); ok && (others == "" || others[0] == '\n') {
			below.Line = strings.TrimPrefix(others, "\n")
			return rest
		}
	}
	return ""
}

// firstComments returns the comments of the first entry or item, at the depth at which it begins a
// line; nil if it has none.
func (n *Node) firstComments() *Comments {
	for n.Kind == SeqNode && n.Style == Block && len(n.Items) > 0 {
		if n = n.Items[0]; n.Comments.Line != "" {
			return &n.Details.Comments
		}
	}
	if n.Kind == MapNode && n.Style == Block && len(n.Entries) > 0 && n.Entries[0].Comments.Line != "" {
		return n.Entries[0].Comments
	}
	return nil
}
