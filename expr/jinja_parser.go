package expr

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
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

// exprNoCond reads an expression up to an "if" that is not part of it, such as that of
// a loop.
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

func (p *Parser) or() (Node, error)  { return p.logic("or", p.and) }
func (p *Parser) and() (Node, error) { return p.logic("and", p.not) }

func (p *Parser) logic(op string, operand func() (Node, error)) (Node, error) {
	start := p.offset()
	x, err := operand()
	for err == nil && p.Accept(op) {
		if err := p.link(); err != nil {
			return nil, err
		}
		var y Node
		y, err = operand()
		x = &Logic{p.from(start), op, x, y}
	}
	return x, err
}

func (p *Parser) not() (Node, error) {
	start := p.offset()
	if !p.Accept("not") {
		return p.compare()
	}
	x, err := p.nested(p.not)
	if err != nil {
		return nil, err
	}
	return &Unary{p.from(start), "not", x}, nil
}

func (p *Parser) compare() (Node, error) {
	start := p.offset()
	first, err := p.sum()
	if err != nil {
		return nil, err
	}
	var rest []Comparison
	for {
		at := p.spanOf(p.tok)
		op := p.comparison()
		if op == "" {
			break
		}
		y, err := p.sum()
		if err != nil {
			return nil, err
		}
		rest = append(rest, Comparison{op, y, at})
	}
	if rest == nil {
		return first, nil
	}
	return &Compare{p.from(start), first, rest}, nil
}

// comparison reads a comparison operator, if there is one.
func (p *Parser) comparison() string {
	for _, op := range [...]string{"==", "!=", "<=", ">=", "<", ">", "in"} {
		if p.Accept(op) {
			return op
		}
	}
	if p.Peek("not") && p.ahead.Is("in") {
		p.advance()
		p.advance()
		return "not in"
	}
	return ""
}

func (p *Parser) sum() (Node, error)     { return p.binary(p.concat, "+", "-") }
func (p *Parser) product() (Node, error) { return p.binary(p.power, "*", "//", "/", "%") }

// power groups to the left, as in Jinja: 2 ** 3 ** 2 is 64.
func (p *Parser) power() (Node, error) { return p.binary(p.unary, "**") }

func (p *Parser) binary(operand func() (Node, error), ops ...string) (Node, error) {
	start := p.offset()
	x, err := operand()
	for err == nil {
		op := p.acceptOne(ops)
		if op == "" {
			return x, nil
		}
		if err := p.link(); err != nil {
			return nil, err
		}
		var y Node
		y, err = operand()
		x = &Binary{p.from(start), op, x, y}
	}
	return nil, err
}

func (p *Parser) acceptOne(ops []string) string {
	for _, op := range ops {
		if p.Accept(op) {
			return op
		}
	}
	return ""
}

func (p *Parser) concat() (Node, error) {
	start := p.offset()
	first, err := p.product()
	if err != nil || !p.Peek("~") {
		return first, err
	}
	parts := []Node{first}
	for p.Accept("~") {
		n, err := p.product()
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

func (p *Parser) signed() (Node, error) {
	start := p.offset()
	op := p.acceptOne([]string{"-", "+"})
	if op == "" {
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
	at := Place{p.spanOf(t)}
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

// postfix reads the attributes, subscripts and calls after an operand: .name [key] (args).
func (p *Parser) postfix(n Node, start int) (Node, error) {
	var err error
	for err == nil {
		switch {
		case p.Peek("."):
			n, err = p.attribute(n, start)
		case p.Peek("["):
			n, err = p.subscript(n, start)
		case p.Peek("("):
			n, err = p.call(n, start)
		default:
			return n, nil
		}
	}
	return nil, err
}

func (p *Parser) attribute(x Node, start int) (Node, error) {
	if err := p.link(); err != nil {
		return nil, err
	}
	p.advance()
	t := p.tok
	at := p.spanOf(t)
	switch t.Kind {
	case scan.Name:
		p.advance()
		return &Select{p.from(start), x, t.Text, at}, nil
	case scan.Number:
		p.advance()
		return &Index{p.from(start), x, &Lit{Place{at}, t.Number}, true}, nil
	}
	return nil, p.Errorf(`expected a name after "." instead of %s`, p.found())
}

func (p *Parser) subscript(x Node, start int) (Node, error) {
	if err := p.link(); err != nil {
		return nil, err
	}
	p.advance()
	var bounds [3]Node
	colons := 0
	for !p.Peek("]") {
		if colons < 2 && p.Accept(":") {
			colons++
			continue
		}
		if bounds[colons] != nil {
			return nil, p.Errorf(`expected "]" instead of %s`, p.found())
		}
		n, err := p.Expr()
		if err != nil {
			return nil, err
		}
		bounds[colons] = n
	}
	if colons == 0 && bounds[0] == nil {
		return nil, p.missingExpr()
	}
	p.advance()
	if colons == 0 {
		return &Index{p.from(start), x, bounds[0], false}, nil
	}
	return &Slice{p.from(start), x, bounds[0], bounds[1], bounds[2]}, nil
}

func (p *Parser) call(fn Node, start int) (Node, error) {
	if err := p.link(); err != nil {
		return nil, err
	}
	args, err := p.Args()
	if err != nil {
		return nil, err
	}
	return &CallExpr{p.from(start), fn, args}, nil
}

// Args reads the arguments of a call, parentheses included.
func (p *Parser) Args() ([]Arg, error) {
	if err := p.Expect("("); err != nil {
		return nil, err
	}
	var args []Arg
	var order argOrder
	for !p.Accept(")") {
		var a Arg
		start := p.offset()
		switch {
		case p.Accept("*"):
			a.Stars = 1
		case p.Accept("**"):
			a.Stars = 2
		case p.PeekName() && p.ahead.Is("="):
			a.Name, a.NameAt = p.tok.Text, p.spanOf(p.tok)
			p.advance()
			p.advance()
		}
		var err error
		if a.Value, err = p.Expr(); err != nil {
			return nil, err
		}
		if reason := order.add(&a); reason != "" {
			return nil, source.Errorf(p.spanFrom(start), source.Syntax, "template error: %s", reason)
		}
		args = append(args, a)
		if err := p.comma(")"); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// An argOrder has the kinds and names of the arguments of a call so far.
type argOrder struct {
	list, dict bool
	names      map[string]bool
}

// add adds an argument. It says why the argument cannot follow those before it, or returns "".
func (o *argOrder) add(a *Arg) string {
	switch {
	case o.dict && a.Stars == 2:
		return "there can be only one **map"
	case o.dict:
		return "no argument can follow **map"
	case o.list && a.Stars == 1:
		return "there can be only one *list"
	case o.names[a.Name]:
		return fmt.Sprintf("the argument %q is given twice", a.Name)
	}
	switch {
	case a.Stars == 1:
		o.list = true
	case a.Stars == 2:
		o.dict = true
	case a.Name != "":
		if o.names == nil {
			o.names = map[string]bool{}
		}
		o.names[a.Name] = true
	case o.names != nil:
		return "a positional argument cannot follow a keyword argument"
	case o.list:
		return "a positional argument cannot follow *list"
	}
	return ""
}

// filters reads the filters and tests after n, and calls of their results.
func (p *Parser) filters(n Node, start int) (Node, error) {
	var err error
	for err == nil {
		switch {
		case p.Accept("|"):
			n, err = p.filter(n, start)
		case p.Accept("is"):
			n, err = p.test(n, start)
		case p.Peek("("):
			n, err = p.call(n, start)
		default:
			return n, nil
		}
	}
	return nil, err
}

func (p *Parser) filter(x Node, start int) (Node, error) {
	if err := p.link(); err != nil {
		return nil, err
	}
	name, at, err := p.dottedName("filter")
	if err != nil {
		return nil, err
	}
	var args []Arg
	if p.Peek("(") {
		if args, err = p.Args(); err != nil {
			return nil, err
		}
	}
	return &Filter{p.from(start), x, name, at, args}, nil
}

// dottedName reads the name of a filter or test without its collection, such as
// "ansible.builtin", which has two parts at least.
func (p *Parser) dottedName(what string) (string, source.Span, error) {
	for dots := 0; ; dots++ {
		if p.tok.Kind != scan.Name {
			return "", source.Span{}, p.Errorf("expected the name of a %s instead of %s", what, p.found())
		}
		p.advance()
		name, at := p.last.Text, p.spanOf(p.last)
		if p.Accept(".") {
			continue
		}
		if dots == 1 {
			return "", at, source.Errorf(at, source.Syntax, "template error: %q is no attribute of a %s", name, what).
				WithHint("put what is before it in parentheses: (x | f).%s; the name of a collection has two parts, such as ansible.builtin.%s", name, name)
		}
		return name, at, nil
	}
}

func (p *Parser) test(x Node, start int) (Node, error) {
	if err := p.link(); err != nil {
		return nil, err
	}
	negate := p.Accept("not")
	name, at, err := p.dottedName("test")
	if err != nil {
		return nil, err
	}
	var args []Arg // in parentheses, or a single operand
	switch t := p.tok; {
	case p.Peek("("):
		if args, err = p.Args(); err != nil {
			return nil, err
		}
	case t.Is("is"):
		return nil, p.Errorf("tests cannot be chained: write (x is %s) is ..., or x is %s and x is ...", name, name)
	case t.Kind == scan.Number, t.Kind == scan.String, t.Is("["), t.Is("{"), t.Kind == scan.Name && !isReserved(t.Text):
		operandStart := p.offset()
		n, err := p.primary()
		if err == nil {
			n, err = p.postfix(n, operandStart)
		}
		if err != nil {
			return nil, err
		}
		args = []Arg{{Value: n}}
	}
	return &Test{p.from(start), x, name, at, args, negate}, nil
}
