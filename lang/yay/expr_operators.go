package yay

import (
	"github.com/yaytpl/yaytpl/expr"
)

// list reads expressions with commas between them; two or more are a list.
func (e *exprParser) list() (expr.Node, error) { return e.listOf(e.expression) }

func (e *exprParser) listOf(item func() (expr.Node, error)) (expr.Node, error) {
	start := e.tok.start
	first, err := item()
	if err != nil || !e.peek(",") {
		return first, err
	}
	items := []expr.Node{first}
	for e.accept(",") && e.startsOperand() {
		n, err := item()
		if err != nil {
			return nil, err
		}
		items = append(items, n)
	}
	if len(items) == 1 {
		return first, nil
	}
	return &expr.List{Place: e.from(start), Items: items}, nil
}

// startsOperand reports whether an expression begins here: a comma may end a list.
func (e *exprParser) startsOperand() bool {
	switch e.tok.kind {
	case endToken:
		return false
	case nameToken:
		return !isReserved(e.tok.str) || e.tok.str == "not" || e.tok.str == "lambda"
	case opToken:
		switch e.tok.str {
		case "}}", ")", "]", "}", ":", "=":
			return false
		}
	}
	return true
}

// expression reads a conditional or a fallback; both take as much to their right as
// they can: a else b if c else d is a else (b if c else d).
func (e *exprParser) expression() (expr.Node, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	start := e.tok.start
	x, err := e.operation(orLevel)
	switch {
	case err != nil:
		return nil, err
	case e.accept("if"):
		test, err := e.operation(orLevel)
		if err != nil {
			return nil, err
		}
		if err := e.expect("else"); err != nil {
			return nil, err
		}
		y, err := e.expression()
		return &expr.Cond{Place: e.from(start), Test: test, Then: x, Else: y}, err
	case e.accept("else"):
		y, err := e.expression()
		return &expr.Else{Place: e.from(start), X: x, Y: y}, err
	}
	return x, nil
}

// loopSource reads the source of a loop, and its filter if there is one: an "if"
// begins the filter where no "else" makes it a conditional behind an "else".
func (e *exprParser) loopSource() (in, filter expr.Node, err error) {
	in, err = e.listOf(func() (expr.Node, error) {
		if filter != nil {
			return nil, e.unexpected(`expected ":"`)
		}
		n, test, err := e.loopOperand(false)
		filter = test
		return n, err
	})
	return in, filter, err
}

// loopOperand reads one expression of the source of a loop. Behind an "else" it may
// be a conditional.
func (e *exprParser) loopOperand(behindElse bool) (n, filter expr.Node, err error) {
	if err := e.enter(); err != nil {
		return nil, nil, err
	}
	defer e.leave()
	start := e.tok.start
	n, err = e.operation(orLevel)
	switch {
	case err != nil:
		return nil, nil, err
	case e.accept("else"):
		y, filter, err := e.loopOperand(true)
		if err != nil {
			return nil, nil, err
		}
		end := int(y.Span().End)
		return &expr.Else{Place: expr.Place{At: e.file.Span(start, end)}, X: n, Y: y}, filter, nil
	case !e.peek("if"):
		return n, nil, nil
	}
	e.advance()
	if !behindElse {
		filter, err = e.expression()
		return n, filter, err
	}
	test, err := e.operation(orLevel)
	if err != nil || !e.accept("else") {
		return n, test, err
	}
	y, filter, err := e.loopOperand(true)
	if err != nil {
		return nil, nil, err
	}
	end := int(y.Span().End)
	return &expr.Cond{Place: expr.Place{At: e.file.Span(start, end)}, Test: test, Then: n, Else: y}, filter, nil
}

// Levels of operators, loosest first.
const (
	orLevel = iota + 1
	andLevel
	notLevel
	compareLevel
	bitLevel // | ^ & in this order, then shifts, sums and products
)

// binaryLevel returns the level of an operator with two operands, 0 for others.
func binaryLevel(op string) int {
	switch op {
	case "or":
		return orLevel
	case "and":
		return andLevel
	case "==", "!=", "<>", "<", "<=", ">", ">=", "in", "not", "is":
		return compareLevel
	case "|":
		return bitLevel
	case "^":
		return bitLevel + 1
	case "&":
		return bitLevel + 2
	case "<<", ">>":
		return bitLevel + 3
	case "+", "-":
		return bitLevel + 4
	case "*", "/", "//", "%":
		return bitLevel + 5
	}
	return 0
}

// operation reads operands with the operators between them that are of the level or
// bind tighter.
func (e *exprParser) operation(level int) (expr.Node, error) {
	start := e.tok.start
	x, err := e.prefixed(level)
	for err == nil {
		op, at := e.tok, 0
		if op.kind == nameToken || op.kind == opToken {
			at = binaryLevel(op.str)
		}
		if at == 0 || at < level {
			return x, nil
		}
		if at == compareLevel {
			x, err = e.comparison(x, start)
			continue
		}
		x, err = e.binary(x, start, at)
	}
	return nil, err
}

// binary reads the current operator and its right operand.
func (e *exprParser) binary(x expr.Node, start, level int) (expr.Node, error) {
	if err := e.link(); err != nil {
		return nil, err
	}
	op := e.tok.str
	e.advance()
	y, err := e.operation(level + 1)
	if err != nil {
		return nil, err
	}
	if level <= andLevel {
		return &expr.Logic{Place: e.from(start), Op: op, X: x, Y: y}, nil
	}
	return &expr.Binary{Place: e.from(start), Op: op, X: x, Y: y}, nil
}

// comparison reads a comparison, of which there is no chain.
func (e *exprParser) comparison(x expr.Node, start int) (expr.Node, error) {
	first := e.tok
	e.advance()
	op, end := first.str, first.end
	switch op {
	case "<>":
		op = "!="
	case "is":
		return nil, e.refused(first, `"is" is`, `"==" compares`)
	case "not":
		if err := e.expect("in"); err != nil {
			return nil, err
		}
		op, end = "not in", e.last.end
	}
	y, err := e.operation(bitLevel)
	if err != nil {
		return nil, err
	}
	if (e.tok.kind == opToken || e.tok.kind == nameToken) && binaryLevel(e.tok.str) == compareLevel {
		return nil, e.refused(e.tok, "a chain of comparisons is", `write "a < b and b < c"`)
	}
	link := expr.Comparison{Op: op, Y: y, At: e.file.Span(first.start, end)}
	return &expr.Compare{Place: e.from(start), First: x, Rest: []expr.Comparison{link}}, nil
}

// prefixed reads an operand with "not" or a sign before it.
func (e *exprParser) prefixed(level int) (expr.Node, error) {
	if !e.peek("not") || level > notLevel {
		return e.unary()
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	start := e.tok.start
	e.advance()
	x, err := e.operation(notLevel)
	if err != nil {
		return nil, err
	}
	return &expr.Unary{Place: e.from(start), Op: "not", X: x}, nil
}

func (e *exprParser) unary() (expr.Node, error) {
	if !e.peek("-") && !e.peek("+") && !e.peek("~") {
		return e.power()
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	start, op := e.tok.start, e.tok.str
	e.advance()
	x, err := e.unary()
	if err != nil {
		return nil, err
	}
	return &expr.Unary{Place: e.from(start), Op: op, X: x}, nil
}

// power binds tighter than a sign before it and looser than one behind it: -2 ** 2
// is -4, and 2 ** -1 is 0.5.
func (e *exprParser) power() (expr.Node, error) {
	start := e.tok.start
	x, err := e.primary()
	if err != nil || !e.accept("**") {
		return x, err
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	y, err := e.unary()
	if err != nil {
		return nil, err
	}
	return &expr.Binary{Place: e.from(start), Op: "**", X: x, Y: y}, nil
}
