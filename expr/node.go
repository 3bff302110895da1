package expr

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Node is a node of the syntax tree of an expression. Nodes are immutable and may be
// shared. Only this package implements Node.
type Node interface {
	Span() source.Span
	node()
}

// A Range is the source range of a node. Every node embeds one.
type Range struct{ At source.Span }

// Span returns the source range of the node.
func (p Range) Span() source.Span { return p.At }

func (Range) node() {}

type (
	// A Lit is a literal: 1, 'text', true.
	Lit struct {
		Range
		Value value.Value
	}

	// A Name is a bare name: a variable, a key of the document, a global.
	Name struct {
		Range
		Name string
	}

	// A Select is an attribute: x.name.
	Select struct {
		Range
		X      Node
		Name   string
		NameAt source.Span
	}

	// An Index is an item: x[key], or x.0 if Dotted is set.
	Index struct {
		Range
		X, Key Node
		Dotted bool
	}

	// A Slice is a range of items: x[from:to:step]. Missing bounds are nil.
	Slice struct {
		Range
		X, From, To, Step Node
	}

	// A CallExpr calls a function or method: f(args), x.name(args).
	CallExpr struct {
		Range
		Fn   Node
		Args []Arg
	}

	// A Unary is "-x", "+x" or "not x".
	Unary struct {
		Range
		Op string
		X  Node
	}

	// A Binary is arithmetic: + - * / // % **, and in Yay << >> & | ^.
	Binary struct {
		Range
		Op   string
		X, Y Node
	}

	// A Compare is a chain of comparisons that share operands: a < b <= c.
	Compare struct {
		Range
		First Node
		Rest  []Comparison
	}

	// A Logic is "and" or "or". Its value is the value of the operand that decided.
	Logic struct {
		Range
		Op   string
		X, Y Node
	}

	// A Cond is "x if test else y". Without "else", Else is nil.
	Cond struct {
		Range
		Test, Then, Else Node
	}

	// A List is a list or tuple display: [a, b], (a, b).
	List struct {
		Range
		Items []Node
	}

	// A Map is a map display: {key: value}.
	Map struct {
		Range
		Entries []Entry
	}

	// A Filter is "x | name(args)". Name is without a collection such as "ansible.builtin".
	Filter struct {
		Range
		X      Node
		Name   string
		NameAt source.Span
		Args   []Arg
	}

	// A Test is "x is name(args)", or "x is not name(args)" if Negate is set.
	Test struct {
		Range
		X      Node
		Name   string
		NameAt source.Span
		Args   []Arg
		Negate bool
	}

	// A Concat joins texts with "~".
	Concat struct {
		Range
		Parts []Node
	}

	// An Else is "x else y": y if x has no value (Yay).
	Else struct {
		Range
		X, Y Node
	}

	// A For is a comprehension: [item for names in source if test]. With a Key it
	// makes a map.
	For struct {
		Range
		Key, Item Node
		Clauses   []ForClause
	}

	// A Template is a template text in data that an expression evaluates.
	Template struct {
		Range
		Text   string
		Placer Placer
		Marks  value.Marks // of the text; the value has them too
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

// A ForClause is one "for names in source if test if test" of a [For].
type ForClause struct {
	Names []string
	At    source.Span // of the names
	In    Node
	Ifs   []Node
}

// An Entry is a key and a value of a [Map].
type Entry struct{ Key, Value Node }

// Walk calls visit for n and the nodes in it, outermost first and in source order. If
// visit returns false, Walk skips the nodes inside.
func Walk(n Node, visit func(Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, child := range children(n) {
		Walk(child, visit)
	}
}

func children(n Node) []Node {
	var out []Node
	switch n := n.(type) {
	case *Select:
		return []Node{n.X}
	case *Index:
		return []Node{n.X, n.Key}
	case *Slice:
		return present(n.X, n.From, n.To, n.Step)
	case *CallExpr:
		return append([]Node{n.Fn}, argNodes(n.Args)...)
	case *Unary:
		return []Node{n.X}
	case *Binary:
		return []Node{n.X, n.Y}
	case *Compare:
		out = append(out, n.First)
		for _, c := range n.Rest {
			out = append(out, c.Y)
		}
	case *Logic:
		return []Node{n.X, n.Y}
	case *Cond:
		return present(n.Then, n.Test, n.Else)
	case *Else:
		return []Node{n.X, n.Y}
	case *For:
		out = present(n.Key, n.Item)
		for _, c := range n.Clauses {
			out = append(append(out, c.In), c.Ifs...)
		}
	case *List:
		return n.Items
	case *Map:
		for _, e := range n.Entries {
			out = append(out, e.Key, e.Value)
		}
	case *Filter:
		return append([]Node{n.X}, argNodes(n.Args)...)
	case *Test:
		return append([]Node{n.X}, argNodes(n.Args)...)
	case *Concat:
		return n.Parts
	case *Path:
		for _, s := range n.Segments {
			for _, f := range s.Filters {
				out = append(out, f.Path)
			}
		}
	case *Object:
		return n.children()
	case *funcCall:
		if out = present(n.arg); n.each != nil {
			out = present(n.each.key, n.each.value)
		}
		return append(out, argNodes(n.kwargs)...)
	}
	return out
}

func present(nodes ...Node) []Node {
	var out []Node
	for _, n := range nodes {
		if n != nil {
			out = append(out, n)
		}
	}
	return out
}

func argNodes(args []Arg) []Node {
	out := make([]Node, len(args))
	for i, a := range args {
		out[i] = a.Value
	}
	return out
}
