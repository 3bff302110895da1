package yay

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
