package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

func (p *parser) include(h head, behind int) (Stanza, error) {
	s := &Include{}
	var err error
	s.Layout, s.Operand, err = p.operandLine(h, behind)
	return s, err
}

func (p *parser) search(h head, behind int) (Stanza, error) {
	s := &Search{}
	var err error
	s.Layout, s.Operand, err = p.operandLine(h, behind)
	return s, err
}

// operandLine reads the rest of a directive that is a word and an expression.
func (p *parser) operandLine(h head, behind int) (l Layout, operand expr.Node, err error) {
	l, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
		operand, err = e.list()
		return err
	})
	return l, operand, err
}

// importText reads "% import name", whose name is text with expressions in it.
func (p *parser) importText(h head, behind int) (Stanza, error) {
	pos := skipBlanks(p.text, behind, h.end)
	if pos == h.end {
		return nil, source.Errorf(p.span(pos, pos), source.Syntax, "unexpected end of line: expected the name of a file")
	}
	v, trail, err := p.line(pos, trimBlanks(p.text, pos, h.end))
	if err != nil {
		return nil, err
	}
	s := &Include{Operand: operand(v), Text: true}
	s.At, s.Lead, s.Trail = p.span(h.pos, int(v.Span().End)), h.lead, trail
	return s, nil
}
