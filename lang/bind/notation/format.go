package notation

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/source"
)

// Format returns a .pp file in the standard layout, in the style of Puppet: two blanks for each level,
// one operation or entry a line in braces that have several lines, arrows below each other. Tokens,
// comments and the meaning stay.
//
//	bindings default{bind a to 1        bindings default {
//	  bind  b to {x=>1,        ------>    bind a to 1
//	     long=>2 }}                       bind b to {
//	                                        x    => 1,
//	                                        long => 2
//	                                      }
//	                                    }
//
// Codes: the codes of [ParsePP]; internal if the result would say something else.
func Format(f *source.File) (string, *source.Diagnostic) {
	if text, marked := strings.CutPrefix(f.Text, byteOrderMark); marked {
		without := &source.File{Name: f.Name, Path: f.Path, Text: text, Secret: f.Secret}
		if formatted, d := Format(without); d == nil {
			return formatted, nil
		} // an error is one of the whole text, below
	}
	p := newParser(f.Text, f.Span)
	p.notes = notes{}
	if d := p.run(func() { p.program(&File{Site: &bind.Site{File: f}}) }); d != nil {
		return "", d
	}
	before := pieces(f.Text)
	l := &layout{src: f.Text, notes: p.notes, pieces: before}
	text := l.text()
	if after := pieces(text); !sameTokens(f.Text, before, text, after) {
		return "", source.Errorf(f.Span(0, 0), source.Internal, "the formatter would change the meaning of %s", f.Name)
	}
	return text, nil
}

// A note is a fact about a token that the layout needs besides the token.
type note uint8

const (
	startsLine note = 1 << iota // has a line of its own in braces with several lines: an operation, a section, a statement
	isTight                     // no blank before it: a bracket of an index, of a type, of a call
	isUnary                     // no blank after it
	opensPipe                   // begins the parameters of a lambda
	hasTitle                    // a brace whose first line has a title, as in "layer { site:", or the colon after it
	isBlock                     // a brace of operations, sections or statements: a comma or an arrow there is inside of one
)

// notes are the notes of tokens, by their places in bytes.
type notes map[int]note

func (n notes) has(t token, what note) bool { return n[t.start]&what != 0 }

// note notes the current token, if the text is formatted.
func (p *parser) note(what note) {
	if p.notes != nil {
		p.notes[p.tok.start] |= what
	}
}

// A piece is a token with the comments before it.
type piece struct {
	token
	behind string   // a comment on the line of the token before
	above  []string // lines of comments; "" is an empty line
	breaks bool     // a line break is before the token
}

// pieces cuts a text into tokens with comments. The last piece is the end of the text.
func pieces(src string) []piece {
	s := &scanner{src: src}
	var out []piece
	from := 0
	for {
		t := s.next()
		if s.bad != nil {
			return nil // of a text that can be parsed there is none
		}
		p := piece{token: t, breaks: t.newline}
		p.comments(src[from:t.start], from == 0)
		out = append(out, p)
		if t.kind == endToken {
			return out
		}
		from = t.end
	}
}

// comments reads the text between two tokens. Several empty lines are one.
func (p *piece) comments(gap string, first bool) {
	lines := strings.Split(gap, "\n")
	for i, line := range lines {
		line = strings.TrimFunc(line, isBlank)
		switch {
		case i == 0 && !first:
			p.behind = line
		case line != "":
			p.above = append(p.above, line)
		case i == 0 || i == len(lines)-1: // not a whole line
		case len(p.above) == 0 || p.above[len(p.above)-1] != "":
			p.above = append(p.above, "")
		}
	}
}

// commented reports whether a comment is before the token.
func (p *piece) commented() bool {
	return p.behind != "" || slices.ContainsFunc(p.above, func(line string) bool { return line != "" })
}

// isBlank reports whether a character is white space of the notation.
func isBlank(r rune) bool { return strings.ContainsRune(" \t\r\f\v\u00a0", r) }

// sameTokens reports whether two texts have the same tokens, and breaks where they count: before a
// bracket after a value, and after "optional".
func sameTokens(a string, as []piece, b string, bs []piece) bool {
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		x, y := as[i], bs[i]
		if x.kind != y.kind || a[x.start:x.end] != b[y.start:y.end] {
			return false
		}
		if x.breaks != y.breaks && i > 0 && (x.text == "[" && !isOpen(as[i-1].token) && as[i-1].text != "," || sameWord(as[i-1].text, "optional")) {
			return false
		}
	}
	return true
}

// A layout writes the pieces of a text.
type layout struct {
	src    string
	notes  notes
	pieces []piece
	long   []bool // an opening brace has several lines

	lines []line
	open  []bracket
}

// A line is a line of the result.
type line struct {
	indent int
	text   []byte
	group  int // of lines whose arrows are below each other, 0 for none
	arrow  int // where the arrow is in the text
}

// A bracket is an open one.
type bracket struct {
	at     int // piece
	line   int // on which it is
	indent int // of that line
	group  int
	key    bool // the line is at the key of an entry
}

// text returns the formatted text.
func (l *layout) text() string {
	l.measure()
	for i := range l.pieces {
		l.piece(i)
	}
	return l.joined()
}

func isOpen(t token) bool  { return t.kind == signToken && strings.Contains("{[(", t.text) }
func isClose(t token) bool { return t.kind == signToken && strings.Contains("}])", t.text) }

// measure finds the brackets that belong together, and the braces that have several lines: those with
// a line break or several operations inside.
func (l *layout) measure() {
	l.long = make([]bool, len(l.pieces))
	var open, starts []int // starts: of operations directly inside
	for i, p := range l.pieces {
		if n := len(open) - 1; n >= 0 {
			if p.breaks {
				l.long[open[n]] = true
			}
			if l.notes.has(p.token, startsLine) && l.pieces[open[n]].text == "{" {
				starts[n]++
			}
		}
		switch {
		case isOpen(p.token):
			open, starts = append(open, i), append(starts, 0)
		case isClose(p.token) && len(open) > 0:
			n := len(open) - 1
			at := open[n]
			l.long[at] = l.long[at] || starts[n] > 1
			if at == i-1 && !p.commented() {
				l.long[at] = false // "{}"
			}
			open, starts = open[:n], starts[:n]
			if n > 0 && l.long[at] {
				l.long[open[n-1]] = true
			}
		}
	}
}

// top returns the innermost open bracket, nil for none.
func (l *layout) top() *bracket {
	if len(l.open) == 0 {
		return nil
	}
	return &l.open[len(l.open)-1]
}

// inBraces reports whether the innermost bracket is a brace with several lines, or there is none.
func (l *layout) inBraces() bool {
	b := l.top()
	return b == nil || l.pieces[b.at].text == "{" && l.long[b.at]
}

// piece writes a token with its comments.
func (l *layout) piece(i int) {
	p := &l.pieces[i]
	if p.behind != "" && len(l.lines) > 0 {
		l.write("  " + p.behind)
	}
	begins := l.begins(i)
	if p.kind == endToken {
		l.commentLines(p.above, 0, i == 0)
		return
	}
	breaks := i == 0 || l.breaks(i, begins)
	if breaks {
		l.startLine(i, begins)
	} else if l.spaced(l.pieces[i-1].token, p.token) {
		l.write(" ")
	}
	l.arrow(p.token)
	l.write(l.src[p.start:p.end])
	switch {
	case isOpen(p.token):
		l.open = append(l.open, bracket{at: i, line: len(l.lines) - 1, indent: l.last().indent, group: i + 1})
	case isClose(p.token) && len(l.open) > 0:
		l.open = l.open[:len(l.open)-1]
	}
}

func (l *layout) last() *line { return &l.lines[len(l.lines)-1] }

// write adds to the line.
func (l *layout) write(s string) { l.last().text = append(l.last().text, s...) }

// begins reports whether a token begins something: an operation, an entry, an item.
func (l *layout) begins(i int) bool {
	p := l.pieces[i]
	if i == 0 || l.notes.has(p.token, startsLine) || isClose(p.token) || p.kind == endToken || l.isElse(i) {
		return true
	}
	prev, b := l.pieces[i-1].token, l.top()
	entry := b != nil && !l.notes.has(l.pieces[b.at].token, isBlock)
	return isOpen(prev) || l.notes.has(prev, hasTitle) || entry && prev.kind == signToken && (prev.text == "," || prev.text == ";")
}

// isElse reports whether a token is an else after a body.
func (l *layout) isElse(i int) bool {
	p := l.pieces[i]
	return p.kind == nameToken && (p.text == "else" || p.text == "elsif") && i > 0 && l.pieces[i-1].text == "}"
}

// breaks reports whether a line begins with a token: where the text has a line break, and where
// something begins in braces with several lines.
func (l *layout) breaks(i int, begins bool) bool {
	p, prev := l.pieces[i], l.pieces[i-1]
	b := l.top()
	switch {
	case isOpen(prev.token) && isClose(p.token) && !l.long[i-1]:
		return false
	case l.isElse(i) && !p.commented():
		return false
	case p.breaks:
		return true
	case prev.text == "{" && prev.kind == signToken && l.notes.has(prev.token, hasTitle):
		return false
	case p.kind == signToken && (p.text == "," || p.text == ";"):
		return false
	case isClose(p.token) && b != nil && p.text != "}":
		first := l.pieces[b.at+1]
		return first.breaks && b.at+1 != i
	}
	return begins && l.inBraces() && !(isClose(p.token) && b == nil)
}

// startLine begins a line, after the comments of a token.
func (l *layout) startLine(i int, begins bool) {
	p := l.pieces[i]
	indent := 0
	if b := l.top(); b != nil {
		indent = b.indent + 1
	}
	inside := indent
	switch {
	case isClose(p.token):
		indent--
	case !begins:
		indent++
		inside++
	}
	l.commentLines(p.above, inside, i == 0 || isOpen(l.pieces[i-1].token))
	if isClose(p.token) && len(l.lines) > 0 && len(l.last().text) == 0 {
		l.lines = l.lines[:len(l.lines)-1]
	}
	l.lines = append(l.lines, line{indent: max(indent, 0)})
	if b := l.top(); b != nil && !isClose(p.token) {
		b.line, b.key = len(l.lines)-1, begins && l.pieces[b.at].text == "{" && !l.notes.has(l.pieces[b.at].token, isBlock)
		if slices.Contains(p.above, "") {
			b.group += len(l.pieces)
		}
	}
}

// commentLines writes lines of comments. An empty line is not written where nothing is above it.
func (l *layout) commentLines(above []string, indent int, first bool) {
	for _, text := range above {
		if text == "" && (first || len(l.lines) == 0) {
			continue
		}
		first = false
		l.lines = append(l.lines, line{indent: indent})
		l.write(text)
	}
}

// arrow notes where the first arrow of an entry is.
func (l *layout) arrow(t token) {
	b := l.top()
	if t.kind != signToken || b == nil || !b.key || b.line != len(l.lines)-1 {
		return
	}
	switch t.text {
	case ":":
		b.key = false
	case "=>":
		b.key = false
		l.last().group, l.last().arrow = b.group, len(l.last().text)
	}
}

// spaced reports whether a blank is between two tokens on a line.
func (l *layout) spaced(prev, t token) bool {
	if prev.kind == signToken {
		switch {
		case prev.text == "[" || prev.text == "(" || l.notes.has(prev, isUnary) || l.notes.has(prev, opensPipe):
			return false
		case prev.text == "{" && t.kind == signToken && t.text == "}":
			return false
		}
	}
	if t.kind != signToken {
		return true
	}
	switch t.text {
	case "]", ")", ",", ";", ":":
		return false
	case "|":
		return l.notes.has(t, opensPipe)
	}
	return !l.notes.has(t, isTight)
}

// joined puts the lines together, with the arrows of a group below each other.
func (l *layout) joined() string {
	width := map[int]int{}
	for i := range l.lines {
		if n := &l.lines[i]; n.group > 0 {
			width[n.group] = max(width[n.group], n.keyWidth())
		}
	}
	for len(l.lines) > 0 && len(l.last().text) == 0 {
		l.lines = l.lines[:len(l.lines)-1]
	}
	var b strings.Builder
	for i := range l.lines {
		n := &l.lines[i]
		text := string(n.text)
		if text != "" {
			b.WriteString(strings.Repeat("  ", n.indent))
		}
		if n.group > 0 {
			b.WriteString(text[:n.arrow])
			b.WriteString(strings.Repeat(" ", width[n.group]-n.keyWidth()))
			text = text[n.arrow:]
		}
		b.WriteString(text)
		b.WriteByte('\n')
	}
	return b.String()
}

// keyWidth returns the width of what is before the arrow, in characters.
func (n *line) keyWidth() int { return utf8.RuneCount(n.text[:n.arrow]) }
