package yay

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// valueOrBlock reads what follows the colon of a key: a value on the line, a block
// below it, or nothing, which is nil. A list may stand in the column of its key.
func (p *parser) valueOrBlock(h head, pos int) (v Value, trail string, err error) {
	pos = skipBlanks(p.text, pos, h.end)
	if pos < h.end && p.text[pos] != '#' {
		return p.value(pos, h.end, h.owner)
	}
	trail = p.comment(pos, h.end)
	inLoop := p.inLoop
	p.inLoop = false
	defer func() { p.inLoop = inLoop }()
	l, ok := p.peek()
	switch {
	case !ok || l.col() < h.owner:
	case l.col() > h.owner:
		return p.nested(l, h), trail, nil
	case h.col == h.owner && p.text[l.content] == '-':
		return p.sameColumnList(l), trail, nil
	}
	return nil, trail, nil
}

// nested reads the block of a stanza, which begins with a line.
func (p *parser) nested(l line, h head) *Block {
	b := &Block{At: p.span(l.content, l.content)}
	p.block(b, l.col(), min(l.col(), h.col+1))
	return b
}

// sameColumnList reads the items that stand in the column of their key.
func (p *parser) sameColumnList(l line) *Block {
	b := &Block{At: p.span(l.content, l.content)}
	for {
		next, ok := p.peek()
		if !ok || next.col() != l.col() || p.text[next.content] != '-' {
			b.Foot = p.lines.foot(l.col() + 1)
			return b
		}
		p.addStanza(b, next)
	}
}

// value reads the value at an offset of a line, which is not blank. Blocks stand
// right of the owner's column.
func (p *parser) value(pos, end, owner int) (v Value, trail string, err error) {
	end = trimBlanks(p.text, pos, end)
	text := p.text[pos:end]
	switch text {
	case "{}", "[]":
		return &Empty{At: p.span(pos, end), List: text == "[]"}, "", nil
	case "|", "|+", "|-", ">", ">-", ">+":
		v, err = p.blockText(pos, end, owner)
		return v, "", err
	}
	if text[0] != '"' && !strings.Contains(text, "{{") {
		if err := p.noColon(pos, end, end); err != nil {
			return nil, "", p.flow(err, text)
		}
		v, err = p.plain(pos, end)
		return v, "", err
	}
	return p.line(pos, end)
}

// flow gives the error of a plain value another hint if it is a list or a mapping as
// YAML has them.
func (p *parser) flow(err error, text string) error {
	if hint := flowHint(text); hint != "" {
		return diagnosticOf(err).WithHint("%s", hint)
	}
	return err
}

// noColon returns an error if a colon that separates is in a plain text, which ends
// before the line does if an expression follows.
func (p *parser) noColon(pos, behind, end int) error {
	for ; pos < behind; pos++ {
		i := strings.IndexByte(p.text[pos:behind], ':')
		if i < 0 {
			return nil
		}
		pos += i
		if p.isColon(pos, end) {
			return source.Errorf(p.span(pos, pos+1), source.Syntax, `unexpected ":" in a value`).
				WithHint("put double quotes around the value if the colon is part of it")
		}
	}
	return nil
}

// plain returns the constant that a text without quotes and expressions is.
func (p *parser) plain(pos, end int) (*Scalar, error) {
	at := p.span(pos, end)
	typed := typedScalar
	if p.yamlScalars {
		typed = yamlScalar
	}
	v, err := typed(p.text[pos:end], at)
	return &Scalar{At: at, Val: v}, err
}
