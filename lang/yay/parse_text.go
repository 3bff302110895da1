package yay

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A textReader collects the parts of a text.
type textReader struct {
	*parser
	parts   []Part
	quoted  bool
	literal strings.Builder // the text since the last expression
	from    int             // where that begins
}

// line reads a value on one line that has quotes or expressions in it (spec: yay,
// section 1.7). A comment may stand behind a lone expression.
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
			if err := p.noColon(at, open, end); err != nil {
				return nil, "", err
			}
		}
		r.literal.WriteString(p.text[at:open])
		if open == end {
			break
		}
		if at, err = r.expression(open, end); err != nil {
			return nil, "", err
		}
		if trail := p.loneComment(open == pos, at, end); trail != "" {
			return r.value(pos, at), trail, nil
		}
	}
	r.flush(end)
	return r.value(pos, end), "", nil
}

// loneComment returns the comment behind an expression that is the whole value.
func (p *parser) loneComment(first bool, pos, end int) string {
	rest := skipBlanks(p.text, pos, end)
	if !first || rest == pos {
		return ""
	}
	return p.comment(rest, end)
}

// quotes reads the part of a value that is in quotes. Expressions work in it.
func (r *textReader) quotes(pos, end int) (behind int, err error) {
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
		WithHint("a quote inside a text is written without quotes around it")
}

// expression reads "{{ e }}".
func (r *textReader) expression(pos, end int) (behind int, err error) {
	r.flush(pos)
	n, behind, err := r.template(pos, end)
	if err != nil {
		return 0, err
	}
	r.parts = append(r.parts, Part{At: r.span(pos, behind), Node: n})
	r.from = behind
	return behind, nil
}

// flush ends the literal part before an offset.
func (r *textReader) flush(end int) {
	if r.literal.Len() == 0 {
		return
	}
	r.parts = append(r.parts, Part{At: r.span(r.from, end), Text: r.literal.String()})
	r.literal.Reset()
}

// value returns what the parts make of [pos, end).
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

// operand returns a value on one line as an expression: the text that it is. Its
// parts are not added, because "+" adds texts that look like numbers.
func operand(v Value) expr.Node {
	place := expr.Place{At: v.Span()}
	switch v := v.(type) {
	case *Expression:
		return v.Node
	case *Text:
		c := &expr.Concat{Place: place}
		for _, part := range v.Parts {
			n := part.Node
			if n == nil {
				n = &expr.Lit{Place: expr.Place{At: part.At}, Value: value.String(part.Text)}
			}
			c.Parts = append(c.Parts, n)
		}
		return c
	case *Scalar:
		return &expr.Lit{Place: place, Value: v.Val}
	}
	return nil
}

// indexOr is strings.Index with another result for texts that are not there.
func indexOr(s, sub string, none int) int {
	if i := strings.Index(s, sub); i >= 0 {
		return i
	}
	return none
}
