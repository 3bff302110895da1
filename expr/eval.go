package expr

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Eval returns the value of an expression. The value of an unknown name is undefined:
// [Raise] returns its error. The value of a path is the single form of its matches (see
// [One]).
func Eval(n Node, s *Scope) (value.Value, error) {
	v, err := eval(n, s)
	return plain(v), Conceal(err)
}

// All evaluates an expression and returns every result: a path or an expression object
// may have none or several, any other expression has one.
func All(n Node, s *Scope) ([]value.Value, error) {
	m, err := matchesOf(n, s)
	return m.marked(), Conceal(err)
}

// One returns the single form of results: null if there are none, the value if there is
// one, else a list.
func One(found []value.Value) value.Value {
	switch len(found) {
	case 0:
		return value.Null
	case 1:
		return found[0]
	}
	return value.ListOf(found...)
}

// Matches are the results of a path or an expression object. chosen has the marks of the
// values that decided which results these are, such as a password that a test compares.
type matches struct {
	found  []value.Value
	chosen value.Marks
}

// one returns the single form of the results: see [One].
func (m matches) one() value.Value {
	return One(m.found).Mark(m.chosen)
}

// marked returns the results as values outside of the expression, each with all its marks.
func (m matches) marked() []value.Value {
	for i, v := range m.found {
		m.found[i] = plain(v).Mark(m.chosen)
	}
	return m.found
}

// bytesPerStep is the length of text that costs a step, since operations take time for
// each byte.
const bytesPerStep = 64

func eval(n Node, s *Scope) (value.Value, error) {
	if lit, ok := n.(*Lit); ok {
		return lit.Value, nil
	}
	if err := s.Env.Step(1); err != nil {
		return value.Null, located(n.Span(), source.Limit, err, 0)
	}
	v, err := evalNode(n, s)
	if size := len(v.Str()); size >= bytesPerStep && err == nil {
		err = s.step(n.Span(), size/bytesPerStep)
	}
	return v, err
}

// evalNode evaluates the operation of n. Its frame is on the stack for each operation that a value depends on, in all
// the values that it depends on. So no operation with large variables is compiled into it.
func evalNode(n Node, s *Scope) (value.Value, error) {
	switch n := n.(type) {
	case *Name:
		return evalName(n, s)
	case *Select:
		return evalSelect(n, s)
	case *Index:
		return evalIndex(n, s)
	case *Slice:
		return evalSlice(n, s)
	case *CallExpr:
		return evalCall(n, s)
	case *Unary:
		return evalUnary(n, s)
	case *Binary:
		return evalBinary(n, s)
	case *Compare:
		return evalCompare(n, s)
	case *Logic:
		return evalLogic(n, s)
	case *Cond:
		return evalCond(n, s)
	case *Concat:
		return evalConcat(n, s)
	case *List:
		return evalList(n, s)
	case *Map:
		return evalMap(n, s)
	case *Filter:
		return evalFilter(n, s)
	case *Test:
		return evalTest(n, s)
	case *Path:
		return evalPath(n, s)
	case *Template:
		return evalTemplate(n, s)
	case *Object:
		return n.value(s)
	case *funcCall:
		return n.eval(s)
	}
	return value.Null, source.Errorf(n.Span(), source.Internal, "unknown node %T", n)
}

// evalUsed evaluates an operand that must have a value.
func evalUsed(n Node, s *Scope) (value.Value, error) {
	v, err := eval(n, s)
	if err == nil && (v.Is(value.MapKind) || v.Is(value.UndefinedKind)) {
		return used(v)
	}
	return v, err
}

// used returns the value of an operand that must have one. It is no part of evalUsed, so that an operation in an
// operation takes little of the stack.
//
//go:noinline
func used(v value.Value) (value.Value, error) { return plain(v), Raise(v) }

// evalCondition evaluates a condition. An undefined one is an error, since it usually is
// a misspelt name; it is false if the scope is lenient, or if it is an "if" without
// "else".
func evalCondition(n Node, s *Scope) (value.Value, error) {
	v, err := eval(n, s)
	if err == nil && v.Is(value.UndefinedKind) && !Soft(v) && !s.Lenient() {
		err = Raise(v)
	}
	return v, err
}

// evalUnary evaluates not, + and -. The sign of a big integer takes work in proportion to its length.
func evalUnary(n *Unary, s *Scope) (value.Value, error) {
	if n.Op == "not" {
		v, err := evalCondition(n.X, s)
		return value.Bool(!value.Truthy(v)).Mark(v.Marks()), err
	}
	v, err := evalUsed(n.X, s)
	if err != nil {
		return v, err
	}
	if n.Op == "+" {
		if !isNumeric(v) {
			return value.Null, source.Errorf(n.At, source.BadType, `"+" needs a number after it, not %s`, value.Article(v.Kind()))
		}
		return value.AsNumber(v).WithoutSource(), nil
	}
	if _, short := v.Int(); !short && v.Is(value.IntKind) {
		const bitsPerStep = 128
		if err := s.step(n.At, 1+v.BigInt().BitLen()/bitsPerStep); err != nil {
			return value.Null, err
		}
	}
	r, err := value.Neg(v)
	return r, located(n.At, source.BadType, err, v.Marks())
}

//go:noinline
func evalBinary(n *Binary, s *Scope) (value.Value, error) {
	x, err := evalUsed(n.X, s)
	if err != nil {
		return x, err
	}
	y, err := evalUsed(n.Y, s)
	if err != nil {
		return y, err
	}
	if n.Op == "-" && x.Is(value.StringKind) && y.Is(value.StringKind) {
		return textMinusText(n, s, x, y)
	}
	return s.arithmetic(n.At, n.Op, x, y)
}

// textMinusText returns the time between two moments, which are texts that the library reads.
//
//go:noinline
func textMinusText(n *Binary, s *Scope, x, y value.Value) (value.Value, error) {
	v, ok, err := s.Env.Library().Method(&caller{s: s, at: n.At}, x, "__sub__", value.Args{Pos: []value.Value{y}})
	if ok && err == nil {
		return v.Mark(x.Marks() | y.Marks()), nil
	}
	return s.arithmetic(n.At, n.Op, x, y)
}

// arithmetic applies an operator of arithmetic. It charges long integers, the items of lists,
// and the arguments of a format.
func (s *Scope) arithmetic(at source.Span, op string, x, y value.Value) (value.Value, error) {
	if op == value.OpMod && x.Is(value.StringKind) {
		if err := s.measure(at, y); err != nil {
			return value.Null, err
		}
	}
	html := x.IsHTML() || y.IsHTML()
	if html {
		x, y = escapedOperands(op, x, y)
	}
	r, err := value.Arith(op, x, y, s.Env.Step)
	if html && r.Is(value.StringKind) {
		r = r.AsHTML()
	}
	if l := r.List(); r.Is(value.ListKind) && err == nil {
		err = s.step(at, 1+copySteps*l.Len())
	}
	code := source.BadType
	if isNumeric(x) && isNumeric(y) {
		code = source.BadValue
	}
	return r, located(at, code, err, x.Marks()|y.Marks())
}

// escapedOperands returns the operands of an operator, of which one is HTML, with the other one
// escaped.
func escapedOperands(op string, x, y value.Value) (value.Value, value.Value) {
	switch op {
	case value.OpAdd:
		return value.EscapeHTML(x), value.EscapeHTML(y)
	case value.OpMod:
		if x.IsHTML() {
			return x, value.EscapeHTML(y)
		}
		return x, y.AsText()
	}
	return x, y
}

func isNumeric(v value.Value) bool { return isNumericKind(v.Kind()) }

//go:noinline
func evalCompare(n *Compare, s *Scope) (value.Value, error) {
	x, err := eval(n.First, s)
	if err != nil {
		return x, err
	}
	marks := x.Marks()
	for _, c := range n.Rest {
		y, err := eval(c.Y, s)
		if err != nil {
			return y, err
		}
		holds, err := s.compareOperands(c.At, c.Op, plain(x), plain(y))
		marks |= holds.Marks()
		if err != nil || !holds.Bool() {
			return value.False.Mark(marks), err
		}
		x = y
	}
	return value.True.Mark(marks), nil
}

// compareOperands applies a comparison of a template. Undefined operands are errors
// unless they are soft or the scope is lenient, and then can be compared for equality
// only.
func (s *Scope) compareOperands(at source.Span, op string, x, y value.Value) (value.Value, error) {
	if !s.Lenient() {
		for _, v := range []value.Value{x, y} {
			if err := Raise(v); err != nil && !Soft(v) {
				return value.False, err
			}
		}
	}
	return s.compare(at, op, x, y)
}

// compare applies a comparison and charges its work. The truth value that it returns has the
// marks of the operands, and of the items in them that it compared.
func (s *Scope) compare(at source.Span, op string, x, y value.Value) (value.Value, error) {
	looked := value.Comparison{Charge: s.Env.Step, Met: s.Env}
	looked.Look(x.Marks() | y.Marks())
	holds, err := s.compareBy(&looked, at, op, x, y)
	return value.Bool(holds).Mark(looked.Marks), err
}

// compareBy evaluates a comparison with c, which collects the marks of everything that was looked at. An order
// refuses undefined values, equality does not.
func (s *Scope) compareBy(c *value.Comparison, at source.Span, op string, x, y value.Value) (bool, error) {
	switch op {
	case "==", "!=":
		eq, err := c.Equal(x, y)
		return eq == (op == "=="), located(at, source.BadType, err, c.Marks)
	case "in", "not in":
		in, err := s.contains(at, y, x, c)
		return in == (op == "in"), err
	}
	for _, v := range [2]value.Value{x, y} {
		if err := Raise(v); err != nil {
			return false, err
		}
	}
	holds, err := c.Ordered(op, x, y)
	return holds, located(at, source.BadType, err, c.Marks)
}

// evalLogic evaluates and, or. As in Python the value is the value of the operand that decides, not a boolean. The
// marks of the first operand become marks of the result, since it decided whether the second one was read.
func evalLogic(n *Logic, s *Scope) (value.Value, error) {
	x, err := evalCondition(n.X, s)
	if err != nil || value.Truthy(x) == (n.Op == "or") {
		return x, err
	}
	if x.Marks() != 0 {
		defer s.under(x.Marks())()
	}
	y, err := eval(n.Y, s)
	return y.Mark(x.Marks()), err
}

// evalCond evaluates x if test else y. Without else, a false test gives a soft undefined value, which is an empty
// text in a template, as in Jinja.
func evalCond(n *Cond, s *Scope) (value.Value, error) {
	test, err := evalCondition(n.Test, s)
	if err != nil {
		return test, err
	}
	if test.Marks() != 0 {
		defer s.under(test.Marks())()
		if n.Else == nil && s.branch != nil {
			s.branch.Open |= test.Marks()
		}
	}
	if value.Truthy(test) {
		v, err := eval(n.Then, s)
		return v.Mark(test.Marks()), err
	}
	if n.Else == nil {
		return value.Undefined(&missingError{soft: true, explain: func() *source.Diagnostic {
			return source.Errorf(n.At, source.Undefined, `the condition is false and there is no "else"`)
		}}).Mark(test.Marks()), nil
	}
	v, err := eval(n.Else, s)
	return v.Mark(test.Marks()), err
}

// evalConcat evaluates a ~ b ~ c, which converts each operand to text. Where texts are escaped and an operand is HTML,
// the others are escaped.
func evalConcat(n *Concat, s *Scope) (value.Value, error) {
	parts := make([]value.Value, len(n.Parts))
	for i, p := range n.Parts {
		v, err := eval(p, s)
		if Soft(v) {
			v = value.String("").Mark(v.Marks())
		}
		if v = plain(v); err == nil {
			err = Raise(v)
		}
		if err != nil {
			return v, err
		}
		parts[i] = v
	}
	if s.escape && slices.ContainsFunc(parts, value.Value.IsHTML) {
		return s.joinHTML(n.At, parts)
	}
	return s.joinText(n.At, parts, value.Null, value.Text)
}

// joinHTML joins values of which some are HTML: all others are escaped.
func (s *Scope) joinHTML(at source.Span, parts []value.Value) (value.Value, error) {
	for i, v := range parts {
		text, err := s.joinText(at, []value.Value{v}, value.Null, value.Text)
		if err != nil {
			return value.Null, err
		}
		if parts[i] = value.EscapeHTML(text); v.IsHTML() {
			parts[i] = v
		}
	}
	v, err := s.joinText(at, parts, value.Null, value.Text)
	return v.AsHTML(), err
}

func evalList(n *List, s *Scope) (value.Value, error) {
	items := make([]value.Value, 0, len(n.Items))
	for _, item := range n.Items {
		v, err := eval(item, s)
		if err != nil {
			return v, err
		}
		if v = plain(v); !IsOmit(v) {
			items = append(items, v)
		}
	}
	return value.ListOf(items...), nil
}

//go:noinline
func evalMap(n *Map, s *Scope) (value.Value, error) {
	m := value.NewMap(len(n.Entries))
	var marks value.Marks // of the keys, which cannot have any
	for _, e := range n.Entries {
		k, err := evalKey(e.Key, s)
		if err != nil {
			return k, err
		}
		key, err := value.KeyFor(k)
		if err != nil {
			return k, source.Errorf(e.Key.Span(), source.BadKey, "%s", err)
		}
		v, err := eval(e.Value, s)
		if err != nil {
			return v, err
		}
		if v = plain(v); !IsOmit(v) {
			m.Set(key, v)
		}
		marks |= k.Marks()
	}
	return value.FromMap(m).Mark(marks), nil
}

// evalKey is evalUsed for the key of a map. Most keys are literals.
func evalKey(n Node, s *Scope) (value.Value, error) {
	if lit, ok := n.(*Lit); ok {
		return lit.Value, nil
	}
	return evalUsed(n, s)
}

func evalPath(p *Path, s *Scope) (value.Value, error) {
	m, err := matchesOf(p, s)
	v := One(m.marked()).Mark(m.chosen)
	s.touch(v.Marks())
	return v, Conceal(err)
}

func evalTemplate(n *Template, s *Scope) (value.Value, error) {
	v, err := render(n.Text, n.Placer, s)
	return v.Mark(n.Marks), err
}

// render renders a template one level deeper, so that templates that need each other
// end in an error.
func render(text string, at Placer, s *Scope) (value.Value, error) {
	if err := s.Env.Enter(); err != nil { // not s.enter: to find the place takes time
		return value.Null, located(at.TextSpan(0, len(text)), source.Limit, err, 0)
	}
	defer s.Env.Leave()
	return s.Env.Render(text, at, s)
}
