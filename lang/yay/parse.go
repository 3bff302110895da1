package yay

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

// Options are the switches and limits of [Parse].
type Options struct {
	// MaxDepth bounds the nesting of blocks, and the nesting of expressions; 0 means 1000,
	// the maximum is 10,000.
	MaxDepth int

	// MaxParts bounds the number of stanzas and of words of expressions in a text; 0
	// means 4,000,000, which is also the maximum.
	MaxParts int

	// YAMLScalars types plain values as YAML 1.2 does: true, null and 0x1F are a
	// truth value, null and a number instead of texts.
	YAMLScalars bool
}

const (
	defaultDepth = 1000
	mostDepth    = 10_000
	maxFindings  = 20

	byteOrderMark = "\uFEFF" // ignored at the start of a file
)

// Parse parses a file. If a finding is an error, the tree is nil. After an error the
// parser continues with the next stanza, so there may be several findings, in the order
// of the source and at most 20; the 20th notes that there may be more. Their codes are
// syntax, indent and limit (spec: yay, section 8).
func Parse(f *source.File, o Options) (*Tree, []*source.Diagnostic) {
	p := &parser{file: f, text: f.Text, yamlScalars: o.YAMLScalars, maxDepth: min(o.MaxDepth, mostDepth), dedent: -1}
	if p.maxDepth <= 0 {
		p.maxDepth = defaultDepth
	}
	p.parts.most = o.MaxParts
	if o.MaxParts <= 0 || o.MaxParts > mostParts {
		p.parts.most = mostParts
	}
	p.expr.parts = &p.parts
	p.lines.text = f.Text
	if strings.HasPrefix(f.Text, byteOrderMark) {
		p.lines.pos = len(byteOrderMark)
	}
	if d := notText(f); d != nil {
		return nil, []*source.Diagnostic{d}
	}
	t := p.document()
	if len(p.findings) > 0 {
		sort.SliceStable(p.findings, func(i, j int) bool { return p.findings[i].At.Start < p.findings[j].At.Start })
		if n := len(p.findings); n >= maxFindings {
			p.findings[n-1].Note(source.Span{}, "there may be more: only the first %d are reported", n)
		}
		return nil, p.findings
	}
	return t, nil
}

// notText returns an error at the first byte that is not text: NUL, or no UTF-8.
func notText(f *source.File) *source.Diagnostic {
	if i := strings.IndexByte(f.Text, 0); i >= 0 {
		return source.Errorf(f.Span(i, i+1), source.Syntax, "unexpected NUL character: the file is not text")
	}
	if utf8.ValidString(f.Text) {
		return nil
	}
	i := 0
	for {
		r, size := utf8.DecodeRuneInString(f.Text[i:])
		if r == utf8.RuneError && size == 1 {
			return source.Errorf(f.Span(i, i+1), source.Syntax, "unexpected byte %#02x: the file is not UTF-8", f.Text[i])
		}
		i += size
	}
}

// A parser turns lines into stanzas. The stack of open blocks is the call stack of
// [parser.block].
type parser struct {
	file     *source.File
	text     string
	lines    lineReader
	expr     exprParser // reused for all expressions
	findings []*source.Diagnostic
	depth    int // of blocks
	maxDepth int
	parts    partCount

	yamlScalars bool
	stopped     bool // after an error that makes the rest of the file unreadable
	inLoop      bool // in the body of a loop, where {{ e }} may be a line of its own
	dedent      int  // start of the line that ended the last block, or -1
}

// document reads the whole file. Its first line sets the column of the outermost block.
func (p *parser) document() *Tree {
	t := &Tree{File: p.file, Root: &Block{At: p.span(len(p.text), len(p.text))}}
	l, ok := p.peek()
	if !ok {
		t.Foot = p.lines.lead()
		return t
	}
	t.Root.At = p.span(l.content, l.content)
	for base := l.col(); ok; l, ok = p.peek() {
		if l.col() < base {
			p.report(source.Errorf(p.firstWord(l), source.Indent, "inconsistent indentation: the line starts left of the first one"))
			p.lines.advance()
			continue
		}
		p.block(t.Root, base, 0)
	}
	t.Foot = append(t.Root.Foot, p.lines.lead()...)
	t.Root.Foot = nil
	return t
}

// peek returns the next line, false at the end of the file or after an error that stops
// the parser. Only spaces indent.
func (p *parser) peek() (line, bool) {
	if p.stopped {
		return line{}, false
	}
	l, ok := p.lines.peek()
	if ok && p.text[l.content] == '\t' {
		p.report(source.Errorf(p.span(l.content, l.content+1), source.Indent, "tab in indentation").
			WithHint("indent with spaces"))
		p.stopped = true
		return line{}, false
	}
	return l, ok
}

// block reads the stanzas in column col into b, up to a line left of it. Comments after
// the last stanza belong to the block if they are in column foot or right of it.
func (p *parser) block(b *Block, col, foot int) {
	if p.depth++; p.depth > p.maxDepth {
		p.report(source.Errorf(b.At, source.Limit, "blocks are nested more than %d deep", p.maxDepth))
		p.stopped = true
	}
	p.column(col, func(l line) { p.addStanza(b, l) })
	p.depth--
	b.Foot = append(b.Foot, p.lines.foot(foot)...)
}

// column calls read for each line in column col, up to a line left of it. A line right
// of it that read has not consumed is an error.
func (p *parser) column(col int, read func(line)) {
	for {
		l, ok := p.peek()
		if !ok || l.col() < col {
			p.dedent = l.start
			return
		}
		if l.col() > col {
			p.report(p.wrongIndent(l))
			p.skip(col)
			continue
		}
		read(l)
	}
}

// addStanza reads the stanza that begins with line l and appends it to b. On an error it
// reports it and skips the stanza.
func (p *parser) addStanza(b *Block, l line) {
	h := head{pos: l.content, end: l.end, col: l.col(), owner: l.col(), lead: p.lines.lead()}
	p.lines.advance()
	if !p.parts.add() {
		p.report(p.parts.tooMany(p.firstWord(l)))
		return
	}
	s, err := p.stanza(h)
	if err != nil {
		p.report(source.AsDiagnostic(err, p.firstWord(l), source.Syntax))
		p.recover(l)
		return
	}
	b.Stanzas = append(b.Stanzas, s)
	b.At.End = uint32(p.lines.read)
}

// A head is the start of a stanza.
type head struct {
	pos, end int // its line; for the first stanza of an item, from after the dash
	col      int // of the stanza
	owner    int // blocks of the stanza are right of this column
	lead     []string
	percent  bool // after a "%", which makes the colon optional
}

// wrongIndent returns the error for a line that is right of its block.
func (p *parser) wrongIndent(l line) *source.Diagnostic {
	at := p.firstWord(l)
	if p.dedent == l.start {
		return source.Errorf(at, source.Indent, "inconsistent indentation: no block around the line begins in this column")
	}
	return source.Errorf(at, source.Syntax, "unexpected indentation: the line above takes no block").
		WithHint("a block follows a line that ends with a colon")
}

// recover skips the rest of a stanza that could not be read, which begins with line l.
// After an "if" these are its "elif" and "else" as well: without it each of them would
// be an error of its own.
func (p *parser) recover(l line) {
	p.skip(l.col())
	first, _, _ := p.directiveWord(l)
	if first != "if" && first != "elif" && first != "else" {
		return
	}
	for {
		next, ok := p.peek()
		word, _, _ := p.directiveWord(next)
		if !ok || next.col() != l.col() || word != "elif" && word != "else" {
			return
		}
		p.lines.advance()
		p.skip(l.col())
	}
}

// skip passes over the lines that are right of a column.
func (p *parser) skip(col int) {
	for l, ok := p.peek(); ok && l.col() > col; l, ok = p.peek() {
		p.lines.advance()
	}
	p.lines.lead()
}

// report adds a finding, and stops the parser at the last one that is allowed.
func (p *parser) report(d *source.Diagnostic) {
	if p.stopped {
		return
	}
	p.findings = append(p.findings, d)
	p.stopped = len(p.findings) >= maxFindings || d.Code == source.Limit
}

func (p *parser) span(start, end int) source.Span { return p.file.Span(start, end) }

// firstWord returns the place of the first word of a line.
func (p *parser) firstWord(l line) source.Span {
	return p.span(l.content, max(p.wordEnd(l.content, l.end), min(l.content+1, l.end)))
}

// wordEnd returns the end of the word at an offset. A word ends before a blank, and
// before a colon that separates (spec: yay, section 1.2).
func (p *parser) wordEnd(pos, end int) int {
	for pos < end && !isBlank(p.text[pos]) && !p.isColon(pos, end) {
		pos++
	}
	return pos
}

// isColon reports whether a colon that separates is at pos: a blank or the end of the
// line follows it.
func (p *parser) isColon(pos, end int) bool {
	return pos < end && p.text[pos] == ':' && (pos+1 == end || isBlank(p.text[pos+1]))
}

// quote returns a range of the source for messages.
func (p *parser) quote(start, end int) string { return quote(p.text[start:end], p.file.Secret) }

// template reads the "{{ e }}" at pos and returns the offset after it.
func (p *parser) template(pos, end int) (n expr.Node, after int, err error) {
	e := &p.expr
	e.reset(p.file, pos+len("{{"), end, false, p.maxDepth)
	n, err = e.list()
	if err != nil {
		return nil, 0, err
	}
	if m, ok := n.(*expr.Map); ok && e.peek("}") && e.tok.Start == e.last.End { // "{{ {1: 2 }}"
		return nil, 0, e.neverClosed(int(m.Span().Start), "}")
	}
	if !e.peek("}}") {
		return nil, 0, e.unexpected(`expected "}}" at the end of the expression`)
	}
	return n, e.tok.End, nil
}

// mostParts bounds the stanzas and words of expressions in a text. A stanza takes up to
// 600 bytes until it is evaluated, a word less.
const mostParts = 4_000_000

// A partCount counts the stanzas and words of a text.
type partCount struct{ most, count int }

// add counts one more part. It reports whether it is allowed.
func (c *partCount) add() bool {
	c.count++
	return !c.over()
}

func (c *partCount) over() bool { return c.count > c.most }

func (c *partCount) tooMany(at source.Span) *source.Diagnostic {
	return source.Errorf(at, source.Limit, "the text has more than %d stanzas and words of expressions", c.most)
}

// A line is a line of a document that is neither empty nor a comment. All numbers are
// offsets.
type line struct {
	start   int
	content int // the first character that is not a blank
	end     int // after the last character, without the line break
}

// col returns the indentation.
func (l line) col() int { return l.content - l.start }

// A remark is a comment line, or an empty line if it has no text.
type remark struct {
	text string
	col  int
}

// A lineReader splits a text into lines. It skips comment lines and empty lines and
// keeps them for the next stanza (spec: yay, section 1.1).
type lineReader struct {
	text    string
	pos     int // start of the line after the current one
	read    int // end of the last line that was consumed
	current line
	peeked  bool
	atEnd   bool
	remarks []remark // since the last stanza
}

// peek returns the next line without consuming it, false at the end.
func (r *lineReader) peek() (line, bool) {
	if !r.peeked {
		r.peeked = true
		r.atEnd = !r.scan()
	}
	return r.current, !r.atEnd
}

// advance consumes the current line.
func (r *lineReader) advance() { r.read, r.peeked = r.current.end, false }

// jump consumes all lines up to the one that ends at an offset.
func (r *lineReader) jump(end int) {
	r.read, r.pos, r.peeked = end, nextLine(r.text, end), false
}

// scan makes the next line the current one. Several empty lines in a row are one remark.
func (r *lineReader) scan() bool {
	for r.pos < len(r.text) {
		l := r.lineAt(r.pos)
		r.pos = nextLine(r.text, l.end)
		rest := skipBlanks(r.text, l.content, l.end)
		switch {
		case rest == l.end:
			if n := len(r.remarks); n == 0 || r.remarks[n-1].text != "" {
				r.remarks = append(r.remarks, remark{})
			}
		case r.text[rest] == '#':
			text := strings.TrimRight(r.text[rest:l.end], " \t")
			r.remarks = append(r.remarks, remark{text, l.col()})
		default:
			r.current = l
			return true
		}
	}
	return false
}

// lineAt returns the line that starts at an offset. Only spaces indent.
func (r *lineReader) lineAt(start int) line {
	l := line{start: start, content: start, end: lineEnd(r.text, start)}
	for l.content < l.end && r.text[l.content] == ' ' {
		l.content++
	}
	return l
}

// lead returns and forgets the remarks before a stanza.
func (r *lineReader) lead() []string { return r.take(len(r.remarks)) }

// foot returns and forgets the remarks that end a block: those up to the last of the
// comments that are in column col or right of it.
func (r *lineReader) foot(col int) []string {
	n := 0
	for i, m := range r.remarks {
		if m.text == "" {
			continue
		}
		if m.col < col {
			break
		}
		n = i + 1
	}
	return r.take(n)
}

// take returns and forgets the first n remarks.
func (r *lineReader) take(n int) []string {
	if n == 0 {
		return nil
	}
	texts := make([]string, n)
	for i, m := range r.remarks[:n] {
		texts[i] = m.text
	}
	if n == len(r.remarks) {
		r.remarks = r.remarks[:0]
	} else {
		r.remarks = r.remarks[n:]
	}
	return texts
}

// lineEnd returns the offset of the first line break at or after an offset.
func lineEnd(text string, from int) int {
	for from < len(text) && text[from] != '\n' && text[from] != '\r' {
		from++
	}
	return from
}

// startOfLine returns the offset of the first character of the line of pos. A byte order
// mark is not part of the first line.
func startOfLine(text string, pos int) int {
	start := strings.LastIndexAny(text[:pos], "\r\n") + 1
	if start == 0 && strings.HasPrefix(text, byteOrderMark) {
		return len(byteOrderMark)
	}
	return start
}

// nextLine returns the start of the line after the line break at an offset.
func nextLine(text string, end int) int {
	switch {
	case strings.HasPrefix(text[end:], "\r\n"):
		return end + 2
	case end < len(text):
		return end + 1
	}
	return end
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// skipBlanks returns the offset of the first character in [pos, end) that is not a
// blank, or end.
func skipBlanks(text string, pos, end int) int {
	for pos < end && isBlank(text[pos]) {
		pos++
	}
	return pos
}

// trimBlanks returns the end of [pos, end) without the blanks at its end.
func trimBlanks(text string, pos, end int) int {
	for end > pos && isBlank(text[end-1]) {
		end--
	}
	return end
}
