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

	// Tag is an explicit tag as written ("!Ref", "!!str", "!<...>"), or "".
	Tag   string
	TagAt source.Span

	// Anchor is the name after "&", or "". For an AliasNode it is the name after "*".
	Anchor   string
	AnchorAt source.Span

	// Value is the data of a scalar, with its source spelling where that matters.
	Value value.Value

	// Items are the items of a list.
	Items []*Node

	// Entries are the entries of a map, in source order. YAML's "<<" is an entry
	// like any other here: see [Entry.Merge].
	Entries []Entry

	// Target is what an alias stands for.
	Target *Node

	// Head, Line and Foot are the comments around the node, each line with its
	// "#"; for the value of an entry they stand on the entry.
	Head, Line, Foot string
}

// An Entry is one entry of a map.
type Entry struct {
	Key     value.Key
	KeyNode *Node // its span, style, spelling
	Value   *Node

	// Merge says that the key is YAML's plain "<<".
	Merge bool

	Head, Line, Foot string // comments around the entry
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
