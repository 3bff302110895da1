package expr

import (
	"fmt"

	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// What follows an operand: attributes, items, slices, calls with their arguments,
// filters and tests.

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

// attribute reads x.name or x.0, where a number is an index.
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
		return &Index{p.from(start), x, &Lit{Range{at}, t.Number}, true}, nil
	}
	return nil, p.Errorf(`expected a name after "." instead of %s`, p.found())
}

// subscript reads x[key], or a slice x[from:to:step], of which any part may be missing.
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
	return &CallExpr{p.from(start), selected(fn), args}, nil
}

// selected returns x.name for x|attr("name"), so that a call of it finds the method.
func selected(fn Node) Node {
	f, ok := fn.(*Filter)
	if !ok || f.Name != "attr" || len(f.Args) != 1 || f.Args[0].Stars != 0 {
		return fn
	}
	name, ok := f.Args[0].Value.(*Lit)
	if !ok || !name.Value.Is(value.StringKind) {
		return fn
	}
	return &Select{f.Range, f.X, name.Value.Str(), f.NameAt}
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

// add adds an argument. It returns the reason why the argument cannot follow the arguments before it, or "".
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

// filter reads the name and arguments of a filter after "|".
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

// test reads a test after "is", with arguments in parentheses or one operand without: x is divisibleby 3.
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
