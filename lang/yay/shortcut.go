package yay

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Calls of which one value is read
//
// A call makes a map, and an instance of a prototype another one in it. On cells each takes some microseconds and some
// kilobytes, for what can be asked about a place: its layers, its explanation, the names around it. An expression that
// reads one value of a call asks nothing of that:
//
//	prototype Fib:
//	  n: 1
//	  sum: {{ 1 if self.n < 2 else fib(n=self.n - 1).it.sum + fib(n=self.n - 2).it.sum }}
//	macro fib:
//	  it:
//	    new Fib:
//	      n: {{ n }}
//	out: {{ fib(n=25).it.sum }}
//
// So the value is computed by a shortcut, without cells. The call and the instance have an [activation] each, with the
// values of the names and keys that were read so far, in slots:
//
//	fib(n=25)    n
//	.it          n, sum
//
// Which slot a name or key has follows from the [layout] of the map, which is the same for all activations of a
// definition: the call has the argument n, the instance the keys that are given to it over those of Fib. An expression
// is compiled to [code] in which names are slots (compile.go, code.go).
//
// This is another way to the same values. They are lazy in the same way: an argument that is not read is not evaluated,
// and one that is read again is not evaluated again. A shortcut gives up wherever it meets anything else: a map that is
// read as a whole, a directive that may define the key, "here" in what an instance is given, displays of lists and maps, whose
// items are evaluated later, a value that needs itself, an error that no "else" catches. Then the expression is evaluated again
// with cells. So all errors are theirs.
//
// Names are dynamic: a name that a macro does not bind has its meaning at the call, and so on. For this each activation
// has the one around it. Names that none of them binds, such as those of the macros, are looked up at the base, the place
// of the first call, once in a turn, which is one use of a shortcut.

// errNoShortcut is the result of what has to be evaluated with cells.
var errNoShortcut = errors.New("this needs cells")

// A shortcuts is the state of an evaluation that shortcuts need.
type shortcuts struct {
	runtime *Runtime
	eval    *graph.Eval
	turn    turn
	turns   int
	off     int // the number of running evaluations that are made with cells after a shortcut gave up
	nodes   int // that were compiled
	binds   int // how often a name of a definition has got another meaning

	reads   map[*expr.Select]*baseRead
	layouts map[layoutKey]*layout
	names   map[string]*nameRef
}

// A turn is one use of a shortcut. Values of the document may begin others meanwhile.
type turn struct {
	number    int
	base      *site
	withCells bool // something was met that only cells tell: a secret that decides what is read, a condition to warn about
	pending   int  // steps that are not yet counted
}

// A baseRead is a key of a call outside of shortcuts, or a key of such a value.
type baseRead struct {
	code   *callRead
	failed int
}

// maxFailed bounds how often a shortcut for one expression may give up, or for one key of a macro because it needs cells.
const maxFailed = 3

// shortcut returns the value of a key of a call, if there is a shortcut to it.
func (ev evaluator) shortcut(n *expr.Select) (v value.Value, err error, done bool) {
	switch in := ev.in.(type) {
	case *site:
		if call := calledIn(n); call != nil {
			return in.shortcut(ev, n, call)
		}
	case *activation:
		if call, code := in.shortcutOf(ev, n); code != nil {
			v, err = code.eval(in)
			return v, err, true
		} else if call != nil {
			own := ev
			own.probing = false
			v, err = call.evalIn(in, &own)
			return v, err, true
		}
	}
	return value.Null, nil, false
}

// maxKeys bounds the keys that are looked at to find the call that the first of them is read of. Each key of a long row is
// evaluated for itself, so that the search must not grow with the row.
const maxKeys = 8

// calledIn returns the call with named arguments that n reads a key of, or a key of such a value. Otherwise it is nil.
func calledIn(n *expr.Select) *expr.CallExpr {
	x := n.X
	for range maxKeys {
		switch of := x.(type) {
		case *expr.Select:
			x = of.X
		case *expr.CallExpr:
			if isNamed(of) {
				return of
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// isNamed reports whether a call is that of a name, with arguments that have names.
func isNamed(call *expr.CallExpr) bool {
	_, ok := call.Fn.(*expr.Name)
	return ok && !slices.ContainsFunc(call.Args, func(a expr.Arg) bool { return a.Name == "" })
}

// shortcut is evaluator.shortcut for an expression at a place of the graph.
func (s *site) shortcut(ev evaluator, n *expr.Select, call *expr.CallExpr) (v value.Value, err error, done bool) {
	sc := s.shortcuts()
	if sc == nil || sc.off > 0 {
		return value.Null, nil, false
	}
	r := sc.reads[n]
	if r == nil {
		r = sc.keep(n, call)
	}
	if r.failed >= maxFailed || !sc.eval.BeginBypass() {
		return value.Null, nil, false
	}
	outer := sc.turn
	sc.turns++
	sc.turn = turn{number: sc.turns, base: s}
	own := ev
	own.probing = false
	v, err = r.code.evalIn(nil, &own)
	if (err == nil || err == errProbe) && sc.turn.withCells {
		err = errNoShortcut
	}
	if err == nil {
		err = sc.count()
	}
	sc.turn = outer
	if sc.eval.EndBypass(err) {
		return v, nil, true
	}
	if err == errProbe && ev.probing {
		return value.Null, err, true
	}
	r.failed++
	if e := r.code.keys[0].entry; e != nil && err == errNoShortcut {
		e.failed++
	}
	sc.off++
	v, err = ev.attribute(n)
	sc.off--
	return v, err, true
}

// shortcuts returns the state of the evaluation, nil if there are no shortcuts in it.
func (s *site) shortcuts() *shortcuts {
	rt, e := s.runtime(), s.place().Eval()
	if rt.noShortcuts {
		return nil
	}
	if rt.shortcuts == nil || rt.shortcuts.eval != e {
		rt.shortcuts = &shortcuts{
			runtime: rt, eval: e, reads: map[*expr.Select]*baseRead{}, layouts: map[layoutKey]*layout{}, names: map[string]*nameRef{},
		}
	}
	return rt.shortcuts
}

// keep compiles an expression that is not in a shortcut.
func (sc *shortcuts) keep(n *expr.Select, call *expr.CallExpr) *baseRead {
	if len(sc.reads) == mostCalls {
		clear(sc.reads)
	}
	r := &baseRead{code: newCallRead(sc, n, call)}
	sc.reads[n] = r
	return r
}

// count counts the steps since it was called last.
func (sc *shortcuts) count() error {
	n := sc.turn.pending
	sc.turn.pending = 0
	return sc.eval.Step(n)
}

// A nameRef is a name that activations may bind, or the place around them. The meaning there is looked up once in
// a turn.
type nameRef struct {
	name  string
	bound bool // some activations may bind it

	turn int
	val  value.Value
	ok   bool
	err  error
	def  *graph.Definition // the last definition that it had as its value
}

func (sc *shortcuts) ref(name string) *nameRef {
	r := sc.names[name]
	if r == nil {
		r = &nameRef{name: name}
		sc.names[name] = r
	}
	return r
}

// outside returns the value of a name at the base, false if it has none.
func (sc *shortcuts) outside(r *nameRef) (value.Value, bool, error) {
	if r.turn == sc.turn.number {
		return r.val, r.ok, r.err
	}
	turn := sc.turn.number
	v, ok, err := sc.turn.base.Lookup(r.name)
	r.turn, r.val, r.ok, r.err = turn, v, ok, err
	if f := v.Func(); f != nil && err == nil {
		if def, _ := f.Definition.(*graph.Definition); def != r.def {
			r.def = def
			sc.binds++
		}
	}
	return v, ok, err
}

// isWhole reports whether a value is a map or list of the graph that the base is in. A value that
// contains itself is an error.
func (sc *shortcuts) isWhole(v value.Value) bool {
	switch v.Kind() {
	case value.MapKind, value.ListKind:
		c := graph.CellOf(v)
		return c != nil && sc.turn.base.Cell.IsIn(c)
	}
	return false
}

// stepError returns the error of a step at a place.
func (sc *shortcuts) stepError(err error, at source.Span) error {
	if err == nil {
		return nil
	}
	return sc.eval.Exceeds(placed(err, at))
}
