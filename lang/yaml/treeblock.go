package yaml

// blockList parses a list in block style that is indented.
func (p *treeParser) blockList(n *Node) (*Node, *Comments) {
	n.Kind, n.Style = SeqNode, Block
	start := p.look().start
	c := p.takeStem()
	p.skip()
	p.end = start
	base := len(p.itemStack)
	for p.look().kind == lexItem {
		p.item(false)
	}
	if p.look().kind != lexBlockEnd {
		p.giveUp("no item")
		return n, c
	}
	p.skip()
	p.closeList(n, base)
	p.spanTo(n, start, p.end)
	return n, c
}

// looseList parses a list whose items stand in the column of the keys around it.
func (p *treeParser) looseList(n *Node) (*Node, *Comments) {
	n.Kind, n.Style = SeqNode, Block
	start := p.look().start
	p.end = start
	base := len(p.itemStack)
	for p.look().kind == lexItem {
		p.item(true)
	}
	p.closeList(n, base)
	p.spanTo(n, start, p.end)
	return n, nil
}

// item parses a "-" and what stands behind it.
func (p *treeParser) item(loose bool) {
	lent := p.lent.used
	end := p.look().end
	heads := p.pending.Head
	p.skip()
	next := p.look().kind
	if heads != "" && (next == lexListStart || next == lexMapStart) {
		p.pending.splitStem(len(heads))
	}
	var n *Node
	var c *Comments
	switch {
	case next == lexItem || next == lexBlockEnd, loose && (next == lexKey || next == lexValue):
		n = p.empty(end)
	default:
		n, c = p.node(false)
	}
	p.comment(n, c)
	p.listItem(n)
	p.lent.used = lent
}

// blockMap parses a map in block style.
func (p *treeParser) blockMap(n *Node) (*Node, *Comments) {
	n.Kind, n.Style = MapNode, Block
	start := p.look().start
	c := p.takeStem()
	p.skip()
	p.end = start
	base := len(p.entryStack)
	var last entryComments
	for p.look().kind == lexKey {
		p.blockEntry(base, &last)
	}
	if p.look().kind != lexBlockEnd {
		p.giveUp("no key")
		return n, c
	}
	if end := p.takeComments(); end != nil {
		if end.Foot != "" {
			last.setFoot(p, end.Foot)
			end.Foot = ""
		}
		c = p.closed(c, end)
	}
	p.skip()
	p.commentEntry(&last)
	p.closeMap(n, base)
	p.spanTo(n, start, p.end)
	return n, c
}

// blockEntry parses a key and its value. The comments of the entry before, which are
// the last, may get a foot that stands above the key.
func (p *treeParser) blockEntry(base int, last *entryComments) {
	lent := p.lent.used
	p.skip()
	key, keyComments := p.node(true)
	if len(p.entryStack) > base {
		if keyComments != nil && keyComments.Foot != "" {
			last.setFoot(p, keyComments.Foot)
			keyComments.Foot = ""
		}
		p.commentEntry(last)
	}
	val, valComments := p.blockValue()
	if p.reason != "" {
		return
	}
	*last = entryComments{keyComments, valComments}
	last.raiseFoot(p)
	p.entry(key, val)
	p.lent.used = lent
}

// blockValue parses the colon behind a key and the value.
func (p *treeParser) blockValue() (*Node, *Comments) {
	x := p.look()
	if x.kind != lexValue {
		p.giveUp("no colon")
		return nil, nil
	}
	end := x.end
	p.skip()
	switch p.look().kind {
	case lexKey, lexValue, lexBlockEnd:
		return p.empty(end), nil
	}
	return p.node(true)
}
