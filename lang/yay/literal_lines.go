package yay

import (
	"strings"
	"unicode/utf8"
)

// blocks returns the patches that put lines in the place of the constant.
func (e *literalEdit) blocks(s string) []patch {
	body := strings.TrimRight(s, "\n")
	if body == "" {
		return nil
	}
	w := newLineWriter(e)
	var out []patch
	if old := e.oldBlock(); strings.HasPrefix(old, ">") && !strings.Contains(s, "\n") {
		out = append(out, w.patch(old, w.folded(body), 0))
	}
	breaks := len(s) - len(body)
	introducer := "|+"
	if breaks < 2 {
		introducer = [...]string{"|-", "|"}[breaks]
	}
	return append(out, w.patch(introducer, w.rewritten(strings.Split(body, "\n")), breaks))
}

// A lineWriter writes the lines of a text below its key. Those that the old text has as
// well, at its begin and end, stay as they are written.
type lineWriter struct {
	edit   *literalEdit
	indent string
	eol    string
	raw    []string // the old lines, as they are written
	lines  []string // without their indentation
}

func newLineWriter(e *literalEdit) *lineWriter {
	m := e.mark()
	w := &lineWriter{edit: e, eol: "\n"}
	if first := lineEnd(e.text, 0); first < len(e.text) {
		w.eol = e.text[first:nextLine(e.text, first)]
	}
	end := e.lastLine()
	start := nextLine(e.text, lineEnd(e.text, m.start))
	if e.oldBlock() == "" || start >= end {
		owner := e.outline[m.statement].start
		w.indent = strings.Repeat(" ", owner-startOfLine(e.text, owner)+e.step())
		return w
	}
	n := blockIndent(e.text, start, end)
	w.indent = strings.Repeat(" ", n)
	for pos := start; pos < end; {
		stop := lineEnd(e.text, pos)
		w.raw = append(w.raw, e.text[pos:stop])
		w.lines = append(w.lines, e.text[min(pos+n, stop):stop])
		pos = nextLine(e.text, stop)
	}
	return w
}

// step returns by how much the first block of the file is indented.
func (e *literalEdit) step() int {
	before := -1
	for _, m := range e.outline {
		if m.kind < pairMark {
			continue
		}
		col := m.start - startOfLine(e.text, m.start)
		if before >= 0 && col > before {
			return col - before
		}
		before = col
	}
	return indentation
}

// patch returns the patch that puts lines behind an introducer. breaks are the line
// breaks at the end of the text: those beyond the first are empty lines.
func (w *lineWriter) patch(introducer string, lines []string, breaks int) patch {
	e := w.edit
	m := e.mark()
	text := introducer + w.eol + strings.Join(lines, w.eol)
	p := patch{m.start, e.lastLine(), text}
	if m.value == nil {
		p.start, p.end, p.text = m.end, lineEnd(e.text, m.end), " "+text
	}
	if introducer == "|+" {
		p.end = e.behindEmpty(p.end)
		p.text += strings.Repeat(w.eol, breaks-1)
		if p.end == len(e.text) {
			p.text += w.eol
		}
	}
	return p
}

// behindEmpty returns the end of the last of the empty lines below the line that ends
// at an offset.
func (e *literalEdit) behindEmpty(end int) int {
	for {
		start := nextLine(e.text, end)
		next := lineEnd(e.text, start)
		if start == end || next == len(e.text) || skipBlanks(e.text, start, next) < next {
			return end
		}
		end = next
	}
}

// rewritten returns lines with those of the old text at the begin and at the end.
func (w *lineWriter) rewritten(lines []string) []string {
	n := min(len(lines), len(w.lines))
	head, tail := 0, 0
	for head < n && lines[head] == w.lines[head] {
		head++
	}
	for tail < n-head && lines[len(lines)-1-tail] == w.lines[len(w.lines)-1-tail] {
		tail++
	}
	return w.between(head, lines[head:len(lines)-tail], tail)
}

// between returns the first old lines, new ones and the last old lines.
func (w *lineWriter) between(head int, lines []string, tail int) []string {
	out := append([]string(nil), w.raw[:head]...)
	for _, line := range lines {
		if line != "" {
			line = w.indent + line
		}
		out = append(out, line)
	}
	return append(out, w.raw[len(w.raw)-tail:]...)
}

// foldWidth is how long lines may get that are new in a folded text, in characters.
const foldWidth = 80

// folded returns the lines of a text whose line breaks are blanks: what lies between
// the old lines that still fit is broken as they are.
func (w *lineWriter) folded(s string) []string {
	head, tail, width := 0, 0, foldWidth
	for _, line := range w.lines {
		width = max(width, utf8.RuneCountInString(line))
	}
	for head < len(w.lines)-1 && strings.HasPrefix(s, w.lines[head]+" ") {
		s = s[len(w.lines[head])+1:]
		head++
	}
	for tail < len(w.lines)-1-head && strings.HasSuffix(s, " "+w.lines[len(w.lines)-1-tail]) {
		s = s[:len(s)-1-len(w.lines[len(w.lines)-1-tail])]
		tail++
	}
	return w.between(head, wrap(s, width), tail)
}

// wrap breaks a text at single blanks into lines that are not longer than width
// characters, where that is possible.
func wrap(s string, width int) []string {
	var out []string
	for at := breakAt(s, width); at >= 0; at = breakAt(s, width) {
		out = append(out, s[:at])
		s = s[at+1:]
	}
	return append(out, s)
}

// breakAt returns the offset of the last single blank that ends a line which is not too
// long, or of the first behind that, or -1 if the text fits on a line.
func breakAt(s string, width int) int {
	at, count := -1, 0
	for i := range s {
		if count++; count > width+1 && at >= 0 {
			return at
		}
		if i > 0 && i+1 < len(s) && s[i] == ' ' && !isBlank(s[i-1]) && !isBlank(s[i+1]) {
			at = i
		}
	}
	if count <= width {
		return -1
	}
	return at
}
