package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// surroundings is what expressions at one place see.
type surroundings interface {
	// Lookup returns what a bare name means, "here" and "self" included, and false
	// if nothing has that name (spec: yay, section 6.3). The names of comprehensions
	// and the functions that are built in are not its business.
	Lookup(name string) (value.Value, bool, error)

	// Missing returns the error, of code no-matching, of a name that Lookup does not
	// know.
	Missing(n *expr.Name) error

	// Call calls a macro: def is a function with a definition. Every argument has a
	// name, and no two have the same.
	Call(at source.Span, def value.Value, args []argument) (value.Value, error)

	// Step counts n units of work against the limits.
	Step(n int) error

	// Enter counts one level of nested evaluation; if it succeeds the caller must
	// call Leave.
	Enter() error
	Leave()

	// MaxText returns how many bytes one text may have.
	MaxText() int
}

// An argument of a macro. Value evaluates it in the scope of the call, each time
// anew.
type argument struct {
	Name  string
	At    source.Span // of the value
	Value func() (value.Value, error)
}

// eval returns the value of an expression (spec: yay, section 4). What is in a list
// or map that it writes out is evaluated when it is asked for. vars may be nil.
//
// An error is a *source.Diagnostic: no-matching, type, zero-division or limit at the
// operand that is wrong, or what the surroundings return.
func eval(n expr.Node, in surroundings, vars *variables) (value.Value, error) {
	return evaluator{in: in, vars: vars}.eval(n)
}

// An evaluator evaluates the nodes of one expression.
type evaluator struct {
	in   surroundings
	vars *variables

	// around is the list or map written out in which an item is evaluated.
	around *enclosure

	// probing says that an "else" catches what is missing, so that nobody reads the
	// message: see errProbe.
	probing bool
}

func (ev evaluator) eval(n expr.Node) (value.Value, error) {
	if lit, ok := n.(*expr.Lit); ok {
		return lit.Value, nil
	}
	if err := ev.in.Step(1); err != nil {
		return value.Null, placed(err, n.Span())
	}
	switch n := n.(type) {
	case *expr.Name:
		return ev.name(n)
	case *expr.Select:
		return ev.attribute(n)
	case *expr.Index:
		return ev.index(n)
	case *expr.Slice:
		return ev.slice(n)
	case *expr.CallExpr:
		return ev.call(n)
	case *expr.Cond:
		return ev.conditional(n)
	case *expr.Else:
		return ev.fallback(n)
	case *expr.Unary:
		return ev.unary(n)
	case *expr.Binary:
		return ev.binary(n)
	case *expr.Compare:
		return ev.compare(n)
	case *expr.Logic:
		return ev.logic(n)
	case *expr.Concat:
		return ev.concat(n)
	case *expr.List:
		return ev.list(n)
	case *expr.Map:
		return ev.mapping(n)
	case *expr.For:
		return ev.comprehension(n)
	}
	return value.Null, source.Errorf(n.Span(), source.Internal, "unknown node %T", n)
}

// operand evaluates a part of an expression that is not needed to find its value,
// but to compute it.
func (ev evaluator) operand(n expr.Node) (value.Value, error) {
	ev.probing = false
	v, err := ev.eval(n)
	if err != nil {
		return value.Null, within(err)
	}
	return v, nil
}

// charge counts the work of an operation on n bytes of text.
func (ev evaluator) charge(n int, at source.Span) error {
	if n < bytesPerStep {
		return nil
	}
	return placed(ev.in.Step(n/bytesPerStep), at)
}

func (ev evaluator) name(n *expr.Name) (value.Value, error) {
	v, ok, err := ev.lookup(n.Name)
	switch {
	case err != nil:
		return value.Null, err
	case ok:
		return defined(v, n.At)
	case ev.probing:
		return value.Null, errProbe
	}
	return value.Null, ev.in.Missing(n)
}

// lookup returns what a name means: a comprehension is nearer than all else.
func (ev evaluator) lookup(name string) (value.Value, bool, error) {
	if v, ok := ev.vars.get(name); ok {
		return v, true, nil
	}
	return ev.in.Lookup(name)
}

// conditional is "x if test else y". Only the branch that is chosen is evaluated.
func (ev evaluator) conditional(n *expr.Cond) (value.Value, error) {
	test, err := ev.eval(n.Test)
	if err != nil {
		return value.Null, reached(err)
	}
	noteWord(ev.in, test, n.Test.Span())
	holds, err := holds(test, n.Test.Span())
	switch {
	case err != nil:
		return value.Null, reached(err)
	case holds:
		return ev.eval(n.Then)
	case n.Else == nil:
		return value.Null, source.Errorf(n.At, source.Syntax, `a condition needs an "else"`)
	}
	return ev.eval(n.Else)
}
