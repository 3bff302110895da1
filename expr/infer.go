package expr

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Type is what can be said about a value without evaluating anything. The zero
// Type says nothing.
type Type struct {
	Kind  value.Kind
	Known bool
}

// A TypeEnv knows the types of names. It may be nil.
type TypeEnv interface {
	TypeOf(name string) Type
}

func known(k value.Kind) Type { return Type{k, true} }

// Infer returns the type of an expression as far as its literals and operators tell,
// and warns about operations that can only fail.
func Infer(n Node, types TypeEnv) (Type, []*source.Diagnostic) {
	in := inference{types: types}
	return in.of(n), in.found
}

type inference struct {
	types TypeEnv
	bound []string // names of the comprehensions around: nothing is known of them
	found []*source.Diagnostic
}

func (in *inference) of(n Node) Type {
	switch n := n.(type) {
	case nil:
		return Type{}
	case *Lit:
		return known(n.Value.Kind())
	case *Name:
		if in.types == nil || slices.Contains(in.bound, n.Name) {
			return Type{}
		}
		return in.types.TypeOf(n.Name)
	case *Unary:
		return in.unary(n)
	case *Binary:
		return in.binary(n)
	case *Cond:
		in.of(n.Test)
		return same(in.of(n.Then), in.of(n.Else))
	case *Logic:
		return same(in.of(n.X), in.of(n.Y))
	case *Else:
		return same(in.of(n.X), in.of(n.Y))
	case *For:
		return in.comprehension(n)
	}
	for _, child := range children(n) {
		in.of(child)
	}
	switch n.(type) {
	case *Compare, *Test:
		return known(value.BoolKind)
	case *Concat:
		return known(value.StringKind)
	case *List:
		return known(value.ListKind)
	case *Map:
		return known(value.MapKind)
	}
	return Type{}
}

// comprehension looks at the clauses in the order in which they bind their names.
func (in *inference) comprehension(n *For) Type {
	outside := in.bound
	for _, c := range n.Clauses {
		in.of(c.In)
		in.bound = append(in.bound, c.Names...)
		for _, test := range c.Ifs {
			in.of(test)
		}
	}
	in.of(n.Key)
	in.of(n.Item)
	in.bound = outside
	if n.Key != nil {
		return known(value.MapKind)
	}
	return known(value.ListKind)
}

func same(a, b Type) Type {
	if a == b {
		return a
	}
	return Type{}
}

func (in *inference) unary(n *Unary) Type {
	t := in.of(n.X)
	if n.Op == "not" {
		return known(value.BoolKind)
	}
	if t.Known && !isNumericKind(t.Kind) {
		in.found = append(in.found, source.Warnf(n.At, source.Suspicious, "%q does not apply to %s", n.Op, value.Article(t.Kind)))
		return Type{}
	}
	return t
}

func (in *inference) binary(n *Binary) Type {
	x, y := in.of(n.X), in.of(n.Y)
	if !x.Known || !y.Known {
		return Type{}
	}
	t, ok := binaryType(n.Op, x.Kind, y.Kind)
	if !ok {
		in.found = append(in.found, source.Warnf(n.At, source.Suspicious, "%q does not apply to %s and %s", n.Op, value.Article(x.Kind), value.Article(y.Kind)))
	}
	return t
}

// binaryType returns the type of an operation, and false if it can only fail.
func binaryType(op string, x, y value.Kind) (Type, bool) {
	sequence := func(k value.Kind) bool { return k == value.StringKind || k == value.ListKind }
	whole := func(k value.Kind) bool { return k == value.IntKind || k == value.BoolKind }
	switch {
	case op == "%" && x == value.StringKind:
		return known(x), true
	case op == "+" && x == y && sequence(x):
		return known(x), true
	case op == "*" && sequence(x) && whole(y):
		return known(x), true
	case op == "*" && sequence(y) && whole(x):
		return known(y), true
	case !isNumericKind(x) || !isNumericKind(y):
		return Type{}, false
	case op == "/" || x == value.FloatKind || y == value.FloatKind:
		return known(value.FloatKind), true
	case op == "**":
		return Type{}, true // a negative exponent gives a float
	}
	return known(value.IntKind), true
}

func isNumericKind(k value.Kind) bool {
	return k == value.IntKind || k == value.FloatKind || k == value.BoolKind
}
