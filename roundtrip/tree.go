package roundtrip

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Kind says what a node is.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota
	Map
	List
	Alias
)

// String returns the word that messages use.
func (k Kind) String() string { return [...]string{"scalar", "map", "list", "alias"}[k] }

// A Style says how a node is written.
type Style uint8

// The styles. A scalar has one of the first five; a map or list is block or flow.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal
	Folded
	Block
	Flow
)

// A Document is one document of a text.
type Document interface {
	// Root is nil for an empty document.
	Root() Node

	// At is where the document stands: from its first to behind its last character
	// that is content. Of an empty document it is the place where content would be.
	At() source.Span

	// Fragment reads some whole lines as if they stood in this document. Their first
	// line gives the indentation.
	Fragment(text string) (Node, error)
}

// A Node is a node of a parsed text. Nodes are compared with ==: a tree gives the
// same node for the same place each time.
type Node interface {
	Kind() Kind
	Style() Style

	// At is the value as written, without tag, anchor and comments. It is empty for
	// a value that is not written at all, wherever it is then.
	At() source.Span

	// Tag is an explicit tag and where it stands, or "".
	Tag() (string, source.Span)

	// Anchor is the name of an anchor and where it stands, or ""; of an alias the
	// name that it uses.
	Anchor() (string, source.Span)

	// Target is what an alias stands for.
	Target() Node

	// Scalar is the data of a scalar.
	Scalar() value.Value

	// Len is the number of entries or items.
	Len() int

	// Entry returns an entry of a map, in the order of the text.
	Entry(i int) Entry

	// Item returns an item of a list.
	Item(i int) Node
}

// An Entry is one entry of a map.
type Entry struct {
	Key     value.Key
	KeyNode Node
	Value   Node
	Merge   bool // YAML's plain "<<"
}

// A Syntax is a notation for documents.
type Syntax interface {
	// Parse reads all documents of a text. Anything that it finds wrong is an error.
	Parse(f *source.File) ([]Document, error)

	// Blocks reports whether there is block style, with indentation, comments and
	// keys of any kind. Otherwise there is JSON.
	Blocks() bool

	// ScalarText writes a scalar on one line, without its tag, and returns false if
	// the style cannot hold it. DoubleQuoted holds every text.
	ScalarText(v value.Value, style Style, flow bool) (string, bool)

	// BlockText writes a text as a literal or folded scalar, with lines broken
	// behind width characters if they can be and width is not 0.
	BlockText(text string, style Style, width int) (BlockText, bool)
}

// A BlockText is the content of a literal or folded scalar without indentation.
type BlockText struct {
	Lines  []string
	Breaks int  // line breaks at the end of the text
	Blank  bool // the first line begins with a blank
}

// isEmpty reports whether nothing is written for the value of a node.
func isEmpty(n Node) bool {
	at := n.At()
	return n.Kind() == Scalar && n.Style() == Plain && at.Start == at.End
}

// properties returns the range of the tag and the anchor of a node, and false if it
// has none.
func properties(n Node) (start, end int, ok bool) {
	tag, tagAt := n.Tag()
	anchor, anchorAt := n.Anchor()
	if n.Kind() == Alias {
		anchor = ""
	}
	switch {
	case tag != "" && anchor != "":
		return int(min(tagAt.Start, anchorAt.Start)), int(max(tagAt.End, anchorAt.End)), true
	case tag != "":
		return int(tagAt.Start), int(tagAt.End), true
	case anchor != "":
		return int(anchorAt.Start), int(anchorAt.End), true
	}
	return 0, 0, false
}

// startOf returns where a node begins, tag and anchor included.
func startOf(n Node) int {
	if start, _, ok := properties(n); ok {
		return start
	}
	return int(n.At().Start)
}

// childAt returns the key, whether it is "<<", and the node of entry or item i.
func childAt(n Node, i int) (key value.Key, merge bool, child Node) {
	if n.Kind() == Map {
		e := n.Entry(i)
		return e.Key, e.Merge, e.Value
	}
	return value.Index(i), false, n.Item(i)
}
