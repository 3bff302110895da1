package mcl

import (
	"errors"

	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A closure is a lambda with the frame that it was made in: the value of a function.
type closure struct {
	fn    *syntax.Func
	frame *frame
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
	for i, p := range to.fn.unit.params {
		callee.slots[p.slot].cell = f.bind(p, e.Args.List[i])
	}
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
	b := c.frame.in.unit.mod.lambdas[c.fn]
	turn, err := f.run.enter(b.frame, c.frame, c.frame.in)
	if err != nil {
		return value.Null, err
	}
	turn.within(f, e.At, "")
	for i, p := range b.params {
		turn.slots[p.slot].cell = f.bind(p, e.Args.List[i])
	}
	result, err := turn.eval(c.fn.Body)
	return result.Mark(v.Marks()), library.HiddenBy(err, v.Marks())
}

// apply calls the value of a function with values, for the library.
func (r *run) apply(fn value.Value, args ...value.Value) (value.Value, error) {
	c := fn.Func().Definition.(*closure)
	if err := r.place.Eval().Enter(); err != nil {
		return value.Null, err
	}
	defer r.place.Eval().Leave()
	b := c.frame.in.unit.mod.lambdas[c.fn]
	turn, err := r.enter(b.frame, c.frame, c.frame.in)
	if err != nil {
		return value.Null, err
	}
	if r.types.history {
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
	return result.Mark(fn.Marks()), library.HiddenBy(err, fn.Marks())
}

// callLibrary calls a function of the library.
func (f *frame) callLibrary(e *syntax.Call, fn *library.Func) (value.Value, error) {
	args, err := f.evalAll(e.Args.List)
	if err != nil {
		return value.Null, err
	}
	c := &library.Call{
		At: e.At, Args: args, Types: make([]*types.Type, len(args)), Result: f.in.typeOf(e),
		World: f.run.world, Apply: f.run.apply, Step: f.run.step,
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
