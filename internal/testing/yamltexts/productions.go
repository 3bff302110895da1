// Package yamltexts writes random YAML 1.2 by the productions of the specification, with the data that
// a reader must find in it. Tests of reading and of editing use it.
package yamltexts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Kind is the kind of a node.
type Kind int

// The kinds.
const (
	Scalar Kind = iota
	List
	Map
	Alias
)

// A Node is what a text says: a reader must return the same.
type Node struct {
	Kind   Kind
	Text   string // of a scalar, after folding and escapes
	Plain  bool
	Tag    string  // as written
	Anchor string  // of an alias: the name
	Keys   []*Node // of a map
	Items  []*Node // of a list; the values of a map
}

// IsEmpty reports whether a node has no characters.
func (n *Node) IsEmpty() bool {
	return n.Kind == Scalar && n.Plain && n.Text == "" && n.Tag == "" && n.Anchor == ""
}

// A Document is a document; its root is nil if it has no node at all.
type Document struct{ Root *Node }

// Stream returns a text, and the documents that a reader must return. Equal seeds give equal texts.
// Some texts have the line breaks or the byte order mark of other systems.
func Stream(seed uint64) (string, []Document) {
	p := producer{rand: rand.New(rand.NewPCG(seed, 3))}
	text, docs := p.stream()
	switch seed % 8 {
	case 5:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case 6:
		text = "\ufeff" + text
	}
	return text, docs
}

// Simple returns a text of one document in the style of files that people write: without directives,
// tabs, empty keys and explicit keys. Its root is a map or list in block style.
func Simple(seed uint64) (string, Document) {
	p := producer{rand: rand.New(rand.NewPCG(seed, 4)), simple: true, budget: 24}
	p.commentLines()
	root := p.blockMapping
	if p.one(4) {
		root = p.blockSequence
	}
	doc := Document{root(0)}
	return p.b.String(), doc
}

// A producer writes random YAML 1.2 by the productions of the specification, with the data that it
// intends. A method has the name and the parameters of the production that it follows: n is the
// indentation of the parent node, which is -1 for a document.
type producer struct {
	rand    *rand.Rand
	b       strings.Builder
	anchors []*Node // of this document, with a name
	count   int     // makes keys and anchors unique
	budget  int     // of nodes
	tags    bool    // the directive %TAG !e! is in force
	simple  bool    // no directives, tabs and odd separations: for a text of a user
}

// Contexts of a node. A key must be on one line.
type context int

const (
	blockIn context = iota
	blockOut
	flowOut
	flowIn
	blockKey
	flowKey
)

func (c context) isKey() bool  { return c == blockKey || c == flowKey }
func (c context) inFlow() bool { return c == flowIn || c == flowKey }

func (p *producer) one(n int) bool        { return p.rand.IntN(n) == 0 }
func (p *producer) of(s ...string) string { return s[p.rand.IntN(len(s))] }
func (p *producer) write(s string)        { p.b.WriteString(s) }
func (p *producer) spaces(n int)          { p.write(strings.Repeat(" ", max(n, 0))) }

// blank writes white space inside a line.
func (p *producer) blank() {
	if p.simple {
		p.write(" ")
		return
	}
	p.write(p.of(" ", " ", " ", "  ", "\t", " \t"))
}

// stream writes documents: l-yaml-stream.
func (p *producer) stream() (string, []Document) {
	var docs []Document
	ended := true // the last document ended with "...", or there is none
	p.commentLines()
	for i := range 1 + p.rand.IntN(3)*p.rand.IntN(2) {
		p.anchors, p.tags, p.budget = nil, false, 4+p.rand.IntN(24)
		marked := i > 0 && !ended
		if ended && p.one(6) && !p.simple {
			p.directives()
			marked = true
		}
		if marked || p.one(4) {
			p.write("---")
			marked = true
		}
		docs = append(docs, p.document(marked))
		ended = false
		if p.one(4) {
			p.write("...")
			p.comments()
			ended = true
		}
	}
	return p.b.String(), docs
}

func (p *producer) directives() {
	directives := []string{"%YAML 1.2", "%TAG !e! tag:example.com,2000:", "%RESERVED word 1"}
	p.rand.Shuffle(len(directives), func(i, j int) { directives[i], directives[j] = directives[j], directives[i] })
	for _, d := range directives[:1+p.rand.IntN(3)] {
		p.tags = p.tags || strings.HasPrefix(d, "%TAG")
		p.write(d)
		p.comments()
	}
}

// document writes the node of a document: after the marker, or bare. A bare document has content.
func (p *producer) document(marked bool) Document {
	if marked && p.one(8) {
		p.comments()
		return Document{}
	}
	if marked {
		return Document{p.blockNode(-1, blockIn, true)}
	}
	return Document{p.bare()}
}

// bare writes a document without a marker, which begins at the start of a line.
func (p *producer) bare() *Node {
	switch p.rand.IntN(5) {
	case 0, 1, 2:
		return p.blockMapping(p.topColumn())
	case 3:
		return p.blockSequence(p.topColumn())
	}
	var node *Node
	if p.one(2) {
		node = p.scalar(0, flowOut, false)
	} else {
		node = p.flowCollection(0, flowOut)
	}
	p.comments()
	return node
}

// topColumn returns the indentation of a collection of a document, mostly 0.
func (p *producer) topColumn() int {
	if p.one(6) {
		return 1 + p.rand.IntN(3)
	}
	return 0
}

// commentLines writes lines with comments or nothing: l-comment*.
func (p *producer) commentLines() {
	for p.one(6) {
		p.write(p.of("# c\n", "\n", "  # d: e\n", "#\n", "   \n"))
		if !p.simple && p.one(4) {
			p.write(p.of("\t# tab\n", " \t\n"))
		}
	}
}

// comments ends a line: s-l-comments.
func (p *producer) comments() {
	p.lineEnd()
	p.commentLines()
}

func (p *producer) lineEnd() {
	if p.one(8) {
		p.blank()
		p.write(p.of("# x", "#", "# - y: z", "# 'q"))
	} else if p.one(12) {
		p.blank()
	}
	p.write("\n")
}

// separate writes s-separate(n, c): white space, or comments and a new line with indentation n.
func (p *producer) separate(n int, c context) {
	if c.isKey() || !p.one(6) {
		p.blank()
		return
	}
	p.comments()
	if c.inFlow() {
		p.linePrefix(n)
	} else {
		p.spaces(max(n, 1) + p.rand.IntN(3))
	}
}

// linePrefix writes s-flow-line-prefix(n). A line of a document's node must not look like a marker or
// a directive, so that it is never at column 0 here.
func (p *producer) linePrefix(n int) {
	p.spaces(max(n, 1))
	if p.one(3) {
		p.spaces(1 + p.rand.IntN(3))
	}
	if !p.simple && p.one(12) {
		p.write("\t")
	}
}

// blockNode writes s-l+block-node(n, c), after an indicator. A compact collection begins on the line
// of the indicator and has no properties.
func (p *producer) blockNode(n int, c context, marker bool) *Node {
	switch k := p.rand.IntN(10); {
	case p.budget > 0 && k < 5:
		return p.blockCollection(n, c)
	case k < 7 && (!marker || p.one(2)):
		return p.blockScalar(n)
	case k < 8 && len(p.anchors) > 0:
		p.separate(n+1, flowOut)
		node := p.alias()
		p.comments()
		return node
	}
	p.separate(n+1, flowOut)
	node := p.flowNode(n+1, flowOut)
	p.comments()
	return node
}

// blockCollection writes s-l+block-collection(n, c).
func (p *producer) blockCollection(n int, c context) *Node {
	tag, anchor := "", ""
	list := p.one(2)
	if p.one(6) {
		if p.one(4) {
			p.comments()
			p.spaces(max(n+1, 1))
		} else {
			p.blank()
		}
		tag, anchor = p.properties(n+1, flowOut, p.of("!!seq", "!", "!x"), list)
	}
	p.comments()
	column := n + 1 + p.rand.IntN(3)
	if list && c == blockOut && p.one(2) {
		column = n // seq-space(n, block-out)
	}
	var node *Node
	if list {
		node = p.blockSequence(max(column, 0))
	} else {
		node = p.blockMapping(column)
	}
	node.Tag = tag
	p.anchored(node, anchor)
	return node
}

// properties writes a tag and an anchor in any order, at least one of them. The anchor refers to the
// node only after it is complete.
func (p *producer) properties(n int, c context, tag string, list bool) (string, string) {
	if tag == "!!seq" && !list {
		tag = "!!map"
	}
	p.count++
	anchor := p.of("a", "é", "a.b/c", "x:y", "*&!") + fmt.Sprint(p.count)
	switch p.rand.IntN(4) {
	case 0:
		p.write(tag)
		return tag, ""
	case 1:
		p.write("&" + anchor)
		return "", anchor
	case 2:
		p.write(tag)
		p.separate(n, c)
		p.write("&" + anchor)
	default:
		p.write("&" + anchor)
		p.separate(n, c)
		p.write(tag)
	}
	return tag, anchor
}

func (p *producer) anchored(node *Node, anchor string) {
	if anchor != "" {
		node.Anchor = anchor
		p.anchors = append(p.anchors, node)
	}
}

func (p *producer) alias() *Node {
	to := p.anchors[p.rand.IntN(len(p.anchors))]
	p.write("*" + to.Anchor)
	return &Node{Kind: Alias, Anchor: to.Anchor}
}

// blockSequence writes l+block-sequence with its entries at a column.
func (p *producer) blockSequence(column int) *Node {
	p.spaces(column)
	return p.compactSequence(column)
}

// compactSequence writes the entries of a list. The first is written where the text ends.
func (p *producer) compactSequence(column int) *Node {
	node := &Node{Kind: List}
	for i := range 1 + p.rand.IntN(3) {
		p.budget--
		if i > 0 {
			p.spaces(column)
		}
		p.write("-")
		node.Items = append(node.Items, p.blockIndented(column, blockIn))
	}
	return node
}

// blockIndented writes s-l+block-indented(n, c): a compact collection, a node or nothing.
func (p *producer) blockIndented(n int, c context) *Node {
	if p.budget > 0 && p.one(4) {
		m := 1 + p.rand.IntN(3)
		p.spaces(m)
		if p.one(2) {
			return p.compactSequence(n + 1 + m)
		}
		return p.compactMapping(n + 1 + m)
	}
	return p.nodeOrNothing(n, c)
}

func (p *producer) nodeOrNothing(n int, c context) *Node {
	if p.one(10) {
		p.comments()
		return empty()
	}
	return p.blockNode(n, c, false)
}

func empty() *Node { return &Node{Kind: Scalar, Plain: true} }

// blockMapping writes l+block-mapping with its entries at a column.
func (p *producer) blockMapping(column int) *Node {
	p.spaces(column)
	return p.compactMapping(column)
}

// compactMapping writes the entries of a map. The first is written where the text ends.
func (p *producer) compactMapping(column int) *Node {
	node := &Node{Kind: Map}
	nothing := false // an empty key is there, or is not possible
	for i := range 1 + p.rand.IntN(3) {
		p.budget--
		if i > 0 {
			p.spaces(column)
		}
		var key, value *Node
		switch k := p.rand.IntN(12); {
		case k == 0 && !p.simple:
			key, value = p.explicitEntry(column)
			nothing = true // ": x" after "? k" is its value
		case k == 1 && !nothing && !p.simple:
			nothing = true
			p.write(":")
			key, value = empty(), p.nodeOrNothing(column, blockOut)
		default:
			key = p.key(blockKey)
			if p.one(10) {
				p.blank()
			}
			p.write(":")
			value = p.nodeOrNothing(column, blockOut)
		}
		node.Keys, node.Items = append(node.Keys, key), append(node.Items, value)
	}
	return node
}

// explicitEntry writes "? key" and ": value". The key is a scalar: a map or list cannot be one.
func (p *producer) explicitEntry(column int) (*Node, *Node) {
	p.write("?")
	var key *Node
	if p.one(3) {
		key = p.uniqueBlockScalar(column)
	} else {
		p.separate(column+1, flowOut)
		key = p.scalar(column+1, flowOut, true)
		p.comments()
	}
	if p.one(4) {
		return key, empty()
	}
	p.spaces(column)
	p.write(":")
	return key, p.blockIndented(column, blockOut)
}

// key writes a key that no other map entry of the text has.
func (p *producer) key(c context) *Node { return p.scalar(0, c, true) }

// flowNode writes ns-flow-node(n, c): an alias, a scalar or a collection, with properties.
func (p *producer) flowNode(n int, c context) *Node {
	p.budget--
	switch k := p.rand.IntN(10); {
	case k == 0 && len(p.anchors) > 0:
		return p.alias()
	case k < 4 && p.budget > 0:
		return p.flowCollection(n, c)
	}
	return p.scalar(n, c, false)
}

// flowCollection writes a list or map in flow style.
func (p *producer) flowCollection(n int, c context) *Node {
	list := p.one(2)
	tag, anchor := "", ""
	if p.one(8) {
		tag, anchor = p.properties(n, c, "!!seq", list)
		p.separate(n, c)
	}
	node := &Node{Kind: Map, Tag: tag}
	brackets := "{}"
	if list {
		node.Kind, brackets = List, "[]"
	}
	p.write(brackets[:1])
	p.maybeSeparate(n, flowIn)
	entries := p.rand.IntN(4)
	nothing := false
	for i := range entries {
		if list {
			node.Items = append(node.Items, p.flowItem(n))
		} else {
			key, value := p.flowEntry(n, &nothing)
			node.Keys, node.Items = append(node.Keys, key), append(node.Items, value)
		}
		p.maybeSeparate(n, flowIn)
		if i < entries-1 || p.one(6) {
			p.write(",")
			p.maybeSeparate(n, flowIn)
		}
	}
	p.write(brackets[1:])
	p.anchored(node, anchor)
	return node
}

func (p *producer) maybeSeparate(n int, c context) {
	if p.one(2) {
		p.separate(n, c)
	}
}

// flowItem writes ns-flow-seq-entry(n, c): a node, or a map of one entry without braces.
func (p *producer) flowItem(n int) *Node {
	switch k := p.rand.IntN(10); {
	case k == 0:
		p.write("?")
		p.separate(n, flowIn)
		nothing := true
		key, value := p.flowImplicitEntry(n, flowIn, &nothing, false)
		return &Node{Kind: Map, Keys: []*Node{key}, Items: []*Node{value}}
	case k == 1:
		nothing := false
		key, value := p.flowImplicitEntry(n, flowKey, &nothing, true)
		return &Node{Kind: Map, Keys: []*Node{key}, Items: []*Node{value}}
	}
	return p.flowNode(n, flowIn)
}

// flowEntry writes ns-flow-map-entry(n, c).
func (p *producer) flowEntry(n int, nothing *bool) (*Node, *Node) {
	if p.one(8) {
		p.write("?")
		p.separate(n, flowIn)
	}
	return p.flowImplicitEntry(n, flowIn, nothing, false)
}

// flowImplicitEntry writes ns-flow-map-implicit-entry(n, c): a key, and a value unless it is optional.
func (p *producer) flowImplicitEntry(n int, c context, nothing *bool, needsValue bool) (*Node, *Node) {
	if !*nothing && p.one(12) && !p.simple {
		*nothing = true
		p.write(":")
		return empty(), p.flowValue(n, true)
	}
	p.budget--
	key := p.scalar(n, c, true)
	if !needsValue && p.one(8) {
		return key, empty()
	}
	text := p.b.String()
	last := text[len(text)-1]
	quoted := !key.Plain && key.Kind == Scalar && (last == '"' || last == '\'')
	if p.one(6) {
		p.separate(n, c)
	}
	p.write(":")
	return key, p.flowValue(n, !quoted)
}

// flowValue writes the value after the ":" of an entry, or nothing.
func (p *producer) flowValue(n int, separated bool) *Node {
	if p.one(8) {
		p.write(" ") // "::" or ":x" would be something else
		return empty()
	}
	if separated || !p.one(3) {
		p.separate(n, flowIn)
	}
	return p.flowNode(n, flowIn)
}

// isOneOf reports whether a text has one of the bytes.
func isOneOf(c byte, set string) bool { return slices.Contains([]byte(set), c) }
