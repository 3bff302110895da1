package mcl

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Calls
//
// Functions of the program are lazy, and functions of the library are strict. In
//
//	func pick($first, $second) { if $on { $first } else { $second } }
//	$v = pick(1 + 2, os.system("slow"))
//
// the arguments are cells, and os.system runs only if $on is false. Cells that read cells need stack: the argument
// that the body is certain to read first (firstRead) is evaluated before the call, which gives the same result,
// since nothing that may fail comes before it.

// A closure is a lambda with the frame that it was made in: the value of a function.
type closure struct {
	fn     *syntax.Func
	binder *binder
	frame  *frame
	spare  *frame // of an earlier call, if nothing else can have it
}

// call evaluates a call.
func (f *frame) call(e *syntax.Call) (value.Value, error) {
	if err := f.run.place.Eval().Enter(); err != nil {
		return value.Null, err
	}
	defer f.run.place.Eval().Leave()
	if e.Fn != nil {
		return f.callValue(e)
	}
	to := f.in.unit.mod.uses[e.ID()]
	if to.lib != nil {
		return f.callLibrary(e, to.lib)
	}
	callee, err := f.run.enter(to.fn.unit.frame, f.reach(to), f.in.calls[e.ID()])
	if err != nil {
		return value.Null, err
	}
	callee.within(f, e.At, "")
	callee.bindAll(to.fn.unit.params, to.fn.unit.reads, e.Args.List, f)
	v, err := callee.eval(to.fn.unit.fn.Body)
	if err == nil {
		f.run.tell(to.fn.unit.name+"()", to.fn.unit.at, v)
	}
	return v, err
}

// callValue calls the value of a variable, or a lambda. Arguments are evaluated when they are read.
func (f *frame) callValue(e *syntax.Call) (value.Value, error) {
	v, err := f.eval(e.Fn)
	if err != nil {
		return value.Null, err
	}
	c := v.Func().Definition.(*closure)
	b := c.binder
	turn, err := f.run.enter(b.frame, c.frame, c.frame.in)
	if err != nil {
		return value.Null, err
	}
	turn.within(f, e.At, "")
	turn.bindAll(b.params, b.reads, e.Args.List, f)
	result, err := turn.eval(c.fn.Body)
	return result.Mark(v.Marks()), library.HiddenBy(err, v.Marks())
}

// bindAll gives parameters their arguments, which are evaluated in the frame of the call when they are read.
// The one that the body reads first is evaluated now: see [graph.Cell.Ahead].
func (f *frame) bindAll(params []*symbol, first *symbol, args []syntax.Expr, caller *frame) {
	for i, p := range params {
		f.slots[p.slot].cell = caller.bind(p, args[i])
	}
	if first != nil {
		f.slots[first.slot].cell.Ahead()
	}
}

// firstRead returns the parameter that an expression, the body of a function, is certain to read before
// anything else that may fail; nil if there is none. The functions that it calls are typed.
//
//	func($x, $y) { $y + $x }                  $y
//	func($x) { if $x { 1 } else { 2 } }       $x
//	func($x) { double(half($x)) }             $x, if both functions read their own first
//	func($x) { [func() { $x }, 1] }           none
func (m *module) firstRead(e syntax.Expr, params []*symbol) *symbol {
	for e != nil {
		switch x := e.(type) {
		case *syntax.Var:
			if to := m.uses[e.ID()]; slices.Contains(params, to.sym) {
				return to.sym
			}
			return nil
		case *syntax.Call:
			e = m.firstEvaluated(x)
		case *syntax.Field:
			if x.Default != nil {
				return nil // which of the two is evaluated depends on types
			}
			e = x.X
		case *syntax.If:
			e = x.Cond
		case *syntax.Lambda:
			return nil
		default:
			e = nil
			for child := range syntax.Children(x) {
				e = child
				break
			}
		}
	}
	return nil
}

// firstEvaluated returns the part of a call that is evaluated first, nil if none is certain to be.
func (m *module) firstEvaluated(e *syntax.Call) syntax.Expr {
	if e.Fn != nil {
		return e.Fn
	}
	to := m.uses[e.ID()]
	for i, arg := range e.Args.List {
		if to.lib != nil || to.fn.unit.params[i] == to.fn.unit.reads {
			return arg
		}
	}
	return nil
}

// apply calls the value of a function with values, for the library.
func (r *run) apply(fn value.Value, args []value.Value) (value.Value, error) {
	c := fn.Func().Definition.(*closure)
	if err := r.place.Eval().Enter(); err != nil {
		return value.Null, err
	}
	defer r.place.Eval().Leave()
	b := c.binder
	turn, err := c.turn(r)
	if err != nil {
		return value.Null, err
	}
	if r.types.remembers {
		key, err := value.Repr(value.ListOf(args...))
		if err != nil {
			return value.Null, err
		}
		turn.within(c.frame, c.fn.Open, key)
	}
	for i, p := range b.params {
		turn.set(p, args[i])
	}
	result, err := turn.eval(c.fn.Body)
	if b.fleeting {
		clear(turn.slots)
		c.spare = turn
	}
	return result.Mark(fn.Marks()), library.HiddenBy(err, fn.Marks())
}

// turn returns a frame for a call, whose cost is counted.
func (c *closure) turn(r *run) (*frame, error) {
	if f := c.spare; f != nil {
		c.spare = nil
		return f, r.enterSteps(c.binder.frame)
	}
	return r.enter(c.binder.frame, c.frame, c.frame.in)
}

// keepsFrame reports whether the frame of a call may be needed after the call: by a function that is made in
// its body, or an argument that has not been read.
func (m *module) keepsFrame(body syntax.Expr) (keeps bool) {
	syntax.Walk(body, func(e syntax.Expr) bool {
		switch e := e.(type) {
		case *syntax.Lambda:
			keeps = true
		case *syntax.Call:
			keeps = keeps || e.Fn != nil || m.uses[e.ID()].lib == nil
		}
		return !keeps
	})
	return keeps
}

// callLibrary calls a function of the library.
func (f *frame) callLibrary(e *syntax.Call, fn *library.Func) (value.Value, error) {
	args, err := f.evalAll(e.Args.List)
	if err != nil {
		return value.Null, err
	}
	c := &library.Call{
		At: e.At, Args: args, Types: make([]*types.Type, len(args)), Result: f.in.typeOf(e),
		World: f.run.world, Frame: f.path, Apply: f.run.apply, Step: f.run.step,
	}
	for i, a := range e.Args.List {
		c.Types[i] = f.in.typeOf(a)
	}
	if fn.Class == library.Time {
		f.run.place.Eval().ReadsClock()
	}
	v, err := fn.Call(c)
	if err == nil {
		return v, nil
	}
	code := source.Runtime
	if limit := (*value.LimitError)(nil); errors.As(err, &limit) {
		code = source.Limit
	}
	d := source.AsDiagnostic(err, e.At, code).Located(e.At)
	marks, bad := c.Marks()
	if bad != nil {
		return value.Null, bad
	}
	return value.Null, library.HiddenBy(d, marks)
}

// hostname returns $hostname.
func (r *run) hostname(at source.Span) (value.Value, error) {
	name, err := r.world.Machine(at).Hostname()
	if err != nil {
		return value.Null, source.AsDiagnostic(err, at, source.Runtime).Located(at)
	}
	return value.String(name), nil
}
