package yay

import (
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Evaluate returns the value of a text that is one expression, evaluated at p (spec: yay,
// section 10.1).
func Evaluate(f *source.File, p *graph.Context) (value.Value, error) {
	n, err := parseExpression(f, f.Span(0, len(f.Text)))
	if err != nil {
		return value.Null, err
	}
	return evalAt(n, p)
}

// parseExpression reads the expression at a place. Several with commas between them are
// a list. The codes of its errors are syntax and limit.
func parseExpression(f *source.File, at source.Span) (expr.Node, error) {
	var e exprParser
	e.reset(f, int(at.Start), int(at.End), false, defaultDepth)
	n, err := e.list()
	if err != nil {
		return nil, err
	}
	return n, e.end()
}

// surroundings are the names and limits of the place where an expression is evaluated.
type surroundings interface {
	// Lookup returns the value of a bare name, "here" and "self" included, and false
	// if it is unknown (spec: yay, section 6.3). The names of comprehensions and the
	// built-in functions are not included.
	Lookup(name string) (value.Value, bool, error)

	// Missing returns the error, of code no-matching, of a name that Lookup does not
	// find.
	Missing(n *expr.Name) error

	// Call calls a macro: def is a function with a definition. The arguments, which have
	// names, no two the same, are evaluated by ev.
	Call(n *expr.CallExpr, def value.Value, ev evaluator) (value.Value, error)

	// Ahead prepares for reading a key of the result of a call.
	Ahead(called value.Value, key string)

	// Step counts n units of work against the limits.
	Step(n int) error

	// Enter counts one level of nested evaluation; if it succeeds the caller must
	// call Leave.
	Enter() error
	Leave()

	// Keeps reports whether the values that were found are final, so that they may be
	// kept and used again.
	Keeps() bool

	// Decided notes that a secret decides what the expression reads from now on.
	Decided()

	// MaxText returns the maximum length of a text in bytes.
	MaxText() int
}

// eval returns the value of an expression (spec: yay, section 4). The items of list and
// map displays are evaluated when they are asked for. vars may be nil.
//
// An error is a *source.Diagnostic: no-matching, type, zero-division or limit at the
// operand that causes it, or an error of the surroundings.
func eval(n expr.Node, in surroundings, vars *variables) (value.Value, error) {
	return evaluator{in: in, vars: vars}.eval(n)
}

// An evaluator evaluates the nodes of one expression.
type evaluator struct {
	in   surroundings
	vars *variables

	// around is the list or map display whose item is evaluated.
	around *enclosure

	// probing means that an "else" catches a missing value, so that no message is
	// needed: see errProbe.
	probing bool

	// missed collects the marks of the keys that an "else" finds missing, and of the tests that lead to them: they decide
	// that it is evaluated. It may be nil.
	missed *value.Marks
}

// decided notes that a value with the marks m decides what is read.
func (ev evaluator) decided(m value.Marks) {
	if m != 0 {
		ev.in.Decided()
	}
}

// misses notes that a key or index with the marks m is missing.
func (ev evaluator) misses(m value.Marks) {
	if ev.missed != nil {
		*ev.missed |= m
	}
	ev.decided(m)
}

// variables are the names that comprehensions bind, the innermost first. A nil
// *variables has none. They are immutable, so that items that are evaluated later see
// the names of their own scope.
type variables struct {
	name  string
	val   value.Value
	outer *variables
}

// with returns vs and one more name. It hides an outer one.
func (vs *variables) with(name string, v value.Value) *variables {
	return &variables{name, v, vs}
}

func (vs *variables) get(name string) (value.Value, bool) {
	for ; vs != nil; vs = vs.outer {
		if vs.name == name {
			return vs.val, true
		}
	}
	return value.Null, false
}

// eval has a frame on the stack for each operation that a value depends on, in all the values that it depends on.
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

// operand evaluates an operand of a computation. A name that is missing in it makes the
// computation fail; the value of the whole expression is not missing: see within.
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

// lookup returns the value of a name. Comprehensions are the innermost scope.
func (ev evaluator) lookup(name string) (value.Value, bool, error) {
	if v, ok := ev.vars.get(name); ok {
		return v, true, nil
	}
	return ev.in.Lookup(name)
}

// conditional is "x if test else y". Only the chosen branch is evaluated.
func (ev evaluator) conditional(n *expr.Cond) (value.Value, error) {
	test, err := ev.eval(n.Test)
	if err != nil {
		return value.Null, reached(err)
	}
	noteWord(ev.in, test, n.Test.Span())
	ev.decided(test.Marks())
	holds, err := holds(test, n.Test.Span())
	if err != nil {
		return value.Null, reached(err)
	}
	branch := n.Else
	if holds {
		branch = n.Then
	}
	if branch == nil {
		return value.Null, source.Errorf(n.At, source.Syntax, `a condition needs an "else"`)
	}
	v, err := ev.eval(branch)
	if err != nil && ev.missed != nil {
		*ev.missed |= test.Marks() // they decide that an "else" around is evaluated
	}
	return v.Mark(test.Marks()), err
}

// errProbe is the error of a missing value that the "else" around catches at once. It
// saves the search for similar names.
var errProbe error = &source.Diagnostic{Code: source.NoMatching, Message: "not found"}

// fallback is "x else y": y if x is missing (spec: yay, section 4.3). It does not catch
// errors in the computation of a value that exists.
func (ev evaluator) fallback(n *expr.Else) (value.Value, error) {
	left := ev
	left.probing, left.missed = true, new(value.Marks)
	v, err := left.eval(n.X)
	if err == nil || !isMissing(err) {
		return v, err
	}
	ev.misses(*left.missed)
	v, err = ev.eval(n.Y)
	return v.Mark(*left.missed), err
}

// isMissing reports whether err means that the value that an "else" asks for is missing.
func isMissing(err error) bool {
	d := diagnosticOf(err)
	return d != nil && d.Code == source.NoMatching && !d.Within
}

// call is f(args): a macro, or a built-in function if the name has no other meaning
// (spec: yay, section 4.6).
func (ev evaluator) call(n *expr.CallExpr) (value.Value, error) {
	if err := ev.in.Enter(); err != nil {
		return value.Null, placed(err, n.At)
	}
	defer ev.in.Leave()
	name, ok := n.Fn.(*expr.Name)
	if !ok {
		fn, err := ev.eval(n.Fn)
		if err != nil {
			return value.Null, err
		}
		return ev.callMacro(n, fn)
	}
	fn, ok, err := ev.lookup(name.Name)
	if err != nil {
		return value.Null, err
	}
	if ok {
		return ev.callMacro(n, fn)
	}
	if b := findBuiltin(name.Name); b != nil {
		return ev.callBuiltin(b, n)
	}
	if ev.probing {
		return value.Null, errProbe
	}
	return value.Null, ev.unknownFunction(name)
}

// callMacro calls a macro. Its arguments are evaluated when it asks for them.
func (ev evaluator) callMacro(n *expr.CallExpr, fn value.Value) (value.Value, error) {
	if f := fn.Func(); f == nil || f.Definition == nil {
		what := "this"
		if name := dotted(n.Fn); name != "" {
			what = shorten(name)
		}
		return value.Null, source.Errorf(n.Fn.Span(), source.WrongType, "cannot call %s: it is %s, not a macro", what, describe(fn))
	}
	ev.probing = false
	for i := range n.Args {
		if n.Args[i].Name == "" {
			return value.Null, source.Errorf(n.Args[i].Value.Span(), source.WrongType, "a macro takes its arguments by name").
				WithHint("write name=value")
		}
	}
	v, err := ev.in.Call(n, fn, ev)
	if err != nil {
		return value.Null, err
	}
	return defined(v, n.At)
}

// unknownFunction returns the error of a call of an unknown name.
func (ev evaluator) unknownFunction(n *expr.Name) error {
	d := source.Errorf(n.At, source.NoMatching, "cannot call %q: no macro or function has that name", shorten(n.Name))
	if d.DidYouMean(n.Name, slices.Values(builtinNames())); d.Hint != "" {
		return d
	}
	if hint := foreignFunction(n.Name); hint != "" {
		return d.WithHint("%s", hint)
	}
	if name := diagnosticOf(ev.in.Missing(n)); name != nil && name.Hint != "" {
		d.Hint = name.Hint
		return d
	}
	return d.WithHint("the functions are %s", strings.Join(builtinNames(), ", "))
}

func builtinNames() []string {
	names := make([]string, len(builtins))
	for i := range builtins {
		names[i] = builtins[i].Name
	}
	return names
}

// diagnosticOf returns the diagnostic that err is or wraps, nil if there is none.
func diagnosticOf(err error) *source.Diagnostic {
	if d, ok := err.(*source.Diagnostic); ok || err == nil {
		return d
	}
	var d *source.Diagnostic
	errors.As(err, &d)
	return d
}

// within returns the error of an operand. A value that is missing there is missing within
// the computation of another one, which an "else" does not catch: (a + 1) else 2 fails
// if there is no a.
func within(err error) error { return setWithin(err, true) }

// reached returns the error of a value that is needed to find another one, such as an
// index or a condition. If it is missing, so is the other one, even within an operand:
// m[a + 1] else 2 is 2 if there is no a.
func reached(err error) error { return setWithin(err, false) }

// setWithin changes a copy, because errors are cached and shared.
func setWithin(err error, within bool) error {
	d := diagnosticOf(err)
	if d == nil || d.Code != source.NoMatching || d.Within == within {
		return err
	}
	changed := *d
	changed.Within = within
	return &changed
}

// defined returns v, or an error if it is undefined, as names of a template may be.
func defined(v value.Value, at source.Span) (value.Value, error) {
	if !v.Is(value.UndefinedKind) {
		return v, nil
	}
	return value.Null, undefined(v, at)
}

// undefined returns the error of an undefined value.
//
//go:noinline
func undefined(v value.Value, at source.Span) error {
	if reason := v.Reason(); reason != nil {
		return source.AsDiagnostic(reason, at, source.Undefined)
	}
	return source.Errorf(at, source.Undefined, "the value is undefined")
}

// withHint returns the error of a missing value with a hint, unless it has one.
func withHint(err error, hint string) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || hint == "" || d.Hint != "" || d.Code != source.NoMatching {
		return err
	}
	copied := *d
	return copied.WithHint("%s", hint)
}

// placed returns err with the place of an expression, unless it has one.
//
//go:noinline
func placed(err error, at source.Span) error {
	if d, ok := err.(*source.Diagnostic); ok {
		return d.Located(at)
	}
	return err
}

// dataError returns the error of an operation on values of any size and depth: the error of an
// item, or a limit of the operation itself.
func dataError(err error, at source.Span) error {
	if err == nil {
		return nil
	}
	return source.AsDiagnostic(err, at, source.Limit)
}
