package mcl

import (
	"errors"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
)

// An inference finds the type of every expression that the output of a program uses (spec: mcl, section
// 7). It walks the tree once and unifies on the way. What an operand must be known for waits until it
// is: overloads, lookups, names of resources.
//
//	$x = []                        []?1
//	$y = $x[0] + 1                 the lookup waits for nothing: $x is a list; ?1 + int: ?1 is int
//	note $y {}                     the name is int: a conflict with str or []str
type inference struct {
	types.Unifier
	table     types.Table
	schema    Schema
	files     map[*module]*instance
	known     map[instanceKey]*instance
	all       []*instance
	including map[*inclusion]bool
	pending   []*constraint
	binding   []*symbol // the binds that are being typed
	depth     int
	draining  bool
	step      func(n int) error
}

// A Schema has the types of the fields of kinds of resources. A kind that is in it has no other fields.
type Schema map[string]map[string]*syntax.Type

// newInference returns an inference that calls step for its work.
func newInference(schema Schema, step func(n int) error) *inference {
	return &inference{
		schema: schema, step: step, files: map[*module]*instance{}, known: map[instanceKey]*instance{}, including: map[*inclusion]bool{},
	}
}

// main types the statements of the main file, and everything that they use.
func (n *inference) main(m *module) (*instance, error) {
	in := n.module(m)
	if err := n.stmts(in, m.tree.Body.Stmts); err != nil {
		return nil, err
	}
	return in, n.finish()
}

// finish decides what still waits, by defaults where there are any, and reports the first expression
// without a type.
func (n *inference) finish() error {
	for {
		c := n.next()
		if c == nil {
			break
		}
		if c.byDefault == nil {
			return ambiguous(c.at, c.on)
		}
		if err := c.byDefault(); err != nil {
			return err
		}
		if err := n.drain(); err != nil {
			return err
		}
	}
	for _, in := range n.all {
		for _, t := range in.exprs {
			if t != nil && !t.Ground() {
				return ambiguous(t.Undecided().At, t)
			}
		}
	}
	return nil
}

// next returns a constraint that waits, one with a default if there is any; nil if none waits.
func (n *inference) next() *constraint {
	var first *constraint
	rest := n.pending[:0]
	for _, c := range n.pending {
		if c.done {
			continue
		}
		rest = append(rest, c)
		if first == nil || first.byDefault == nil && c.byDefault != nil {
			first = c
		}
	}
	n.pending = rest
	return first
}

// ambiguous is the error of an expression whose type is not decided.
func ambiguous(at source.Span, t *types.Type) *source.Diagnostic {
	d := source.Errorf(at, source.TypeAmbiguous, "the type of this is ambiguous: %s", t)
	if t.Is(types.List) {
		return d.WithHint("an annotation decides it: $x []str = []")
	}
	return d.WithHint("an annotation decides it: $x str = ...")
}

// A constraint is a rule that needs to know a type. It is tried when the type is decided.
type constraint struct {
	on        *types.Type
	at        source.Span
	try       func() error
	byDefault func() error // decides the type if nothing else does; or nil
	done      bool
}

// when calls try as soon as a type is decided.
func (n *inference) when(on *types.Type, at source.Span, try func() error) error {
	return n.wait(&constraint{on: on, at: at, try: try})
}

func (n *inference) wait(c *constraint) error {
	if !c.on.Is(types.Var) {
		c.done = true
		return c.try()
	}
	n.pending = append(n.pending, c)
	c.on.Wait(c)
	return nil
}

// unify makes the type of an expression equal to the one that its place has.
func (n *inference) unify(want, have *types.Type, e syntax.Node) error {
	before, beforeHave := want.Find(), have.Find()
	if err := n.Unify(want, have); err != nil {
		return conflict(err, before, beforeHave, e.Span())
	}
	return n.drain()
}

// drain tries the constraints on types that were decided.
func (n *inference) drain() error {
	if n.draining {
		return nil
	}
	n.draining = true
	defer func() { n.draining = false }()
	for len(n.Ready) > 0 {
		c := n.Ready[0].(*constraint)
		n.Ready = n.Ready[1:]
		if c.done {
			continue
		}
		c.done = true
		if err := c.try(); err != nil {
			return err
		}
	}
	return nil
}

// conflict is the error of two types that differ, at the newer expression.
func conflict(err error, want, have *types.Type, at source.Span) error {
	var c *types.Conflict
	if !errors.As(err, &c) {
		return err
	}
	if c.Depth {
		return source.Errorf(at, source.Limit, "%s", c.Error())
	}
	if c.Endless {
		return source.Errorf(at, source.TypeConflict, "the type %s would contain itself", c.Have)
	}
	d := source.Errorf(at, source.TypeConflict, "expected %s, found %s", want, have)
	if w := c.Want.Find(); !w.At.IsZero() && w.At != at {
		d.Note(w.At, "%s because of this", w)
	}
	if h := c.Have.Find(); !h.At.IsZero() && !at.Contains(h.At) {
		d.Note(h.At, "%s because of this", h)
	}
	return d
}

// bind returns the type of a variable in the instance of its unit.
func (n *inference) bind(in *instance, sym *symbol) (*types.Type, error) {
	switch in.binds[sym.term] {
	case done:
		return in.terms[sym.term], nil
	case running:
		return nil, circle(n.binding[firstOf(n.binding, sym):])
	}
	if len(n.binding) > maxDepth {
		return nil, source.Errorf(sym.at, source.Limit, "more than %d binds use each other in a row", maxDepth)
	}
	in.binds[sym.term] = running
	n.binding = append(n.binding, sym)
	t, err := n.expr(in, sym.bind.Value)
	n.binding = n.binding[:len(n.binding)-1]
	in.binds[sym.term] = done
	if err == nil && sym.typ != nil {
		want := types.Written(sym.typ)
		if err = n.unify(want, t, sym.bind.Value); err == nil {
			t = want
		}
	}
	if err != nil {
		return nil, err
	}
	in.terms[sym.term] = t
	return t, nil
}

func firstOf(syms []*symbol, sym *symbol) int {
	for i, s := range syms {
		if s == sym {
			return i
		}
	}
	return 0
}
