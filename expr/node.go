package expr

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Node is a part of an expression, as a parser read it. Nodes are immutable and
// may be shared; the interface is closed.
type Node interface {
	Span() source.Span
	node()
}

// place is where a node stands. Every node embeds it.
type place struct{ At source.Span }

// Span returns where the node stands in the source.
func (p place) Span() source.Span { return p.At }

func (place) node() {}

type (
	// A Lit is a value written out: 1, 'text', true.
	Lit struct {
		place
		Value value.Value
	}

	// A Name is a bare name: a variable, a key of the document, a global.
	Name struct {
		place
		Name string
	}

	// A Select is an attribute: x.name.
	Select struct {
		place
		X      Node
		Name   string
		NameAt source.Span
	}

	// An Index is an item: x[key], and x.0. Dotted says that it was the latter.
	Index struct {
		place
		X, Key Node
		Dotted bool
	}

	// A Slice is a range of items: x[from:to:step]. Missing bounds are nil.
	Slice struct {
		place
		X, From, To, Step Node
	}

	// A CallExpr calls a function or method: f(args), x.name(args).
	CallExpr struct {
		place
		Fn   Node
		Args []Arg
	}

	// A Unary is "-x", "+x" or "not x".
	Unary struct {
		place
		Op string
		X  Node
	}

	// A Binary is arithmetic: + - * / // % **.
	Binary struct {
		place
		Op   string
		X, Y Node
	}

	// A Compare is a chain of comparisons that share operands: a < b <= c.
	Compare struct {
		place
		First Node
		Rest  []Comparison
	}

	// A Logic is "and" or "or". Its value is that of the operand that decided.
	Logic struct {
		place
		Op   string
		X, Y Node
	}

	// A Cond is "x if test else y". Without "else", Else is nil.
	Cond struct {
		place
		Test, Then, Else Node
	}

	// A List is a list or tuple written out.
	List struct {
		place
		Items []Node
	}

	// A Map is a map written out.
	Map struct {
		place
		Entries []Entry
	}

	// A Filter is "x | name(args)". Name has no collection prefix.
	Filter struct {
		place
		X      Node
		Name   string
		NameAt source.Span
		Args   []Arg
	}

	// A Test is "x is name(args)", or "x is not name(args)" if Negate is set.
	Test struct {
		place
		X      Node
		Name   string
		NameAt source.Span
		Args   []Arg
		Negate bool
	}

	// A Concat is text joined by "~".
	Concat struct {
		place
		Parts []Node
	}

	// A Template is a template text met in data that an expression evaluates.
	Template struct {
		place
		Text   string
		Placer Placer
	}
)

// An Arg is an argument of a call, filter or test.
type Arg struct {
	Name   string // of a keyword argument
	Stars  int    // 1 for *list, 2 for **map
	Value  Node
	NameAt source.Span
}

// A Comparison is one link of a [Compare]: == != < <= > >= in "not in".
type Comparison struct {
	Op string
	Y  Node
	At source.Span // of the operator
}

// An Entry is a key and a value of a [Map].
type Entry struct{ Key, Value Node }
