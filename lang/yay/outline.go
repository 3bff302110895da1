package yay

import "github.com/yaytpl/yaytpl/source"

// An outline is the places of all that a tree says, in the order of the text. What
// stands at a place follows from its kind and from its text. So two texts that differ
// in one range only, and whose outlines are the same around it, say the same around it.
type outline []mark

// A mark is one place.
type mark struct {
	kind       markKind
	start, end int

	value     Value // of a value; nil for a blank one
	statement int   // of a value or key: the index of the mark of its statement

	behind int    // of a statement: the index behind its marks
	in     *group // of a statement: those that it is among
}

type markKind uint8

const (
	openMark markKind = iota // a block begins; its place is given by what is in it
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

// A group is statements of one block, or the cases of a "select".
type group struct {
	use   groupUse
	block *Block // nil for cases
	count int
	open  int // the index of its first mark
}

// A groupUse says what may be left of a group if all in it goes.
type groupUse uint8

const (
	documentGroup  groupUse = iota // nothing
	valueGroup                     // "{}" or "[]"
	argumentsGroup                 // "{}" behind the colon
	bodyGroup                      // it needs something
)

func outlineOf(t *Tree) outline {
	var o outline
	o.block(t.Root, documentGroup)
	return o
}

func (o *outline) add(kind markKind, at source.Span) *mark {
	*o = append(*o, mark{kind: kind, start: int(at.Start), end: int(at.End)})
	return &(*o)[len(*o)-1]
}

// open adds the mark of a beginning.
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

// statement adds the mark of a statement, what is in it, and where that ends. The end
// of a key with a value or of an item is that of the value, which has its own mark.
func (o *outline) statement(kind markKind, at source.Span, g *group, inside func(statement int)) {
	if kind != directiveMark && kind != branchMark {
		at.End = at.Start
	}
	m := o.add(kind, at)
	m.in = g
	i := len(*o) - 1
	inside(i)
	(*o)[i].behind = len(*o)
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
		o.statement(directiveMark, s.At, g, func(int) { o.branches(s) })
	case *Select:
		o.statement(directiveMark, s.At, g, func(int) { o.cases(s) })
	default:
		o.statement(directiveMark, s.Span(), g, func(int) { o.directive(s) })
	}
}

// directive adds what is in a directive that is a line and perhaps a block.
func (o *outline) directive(s Stanza) {
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
}

func (o *outline) branches(s *If) {
	branch := func(b *Branch) {
		o.statement(branchMark, b.At, nil, func(int) { o.block(b.Body, bodyGroup) })
	}
	for i := range s.Branches {
		branch(&s.Branches[i])
	}
	if s.Else != nil {
		branch(s.Else)
	}
}

func (o *outline) cases(s *Select) {
	g := &group{use: bodyGroup, count: len(s.Cases), open: o.open()}
	for _, c := range s.Cases {
		o.statement(caseMark, c.At, g, func(i int) { o.entry(c.KeyAt, c.Value, c.At, i) })
	}
	o.close()
}

func (o *outline) entry(key source.Span, v Value, at source.Span, statement int) {
	o.add(keyMark, key).statement = statement
	o.value(v, at, statement)
}

// value adds what stands behind a key or dash. The place of a blank value is that of
// its statement.
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
	for i, m := range o {
		if scalarMark <= m.kind && m.kind <= blankMark && m.start == int(at.Start) && m.end == int(at.End) {
			return i
		}
	}
	return -1
}

// A patch replaces the range [start, end) of a text.
type patch struct {
	start, end int
	text       string
}

func (p patch) apply(text string) string { return text[:p.start] + p.text + text[p.end:] }

// moved returns where an offset is behind the patch, -1 if it lies in it.
func (p patch) moved(offset int) int {
	switch {
	case offset <= p.start:
		return offset
	case offset >= p.end:
		return offset + len(p.text) - (p.end - p.start)
	}
	return -1
}

// sameAround reports whether the outline of a text behind a patch is the same apart
// from the marks [from, to), and returns those that it has in their place.
func (o outline) sameAround(p patch, behind outline, from, to int) (between outline, ok bool) {
	tail := len(o) - to
	if len(behind) < from+tail {
		return nil, false
	}
	upTo := len(behind) - tail
	same := func(a, b mark) bool {
		return a.kind == b.kind && p.moved(a.start) == b.start && p.moved(a.end) == b.end
	}
	for i := range from {
		if !same(o[i], behind[i]) {
			return nil, false
		}
	}
	for i := range tail {
		if !same(o[to+i], behind[upTo+i]) {
			return nil, false
		}
	}
	return behind[from:upTo], true
}
