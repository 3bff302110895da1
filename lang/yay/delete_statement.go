package yay

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// DeleteStatement returns the text of f without the key, item or case of "select" that
// a value belongs to. at is the place of the value: of a constant, a text with
// expressions, an expression, "{}", "[]"; of nothing behind a key that of the key with
// its colon. Comments directly above it in its column go with it, apart from one that
// begins the text. A mapping or list that has nothing left is written {} or [].
//
// The new text is read again: all else in it must be as it was. What needs a body keeps
// it, and a list stays a list.
//
// Codes: output with a [Refusal] for what cannot go, not-found if no value stands at
// the place, and what [Parse] finds.
func DeleteStatement(f *source.File, at source.Span, o Options) (string, error) {
	t, findings := Parse(f, o)
	if t == nil {
		return "", findings[0]
	}
	e := deletion{text: f.Text, outline: outlineOf(t)}
	i := e.outline.valueAt(at)
	if i < 0 {
		return "", source.Errorf(at, source.NotFound, "no value stands here")
	}
	e.index = e.outline[i].statement
	e.end = e.outline[i].end
	p, cut, err := e.patch(at)
	if err != nil {
		return "", err
	}
	text := p.apply(f.Text)
	if t, _ = Parse(source.NewFile(f.Name, text), o); t != nil {
		between, ok := e.outline.sameAround(p, outlineOf(t), cut.from, cut.to)
		if ok && cut.isLeft(between) {
			return text, nil
		}
	}
	return "", source.Refuse(at, source.NotVerified, "what is around the statement would mean something else without it").
		WithHint("edit the file by hand")
}

// A deletion takes a statement away.
type deletion struct {
	text    string
	outline outline
	index   int // of its mark
	end     int // of its value
}

func (e *deletion) mark() *mark { return &e.outline[e.index] }

// A cut is the marks that go, and the kinds of those that take their place.
type cut struct {
	from, to int
	left     []markKind
}

func (c cut) isLeft(between outline) bool {
	return slices.EqualFunc(c.left, between, func(kind markKind, m mark) bool { return kind == m.kind })
}

// patch returns what takes the statement away.
func (e *deletion) patch(at source.Span) (patch, cut, error) {
	m := e.mark()
	only := cut{from: e.index, to: m.behind}
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
		return patch{}, cut{}, source.Refuse(at, source.NeedsBody, "the body that this stands in would be empty").
			WithHint("delete what has the body, by hand")
	case valueGroup:
		block := cut{m.in.open, m.behind + 1, []markKind{emptyMark}}
		return e.emptied(), block, nil
	case argumentsGroup:
		line := cut{m.in.open - 1, m.behind + 1, []markKind{directiveMark, openMark, closeMark}}
		return e.emptied(), line, nil
	}
	p := e.lines()
	return p, only, nil
}

// staysList reports whether the block is a list without the statement if it is one.
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

// without takes the statement out of others.
func (e *deletion) without(at source.Span) (patch, error) {
	m := e.mark()
	if e.beginsLine() {
		return e.lines(), nil
	}
	next := m.behind // the statement that moves behind the dash
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

// beginsLine reports whether only blanks stand before the statement on its line.
func (e *deletion) beginsLine() bool {
	start := e.mark().start
	return strings.Trim(e.text[startOfLine(e.text, start):start], " ") == ""
}

// emptied returns the patch that writes "{}" or "[]" in the place of a block whose only
// statement goes. Comments between that belong to nothing stay.
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

// lines returns the patch that takes the lines of the statement away, and an empty line
// where there would be two.
func (e *deletion) lines() patch {
	start := e.lead()
	end := e.endOfLines()
	behind := nextLine(e.text, end)
	first := startOfLine(e.text, start) == startOfLine(e.text, 0)
	switch {
	case behind == end && !first: // the text has no line break at its end
		return patch{e.beforeEmpty(start) - e.breakBefore(e.beforeEmpty(start)), end, ""}
	case !e.isEmptyLine(behind):
	case first:
		for behind < len(e.text) && e.isEmptyLine(behind) {
			behind = nextLine(e.text, lineEnd(e.text, behind))
		}
	default:
		start = e.beforeEmpty(start)
	}
	return patch{start, behind, ""}
}

// isEmptyLine reports whether nothing stands on the line that starts at an offset, or
// the text ends there.
func (e *deletion) isEmptyLine(start int) bool {
	end := lineEnd(e.text, start)
	return skipBlanks(e.text, start, end) == end
}

// beforeEmpty returns the start of the empty lines above a line, or that of the line.
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

// lead returns the start of the comment lines directly above the statement in its
// column, or that of its line. The comment that begins the text stays.
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
	const firstStatement = 1 // behind the mark of the document
	if first == startOfLine(e.text, 0) && e.index == firstStatement {
		return line
	}
	return first
}

// commentColumn returns the column of the comment that is all of a line, or -1.
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
