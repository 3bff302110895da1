package mcl

import (
	"slices"

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
	atEnd     []func() error // checks of whole types
	binding   []*symbol      // the binds that are being typed
	depth     int            // of functions and classes: see maxInstances
	level     int            // of expressions: see maxDepth
	draining  bool
	remembers bool // some expression asks for what was in earlier evaluations
	step      func(n int) error
}

// A Schema has the types of the fields of kinds of resources. A kind that is in it has no other fields.
type Schema map[string]map[string]*syntax.Type

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
			if c.of != nil {
				return ambiguous(c.at, c.of)
			}
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
				return ambiguous(in.undecided(t))
			}
		}
	}
	for _, check := range n.atEnd {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// undecided returns the expression because of which a type is not decided, with its type: the list in
// $f([]), where $f takes any type.
func (in *instance) undecided(t *types.Type) (source.Span, *types.Type) {
	part := t.Undecided()
	for _, other := range in.exprs {
		if other != nil && other.Find().At == part.At && other.Undecided() == part {
			return part.At, other
		}
	}
	if part.At.IsZero() {
		return t.Find().At, t
	}
	return part.At, t
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

// A constraint is a rule that needs to know a type. It is tried when the type is decided.
type constraint struct {
	on, of    *types.Type // of has on as a part, for messages; or nil
	at        source.Span
	try       func() error
	byDefault func() error // decides the type if nothing else does; or nil
	done      bool
}

// when calls try as soon as a type is decided.
func (n *inference) when(on *types.Type, at source.Span, try func() error) error {
	return n.wait(&constraint{on: on, at: at, try: try})
}

// whole calls check once all parts of a type are decided. It does not decide them: the check of a type
// that stays undecided is never made, since its expression is an error.
func (n *inference) whole(t *types.Type, check func() error) error {
	if t.Ground() {
		return check()
	}
	n.atEnd = append(n.atEnd, check)
	return nil
}

// wait tries a constraint now if its type is decided, or registers it with the type. A unification that decides the
// type puts it into Ready, and drain tries it.
func (n *inference) wait(c *constraint) error {
	if !c.on.Is(types.Var) {
		c.done = true
		return c.try()
	}
	n.pending = append(n.pending, c)
	c.on.Wait(c)
	return nil
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

// bind returns the type of a variable in the instance of its unit.
func (n *inference) bind(in *instance, sym *symbol) (*types.Type, error) {
	switch in.binds[sym.term] {
	case done:
		return in.terms[sym.term], in.failed[sym.term]
	case running:
		return nil, cycle(n.binding[slices.Index(n.binding, sym):])
	}
	in.binds[sym.term] = running
	n.binding = append(n.binding, sym)
	t, err := n.expr(in, sym.bind.Value)
	n.binding = n.binding[:len(n.binding)-1]
	in.binds[sym.term] = done
	if err == nil && sym.typ != nil {
		want := types.Written(sym.typ)
		if err = n.unifyAs(want, t, sym.bind.Value, ""); err == nil {
			t = want
		}
	}
	if err != nil {
		if in.failed == nil {
			in.failed = map[int]error{}
		}
		in.failed[sym.term] = err
		return nil, err
	}
	in.terms[sym.term] = t
	return t, nil
}
