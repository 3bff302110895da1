package yaml

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Outline is a YAML text that was read whole, but of which only the upper levels are
// kept: enough to find one place, for a fraction of the memory that all nodes take. What
// lies deeper is read again when somebody gets there.
type Outline struct {
	file *source.File
	opts ParseOptions
	root *Node
}

// outlineDepth is how many levels of maps and lists an outline keeps. Below, there is
// mostly one thing of many, a service or a resource, which is quickly read again.
const outlineDepth = 3

// omitted are the details of lists and maps whose content an outline left out.
var omitted = &Details{}

// ParseOutline reads a text of plain data: one document, a map or list, without anchors,
// aliases, tags, "<<", switches of the file, and keys that begin with "+". Of any other
// text, and of one with errors, ok is false: [Parse] has to read it.
func ParseOutline(f *source.File, opts ParseOptions) (o *Outline, ok bool) {
	if checkSize(f, opts) != nil || fileOptions(f.Text) != nil || strings.HasPrefix(f.Text, byteOrderMark) {
		return nil, false
	}
	root, ok := parsePlain(f, opts, outlineDepth)
	if !ok || root == nil || root.Kind == ScalarNode {
		return nil, false
	}
	return &Outline{f, opts, root}, true
}

// parsePlain parses a text for an outline and returns the root of its only document, nil
// if it is empty. With a depth of 0 the tree is complete.
func parsePlain(f *source.File, opts ParseOptions, depth int) (root *Node, ok bool) {
	p := newTreeParser(f, opts)
	p.plain, p.keep = true, depth
	docs := p.documents()
	if p.reason != "" || len(docs) != 1 {
		return nil, false
	}
	return docs[0].Root, true
}

// Root returns the outermost map or list.
func (o *Outline) Root() *Node { return o.root }

// Content returns a node with its own items or entries, whatever is left out below them;
// nil if they cannot be told. Where it had none before, its places are those of a text of
// its own, not of the file.
func (o *Outline) Content(n *Node) *Node {
	if n.Details != omitted {
		return n
	}
	n, _ = parsePlain(o.excerpt(n), o.opts, 0)
	return n
}

// Value returns the data of a node. ok is false if there are comments in it, which an
// outline does not keep, or if it cannot be told.
func (o *Outline) Value(n *Node) (v value.Value, ok bool) {
	if n.Kind != ScalarNode {
		text, end := n.At.File.Text, int(n.At.End)
		if end < len(text) && text[end] == ',' {
			end++
		}
		if strings.Contains(text[lineBefore(text, int(n.At.Start)):behindGap(text, end)], "#") {
			return value.Null, false // there may be comments in it or around it
		}
	}
	if n = o.complete(n); n == nil {
		return value.Null, false
	}
	v, err := n.ToValue()
	return v, err == nil
}

// complete returns a node with all that is below it, nil if it cannot be told.
func (o *Outline) complete(n *Node) *Node {
	if n.Details == omitted {
		return o.Content(n)
	}
	complete := *n
	complete.Items = slices.Clone(n.Items)
	for i, item := range n.Items {
		if complete.Items[i] = o.complete(item); complete.Items[i] == nil {
			return nil
		}
	}
	complete.Entries = slices.Clone(n.Entries)
	for i, e := range n.Entries {
		if complete.Entries[i].Value = o.complete(e.Value); complete.Entries[i].Value == nil {
			return nil
		}
	}
	return &complete
}

// lineBefore returns where the last line begins that ends before an offset and is more
// than a comment. Comments of something stand behind that.
func lineBefore(text string, at int) int {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	for start > 0 {
		line := text[strings.LastIndexByte(text[:start-1], '\n')+1 : start]
		start -= len(line)
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			break
		}
	}
	return start
}

// behindGap returns where the blanks, line breaks and comments end that begin at an offset.
func behindGap(text string, at int) int {
	for at < len(text) {
		switch text[at] {
		case ' ', '\t', '\r', '\n':
			at++
		case '#':
			line, _, _ := strings.Cut(text[at:], "\n")
			at += len(line)
		default:
			return at
		}
	}
	return at
}

// excerpt returns the text of a node, in the column where it stands, with the empty
// lines behind it, which may be a part of a block scalar, and the comments. A comment
// before it has a line that stands for it.
func (o *Outline) excerpt(n *Node) *source.File {
	text, start := o.file.Text, int(n.At.Start)
	before := ""
	if strings.Contains(text[lineBefore(text, start):start], "#") {
		before = "#\n"
	}
	column := start - 1 - strings.LastIndexByte(text[:start], '\n')
	return source.NewFile(o.file.Name, before+strings.Repeat(" ", column)+text[start:behindGap(text, int(n.At.End))])
}

// omit lets go of the content of a list or map that lies too deep for an outline.
func (p *treeParser) omit(n *Node) (omit bool) {
	if p.keep == 0 || p.depth < p.keep {
		return false
	}
	if p.depth == p.keep {
		n.Details = omitted
	}
	return true
}

// A nodeStack lends nodes that are soon given back.
type nodeStack struct {
	nodes []*Node
	used  int
}

func (s *nodeStack) one() *Node {
	if s.used == len(s.nodes) {
		s.nodes = append(s.nodes, &Node{})
	}
	n := s.nodes[s.used]
	s.used++
	*n = Node{}
	return n
}
