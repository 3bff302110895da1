package yaml

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Kind says what a node is.
type Kind uint8

// The kinds of nodes.
const (
	ScalarNode Kind = iota
	MapNode
	SeqNode
	AliasNode
)

// A Style says how a node was written.
type Style uint8

// The styles. A scalar has one of the first five; a map or list is block or flow.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal // |
	Folded  // >
	Block   // map or list
	Flow    // map or list
)

// A Node is one value of a YAML or JSON text. Nodes are immutable after parsing
// and may be shared between goroutines.
type Node struct {
	Kind  Kind
	Style Style

	// At is the value as written: quotes, block header and the brackets of flow
	// style included; tag, anchor and comments not. An empty value has an empty
	// span at the place where it would stand.
	At source.Span

	// Value is the data of a scalar, with its source spelling where that matters.
	Value value.Value

	// Items are the items of a list.
	Items []*Node

	// Entries are the entries of a map, in source order. YAML's "<<" is an entry
	// like any other here: see [Entry.Merge].
	Entries []Entry

	// Details are what few nodes have. It is never nil: the others share an empty
	// one, since nodes are most of the memory that a big text takes.
	*Details
}

// Details are the parts of a node that are not its data.
type Details struct {
	// Tag is an explicit tag as written ("!Ref", "!!str", "!<...>"), or "".
	Tag   string
	TagAt source.Span

	// Anchor is the name after "&", or "". For an AliasNode it is the name after "*".
	Anchor   string
	AnchorAt source.Span

	// Target is what an alias stands for.
	Target *Node

	// Comments are those around the node; for the value of an entry they stand on
	// the entry.
	Comments
}

// Comments are the comments around something, each line with its "#".
type Comments struct{ Head, Line, Foot string }

// What nodes and entries have that have nothing. They are never changed.
var (
	noDetails  = &Details{}
	noComments = &Comments{}
)

// newNode returns a node without details.
func newNode(nodes *slab[Node]) *Node {
	n := nodes.one()
	n.Details = noDetails
	return n
}

// details returns details of n's own, to be filled in.
func (n *Node) details() *Details {
	if n.Details == noDetails {
		n.Details = &Details{}
	}
	return n.Details
}

// takeComments returns the comments of n and removes them there.
func (n *Node) takeComments() Comments {
	taken := n.Comments
	if taken != (Comments{}) {
		n.details().Comments = Comments{}
	}
	return taken
}

// An Entry is one entry of a map.
type Entry struct {
	Key     value.Key
	KeyNode *Node // its span, style, spelling
	Value   *Node

	// Merge says that the key is YAML's plain "<<".
	Merge bool

	// Comments are those around the entry. It is never nil.
	*Comments
}

func (e *Entry) setComments(c Comments) {
	e.Comments = noComments
	if c != (Comments{}) {
		e.Comments = &c
	}
}

// A Document is one document of a file.
type Document struct {
	Root *Node // nil if the document is empty
	At   source.Span

	// Head and Foot are the comments before and behind the content that stand
	// apart from it.
	Head, Foot string

	// Options are the switches in the file's first comment block,
	// "# yaytpl: templates=off literals=off", by name; true means on.
	// They are those of the file, the same for each of its documents.
	Options map[string]bool
}
