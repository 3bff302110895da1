package mcl

import (
	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Operands have types that the operator takes, which the inference has checked. So no operator here meets a kind
// that it does not know. What remains is division by zero, and texts that become too long.

// binary evaluates an operator. Both operands are evaluated, also of "and" and "or": an error on
// the right is never hidden by a value on the left (spec: mcl, section 3).
func (f *frame) binary(e *syntax.Binary) (value.Value, error) {
	op := e.Op.Text
	if op == "<|>" {
		return f.fallback(e.X, e.Y)
	}
	if first, ok := e.X.(*syntax.Binary); ok && op == "+" && first.Op.Text == "+" && f.in.typeOf(e).Is(types.Str) {
		return f.joinAll(e)
	}
	x, err := f.eval(e.X)
	if err != nil {
		return value.Null, err
	}
	y, err := f.eval(e.Y)
	if err != nil {
		return value.Null, err
	}
	marks := x.Marks() | y.Marks()
	switch op {
	case "and", "&&":
		return value.Bool(x.Bool() && y.Bool()).Mark(marks), nil
	case "or", "||":
		return value.Bool(x.Bool() || y.Bool()).Mark(marks), nil
	case "==", "!=", "in":
		return f.compare(op, x, y)
	}
	switch x.Kind() {
	case value.StringKind:
		return f.join(x, y, e.At)
	case value.IntKind:
		a, _ := x.Int()
		b, _ := y.Int()
		return ints(op, a, b, marks, e.At)
	}
	return floats(op, x.Float(), y.Float(), marks, e.At)
}

// compare evaluates an operator of equality, on values of any type.
func (f *frame) compare(op string, x, y value.Value) (value.Value, error) {
	c := value.Comparison{Charge: f.run.step}
	c.Look(x.Marks() | y.Marks())
	if op != "in" {
		same, err := c.Equal(x, y)
		return value.Bool(same == (op == "==")).Mark(c.Marks), err
	}
	found, err := c.In(x, y.List())
	return value.Bool(found).Mark(c.Marks), err
}

// join joins two texts.
func (f *frame) join(x, y value.Value, at source.Span) (value.Value, error) {
	var b value.TextBuilder
	if err := f.appendText(&b, x, at); err != nil {
		return value.Null, err
	}
	err := f.appendText(&b, y, at)
	return b.Value(), err
}

// joinAll evaluates a + b + c + ... of texts, without a copy for each operator.
func (f *frame) joinAll(e *syntax.Binary) (value.Value, error) {
	operators := []*syntax.Binary{e}
	for {
		next, ok := e.X.(*syntax.Binary)
		if !ok || next.Op.Text != "+" {
			break
		}
		e = next
		operators = append(operators, e)
	}
	if err := f.run.step(len(operators)); err != nil {
		return value.Null, err
	}
	var b value.TextBuilder
	operand := e.X
	for i := len(operators); ; i-- {
		v, err := f.eval(operand)
		if err != nil {
			return value.Null, err
		}
		if err := f.appendText(&b, v, e.At); err != nil || i == 0 {
			return b.Value(), err
		}
		operand = operators[i-1].Y
	}
}

// appendText appends a text to others. at is where the whole is made.
func (f *frame) appendText(b *value.TextBuilder, v value.Value, at source.Span) error {
	text := v.Str()
	if err := f.grow(b.Len()+len(text), len(text), at); err != nil {
		return err
	}
	return b.WriteValue(v, text)
}

// ints evaluates an operator on integers of 64 bits, which wrap. A quotient is a float.
func ints(op string, a, b int64, marks value.Marks, at source.Span) (value.Value, error) {
	if op == "/" {
		return floats(op, float64(a), float64(b), marks, at)
	}
	if n, ok := arithmetic(op, a, b); ok {
		return value.Int(n).Mark(marks), nil
	}
	return value.Bool(ordered(op, a, b)).Mark(marks), nil
}

// floats evaluates an operator on floats.
func floats(op string, a, b float64, marks value.Marks, at source.Span) (value.Value, error) {
	if op == "/" && b == 0 {
		return value.Null, library.Fail(at, marks, "division by zero")
	}
	if op == "/" {
		return value.Float(a / b).Mark(marks), nil
	}
	if n, ok := arithmetic(op, a, b); ok {
		return value.Float(n).Mark(marks), nil
	}
	return value.Bool(ordered(op, a, b)).Mark(marks), nil
}

// arithmetic returns a sum, a difference or a product, false for another operator.
func arithmetic[T int64 | float64](op string, a, b T) (T, bool) {
	switch op {
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	}
	return 0, false
}

// ordered evaluates a comparison: <, >, <= or >=.
func ordered[T int64 | float64](op string, a, b T) bool {
	switch op {
	case "<":
		return a < b
	case ">":
		return a > b
	case "<=":
		return a <= b
	}
	return a >= b
}
