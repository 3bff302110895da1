package yay

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
