package yay

import "strings"

// A line is a line of a document that holds something. All numbers are offsets.
type line struct {
	start   int
	content int // the first character that is not a blank
	end     int // behind the last character, without the line break
}

// col returns the indentation.
func (l line) col() int { return l.content - l.start }

// A remark is a comment line, or an empty line if it has no text.
type remark struct {
	text string
	col  int
}

// A lineReader splits a text into lines. Comment lines and empty ones do not count;
// they are kept for the stanza that follows (spec: yay, section 1.1).
type lineReader struct {
	text    string
	pos     int // start of the line behind the current one
	read    int // end of the last line that was used
	current line
	peeked  bool
	atEnd   bool
	remarks []remark // met since the last stanza
}

// peek returns the next line that holds something, false at the end.
func (r *lineReader) peek() (line, bool) {
	if !r.peeked {
		r.peeked = true
		r.atEnd = !r.scan()
	}
	return r.current, !r.atEnd
}

// advance uses the current line and goes on to the one behind it.
func (r *lineReader) advance() { r.read, r.peeked = r.current.end, false }

// jump goes on behind the line that ends at an offset.
func (r *lineReader) jump(end int) {
	r.read, r.pos, r.peeked = end, nextLine(r.text, end), false
}

// scan finds the next line that holds something and makes it the current one.
func (r *lineReader) scan() bool {
	for r.pos < len(r.text) {
		l := r.lineAt(r.pos)
		r.pos = nextLine(r.text, l.end)
		rest := skipBlanks(r.text, l.content, l.end)
		switch {
		case rest == l.end:
			r.empty()
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

// empty notes an empty line; several count as one.
func (r *lineReader) empty() {
	if n := len(r.remarks); n == 0 || r.remarks[n-1].text != "" {
		r.remarks = append(r.remarks, remark{})
	}
}

// lead returns the remarks before a stanza.
func (r *lineReader) lead() []string { return r.take(len(r.remarks)) }

// foot returns the remarks that end a block: those up to the last comment that
// stands at the column or right of it.
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

func (r *lineReader) take(n int) []string {
	if n == 0 {
		return nil
	}
	texts := make([]string, n)
	for i, m := range r.remarks[:n] {
		texts[i] = m.text
	}
	r.remarks = r.remarks[:copy(r.remarks, r.remarks[n:])]
	return texts
}

// lineEnd returns the offset of the line break behind an offset.
func lineEnd(text string, from int) int {
	for from < len(text) && text[from] != '\n' && text[from] != '\r' {
		from++
	}
	return from
}

// startOfLine returns the offset of the first character of a line. A byte order mark
// is no part of it.
func startOfLine(text string, pos int) int {
	start := strings.LastIndexAny(text[:pos], "\r\n") + 1
	if start == 0 && strings.HasPrefix(text, byteOrderMark) {
		return len(byteOrderMark)
	}
	return start
}

// nextLine returns the start of the line behind the line break at an offset.
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

// trimBlanks returns the end of [pos, end) without blanks at its end.
func trimBlanks(text string, pos, end int) int {
	for end > pos && isBlank(text[end-1]) {
		end--
	}
	return end
}
