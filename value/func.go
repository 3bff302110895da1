package value

// A Func is a value that can be called.
type Func struct {
	Name string
	Call func(args Args) (Value, error)

	// Attr returns an attribute of the function, such as the index of a loop. It
	// may be nil.
	Attr func(name string) (v Value, ok bool)

	// Definition is what a language keeps of a macro or prototype, whose Call is
	// nil: only that language can use it.
	Definition any
}

// Attributes is implemented by lists whose items have names as well, such as the
// pairs of groupby. ok is false if there is none of that name.
type Attributes interface {
	Attr(name string) (v Value, ok bool, err error)
}

// Methods is implemented by lists and maps that have methods of their own, such as
// those that a template may change. ok is false if there is none of that name.
type Methods interface {
	CallMethod(name string, args Args) (v Value, ok bool, err error)
}

// Args are the arguments of a call.
type Args struct {
	Pos   []Value
	Named []Named // in source order
}

// A Named is an argument passed by name.
type Named struct {
	Name  string
	Value Value
}
