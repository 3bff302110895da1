package yay

import (
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// A blockRange is the lines of a block value.
type blockRange struct {
	indent  int // taken from the first line that is not empty
	end     int // of the last line that is not empty
	empties int // empty lines behind that
	last    int // end of the last of these
}

// blockText reads the lines below "|" or ">", whose place is [pos, end): all that
// stand right of the owner, by the indentation of the first (spec: yay, section 1.8).
func (p *parser) blockText(pos, end, owner int) (Value, error) {
	introducer := p.text[pos:end]
	lines := p.blockRange(owner)
	at := p.span(pos, max(end, lines.end))
	if lines.indent == 0 {
		return &Scalar{At: at, Val: value.String(""), Block: introducer}, nil
	}
	if introducer == "|+" {
		at = p.span(pos, lines.last)
	}
	r := textReader{parser: p, from: p.lines.pos}
	err := r.blockLines(lines, introducer[0] == '>')
	p.lines.jump(int(at.End))
	if err != nil {
		return nil, err
	}
	switch introducer {
	case "|":
		r.literal.WriteByte('\n')
	case "|+":
		r.literal.WriteString(strings.Repeat("\n", 1+lines.empties))
	}
	r.flush(int(at.End))
	if introducer[0] == '>' {
		r.trimEnd()
	}
	if len(r.parts) == 1 && r.parts[0].Node == nil {
		return &Scalar{At: at, Val: value.String(r.parts[0].Text), Block: introducer}, nil
	}
	return &Text{At: at, Parts: r.parts, Block: introducer}, nil
}

// blockRange finds the lines of a block value.
func (p *parser) blockRange(owner int) blockRange {
	var b blockRange
	for pos := p.lines.pos; pos < len(p.text); {
		l := p.lines.lineAt(pos)
		pos = nextLine(p.text, l.end)
		switch empty := skipBlanks(p.text, l.content, l.end) == l.end; {
		case empty && l.end == len(p.text): // blanks behind the last line break are no line
			continue
		case empty:
			b.empties++
			b.last = l.end
			continue
		case b.indent == 0 && l.col() > owner:
			b.indent = l.col()
		case b.indent == 0 || l.col() < b.indent:
			p.dedent = l.start
			return b
		}
		b.end, b.last, b.empties = l.end, l.end, 0
	}
	return b
}

// blockLines reads the text of the lines, without their indentation and with a line
// break, or a blank if they are folded, between them.
func (r *textReader) blockLines(lines blockRange, fold bool) error {
	between := byte('\n')
	if fold {
		between = ' '
	}
	for pos := r.lines.pos; pos <= lines.end; {
		if pos > r.lines.pos {
			r.literal.WriteByte(between)
		}
		end := lineEnd(r.text, pos)
		if err := r.blockLine(min(pos+lines.indent, end), end); err != nil {
			return err
		}
		next := nextLine(r.text, end)
		if next == end {
			break
		}
		pos = next
	}
	return nil
}

func (r *textReader) blockLine(pos, end int) (err error) {
	for {
		open := pos + indexOr(r.text[pos:end], "{{", end-pos)
		r.literal.WriteString(r.text[pos:open])
		if open == end {
			return nil
		}
		if pos, err = r.expression(open, end); err != nil {
			return err
		}
	}
}

// trimEnd removes the blanks at the end of the text.
func (r *textReader) trimEnd() {
	n := len(r.parts)
	if n == 0 || r.parts[n-1].Node != nil {
		return
	}
	r.parts[n-1].Text = strings.TrimRight(r.parts[n-1].Text, " \t")
	if r.parts[n-1].Text == "" {
		r.parts = r.parts[:n-1]
	}
}
