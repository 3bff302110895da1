package yaml

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A treeParser builds trees from lexemes. At an unexpected lexeme it gives up: see lexer.
type treeParser struct {
	*lexer
	file     *source.File
	opts     ParseOptions
	depth    int
	maxDepth int
	values   int                // items and entries that are kept
	limit    *source.Diagnostic // the text exceeds a limit; the library would not help
	end      int                // end of the last node
	anchors  map[string]*Node
	pending  pendingComments

	nodes   slab[Node]
	items   slab[*Node]
	entries slab[Entry]
	details slab[Details]

	commentSlab slab[Comments]

	itemStack  []*Node                // items of the open lists
	entryStack []Entry                // entries of the open maps
	keys       map[value.Key]struct{} // see hasDuplicates
	keyRoom    int                    // the most keys that keys has held

	// For an outline.
	plain bool // accept plain data only
	keep  int  // levels that are kept; 0 means all
	lent  nodeStack
}

// parseCommon parses a text in the common subset of YAML. For any other text, and for one
// with errors, it returns the reason why it gave up; for one that exceeds a limit it
// returns an error.
func parseCommon(f *source.File, opts ParseOptions) (docs []*Document, limit *source.Diagnostic, reason string) {
	p := newTreeParser(f, opts)
	docs = p.documents()
	return docs, p.limit, p.reason
}

func newTreeParser(f *source.File, opts ParseOptions) *treeParser {
	return &treeParser{lexer: newLexer(f.Text, opts), file: f, opts: opts, maxDepth: opts.maxDepth()}
}

// refuse gives up because of a limit, without leaving the text to the library.
func (p *treeParser) refuse(limit *source.Diagnostic) {
	if p.reason == "" {
		p.limit = limit
	}
	p.giveUp("limit")
}

// documents parses all documents of the text.
func (p *treeParser) documents() []*Document {
	var docs []*Document
	switch p.look().kind {
	case lexDocumentStart, lexEnd:
	case lexDocumentEnd:
		p.giveUp("marker without a document")
	default:
		d := &Document{Head: p.pending.splitHead()}
		p.content(d, p.look().start)
		docs = append(docs, d)
	}
	for {
		for len(docs) > 0 && p.look().kind == lexDocumentEnd {
			p.skip()
		}
		switch p.look().kind {
		case lexDocumentStart:
			if len(docs) == maxDocuments {
				p.refuse(tooManyDocuments(p.file, p.look().start))
				return nil
			}
			d, start := &Document{}, p.look().start
			p.skip()
			p.content(d, start)
			docs = append(docs, d)
		case lexEnd:
			if len(docs) == 0 {
				docs = append(docs, &Document{At: p.file.Span(0, len(p.src))})
			}
			return docs
		default:
			p.giveUp("text after a document")
			return nil
		}
	}
}

// content parses the content of a document that begins at start.
func (p *treeParser) content(d *Document, start int) {
	p.anchors = nil
	var root *Node
	var c *Comments
	switch x := p.look(); x.kind {
	case lexDocumentStart, lexDocumentEnd, lexEnd:
		root = p.empty(x.start)
	default:
		root, c = p.node(false)
	}
	if p.reason != "" {
		return
	}
	p.comment(root, c)
	if !isAbsent(root) {
		d.Root = root
	}
	d.At = p.file.Span(start, max(p.end, start))
	if p.look().kind == lexDocumentEnd {
		p.skip()
	}
	if c = p.takeComments(); c != nil {
		if d.Foot = c.Foot; d.Foot == "" {
			d.Foot = c.Head
		}
	}
}

// node parses a node and returns the comments around it. If loose is set, the node is in a
// map, and may be a list whose items are in the column of the keys.
func (p *treeParser) node(loose bool) (*Node, *Comments) {
	if p.depth++; p.depth > p.maxDepth {
		p.giveUp("depth")
		return nil, nil
	}
	defer func() { p.depth-- }()
	n := p.newNode()
	x, propEnd := p.look(), -1
	if x.kind == lexAnchor || x.kind == lexTag {
		if p.plain {
			p.giveUp("not plain")
			return n, nil
		}
		propEnd = p.properties(n)
		x = p.look()
	}
	switch x.kind {
	case lexAlias:
		if propEnd < 0 {
			n.Kind = AliasNode
			d := p.detailsOf(n)
			d.Anchor = p.src[x.start+1 : x.end]
			if d.Target = p.anchors[d.Anchor]; d.Target == nil {
				p.giveUp("unknown alias")
			}
			p.spanTo(n, x.start, x.end)
			c := p.takeComments()
			p.skip()
			return n, c
		}
	case lexScalar:
		n.Style = x.style
		p.construct(n, p.text(x), x.start, x.end)
		c := p.takeComments()
		p.skip()
		return n, c
	case lexListOpen:
		return p.flowList(n)
	case lexMapOpen:
		return p.flowMap(n)
	case lexListStart:
		return p.blockList(n, false)
	case lexMapStart:
		return p.blockMap(n)
	case lexItem:
		if loose {
			return p.blockList(n, true)
		}
	}
	if propEnd < 0 {
		p.giveUp("no value")
		return n, nil
	}
	p.construct(n, "", propEnd, propEnd)
	return n, nil
}

// newNode returns a node without details. An outline borrows the nodes that it omits.
func (p *treeParser) newNode() *Node {
	var n *Node
	if p.keep > 0 && p.depth > p.keep {
		n = p.lent.one()
	} else {
		n = p.nodes.one()
	}
	n.Details = noDetails
	return n
}

// detailsOf returns details that n does not share, to be filled in.
func (p *treeParser) detailsOf(n *Node) *Details {
	if n.Details == noDetails {
		n.Details = p.details.one()
	}
	return n.Details
}

// properties parses the anchor and the tag of a node and returns their end.
func (p *treeParser) properties(n *Node) (end int) {
	for {
		x := p.look()
		switch {
		case x.kind == lexAnchor && n.Anchor == "":
			d := p.detailsOf(n)
			d.Anchor, d.AnchorAt = p.src[x.start+1:x.end], p.file.Span(x.start, x.end)
		case x.kind == lexTag && n.Tag == "":
			d := p.detailsOf(n)
			d.Tag, d.TagAt = p.src[x.start:x.end], p.file.Span(x.start, x.end)
		default:
			if n.Anchor != "" {
				if p.anchors == nil {
					p.anchors = map[string]*Node{}
				}
				p.anchors[n.Anchor] = n
			}
			return end
		}
		end = x.end
		p.skip()
	}
}

// empty returns the null node of a missing value.
func (p *treeParser) empty(at int) *Node {
	n := p.newNode()
	if p.depth >= p.maxDepth {
		p.giveUp("depth")
	}
	p.construct(n, "", at, at)
	return n
}

// construct sets the place and the value of a scalar.
func (p *treeParser) construct(n *Node, text string, start, end int) {
	p.spanTo(n, start, end)
	v, d := scalarValue(n, text)
	if n.Value = v; d != nil {
		p.giveUp("value of a tag")
	}
}

// spanTo sets the span of a node.
func (p *treeParser) spanTo(n *Node, start, end int) {
	n.At = source.Span{File: p.file, Start: uint32(start), End: uint32(end)}
	p.end = max(p.end, end)
}

// entry adds an entry to the innermost map.
func (p *treeParser) entry(key, val *Node) {
	e := Entry{KeyNode: key, Value: val, Comments: noComments}
	e.Merge = key.Style == Plain && key.Tag == "" && p.src[key.At.Start:key.At.End] == "<<"
	switch {
	case key.Kind != ScalarNode:
		p.giveUp("key")
	case key.Value.Is(value.StringKind):
		e.Key = value.K(key.Value.Str())
	default:
		e.Key, _ = value.KeyOf(key.Value.WithoutSource())
	}
	if p.plain && (e.Merge || e.Key.Kind == value.StringKind && len(e.Key.Text) > 1 && e.Key.Text[0] == '+') {
		p.giveUp("not plain")
	}
	p.entryStack = append(p.entryStack, e)
	p.count()
}

// listItem adds an item to the innermost list.
func (p *treeParser) listItem(n *Node) {
	p.itemStack = append(p.itemStack, n)
	p.count()
}

// count counts an item or an entry. Those that an outline omits take memory only until
// their list or map ends, so only the open ones count.
func (p *treeParser) count() {
	if p.keep == 0 || p.depth < p.keep {
		p.values++
	}
	if most := p.opts.maxValues(); p.values > most || len(p.itemStack)+len(p.entryStack) > most {
		p.refuse(tooManyValues(p.file, p.end, p.opts))
	}
}

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
