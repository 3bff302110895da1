package yaml

import (
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// key parses a key, of which it sets all but the value of e. If loose is set, it may be a list whose
// items are in the column of the keys around it.
func (p *treeParser) key(e *Entry, loose bool) *Comments {
	x := p.look()
	if x.kind != lexScalar || p.depth == p.maxDepth {
		key, c := p.node(loose)
		p.setKey(e, key)
		return c
	}
	text := p.text(x)
	v := value.String(text)
	if x.style == Plain {
		v = plainScalar(text)
	}
	if v.Is(value.StringKind) && v.Source() == nil && !x.decoded {
		e.Key, e.KeyAt = value.K(text), p.span(x.start, x.end)
	} else {
		key := p.newNode()
		key.Style, key.At, key.Value = x.style, p.span(x.start, x.end), v
		p.setKey(e, key)
	}
	c := p.takeComments()
	p.skip()
	return c
}

// setKey sets a key that has a node. A list or map is reported by entry.
func (p *treeParser) setKey(e *Entry, key *Node) {
	if p.reason != "" {
		return
	}
	e.KeyAt, e.key = key.At, key
	e.Key, _ = value.KeyOf(key.Aliased().Value.WithoutSource())
}

// entry adds an entry to the innermost map, and reports a key that is a list or a map.
func (p *treeParser) entry(e *Entry, val *Node) {
	if e.key != nil && e.key.Aliased().Kind != ScalarNode {
		p.report(badKey(p.src, e.key.Aliased().Kind, e.KeyAt))
		return
	}
	if p.plain && (e.IsMerge() || e.Key.Kind == value.StringKind && len(e.Key.Text) > 1 && e.Key.Text[0] == '+') {
		p.giveUp("not plain")
	}
	e.Value, e.Comments = val, noComments
	p.entryStack = append(p.entryStack, *e)
	p.count()
}

// badKey returns the error for a key that is a list or a map.
func badKey(src string, kind Kind, at source.Span) *source.Diagnostic {
	word := "list"
	if kind == MapNode {
		word = "map"
	}
	d := source.Errorf(at, source.BadKey, "a %s cannot be a key", word)
	if kind == MapNode && at.Start > 0 && src[at.Start-1] == '{' {
		return d.WithHint("quote the template")
	}
	return d.WithHint(`a key is a text, a number, a boolean or null: quote it if it is one, or write a list of maps with "key" and "value"`)
}

// closeMap moves the entries on the stack from base on to a map.
func (p *treeParser) closeMap(n *Node, base int) {
	if p.reason != "" {
		return
	}
	entries := p.entryStack[base:]
	if p.hasDuplicates(entries) {
		if p.plain {
			p.giveUp("not plain")
			return
		}
		entries = uniqueKeys(entries, p.opts, &p.found)
	}
	if !p.omit(n) {
		p.partsOf(n).Entries = p.entries.copyOf(entries)
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
	// clear takes time in proportion to the room, and a map that grows copies itself.
	if p.keyRoom > 64*len(entries) || p.keyRoom < len(entries)/2 {
		p.keys, p.keyRoom = make(map[value.Key]struct{}, len(entries)), len(entries)
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
		p.partsOf(n).Items = p.items.copyOf(items)
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
		if p.item(loose); p.omitsBelow() {
			p.skim(true)
		}
	}
	if !loose {
		if p.look().kind != lexBlockEnd {
			p.unexpected("no item")
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
	end := p.look().end
	heads := p.pending.head.size
	p.skip()
	if next := p.peek().kind; next == lexItem || next == lexBlockEnd || loose && (next == lexKey || next == lexValue) {
		n := p.empty(end)
		p.comment(n, p.takeComments()) // before look goes on to the next node
		p.listItem(n)
		return
	}
	next := p.look().kind
	if heads > 0 && (next == lexListStart || next == lexMapStart) {
		// The comments above the "-" belong to the list or map, not to its first entry.
		p.pending.stem = p.pending.head.cut(heads)
	}
	n, c := p.node(false)
	p.comment(n, c)
	p.listItem(n)
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
	x := p.look()
	for ; x.kind == lexKey || x.kind == lexValue; x = p.look() {
		p.blockEntry(*x, base, &last)
		if p.omitsBelow() {
			p.skim(false)
		}
	}
	if x.kind != lexBlockEnd {
		p.unexpected("no key")
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

// blockEntry parses a key and its value; first is their first lexeme. A foot above the key goes to
// last, the comments of the entry before. Then last holds the comments of this entry.
func (p *treeParser) blockEntry(first lexeme, base int, last *entryComments) {
	var e Entry
	var keyComments *Comments
	explicit := first.end > first.start
	if explicit {
		if keyComments = p.rareKey(&e, first); first.kind == lexValue {
			explicit = false
		}
	} else {
		p.skip()
		keyComments = p.key(&e, true)
	}
	if p.reason != "" {
		return
	}
	if len(p.entryStack) > base {
		if keyComments != nil && keyComments.Foot != "" {
			last.setFoot(p, keyComments.Foot)
			keyComments.Foot = ""
		}
		p.commentEntry(last)
	}
	val, valComments := p.blockValue(explicit, int(e.KeyAt.End))
	if p.reason != "" {
		return
	}
	if val.Details != noDetails {
		if text := val.propertyComment(); text != "" {
			if keyComments == nil {
				keyComments = p.commentSlab.one()
			}
			keyComments.Line = joinComments(keyComments.Line, text)
		}
	}
	*last = entryComments{keyComments, valComments}
	last.raiseFoot(p)
	p.entry(&e, val)
}

// rareKey parses a key after "?", and one without text before ":": see key.
func (p *treeParser) rareKey(e *Entry, first lexeme) *Comments {
	if p.plain {
		p.giveUp("not plain")
		return nil
	}
	if first.kind == lexValue {
		p.setKey(e, p.empty(first.start))
		return nil
	}
	p.skip()
	if k := p.look().kind; k == lexKey || k == lexValue || k == lexBlockEnd {
		p.setKey(e, p.empty(first.end))
		return nil
	}
	return p.key(e, true)
}

// blockValue parses a colon and a value, each of which may be missing. After an explicit key,
// "? k", a list or a map may begin after the colon. The key ends at keyEnd.
func (p *treeParser) blockValue(explicit bool, keyEnd int) (*Node, *Comments) {
	colon := *p.look()
	if colon.kind != lexValue {
		if !explicit {
			p.unexpected("no colon")
		}
		return p.empty(max(p.end, keyEnd)), nil
	}
	p.skip()
	switch x := p.look(); x.kind {
	case lexKey, lexValue, lexBlockEnd:
		return p.empty(colon.end), nil
	case lexListStart, lexMapStart, lexItem:
		if !explicit && strings.IndexByte(p.src[colon.end:max(x.start, colon.end)], '\n') < 0 {
			p.unexpected("collection after a key")
		}
	}
	return p.node(true)
}

// flowList parses a list in brackets.
func (p *treeParser) flowList(n *Node) (*Node, *Comments) {
	n.Kind, n.Style = SeqNode, Flow
	start, c := p.openFlow()
	base := len(p.itemStack)
	for first := true; p.anotherFlow(first, lexListClose); first = false {
		if k := p.look().kind; k == lexKey || k == lexValue {
			p.listItem(p.pair(nil, nil))
			continue
		}
		item, c := p.node(false)
		if p.reason != "" {
			return n, c
		}
		if p.look().kind == lexValue {
			p.listItem(p.pair(item, c))
			continue
		}
		p.comment(item, c)
		p.listItem(item)
	}
	p.closeList(n, base)
	return n, p.closeFlow(n, start, c)
}

// flowMap parses a map in braces.
func (p *treeParser) flowMap(n *Node) (*Node, *Comments) {
	n.Kind, n.Style = MapNode, Flow
	start, c := p.openFlow()
	base := len(p.entryStack)
	for first := true; p.anotherFlow(first, lexMapClose); first = false {
		p.flowEntry(lexMapClose, nil, nil)
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
			p.unexpected("no comma")
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

// pair parses an entry in a list, which is a map: [a: 1] is [{a: 1}]. Its key, with comments,
// may have been parsed already.
func (p *treeParser) pair(key *Node, c *Comments) *Node {
	n := p.newNode()
	if p.plain { // by itself it would read as block style
		p.giveUp("not plain")
	}
	if p.reason != "" {
		return n
	}
	n.Kind, n.Style = MapNode, Flow
	if p.depth++; p.depth > p.maxDepth {
		p.refuse(tooDeep(p.file, p.look().start, p.opts))
	}
	start := p.look().start
	if key != nil {
		colon := start
		start = p.startOf(key)
		if key := p.src[start:colon]; strings.IndexByte(key, '\n') >= 0 {
			p.unexpected("key of several lines")
		} else if len(key) > maxKeyLength && utf8.RuneCountInString(key) > maxKeyLength {
			p.fail("long key", start, start+1)
		}
	} else {
		p.end = start
	}
	base := len(p.entryStack)
	p.flowEntry(lexListClose, key, c)
	p.closeMap(n, base)
	p.depth--
	p.spanTo(n, start, p.end)
	return n
}

// startOf returns the offset of a node with its properties.
func (p *treeParser) startOf(n *Node) int {
	start := n.At.Start
	if n.Tag != "" && (n.TagAt.Start < start || n.At.IsZero()) {
		start = n.TagAt.Start
	}
	if n.Kind != AliasNode && n.Anchor != "" && (n.AnchorAt.Start < start || n.At.IsZero() && n.Tag == "") {
		start = n.AnchorAt.Start
	}
	return int(start)
}

// flowEntry parses an entry in a list or map whose closing bracket is closer. Its key, with
// comments, may have been parsed already.
func (p *treeParser) flowEntry(closer lexKind, key *Node, keyComments *Comments) {
	var e Entry
	if key == nil {
		keyComments = p.flowKey(&e, closer)
	} else {
		p.setKey(&e, key)
	}
	val, valComments := p.flowValue(closer)
	if p.reason != "" {
		return
	}
	c := entryComments{keyComments, valComments}
	c.raiseFoot(p)
	p.entry(&e, val)
	p.commentEntry(&c)
}

// flowKey parses a key, which may be missing: see key.
func (p *treeParser) flowKey(e *Entry, closer lexKind) *Comments {
	x := *p.look()
	if x.kind == lexKey {
		p.skip()
		if next := p.look(); x.end > x.start && next.kind == lexKey && next.end == next.start { // "? a: b"
			p.skip()
		}
	}
	switch k := p.look().kind; {
	case k == lexValue || x.kind == lexKey && (k == lexComma || k == closer):
		at := p.look().start
		if x.kind == lexKey {
			at = x.end
		}
		p.end = max(p.end, at)
		p.setKey(e, p.empty(at))
		return nil
	}
	return p.key(e, false)
}

// flowValue parses a colon and a value, each of which may be missing.
func (p *treeParser) flowValue(closer lexKind) (*Node, *Comments) {
	x := *p.look()
	if x.kind != lexValue {
		return p.empty(x.start), nil
	}
	p.skip()
	if k := p.look().kind; k != lexComma && k != closer {
		return p.node(false)
	}
	return p.empty(p.look().start), nil
}
