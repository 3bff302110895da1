package yay

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/scan"
)

// Format returns the text of a tree in the standard layout: two blanks a level, one blank
// after a colon and around operators, "set" for "% let" and so on, at most one empty line
// in a row. It keeps comments and the spellings of numbers and texts. The result parses to
// the same tree, and formatting it again changes nothing.
func Format(t *Tree) string {
	p := printer{text: t.File.Text}
	p.block(t.Root, 0)
	foot := t.Foot
	for len(foot) > 0 && foot[len(foot)-1] == "" {
		foot = foot[:len(foot)-1]
	}
	p.remarks(foot, 0, len(t.Root.Stanzas) == 0)
	return p.b.String()
}

// A printer writes stanzas. Columns are columns of the output.
type printer struct {
	text string // the source
	b    strings.Builder
}

// indentation is the indentation of a level.
const indentation = 2

func (p *printer) write(texts ...string) {
	for _, s := range texts {
		p.b.WriteString(s)
	}
}

func (p *printer) indent(col int) {
	for range col {
		p.b.WriteByte(' ')
	}
}

// block writes the stanzas of a block, each on lines of its own.
func (p *printer) block(b *Block, col int) {
	if b == nil {
		return
	}
	for i, s := range b.Stanzas {
		p.remarks(s.Around().Lead, col, i == 0)
		p.indent(col)
		p.stanza(s, col)
	}
	p.remarks(b.Foot, col, false)
}

// remarks writes comments and empty lines. At the start of a block, empty lines are left
// out.
func (p *printer) remarks(lines []string, col int, first bool) {
	for _, s := range lines {
		if s != "" {
			p.indent(col)
			p.write(s, "\n")
			first = false
		} else if !first {
			p.write("\n")
		}
	}
}

// stanza writes a stanza. Its first line has been indented. A directive without
// arguments gets "{}" after its colon: otherwise the next line of an item would be read
// as its arguments.
func (p *printer) stanza(s Stanza, col int) {
	switch s := s.(type) {
	case *Pair:
		if s.Extend {
			p.write("extend ")
		}
		p.write(s.Key, ":")
		p.value(s.Value, s.Trail, col)
	case *Item:
		p.item(s, col)
	case *Include:
		p.include(s, col)
	case *Search:
		p.directive("search", &s.Layout, "", nil, col)
	case *Configure:
		p.directive("configure", &s.Layout, ":", s.Body, col)
	case *Set:
		p.directive("set", &s.Layout, "", nil, col)
	case *If:
		for i := range s.Branches {
			word := "if"
			if i > 0 {
				word = "elif"
				p.remarks(s.Branches[i].Lead, col, false)
				p.indent(col)
			}
			p.directive(word, &s.Branches[i].Layout, ":", s.Branches[i].Body, col)
		}
		if s.Else != nil {
			p.remarks(s.Else.Lead, col, false)
			p.indent(col)
			p.directive("else", &s.Else.Layout, ":", s.Else.Body, col)
		}
	case *For:
		p.directive("for", &s.Layout, ":", s.Body, col)
	case *Select:
		p.directive("select", &s.Layout, ":", nil, col)
		for i, c := range s.Cases {
			p.remarks(c.Lead, col+indentation, i == 0)
			p.indent(col + indentation)
			p.write(c.Key, ":")
			p.value(c.Value, c.Trail, col+indentation)
		}
		p.remarks(s.Foot, col+indentation, false)
	case *Macro:
		p.directive("macro", &s.Layout, ":", s.Body, col)
	case *Call:
		p.directive("call", &s.Layout, argumentsColon(s.Args), s.Args, col)
	case *Prototype:
		p.directive("prototype", &s.Layout, ":", s.Body, col)
	case *New:
		word := "new"
		if s.Create {
			word = "create"
		}
		p.directive(word, &s.Layout, argumentsColon(s.Args), s.Args, col)
	}
}

func argumentsColon(args *Block) string {
	if args == nil {
		return ": {}"
	}
	return ":"
}

// item writes an item of a list. The stanzas of its block are in the column of the first.
func (p *printer) item(s *Item, col int) {
	b, ok := s.Value.(*Block)
	switch {
	case s.Bare:
		p.inline(s.Value)
		p.end(s.Trail)
	case !ok:
		p.write("-")
		p.value(s.Value, s.Trail, col)
	default:
		p.write("- ")
		p.stanza(b.Stanzas[0], col+indentation)
		p.block(&Block{Stanzas: b.Stanzas[1:], Foot: b.Foot}, col+indentation)
	}
}

// value writes the value of a key or an item, and ends the line.
func (p *printer) value(v Value, trail string, col int) {
	if b, ok := v.(*Block); ok {
		p.end(trail)
		p.block(b, col+indentation)
		return
	}
	if v != nil {
		p.write(" ")
	}
	if block := blockIntroducer(v); block != "" {
		p.write(block, "\n")
		p.blockText(v, col+indentation)
		return
	}
	p.inline(v)
	p.end(trail)
}

// inline writes a value on one line.
func (p *printer) inline(v Value) {
	switch v := v.(type) {
	case *Scalar:
		if v.Block != "" {
			p.write(`""`)
			return
		}
		p.write(v.At.Text())
	case *Text:
		p.template(int(v.At.Start), int(v.At.End))
	case *Expression:
		start := int(v.At.Start) + strings.Index(v.At.Text(), "{{")
		p.expression(start, int(v.At.End))
	case *Empty:
		p.write(v.At.Text())
	}
}

// end ends a line, with the comment on it.
func (p *printer) end(trail string) {
	if trail != "" {
		p.write(" ", trail)
	}
	p.write("\n")
}

// include writes an include. "% import" becomes "include" if its operand is a constant or
// one expression; a text with expressions has no other notation.
func (p *printer) include(s *Include, col int) {
	if !s.Text {
		p.directive("include", &s.Layout, "", nil, col)
		return
	}
	start, end := int(s.At.Start), int(s.At.End)
	open := strings.Index(s.At.Text(), "{{")
	lit, constant := s.Operand.(*expr.Lit)
	if _, joined := s.Operand.(*expr.Concat); joined {
		p.write("% import ")
		p.template(int(s.Operand.Span().Start), end)
	} else if constant && open < 0 {
		p.write(`include "`, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(lit.Value.Str()), `"`)
	} else {
		p.write("include ")
		p.tokens(start+open+len("{{"), end, 0, "")
	}
	p.end(s.Trail)
}

// blockIntroducer returns the introducer of a value below its key, "" for other values.
// An empty block has none: a comment after it could become a part of its text.
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

// blockText writes the lines of a block value in a column. It changes the layout of
// expressions only.
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

// template writes a range of the source with the expressions in it in the standard
// layout.
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

// expression writes the "{{ e }}" at pos, which ends before end on the line, and returns
// the offset after it.
func (p *printer) expression(pos, end int) int {
	p.write("{{ ")
	after := p.tokens(pos+2, end, 0, "")
	p.write(" }}")
	return after
}

// directive writes a directive whose first line has been indented: the word, the rest of
// the source line up to its colon, the colon, and the block.
func (p *printer) directive(word string, l *Layout, colon string, body *Block, col int) {
	p.write(word)
	start, end := int(l.At.Start), int(l.At.End)
	if p.text[start] == '%' {
		start = skipBlanks(p.text, start+1, end)
	}
	for start < end && p.text[start] >= 'a' && p.text[start] <= 'z' {
		start++
	}
	p.tokens(start, end, col+2*indentation, " ")
	p.write(colon)
	p.end(l.Trail)
	p.block(body, col+indentation)
}

// tokens writes the tokens of the source from start to end, to a colon, or to the "}}"
// that closes the expression, and returns the offset after it. A line that a backslash
// continues remains one, indented to col; col is 0 for an expression in braces. before is
// written before the first token.
func (p *printer) tokens(start, end, col int, before string) int {
	var s spacing
	lex := newLexer(p.text, start, end, col > 0)
	if lex.directive {
		lex.End = min(lineEnd(p.text, start), end)
	}
	last := -1
	for t := new(scan.Token); ; {
		lex.next(t)
		if t.Kind == scan.End || t.Kind == scan.Bad || len(s.open) == 0 && (t.Is(":") || t.Is("}}")) {
			return t.End
		}
		switch {
		case last < 0:
			p.write(before)
		case lex.directive && lineEnd(p.text, last) < t.Start:
			p.write(" \\\n")
			p.indent(col)
		case s.blank(t):
			p.write(" ")
		}
		if t.Is("<>") {
			p.write("!=")
		} else {
			p.write(p.text[t.Start:t.End])
		}
		s.push(t)
		last = t.End
	}
}

// A spacing decides about blanks between tokens.
type spacing struct {
	open   []byte // open brackets
	last   scan.Token
	sign   bool // last is a unary operator
	member bool // last is the dot of an attribute, or the name after it
}

// blank reports whether a blank precedes a token.
func (s *spacing) blank(t *scan.Token) bool {
	if s.sign || s.last.Is(".") {
		return false
	}
	if s.last.Kind == scan.Op {
		switch s.last.Text {
		case "(", "[", "{":
			return false
		case ":":
			return s.in('{')
		case "=":
			return !s.in('(')
		}
	}
	if t.Kind != scan.Op {
		return true
	}
	switch t.Text {
	case ")", "]", "}", ",", ":", ".":
		return false
	case "(", "[":
		return !s.operand()
	case "=":
		return !s.in('(')
	}
	return true
}

// in reports whether the innermost open bracket is of that kind.
func (s *spacing) in(bracket byte) bool {
	return len(s.open) > 0 && s.open[len(s.open)-1] == bracket
}

// operand reports whether the last scan.Token ends an operand.
func (s *spacing) operand() bool {
	switch s.last.Kind {
	case scan.Number, scan.String:
		return true
	case scan.Name:
		return s.member || !isReserved(s.last.Text)
	case scan.Op:
		return s.last.Is(")") || s.last.Is("]") || s.last.Is("}")
	}
	return false
}

// push records a token that was written.
func (s *spacing) push(t *scan.Token) {
	s.sign = t.Is("~") || (t.Is("-") || t.Is("+")) && !s.operand()
	s.member = t.Is(".") || t.Kind == scan.Name && s.last.Is(".")
	if t.Kind == scan.Op {
		switch t.Text {
		case "(", "[", "{":
			s.open = append(s.open, t.Text[0])
		case ")", "]", "}":
			if len(s.open) > 0 {
				s.open = s.open[:len(s.open)-1]
			}
		}
	}
	s.last = *t
}
