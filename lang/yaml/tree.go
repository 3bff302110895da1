package yaml

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A treeParser builds trees from lexemes. It stops at the first lexeme that does not fit: see
// lexer. Mistakes in data, such as a key that is there twice, do not stop it: see findings.
type treeParser struct {
	*lexer
	file     *source.File
	opts     ParseOptions
	depth    int
	maxDepth int
	most     int                // values: see count
	values   int                // items and entries that are kept
	limit    *source.Diagnostic // the text exceeds a limit
	found    findings
	end      int // end of the last node
	anchors  map[string]*Node
	handles  map[string]string // prefixes of tags that the directives of the document define
	ended    bool              // "..." ended the last document
	pending  pendingComments

	nodes   slab[Node]
	parts   slab[Parts]
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

	skimmer skimmer
}

func newTreeParser(f *source.File, opts ParseOptions) *treeParser {
	return &treeParser{lexer: newLexer(f.Text, opts), file: f, opts: opts, maxDepth: opts.maxDepth(), most: opts.maxValues()}
}

// refuse stops the parser because of a limit.
func (p *treeParser) refuse(limit *source.Diagnostic) {
	if p.reason == "" {
		p.limit = limit
	}
	p.giveUp("limit")
}

// unexpected stops the parser at the next lexeme, which does not fit.
func (p *treeParser) unexpected(reason string) {
	x := p.look()
	p.fail(reason, x.start, x.end)
}

// report adds a finding about data, but not where the parser stopped before the data. An outline
// has none: it stops.
func (p *treeParser) report(d *source.Diagnostic) {
	switch {
	case p.plain:
		p.giveUp("not plain")
	case p.reason == "":
		p.found.add(d)
	}
}

// documents parses all documents of the text, up to the first error.
func (p *treeParser) documents() []*Document {
	var docs []*Document
	p.ended = true
	for {
		x := p.look()
		switch x.kind {
		case lexNothing:
			return docs
		case lexDocumentEnd:
			p.ended = true
			p.skip()
			continue
		case lexEnd:
			if len(docs) == 0 {
				docs = append(docs, &Document{At: p.file.Span(0, len(p.src))})
			}
			return docs
		}
		if len(docs) == maxDocuments {
			p.refuse(tooManyDocuments(p.file, x.start))
			return nil
		}
		d, start := &Document{}, x.start
		p.handles = nil
		switch {
		case x.kind == lexDirective || x.kind == lexDocumentStart:
			start = p.directives()
		case !p.ended:
			p.unexpected("text after a document")
		case p.plain && len(docs) > 0:
			p.giveUp("not plain")
		default:
			d.Head = p.pending.splitHead()
		}
		p.content(d, start)
		if p.reason != "" {
			return docs
		}
		docs = append(docs, d)
	}
}

// content parses the content of a document that begins at start.
func (p *treeParser) content(d *Document, start int) {
	p.anchors, p.ended = nil, false
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
	if c != nil && root.Style != Block { // nothing else has the comments around a scalar or brackets
		d.Head = joinComments(d.Head, c.Head)
		d.Foot = joinComments(c.Line, c.Foot)
	}
	d.At = p.file.Span(start, max(p.end, start))
	if p.look().kind == lexDocumentEnd {
		p.ended = true
		p.skip()
		if p.peek().kind == lexEnd {
			p.look() // for the comments after the mark, which no other document takes
		}
	}
	if c = p.takeComments(); c != nil {
		if c.Foot != "" && c.Head != "" { // an empty line is between them
			c.Foot += "\n"
		}
		d.Foot = joinComments(joinComments(d.Foot, c.Line), joinComments(c.Foot, c.Head))
	}
}

// node parses a node and returns the comments around it. If loose is set, the node is in a
// map, and may be a list whose items are in the column of the keys.
func (p *treeParser) node(loose bool) (*Node, *Comments) {
	if p.depth++; p.depth > p.maxDepth {
		p.refuse(tooDeep(p.file, p.look().start, p.opts))
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
		if !p.peek().beginsNode(loose) { // the comment on its line is taken here: look goes on to the next node
			p.construct(n, "", propEnd, propEnd)
			return n, p.takeComments()
		}
		x = p.look()
	}
	switch x.kind {
	case lexAlias:
		if propEnd < 0 {
			return p.alias(n)
		}
		p.fail("alias with properties", p.startOf(n), propEnd)
	case lexScalar:
		n.Style = x.style
		p.construct(n, p.text(x), x.start, x.end)
		c := p.takeComments()
		p.skip()
		return n, c
	case lexListOpen:
		p.checkTag(n, "list", "!!seq")
		return p.flowList(n)
	case lexMapOpen:
		p.checkTag(n, "map", "!!map")
		return p.flowMap(n)
	case lexListStart:
		p.checkTag(n, "list", "!!seq")
		return p.blockList(n, false)
	case lexMapStart:
		p.checkTag(n, "map", "!!map")
		return p.blockMap(n)
	case lexItem:
		if loose {
			p.checkTag(n, "list", "!!seq")
			return p.blockList(n, true)
		}
	}
	p.unexpected("no value")
	return n, nil
}

// beginsNode reports whether a node begins with x, after its properties: see node.
func (x *lexeme) beginsNode(loose bool) bool {
	switch x.kind {
	case lexAlias, lexScalar, lexListOpen, lexMapOpen, lexListStart, lexMapStart:
		return true
	}
	return loose && x.kind == lexItem
}

// alias parses an alias.
func (p *treeParser) alias(n *Node) (*Node, *Comments) {
	x := p.look()
	n.Kind = AliasNode
	d := p.detailsOf(n)
	d.Anchor = p.src[x.start+1 : x.end]
	p.spanTo(n, x.start, x.end)
	if d.Target = p.anchors[d.Anchor]; d.Target == nil {
		p.fail("unknown alias", x.start, x.end)
	}
	c := p.takeComments()
	p.skip()
	return n, c
}

// newNode returns a node without details.
func (p *treeParser) newNode() *Node { return newNode(&p.nodes) }

// omitsBelow reports whether an outline omits the nodes in the current one.
func (p *treeParser) omitsBelow() bool { return p.keep > 0 && p.depth >= p.keep }

// partsOf returns parts that n does not share, to be filled in.
func (p *treeParser) partsOf(n *Node) *Parts {
	if n.Parts == noParts {
		n.Parts = p.parts.one()
		n.Parts.Details = noDetails
	}
	return n.Parts
}

// detailsOf returns details that n does not share, to be filled in.
func (p *treeParser) detailsOf(n *Node) *Details {
	if n.Details == noDetails {
		p.partsOf(n).Details = p.details.one()
	}
	return n.Details
}

// properties parses the anchor and the tag of a node and returns their end.
func (p *treeParser) properties(n *Node) (end int) {
	for x := p.look(); ; x = p.peek() {
		switch {
		case x.kind == lexAnchor && n.Anchor == "":
			d := p.detailsOf(n)
			d.Anchor, d.AnchorAt = p.src[x.start+1:x.end], p.file.Span(x.start, x.end)
		case x.kind == lexTag && n.Tag == "":
			d := p.detailsOf(n)
			d.Tag, d.TagAt = p.tagName(x.start, x.end), p.file.Span(x.start, x.end)
		case x.kind == lexAnchor || x.kind == lexTag:
			p.unexpected("properties")
			return end
		default:
			if n.Anchor != "" {
				if p.anchors == nil {
					p.anchors = map[string]*Node{}
				}
				p.anchors[n.Anchor] = n
			}
			return end
		}
		end = p.look().end
		p.skip()
	}
}

// checkTag reports one of YAML's own tags on a list or a map of another kind, as in !!str [a].
func (p *treeParser) checkTag(n *Node, kind, own string) {
	if n.Tag != "" && !fitsTag(n.Tag, own) {
		p.report(source.Errorf(n.TagAt, source.BadValue, "a %s does not match the tag %s", kind, n.Tag))
	}
}

// fitsTag reports whether a list or a map, whose tag is own, may have a tag.
func fitsTag(tag, own string) bool {
	core := coreTag(tag)
	return core == "" || core == own
}

// empty returns the null node of a missing value.
func (p *treeParser) empty(at int) *Node {
	n := p.newNode()
	if p.depth >= p.maxDepth {
		p.refuse(tooDeep(p.file, at, p.opts))
	}
	p.construct(n, "", at, at)
	return n
}

// construct sets the place and the value of a scalar.
func (p *treeParser) construct(n *Node, text string, start, end int) {
	p.spanTo(n, start, end)
	v, d := scalarValue(n, text)
	if n.Value = v; d != nil {
		p.report(d)
	}
}

// spanTo sets the span of a node.
func (p *treeParser) spanTo(n *Node, start, end int) { n.At = p.span(start, end) }

// span returns the span of a node or key, which is the last one that was parsed.
func (p *treeParser) span(start, end int) source.Span {
	p.end = max(p.end, end)
	return source.Span{File: p.file, Start: uint32(start), End: uint32(end)}
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
	if p.values > p.most || len(p.itemStack)+len(p.entryStack) > p.most {
		p.refuse(tooManyValues(p.file, p.end, p.opts))
	}
}
