package yaml

// pendingComments are comments that wait for a node to belong to.
type pendingComments struct {
	Comments
	n    int
	stem string // of the list or map that begins behind a "-"
}

// splitStem puts the first n bytes of the heads aside: they stand above a "-" with a
// list or map behind it, and belong to that and not to its first entry.
func (w *pendingComments) splitStem(n int) {
	w.stem = w.Head[:n]
	w.Head = w.Head[min(n+1, len(w.Head)):]
}

// splitHead takes from the heads what an empty line separates from what follows: it
// belongs to the document.
func (w *pendingComments) splitHead() string {
	h := w.Head
	for i := len(h) - 1; i > 0; i-- {
		switch {
		case h[i] != '\n':
		case i == len(h)-1:
			w.Head = ""
			return h[:i]
		case h[i-1] == '\n':
			w.Head = h[i+1:]
			return h[:i-1]
		}
	}
	return ""
}

func (w *pendingComments) add(c *comment) {
	w.n++
	switch c.role {
	case headComment:
		w.Head = joinComments(w.Head, c.text)
	case lineComment:
		w.Line = joinComments(w.Line, c.text)
	case footComment:
		w.Foot = joinComments(w.Foot, c.text)
	}
}

// look returns the next lexeme, and makes the comments that are its own wait for a
// node.
func (p *treeParser) look() *lexeme {
	x := p.peek()
	for p.taken < len(p.comments) && p.comments[p.taken].target <= x.start {
		c := &p.comments[p.taken]
		if c.role == headComment && x.kind == lexBlockEnd {
			break // it belongs to what follows
		}
		p.taken++
		if p.plain {
			continue
		}
		p.pending.add(c)
		if p.pending.n > maxComments {
			p.giveUp("many comments")
		}
	}
	return x
}

// takeComments returns the comments that wait, or nil if there are none.
func (p *treeParser) takeComments() *Comments {
	if p.pending.n == 0 {
		return nil
	}
	c := p.commentSlab.one()
	*c = p.pending.Comments
	p.pending = pendingComments{}
	if *c == (Comments{}) {
		return nil
	}
	return c
}

// takeStem returns the comments that stand above the "-" before a list or map.
func (p *treeParser) takeStem() *Comments {
	if p.pending.stem == "" {
		return nil
	}
	c := p.commentSlab.one()
	c.Head, p.pending.stem = p.pending.stem, ""
	return c
}

// closed returns the comments of a list or map, of which the last one's line and foot
// count.
func (p *treeParser) closed(first, last *Comments) *Comments {
	if first == nil && last == nil {
		return nil
	}
	c := p.commentSlab.one()
	if first != nil {
		c.Head = first.Head
	}
	if last != nil {
		c.Line, c.Foot = last.Line, last.Foot
	}
	return c
}

// comment puts comments on a node.
func (p *treeParser) comment(n *Node, c *Comments) {
	if c != nil && *c != (Comments{}) && p.reason == "" {
		p.detailsOf(n).Comments = *c
	}
}

// entryComments are those of an entry's key and value, nil if there are none.
type entryComments struct{ key, value *Comments }

// raiseFoot makes the foot of the value that of the key, if that has none.
func (c *entryComments) raiseFoot(p *treeParser) {
	if c.value != nil && c.value.Foot != "" && (c.key == nil || c.key.Foot == "") {
		c.setFoot(p, c.value.Foot)
		c.value.Foot = ""
	}
}

// setFoot sets the foot of the key.
func (c *entryComments) setFoot(p *treeParser, foot string) {
	if c.key == nil {
		c.key = p.commentSlab.one()
	}
	c.key.Foot = foot
}

// commentEntry puts comments on the last entry.
func (p *treeParser) commentEntry(c *entryComments) {
	if c.key == nil && c.value == nil || p.reason != "" {
		return
	}
	e := &p.entryStack[len(p.entryStack)-1]
	if c.key == nil {
		c.key = p.commentSlab.one()
	}
	if c.value != nil {
		joinEntryComments(c.key, c.value, e.Value)
	}
	if *c.key != (Comments{}) {
		e.Comments = c.key
	}
}

// joinEntryComments adds to the comments of an entry those of its value v. The head of
// a map in block style is that of its first entry.
func joinEntryComments(all, of *Comments, v *Node) {
	if v.Kind == MapNode && v.Style == Block && len(v.Entries) > 0 {
		first := *v.Entries[0].Comments
		first.Head = joinComments(of.Head, first.Head)
		v.Entries[0].setComments(first)
	} else {
		all.Head = joinComments(all.Head, of.Head)
	}
	all.Line = joinComments(all.Line, of.Line)
	all.Foot = joinComments(of.Foot, all.Foot)
}
