package yay

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// An outline is the list of the places in a tree, in the order of the text. The meaning of
// a place follows from its kind and its text. So if two texts differ in one range only and
// their outlines are equal outside of it, they mean the same outside of it. An editor
// checks its edits in this way. The text
//
//	a: 1
//	b:
//	  - x
//
// has the outline
//
//	open
//	  pair  key "a"  scalar "1"
//	  pair  key "b"  open
//	    item  scalar "x"
//	  close
//	close
type outline []mark

// A mark is one place.
type mark struct {
	kind       markKind
	start, end int

	value     Value // of a value; nil for a blank one
	statement int   // of a value or key: the index of the mark of its statement

	after int    // of a statement: the index after its marks
	in    *group // of a statement: the group that it belongs to
}

type markKind uint8

const (
	openMark markKind = iota // start of a block, without a place of its own
	closeMark
	keyMark

	scalarMark // values
	textMark
	expressionMark
	emptyMark
	blankMark

	pairMark // statements
	extendMark
	itemMark
	bareMark
	caseMark
	branchMark
	directiveMark
)

// A group is the statements of a block, or the cases of a "select".
type group struct {
	use   groupUse
	block *Block // nil for cases
	count int
	open  int // the index of its first mark
}

// A groupUse decides what remains of a group without its last statement.
type groupUse uint8

const (
	documentGroup  groupUse = iota // nothing
	valueGroup                     // "{}" or "[]"
	argumentsGroup                 // "{}" after the colon
	bodyGroup                      // it cannot be empty
)

func outlineOf(t *Tree) outline {
	var o outline
	o.block(t.Root, documentGroup)
	return o
}

// add appends a mark. The pointer is valid until the next one is added.
func (o *outline) add(kind markKind, at source.Span) *mark {
	*o = append(*o, mark{kind: kind, start: int(at.Start), end: int(at.End)})
	return &(*o)[len(*o)-1]
}

// open appends the mark of the start of a block and returns its index.
func (o *outline) open() int {
	o.add(openMark, source.Span{})
	return len(*o) - 1
}

func (o *outline) close() { o.add(closeMark, source.Span{}) }

func (o *outline) block(b *Block, use groupUse) {
	g := &group{use: use, block: b, open: o.open()}
	if b != nil {
		g.count = len(b.Stanzas)
		for _, s := range b.Stanzas {
			o.stanza(s, g)
		}
	}
	o.close()
}

// statement appends the mark of a statement and the marks inside of it. The place of a
// pair or an item is its start; it ends where its value ends, which has its own mark.
func (o *outline) statement(kind markKind, at source.Span, g *group, inside func(statement int)) {
	if kind != directiveMark && kind != branchMark {
		at.End = at.Start
	}
	m := o.add(kind, at)
	m.in = g
	i := len(*o) - 1
	inside(i)
	(*o)[i].after = len(*o)
}

func (o *outline) stanza(s Stanza, g *group) {
	switch s := s.(type) {
	case *Pair:
		kind := pairMark
		if s.Extend {
			kind = extendMark
		}
		o.statement(kind, s.At, g, func(i int) { o.entry(s.KeyAt, s.Value, s.At, i) })
	case *Item:
		kind := itemMark
		if s.Bare {
			kind = bareMark
		}
		o.statement(kind, s.At, g, func(i int) { o.value(s.Value, s.At, i) })
	case *If:
		o.statement(directiveMark, s.At, g, func(int) {
			for i := range s.Branches {
				o.branch(&s.Branches[i])
			}
			if s.Else != nil {
				o.branch(s.Else)
			}
		})
	case *Select:
		o.statement(directiveMark, s.At, g, func(int) {
			cases := &group{use: bodyGroup, count: len(s.Cases), open: o.open()}
			for _, c := range s.Cases {
				o.statement(caseMark, c.At, cases, func(i int) { o.entry(c.KeyAt, c.Value, c.At, i) })
			}
			o.close()
		})
	default:
		o.statement(directiveMark, s.Span(), g, func(int) {
			switch s := s.(type) {
			case *Configure:
				o.block(s.Body, bodyGroup)
			case *For:
				o.block(s.Body, bodyGroup)
			case *Macro:
				o.block(s.Body, bodyGroup)
			case *Prototype:
				o.block(s.Body, bodyGroup)
			case *Call:
				o.block(s.Args, argumentsGroup)
			case *New:
				o.block(s.Args, argumentsGroup)
			}
		})
	}
}

func (o *outline) branch(b *Branch) {
	o.statement(branchMark, b.At, nil, func(int) { o.block(b.Body, bodyGroup) })
}

func (o *outline) entry(key source.Span, v Value, at source.Span, statement int) {
	o.add(keyMark, key).statement = statement
	o.value(v, at, statement)
}

// value appends the mark of the value of a key or an item. A blank value has the place
// of its statement.
func (o *outline) value(v Value, at source.Span, statement int) {
	kind := blankMark
	switch v := v.(type) {
	case *Block:
		o.block(v, valueGroup)
		return
	case *Scalar:
		kind = scalarMark
	case *Text:
		kind = textMark
	case *Expression:
		kind = expressionMark
	case *Empty:
		kind = emptyMark
	}
	if v != nil {
		at = v.Span()
	}
	m := o.add(kind, at)
	m.value, m.statement = v, statement
}

// valueAt returns the index of the value at a place, or -1.
func (o outline) valueAt(at source.Span) int {
	return slices.IndexFunc(o, func(m mark) bool {
		return scalarMark <= m.kind && m.kind <= blankMark && m.start == int(at.Start) && m.end == int(at.End)
	})
}

// IsKey reports whether a name can be written as a key.
func IsKey(name string) bool {
	t, _ := Parse(source.NewFile("", name+": x"), Options{})
	if t == nil || len(t.Root.Stanzas) != 1 {
		return false
	}
	p, ok := t.Root.Stanzas[0].(*Pair)
	return ok && p.Key == name && !p.Extend
}

// KeyOf returns the place of the key of a value: of the innermost statement or case with that key
// that the value is part of. at is the place of the value in the graph. It reports false if there is
// no such statement, as for the parameter of a macro. In
//
//	db:
//	  port: 80
//	extend db: ...
//
// a value at "port" of the key "db" has the first key, and one at "extend db:" the other.
func KeyOf(f *source.File, key string, at source.Span, o Options) (source.Span, bool) {
	t, _ := Parse(f, o)
	if t == nil {
		return source.Span{}, false
	}
	found := -1
	all := outlineOf(t)
	for i, m := range all {
		if m.kind != pairMark && m.kind != extendMark && m.kind != caseMark {
			continue
		}
		k := all[i+1]
		if f.Text[k.start:k.end] != key {
			continue
		}
		whole := int(at.Start) == m.start && int(at.End) > k.end // a blank value, or a list that extends another
		if whole || k.end <= int(at.Start) && int(at.Start) < all.endOf(m, len(f.Text)) {
			found = i + 1
		}
	}
	if found < 0 {
		return source.Span{}, false
	}
	return f.Span(all[found].start, all[found].end), true
}

// endOf returns the start of the next place after a statement, or the end of the text.
func (o outline) endOf(statement mark, end int) int {
	for _, m := range o[statement.after:] {
		if m.kind != openMark && m.kind != closeMark {
			return m.start
		}
	}
	return end
}

// A patch replaces the range [start, end) of a text.
type patch struct {
	start, end int
	text       string
}

func (p patch) apply(text string) string { return text[:p.start] + p.text + text[p.end:] }

// moved returns the offset after the patch, -1 if it is inside of the patch.
func (p patch) moved(offset int) int {
	switch {
	case offset <= p.start:
		return offset
	case offset >= p.end:
		return offset + len(p.text) - (p.end - p.start)
	}
	return -1
}

// sameAround reports whether the outline of the text after a patch is the same except for
// the marks [from, to), and returns the marks in their place.
func (o outline) sameAround(p patch, after outline, from, to int) (between outline, ok bool) {
	tail := len(o) - to
	if len(after) < from+tail {
		return nil, false
	}
	upTo := len(after) - tail
	same := func(a, b mark) bool {
		return a.kind == b.kind && p.moved(a.start) == b.start && p.moved(a.end) == b.end
	}
	for i := range from {
		if !same(o[i], after[i]) {
			return nil, false
		}
	}
	for i := range tail {
		if !same(o[to+i], after[upTo+i]) {
			return nil, false
		}
	}
	return after[from:upTo], true
}

// An editor makes one edit of a text and checks that it changes nothing else.
type editor struct {
	file    *source.File
	opts    Options
	text    string
	outline outline
}

// newEditor parses f, and returns the index of the mark of the value at a place.
func newEditor(f *source.File, at source.Span, o Options) (*editor, int, error) {
	t, findings := Parse(f, o)
	if t == nil {
		return nil, 0, findings[0]
	}
	e := &editor{file: f, opts: o, text: f.Text, outline: outlineOf(t)}
	i := e.outline.valueAt(at)
	if i < 0 {
		return nil, 0, source.Errorf(at, source.NotFound, "no value here")
	}
	return e, i, nil
}

// try returns the text after a patch and its marks in the place of [from, to). It reports
// whether all other marks are the same.
func (e *editor) try(p patch, from, to int) (text string, between outline, ok bool) {
	text = p.apply(e.text)
	t, _ := Parse(source.NewFile(e.file.Name, text), e.opts)
	if t == nil {
		return "", nil, false
	}
	between, ok = e.outline.sameAround(p, outlineOf(t), from, to)
	return text, between, ok
}

// DeleteStatement returns the text of f without the key, item or case of "select" of a
// value. at is the place of the value: a constant, a text with expressions, an expression,
// "{}" or "[]"; for a blank value it is the key with its colon. Comments directly above
// the statement in its column are deleted with it, except for a comment at the start of
// the text. A mapping or list that becomes empty is written {} or [].
//
// The new text is parsed again: everything else must be the same. A statement that is the
// only one in a body cannot be deleted, nor can an item without which a list would be a
// mapping.
//
// Codes: output with a [source.Refusal] for a statement that cannot be deleted, not-found
// if there is no value at the place, and the codes of [Parse].
func DeleteStatement(f *source.File, at source.Span, o Options) (string, error) {
	ed, i, err := newEditor(f, at, o)
	if err != nil {
		return "", err
	}
	e := deletion{editor: ed, index: ed.outline[i].statement, end: ed.outline[i].end}
	p, cut, err := e.patch(at)
	if err != nil {
		return "", err
	}
	text, between, ok := e.try(p, cut.from, cut.to)
	isLeft := func(kind markKind, m mark) bool { return kind == m.kind }
	if ok && slices.EqualFunc(cut.left, between, isLeft) {
		return text, nil
	}
	return "", source.Refuse(at, source.NotVerified, "the lines around the statement would mean something else without it").
		WithHint("edit the file by hand")
}

// A deletion deletes a statement.
type deletion struct {
	*editor
	index int // of its mark
	end   int // of its value
}

func (e *deletion) mark() *mark { return &e.outline[e.index] }

// A cut is the range of marks that are deleted, and the kinds of those that replace them.
type cut struct {
	from, to int
	left     []markKind
}

// patch returns the patch that deletes the statement.
func (e *deletion) patch(at source.Span) (patch, cut, error) {
	m := e.mark()
	only := cut{from: e.index, to: m.after}
	if m.in.count > 1 {
		if m.in.block != nil && !e.staysList() {
			return patch{}, cut{}, source.Refuse(at, source.NeedsBody, "without this item the block would be a mapping").
				WithHint("write [] in its place, or edit the file by hand")
		}
		p, err := e.without(at)
		return p, only, err
	}
	switch m.in.use {
	case bodyGroup:
		return patch{}, cut{}, source.Refuse(at, source.NeedsBody, "the body that contains this would be empty").
			WithHint("delete the statement with the body by hand")
	case valueGroup:
		block := cut{m.in.open, m.after + 1, []markKind{emptyMark}}
		return e.emptied(), block, nil
	case argumentsGroup:
		line := cut{m.in.open - 1, m.after + 1, []markKind{directiveMark, openMark, closeMark}}
		return e.emptied(), line, nil
	}
	p := e.lines()
	return p, only, nil
}

// staysList reports whether the block remains a list without the statement if it is one.
func (e *deletion) staysList() bool {
	m := e.mark()
	if m.kind != itemMark {
		return true
	}
	rest := &Block{}
	for _, s := range m.in.block.Stanzas {
		if int(s.Span().Start) != m.start {
			rest.Stanzas = append(rest.Stanzas, s)
		}
	}
	return shapeOf(rest).list
}

// without deletes one of several statements.
func (e *deletion) without(at source.Span) (patch, error) {
	m := e.mark()
	if e.beginsLine() {
		return e.lines(), nil
	}
	next := m.after // the statement that moves to the dash
	for e.outline[next].in != m.in {
		next++
	}
	start := e.outline[next].start
	if strings.TrimSpace(e.text[e.end:start]) != "" {
		return patch{}, source.Refuse(at, source.LosesComments, "the comment below the first key of an item would be lost with it").
			WithHint("edit the file by hand")
	}
	return patch{m.start, start, ""}, nil
}

// beginsLine reports whether the statement is the first of its line: it is not the first
// key of an item.
func (e *deletion) beginsLine() bool {
	start := e.mark().start
	return strings.Trim(e.text[startOfLine(e.text, start):start], " ") == ""
}

// emptied returns the patch that replaces a block whose only statement is deleted by "{}"
// or "[]". Comments between the key and the statement remain.
func (e *deletion) emptied() patch {
	m := e.mark()
	empty := "{}"
	if m.kind == itemMark {
		empty = "[]"
	}
	if !e.beginsLine() {
		return patch{m.start, e.end, empty}
	}
	owner := e.outline[m.in.open-1] // the key, or the line of a directive
	colon := owner.end
	if owner.kind == keyMark {
		colon = owner.end + strings.IndexByte(e.text[owner.end:], ':') + 1
	}
	lines := e.lines()
	kept := strings.TrimRight(e.text[colon:lines.start], " \t\r\n")
	return patch{colon, e.endOfLines(), " " + empty + kept}
}

// lines returns the patch that deletes the lines of the statement. Of empty lines above
// and below it those below remain, at the start of the text none.
func (e *deletion) lines() patch {
	start := e.lead()
	end := e.endOfLines()
	after := nextLine(e.text, end)
	first := startOfLine(e.text, start) == startOfLine(e.text, 0)
	switch {
	case after == end && !first: // the text has no line break at its end
		return patch{e.beforeEmpty(start) - e.breakBefore(e.beforeEmpty(start)), end, ""}
	case !e.isEmptyLine(after):
	case first:
		for after < len(e.text) && e.isEmptyLine(after) {
			after = nextLine(e.text, lineEnd(e.text, after))
		}
	default:
		start = e.beforeEmpty(start)
	}
	return patch{start, after, ""}
}

// isEmptyLine reports whether the line that starts at an offset is blank, or the text ends
// there.
func (e *deletion) isEmptyLine(start int) bool {
	end := lineEnd(e.text, start)
	return skipBlanks(e.text, start, end) == end
}

// beforeEmpty returns the start of the empty lines above the line at start.
func (e *deletion) beforeEmpty(start int) int {
	for start > startOfLine(e.text, 0) {
		above := startOfLine(e.text, start-e.breakBefore(start))
		if !e.isEmptyLine(above) {
			break
		}
		start = above
	}
	return start
}

// breakBefore returns the length of the line break before an offset.
func (e *deletion) breakBefore(start int) int {
	switch {
	case strings.HasSuffix(e.text[:start], "\r\n"):
		return len("\r\n")
	case start > startOfLine(e.text, 0):
		return 1
	}
	return 0
}

// lead returns the start of the comment lines directly above the statement in its column,
// or of its own line. A comment at the start of the text remains.
func (e *deletion) lead() int {
	start := e.mark().start
	line := startOfLine(e.text, start)
	col := start - line
	first := line
	for first > startOfLine(e.text, 0) {
		above := startOfLine(e.text, first-e.breakBefore(first))
		if e.commentColumn(above) != col {
			break
		}
		first = above
	}
	const firstStatement = 1 // after the mark of the document
	if first == startOfLine(e.text, 0) && e.index == firstStatement {
		return line
	}
	return first
}

// commentColumn returns the column of a comment line, -1 for other lines.
func (e *deletion) commentColumn(start int) int {
	end := lineEnd(e.text, start)
	at := skipBlanks(e.text, start, end)
	if at < end && e.text[at] == '#' {
		return at - start
	}
	return -1
}

// endOfLines returns the end of the last line of the statement, or of the comments
// directly below it that are indented deeper.
func (e *deletion) endOfLines() int {
	start := e.mark().start
	col := start - startOfLine(e.text, start)
	end := lineEnd(e.text, e.end)
	for {
		next := nextLine(e.text, end)
		if next == end || e.commentColumn(next) <= col {
			return end
		}
		end = lineEnd(e.text, next)
	}
}
