package notation

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An env is what a node sees while it is evaluated: the scope of the bindings, and the
// parameters and variables of lambdas and bodies around it.
type env struct {
	scope *bind.Scope
	up    *env
	names map[string]value.Value
	top   bool // sets variables of the site
}

// inner returns an environment for a body.
func (e *env) inner() *env { return &env{scope: e.scope, up: e, names: map[string]value.Value{}} }

// local returns a parameter or a variable of a body.
func (e *env) local(name string) (value.Value, bool) {
	for ; e != nil; e = e.up {
		if v, ok := e.names[name]; ok {
			return v, true
		}
	}
	return value.Null, false
}

// Span returns the place of the expression.
func (x expr) Span() source.Span { return x.node.span() }

// Eval returns the value of the expression.
func (x expr) Eval(s *bind.Scope) (value.Value, error) {
	return eval(x.node, &env{scope: s})
}

// A topExpr is a statement of a site file: it sets variables of the file.
type topExpr struct{ expr }

// Eval evaluates the statement.
func (x topExpr) Eval(s *bind.Scope) (value.Value, error) {
	return eval(x.node, &env{scope: s, top: true})
}

// set sets a variable, once in each scope.
func (e *env) set(name string, v value.Value, at source.Span) error {
	if e.top {
		e.scope.Set(name, v)
		return nil
	}
	if _, twice := e.names[name]; twice {
		return source.Errorf(at, source.BadValue, "the variable '%s' is set twice", name)
	}
	if e.names == nil {
		e.names = map[string]value.Value{}
	}
	e.names[name] = v
	return nil
}

// eval evaluates a node under the budget of the scope.
func eval(n node, e *env) (value.Value, error) {
	if c, ok := n.(*constantNode); ok {
		return c.v, nil
	}
	if err := e.scope.Step(1); err != nil {
		return value.Null, err
	}
	if err := e.scope.Enter(); err != nil {
		return value.Null, err
	}
	defer e.scope.Leave()
	return n.eval(e)
}

// Constant returns the value of an expression without variables and calls.
func (x expr) Constant() (value.Value, bool) { return constant(x.node) }

func constant(n node) (value.Value, bool) {
	switch n := n.(type) {
	case *constantNode:
		return n.v, true
	case *listNode:
		items := make([]value.Value, len(n.items))
		for i, item := range n.items {
			v, ok := constant(item)
			if !ok {
				return value.Null, false
			}
			items[i] = v
		}
		return value.ListOf(items...), true
	case *mapNode:
		out := value.NewMap(len(n.pairs))
		for _, p := range n.pairs {
			k, ok := constant(p.key)
			v, also := constant(p.value)
			key, err := value.KeyFor(k)
			if !ok || !also || err != nil {
				return value.Null, false
			}
			out.Set(key, v)
		}
		return value.FromMap(out), true
	}
	return value.Null, false
}

// ItemSpan returns the place of an item of a list that is written out.
func (x expr) ItemSpan(i int) source.Span {
	if l, ok := x.node.(*listNode); ok && i < len(l.items) {
		return l.items[i].span()
	}
	return x.node.span()
}

// Pairs returns the entries of a map that is written out.
func (x mapExpr) Pairs() []bind.Pair {
	var out []bind.Pair
	for _, p := range x.pairs.pairs {
		key, _ := constant(p.key) // null for no constant
		out = append(out, bind.Pair{Key: key, At: p.key.span(), Value: exprOf(p.value)})
	}
	return out
}

// A mapExpr is a map that is written out, of which each value is evaluated on its own.
type mapExpr struct {
	expr
	pairs *mapNode
}

// exprOf makes an expression of a node.
func exprOf(n node) bind.Expr {
	if m, ok := n.(*mapNode); ok && !slices.ContainsFunc(m.pairs, func(p mapPair) bool { _, ok := constant(p.key); return !ok }) {
		return mapExpr{expr{m}, m}
	}
	return expr{n}
}

func (n *constantNode) eval(*env) (value.Value, error) { return n.v, nil }

func (n *varNode) eval(e *env) (value.Value, error) {
	if v, ok := e.local(n.name); ok {
		return v, nil
	}
	v, ok, err := e.scope.Variable(n.name)
	if err != nil || ok {
		return v, err
	}
	return value.Null, source.Errorf(n.at, source.UndefinedVariable, "unknown variable '%s'", n.name).DidYouMean(n.name, slices.Values(e.scope.Names()))
}

// eval joins the parts of a text. undef is an empty text.
func (n *joinNode) eval(e *env) (value.Value, error) {
	var b value.TextBuilder
	for _, part := range n.parts {
		if c, ok := part.(*constantNode); ok && c.v.Is(value.StringKind) {
			b.WriteString(c.v.Str())
			continue
		}
		v, err := eval(part, e)
		if err != nil {
			return value.Null, err
		}
		text, err := textOf(e.scope, v, maxText-b.Len())
		if err != nil {
			return value.Null, source.AsDiagnostic(err, n.at, source.BadValue).Located(n.at)
		}
		if err := b.WriteValue(v, text); err != nil {
			return value.Null, err
		}
	}
	return b.Value(), nil
}

// maxText bounds a text that is joined.
const maxText = 64 << 20

// textOf returns a value as a part of a text, which has room for so many bytes.
func textOf(s *bind.Scope, v value.Value, room int) (string, error) {
	var b strings.Builder
	w := types.TextWriter{Write: func(text string) error {
		if b.Len()+len(text) > room {
			return source.Errorf(source.Span{}, source.Limit, "the text is longer than %d bytes", maxText)
		}
		b.WriteString(text)
		return s.Step(len(text) / 64)
	}}
	err := w.Value(v, 0)
	return b.String(), err
}

func (n *listNode) eval(e *env) (value.Value, error) {
	items, err := evalAll(n.items, e)
	return value.ListOf(items...), err
}

func evalAll(nodes []node, e *env) ([]value.Value, error) {
	all := make([]value.Value, len(nodes))
	for i, n := range nodes {
		var err error
		if all[i], err = eval(n, e); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (n *mapNode) eval(e *env) (value.Value, error) {
	out := value.NewMap(len(n.pairs))
	var marks value.Marks // of keys, which cannot have any
	for _, p := range n.pairs {
		k, err := eval(p.key, e)
		if err != nil {
			return value.Null, err
		}
		marks |= k.Marks()
		key, err := value.KeyFor(k)
		if err != nil {
			return value.Null, source.Errorf(p.key.span(), source.BadType, "a key must be a scalar, and this is %s", value.Article(k.Kind()))
		}
		v, err := eval(p.value, e)
		if err != nil {
			return value.Null, err
		}
		out.Set(key, v)
	}
	return value.FromMap(out).Mark(marks), nil
}

// eval of a lambda outside of a call is an error: it is no value.
func (n *lambdaNode) eval(*env) (value.Value, error) {
	return value.Null, source.Errorf(n.at, source.BadType, "a lambda is no value: it follows a call, or is a combinator")
}

// Span returns the place of the lambda.
func (n *lambdaNode) Span() source.Span { return n.at }

// Arity returns the number of parameters.
func (n *lambdaNode) Arity() int { return len(n.params) }

// Call evaluates the body with arguments.
func (n *lambdaNode) Call(s *bind.Scope, args ...value.Value) (value.Value, error) {
	return n.call(&env{scope: s}, args...)
}

func (n *lambdaNode) call(e *env, args ...value.Value) (value.Value, error) {
	if err := e.scope.Step(1); err != nil {
		return value.Null, err
	}
	inner := e.inner()
	for i, name := range n.params {
		inner.names[name] = value.Null
		if i < len(args) {
			inner.names[name] = args[i]
		}
	}
	return evalBody(n.body, inner)
}

// evalBody returns the value of the last statement, undef for none.
func evalBody(body []statement, e *env) (value.Value, error) {
	last := value.Null
	for _, s := range body {
		v, err := eval(s.x, e)
		if err != nil {
			return value.Null, err
		}
		if s.name != "" {
			if err := e.set(s.name, v, s.at); err != nil {
				return value.Null, err
			}
		}
		last = v
	}
	return last, nil
}

// eval returns the body of the first branch whose option matches. What the choice was made by
// marks the result.
func (n *choiceNode) eval(e *env) (value.Value, error) {
	var marks value.Marks
	asked := func(x node) (value.Value, error) {
		v, err := eval(x, e)
		if err != nil {
			return value.Null, err
		}
		deep, err := value.DeepMarks(v)
		marks |= deep
		return v, err
	}
	subject := value.Null
	if n.subject != nil {
		var err error
		if subject, err = asked(n.subject); err != nil {
			return value.Null, err
		}
	}
	for _, b := range n.branches {
		taken := len(b.options) == 0
		for _, option := range b.options {
			v, err := asked(option)
			if err != nil {
				return value.Null, err
			}
			if n.subject == nil {
				taken = truthy(v) != b.not
			} else if taken, err = matches(e, subject, v); err != nil {
				return value.Null, source.AsDiagnostic(err, option.span(), source.BadType).Located(option.span())
			}
			if taken {
				break
			}
		}
		if taken {
			v, err := evalBody(b.body, e) // a choice has no scope of its own
			return v.Mark(marks), err
		}
	}
	return value.Null.Mark(marks), nil
}

// eval returns a part of a list, a map or a text; undef if there is none.
func (n *indexNode) eval(e *env) (value.Value, error) {
	x, err := eval(n.x, e)
	if err != nil {
		return value.Null, err
	}
	i, err := eval(n.index, e)
	if err != nil {
		return value.Null, err
	}
	marks := x.Marks() | i.Marks()
	switch x.Kind() {
	case value.NullKind:
		return value.Null.Mark(marks), nil
	case value.MapKind:
		k, err := value.KeyFor(i)
		if err != nil {
			return value.Null, source.Errorf(n.index.span(), source.BadType, "the key of a map is a scalar, and this is %s", value.Article(i.Kind()))
		}
		v, _, err := x.Map().Get(k)
		return v.Mark(marks), err
	case value.ListKind:
		at, ok := i.Int()
		if !ok || !i.Is(value.IntKind) {
			return value.Null, source.Errorf(n.index.span(), source.BadType, "the index of a list is an integer, and this is %s", value.Article(i.Kind()))
		}
		if at < 0 {
			at += int64(x.List().Len())
		}
		if at < 0 || at >= int64(x.List().Len()) {
			return value.Null.Mark(marks), nil
		}
		v, err := x.List().At(int(at))
		return v.Mark(marks), err
	}
	return value.Null, source.Errorf(n.at, source.BadType, "%s has no parts", value.Article(x.Kind()))
}

// functions are the functions of section 9 of the spec.
var functions = []string{"inject", "optionally_inject", "lookup"}

func (n *callNode) eval(e *env) (value.Value, error) {
	args, err := evalAll(n.args, e)
	if err != nil {
		return value.Null, err
	}
	if !slices.Contains(functions, n.name) {
		return value.Null, source.Errorf(n.nameAt, source.UnknownFunction, "unknown function '%s'", n.name).DidYouMean(n.name, slices.Values(functions))
	}
	c := bind.Call{Function: n.name, At: n.at, Args: args, ParseType: func(text string) (*types.Type, error) {
		t, d := ParseType(text, func(int, int) source.Span { return n.at })
		if d != nil {
			return nil, d
		}
		return t, nil
	}}
	c.MayMiss = n.lambda != nil
	v, err := e.scope.Call(c)
	if err != nil || n.lambda == nil {
		return v, err
	}
	return n.lambda.call(e, v)
}
