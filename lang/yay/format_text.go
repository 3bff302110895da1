package yay

import "strings"

// blockIntroducer returns how a value below its key begins, "" for other values. An
// empty one is written as such: a comment behind it could be taken for its text.
func blockIntroducer(v Value) string {
	switch v := v.(type) {
	case *Scalar:
		if v.Val.Str() != "" {
			return v.Block
		}
	case *Text:
		return v.Block
	}
	return ""
}

// blockText writes the lines of a value below its key, in a column. Their text
// stays, apart from the expressions in it.
func (p *printer) blockText(v Value, col int) {
	at := v.Span()
	end := int(at.End)
	start := nextLine(p.text, lineEnd(p.text, int(at.Start)))
	indent := blockIndent(p.text, start, end)
	for pos := start; pos <= end && pos < len(p.text); {
		lineEnd := lineEnd(p.text, pos)
		from := min(pos+indent, lineEnd)
		if from < lineEnd {
			p.indent(col)
			p.template(from, lineEnd)
		}
		p.write("\n")
		pos = nextLine(p.text, lineEnd)
	}
}

// blockIndent returns the indentation of the first line that is not empty.
func blockIndent(text string, start, end int) int {
	for pos := start; pos < end; {
		n := len(text[pos:end]) - len(strings.TrimLeft(text[pos:end], " "))
		line := lineEnd(text, pos)
		if skipBlanks(text, pos, line) < line {
			return n
		}
		pos = nextLine(text, line)
	}
	return 0
}

// template writes a part of the source with the expressions in it in their standard
// form.
func (p *printer) template(start, end int) {
	for start < end {
		open := start + indexOr(p.text[start:end], "{{", end-start)
		p.write(p.text[start:open])
		if open == end {
			return
		}
		start = p.expression(open, end)
	}
}

// expression writes the "{{ e }}" at an offset of the source, which ends before
// another offset of the line, and returns the offset behind it.
func (p *printer) expression(pos, end int) int {
	p.write("{{ ")
	behind := p.tokens(pos+2, end, 0, "")
	p.write(" }}")
	return behind
}
