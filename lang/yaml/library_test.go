package yaml

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	yamlv3 "gopkg.in/yaml.v3"
)

// parseAny parses a text with the library, one document after the other.
func parseAny(f *source.File, opts ParseOptions) ([]*Document, []*source.Diagnostic) {
	s := newScanner(f.Text, opts)
	s.run()
	switch {
	case s.tooDeep >= 0:
		return nil, []*source.Diagnostic{tooDeep(f, s.tooDeep, opts)}
	case s.tooMany >= 0:
		return nil, []*source.Diagnostic{tooManyValues(f, s.tooMany, opts)}
	}
	text := s.standIns()
	c := &converter{file: f, text: text, edits: s.edits, opts: opts, place: newPosition(f, text)}
	dec := yamlv3.NewDecoder(strings.NewReader(text))
	var docs []*Document
	for {
		n, err := decodeNext(dec)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return docs, c.found.all(source.Errorf(f.Span(0, 0), source.Syntax, "%v", err))
		}
		d := c.document(n)
		if len(docs) == maxDocuments {
			return nil, []*source.Diagnostic{tooManyDocuments(f, int(d.At.Start))}
		}
		docs = append(docs, d)
	}
	if len(docs) == 0 {
		docs = append(docs, &Document{At: f.Span(0, len(f.Text))})
	}
	return docs, c.found.all()
}

// decodeNext decodes the next document. A panic of the library becomes an error.
func decodeNext(dec *yamlv3.Decoder) (n *yamlv3.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("this text cannot be parsed: %v", r)
		}
	}()
	n = &yamlv3.Node{}
	return n, dec.Decode(n)
}

// A converter makes our nodes of the library's, which have a line and column but no end.
// It visits them in the order of the text, so that one pass finds all offsets.
type converter struct {
	file  *source.File
	text  string // the file's text with stand-ins
	edits []edit // those after the last converted scalar
	opts  ParseOptions

	place   position
	end     int // of the last converted node
	depth   int
	anchors map[string]*Node // by their names in the file, which differ where the library has stand-ins
	nodes   slab[Node]
	found   findings
}

// document converts a document node of the library.
func (c *converter) document(n *yamlv3.Node) *Document {
	c.anchors = nil
	start := c.place.offset(n.Line, n.Column)
	d := &Document{Head: n.HeadComment, Foot: n.FootComment}
	root := c.node(n.Content[0])
	if !isAbsent(root) {
		d.Root = root
	}
	if root.Style != Block { // the library leaves these at the root, where no encoder finds them
		d.Head = joinComments(d.Head, root.Head)
		d.Foot = joinComments(joinComments(root.Line, root.Foot), d.Foot)
	}
	d.At = c.file.Span(start, max(c.end, start))
	return d
}

// node converts a node. Nodes beyond the maximum depth are reported once and left empty.
func (c *converter) node(n *yamlv3.Node) *Node {
	out := newNode(&c.nodes)
	if n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" {
		out.details().Comments = Comments{n.HeadComment, n.LineComment, n.FootComment}
	}
	start := c.place.offset(n.Line, n.Column)
	c.depth++
	switch {
	case c.depth > c.opts.maxDepth():
		d := tooDeep(c.file, start, c.opts)
		if last := c.found.tallies[d.Severity].last; last == nil || last.Code != d.Code {
			c.found.add(d)
		}
	case n.Kind == yamlv3.AliasNode:
		out.Kind = AliasNode
		end := start + 1 + len(n.Value)
		d := out.details()
		d.Anchor = c.file.Text[start+1 : end]
		d.Target = c.anchors[d.Anchor]
		c.spanTo(out, start, end)
		if d.Target == nil { // the library takes stand-ins, and anchors of earlier documents
			c.found.add(noAnchor(out.At, d.Anchor, maps.Keys(c.anchors), source.Span{}))
		}
	case n.Kind == yamlv3.ScalarNode:
		c.scalar(out, n, start)
	case n.Kind == yamlv3.SequenceNode:
		out.Kind = SeqNode
		c.collection(out, n, start, '[')
	case n.Kind == yamlv3.MappingNode:
		out.Kind = MapNode
		c.collection(out, n, start, '{')
	}
	c.depth--
	return out
}

// spanTo sets the span of a node that ends at end.
func (c *converter) spanTo(out *Node, start, end int) {
	out.At = c.file.Span(start, end)
	c.end = max(c.end, end)
}

// collection converts a list or a map and finds where it ends.
func (c *converter) collection(out *Node, n *yamlv3.Node, start int, bracket byte) {
	flow := n.Style&yamlv3.FlowStyle != 0
	if flow || n.Anchor != "" || n.Style&yamlv3.TaggedStyle != 0 {
		details := out.Details
		content, _ := c.properties(out, n, start)
		if pair := flow && out.Kind == MapNode && content < len(c.text) && c.text[content] != bracket; pair {
			out.Details = details // the properties are those of its key
		} else {
			start = content
		}
	}
	out.Style = Block
	if flow {
		out.Style = Flow
	}
	if out.Tag != "" && !fitsTag(out.Tag, map[Kind]string{SeqNode: "!!seq", MapNode: "!!map"}[out.Kind]) {
		c.found.add(source.Errorf(out.TagAt, source.BadValue, "the tag %s", out.Tag))
	}
	bracketed := flow && start < len(c.text) && c.text[start] == bracket
	c.end = start
	if bracketed {
		c.end = start + 1
	}
	if out.Kind == SeqNode {
		out.parts().Items = make([]*Node, len(n.Content))
		for i, item := range n.Content {
			out.Items[i] = c.node(item)
			n.Content[i] = nil // the library's tree shrinks while ours grows
		}
	} else {
		out.parts().Entries = make([]Entry, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := c.node(n.Content[i])
			e := entryOf(value.Key{}, key, c.node(n.Content[i+1]))
			all, of := key.takeComments(), e.Value.takeComments()
			if text := e.Value.propertyComment(); text != "" {
				all.Line = joinComments(all.Line, text)
			}
			joinEntryComments(&all, &of, e.Value)
			e.setComments(all)
			if c.setKey(&e) {
				if merge := n.Content[i].Tag == "!!merge" && key.Tag == ""; merge != e.IsMerge() {
					panic(fmt.Sprintf("%s: IsMerge is %t", e.KeyAt, !merge))
				}
				out.parts().Entries = append(out.Entries, e)
			}
			n.Content[i], n.Content[i+1] = nil, nil
		}
		out.parts().Entries = uniqueKeys(out.Entries, c.opts, &c.found)
	}
	if bracketed {
		c.end = c.closing(c.end)
	}
	c.spanTo(out, start, c.end)
}

// setKey sets the key of an entry. It reports an error if the key is a map or list.
func (c *converter) setKey(e *Entry) bool {
	k := e.key
	if k.Kind == AliasNode && k.Target != nil {
		k = k.Target
	}
	if k.Kind == ScalarNode {
		if key, ok := value.KeyOf(k.Value.WithoutSource()); ok {
			e.Key = key
			return true
		}
	}
	kind := map[Kind]string{MapNode: "map", SeqNode: "list"}[k.Kind]
	d := source.Errorf(e.KeyAt, source.BadKey, "a %s cannot be a key", kind)
	if start := int(e.KeyAt.Start); k.Kind == MapNode && start > 0 && c.text[start-1] == '{' {
		d.WithHint("quote the template")
	}
	c.found.add(d)
	return false
}

// properties reads the anchor and the tag of a node that begins at an offset. It returns
// the start of the content and the end of the properties.
func (c *converter) properties(out *Node, n *yamlv3.Node, at int) (content, end int) {
	tagged := n.Style&(yamlv3.TaggedStyle|yamlv3.FlowStyle) != 0
	content, end = at, at
	for content < len(c.text) {
		switch {
		case c.text[content] == '&' && n.Anchor != "" && out.Anchor == "":
			end = content + 1 + len(n.Anchor)
			d := out.details()
			d.Anchor, d.AnchorAt = c.file.Text[content+1:end], c.file.Span(content, end)
			if c.anchors == nil {
				c.anchors = map[string]*Node{}
			}
			c.anchors[d.Anchor] = out
		case c.text[content] == '!' && out.Tag == "" &&
			// Else it is the tag of the first key of n. The library does not report a lone "!".
			(tagged || n.Kind != yamlv3.MappingNode && c.tagEnd(content) == content+1):
			end = c.tagEnd(content)
			d := out.details()
			d.Tag, d.TagAt = tagName(c.text[content:end], n.Tag), c.file.Span(content, end)
		default:
			return content, end
		}
		content = c.skipSpace(end)
	}
	return content, end
}

// tagEnd returns the end of the tag that begins at i.
func (c *converter) tagEnd(i int) int {
	for i < len(c.text) && librarySpaceAt(c.text, i) == 0 {
		i++
	}
	return i
}

// skipSpace skips blanks, line breaks and comments.
func (c *converter) skipSpace(i int) int {
	for i < len(c.text) {
		switch n := librarySpaceAt(c.text, i); {
		case n > 0:
			i += n
		case c.text[i] == '#':
			i = libraryLineEnd(c.text, i)
		default:
			return i
		}
	}
	return i
}

// closing returns the end of the next closing bracket, which ends a flow collection.
func (c *converter) closing(i int) int {
	for i = c.skipSpace(i); i < len(c.text); i = c.skipSpace(i + 1) {
		if b := c.text[i]; b == ']' || b == '}' {
			return i + 1
		}
	}
	return i
}

// scalar converts a scalar that begins, with its properties, at start, and finds its end.
func (c *converter) scalar(out *Node, n *yamlv3.Node, start int) {
	start, propEnd := c.properties(out, n, start)
	end := start
	switch {
	case n.Style&yamlv3.DoubleQuotedStyle != 0:
		out.Style = DoubleQuoted
		end, _ = quotedEnd(c.text, start)
	case n.Style&yamlv3.SingleQuotedStyle != 0:
		out.Style = SingleQuoted
		end, _ = quotedEnd(c.text, start)
	case n.Style&yamlv3.LiteralStyle != 0:
		out.Style = Literal
		end = blockEnd(c.text, start, n.Value)
	case n.Style&yamlv3.FoldedStyle != 0:
		out.Style = Folded
		end = blockEnd(c.text, start, n.Value)
	case n.Value == "":
		start, end = propEnd, propEnd
	default:
		end = plainEnd(c.text, start, n.Value)
	}
	c.spanTo(out, start, end)
	v, d := scalarValue(out, c.restore(n.Value, out.Style, start, end))
	if out.Value = v; d != nil {
		c.found.add(d)
	}
}

// restore returns the text of a scalar, decoded from the source again if it has stand-ins.
func (c *converter) restore(text string, style Style, start, end int) string {
	for len(c.edits) > 0 && c.edits[0].end <= start {
		c.edits = c.edits[1:]
	}
	if len(c.edits) == 0 || c.edits[0].start >= end {
		return text
	}
	d := decodeText(c.file.Text[start:end], style, text)
	return d.text.String()
}

// A position converts the library's lines and columns to byte offsets. Columns count
// characters; lines also break at NEL, LS and PS; a byte order mark has no width. It keeps
// the last place, so that one pass over a text takes linear time even if a line is long.
type position struct {
	file   *source.File
	text   string
	narrow bool     // each character is one byte
	lines  []uint32 // line starts, if they are not those of the file

	line, col, off int
}

func newPosition(f *source.File, text string) position {
	p := position{file: f, text: text, narrow: utf8.RuneCountInString(text) == len(text)}
	if strings.Contains(text, "\u0085") || strings.Contains(text, "\u2028") || strings.Contains(text, "\u2029") {
		p.lines = []uint32{0}
		for i := 0; i < len(text); i++ {
			if n := libraryBreakAt(text, i); n > 0 {
				i += n - 1
				p.lines = append(p.lines, uint32(i+1))
			}
		}
	}
	return p
}

// lineStart returns the offset of the first character of a line, counted from 1.
func (p *position) lineStart(line int) int {
	start := 0
	switch {
	case p.lines == nil:
		start = p.file.LineStart(line)
	case line > len(p.lines):
		return len(p.text)
	case line > 0:
		start = int(p.lines[line-1])
	}
	if line == 1 {
		start += afterMark(p.text)
	}
	return start
}

// offset returns the byte offset of a line and column, both counted from 1.
func (p *position) offset(line, col int) int {
	if p.narrow {
		return min(p.lineStart(line)+max(col, 1)-1, len(p.text))
	}
	if line != p.line || col < p.col {
		p.line, p.col, p.off = line, 1, p.lineStart(line)
	}
	for p.col < col && p.off < len(p.text) {
		_, n := utf8.DecodeRuneInString(p.text[p.off:])
		p.off += n
		p.col++
	}
	return p.off
}

// plainEnd returns the end of the plain scalar at start by comparing the source with its
// text, where the library folded blanks and line breaks.
func plainEnd(src string, start int, text string) int {
	if strings.HasPrefix(src[start:], text) {
		return start + len(text)
	}
	i := start
	for j := 0; j < len(text) && i < len(src); {
		if n := librarySpaceAt(text, j); n > 0 {
			j += n
			continue
		}
		if n := librarySpaceAt(src, i); n > 0 {
			i += n
			continue
		}
		_, n := utf8.DecodeRuneInString(text[j:])
		i, j = i+n, j+n
	}
	return min(i, len(src))
}

// blockEnd returns the end of the block scalar at start: the end of its last line with
// text, or, for "|+", of the blank lines after it.
func blockEnd(src string, start int, text string) int {
	i := libraryLineEnd(src, start)
	keepsBreaks := strings.IndexByte(src[start:min(i, start+3)], '+') > 0
	end := i
	if text == "" {
		return end
	}
	indent, allBlank := -1, strings.Trim(text, " \n") == ""
	for n := libraryBreakAt(src, i); n > 0; n = libraryBreakAt(src, i) {
		line := i + n
		i = line
		for i < len(src) && src[i] == ' ' && (indent < 0 || i-line < indent) {
			i++
		}
		blank := i >= len(src) || libraryBreakAt(src, i) > 0
		if !blank && allBlank {
			break
		}
		if !blank && indent < 0 {
			indent = max(i-line-leadingSpaces(strings.TrimLeft(text, "\n")), 0)
		}
		if !blank && (i-line < indent || indent == 0 && isMarker(src[line:])) {
			break
		}
		i = libraryLineEnd(src, i)
		if !blank || keepsBreaks && libraryBreakAt(src, i) > 0 {
			end = i
		}
	}
	return end
}

// tagName returns a tag as written, or its resolved form if its handle is one that the
// document's %TAG defines.
func tagName(written, resolved string) string {
	if written == "!" || strings.HasPrefix(written, "!<") || tagHandle(written) == "!" && strings.HasPrefix(resolved, "!") {
		return written
	}
	if name, own := strings.CutPrefix(resolved, "!!"); own {
		if escapeURI(name) == name && !strings.Contains(name, "!") {
			return resolved
		}
		resolved = "tag:yaml.org,2002:" + name
	}
	return "!<" + escapeURI(resolved) + ">"
}

// libraryBreakAt is breakAt for the library: there, NEL, LS and
// PS (U+0085, U+2028, U+2029) are line breaks too.
func libraryBreakAt(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	switch s[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(s) && s[i+1] == '\n' {
			return 2
		}
		return 1
	case 0xC2:
		if i+1 < len(s) && s[i+1] == 0x85 {
			return 2
		}
	case 0xE2:
		if i+2 < len(s) && s[i+1] == 0x80 && (s[i+2] == 0xA8 || s[i+2] == 0xA9) {
			return 3
		}
	}
	return 0
}

// librarySpaceAt returns the length of the blank or line break at i, or 0.
func librarySpaceAt(s string, i int) int {
	if isBlank(s[i]) {
		return 1
	}
	return libraryBreakAt(s, i)
}

// libraryLineEnd returns the offset of the first line break from i on, or the length of the text.
func libraryLineEnd(s string, i int) int {
	for i < len(s) && libraryBreakAt(s, i) == 0 {
		i++
	}
	return i
}

// takeComments removes the comments of n and returns them.
func (n *Node) takeComments() Comments {
	taken := n.Comments
	if taken != (Comments{}) {
		n.details().Comments = Comments{}
	}
	return taken
}
