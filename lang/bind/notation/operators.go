package notation

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// The operators are Puppet's (spec: bindings, section 2.2): "==" and "in" ignore the letter
// case of texts, "+" joins lists and maps, "-" takes out of them, only undef and false are
// false.

// truthy reports whether a value counts as true.
func truthy(v value.Value) bool { return !v.IsNull() && !(v.Is(value.BoolKind) && !v.Bool()) }

func (n *unaryNode) eval(e *env) (value.Value, error) {
	v, err := eval(n.x, e)
	if err != nil {
		return value.Null, err
	}
	if n.op == "!" {
		return value.Bool(!truthy(v)).Mark(v.Marks()), nil
	}
	if !v.IsNumber() {
		return value.Null, source.Errorf(n.at, source.BadType, "\"-\" needs a number, and this is %s", value.Article(v.Kind()))
	}
	r, err := value.Neg(v)
	return r.Mark(v.Marks()), err
}

func (n *binaryNode) eval(e *env) (value.Value, error) {
	x, err := eval(n.x, e)
	if err != nil {
		return value.Null, err
	}
	switch {
	case n.op == "and" && !truthy(x):
		return value.False.Mark(x.Marks()), nil
	case n.op == "or" && truthy(x):
		return value.True.Mark(x.Marks()), nil
	}
	y, err := eval(n.y, e)
	if err != nil {
		return value.Null, err
	}
	v, err := n.apply(e, x, y)
	if err != nil {
		return value.Null, source.AsDiagnostic(err, n.at, source.BadType)
	}
	if n.op == "+" || n.op == "-" || n.op == "*" || n.op == "/" || n.op == "%" {
		return v.Mark(x.Marks() | y.Marks()), nil
	}
	var marks value.Marks // a truth value depends on everything that was compared
	for _, operand := range []value.Value{x, y} {
		m, err := value.DeepMarks(operand)
		if err != nil {
			return value.Null, err
		}
		marks |= m
	}
	return v.Mark(marks), nil
}

func (n *binaryNode) apply(e *env, x, y value.Value) (value.Value, error) {
	switch n.op {
	case "and", "or":
		return value.Bool(truthy(y)), nil
	case "==", "!=":
		same, err := equal(e, x, y)
		return value.Bool(same == (n.op == "==")), err
	case "=~", "!~":
		ok, err := matchesPattern(e, x, y)
		return value.Bool(ok == (n.op == "=~")), err
	case "<", ">", "<=", ">=":
		return n.ordered(x, y)
	case "in":
		ok, err := contained(e, x, y)
		return value.Bool(ok), err
	}
	if err := e.scope.Step(size(x) + size(y)); err != nil {
		return value.Null, err
	}
	switch {
	case n.op == "+" && (x.Is(value.ListKind) || x.Is(value.MapKind)):
		return sum(x, y)
	case n.op == "-" && (x.Is(value.ListKind) || x.Is(value.MapKind)):
		return difference(e, x, y)
	}
	return n.arithmetic(e, x, y)
}

func size(v value.Value) int {
	switch v.Kind() {
	case value.ListKind:
		return v.List().Len()
	case value.MapKind:
		return v.Map().Len()
	}
	return 0
}

func (n *binaryNode) badOperands(x, y value.Value) error {
	return source.Errorf(n.at, source.BadType, "\"%s\" cannot be used with %s and %s", n.op, value.Article(x.Kind()), value.Article(y.Kind()))
}

// arithmetic applies an operator to numbers. Integers divide to integers.
func (n *binaryNode) arithmetic(e *env, x, y value.Value) (value.Value, error) {
	if !x.IsNumber() || !y.IsNumber() {
		return value.Null, n.badOperands(x, y)
	}
	integers := x.Is(value.IntKind) && y.Is(value.IntKind)
	if (n.op == "/" || n.op == "%") && integers && y.BigInt().Sign() == 0 {
		return value.Null, source.Errorf(n.at, source.BadValue, "division by zero")
	}
	op := n.op
	if op == "/" && integers {
		op = "//"
	}
	return value.Arith(op, x, y, e.scope.Step)
}

func (n *binaryNode) ordered(x, y value.Value) (value.Value, error) {
	if x.Is(value.StringKind) && y.Is(value.StringKind) {
		x, y = value.String(strings.ToLower(x.Str())), value.String(strings.ToLower(y.Str()))
	} else if !x.IsNumber() || !y.IsNumber() {
		return value.Null, n.badOperands(x, y)
	}
	ok, err := value.Ordered(n.op, x, y, nil)
	return value.Bool(ok), err
}

// equal compares values; the letter case of texts does not count, also in lists and maps.
func equal(e *env, x, y value.Value) (bool, error) {
	return (&comparison{step: e.scope.Step}).equal(x, y)
}

// A comparison compares two values under a budget.
type comparison struct {
	step  func(n int) error
	depth int
}

func (c *comparison) equal(x, y value.Value) (bool, error) {
	switch {
	case x.Is(value.StringKind) && y.Is(value.StringKind):
		return strings.EqualFold(x.Str(), y.Str()), nil
	case x.Is(value.ListKind) && y.Is(value.ListKind):
		return c.nested(x.List().Len() == y.List().Len(), func() (bool, error) { return c.equalLists(x.List(), y.List()) })
	case x.Is(value.MapKind) && y.Is(value.MapKind):
		return c.nested(x.Map().Len() == y.Map().Len(), func() (bool, error) { return c.equalMaps(x.Map(), y.Map()) })
	case x.Kind() != y.Kind() && !(x.IsNumber() && y.IsNumber()):
		return false, nil
	}
	return value.Equal(x, y)
}

// nested compares two lists or maps, one level deeper, if they have the same size.
func (c *comparison) nested(sameSize bool, equal func() (bool, error)) (bool, error) {
	if !sameSize {
		return false, nil
	}
	if c.depth++; c.depth > value.MaxNesting {
		return false, source.Errorf(source.Span{}, source.Limit, "the values are nested more than %d deep", value.MaxNesting)
	}
	defer func() { c.depth-- }()
	return equal()
}

func (c *comparison) equalLists(x, y value.List) (bool, error) {
	if err := c.step(x.Len()); err != nil {
		return false, err
	}
	for i := range x.Len() {
		a, err := x.At(i)
		if err != nil {
			return false, err
		}
		b, err := y.At(i)
		if err != nil {
			return false, err
		}
		if same, err := c.equal(a, b); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (c *comparison) equalMaps(x, y value.Map) (bool, error) {
	if err := c.step(x.Len()); err != nil {
		return false, err
	}
	for k := range x.Keys() {
		a, _, err := x.Get(k)
		if err != nil {
			return false, err
		}
		b, ok, err := y.Get(k)
		if !ok || err != nil {
			return false, err
		}
		if same, err := c.equal(a, b); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// matchesPattern reports whether x is a text that matches an expression, or a value of a type.
func matchesPattern(e *env, x, y value.Value) (bool, error) {
	if types.TagOf(y) == types.ReferenceTag {
		t, err := types.Parse(y.Str())
		if err != nil {
			return false, err
		}
		return types.Holds(t, x, e.scope.Step)
	}
	if !y.Is(value.StringKind) {
		return false, source.Errorf(source.Span{}, source.BadType, "\"=~\" needs a regular expression or a type on its right, and this is %s", value.Article(y.Kind()))
	}
	if !x.Is(value.StringKind) {
		return false, source.Errorf(source.Span{}, source.BadType, "\"=~\" needs a text on its left, and this is %s", value.Article(x.Kind()))
	}
	if err := e.scope.Step(len(y.Str())); err != nil {
		return false, err
	}
	r, err := types.CompileRegexp(y.Str())
	if err != nil {
		return false, err
	}
	return r.Match(x.Str(), e.scope.Step)
}

// matches reports whether a subject matches an option of case or "?".
func matches(e *env, subject, option value.Value) (bool, error) {
	if tag := types.TagOf(option); tag == types.PatternTag && subject.Is(value.StringKind) || tag == types.ReferenceTag {
		return matchesPattern(e, subject, option)
	}
	return equal(e, subject, option)
}

// contained reports whether x is in y: a part of a text, an item, a key.
func contained(e *env, x, y value.Value) (bool, error) {
	switch y.Kind() {
	case value.StringKind:
		if types.TagOf(x) == types.PatternTag {
			return matchesPattern(e, y, x)
		}
		return x.Is(value.StringKind) && strings.Contains(strings.ToLower(y.Str()), strings.ToLower(x.Str())), nil
	case value.ListKind:
		for item, err := range value.Items(y.List()) {
			if err != nil {
				return false, err
			}
			if same, err := matches(e, item, x); same || err != nil {
				return same, err
			}
		}
	case value.MapKind:
		for _, key := range value.KeyValues(y.Map()) {
			if same, err := matches(e, key, x); same || err != nil {
				return same, err
			}
		}
	}
	return false, nil
}

// sum joins a list with a list or an item, and a map with a map, whose values win.
func sum(x, y value.Value) (value.Value, error) {
	if x.Is(value.ListKind) {
		items, err := value.ItemsOf(x.List())
		if err != nil {
			return value.Null, err
		}
		if !y.Is(value.ListKind) {
			return value.ListOf(append(items[:len(items):len(items)], y)...), nil
		}
		more, err := value.ItemsOf(y.List())
		return value.ListOf(append(items[:len(items):len(items)], more...)...), err
	}
	if !y.Is(value.MapKind) {
		return value.Null, source.Errorf(source.Span{}, source.BadType, "\"+\" joins a map with a map, and this is %s", value.Article(y.Kind()))
	}
	out := value.NewMap(x.Map().Len() + y.Map().Len())
	for _, m := range []value.Map{x.Map(), y.Map()} {
		for k := range m.Keys() {
			v, _, err := m.Get(k)
			if err != nil {
				return value.Null, err
			}
			out.Set(k, v)
		}
	}
	return value.FromMap(out), nil
}

// difference takes items out of a list, or keys out of a map.
func difference(e *env, x, y value.Value) (value.Value, error) {
	gone := []value.Value{y}
	switch y.Kind() {
	case value.ListKind:
		var err error
		if gone, err = value.ItemsOf(y.List()); err != nil {
			return value.Null, err
		}
	case value.MapKind:
		var err error
		if gone, err = value.KeyScalars(y.Map()); err != nil {
			return value.Null, err
		}
	}
	drop := func(v value.Value) (bool, error) {
		for _, g := range gone {
			if same, err := value.EqualCharged(g, v, e.scope.Step); same || err != nil {
				return same, err
			}
		}
		return false, nil
	}
	if x.Is(value.ListKind) {
		var out []value.Value
		for item, err := range value.Items(x.List()) {
			if err != nil {
				return value.Null, err
			}
			if dropped, err := drop(item); err != nil {
				return value.Null, err
			} else if !dropped {
				out = append(out, item)
			}
		}
		return value.ListOf(out...), nil
	}
	out := value.NewMap(x.Map().Len())
	for k, key := range value.KeyValues(x.Map()) {
		if dropped, err := drop(key); err != nil {
			return value.Null, err
		} else if !dropped {
			v, _, err := x.Map().Get(k)
			if err != nil {
				return value.Null, err
			}
			out.Set(k, v)
		}
	}
	return value.FromMap(out), nil
}
