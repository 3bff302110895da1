package yay

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

// stanza reads one stanza; the kind of its line follows from the first word (spec:
// yay, section 1.2).
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

// isKey reports whether the word at an offset has a colon behind it.
func (p *parser) isKey(pos, end int) bool {
	word := p.wordEnd(pos, end)
	return word > pos && p.isColon(skipBlanks(p.text, word, end), end)
}

func (p *parser) reservedKey(pos, end, lineEnd int) error {
	d := source.Errorf(p.span(pos, end), source.Syntax, "unexpected %q: it is a reserved word", p.text[pos:end])
	if p.isKey(pos, lineEnd) {
		d.Message += " and cannot be a key"
	}
	return d
}

// extend reads "extend key: value".
func (p *parser) extend(h head, behind int) (Stanza, error) {
	start := skipBlanks(p.text, behind, h.end)
	if start == h.end || p.text[start] == '#' {
		return nil, source.Errorf(p.span(behind, behind), source.Syntax, "unexpected end of line: extend needs a key").
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

// endOf returns the end of the line that a value begins on, or of the value if that
// is no block.
func (p *parser) endOf(v Value, behindColon int) int {
	switch v := v.(type) {
	case nil, *Block:
		return behindColon
	default:
		return int(v.Span().End)
	}
}

// key reads a key at an offset with its colon. It returns the end of the key and the
// offset behind the colon.
func (p *parser) key(pos, lineEnd int) (end, behind int, err error) {
	end = p.wordEnd(pos, lineEnd)
	colon := skipBlanks(p.text, end, lineEnd)
	switch {
	case end == pos:
		return 0, 0, source.Errorf(p.span(pos, pos+1), source.Syntax, `unexpected ":": there is no key before it`)
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

// noBlankHint says how a line that is one word could be written.
func (p *parser) noBlankHint(pos, end int) string {
	word := p.unquoted(pos, end)
	if key, v, ok := strings.Cut(word, ":"); ok && key != "" && v != "" {
		return "put a blank after the colon: " + key + ": " + v + "; an item of a list is - " + word
	}
	return "write " + word + ": value, or - " + word + " for an item of a list"
}

// unquoted returns a text of the source for a hint.
func (p *parser) unquoted(start, end int) string {
	if p.file.Secret || end-start > maxQuoted {
		return "key"
	}
	return p.text[start:end]
}

// blanksHint says how a key with blanks could be written.
func (p *parser) blanksHint(pos, end int) string {
	if p.text[pos] == '"' || p.text[pos] == '\'' {
		return "quotes are part of a key"
	}
	if colon := p.findColon(pos, end, end); colon >= 0 {
		key := p.unquoted(pos, trimBlanks(p.text, pos, colon))
		return "write " + strings.Join(strings.Fields(key), "-") + ":"
	}
	return "a line is key: value, - item, or a directive such as if"
}

// item reads an item of a list, whose dash is where the stanza begins.
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
		return p.findColon(word, end, end) >= 0
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
	n, behind, err := p.template(h.pos, h.end)
	if err != nil {
		return nil, err
	}
	at := p.span(h.pos, behind)
	rest := skipBlanks(p.text, behind, h.end)
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

// comment returns the comment at an offset, "" if there is none.
func (p *parser) comment(pos, end int) string {
	if pos >= end || p.text[pos] != '#' {
		return ""
	}
	return p.text[pos:trimBlanks(p.text, pos, end)]
}

// isPercent reports whether "% " begins a directive in its older spelling (spec:
// yay, section 1.10).
func (p *parser) isPercent(pos, end int) bool {
	return p.text[pos] == '%' && pos+1 < end && isBlank(p.text[pos+1]) && !p.isKey(pos, end)
}

// directiveWord returns the first word of a line behind a "% ", where it ends, and
// whether there is a "% ".
func (p *parser) directiveWord(l line) (word string, behind int, percent bool) {
	pos := l.content
	if pos < l.end && p.isPercent(pos, l.end) {
		percent = true
		pos = skipBlanks(p.text, pos+1, l.end)
	}
	behind = p.wordEnd(pos, l.end)
	return p.text[pos:behind], behind, percent
}

// percent reads a directive behind "% ". Its colon may be missing.
func (p *parser) percent(h head) (Stanza, error) {
	word, behind, _ := p.directiveWord(line{content: h.pos, end: h.end})
	h.percent = true
	switch {
	case word == "let":
		return p.set(h, behind)
	case word == "import":
		return p.importText(h, behind)
	case word == "extend":
		return p.extend(h, behind)
	case p.isDirective(word, behind, h.end):
		return p.directive(word, h, behind)
	}
	start := behind - len(word)
	return nil, source.Errorf(p.span(start, behind), source.Syntax, `unexpected %s: expected a directive after "%%"`, p.quote(start, behind))
}

// isDirective reports whether a word at the start of a line begins a directive. A key
// may be called "configure" or "create": those are directives where something other
// than the colon of a key follows on the line.
func (p *parser) isDirective(word string, behind, end int) bool {
	next := skipBlanks(p.text, behind, end)
	switch word {
	case "elif", "else":
		return true
	case "include", "search", "set", "if", "for", "select", "macro", "call", "prototype", "new":
		return !p.isColon(next, end)
	case "configure", "create":
		return next < end && !p.isColon(next, end)
	}
	return false
}

// directive reads the directive that a word begins (spec: yay, section 5).
func (p *parser) directive(word string, h head, behind int) (Stanza, error) {
	switch word {
	case "include", "search":
		return p.operand(word, h, behind)
	case "set":
		return p.set(h, behind)
	case "configure", "macro", "prototype":
		return p.definition(word, h, behind)
	case "if":
		return p.ifElse(h, behind)
	case "for":
		return p.forLoop(h, behind)
	case "select":
		return p.selectCase(h, behind)
	case "call":
		return p.call(h, behind)
	case "new", "create":
		return p.construct(h, behind, word == "create")
	}
	return nil, source.Errorf(p.span(behind-len(word), behind), source.Syntax, `unexpected %q: there is no "if" before it in its column`, word)
}

// directiveLine reads the line of a directive behind its word, with those that a
// backslash joins to it. It returns the layout of the stanza.
func (p *parser) directiveLine(h head, behind int, read func(*exprParser) error) (Layout, error) {
	e := &p.expr
	e.reset(p.file, behind, h.end, true, p.maxDepth)
	err := read(e)
	if err == nil {
		err = e.end()
	}
	if e.lex.end != h.end {
		p.lines.jump(e.lex.end)
	}
	l := Layout{At: p.span(h.pos, e.last.end), Lead: h.lead}
	if e.lex.comment >= 0 {
		l.Trail = p.comment(e.lex.comment, e.lex.end)
	}
	return l, err
}

// colon reads the colon behind which the block of a directive begins, on the next
// line.
func (p *parser) colon(e *exprParser, h head, word string) error {
	if e.accept(":") {
		if e.tok.kind != endToken {
			return e.unexpected("the body begins on the next line")
		}
		return nil
	}
	if e.tok.kind != endToken {
		return e.unexpected(`expected ":"`)
	}
	if h.percent {
		return nil
	}
	return e.unexpected(fmt.Sprintf("%q needs a colon", word)).WithHint("write a colon here")
}

// Whether a block is the body of a loop, where a line may be only {{ e }}.
const inLoop, notInLoop = true, false

// body reads the block of the directive that a word begins.
func (p *parser) body(h head, word string, inLoop bool) (*Block, error) {
	l, ok := p.peek()
	if !ok || l.col() <= h.owner {
		return nil, p.missingBody(bodyOf(word))
	}
	return p.nested(l, h, inLoop), nil
}

// bodyOf names the block of a directive in messages.
func bodyOf(word string) string { return fmt.Sprintf("the body of %q", word) }

// missingBody returns the error that the next line is not indented.
func (p *parser) missingBody(what string) error {
	l, ok := p.peek()
	if !ok {
		return source.Errorf(p.span(len(p.text), len(p.text)), source.Syntax, "unexpected end of file: %s is missing", what)
	}
	at := p.firstWord(l)
	return source.Errorf(at, source.Syntax, "unexpected %s: %s is missing", p.quote(int(at.Start), int(at.End)), what).
		WithHint("indent the lines that belong to the line above")
}

// operand reads the rest of a directive that is a word and an expression.
func (p *parser) operand(word string, h head, behind int) (Stanza, error) {
	var operand expr.Node
	l, err := p.directiveLine(h, behind, func(e *exprParser) (err error) {
		operand, err = e.list()
		return err
	})
	if word == "search" {
		return &Search{l, operand}, err
	}
	return &Include{Layout: l, Operand: operand}, err
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

// set reads "set names = value".
func (p *parser) set(h head, behind int) (Stanza, error) {
	s := &Set{}
	var err error
	s.Layout, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
		if s.Targets, err = e.names(); err != nil {
			return err
		}
		if e.peek(".") || e.peek("[") {
			return e.unexpected("only a name can be set")
		}
		if err := e.expect("="); err != nil {
			return err
		}
		s.Value, err = e.list()
		return err
	})
	return s, err
}

// definition reads the rest of a directive that gives a block a name.
func (p *parser) definition(word string, h head, behind int) (Stanza, error) {
	var d Definition
	var err error
	d.Layout, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
		if d.Name, d.NameAt, err = e.ident("a name"); err != nil {
			return err
		}
		return p.colon(e, h, word)
	})
	if err == nil {
		d.Body, err = p.body(h, word, notInLoop)
	}
	switch word {
	case "configure":
		return &Configure{d}, err
	case "macro":
		return &Macro{d}, err
	}
	return &Prototype{d}, err
}

// ifElse reads "if" with what belongs to it in its column.
func (p *parser) ifElse(h head, behind int) (Stanza, error) {
	s := &If{}
	s.Lead, h.lead = h.lead, nil
	for word := "if"; ; {
		var b Branch
		var err error
		b.Layout, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
			if word != "else" {
				if b.Cond, err = e.list(); err != nil {
					return err
				}
			}
			return p.colon(e, h, word)
		})
		if err == nil {
			b.Body, err = p.body(h, word, p.inLoop)
		}
		if err != nil {
			return nil, err
		}
		if word == "else" {
			s.Else = &b
			break
		}
		s.Branches = append(s.Branches, b)

		l, ok := p.peek()
		if !ok || l.col() != h.col {
			break
		}
		next, nextBehind, percent := p.directiveWord(l)
		if next != "elif" && next != "else" {
			break
		}
		word, behind = next, nextBehind
		h = head{pos: l.content, end: l.end, col: h.col, owner: h.owner, lead: p.lines.lead(), percent: percent}
		p.lines.advance()
	}
	s.At = s.Branches[0].At
	return s, nil
}

// selectCase reads "select operand:" with its cases.
func (p *parser) selectCase(h head, behind int) (Stanza, error) {
	s := &Select{}
	var err error
	s.Layout, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
		if s.On, err = e.list(); err != nil {
			return err
		}
		return p.colon(e, h, "select")
	})
	if err != nil {
		return nil, err
	}
	l, ok := p.peek()
	if !ok || l.col() <= h.owner {
		return nil, p.missingBody(bodyOf("select"))
	}
	col := l.col()
	p.column(col, func(l line) {
		h := head{pos: l.content, end: l.end, col: col, owner: col, lead: p.lines.lead()}
		p.lines.advance()
		c, err := p.selectArm(h)
		if err != nil {
			p.report(source.AsDiagnostic(err, p.firstWord(l), source.Syntax))
			p.skip(col)
			return
		}
		s.Cases = append(s.Cases, c)
	})
	s.Foot = p.lines.foot(min(col, h.col+1))
	return s, nil
}

// selectArm reads one case.
func (p *parser) selectArm(h head) (*Case, error) {
	end := p.wordEnd(h.pos, h.end)
	word := p.text[h.pos:end]
	switch {
	case p.isDash(h.pos, h.end):
		return nil, source.Errorf(p.span(h.pos, h.pos+1), source.Syntax, `unexpected "-": a case of select is a key with a value`)
	case isReserved(word) && word != "else":
		return nil, p.reservedKey(h.pos, end, h.end)
	}
	end, value, err := p.key(h.pos, h.end)
	if err != nil {
		return nil, err
	}
	c := &Case{Key: p.text[h.pos:end], KeyAt: p.span(h.pos, end), Else: word == "else"}
	c.Lead = h.lead
	c.Value, c.Trail, err = p.valueOrBlock(h, value)
	c.At = p.span(h.pos, p.endOf(c.Value, value))
	return c, err
}

// forLoop reads "for names in source [if filter]:" with its block.
func (p *parser) forLoop(h head, behind int) (Stanza, error) {
	s := &For{}
	var err error
	s.Layout, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
		if s.Targets, err = e.names(); err != nil {
			return err
		}
		if err := e.expect("in"); err != nil {
			return err
		}
		if s.In, s.If, err = e.loopSource(); err != nil {
			return err
		}
		return p.colon(e, h, "for")
	})
	if err == nil {
		s.Body, err = p.body(h, "for", inLoop)
	}
	return s, err
}

// call reads "call macro:" with its arguments. Without any the colon may be missing.
func (p *parser) call(h head, behind int) (Stanza, error) {
	s := &Call{}
	takes := true
	var err error
	s.Layout, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
		if s.Macro, err = e.list(); err != nil {
			return err
		}
		if e.tok.kind == endToken && !h.percent {
			takes = false
			return nil
		}
		takes, err = p.argumentsColon(e, h, "call")
		return err
	})
	if err == nil && takes {
		s.Args = p.arguments(h)
	}
	return s, err
}

// construct reads "new class:", "new class as key:" or "create path:".
func (p *parser) construct(h head, behind int, create bool) (Stanza, error) {
	s := &New{Create: create}
	var takes bool
	var err error
	s.Layout, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
		if s.Class, err = e.list(); err != nil {
			return err
		}
		if !create && e.accept("as") {
			if s.As, s.AsAt, err = e.ident("a key"); err != nil {
				return err
			}
		}
		takes, err = p.argumentsColon(e, h, "new")
		return err
	})
	if err == nil && takes {
		s.Args = p.arguments(h)
	}
	return s, err
}

// argumentsColon reads the colon before arguments. Behind it "{}" says that there
// are none.
func (p *parser) argumentsColon(e *exprParser, h head, word string) (takes bool, err error) {
	if e.peek(":") && e.follows("{") {
		e.advance()
		e.advance()
		return false, e.expect("}")
	}
	return true, p.colon(e, h, word)
}

// arguments reads the block of arguments, nil if there is none.
func (p *parser) arguments(h head) *Block {
	l, ok := p.peek()
	if !ok || l.col() <= h.owner {
		return nil
	}
	return p.nested(l, h, notInLoop)
}
