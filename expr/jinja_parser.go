package expr

import (
	"strings"

	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/value"
)

// The grammar is Jinja's, weakest first: if-else, or, and, not, comparisons, + -,
// ~, * / // %, **, sign, then filters and tests, which apply to a signed operand:
// "-2 | abs" is 2.

// Expr reads an expression.
func (p *Parser) Expr() (Node, error) { return p.nested(p.cond) }

// Written reads an expression, and returns its text as well.
func (p *Parser) Written() (n Node, text string, err error) {
	start := p.offset()
	n, err = p.Expr()
	return n, p.text[start:max(start, p.last.End)], err
}

// exprNoCond reads an expression up to an "if" that is not part of it, such as the filter of
// a loop: {% for x in list if x.enabled %}.
func (p *Parser) exprNoCond() (Node, error) { return p.nested(p.or) }

// Tuple reads expressions with commas between them; more than one are a [List].
func (p *Parser) Tuple() (Node, error) { return p.tuple(p.Expr) }

// TupleNoCond is Tuple for expressions that an "if" may follow: for x in a, b if x.
func (p *Parser) TupleNoCond() (Node, error) { return p.tuple(p.exprNoCond) }

func (p *Parser) nested(parse func() (Node, error)) (Node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	n, err := parse()
	if p.notes != nil && p.depth == 1 && err == nil {
		*p.notes = append(*p.notes, n)
	}
	return n, err
}

// tuple reads items with commas between them, which are a list; without a comma it is the item itself. A comma may end
// a tuple: (1,) is a list of one item.
func (p *Parser) tuple(item func() (Node, error)) (Node, error) {
	start := p.offset()
	first, err := item()
	if err != nil || !p.Peek(",") {
		return first, err
	}
	items := []Node{first}
	for p.Accept(",") && p.startsExpr() {
		n, err := item()
		if err != nil {
			return nil, err
		}
		items = append(items, n)
	}
	return &List{p.from(start), items}, nil
}

// startsExpr reports whether an expression can begin here; a comma may end a list.
func (p *Parser) startsExpr() bool {
	switch p.tok.Kind {
	case scan.End:
		return false
	case scan.Op:
		return strings.Contains("([{+-", p.tok.Text)
	case scan.Name:
		return !isReserved(p.tok.Text) || p.tok.Text == "not"
	}
	return true
}

// cond reads x if test else y. Conditions without else may follow each other: a if b if c.
func (p *Parser) cond() (Node, error) {
	start := p.offset()
	n, err := p.or()
	for err == nil && p.Accept("if") {
		if err := p.link(); err != nil {
			return nil, err
		}
		test, err := p.or()
		if err != nil {
			return nil, err
		}
		var other Node
		if p.Accept("else") {
			if other, err = p.Expr(); err != nil {
				return nil, err
			}
		}
		n = &Cond{p.from(start), test, n, other}
	}
	return n, err
}

func (p *Parser) or() (Node, error)  { return p.operation(orStrength) }
func (p *Parser) not() (Node, error) { return p.operation(notStrength) }

// The strengths of operators that have operands on both sides, and of "not", weakest first.
const (
	noStrength = iota // of a token that is no such operator
	orStrength
	andStrength
	notStrength
	compareStrength
	sumStrength
	concatStrength
	productStrength
	powerStrength
)

// operator returns the current token if it is an operator between operands, and its strength.
func (p *Parser) operator() (op string, strength int) {
	op = p.tok.Text
	switch p.tok.Kind {
	case scan.Op:
		switch op {
		case "==", "!=", "<=", ">=", "<", ">":
			return op, compareStrength
		case "+", "-":
			return op, sumStrength
		case "~":
			return op, concatStrength
		case "*", "//", "/", "%":
			return op, productStrength
		case "**":
			return op, powerStrength
		}
	case scan.Name:
		switch op {
		case "or":
			return op, orStrength
		case "and":
			return op, andStrength
		case "in":
			return op, compareStrength
		case "not":
			if p.ahead.Is("in") {
				return "not in", compareStrength
			}
		}
	}
	return "", noStrength
}

// operation reads an operand, and operators of at least a strength with the operands on their right, which hold
// all stronger ones. Operators of one strength group to the left, as in Jinja ("2 ** 3 ** 2" is 64). By strengths
// 1 to 3 of +, * and **:
//
//	a * b ** 2 + c    operation(1): a, then "*" with operation(3): b ** 2, then "+" with operation(2): c
func (p *Parser) operation(least int) (Node, error) {
	start := p.offset()
	x, err := p.operand(least)
	for err == nil {
		op, strength := p.operator()
		if strength < least {
			return x, nil
		}
		switch strength {
		case compareStrength:
			x, err = p.comparisons(x, start)
		case concatStrength:
			x, err = p.concat(x, start)
		default:
			x, err = p.binary(x, start, op, strength)
		}
	}
	return nil, err
}

// operand reads the first operand of an operation, which "not" may precede if it is as strong as least.
func (p *Parser) operand(least int) (Node, error) {
	start := p.offset()
	if least > notStrength || !p.Accept("not") {
		return p.unary()
	}
	x, err := p.nested(p.not)
	if err != nil {
		return nil, err
	}
	return &Unary{p.from(start), "not", x}, nil
}

// binary reads an operator and its right operand.
func (p *Parser) binary(x Node, start int, op string, strength int) (Node, error) {
	p.advance()
	if err := p.link(); err != nil {
		return nil, err
	}
	y, err := p.operation(strength + 1)
	switch {
	case err != nil:
		return nil, err
	case strength <= andStrength:
		return &Logic{p.from(start), op, x, y}, nil
	}
	return &Binary{p.from(start), op, x, y}, nil
}

// comparisons reads the comparisons of x, which are one node: a < b < c.
func (p *Parser) comparisons(x Node, start int) (Node, error) {
	var rest []Comparison
	for {
		op, strength := p.operator()
		if strength != compareStrength {
			return &Compare{p.from(start), x, rest}, nil
		}
		at := p.spanOf(p.tok)
		if p.advance(); op == "not in" {
			p.advance()
		}
		y, err := p.operation(compareStrength + 1)
		if err != nil {
			return nil, err
		}
		rest = append(rest, Comparison{op, y, at})
	}
}

// concat reads the texts that are joined to x, which are one node: a ~ b ~ c.
func (p *Parser) concat(x Node, start int) (Node, error) {
	parts := []Node{x}
	for p.Accept("~") {
		n, err := p.operation(concatStrength + 1)
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
	}
	return &Concat{p.from(start), parts}, nil
}

func (p *Parser) unary() (Node, error) {
	start := p.offset()
	n, err := p.signed()
	if err != nil {
		return nil, err
	}
	return p.filters(n, start)
}

// signed reads an operand with its signs. As in Jinja a sign binds weaker than an attribute or call: -x.y is -(x.y).
func (p *Parser) signed() (Node, error) {
	start := p.offset()
	op := p.tok.Text
	if !p.Accept("-") && !p.Accept("+") {
		n, err := p.primary()
		if err != nil {
			return nil, err
		}
		return p.postfix(n, start)
	}
	x, err := p.nested(p.signed)
	if err != nil {
		return nil, err
	}
	return &Unary{p.from(start), op, x}, nil
}

// primary reads a literal, a name, a list, a map, or an expression in parentheses.
func (p *Parser) primary() (Node, error) {
	start := p.offset()
	switch t := p.tok; t.Kind {
	case scan.Number:
		p.advance()
		return &Lit{p.from(start), t.Number}, nil
	case scan.String:
		var b strings.Builder
		for p.tok.Kind == scan.String { // 'a' 'b' is 'ab'
			b.WriteString(p.tok.Text)
			p.advance()
		}
		return &Lit{p.from(start), value.String(b.String())}, nil
	case scan.Name:
		if !isReserved(t.Text) {
			p.advance()
			return p.nameOrConstant(t), nil
		}
	case scan.Op:
		switch t.Text {
		case "(":
			return p.parenthesised()
		case "[":
			return p.list()
		case "{":
			return p.dict()
		}
	}
	return nil, p.missingExpr()
}

func (p *Parser) missingExpr() error {
	switch {
	case p.last.End == 0 && p.AtEnd():
		return p.Errorf("expected an expression")
	case p.last.End == 0:
		return p.Errorf("expected an expression instead of %s", p.found())
	case p.AtEnd():
		return p.Errorf("expected an expression after %q", p.text[p.last.Start:p.last.End])
	}
	return p.Errorf("expected an expression after %q instead of %s", p.text[p.last.Start:p.last.End], p.found())
}

func (p *Parser) nameOrConstant(t scan.Token) Node {
	at := Range{p.spanOf(t)}
	switch t.Text {
	case "true", "True":
		return &Lit{at, value.True}
	case "false", "False":
		return &Lit{at, value.False}
	case "none", "None":
		return &Lit{at, value.Null}
	}
	return &Name{at, t.Text}
}

func (p *Parser) parenthesised() (Node, error) {
	start := p.offset()
	p.advance()
	if p.Accept(")") {
		return &List{p.from(start), nil}, nil
	}
	n, err := p.Tuple()
	if err != nil {
		return nil, err
	}
	return n, p.Expect(")")
}

func (p *Parser) list() (Node, error) {
	start := p.offset()
	p.advance()
	var items []Node
	for !p.Accept("]") {
		n, err := p.Expr()
		if err != nil {
			return nil, err
		}
		items = append(items, n)
		if err := p.comma("]"); err != nil {
			return nil, err
		}
	}
	return &List{p.from(start), items}, nil
}

// comma reads the comma between items; the last one may be missing.
func (p *Parser) comma(closing string) error {
	if p.Accept(",") || p.Peek(closing) {
		return nil
	}
	return p.Errorf(`expected "," or %q instead of %s`, closing, p.found())
}

func (p *Parser) dict() (Node, error) {
	start := p.offset()
	p.advance()
	var entries []Entry
	for !p.Accept("}") {
		k, err := p.Expr()
		if err != nil {
			return nil, err
		}
		if err := p.Expect(":"); err != nil {
			return nil, err
		}
		v, err := p.Expr()
		if err != nil {
			return nil, err
		}
		entries = append(entries, Entry{k, v})
		if err := p.comma("}"); err != nil {
			return nil, err
		}
	}
	return &Map{p.from(start), entries}, nil
}
