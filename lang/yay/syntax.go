package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Tree is a document as it is written. Trees are immutable once parsed.
type Tree struct {
	File *source.File
	Root *Block // never nil; without stanzas for an empty document

	// Foot are the comments and empty lines after the last stanza.
	Foot []string
}

// A Block is the stanzas of one level of indentation (spec: yay, section 2).
type Block struct {
	At      source.Span
	Stanzas []Stanza

	// Foot are the comments after the last stanza that belong to the block by
	// their indentation. Those of the whole document are in the tree.
	Foot []string
}

// A Stanza is one statement of a block: data or a directive. The set is closed.
type Stanza interface {
	Span() source.Span
	Around() *Layout
	stanza()
}

// A Layout is the position of a stanza and the comments around it. It has no effect on
// the evaluation; the formatter keeps it. Every stanza embeds one.
type Layout struct {
	// At is the stanza without its blocks: the key with its value, the line of a
	// directive.
	At source.Span
	// Lead are the comment lines before the stanza, each from its "#"; an empty
	// text is an empty line.
	Lead []string
	// Trail is the comment after the stanza on its line, from its "#".
	Trail string
}

// Span returns the place of the stanza.
func (l *Layout) Span() source.Span { return l.At }

// Around returns l.
func (l *Layout) Around() *Layout { return l }

func (*Layout) stanza() {}

type (
	// A Pair is a key with its value, of a mapping: "key: value", or "extend key:
	// value". A nil Value is blank: the empty text.
	Pair struct {
		Layout
		Key    string
		KeyAt  source.Span
		Extend bool
		Value  Value
	}

	// An Item is an item of a list: "- value". An item that is a mapping has a
	// *Block as its value. A Bare item is a line "{{ expression }}" without a dash,
	// in the body of a loop.
	Item struct {
		Layout
		Value Value
		Bare  bool
	}

	// An Include is "include operand". With Text it is "% import", whose operand is a
	// text with expressions: a literal or an [expr.Concat].
	Include struct {
		Layout
		Operand expr.Node
		Text    bool
	}

	// A Search is "search operand".
	Search struct {
		Layout
		Operand expr.Node
	}

	// A Configure is "configure name:" with settings for the host.
	Configure struct{ Definition }

	// A Set is "set name = value". With several names the value is a list.
	Set struct {
		Layout
		Targets []Target
		Value   expr.Node
	}

	// An If is "if", its "elif"s and its "else". The comments before it are in its
	// layout, the comment after it on its line is in the layout of the first branch.
	If struct {
		Layout
		Branches []Branch
		Else     *Branch // Cond is nil; nil without "else"
	}

	// A For is "for names in source [if filter]:".
	For struct {
		Layout
		Targets []Target
		In      expr.Node
		If      expr.Node // nil without a filter
		Body    *Block
	}

	// A Select is "select operand:" with its cases. Foot is as for a block.
	Select struct {
		Layout
		On    expr.Node
		Cases []*Case
		Foot  []string
	}

	// A Macro is "macro name:".
	Macro struct{ Definition }

	// A Call is "call macro:" with the arguments, nil for none.
	Call struct {
		Layout
		Macro expr.Node
		Args  *Block
	}

	// A Prototype is "prototype name:".
	Prototype struct{ Definition }

	// A New is "new class:", "new class as key:" or "create class:" with the
	// arguments, nil for none.
	New struct {
		Layout
		Class  expr.Node
		Create bool // the class is the text of a path
		As     string
		AsAt   source.Span
		Args   *Block
	}
)

// A Definition is a block with a name.
type Definition struct {
	Layout
	Name   string
	NameAt source.Span
	Body   *Block
}

// A Target is a name that a directive binds.
type Target struct {
	Name string
	At   source.Span
}

// A Branch is one arm of an "if". Its layout describes its own line.
type Branch struct {
	Layout
	Cond expr.Node
	Body *Block
}

// A Case is one arm of a "select". The case "else:" matches all other keys. A nil Value
// is blank.
type Case struct {
	Layout
	Key   string
	KeyAt source.Span
	Else  bool
	Value Value
}

// A Value is the value of a key or an item. The set is closed: [*Block], [*Scalar],
// [*Text], [*Expression], [*Empty].
type Value interface {
	Span() source.Span
	value()
}

type (
	// A Scalar is a constant, typed according to section 3 of the spec. A number
	// keeps its spelling (value.Scalar.Spelling); a quoted text or a block is always
	// text. Block is the introducer of a block value, such as "|-", "" for others.
	Scalar struct {
		At     source.Span
		Val    value.Value
		Quoted bool
		Block  string
	}

	// A Text is text with expressions in it. Block is as for Scalar.
	Text struct {
		At    source.Span
		Parts []Part
		Block string
	}

	// An Expression is a value that consists of one "{{ expression }}".
	Expression struct {
		At   source.Span // with the braces
		Node expr.Node
	}

	// An Empty is "{}" or "[]".
	Empty struct {
		At   source.Span
		List bool
	}
)

// A Part is a piece of a text: an expression if Node is set, literal text otherwise.
type Part struct {
	At   source.Span
	Text string
	Node expr.Node
}

// Span returns the place of the value.
func (b *Block) Span() source.Span      { return b.At }
func (s *Scalar) Span() source.Span     { return s.At }
func (t *Text) Span() source.Span       { return t.At }
func (e *Expression) Span() source.Span { return e.At }
func (e *Empty) Span() source.Span      { return e.At }

func (*Block) value()      {}
func (*Scalar) value()     {}
func (*Text) value()       {}
func (*Expression) value() {}
func (*Empty) value()      {}
