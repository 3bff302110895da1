package yay

import (
	"fmt"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
)

// isPercent reports whether "% " begins a directive in its older spelling (spec: yay,
// section 1.10).
func (p *parser) isPercent(pos, end int) bool {
	return p.text[pos] == '%' && pos+1 < end && isBlank(p.text[pos+1]) && !p.isKey(pos, end)
}

// directiveWord returns the first word of a line, or the one after its "% ", the end of
// the word, and whether there is a "% ".
func (p *parser) directiveWord(l line) (word string, after int, percent bool) {
	pos := l.content
	if pos < l.end && p.isPercent(pos, l.end) {
		percent = true
		pos = skipBlanks(p.text, pos+1, l.end)
	}
	after = p.wordEnd(pos, l.end)
	return p.text[pos:after], after, percent
}

// percent reads a directive after "% ", which makes its colon optional.
func (p *parser) percent(h head) (Stanza, error) {
	word, after, _ := p.directiveWord(line{content: h.pos, end: h.end})
	h.percent = true
	switch {
	case word == "let":
		return p.set(h, after)
	case word == "import":
		return p.importText(h, after)
	case word == "extend":
		return p.extend(h, after)
	case p.isDirective(word, after, h.end):
		return p.directive(word, h, after)
	}
	start := after - len(word)
	return nil, source.Errorf(p.span(start, after), source.Syntax, `unexpected %s: expected a directive after "%%"`, p.quote(start, after))
}

// isDirective reports whether a word at the start of a line begins a directive. A key
// may be called "configure" or "create": they are directives only if something other
// than the colon of a key follows on the line.
func (p *parser) isDirective(word string, after, end int) bool {
	next := skipBlanks(p.text, after, end)
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

// directive reads the directive that word begins (spec: yay, section 5).
func (p *parser) directive(word string, h head, after int) (Stanza, error) {
	switch word {
	case "include", "search":
		return p.operand(word, h, after)
	case "set":
		return p.set(h, after)
	case "configure", "macro", "prototype":
		return p.definition(word, h, after)
	case "if":
		return p.ifElse(h, after)
	case "for":
		return p.forLoop(h, after)
	case "select":
		return p.selectCase(h, after)
	case "call":
		return p.call(h, after)
	case "new", "create":
		return p.construct(h, after, word == "create")
	}
	return nil, source.Errorf(p.span(after-len(word), after), source.Syntax, `unexpected %q: no "if" before it in its column`, word)
}

// directiveLine reads the line of a directive after its word, including the lines that a
// backslash joins to it, and returns the layout of the stanza.
func (p *parser) directiveLine(h head, after int, read func(*exprParser) error) (Layout, error) {
	e := &p.expr
	e.reset(p.file, after, h.end, true, p.maxDepth)
	err := read(e)
	if err == nil {
		err = e.end()
	}
	if e.lex.End != h.end {
		p.lines.jump(e.lex.End)
	}
	l := Layout{At: p.span(h.pos, e.last.End), Lead: h.lead}
	if e.lex.comment >= 0 {
		l.Trail = p.comment(e.lex.comment, e.lex.End)
	}
	return l, err
}

// colon reads the colon before the block of a directive. The block begins on the next
// line.
func (p *parser) colon(e *exprParser, h head, word string) error {
	if e.accept(":") {
		if e.tok.Kind != scan.End {
			return e.unexpected("the body begins on the next line")
		}
		return nil
	}
	if e.tok.Kind != scan.End {
		d := e.unexpected(`expected ":"`)
		switch {
		case word == "else" && e.peek("if"):
			return d.WithHint("write elif")
		case word == "macro" && e.peek("("):
			return d.WithHint("parameters are not declared: every name in the block can be one")
		case word == "prototype" && e.peek("("):
			return d.WithHint("parameters are not declared: every key of the block can be one")
		}
		return d
	}
	if h.percent {
		return nil
	}
	return e.unexpected(fmt.Sprintf("%q needs a colon", word)).WithHint("write a colon here")
}

// Whether a block is the body of a loop, where {{ e }} may be a line of its own.
const inLoop, notInLoop = true, false

// body reads the block of the directive that word begins.
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

// operand reads the rest of a directive that consists of a word and an expression.
func (p *parser) operand(word string, h head, after int) (Stanza, error) {
	var operand expr.Node
	l, err := p.directiveLine(h, after, func(e *exprParser) (err error) {
		operand, err = e.list()
		return err
	})
	if word == "search" {
		return &Search{l, operand}, err
	}
	return &Include{Layout: l, Operand: operand}, err
}

// importText reads "% import name". The name is text with expressions in it.
func (p *parser) importText(h head, after int) (Stanza, error) {
	pos := skipBlanks(p.text, after, h.end)
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
func (p *parser) set(h head, after int) (Stanza, error) {
	s := &Set{}
	var err error
	s.Layout, err = p.directiveLine(h, after, func(e *exprParser) (err error) {
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

// definition reads the rest of a directive that names a block.
func (p *parser) definition(word string, h head, after int) (Stanza, error) {
	var d Definition
	var err error
	d.Layout, err = p.directiveLine(h, after, func(e *exprParser) (err error) {
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

// ifElse reads "if" with the "elif"s and the "else" in its column.
func (p *parser) ifElse(h head, after int) (Stanza, error) {
	s := &If{}
	s.Lead, h.lead = h.lead, nil
	for word := "if"; ; {
		var b Branch
		var err error
		b.Layout, err = p.directiveLine(h, after, func(e *exprParser) (err error) {
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
		next, nextAfter, percent := p.directiveWord(l)
		if next != "elif" && next != "else" {
			break
		}
		word, after = next, nextAfter
		h = head{pos: l.content, end: l.end, col: h.col, owner: h.owner, lead: p.lines.lead(), percent: percent}
		p.lines.advance()
	}
	s.At = s.Branches[0].At
	return s, nil
}

// selectCase reads "select operand:" with its cases.
func (p *parser) selectCase(h head, after int) (Stanza, error) {
	s := &Select{}
	var err error
	s.Layout, err = p.directiveLine(h, after, func(e *exprParser) (err error) {
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
func (p *parser) forLoop(h head, after int) (Stanza, error) {
	s := &For{}
	var err error
	s.Layout, err = p.directiveLine(h, after, func(e *exprParser) (err error) {
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

// call reads "call macro:" with its arguments. Without arguments the colon is optional.
func (p *parser) call(h head, after int) (Stanza, error) {
	s := &Call{}
	takes := true
	var err error
	s.Layout, err = p.directiveLine(h, after, func(e *exprParser) (err error) {
		if s.Macro, err = e.list(); err != nil {
			return err
		}
		if e.tok.Kind == scan.End && !h.percent {
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
func (p *parser) construct(h head, after int, create bool) (Stanza, error) {
	s := &New{Create: create}
	var takes bool
	var err error
	s.Layout, err = p.directiveLine(h, after, func(e *exprParser) (err error) {
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

// argumentsColon reads the colon before arguments. "{}" after it means that there are
// none.
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
