package yaml

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Outline has the upper levels of the tree of a YAML text: enough to look up one value,
// in a fraction of the memory of all nodes. The whole text was parsed once. Deeper levels
// are parsed again when they are needed:
//
//	services:      # the root and the map of services are kept
//	  shop:        # the map of shop is omitted: Content parses it again
//	    port: 80
type Outline struct {
	file *source.File
	opts ParseOptions
	root *Node
}

// outlineDepth is the number of levels that an outline keeps. A map below is usually one
// of many, such as a service or a resource, and quickly parsed again.
const outlineDepth = 3

// omitted marks the lists and maps whose content an outline omits.
var omitted = &Parts{Details: &emptyDetails}

// ParseOutline parses a text of plain data: one document with a map or list, without
// anchors, aliases, tags, "<<", items such as [a: 1], file options and keys that begin with "+".
// For any other text, and for one with errors, ok is false, and [Parse] has to parse it.
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

// parsePlain parses a text of plain data and returns the root of its only document, nil if
// it is empty. It keeps depth levels; 0 means all.
func parsePlain(f *source.File, opts ParseOptions, depth int) (root *Node, ok bool) {
	p := newTreeParser(f, opts)
	if p.loneReturns { // an excerpt is found by its newlines
		return nil, false
	}
	p.plain, p.keep, p.ahead = true, depth, 1
	docs := p.documents()
	if p.reason != "" || len(docs) != 1 || p.outdented { // an excerpt would not have the line of the opening bracket
		return nil, false
	}
	return docs[0].Root, true
}

// Root returns the root of the document, a map or list.
func (o *Outline) Root() *Node { return o.root }

// Content returns a node with its items or entries; those further down may be omitted. It
// returns nil if the excerpt cannot be parsed. The spans of a node that is parsed again are
// spans of the excerpt, not of the file.
func (o *Outline) Content(n *Node) *Node {
	if n.Parts != omitted {
		return n
	}
	n, _ = parsePlain(o.excerpt(n), o.opts, 0)
	return n
}

// Value returns the data of a node. ok is false if there may be comments in or around it,
// which an outline does not keep, or if an excerpt cannot be parsed.
func (o *Outline) Value(n *Node) (v value.Value, ok bool) {
	if n.Kind != ScalarNode {
		text, end := n.At.File.Text, int(n.At.End)
		if end < len(text) && text[end] == ',' {
			end++
		}
		if strings.Contains(text[lineBefore(text, int(n.At.Start)):afterGap(text, end)], "#") {
			return value.Null, false // there may be comments in it or around it
		}
	}
	if n = o.complete(n); n == nil {
		return value.Null, false
	}
	v, err := n.ToValue()
	return v, err == nil
}

// complete returns a node with all levels below it, nil if an excerpt cannot be parsed.
func (o *Outline) complete(n *Node) *Node {
	if n.Parts == omitted {
		return o.Content(n)
	}
	complete := *n
	complete.Parts = &Parts{slices.Clone(n.Items), slices.Clone(n.Entries), n.Details}
	for i, item := range n.Items {
		if complete.Items[i] = o.complete(item); complete.Items[i] == nil {
			return nil
		}
	}
	for i, e := range n.Entries {
		if complete.Entries[i].Value = o.complete(e.Value); complete.Entries[i].Value == nil {
			return nil
		}
	}
	return &complete
}

// lineBefore returns the start of the last line before an offset that has more than blanks, a
// comment or the "-" of items. The comments of the node at the offset are after it.
func lineBefore(text string, at int) int {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	for start > 0 {
		line := text[strings.LastIndexByte(text[:start-1], '\n')+1 : start]
		start -= len(line)
		if line = strings.TrimLeft(line, " \t\r\n-"); line != "" && line[0] != '#' {
			break
		}
	}
	return start
}

// afterGap returns the end of the blanks, line breaks and comments that begin at an offset.
func afterGap(text string, at int) int {
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

// excerpt returns the text of a node, indented by its column, with the comments and empty
// lines after it, which may be a part of a block scalar. A "#" replaces the comments
// before it.
func (o *Outline) excerpt(n *Node) *source.File {
	text, start := o.file.Text, int(n.At.Start)
	before := ""
	if strings.Contains(text[lineBefore(text, start):start], "#") {
		before = "#\n"
	}
	column := start - 1 - strings.LastIndexByte(text[:start], '\n')
	end := afterGap(text, int(n.At.End))
	if end < len(text) { // the indentation of what follows is not a line of a block scalar
		end = max(int(n.At.End), len(strings.TrimRight(text[:end], " \t")))
	}
	return source.NewFile(o.file.Name, before+strings.Repeat(" ", column)+text[start:end])
}

// omit reports whether a list or map is too deep for the outline. Those of the first such
// level are marked as omitted.
func (p *treeParser) omit(n *Node) (omit bool) {
	if p.keep == 0 || p.depth < p.keep {
		return false
	}
	if p.depth == p.keep {
		n.Parts = omitted
	}
	return true
}
