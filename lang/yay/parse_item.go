package yay

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// item reads an item of a list, whose dash is where the stanza begins.
func (p *parser) item(h head) (Stanza, error) {
	if p.text[h.pos:trimBlanks(p.text, h.pos, h.end)] == "---" {
		return nil, source.Errorf(p.span(h.pos, h.pos+3), source.Syntax, `unexpected "---": a file of Yay holds one document`).
			WithHint("leave the line out; another document needs a file of its own")
	}
	pos := skipBlanks(p.text, h.pos+1, h.end)
	if pos == h.end || p.text[pos] == '#' {
		return nil, source.Errorf(p.span(h.pos, h.pos+1), source.Syntax, "unexpected end of line: an item needs a value").
			WithHint(`the empty text is - ""`)
	}
	if p.isDash(pos, h.end) {
		return nil, source.Errorf(p.span(pos, pos+1), source.Syntax, `unexpected "-": a list directly in a list is not supported`).
			WithHint("write - {{ [1, 2] }}, or give the list a key")
	}
	s := &Item{}
	s.Lead = h.lead
	var err error
	if p.beginsBlock(pos, h.end) {
		s.Value, err = p.itemBlock(h, pos)
		s.At = p.span(h.pos, h.pos+1)
		return s, err
	}
	s.Value, s.Trail, err = p.value(pos, h.end, h.owner)
	if err == nil {
		s.At = p.span(h.pos, int(s.Value.Span().End))
	}
	return s, err
}

// isDash reports whether a dash that begins an item is at an offset.
func (p *parser) isDash(pos, end int) bool {
	return p.text[pos] == '-' && (pos+1 == end || isBlank(p.text[pos+1]))
}

// beginsBlock reports whether what is behind a dash is the first stanza of a block:
// a key, or a directive with a colon (spec: yay, section 1.6).
func (p *parser) beginsBlock(pos, end int) bool {
	if p.text[pos] == '"' {
		quote := strings.IndexByte(p.text[pos+1:end], '"')
		return quote >= 0 && p.isKey(pos, end) && p.wordEnd(pos, end) == pos+quote+2
	}
	word := p.wordEnd(pos, end)
	if p.isKey(pos, end) {
		return !strings.Contains(p.text[pos:word], "{{")
	}
	switch p.text[pos:word] {
	case "extend", "if", "for", "select", "call", "new", "macro", "prototype", "create", "configure":
		return p.hasColon(word, end)
	}
	return false
}

// hasColon reports whether a colon that separates is in a text.
func (p *parser) hasColon(pos, end int) bool {
	for pos < end {
		i := strings.IndexByte(p.text[pos:end], ':')
		if i < 0 {
			return false
		}
		if pos += i; p.isColon(pos, end) {
			return true
		}
		pos++
	}
	return false
}

// itemBlock reads the block that begins behind the dash. Its other stanzas stand
// below the first. Where the first is a key with a value on its line, they may stand
// in any column right of the dash (spec: yay, section 1.4).
func (p *parser) itemBlock(h head, pos int) (*Block, error) {
	col := h.col + pos - h.pos
	b := &Block{At: p.span(pos, pos)}
	inLoop := p.inLoop
	p.inLoop = false
	defer func() { p.inLoop = inLoop }()
	first, err := p.firstStanza(head{pos: pos, end: h.end, col: col, owner: h.owner})
	if err != nil {
		return nil, err
	}
	b.Stanzas = append(b.Stanzas, first)
	b.At.End = uint32(p.lines.read)
	l, ok := p.peek()
	if !ok || l.col() <= h.owner {
		b.Foot = p.lines.foot(h.owner + 1)
		return b, nil
	}
	if pair, ok := first.(*Pair); ok {
		if _, nested := pair.Value.(*Block); !nested {
			col = l.col()
		}
	}
	if l.col() == col {
		p.block(b, col, h.owner+1)
	}
	return b, nil
}

// firstStanza reads the stanza behind a dash. A reserved word with a colon behind it
// is a key there.
func (p *parser) firstStanza(h head) (Stanza, error) {
	if p.isKey(h.pos, h.end) {
		return p.pair(h, h.pos, false)
	}
	return p.stanza(h)
}
