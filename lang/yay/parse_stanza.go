package yay

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// stanza reads one stanza. The first word of its line decides its kind (spec: yay,
// section 1.2).
func (p *parser) stanza(h head) (Stanza, error) {
	switch {
	case p.text[h.pos] == '-':
		return p.item(h)
	case p.isPercent(h.pos, h.end):
		return p.percent(h)
	case strings.HasPrefix(p.text[h.pos:h.end], byteOrderMark):
		return nil, source.Errorf(p.span(h.pos, h.pos+len(byteOrderMark)), source.Syntax, "unexpected byte order mark inside a text").
			WithHint("remove it: two files may have been joined here")
	case strings.HasPrefix(p.text[h.pos:h.end], "{{") && !p.isKey(h.pos, h.end):
		return p.bareItem(h)
	}
	end := p.wordEnd(h.pos, h.end)
	word := p.text[h.pos:end]
	switch {
	case p.isDirective(word, end, h.end):
		return p.directive(word, h, end)
	case word == "extend" && !p.isKey(h.pos, h.end):
		return p.extend(h, end)
	case isReserved(word):
		return nil, p.reservedKey(h.pos, end, h.end)
	}
	return p.pair(h, h.pos, false)
}

// isKey reports whether a colon follows the word at pos, which makes it a key.
func (p *parser) isKey(pos, end int) bool {
	word := p.wordEnd(pos, end)
	return word > pos && p.isColon(skipBlanks(p.text, word, end), end)
}

// reservedKey returns the error of a reserved word in the place of a key.
func (p *parser) reservedKey(pos, end, lineEnd int) error {
	d := source.Errorf(p.span(pos, end), source.Syntax, "unexpected %q: it is a reserved word", p.text[pos:end])
	if p.isKey(pos, lineEnd) {
		d.Message += " and cannot be a key"
		switch word := p.text[pos:end]; word {
		case "include", "search":
			d.Hint = "without the colon it is a directive: " + word + ` "name"`
		default:
			d.Hint = fmt.Sprintf("an expression can have such a key: {{ {%q: 1} }}", word)
		}
	}
	return d
}

// extend reads "extend key: value".
func (p *parser) extend(h head, after int) (Stanza, error) {
	start := skipBlanks(p.text, after, h.end)
	if start == h.end || p.text[start] == '#' {
		return nil, source.Errorf(p.span(after, after), source.Syntax, "unexpected end of line: extend needs a key").
			WithHint("write: extend key:")
	}
	if end := p.wordEnd(start, h.end); isReserved(p.text[start:end]) {
		return nil, p.reservedKey(start, end, h.end)
	}
	pair, err := p.pair(h, start, true)
	if err != nil {
		return nil, err
	}
	if pair.Value == nil {
		return nil, p.missingBody("the list that extends " + p.quote(start, int(pair.KeyAt.End)))
	}
	return pair, nil
}

// pair reads "key: value", whose key is at an offset.
func (p *parser) pair(h head, pos int, extend bool) (*Pair, error) {
	end, value, err := p.key(pos, h.end)
	if err != nil {
		return nil, err
	}
	s := &Pair{Key: p.text[pos:end], KeyAt: p.span(pos, end), Extend: extend}
	s.Lead = h.lead
	s.Value, s.Trail, err = p.valueOrBlock(h, value)
	s.At = p.span(h.pos, p.endOf(s.Value, value))
	return s, err
}

// endOf returns the end of a key with its value on the line of the key: the end of the
// value, or of the colon before a block or nothing.
func (p *parser) endOf(v Value, afterColon int) int {
	switch v := v.(type) {
	case nil, *Block:
		return afterColon
	default:
		return int(v.Span().End)
	}
}

// key reads the key at pos with its colon. It returns the end of the key and the offset
// after the colon.
func (p *parser) key(pos, lineEnd int) (end, after int, err error) {
	end = p.wordEnd(pos, lineEnd)
	colon := skipBlanks(p.text, end, lineEnd)
	switch {
	case end == pos:
		return 0, 0, source.Errorf(p.span(pos, pos+1), source.Syntax, `unexpected ":": no key before it`)
	case p.isColon(colon, lineEnd):
		return end, colon + 1, nil
	case colon == lineEnd:
		return 0, 0, source.Errorf(p.span(pos, end), source.Syntax, `unexpected end of line after %s: a key needs a colon`, p.quote(pos, end)).
			WithHint("%s", p.noBlankHint(pos, end))
	}
	next := p.wordEnd(colon, lineEnd)
	return 0, 0, source.Errorf(p.span(colon, next), source.Syntax, "unexpected %s: a key cannot contain blanks", p.quote(colon, next)).
		WithHint("%s", p.blanksHint(pos, lineEnd))
}

// noBlankHint returns the hint for a line that is one word, such as "key:value".
func (p *parser) noBlankHint(pos, end int) string {
	word := p.unquoted(pos, end)
	if key, v, ok := strings.Cut(word, ":"); ok && key != "" && v != "" {
		return "put a blank after the colon: " + key + ": " + v + "; an item of a list is - " + word
	}
	return "write " + word + ": value, or - " + word + " for an item of a list"
}

// unquoted returns a range of the source for a hint, "key" if it is secret or long.
func (p *parser) unquoted(start, end int) string {
	if p.file.Secret || end-start > maxQuoted {
		return "key"
	}
	return p.text[start:end]
}

// blanksHint returns the hint for a key with blanks.
func (p *parser) blanksHint(pos, end int) string {
	if p.text[pos] == '"' || p.text[pos] == '\'' {
		return "quotes are part of a key"
	}
	if hint := foreignDirective(p.text[pos:p.wordEnd(pos, end)]); hint != "" {
		return hint
	}
	if colon := p.findColon(pos, end, end); colon >= 0 {
		key := p.unquoted(pos, trimBlanks(p.text, pos, colon))
		return "write " + strings.Join(strings.Fields(key), "-") + ":"
	}
	return "a line is key: value, - item, or a directive such as if"
}

// item reads an item of a list. The stanza begins with its dash.
func (p *parser) item(h head) (Stanza, error) {
	if p.text[h.pos:trimBlanks(p.text, h.pos, h.end)] == "---" {
		return nil, source.Errorf(p.span(h.pos, h.pos+3), source.Syntax, `unexpected "---": a Yay file contains one document`).
			WithHint("remove the line; put another document into a file of its own")
	}
	pos := skipBlanks(p.text, h.pos+1, h.end)
	if pos == h.end || p.text[pos] == '#' {
		return nil, source.Errorf(p.span(h.pos, h.pos+1), source.Syntax, "unexpected end of line: an item needs a value").
			WithHint(`write - "" for the empty text`)
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

// isDash reports whether the dash of an item is at pos.
func (p *parser) isDash(pos, end int) bool {
	return p.text[pos] == '-' && (pos+1 == end || isBlank(p.text[pos+1]))
}

// beginsBlock reports whether the text after a dash is the first stanza of a block: a
// key, or a directive with a colon (spec: yay, section 1.6).
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
		return p.findColon(word, end, end) >= 0
	}
	return false
}

// itemBlock reads the block that begins after the dash at pos. Its other stanzas are in
// the column of the first. If the first is a key with a value on its line, they may be
// in any column right of the dash (spec: yay, section 1.4):
//
//   - name: a
//     port: 1
//   - name: b
//     port: 2
func (p *parser) itemBlock(h head, pos int) (*Block, error) {
	col := h.col + pos - h.pos
	b := &Block{At: p.span(pos, pos)}
	inLoop := p.inLoop
	p.inLoop = false
	defer func() { p.inLoop = inLoop }()

	inner := head{pos: pos, end: h.end, col: col, owner: h.owner}
	var first Stanza
	var err error
	if p.isKey(pos, h.end) { // even if it is a reserved word
		first, err = p.pair(inner, pos, false)
	} else {
		first, err = p.stanza(inner)
	}
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

// bareItem reads a line that is only "{{ e }}", an item in the body of a loop.
func (p *parser) bareItem(h head) (Stanza, error) {
	n, after, err := p.template(h.pos, h.end)
	if err != nil {
		return nil, err
	}
	at := p.span(h.pos, after)
	rest := skipBlanks(p.text, after, h.end)
	switch {
	case p.isColon(rest, h.end):
		return nil, source.Errorf(at, source.Syntax, `unexpected "{{": a key cannot be an expression`).
			WithHint("a mapping with such keys is an expression: name: {{ {key: value} }}")
	case rest < h.end && p.text[rest] != '#':
		return nil, source.Errorf(p.span(rest, p.wordEnd(rest, h.end)), source.Syntax, "unexpected %s after an expression", p.quote(rest, p.wordEnd(rest, h.end))).
			WithHint("start the line with a dash: it is an item of a list")
	case !p.inLoop:
		return nil, source.Errorf(at, source.Syntax, `unexpected "{{": an expression alone on a line is only allowed in the body of a loop`).
			WithHint("start the line with a dash if it is an item of a list")
	}
	s := &Item{Value: &Expression{At: at, Node: n}, Bare: true}
	s.At, s.Lead, s.Trail = at, h.lead, p.comment(rest, h.end)
	return s, nil
}

// comment returns the comment at pos, "" if there is none.
func (p *parser) comment(pos, end int) string {
	if pos >= end || p.text[pos] != '#' {
		return ""
	}
	return p.text[pos:trimBlanks(p.text, pos, end)]
}
