package yaml

// flowList parses a list in brackets.
func (p *treeParser) flowList(n *Node) (*Node, *Comments) {
	n.Kind, n.Style = SeqNode, Flow
	start, c := p.openFlow()
	base, lent := len(p.itemStack), p.lent.used
	for first := true; p.anotherFlow(first, lexListClose); first = false {
		if p.look().kind == lexKey {
			p.listItem(p.pair())
			continue
		}
		item, c := p.node(false)
		if p.reason != "" {
			return n, c
		}
		p.comment(item, c)
		p.listItem(item)
		p.lent.used = lent
	}
	p.closeList(n, base)
	return n, p.closeFlow(n, start, c)
}

// flowMap parses a map in braces.
func (p *treeParser) flowMap(n *Node) (*Node, *Comments) {
	n.Kind, n.Style = MapNode, Flow
	start, c := p.openFlow()
	base, lent := len(p.entryStack), p.lent.used
	for first := true; p.anotherFlow(first, lexMapClose); first = false {
		p.flowEntry(lexMapClose)
		p.lent.used = lent
	}
	p.closeMap(n, base)
	return n, p.closeFlow(n, start, c)
}

// openFlow takes the opening bracket.
func (p *treeParser) openFlow() (start int, c *Comments) {
	start = p.look().start
	c = p.takeComments()
	p.skip()
	p.end = start + 1
	return start, c
}

// anotherFlow takes the comma that is needed before all but the first of what
// stands in brackets, and reports whether something follows.
func (p *treeParser) anotherFlow(first bool, closer lexKind) bool {
	if x := p.look(); !first && x.kind != closer {
		if x.kind != lexComma {
			p.giveUp("no comma")
		} else {
			p.skip()
		}
	}
	return p.look().kind != closer && p.reason == ""
}

// closeFlow takes the closing bracket, and returns the comments of all.
func (p *treeParser) closeFlow(n *Node, start int, c *Comments) *Comments {
	end := p.look().end
	c = p.closed(c, p.takeComments())
	p.skip()
	p.spanTo(n, start, end)
	return c
}

// pair parses an entry in a list, which is a map.
func (p *treeParser) pair() *Node {
	n := p.newNode()
	n.Kind, n.Style = MapNode, Flow
	if p.depth++; p.depth > p.maxDepth {
		p.giveUp("depth")
	}
	start := p.look().start
	p.end = start
	base := len(p.entryStack)
	p.flowEntry(lexListClose)
	p.closeMap(n, base)
	p.depth--
	p.spanTo(n, start, p.end)
	return n
}

// flowEntry parses an entry in a list or map that closer ends.
func (p *treeParser) flowEntry(closer lexKind) {
	hasKey := p.look().kind == lexKey
	if hasKey {
		p.skip()
		if k := p.look().kind; closer == lexListClose && (k == lexTag || k == lexAnchor) {
			p.giveUp("properties in a pair")
		}
	}
	key, keyComments := p.node(false)
	val, valComments := p.flowValue(hasKey, closer)
	if p.reason != "" {
		return
	}
	c := entryComments{keyComments, valComments}
	c.raiseFoot(p)
	p.entry(key, val)
	p.commentEntry(&c)
}

// flowValue parses a colon and a value, or what stands for none.
func (p *treeParser) flowValue(hasKey bool, closer lexKind) (*Node, *Comments) {
	x := p.look()
	if hasKey && x.kind == lexValue {
		p.skip()
		if x = p.look(); x.kind != lexComma && x.kind != closer {
			return p.node(false)
		}
	}
	if closer == lexListClose { // the library is not sure where that is
		p.giveUp("empty value in a pair")
	}
	return p.empty(x.start), nil
}
