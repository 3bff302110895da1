package yay

import (
	"fmt"

	"github.com/yaytpl/yaytpl/source"
)

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
	return nil, source.Errorf(p.span(start, behind), source.Syntax, `unexpected %s: expected a directive behind "%%"`, p.quote(start, behind))
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
	case "include":
		return p.include(h, behind)
	case "search":
		return p.search(h, behind)
	case "configure":
		return p.configure(h, behind)
	case "set":
		return p.set(h, behind)
	case "if":
		return p.ifElse(h, behind)
	case "for":
		return p.forLoop(h, behind)
	case "select":
		return p.selectCase(h, behind)
	case "macro":
		return p.macro(h, behind)
	case "call":
		return p.call(h, behind)
	case "prototype":
		return p.prototype(h, behind)
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
	before := p.inLoop
	p.inLoop = inLoop
	defer func() { p.inLoop = before }()
	return p.nested(l, h), nil
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
		WithHint("what belongs to the line above is indented")
}
