package yay

import "github.com/yaytpl/yaytpl/source"

// ifElse reads "if" with what belongs to it in its column.
func (p *parser) ifElse(h head, behind int) (Stanza, error) {
	s := &If{}
	s.Lead, h.lead = h.lead, nil
	for word := "if"; ; {
		b, err := p.branch(word, h, behind)
		if err != nil {
			return nil, err
		}
		if word == "else" {
			s.Else = b
			break
		}
		s.Branches = append(s.Branches, *b)
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

// branch reads "if", "elif" or "else" with its block.
func (p *parser) branch(word string, h head, behind int) (*Branch, error) {
	b := &Branch{}
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
	return b, err
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
	p.cases(s, l.col())
	s.Foot = p.lines.foot(min(l.col(), h.col+1))
	return s, nil
}

// cases reads the cases, which begin in a column.
func (p *parser) cases(s *Select, col int) {
	for {
		l, ok := p.peek()
		if !ok || l.col() < col {
			p.dedent = l.start
			return
		}
		if l.col() > col {
			p.report(p.wrongIndent(l))
			p.skip(col)
			continue
		}
		h := head{pos: l.content, end: l.end, col: col, owner: col, lead: p.lines.lead()}
		p.lines.advance()
		c, err := p.selectArm(h)
		if err != nil {
			p.report(source.AsDiagnostic(err, p.firstWord(l), source.Syntax))
			p.skip(col)
			continue
		}
		s.Cases = append(s.Cases, c)
	}
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
