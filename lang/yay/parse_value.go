package yay

import (
	"math"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// valueOrBlock reads the value of a key from after its colon: a value on the line, a
// block below it, or nothing, which is nil. A list may be in the column of its key.
func (p *parser) valueOrBlock(h head, pos int) (v Value, trail string, err error) {
	pos = skipBlanks(p.text, pos, h.end)
	if pos < h.end && p.text[pos] != '#' {
		return p.value(pos, h.end, h.owner)
	}
	trail = p.comment(pos, h.end)
	l, ok := p.peek()
	switch {
	case !ok || l.col() < h.owner:
	case l.col() > h.owner:
		return p.nested(l, h, notInLoop), trail, nil
	case h.col == h.owner && p.text[l.content] == '-': // a list in the column of its key
		b := &Block{At: p.span(l.content, l.content)}
		for ok && l.col() == h.owner && p.text[l.content] == '-' {
			p.addStanza(b, l)
			l, ok = p.peek()
		}
		b.Foot = p.lines.foot(h.owner + 1)
		return b, trail, nil
	}
	return nil, trail, nil
}

// nested reads the block of a stanza. It begins with line l.
func (p *parser) nested(l line, h head, inLoop bool) *Block {
	b := &Block{At: p.span(l.content, l.content)}
	outer := p.inLoop
	p.inLoop = inLoop
	p.block(b, l.col(), min(l.col(), h.col+1))
	p.inLoop = outer
	return b
}

// value reads the value at pos, which is not blank. A block value is right of the
// owner's column.
func (p *parser) value(pos, end, owner int) (v Value, trail string, err error) {
	end = trimBlanks(p.text, pos, end)
	text, at := p.text[pos:end], p.span(pos, end)
	switch text {
	case "{}", "[]":
		return &Empty{At: at, List: text == "[]"}, "", nil
	case "|", "|+", "|-", ">", ">-", ">+":
		v, err = p.blockText(pos, end, owner)
		return v, "", err
	}
	if text[0] == '"' || strings.Contains(text, "{{") {
		return p.line(pos, end)
	}
	if colon := p.findColon(pos, end, end); colon >= 0 {
		d := p.unquotedColon(colon)
		if hint := flowHint(text); hint != "" {
			d.WithHint("%s", hint)
		}
		return nil, "", d
	}
	val, err := plainScalar(text, at, p.yamlScalars)
	return &Scalar{At: at, Val: val}, "", err
}

// findColon returns the offset of the first colon in [pos, to) that separates, -1 if
// there is none. The line ends at end.
func (p *parser) findColon(pos, to, end int) int {
	for ; pos < to; pos++ {
		i := strings.IndexByte(p.text[pos:to], ':')
		if i < 0 {
			break
		}
		if pos += i; p.isColon(pos, end) {
			return pos
		}
	}
	return -1
}

// unquotedColon returns the error of a colon that separates inside of a value.
func (p *parser) unquotedColon(pos int) *source.Diagnostic {
	return source.Errorf(p.span(pos, pos+1), source.Syntax, `unexpected ":" in a value`).
		WithHint("put double quotes around the value if the colon is part of it")
}

// A textReader collects the parts of a text.
type textReader struct {
	*parser
	parts   []Part
	quoted  bool
	literal strings.Builder // the text since the last expression
	from    int             // the start of that text
}

// line reads a value on one line that contains quotes or expressions (spec: yay, section
// 1.7). A comment may follow an expression that is the whole value.
func (p *parser) line(pos, end int) (v Value, trail string, err error) {
	r := textReader{parser: p, from: pos}
	at := pos
	if p.text[pos] == '"' {
		at, err = r.quotes(pos, end)
		if err != nil {
			return nil, "", err
		}
	}
	for plain := true; at < end; plain = false {
		open := at + indexOr(p.text[at:end], "{{", end-at)
		if plain {
			if colon := p.findColon(at, open, end); colon >= 0 {
				return nil, "", p.unquotedColon(colon)
			}
		}
		r.literal.WriteString(p.text[at:open])
		if open == end {
			break
		}
		if at, err = r.expression(open, end); err != nil {
			return nil, "", err
		}
		if rest := skipBlanks(p.text, at, end); open == pos && rest > at {
			if trail := p.comment(rest, end); trail != "" {
				return r.value(pos, at), trail, nil
			}
		}
	}
	r.flush(end)
	return r.value(pos, end), "", nil
}

// quotes reads the quoted part of a value. It may contain expressions.
func (r *textReader) quotes(pos, end int) (after int, err error) {
	r.quoted = true
	for at := pos + 1; at < end; {
		i := strings.IndexAny(r.text[at:end], `"{`)
		if i < 0 {
			break
		}
		r.literal.WriteString(r.text[at : at+i])
		at += i
		switch {
		case r.text[at] == '"':
			return at + 1, nil
		case !strings.HasPrefix(r.text[at:end], "{{"):
			r.literal.WriteByte('{')
			at++
		default:
			if at, err = r.expression(at, end); err != nil {
				return 0, err
			}
		}
	}
	return 0, source.Errorf(r.span(pos, end), source.Syntax, `unexpected end of line: the text has no closing "`).
		WithHint("to write a quote in a text, leave out the quotes around the text")
}

// expression reads "{{ e }}" as a part.
func (r *textReader) expression(pos, end int) (after int, err error) {
	r.flush(pos)
	n, after, err := r.template(pos, end)
	if err != nil {
		return 0, err
	}
	r.parts = append(r.parts, Part{At: r.span(pos, after), Node: n})
	r.from = after
	return after, nil
}

// flush ends the literal part before an offset.
func (r *textReader) flush(end int) {
	if r.literal.Len() == 0 {
		return
	}
	r.parts = append(r.parts, Part{At: r.span(r.from, end), Text: r.literal.String()})
	r.literal.Reset()
}

// value returns the value of [pos, end), which consists of the parts.
func (r *textReader) value(pos, end int) Value {
	at := r.span(pos, end)
	switch {
	case len(r.parts) == 0:
		return &Scalar{At: at, Val: value.String(""), Quoted: r.quoted}
	case len(r.parts) > 1:
		return &Text{At: at, Parts: r.parts}
	case r.parts[0].Node != nil:
		return &Expression{At: at, Node: r.parts[0].Node}
	}
	return &Scalar{At: at, Val: value.String(r.parts[0].Text), Quoted: r.quoted}
}

// operand converts a value on one line to an expression for its text. The parts of a
// text are concatenated, not added: "+" adds texts that look like numbers.
func operand(v Value) expr.Node {
	place := expr.Range{At: v.Span()}
	switch v := v.(type) {
	case *Expression:
		return v.Node
	case *Text:
		c := &expr.Concat{Range: place}
		for _, part := range v.Parts {
			n := part.Node
			if n == nil {
				n = &expr.Lit{Range: expr.Range{At: part.At}, Value: value.String(part.Text)}
			}
			c.Parts = append(c.Parts, n)
		}
		return c
	case *Scalar:
		return &expr.Lit{Range: place, Value: v.Val}
	}
	return nil
}

// indexOr is strings.Index, but returns none if sub is not in s.
func indexOr(s, sub string, none int) int {
	if i := strings.Index(s, sub); i >= 0 {
		return i
	}
	return none
}

// A blockRange is the range of lines of a block value.
type blockRange struct {
	indent  int // of the first line that is not empty
	end     int // of the last line that is not empty
	empties int // number of empty lines after it
	last    int // end of the last empty line
}

// blockText reads the lines below the introducer "|" or ">" at [pos, end): all lines
// right of the owner, with the indentation of the first (spec: yay, section 1.8). The
// introducer decides about line breaks:
//
//	|   keeps them, and one at the end      >   folds them into blanks
//	|-  keeps them, none at the end         >-  and >+ are the same as >
//	|+  keeps them and empty lines at the end
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
	if n := len(r.parts); introducer[0] == '>' && n > 0 && r.parts[n-1].Node == nil {
		r.parts[n-1].Text = strings.TrimRight(r.parts[n-1].Text, " \t")
		if r.parts[n-1].Text == "" {
			r.parts = r.parts[:n-1]
		}
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
		case empty && l.end == len(p.text): // blanks after the last line break are not a line
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

// blockLines reads the text of the lines without their indentation. Between them is a
// line break, or a blank with fold.
func (r *textReader) blockLines(lines blockRange, fold bool) (err error) {
	between := byte('\n')
	if fold {
		between = ' '
	}
	for start := r.lines.pos; start <= lines.end; {
		if start > r.lines.pos {
			r.literal.WriteByte(between)
		}
		end := lineEnd(r.text, start)
		for pos := min(start+lines.indent, end); ; {
			open := pos + indexOr(r.text[pos:end], "{{", end-pos)
			r.literal.WriteString(r.text[pos:open])
			if open == end {
				break
			}
			if pos, err = r.expression(open, end); err != nil {
				return err
			}
		}
		next := nextLine(r.text, end)
		if next == end {
			break
		}
		start = next
	}
	return nil
}

// plainScalar returns the value of a text without quotes and expressions: an integer or
// a float in decimal, or text (spec: yay, section 3). With yaml it has the types of YAML
// 1.2 instead. Numbers keep their spelling.
func plainScalar(text string, at source.Span, yaml bool) (value.Value, error) {
	if yaml {
		if v, ok := yamlScalar(text); ok {
			return spelled(v, text), nil
		}
	}
	switch numberForm(text) {
	case intForm:
		if len(text) > scan.MaxDigits {
			return value.Null, source.Errorf(at, source.Limit, "integer has more than %d digits", scan.MaxDigits).
				WithHint("quote it if it is a text")
		}
		if v, ok := value.ParseInt(text, 10); ok {
			return spelled(v, text), nil
		}
	case floatForm:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return spelled(value.Float(f), text), nil
		}
	}
	return value.String(text), nil
}

// yamlScalar returns the value of a text that is typed by YAML 1.2 and plain text in
// Yay: a word such as null, or an integer with a prefix. Unlike YAML it reads 0b101.
func yamlScalar(text string) (value.Value, bool) {
	switch text {
	case "null", "Null", "NULL", "~":
		return value.Null, true
	case "true", "True", "TRUE":
		return value.True, true
	case "false", "False", "FALSE":
		return value.False, true
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return value.Float(math.Inf(1)), true
	case "-.inf", "-.Inf", "-.INF":
		return value.Float(math.Inf(-1)), true
	case ".nan", ".NaN", ".NAN":
		return value.Float(math.NaN()), true
	}
	digits, base := value.CutBase(text)
	if base == 10 || len(text) > scan.MaxDigits || digits[0] == '-' || digits[0] == '+' {
		return value.Null, false
	}
	return value.ParseInt(digits, base)
}

// spelled returns v with its spelling. A number with leading zeros is foreign: most YAML
// parsers read it as octal.
func spelled(v value.Value, text string) value.Value {
	digits := strings.TrimLeft(text, "+-")
	octal := len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'
	return v.WithSource(value.Scalar{Spelling: text, Foreign: octal})
}

type form uint8

const (
	noForm form = iota
	intForm
	floatForm
)

// numberForm returns the form of a decimal number, noForm for other texts.
func numberForm(text string) form {
	i := 0
	if text != "" && (text[0] == '+' || text[0] == '-') {
		i = 1
	}
	whole := countDigits(text[i:])
	i += whole
	if whole > 0 && i == len(text) {
		return intForm
	}
	fraction := 0
	if i < len(text) && text[i] == '.' {
		fraction = countDigits(text[i+1:])
		i += 1 + fraction
	}
	if whole+fraction == 0 {
		return noForm
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		n := countDigits(text[i:])
		if n == 0 {
			return noForm
		}
		i += n
	}
	if i < len(text) {
		return noForm
	}
	return floatForm
}

// countDigits returns the number of digits at the start of a text.
func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
