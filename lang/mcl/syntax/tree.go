package syntax

import "github.com/yaytpl/yaytpl/source"

// A Program is one source file. Trees are immutable once parsed.
type Program struct {
	File *source.File

	// Body holds all statements. Its Open and Close are empty spans at the ends of the text.
	Body Block

	// Comments are in the order of the text. The tree does not refer to them: the formatter
	// places them by their rows.
	Comments []Comment

	// Exprs is the number of expressions: each has an ID below it.
	Exprs int

	// Problems are errors that the grammar does not know, in the order of the text: bad escapes
	// and references in strings, a half edge without the other, a property that is none of the four. A
	// program that has any is formatted, but not evaluated.
	Problems []*source.Diagnostic

	// Findings are warnings: operators whose grouping differs between the dialects.
	Findings []*source.Diagnostic
}

// A Comment is a comment from its "#" to the end of its line, without the line break.
type Comment struct{ At source.Span }

// A Node is a part of a program. Every node embeds its place.
type Node interface{ Span() source.Span }

// A Range is the text of a node, from its first to its last token.
type Range struct{ At source.Span }

// Span returns the text of the node.
func (p *Range) Span() source.Span { return p.At }

// A Block is the statements between braces.
type Block struct {
	Open, Close source.Span // the braces
	Stmts       []Stmt
}

// A Stmt is a statement (spec: mcl, section 2). The set is closed.
type Stmt interface {
	Node
	setRange(r Range)
}

// A Word is a name with its place. Text is without a "$" in front, in lower case for a capitalised
// kind, and with the dots or colons inside.
type Word struct {
	Text string
	At   source.Span
}

// A statement is embedded by every statement.
type statement struct{ Range }

func (s *statement) setRange(r Range) { s.Range = r }

type (
	// A Bind is "$name type = value". Type is nil without an annotation.
	Bind struct {
		statement
		Name  Word
		Type  *Type
		Value Expr
	}

	// A Resource is "kind name { lines }", or with Collect "collect kind name { lines }".
	Resource struct {
		statement
		Collect     bool
		Kind        Word
		Name        Expr
		Open, Close source.Span
		Lines       []*Line
	}

	// An Edge is "A[x] -> B[y] -> C[z]". With Send and Recv it is "A[x].send -> B[y].recv". A
	// single half is one of the problems of the program.
	Edge struct {
		statement
		Halves     []*Half
		Send, Recv Word // zero without
	}

	// An IfStmt is "if cond { then } else { else }". Else is nil without that branch.
	IfStmt struct {
		statement
		Cond Expr
		Then *Block
		Else *Block
	}

	// A For is "for $index, $value in over { body }", or with Map "forkv $key, $value in over
	// { body }".
	For struct {
		statement
		Map        bool
		Key, Value Word
		Over       Expr
		Body       *Block
	}

	// A FuncStmt is "func name(params) result { body }".
	FuncStmt struct {
		statement
		Name Word
		Func *Func
	}

	// A Class is "class name(params) { body }". Its name may have colons: "a:b" is b inside
	// of a. IDs of expressions in it are First and above, below Last.
	Class struct {
		statement
		Name        Word
		Params      *Params // nil without parentheses
		Body        *Block
		First, Last int
	}

	// An Include is "include name(args) as alias". The name may have dots.
	Include struct {
		statement
		Name Word
		Args *Args // nil without parentheses
		As   Word  // zero without
	}

	// An Import is "import path as alias". The alias may be "*". Path is the text between the
	// quotes as it is written: it has no escapes or references.
	Import struct {
		statement
		Path Word
		As   Word // zero without
	}

	// A Panic is "panic(args)".
	Panic struct {
		statement
		Args *Args
	}
)

// A LineKind is the kind of a line of a resource.
type LineKind uint8

// The kinds of lines.
const (
	FieldLine LineKind = iota // name => value
	EdgeLine                  // Before => Kind["x"], also Depend, Notify, Listen
	MetaLine                  // Meta:name => value
	MetaAll                   // Meta => struct{...}
)

// A Line is one line of a resource. Cond is the left side of "?:", nil without. Half is set in an
// EdgeLine, Value in all others.
type Line struct {
	Range
	Kind  LineKind
	Name  Word // the field, the property in lower case, the meta parameter; zero in MetaAll
	Cond  Expr
	Value Expr
	Half  *Half
}

// A Half is one end of an edge: Kind["name"]. Kind is in lower case.
type Half struct {
	Range
	Kind Word
	Name Expr
}

// A Func is what follows the name of a function, or after "func" of a lambda. IDs of
// expressions in it are First and above, below Last.
type Func struct {
	Params      *Params
	Result      *Type // nil without an annotation
	Open, Close source.Span
	Body        Expr
	First, Last int
}

// Params are the parameters in parentheses.
type Params struct {
	Open, Close source.Span
	List        []*Param
}

// A Param is "$name type". Type is nil without an annotation.
type Param struct {
	Range
	Name Word
	Type *Type
}

// Args are the arguments in parentheses.
type Args struct {
	Open, Close source.Span
	List        []Expr
}

// An Expr is an expression. The set is closed.
type Expr interface {
	Node
	// ID is the number of the expression in its program, in the order of parsing.
	ID() int
	expr()
}

// A Base is embedded by every expression.
type Base struct {
	Range
	Number int32
}

// ID returns the number of the expression.
func (b *Base) ID() int { return int(b.Number) }

func (*Base) expr() {}

type (
	// A Bool is true or false.
	Bool struct {
		Base
		Value bool
	}

	// An Int is a number without a dot.
	Int struct {
		Base
		Value int64
	}

	// A Float is a number with a dot.
	Float struct {
		Base
		Value float64
	}

	// A Str is a string. Its parts are decoded; the text between the quotes is the text of its
	// place. A string with a problem has no parts.
	Str struct {
		Base
		Parts []Part
	}

	// A List is "[items]".
	List struct {
		Base
		Items []Expr
	}

	// A Map is "{key => value}".
	Map struct {
		Base
		Entries []Entry
	}

	// A Struct is "struct{name => value}". Open is its brace.
	Struct struct {
		Base
		Open   source.Span
		Fields []NamedExpr
	}

	// A Var is "$name". The name may have dots.
	Var struct {
		Base
		Name string
	}

	// A History is "$name{back}": the value that many changes ago (dialect of 2018).
	History struct {
		Base
		Name string
		Back int
	}

	// A Call is "name(args)", where the name may have dots, or with Fn "$name(args)" or
	// "func(...) {...}(args)".
	Call struct {
		Base
		Name Word // zero with Fn
		Fn   Expr // a Var, a Lambda, or nil
		Args *Args
	}

	// An If is "if cond { then } else { else }".
	If struct {
		Base
		Cond, Then, Else    Expr
		ThenOpen, ThenClose source.Span
		ElseOpen, ElseClose source.Span
	}

	// A Lambda is "func(params) result { body }".
	Lambda struct {
		Base
		Func *Func
	}

	// A Paren is "(x)".
	Paren struct {
		Base
		X Expr
	}

	// A Unary is "not x" or "!x". Op is as it is written.
	Unary struct {
		Base
		Op Word
		X  Expr
	}

	// A Binary is "x op y". Op is as it is written: "and" and "&&" differ only for the formatter.
	Binary struct {
		Base
		Op   Word
		X, Y Expr
	}

	// An Index is "x[key]": of a list or a map.
	Index struct {
		Base
		X, Key Expr
	}

	// A Field is "x->name". With Default it is "x->name <|> default", which allows that the
	// struct has no such field.
	Field struct {
		Base
		X       Expr
		Name    Word
		Default Expr
	}
)

// A Part is text of a string, or a reference in it: a [Var], or in the dialect of 2018 a [Call] whose
// arguments are variables and literals.
type Part struct {
	Text string
	Ref  Expr
}

// An Entry is a pair of a map.
type Entry struct{ Key, Value Expr }

// A NamedExpr is a field of a struct.
type NamedExpr struct {
	Name  Word
	Value Expr
}

// A TypeKind is the kind of a type as it is written.
type TypeKind uint8

// The kinds of types.
const (
	BoolType TypeKind = iota
	StrType
	IntType
	FloatType
	VariantType
	ListType   // []Elem
	MapType    // map{Key: Elem}, with Short {Key: Elem}
	StructType // struct{Fields}
	FuncType   // func(Fields) Elem
	VarType    // ?1, only in signatures of the library
)

// A Type is a type as it is written. A Field of a struct has a Name; one of a func may have one, with
// its "$" if it was written with one.
type Type struct {
	Range
	Kind   TypeKind
	Short  bool
	Key    *Type
	Elem   *Type
	Fields []TypeField

	// Var is the number of a VarType. Variadic is set on a FuncType whose last parameter may be
	// repeated, written as "...".
	Var      int
	Variadic bool
}

// A TypeField is a field of a struct type or a parameter of a func type.
type TypeField struct {
	Name string
	At   source.Span
	Type *Type
}
