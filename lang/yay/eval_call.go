package yay

import (
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// call is f(args): a macro, or else a function that is built in (spec: yay, section
// 4.6).
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

func (ev evaluator) callMacro(n *expr.CallExpr, fn value.Value) (value.Value, error) {
	if f := fn.Func(); f == nil || f.Definition == nil {
		return value.Null, notCallable(n, fn)
	}
	args, err := ev.macroArguments(n.Args)
	if err != nil {
		return value.Null, err
	}
	v, err := ev.in.Call(n.At, fn, args)
	if err != nil {
		return value.Null, err
	}
	return defined(v, n.At)
}

// macroArguments returns arguments that are evaluated when the macro asks for them.
func (ev evaluator) macroArguments(list []expr.Arg) ([]argument, error) {
	ev.probing = false
	args := make([]argument, len(list))
	for i, a := range list {
		if a.Name == "" {
			return nil, source.Errorf(a.Value.Span(), source.WrongType, "a macro that is called takes its arguments by name").
				WithHint("write name=value")
		}
		args[i] = argument{a.Name, a.Value.Span(), func() (value.Value, error) { return ev.eval(a.Value) }}
	}
	return args, nil
}

func notCallable(n *expr.CallExpr, fn value.Value) error {
	what := "this"
	if name := dotted(n.Fn); name != "" {
		what = shorten(name)
	}
	return source.Errorf(n.Fn.Span(), source.WrongType, "cannot call %s: it is %s, not a macro", what, describe(fn))
}

// unknownFunction is the error of calling a name that nothing has.
func (ev evaluator) unknownFunction(n *expr.Name) error {
	d := source.Errorf(n.At, source.NoMatching, "cannot call %q: there is no macro or function of that name", shorten(n.Name))
	if d.DidYouMean(n.Name, slices.Values(builtinNames())); d.Hint != "" {
		return d
	}
	if hint := foreignFunction(n.Name); hint != "" {
		return d.WithHint("%s", hint)
	}
	if name := diagnosticOf(ev.in.Missing(n)); name != nil {
		d.Hint = name.Hint
	}
	return d
}

func builtinNames() []string {
	names := make([]string, len(builtins))
	for i := range builtins {
		names[i] = builtins[i].Name
	}
	return names
}
