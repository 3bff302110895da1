package mcl

import (
	"encoding/binary"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
)

// # One type for each use
//
// Functions and classes are polymorphic without type schemes of their own: a use with arguments of other types types
// the body again.
//
//	func twice($x) { $x + $x }
//	$a = twice(1)        an instance with $x int, result int
//	$b = twice("a")      another one, with $x str
//	$c = twice(2)        the first one again
//
// Instances are found again by the IDs of the argument types and the instance around the definition, which determines
// what the unit captures. Only ground types have IDs: a use with undecided arguments has an instance of its own.
// The code is not copied: at run time only the types differ, which operators and some functions ask for.

// An instance is a unit with types: a file, or one use of a function or class. Uses with the same types
// share an instance, so that a chain of functions that each call the one before twice costs no more
// than its length (spec: mcl, section 7, "Instances"). Uses do not share what each of them may decide:
//
//	func none() { [] }
//	$a []int = none()      the result is []?1, so each call has an instance of its own
//	$b []str = none()
type instance struct {
	unit  *unit
	up    *instance // of the unit around the definition
	terms []*types.Type
	binds []state
	exprs []*types.Type

	failed   map[int]error     // of binds without a type, by term
	calls    map[int]*instance // what a call of a function of the program calls, by the ID of the call
	includes []*instance       // what the include statements include
	result   *types.Type       // of a function
	state    state             // of the statements of a class
	place    int               // in the order of creation
}

// newInstance returns an instance without types.
func (n *inference) newInstance(u *unit, up *instance) *instance {
	in := &instance{
		unit: u, up: up, terms: make([]*types.Type, u.terms), binds: make([]state, u.terms),
		exprs: make([]*types.Type, u.last-u.first), includes: make([]*instance, u.includes), place: len(n.all),
	}
	n.all = append(n.all, in)
	return in
}

// of returns the instance of an enclosing unit.
func (in *instance) of(u *unit) *instance {
	for in.unit != u {
		in = in.up
	}
	return in
}

// typeOf returns the type of an expression that was inferred.
func (in *instance) typeOf(e syntax.Expr) *types.Type { return in.exprs[e.ID()-in.unit.first].Find() }

// instanceKey returns the key of an instance whose arguments have ground types, false if one has not.
// What the unit captures is determined by the instance around it.
func (n *inference) instanceKey(u *unit, up *instance, args []*types.Type) (instanceKey, bool) {
	ids := make([]byte, 0, 4*len(args))
	for _, a := range args {
		id, ok := n.table.ID(a)
		if !ok {
			return instanceKey{}, false
		}
		ids = binary.LittleEndian.AppendUint32(ids, uint32(id))
	}
	return instanceKey{u, up, string(ids)}, true
}

type instanceKey struct {
	unit *unit
	up   *instance
	args string
}

// apply returns the instance of a function or class for arguments, whose expressions are given for
// messages. The instance of a class has no types for its statements yet; it is shared if the include has no
// name, through which others could decide the types of its binds. That of a function is shared if its result
// is decided when its body is typed.
func (n *inference) apply(u *unit, up *instance, args []*types.Type, exprs []syntax.Expr, at source.Span, shared bool) (*instance, error) {
	key, known := n.instanceKey(u, up, args)
	if in := n.known[key]; known && shared && in != nil {
		return in, nil
	}
	if n.depth++; n.depth > maxInstances {
		return nil, source.Errorf(at, source.Limit, "more than %d functions and classes use each other in a row", maxInstances)
	}
	defer func() { n.depth-- }()
	in := n.newInstance(u, up)
	for i, p := range u.params {
		t := n.declared(p)
		in.terms[p.term], in.binds[p.term] = t, done
		if err := n.unify(t, args[i], exprs[i]); err != nil {
			return nil, err
		}
	}
	if u.fn == nil {
		if known && shared {
			n.known[key] = in
		}
		return in, nil
	}
	t, err := n.expr(in, u.fn.Body)
	if err != nil {
		return nil, calledAt(err, at, u)
	}
	if u.fn.Result != nil {
		want := types.Written(u.fn.Result)
		if err := n.unifyAs(want, t, u.fn.Body, "the result has the type that is written"); err != nil {
			return nil, err
		}
	}
	in.result, u.reads = t, u.mod.firstRead(u.fn.Body, u.params)
	if known && t.Ground() {
		n.known[key] = in
	}
	return in, nil
}

// maxInstances bounds the nesting of functions and classes, since typing one takes stack.
const maxInstances = 10_000

// calledAt adds the place of a call to an error in the body of a function.
func calledAt(err error, at source.Span, u *unit) error {
	if d, ok := err.(*source.Diagnostic); ok && len(d.Notes) < maxNotes {
		return d.Note(at, "%s is used here", u.name)
	}
	return err
}

// declared returns the type of a parameter: as written, or undecided.
func (n *inference) declared(p *symbol) *types.Type {
	if p.typ != nil {
		return types.Written(p.typ)
	}
	return types.Of(types.Var, p.at)
}

// reach returns the instance in which a use leads to something of a unit.
func (n *inference) reach(in *instance, to use, target *unit) (*instance, error) {
	switch {
	case to.mod != nil:
		in = n.module(to.mod)
	case len(to.via) > 0:
		in = in.of(to.via[0].scope.unit)
	default:
		return in.of(target), nil
	}
	for _, inc := range to.via {
		var err error
		if in, err = n.inclusion(in, inc); err != nil {
			return nil, err
		}
	}
	return in.of(target), nil
}

// module returns the instance of a file.
func (n *inference) module(m *module) *instance {
	in := n.files[m]
	if in == nil {
		in = n.newInstance(m.unit, nil)
		n.files[m] = in
	}
	return in
}

// inclusion returns the instance of the class that a statement of an instance includes.
func (n *inference) inclusion(in *instance, inc *inclusion) (*instance, error) {
	if child := in.includes[inc.index]; child != nil {
		return child, nil
	}
	if n.including[inc] {
		return nil, source.Errorf(inc.node.Span(), source.BindCycle, "%s is recursive: its arguments need what it defines", inc.node.As.Text)
	}
	n.including[inc] = true
	defer delete(n.including, inc)
	var exprs []syntax.Expr
	if inc.node.Args != nil {
		exprs = inc.node.Args.List
	}
	args, err := n.exprs(in, exprs)
	if err != nil {
		return nil, err
	}
	up, err := n.reach(in, inc.to, inc.class.outer.unit)
	if err != nil {
		return nil, err
	}
	child, err := n.apply(inc.class.unit, up, args, exprs, inc.node.Span(), inc.node.As.Text == "")
	in.includes[inc.index] = child
	return child, err
}
