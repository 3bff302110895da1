package syntax

import (
	"errors"
	"strconv"

	"github.com/yaytpl/yaytpl/source"
)

// Levels of operators, loosest first (spec: mcl, section 3).
const (
	fallbackLevel = iota + 1 // <|>
	orLevel
	andLevel
	compareLevel // and "in": they do not chain
	sumLevel
	productLevel
)

// levelOf returns the level of a binary operator, 0 for other texts.
func levelOf(op string) int {
	switch op {
	case "<|>":
		return fallbackLevel
	case "or", "||":
		return orLevel
	case "and", "&&":
		return andLevel
	case "<", ">", "<=", ">=", "==", "!=", "in":
		return compareLevel
	case "+", "-":
		return sumLevel
	case "*", "/":
		return productLevel
	}
	return 0
}

// expr reads an expression.
func (p *parser) expr() Expr { return p.binary(fallbackLevel) }

// base makes the common part of an expression that was just read. Its number is the next one. height
// is the height of its highest part.
func (p *parser) base(start uint32, height int) Base {
	if p.height = height + 1; p.height > maxHeight {
		p.fail(source.Errorf(p.since(start).At, source.Limit, "the expression has more than %d operators in a row", maxHeight))
	}
	b := Base{Range: p.since(start), Number: int32(p.exprs)}
	p.exprs++
	return b
}

// none returns an expression in place of the one that an error prevents.
func (p *parser) none() Expr { return &Bool{Base: Base{Range: Range{p.at()}}} }

// binary reads operators of at least the level min, with their operands.
func (p *parser) binary(min int) Expr {
	start := p.tok.start
	x := p.unary()
	compared := false
	for p.err == nil && (p.tok.kind == symbol || p.tok.kind == word) {
		op := p.textOf(p.tok)
		level := levelOf(op)
		if level < min {
			break
		}
		if level == compareLevel && compared {
			p.unexpected("comparisons do not chain").WithHint("write parentheses, or join two comparisons by \"and\"")
			break
		}
		x = p.operation(start, x, level)
		compared = level == compareLevel
	}
	return x
}

// operation reads an operator and its right operand.
func (p *parser) operation(start uint32, x Expr, level int) Expr {
	op, height := Word{p.textOf(p.tok), p.at()}, p.height
	p.advance()
	y := p.binary(level + 1)
	height = max(height, p.height)
	if op.Text == "||" {
		p.mixed(op, y)
	}
	return &Binary{p.base(start, height), op, x, y}
}

// mixed warns, once in a program, that the dialects group "a || b && c" in different ways.
func (p *parser) mixed(op Word, y Expr) {
	right, ok := y.(*Binary)
	if !ok || right.Op.Text != "&&" || len(p.findings) > 0 || p.err != nil {
		return
	}
	p.findings = append(p.findings, source.Warnf(right.Op.At, source.Suspicious, "&& binds tighter than || here; in the dialect of 2018 both bind alike, from the left").
		Note(op.At, "the operator before it").
		WithHint("write parentheses: a || (b && c), or (a || b) && c"))
}

// unary reads "not" and "!". They bind tighter than all binary operators but "in".
func (p *parser) unary() Expr {
	if !p.is("not") && !p.is("!") {
		return p.postfix()
	}
	p.enter()
	defer p.leave()
	op := Word{p.textOf(p.tok), p.at()}
	p.advance()
	start := p.tok.start
	x := p.unary()
	if p.is("in") {
		x = p.operation(start, x, compareLevel)
	}
	return &Unary{p.base(op.At.Start, p.height), op, x}
}

// postfix reads an operand with its lookups.
func (p *parser) postfix() Expr {
	start := p.tok.start
	x := p.primary()
	for p.err == nil && p.tok.kind == symbol {
		height := p.height
		switch p.textOf(p.tok) {
		case "[":
			open := p.at()
			p.advance()
			key := p.nested()
			p.closing("]", open, "expected %q")
			x = &Index{p.base(start, max(height, p.height)), x, key}
		case "->":
			p.advance()
			x = p.field(start, x, height)
		default:
			return x
		}
	}
	return x
}

// field reads the name after an arrow. A fallback directly after it belongs to the lookup,
// whatever is around the lookup.
func (p *parser) field(start uint32, x Expr, height int) Expr {
	f := &Field{X: x, Name: p.anyName("the name of a field")}
	if p.accept("<|>") {
		p.enter()
		f.Default = p.binary(fallbackLevel + 1)
		p.leave()
		height = max(height, p.height)
	}
	f.Base = p.base(start, height)
	return f
}

// nested reads an expression in brackets, one level deeper.
func (p *parser) nested() Expr {
	p.enter()
	defer p.leave()
	return p.expr()
}

// primary reads an operand.
func (p *parser) primary() Expr {
	p.height = 0
	start := p.tok.start
	switch p.tok.kind {
	case integer, float:
		return p.number()
	case text:
		return p.str()
	case dollar:
		return p.varOrCall()
	case word:
		return p.wordly()
	case symbol:
		switch p.textOf(p.tok) {
		case "(":
			open := p.at()
			p.advance()
			x := p.nested()
			p.closing(")", open, "expected %q")
			return &Paren{p.base(start, p.height), x}
		case "[":
			return p.list()
		case "{":
			return p.mapOf()
		}
	}
	p.unexpected("expected an expression")
	return p.none()
}

// wordly reads an operand that begins with a word.
func (p *parser) wordly() Expr {
	start, t := p.tok.start, p.textOf(p.tok)
	switch {
	case t == "true" || t == "false":
		p.advance()
		return &Bool{p.base(start, 0), t == "true"}
	case t == "if":
		return p.ifExpr()
	case t == "struct":
		return p.structOf()
	case t == "func":
		return p.lambda()
	case isCommon(t) || isNew(t) && t != "map" && t != "collect":
		p.unexpected("expected an expression")
		return p.none()
	}
	return p.call()
}

func (p *parser) number() Expr {
	start, digits := p.tok.start, p.textOf(p.tok)
	if p.tok.kind == integer {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return p.overflow("an int has 64 bits, from -9223372036854775808 to 9223372036854775807")
		}
		p.advance()
		return &Int{p.base(start, 0), n}
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil && errors.Is(err, strconv.ErrRange) {
		return p.overflow("a float has at most 309 digits before the point")
	}
	p.advance()
	return &Float{p.base(start, 0), x}
}

// overflow makes the current number an error.
func (p *parser) overflow(hint string) Expr {
	p.fail(source.Errorf(p.at(), source.Syntax, "overflow: the number %s is too large", Shown(p.at(), shortNumber(p.textOf(p.tok)))).WithHint("%s", hint))
	return p.none()
}

// shortNumber returns digits for a message.
func shortNumber(digits string) string {
	if len(digits) > 40 {
		return digits[:20] + "..." + digits[len(digits)-10:]
	}
	return digits
}

// varOrCall reads "$name", "$name(args)", or "$name{1}", the history of 2018: without blanks, and
// no branch of an if, which has "else" after it.
func (p *parser) varOrCall() Expr {
	start := p.tok.start
	p.advance()
	name := p.joined(".", func() Word { return p.anyName("the name of a variable") })
	if p.is("{") && p.tok.start == p.last && p.ahead(1).kind == integer && p.ahead(1).start == p.tok.end &&
		p.isAt(2, "}") && p.ahead(2).start == p.ahead(1).end && isDigit(p.file.Text[p.tok.end]) && !p.isAt(3, "else") {
		p.advance()
		back, err := strconv.Atoi(p.textOf(p.tok))
		if err != nil {
			return p.overflow("")
		}
		p.advance()
		p.advance()
		return &History{p.base(start, 0), name.Text, back}
	}
	v := &Var{p.base(start, 0), name.Text}
	if !p.is("(") {
		return v
	}
	return p.apply(start, v)
}

// apply reads the arguments of a call of a value.
func (p *parser) apply(start uint32, fn Expr) Expr {
	height := p.height
	c := &Call{Fn: fn, Args: p.args()}
	c.Base = p.base(start, max(height, p.height))
	return c
}

func (p *parser) call() Expr {
	start := p.tok.start
	if next := p.ahead(1); next.kind != bad && !p.isAt(1, ".") && !p.isAt(1, "(") {
		name := p.textOf(p.tok)
		p.explainName(p.unexpected("expected an expression"), name, next)
		return p.none()
	}
	c := &Call{Name: p.joined(".", func() Word { return p.anyName("the name of a function") })}
	if !p.is("(") {
		p.unexpected("expected \"(\" after the name of the function %s", c.Name.Text).
			WithHint("as a value it is written func($x) { %s($x) }", c.Name.Text)
		return p.none()
	}
	c.Args = p.args()
	c.Base = p.base(start, p.height)
	return c
}

// elements reads elements up to a closing bracket, each by one. There are commas between them, and
// perhaps one after the last. The height is the height of the highest.
func (p *parser) elements(closing string, open source.Span, one func()) (end source.Span) {
	p.enter()
	defer p.leave()
	height := 0
	for p.err == nil && !p.is(closing) && p.tok.kind != endOfText {
		p.height = 0
		one()
		height = max(height, p.height)
		if !p.accept(",") {
			break
		}
	}
	end = p.closing(closing, open, "expected a comma or %q")
	p.height = height
	return end
}

func (p *parser) args() *Args {
	a := &Args{Open: p.expect("(")}
	a.Close = p.elements(")", a.Open, func() { a.List = append(a.List, p.expr()) })
	return a
}

func (p *parser) list() Expr {
	start := p.tok.start
	open := p.expect("[")
	var items []Expr
	p.elements("]", open, func() { items = append(items, p.expr()) })
	return &List{p.base(start, p.height), items}
}

func (p *parser) mapOf() Expr {
	start := p.tok.start
	open := p.expect("{")
	var entries []Entry
	p.elements("}", open, func() {
		key := p.expr()
		height := p.height
		p.arrow()
		entries = append(entries, Entry{key, p.expr()})
		p.height = max(height, p.height)
	})
	return &Map{p.base(start, p.height), entries}
}

// arrow reads the "=>" between a name or key and its value.
func (p *parser) arrow() {
	if p.accept("=>") {
		return
	}
	other := p.is(":") || p.is("=")
	if d := p.unexpected("expected \"=>\""); other {
		d.WithHint("write => between a name and its value")
	}
}

func (p *parser) structOf() Expr {
	start := p.tok.start
	p.advance()
	s := &Struct{Open: p.expect("{")}
	p.elements("}", s.Open, func() {
		name := p.name("the name of a field", "=>")
		p.arrow()
		s.Fields = append(s.Fields, NamedExpr{name, p.expr()})
	})
	s.Base = p.base(start, p.height)
	return s
}

// ifExpr reads an if expression: both branches are required.
func (p *parser) ifExpr() Expr {
	p.enter()
	defer p.leave()
	start := p.tok.start
	p.advance()
	i := &If{Cond: p.expr()}
	height := p.height
	i.ThenOpen = p.expect("{")
	i.Then = p.expr()
	height = max(height, p.height)
	i.ThenClose = p.closing("}", i.ThenOpen, "expected %q")
	if !p.is("else") {
		p.unexpected("expected \"else\", which an if expression requires")
	}
	p.advance()
	if p.is("if") {
		p.unexpected("expected \"{\" after \"else\"").WithHint("nest it: else { if ... { } else { } }")
	}
	i.ElseOpen = p.expect("{")
	i.Else = p.expr()
	height = max(height, p.height)
	i.ElseClose = p.closing("}", i.ElseOpen, "expected %q")
	i.Base = p.base(start, height)
	return i
}

// lambda reads a function without a name, or a call of it.
func (p *parser) lambda() Expr {
	start := p.tok.start
	p.advance()
	l := &Lambda{Func: p.function()}
	l.Base = p.base(start, p.height)
	if !p.is("(") {
		return l
	}
	return p.apply(start, l)
}

// function reads parameters, the type of the result, and the body.
func (p *parser) function() *Func {
	p.enter()
	defer p.leave()
	f := &Func{First: p.exprs}
	f.Params = p.params()
	if !p.is("{") {
		arrow := p.is("->") || p.is("=>") || p.is(":")
		f.Result = p.typeOf("expected the body of the function, or the type of its result")
		if arrow {
			p.err.WithHint("the type of the result has no mark in front: func f($x int) int { ... }")
		}
	}
	f.Open = p.expect("{")
	f.Body = p.expr()
	f.Close = p.closing("}", f.Open, "expected %q")
	f.Last = p.exprs
	return f
}

func (p *parser) params() *Params {
	ps := &Params{Open: p.expect("(")}
	ps.Close = p.elements(")", ps.Open, func() {
		start := p.tok.start
		param := &Param{Name: p.variable()}
		if !p.is(",") && !p.is(")") {
			given := p.is("=")
			param.Type = p.typeOf("expected a comma, a type or \")\"")
			if given {
				p.err.WithHint("a parameter has no default")
			}
		}
		param.Range = p.since(start)
		ps.List = append(ps.List, param)
	})
	return ps
}
