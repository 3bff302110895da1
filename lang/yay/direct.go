package yay

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/value"
)

// # Calls of which one key is read
//
// A call makes a map on cells of its own, with layers, an explanation and frames of names. An expression that reads one
// key of the call needs none of these:
//
//	macro address:
//	  url: https://{{ name }}.{{ zone }}.example.com/
//	urls: {{ [address(name=n, zone="north").url for n in ["a", "b"]] }}
//
// So only the text of url is evaluated, by the same evaluator, in a [directCall]: a scope that has the arguments and,
// around these, the names at the place of the call. This takes a fifth of the time of a call on cells.
//
//	address(name=n, zone="north").url     {name, zone} inside the names at urls
//
// Arguments are evaluated at their first use, and once, as on cells. A direct call gives up with errNeedsCells wherever it meets
// anything but such a key with a scalar value: "here", a macro with names or directives, a list, a value that a secret
// chooses, any error that no "else" catches. The expression is then evaluated again on cells, so that all errors have the places
// on the way there, and all other values their cells.

// errNeedsCells is the error of a direct call that gives up.
var errNeedsCells = errors.New("this needs cells")

// maxFailed bounds how often direct calls for one expression may give up before it is always evaluated on cells.
const maxFailed = 3

// A directCall is the scope of one key of a macro that is called. It implements surroundings.
type directCall struct {
	*site               // of the outermost call
	around surroundings // of the call itself: the site or a directCall
	nested int          // in how many others

	args   []expr.Arg
	in     evaluator // evaluates the arguments
	values []directArgument

	needsCells *bool // something was met that only cells report: a secret that decides what is read, a condition to warn about
}

// A directArgument is the value of an argument that was used.
type directArgument struct {
	known bool
	val   value.Value
	err   error
}

// A directKey is the key of a macro that an expression reads.
type directKey struct {
	def    *graph.Definition // the macro that was called last
	node   graph.Node        // of the key in it, nil if it needs cells
	failed int
}

// direct evaluates a key of a call by a direct call. It returns false if the call has to be evaluated on cells.
func (ev evaluator) direct(n *expr.Select) (v value.Value, err error, done bool) {
	call, ok := n.X.(*expr.CallExpr)
	if !ok || !isNamed(call) {
		return value.Null, nil, false
	}
	switch in := ev.in.(type) {
	case *site:
		rt, e := in.runtime(), in.place().Eval()
		k := rt.directKey(n)
		if rt.onCells || k.failed >= maxFailed || !e.BeginBypass() {
			return value.Null, nil, false
		}
		needsCells := false
		v, err = k.read(n, call, &directCall{site: in, around: in, in: ev, needsCells: &needsCells})
		if err == nil && needsCells {
			err = errNeedsCells
			k.failed++
		}
		if e.EndBypass(err) {
			return v, nil, true
		}
	case *directCall:
		k := in.runtime().directKey(n)
		if k.failed >= maxFailed {
			return value.Null, errNeedsCells, true
		}
		v, err = k.read(n, call, &directCall{site: in.site, around: in, nested: in.nested + 1, in: ev, needsCells: in.needsCells})
		return v, err, true
	}
	return value.Null, nil, false
}

// isNamed reports whether a call is of a name, with named arguments.
func isNamed(call *expr.CallExpr) bool {
	_, ok := call.Fn.(*expr.Name)
	return ok && !slices.ContainsFunc(call.Args, func(a expr.Arg) bool { return a.Name == "" })
}

// directKey returns the facts about the key that n reads.
func (rt *Runtime) directKey(n *expr.Select) *directKey {
	k := rt.directKeys[n]
	if k == nil {
		if rt.directKeys == nil || len(rt.directKeys) == mostCalls {
			rt.directKeys = map[*expr.Select]*directKey{}
		}
		k = &directKey{}
		rt.directKeys[n] = k
	}
	return k
}

// read evaluates the key in c, which is the scope of the call.
func (k *directKey) read(n *expr.Select, call *expr.CallExpr, c *directCall) (v value.Value, err error) {
	defer func() {
		if err != nil {
			k.failed++
		}
	}()
	fn, ok, err := c.in.lookup(call.Fn.(*expr.Name).Name)
	if !ok || err != nil {
		return value.Null, errNeedsCells
	}
	def, err := definitionOf(fn, macroKind, call.At, "call")
	if err != nil || !def.HasNamesOf(c.place()) {
		return value.Null, errNeedsCells
	}
	if k.def != def {
		k.def, k.node = def, def.PlainEntry(value.K(n.Name))
	}
	node := k.node // an argument may read the key of another macro by the same expression
	e := c.place().Eval()
	if c.Frame.Calls()+c.nested >= e.Limits().Includes || e.Step(graph.InstanceSteps) != nil {
		return value.Null, errNeedsCells
	}
	c.in.probing = false
	c.args, c.values = call.Args, make([]directArgument, len(call.Args))
	ahead := firstRead{eval: e, frame: c.Frame, scope: c}
	if i := c.argument(ahead.ofNode(node)); i >= 0 {
		c.evalArgument(i)
	}
	if e.Enter() != nil {
		return value.Null, errNeedsCells
	}
	defer e.Leave()
	switch n := node.(type) {
	case *graph.Scalar:
		return n.Val, nil
	case *graph.Computed:
		switch t := n.Thunk.(type) {
		case *exprThunk:
			v, err = eval(t.node, c, nil)
			v = v.Mark(t.marks)
		case *textThunk:
			v, err = joinText(t.text.Parts, c)
			v = v.Mark(t.marks)
		}
	}
	if err == nil && (node == nil || !v.IsScalar()) {
		err = errNeedsCells
	}
	return v, err
}

// Lookup implements surroundings.
func (c *directCall) Lookup(name string) (value.Value, bool, error) {
	if name == "here" {
		return value.Null, false, errNeedsCells
	}
	i := c.argument(name)
	if i < 0 {
		return c.around.Lookup(name)
	}
	a := &c.values[i]
	if !a.known {
		c.evalArgument(i)
	}
	return a.val, a.err == nil, a.err
}

// evalArgument evaluates an argument and keeps the value or the error.
func (c *directCall) evalArgument(i int) {
	a := &c.values[i]
	a.val, a.err = c.in.eval(c.args[i].Value)
	a.known = true
}

// argument returns the index of an argument, -1 for none.
func (c *directCall) argument(name string) int {
	return slices.IndexFunc(c.args, func(a expr.Arg) bool { return a.Name == name })
}

// binds reports whether a name is an argument of a direct call around an expression. c may be nil.
func (c *directCall) binds(name string) bool {
	for c != nil {
		if c.argument(name) >= 0 {
			return true
		}
		c, _ = c.around.(*directCall)
	}
	return false
}

// Missing implements surroundings. Cells report the error.
func (c *directCall) Missing(*expr.Name) error { return errProbe }

// Call implements surroundings. The whole result of the call is needed, which is a map on cells.
func (c *directCall) Call(*expr.CallExpr, value.Value, evaluator) (value.Value, error) {
	return value.Null, errNeedsCells
}

// Ahead implements surroundings.
func (c *directCall) Ahead(value.Value, string) {}

// Keeps implements surroundings.
func (c *directCall) Keeps() bool { return false }

// Decided implements surroundings.
func (c *directCall) Decided() { *c.needsCells = true }
