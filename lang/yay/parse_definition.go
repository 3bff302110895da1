package yay

import (
	"github.com/yaytpl/yaytpl/source"
)

func (p *parser) include(h head, behind int) (Stanza, error) {
	s := &Include{}
	var err error
	s.Layout, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
		s.Operand, err = e.list()
		return err
	})
	return s, err
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

func (p *parser) search(h head, behind int) (Stanza, error) {
	s := &Search{}
	var err error
	s.Layout, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
		s.Operand, err = e.list()
		return err
	})
	return s, err
}

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

func (p *parser) configure(h head, behind int) (Stanza, error) {
	s := &Configure{}
	var err error
	s.Name, s.NameAt, s.Layout, s.Body, err = p.named("configure", h, behind)
	return s, err
}

func (p *parser) macro(h head, behind int) (Stanza, error) {
	s := &Macro{}
	var err error
	s.Name, s.NameAt, s.Layout, s.Body, err = p.named("macro", h, behind)
	return s, err
}

func (p *parser) prototype(h head, behind int) (Stanza, error) {
	s := &Prototype{}
	var err error
	s.Name, s.NameAt, s.Layout, s.Body, err = p.named("prototype", h, behind)
	return s, err
}

// named reads the rest of a directive that gives a block a name.
func (p *parser) named(word string, h head, behind int) (name string, at source.Span, l Layout, b *Block, err error) {
	l, err = p.directiveLine(h, behind, func(e *exprParser) (err error) {
		if name, at, err = e.ident("a name"); err != nil {
			return err
		}
		return p.colon(e, h, word)
	})
	if err == nil {
		b, err = p.body(h, bodyOf(word), false)
	}
	return name, at, l, b, err
}

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
		s.Body, err = p.body(h, bodyOf("for"), true)
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
	inLoop := p.inLoop
	p.inLoop = false
	defer func() { p.inLoop = inLoop }()
	return p.nested(l, h)
}
