package yay

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

func (p *parser) configure(h head, behind int) (Stanza, error) {
	d, err := p.definition("configure", h, behind)
	return &Configure{d}, err
}

func (p *parser) macro(h head, behind int) (Stanza, error) {
	d, err := p.definition("macro", h, behind)
	return &Macro{d}, err
}

func (p *parser) prototype(h head, behind int) (Stanza, error) {
	d, err := p.definition("prototype", h, behind)
	return &Prototype{d}, err
}

// definition reads the rest of a directive that gives a block a name.
func (p *parser) definition(word string, h head, behind int) (Definition, error) {
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
	return d, err
}
