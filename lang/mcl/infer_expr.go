package mcl

import (
	"slices"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
)

// # Typing an expression
//
// [inference.shape] asks for the types of the parts of an expression, unifies what has to be equal, and returns the
// type of the whole. In
//
//	$m = {"a" => 1, "b" => $x}
//	$y = $m["a"] + 1
//
// the map unifies its keys, str and str, and its values, int and the type of $x, so that $x must be an int. The
// lookup needs to know whether $m is a list or a map. It is a map here, so its key is str and the lookup is int. If
// $m were the parameter of a lambda, its type would be decided later: then the lookup has an undecided type,
// ?result, and a constraint waits for $m. "+" has the same type on both sides, whatever the overload, so that no
// search is needed: ?result + 1 decides ?result.
//
// What is unified first wins: the conflict is reported at the expression that is typed later, with a note at the
// place that decided the type before (conflict.go).

// expr types an expression in an instance.
func (n *inference) expr(in *instance, e syntax.Expr) (*types.Type, error) {
	if err := n.step(1); err != nil {
		return nil, located(err, e.Span())
	}
	if n.level == maxDepth {
		return nil, tooDeep(e.Span())
	}
	n.level++
	t, err := n.shape(in, e)
	n.level--
	if err != nil {
		return nil, err
	}
	in.exprs[e.ID()-in.unit.first] = t
	return t, nil
}

// exprs types several expressions.
func (n *inference) exprs(in *instance, es []syntax.Expr) ([]*types.Type, error) {
	all := make([]*types.Type, len(es))
	for i, e := range es {
		t, err := n.expr(in, e)
		if err != nil {
			return nil, err
		}
		all[i] = t
	}
	return all, nil
}

// shape returns the type of an expression by its form.
func (n *inference) shape(in *instance, e syntax.Expr) (*types.Type, error) {
	switch e := e.(type) {
	case *syntax.Bool:
		return types.Of(types.Bool, e.At), nil
	case *syntax.Int:
		return types.Of(types.Int, e.At), nil
	case *syntax.Float:
		return types.Of(types.Float, e.At), nil
	case *syntax.Str:
		return n.text(in, e)
	case *syntax.List:
		return n.list(in, e)
	case *syntax.Map:
		return n.mapping(in, e)
	case *syntax.Struct:
		fields := make([]types.Field, len(e.Fields))
		for i, f := range e.Fields {
			t, err := n.expr(in, f.Value)
			if err != nil {
				return nil, err
			}
			fields[i] = types.Field{Name: f.Name.Text, Type: t}
		}
		return types.StructOf(fields, e.At), nil
	case *syntax.Var:
		return n.variable(in, e)
	case *syntax.History:
		n.remembers = n.remembers || e.Back > 0
		return n.variable(in, e)
	case *syntax.Call:
		return n.call(in, e)
	case *syntax.If:
		return n.choice(in, e)
	case *syntax.Lambda:
		return n.lambda(in, e)
	case *syntax.Paren:
		return n.expr(in, e.X)
	case *syntax.Unary:
		return types.Of(types.Bool, e.At), n.is(in, types.Bool, e.X, "not takes a bool")
	case *syntax.Binary:
		return n.binary(in, e)
	case *syntax.Index:
		return n.index(in, e)
	case *syntax.Field:
		return n.field(in, e)
	}
	panic("mcl: unknown expression")
}

// text types a string: what is inserted is text.
func (n *inference) text(in *instance, e *syntax.Str) (*types.Type, error) {
	for _, p := range e.Parts {
		if p.Ref == nil {
			continue
		}
		if err := n.is(in, types.Str, p.Ref, ""); err != nil {
			if d, ok := err.(*source.Diagnostic); ok && d.Code == source.TypeConflict && d.At == p.Ref.Span() {
				d.WithHint(`only text can be inserted; fmt.printf("%%v", ...) makes text of other values`)
			}
			return nil, err
		}
	}
	return types.Of(types.Str, e.At), nil
}

// list types a list. An empty one has items of an undecided type, which another use or an annotation decides.
func (n *inference) list(in *instance, e *syntax.List) (*types.Type, error) {
	if len(e.Items) == 0 {
		return types.ListOf(types.Of(types.Var, e.At), e.At), nil
	}
	elem, err := n.expr(in, e.Items[0])
	if err != nil {
		return nil, err
	}
	for _, item := range e.Items[1:] {
		t, err := n.expr(in, item)
		if err != nil {
			return nil, err
		}
		if err := n.unifyAs(elem, t, item, "the items of a list have one type"); err != nil {
			return nil, err
		}
	}
	return types.ListOf(elem, e.At), nil
}

// mapping types a map. Whether its keys may be keys is checked when their type is decided.
func (n *inference) mapping(in *instance, e *syntax.Map) (*types.Type, error) {
	key, elem := types.Of(types.Var, e.At), types.Of(types.Var, e.At)
	for _, entry := range e.Entries {
		k, err := n.expr(in, entry.Key)
		if err != nil {
			return nil, err
		}
		if err := n.unifyAs(key, k, entry.Key, "the keys of a map have one type"); err != nil {
			return nil, err
		}
		v, err := n.expr(in, entry.Value)
		if err != nil {
			return nil, err
		}
		if err := n.unifyAs(elem, v, entry.Value, "the values of a map have one type; fields of a struct need not: struct{a => 1}"); err != nil {
			return nil, err
		}
	}
	t := types.MapOf(key, elem, e.At)
	return t, n.wait(&constraint{on: key, of: t, at: e.At, try: func() error {
		if reason := types.KeyReason(key); reason != "" {
			return source.Errorf(e.At, source.TypeConflict, "the key of a map cannot be %s", reason)
		}
		return nil
	}})
}

// variable types a variable: all its uses share the type of its bind.
func (n *inference) variable(in *instance, e syntax.Expr) (*types.Type, error) {
	to := in.unit.mod.uses[e.ID()]
	if to.host {
		return types.Of(types.Str, e.Span()), nil
	}
	there, err := n.reach(in, to, to.sym.scope.unit)
	if err != nil {
		return nil, err
	}
	return n.bind(there, to.sym)
}

// choice types an if. Both branches have one type, since only one is evaluated, and which is not known here.
func (n *inference) choice(in *instance, e *syntax.If) (*types.Type, error) {
	if err := n.is(in, types.Bool, e.Cond, "a condition is a bool"); err != nil {
		return nil, err
	}
	then, err := n.expr(in, e.Then)
	if err != nil {
		return nil, err
	}
	otherwise, err := n.expr(in, e.Else)
	if err != nil {
		return nil, err
	}
	return then, n.unifyAs(then, otherwise, e.Else, "both branches have one type")
}

// lambda types a lambda. Its parameters have one type each, whatever it is called with.
func (n *inference) lambda(in *instance, e *syntax.Lambda) (*types.Type, error) {
	b := in.unit.mod.lambdas[e.Func]
	params := make([]types.Field, len(b.params))
	for i, p := range b.params {
		t := n.declared(p)
		in.terms[p.term], in.binds[p.term] = t, done
		params[i] = types.Field{Name: p.name, Type: t}
	}
	result, err := n.expr(in, e.Func.Body)
	if err != nil {
		return nil, err
	}
	b.reads, b.fleeting = in.unit.mod.firstRead(e.Func.Body, b.params), !in.unit.mod.keepsFrame(e.Func.Body)
	if e.Func.Result != nil {
		want := types.Written(e.Func.Result)
		if err := n.unifyAs(want, result, e.Func.Body, "the result has the type that is written"); err != nil {
			return nil, err
		}
		result = want
	}
	return types.FuncOf(params, result, e.At), nil
}

// overloads are the types that each operator has, beside "in", which is a function.
var overloads = lazy.Value[map[string][]types.Kind]{Make: func() map[string][]types.Kind {
	return map[string][]types.Kind{
		"+": {types.Int, types.Float, types.Str},
		"-": {types.Int, types.Float}, "*": {types.Int, types.Float}, "/": {types.Int, types.Float},
		"<": {types.Int, types.Float}, ">": {types.Int, types.Float}, "<=": {types.Int, types.Float}, ">=": {types.Int, types.Float},
		"and": {types.Bool}, "&&": {types.Bool}, "or": {types.Bool}, "||": {types.Bool},
		"==": nil, "!=": nil, "<|>": nil,
	}
}}

// binary types an operator. Every overload has operands of one type, so they are equal before it is
// known which one is meant: no search is needed.
func (n *inference) binary(in *instance, e *syntax.Binary) (*types.Type, error) {
	x, err := n.expr(in, e.X)
	if err != nil {
		return nil, defaultHint(e, err)
	}
	y, err := n.expr(in, e.Y)
	if err != nil {
		return nil, err
	}
	op := e.Op.Text
	if op == "in" {
		rule := "in looks for an item in a list of its type"
		if y.Is(types.Str) {
			rule = "strings.contains(s, part) looks for a part of a text"
		}
		if err := n.unifyAs(types.ListOf(x, source.Span{}), y, e.Y, rule); err != nil {
			return nil, err
		}
		return types.Of(types.Bool, e.At), n.comparable(x, e.X)
	}
	if err := n.overload(op, x, e.X); err != nil {
		return nil, defaultHint(e, err)
	}
	if err := n.unifyAs(x, y, e.Y, oneType.Get()[op]); err != nil {
		return nil, err
	}
	switch op {
	case "<|>":
		return x, nil
	case "+", "-", "*":
		return x, n.overloadLater(op, x, e)
	case "/":
		return types.Of(types.Float, e.At), n.overloadLater(op, x, e)
	}
	return types.Of(types.Bool, e.At), defaultHint(e, n.overloadLater(op, x, e))
}

// defaultHint adds to an error in the left operand of $s->f || x, or of $m[k] || x, what the author may
// have meant: the language once wrote the default of a lookup so.
func defaultHint(e *syntax.Binary, err error) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || e.Op.Text != "||" {
		return err
	}
	switch x := e.X.(type) {
	case *syntax.Field:
		if d.Code == source.TypeConflict && d.At == x.At || d.Code == source.UnknownField && d.At == x.Name.At {
			d.WithHint("the default of a lookup is written with <|>: $s->%s <|> ...", x.Name.Text)
		}
	case *syntax.Index:
		if d.Code == source.TypeConflict && d.At == x.At {
			d.WithHint("the default of a lookup is written with <|>: $m[key] <|> ...")
		}
	}
	return err
}

// overload checks an operand whose type is known.
func (n *inference) overload(op string, t *types.Type, e syntax.Node) error {
	kinds := overloads.Get()[op]
	k := t.Find().Kind
	switch {
	case k == types.Var || op == "<|>":
		return nil
	case slices.Contains(kinds, k):
		return nil
	case kinds == nil:
		return n.withoutFunc(t, func() error {
			return because(source.Errorf(e.Span(), source.TypeConflict, "there is no operator %s for %s", op, t), t)
		})
	case len(kinds) == 1:
		d := source.Errorf(e.Span(), source.TypeConflict, "expected %s, found %s", kinds[0], t)
		return because(d.WithHint("%s takes %s", op, kinds[0]), t)
	}
	d := source.Errorf(e.Span(), source.TypeConflict, "there is no operator %s for %s", op, t)
	switch {
	case op == "+" && k == types.List:
		d.WithHint("list.concat(...) joins lists")
	case kinds != nil:
		d.WithHint("%s takes %s", op, list(kinds))
	}
	return because(d, t)
}

// comparable refuses an item to look for in a list that is a func, or holds one.
func (n *inference) comparable(t *types.Type, e syntax.Node) error {
	return n.withoutFunc(t, func() error {
		return because(source.Errorf(e.Span(), source.TypeConflict, "a value of type %s cannot be compared", t), t)
	})
}

// overloadLater checks an operator once the type of its operands is known.
func (n *inference) overloadLater(op string, t *types.Type, e *syntax.Binary) error {
	if kinds := overloads.Get()[op]; len(kinds) == 1 {
		return n.unify(types.Of(kinds[0], source.Span{}), t, e.X)
	}
	if !t.Is(types.Var) {
		return nil // overload has checked it
	}
	return n.when(t, e.At, func() error { return n.overload(op, t, e.X) })
}

// index types x[key]: of a list or a map, once x is known.
func (n *inference) index(in *instance, e *syntax.Index) (*types.Type, error) {
	x, err := n.expr(in, e.X)
	if err != nil {
		return nil, err
	}
	key, err := n.expr(in, e.Key)
	if err != nil {
		return nil, err
	}
	result := types.Of(types.Var, e.At)
	return result, n.when(x, e.X.Span(), func() error {
		switch t := x.Find(); t.Kind {
		case types.List:
			if err := n.unifyAs(types.Of(types.Int, source.Span{}), key, e.Key, "the index of a list is an int"); err != nil {
				return err
			}
			return n.unify(result, t.Elem, e)
		case types.Map:
			if err := n.unifyAs(t.Key, key, e.Key, "the key has the type of the keys of the map"); err != nil {
				return err
			}
			return n.unify(result, t.Elem, e)
		}
		d := source.Errorf(e.X.Span(), source.TypeConflict, "expected a list or a map, found %s", x)
		if x.Is(types.Struct) {
			d.WithHint("a field of a struct is written with an arrow: $s->field")
		}
		return because(d, x)
	})
}

// field types x->name, once x is known. With a default the struct need not have the field.
func (n *inference) field(in *instance, e *syntax.Field) (*types.Type, error) {
	x, err := n.expr(in, e.X)
	if err != nil {
		return nil, err
	}
	result := types.Of(types.Var, e.At)
	if e.Default != nil {
		t, err := n.expr(in, e.Default)
		if err != nil {
			return nil, err
		}
		result = t
	}
	return result, n.fieldOf(x, e.X, e.Name, e.Default != nil, result, e)
}

// fieldOf unifies a result with the type of a field of x, once x is known.
func (n *inference) fieldOf(x *types.Type, of syntax.Expr, name syntax.Word, optional bool, result *types.Type, e syntax.Node) error {
	return n.when(x, of.Span(), func() error {
		if !x.Is(types.Struct) {
			d := source.Errorf(of.Span(), source.TypeConflict, "expected a struct with the field %s, found %s", name.Text, x)
			if x.Is(types.Map) {
				d.WithHint("an entry of a map is written in brackets: $m[%q]", name.Text)
			}
			return because(d, x)
		}
		i := x.Field(name.Text)
		switch {
		case i >= 0:
			return n.unify(result, x.Find().Fields[i].Type, e)
		case optional:
			return nil
		}
		return because(source.Errorf(name.At, source.UnknownField, "%s has no field %s", x, name.Text), x).
			DidYouMean(name.Text, func(yield func(string) bool) {
				for _, f := range x.Find().Fields {
					if !yield(f.Name) {
						return
					}
				}
			})
	})
}
