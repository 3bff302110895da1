package yaml

import (
	"github.com/yaytpl/yaytpl/value"
)

// closeMap moves the entries on the stack from base on to a map.
func (p *treeParser) closeMap(n *Node, base int) {
	if p.reason != "" {
		return
	}
	entries := p.entryStack[base:]
	if p.hasDuplicates(entries) {
		p.giveUp("duplicate key")
		return
	}
	if !p.omit(n) {
		n.Entries = p.entries.copyOf(entries)
	}
	p.entryStack = p.entryStack[:base]
}

// hasDuplicates reports whether two entries have the same key. It uses one set for all maps.
func (p *treeParser) hasDuplicates(entries []Entry) bool {
	if len(entries) <= fewKeys {
		found := false
		duplicates(entries, func(int, int) { found = true })
		return found
	}
	if p.keys == nil || p.keyRoom > 64*len(entries) { // clear takes time in proportion to the room
		p.keys, p.keyRoom = map[value.Key]struct{}{}, 0
	}
	p.keyRoom = max(p.keyRoom, len(entries))
	clear(p.keys)
	for i := range entries {
		p.keys[entries[i].Key] = struct{}{}
	}
	return len(p.keys) < len(entries)
}

// closeList moves the items on the stack from base on to a list.
func (p *treeParser) closeList(n *Node, base int) {
	items := p.itemStack[base:]
	if !p.omit(n) {
		n.Items = p.items.copyOf(items)
	}
	p.itemStack = p.itemStack[:base]
}

// blockList parses a list in block style. The items of a loose list are in the column of
// the keys around it, so that it has no lexemes for its start and end.
func (p *treeParser) blockList(n *Node, loose bool) (*Node, *Comments) {
	n.Kind, n.Style = SeqNode, Block
	start := p.look().start
	var c *Comments
	if !loose {
		c = p.takeStem()
		p.skip()
	}
	p.end = start
	base := len(p.itemStack)
	for p.look().kind == lexItem {
		p.item(loose)
	}
	if !loose {
		if p.look().kind != lexBlockEnd {
			p.giveUp("no item")
			return n, c
		}
		p.skip()
	}
	p.closeList(n, base)
	p.spanTo(n, start, p.end)
	return n, c
}

// item parses a "-" and the value after it.
func (p *treeParser) item(loose bool) {
	lent := p.lent.used
	end := p.look().end
	heads := p.pending.Head
	p.skip()
	next := p.look().kind
	if heads != "" && (next == lexListStart || next == lexMapStart) {
		// The comments above the "-" belong to the list or map, not to its first entry.
		w := &p.pending
		w.stem, w.Head = w.Head[:len(heads)], w.Head[min(len(heads)+1, len(w.Head)):]
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

// blockEntry parses a key and its value. A foot above the key goes to last, the comments
// of the entry before, which it replaces by those of its own.
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
	colon := *p.look()
	if colon.kind != lexValue {
		p.giveUp("no colon")
		return
	}
	p.skip()
	var val *Node
	var valComments *Comments
	switch p.look().kind {
	case lexKey, lexValue, lexBlockEnd:
		val = p.empty(colon.end)
	default:
		val, valComments = p.node(true)
	}
	if p.reason != "" {
		return
	}
	*last = entryComments{keyComments, valComments}
	last.raiseFoot(p)
	p.entry(key, val)
	p.lent.used = lent
}

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

// openFlow consumes the opening bracket.
func (p *treeParser) openFlow() (start int, c *Comments) {
	start = p.look().start
	c = p.takeComments()
	p.skip()
	p.end = start + 1
	return start, c
}

// anotherFlow consumes the comma before an item or entry, unless it is the first, and
// reports whether an item or entry follows.
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

// closeFlow consumes the closing bracket and returns the comments of the collection.
func (p *treeParser) closeFlow(n *Node, start int, c *Comments) *Comments {
	end := p.look().end
	c = p.closed(c, p.takeComments())
	p.skip()
	p.spanTo(n, start, end)
	return c
}

// pair parses an entry in a list, which is a map: [a: 1] is [{a: 1}].
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

// flowEntry parses an entry in a list or map whose closing bracket is closer.
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

// flowValue parses a colon and a value, each of which may be missing.
func (p *treeParser) flowValue(hasKey bool, closer lexKind) (*Node, *Comments) {
	x := p.look()
	if hasKey && x.kind == lexValue {
		p.skip()
		if x = p.look(); x.kind != lexComma && x.kind != closer {
			return p.node(false)
		}
	}
	if closer == lexListClose { // the library reports varying places for it
		p.giveUp("empty value in a pair")
	}
	return p.empty(x.start), nil
}
