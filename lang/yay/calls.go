package yay

import (
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/value"
)

// Call calls a macro. The arguments are evaluated in the scope of the call.
func (s *site) Call(call *expr.CallExpr, callee value.Value, ev evaluator) (value.Value, error) {
	def, err := definitionOf(callee, macroKind, call.At, "call")
	if err != nil {
		return value.Null, err
	}
	var n *graph.Instance
	if ev == (evaluator{in: s}) {
		n = s.runtime().call(call, def)
	} else {
		n = instanceOf(call, def, func(n expr.Node) graph.Thunk { return &argument{node: n, in: ev} })
	}
	v, ok, err := n.Value(s.place())
	if err == nil && !ok {
		v = value.FromMap(value.NewMap(0))
	}
	return v, err
}

// instanceOf returns an instance of a definition with the arguments of a call, each with its thunk.
func instanceOf(call *expr.CallExpr, def *graph.Definition, thunk func(expr.Node) graph.Thunk) *graph.Instance {
	n := &graph.Instance{At: call.At, Def: def}
	if len(call.Args) == 0 {
		return n
	}
	nodes := make([]graph.Computed, len(call.Args))
	m := graph.Map{At: call.At, Entries: make([]graph.Entry, len(call.Args))}
	for i, a := range call.Args {
		nodes[i] = graph.Computed{At: a.Value.Span(), Thunk: thunk(a.Value)}
		m.Entries[i] = graph.Entry{Key: value.K(a.Name), KeyAt: nodes[i].At, Node: &nodes[i]}
	}
	n.Args = graph.NewMap(m)
	return n
}

// mostCalls bounds the calls that are kept. Expressions of queries may be many.
const mostCalls = 4096

// call returns the instance of a definition that a call makes, if its arguments need no more than the place. It is the
// same each time, as a rule.
func (rt *Runtime) call(call *expr.CallExpr, def *graph.Definition) *graph.Instance {
	if n := rt.calls[call]; n != nil && n.Def == def {
		return n
	}
	if rt.calls == nil || len(rt.calls) == mostCalls {
		rt.calls = map[*expr.CallExpr]*graph.Instance{}
	}
	n := instanceOf(call, def, func(n expr.Node) graph.Thunk { return &plainArgument{node: n} })
	rt.calls[call] = n
	return n
}

// An argument of a macro is a thunk.
type argument struct {
	binding
	node expr.Node
	in   evaluator
}

// Eval evaluates the argument in the scope of the call, anew each time.
func (a *argument) Eval(*graph.Context) (value.Value, error) { return a.in.eval(a.node) }

// A plainArgument is an argument that needs nothing of its call but the place. It is the same for all calls that an
// expression makes.
type plainArgument struct {
	binding
	node expr.Node
}

// Eval evaluates the argument at the place of the call.
func (a *plainArgument) Eval(p *graph.Context) (value.Value, error) {
	return eval(a.node, (*site)(p.Caller()), nil)
}

// # Arguments that are evaluated ahead
//
// Arguments are evaluated when they are read. So in a chain of calls, each the argument of the next one, the
// last call would begin first and wait for all others, nested in it:
//
//	macro once:
//	  result: {{ x + 1 }}
//	macro twice:
//	  result: {{ once(x=once(x=x).result).result }}
//	out: {{ twice(x=twice(x=0).result).result }}
//
// An argument that is certain to be read before anything else that may fail is evaluated before the value that
// reads it, with the same result. Which one it is follows from the expressions. That of once.result reads x
// first. That of twice.result is a call of once, so it first reads the argument that once.result reads first,
// and this reads x. The macros are the ones that the names are bound to at the place of the call.

// maxAhead bounds the macros that are looked at to find the argument of one call.
const maxAhead = 4

// Ahead evaluates the argument of a call that a key of its result reads first, if there is one.
func (s *site) Ahead(called value.Value, key string) {
	c := graph.CellOf(called)
	if c == nil {
		return
	}
	m, frame := c.Written()
	w := firstRead{eval: s.place().Eval(), frame: frame}
	if name := w.ofEntry(m, key); name != "" {
		if arg := c.Argument(name); arg != nil {
			arg.Ahead()
		}
	}
}

// A firstRead looks for the name that an expression reads first.
type firstRead struct {
	eval  *graph.Eval
	frame *graph.Frame
	scope *directCall      // nil on cells
	calls []*expr.CallExpr // the calls around it, outermost first, whose arguments are names too
}

// ofEntry returns the name that an entry of a map reads first, "" if none is certain to be read.
func (w *firstRead) ofEntry(m *graph.Map, key string) string {
	if m == nil {
		return ""
	}
	i, ok := m.Find(value.K(key))
	if !ok {
		return ""
	}
	return w.ofNode(m.Entries[i].Node)
}

// ofNode returns the name that a computed value reads first.
func (w *firstRead) ofNode(n graph.Node) string {
	computed, ok := n.(*graph.Computed)
	if !ok {
		return ""
	}
	switch t := computed.Thunk.(type) {
	case *exprThunk:
		return w.of(t.node)
	case *textThunk:
		for _, p := range t.text.Parts {
			if p.Node != nil {
				return w.of(p.Node)
			}
		}
	}
	return ""
}

// of returns the name that an expression reads first.
func (w *firstRead) of(n expr.Node) string {
	for {
		switch x := n.(type) {
		case *expr.Name:
			if x.Name == "here" || x.Name == "self" {
				return ""
			}
			return x.Name
		case *expr.Select:
			call, ok := x.X.(*expr.CallExpr)
			if !ok {
				n = x.X
				continue
			}
			name := w.ofCall(call, x.Name)
			i := slices.IndexFunc(call.Args, func(a expr.Arg) bool { return a.Name == name })
			if name == "" || i < 0 {
				return name
			}
			n = call.Args[i].Value
		case *expr.Binary:
			n = x.X
		case *expr.Unary:
			n = x.X
		case *expr.Compare:
			n = x.First
		case *expr.Logic:
			n = x.X
		case *expr.Cond:
			n = x.Test
		default:
			return ""
		}
	}
}

// ofCall returns the name that a key of the result of a call reads first: an argument of the call, or a name
// around it.
func (w *firstRead) ofCall(call *expr.CallExpr, key string) string {
	fn, ok := call.Fn.(*expr.Name)
	if !ok || len(w.calls) == maxAhead || w.scope.binds(fn.Name) || slices.ContainsFunc(call.Args, func(a expr.Arg) bool { return a.Name == "" }) {
		return ""
	}
	for _, around := range w.calls {
		if slices.ContainsFunc(around.Args, func(a expr.Arg) bool { return a.Name == fn.Name }) {
			return ""
		}
	}
	w.calls = append(w.calls, call)
	name := w.ofEntry(w.eval.Defined(w.frame, fn.Name), key)
	w.calls = w.calls[:len(w.calls)-1]
	return name
}
