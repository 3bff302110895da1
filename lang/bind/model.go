package bind

import (
	"fmt"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Expr is an expression of a notation.
type Expr interface {
	Span() source.Span

	// Eval returns the value. Undef is null.
	//
	// Codes: undefined-variable, injection-not-allowed, the codes of lookups and of the notation.
	Eval(s *Scope) (value.Value, error)

	// Constant returns the value of an expression that has neither variables nor calls.
	Constant() (value.Value, bool)
}

// A Lambda is a function written in a notation, with its number of parameters.
type Lambda interface {
	Span() source.Span
	Arity() int
	Call(s *Scope, args ...value.Value) (value.Value, error)
}

// A Constant is a value as an expression.
type Constant struct {
	At    source.Span
	Value value.Value
}

// Span returns the place of the value.
func (c *Constant) Span() source.Span { return c.At }

// Eval returns the value.
func (c *Constant) Eval(*Scope) (value.Value, error) { return c.Value, nil }

// Constant returns the value.
func (c *Constant) Constant() (value.Value, bool) { return c.Value, true }

// A Site is an entry file: which categories there are, which sets are in which layer.
type Site struct {
	File *source.File

	// Categories are the axes, highest first. CategoriesAt is the place of the section.
	Categories   []Category
	CategoriesAt source.Span

	// Layers are the layers, highest first. Without the section there are two: see uris.go.
	Layers   []Layer
	LayersAt source.Span

	// Highest selects the simple rule of precedence: only the highest category of a condition
	// counts.
	Highest bool

	// Variables are set by the file, in the order of text.
	Variables []Variable

	// Sets are the sets that are written in the file.
	Sets []*Set

	Environments *Environments
}

// A Category is a named axis with the expression of its value.
type Category struct {
	Name  string
	At    source.Span
	Value Expr
}

// A Layer is a group of sets and providers. Include and Exclude evaluate to a URI or a list
// of URIs. Exclude may be nil.
type Layer struct {
	Name             Expr
	At               source.Span
	Include, Exclude Expr
}

// A Variable is set in a site file.
type Variable struct {
	Name  string
	At    source.Span
	Value Expr
}

// Environments are the sections that declare environments.
type Environments struct {
	Defaults []Attribute
	Declared []Environment
}

// An Environment is declared by name, or, if Dynamic, once for each directory in a directory.
type Environment struct {
	Name       Expr // of a dynamic one the directory
	At         source.Span
	Dynamic    bool
	Attributes []Attribute
}

// An Attribute is a NAME => VALUE.
type Attribute struct {
	Name  string
	At    source.Span
	Value Expr
}

// A Set is a named set of operations.
type Set struct {
	Name string
	At   source.Span
	Ops  []Op
	// Hiera marks the data of a provider, whose texts have other rules.
	Hiera bool
}

// An Op is an operation of a set. The interface is closed.
type Op interface {
	Span() source.Span
	op()
}

// Flags of a binding.
type Flags uint8

// The flags.
const (
	Abstract Flags = 1 << iota // must be bound by a higher one
	Override                   // must have a lower one
	Final                      // must have no higher one
	Optional                   // may produce nothing, then the next candidate counts
)

// A Key names a value. Type is empty for data; for other types it is the type as text. Name is
// empty for a key that is only a type.
type Key struct{ Type, Name string }

// KeyOf returns the key of a name that is bound with a type, nil for data.
func KeyOf(t *types.Type, name string) Key {
	if t == nil || t.IsData() {
		return Key{Name: name}
	}
	return Key{Type: t.String(), Name: name}
}

// String writes the key as in messages: 'colour', Type[Clock], 'Type[Checker], xml'.
func (k Key) String() string {
	switch {
	case k.Type == "":
		return "'" + k.Name + "'"
	case k.Name == "":
		return k.Type
	}
	return fmt.Sprintf("'%s, %s'", k.Type, k.Name)
}

// Text writes the key as a user asks for it.
func (k Key) Text() string {
	switch {
	case k.Type == "":
		return k.Name
	case k.Name == "":
		return k.Type
	}
	return k.Type + ", " + k.Name
}

type (
	// A When applies its operations where a condition holds.
	When struct {
		At   source.Span
		Cond Cond
		Do   []Op
	}

	// A Bind binds a key to a value, or, with In, contributes the value to a multibind.
	Bind struct {
		At       source.Span
		Flags    Flags
		Type     *types.Type // nil if none is written
		TypeAt   source.Span
		Name     string
		HasName  bool
		NameAt   source.Span
		Value    Expr // nil if there is none
		Producer *ProducerName
		In       string
		Options  *Options
	}

	// A ProducerName names a function of the Go program, by name or by type.
	ProducerName struct {
		Name string
		At   source.Span
	}

	// A Multibind binds a key to all that is contributed to an ID.
	Multibind struct {
		At      source.Span
		Flags   Flags
		Type    *types.Type
		TypeAt  source.Span
		Name    string
		HasName bool
		ID      string // "" for the name
		In      string // the multibind that this one contributes to
		Options *Options
	}

	// A Parameters binds the parameters of a component or instance: to entries of a map, or to
	// parameters of another instance.
	Parameters struct {
		At      source.Span
		Flags   Flags
		Target  Ref
		Values  Expr // a map, or nil
		From    *Ref
		Options *Options
	}

	// A Variables binds variables to values. Of abstract ones Names lists the names.
	Variables struct {
		At     source.Span
		Flags  Flags
		Type   *types.Type
		Values Expr
		Names  Expr
	}

	// A ParameterMap says which parameters of Left are which of Right. A list of names
	// means equal names.
	ParameterMap struct {
		At          source.Span
		Flags       Flags
		Left, Right Ref
		Pairs       Expr
	}

	// A Rename makes the binding of a key known under another one: as an alias, or instead.
	Rename struct {
		At       source.Span
		Flags    Flags
		Alias    bool
		From, To KeyName
		ToFlags  Flags
	}

	// A Rebind copies the best lower binding of a key to the rank of the operation.
	Rebind struct {
		At  source.Span
		Key KeyName
	}

	// An Include adds components to the list of classes, or takes them out.
	Include struct {
		At      source.Span
		Names   []string
		Exclude bool
	}
)

// A KeyName is a key as it is written: a name, a type, or both.
type KeyName struct {
	Type *types.Type
	Name string
}

// Key returns the key.
func (k KeyName) Key() Key { return KeyOf(k.Type, k.Name) }

// A Ref names a component or an instance of it: Class[ntp], Web, Web[one].
type Ref struct {
	Component string // Class, Web
	Title     string // ntp, one; "" for the component itself
	At        source.Span
}

// Options are the options of a binding.
type Options struct {
	At source.Span

	Merge     *Strategy // nil if there is none
	MergeAt   source.Span
	Map       Expr
	Args      Expr // producer_args
	Singleton bool

	// Combinator joins contributions: a lambda, or the name of a resolution in Resolution.
	Combinator   Lambda
	Resolution   string
	ResolutionAt source.Span
}

func (o *When) Span() source.Span         { return o.At }
func (o *Bind) Span() source.Span         { return o.At }
func (o *Multibind) Span() source.Span    { return o.At }
func (o *Parameters) Span() source.Span   { return o.At }
func (o *Variables) Span() source.Span    { return o.At }
func (o *ParameterMap) Span() source.Span { return o.At }
func (o *Rename) Span() source.Span       { return o.At }
func (o *Rebind) Span() source.Span       { return o.At }
func (o *Include) Span() source.Span      { return o.At }

func (*When) op()         {}
func (*Bind) op()         {}
func (*Multibind) op()    {}
func (*Parameters) op()   {}
func (*Variables) op()    {}
func (*ParameterMap) op() {}
func (*Rename) op()       {}
func (*Rebind) op()       {}
func (*Include) op()      {}

// A Cond is a condition in disjunctive normal form: one of the alternatives must hold, with
// all of its tests. An empty alternative always holds.
type Cond [][]Test

// A Test compares a category with a value.
type Test struct {
	Category string
	At       source.Span
	Value    Expr
}

// Limits of a condition: MaxAlternatives bounds its alternatives, MaxTests the tests of all of them.
const (
	MaxAlternatives = 1024
	MaxTests        = 1 << 16
)
