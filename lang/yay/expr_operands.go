package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// primary reads an operand with what follows it: .name [key] (args).
func (e *exprParser) primary() (expr.Node, error) {
	start := e.tok.start
	n, err := e.atom()
	for err == nil {
		switch {
		case e.peek("."):
			n, err = e.attribute(n, start)
		case e.peek("["):
			n, err = e.subscript(n, start)
		case e.peek("("):
			n, err = e.call(n, start)
		default:
			return n, nil
		}
	}
	return nil, err
}

func (e *exprParser) atom() (expr.Node, error) {
	t := e.tok
	at := expr.Place{At: e.span(t)}
	switch t.kind {
	case numberToken:
		e.advance()
		return &expr.Lit{Place: at, Value: t.num}, nil
	case stringToken:
		e.advance()
		return &expr.Lit{Place: at, Value: value.String(t.str)}, nil
	case nameToken:
		if !isReserved(t.str) {
			e.advance()
			return &expr.Name{Place: at, Name: t.str}, nil
		}
		if t.str == "lambda" {
			return nil, e.refused(t, "lambda is", "a macro is a function: macro name:")
		}
	case opToken:
		return e.display()
	}
	return nil, e.missing()
}

// display reads an operand in brackets.
func (e *exprParser) display() (expr.Node, error) {
	switch e.tok.str {
	case "(":
		return e.parenthesised()
	case "[":
		return e.listDisplay()
	case "{":
		return e.mapDisplay()
	case "`":
		return nil, e.refused(e.tok, "backticks are", "an expression gives a text in text: x{{ y }}")
	}
	return nil, e.missing()
}

// parenthesised reads "(x)", which is x, "(x, y)", which is a list, and a generator,
// which is one too.
func (e *exprParser) parenthesised() (expr.Node, error) {
	start := e.tok.start
	e.advance()
	if e.accept(")") {
		return &expr.List{Place: e.from(start)}, nil
	}
	n, err := e.list()
	if err == nil && e.peek("for") {
		n, err = e.comprehension(nil, n, start, ")")
		return n, err
	}
	if err != nil {
		return nil, err
	}
	return n, e.expect(")")
}

// listDisplay reads "[...]". One expression in it is a list of one.
func (e *exprParser) listDisplay() (expr.Node, error) {
	start := e.tok.start
	e.advance()
	var items []expr.Node
	for !e.accept("]") {
		n, err := e.expression()
		if err != nil {
			return nil, err
		}
		items = append(items, n)
		if len(items) == 1 && e.peek("for") {
			return e.comprehension(nil, n, start, "]")
		}
		if err := e.comma("]"); err != nil {
			return nil, err
		}
	}
	return &expr.List{Place: e.from(start), Items: items}, nil
}

// comma reads the comma between items; the last one may be missing.
func (e *exprParser) comma(closing string) error {
	if e.accept(",") || e.peek(closing) {
		return nil
	}
	return e.unexpected(`expected "," or "` + closing + `"`)
}

func (e *exprParser) mapDisplay() (expr.Node, error) {
	start := e.tok
	e.advance()
	var entries []expr.Entry
	for !e.accept("}") {
		k, err := e.expression()
		if err != nil {
			return nil, err
		}
		if e.peek(",") || e.peek("}") || e.peek("for") {
			return nil, e.refused(start, "a set display is", "write a list: [a, b]")
		}
		if err := e.expect(":"); err != nil {
			return nil, err
		}
		v, err := e.expression()
		if err != nil {
			return nil, err
		}
		entries = append(entries, expr.Entry{Key: k, Value: v})
		if len(entries) == 1 && e.peek("for") {
			return e.comprehension(k, v, start.start, "}")
		}
		if err := e.comma("}"); err != nil {
			return nil, err
		}
	}
	return &expr.Map{Place: e.from(start.start), Entries: entries}, nil
}

// comprehension reads the clauses behind an item, and the closing bracket.
func (e *exprParser) comprehension(key, item expr.Node, start int, closing string) (expr.Node, error) {
	clauses, err := e.clauses()
	if err != nil {
		return nil, err
	}
	if err := e.expect(closing); err != nil {
		return nil, err
	}
	return &expr.For{Place: e.from(start), Key: key, Item: item, Clauses: clauses}, nil
}

func (e *exprParser) clauses() ([]expr.ForClause, error) {
	var clauses []expr.ForClause
	for e.accept("for") {
		c, err := e.clause()
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, c)
	}
	return clauses, nil
}

func (e *exprParser) clause() (expr.ForClause, error) {
	var c expr.ForClause
	start := e.tok.start
	targets, err := e.names()
	if err != nil {
		return c, err
	}
	for _, t := range targets {
		c.Names = append(c.Names, t.Name)
	}
	c.At = e.from(start).At
	if err := e.expect("in"); err != nil {
		return c, err
	}
	c.In, err = e.clauseSource()
	for err == nil && e.accept("if") {
		var test expr.Node
		test, err = e.operation(orLevel)
		c.Ifs = append(c.Ifs, test)
	}
	return c, err
}

// clauseSource reads what a clause iterates over: an "if" behind it is a filter.
func (e *exprParser) clauseSource() (expr.Node, error) {
	start := e.tok.start
	x, err := e.operation(orLevel)
	if err != nil || !e.accept("else") {
		return x, err
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	y, err := e.clauseSource()
	return &expr.Else{Place: e.from(start), X: x, Y: y}, err
}

// attribute reads ".name"; any word may be the name.
func (e *exprParser) attribute(x expr.Node, start int) (expr.Node, error) {
	if err := e.link(); err != nil {
		return nil, err
	}
	e.advance()
	if e.tok.kind != nameToken {
		return nil, e.unexpected(`expected a name after "."`)
	}
	name, at := e.tok.str, e.span(e.tok)
	e.advance()
	return &expr.Select{Place: e.from(start), X: x, Name: name, NameAt: at}, nil
}

// subscript reads "[key]" or a slice "[from:to:step]".
func (e *exprParser) subscript(x expr.Node, start int) (expr.Node, error) {
	if err := e.link(); err != nil {
		return nil, err
	}
	e.advance()
	var bounds [3]expr.Node
	colons := 0
	for !e.peek("]") {
		if colons < 2 && e.accept(":") {
			colons++
			continue
		}
		if bounds[colons] != nil {
			return nil, e.unexpected(`expected "]"`)
		}
		n, err := e.list()
		if err != nil {
			return nil, err
		}
		bounds[colons] = n
	}
	if colons == 0 && bounds[0] == nil {
		return nil, e.missing()
	}
	e.advance()
	if colons == 0 {
		return &expr.Index{Place: e.from(start), X: x, Key: bounds[0]}, nil
	}
	return &expr.Slice{Place: e.from(start), X: x, From: bounds[0], To: bounds[1], Step: bounds[2]}, nil
}

// call reads "(args)": values, then values with a name.
func (e *exprParser) call(fn expr.Node, start int) (expr.Node, error) {
	if err := e.link(); err != nil {
		return nil, err
	}
	e.advance()
	var args []expr.Arg
	var named names
	for !e.accept(")") {
		a, err := e.arg()
		if err != nil {
			return nil, err
		}
		if len(args) == 0 && a.Name == "" && e.peek("for") {
			a.Value, err = e.comprehension(nil, a.Value, int(a.Value.Span().Start), ")")
			return &expr.CallExpr{Place: e.from(start), Fn: fn, Args: []expr.Arg{a}}, err
		}
		if err := named.check(a); err != nil {
			return nil, err
		}
		args = append(args, a)
		if err := e.comma(")"); err != nil {
			return nil, err
		}
	}
	return &expr.CallExpr{Place: e.from(start), Fn: fn, Args: args}, nil
}

func (e *exprParser) arg() (expr.Arg, error) {
	var a expr.Arg
	if e.tok.kind == nameToken && e.follows("=") {
		a.Name, a.NameAt = e.tok.str, e.span(e.tok)
		e.advance()
		e.advance()
	}
	var err error
	a.Value, err = e.expression()
	return a, err
}

// names are the arguments of a call that have a name, by name.
type names map[string]source.Span

// check returns an error if an argument cannot follow those before it.
func (n *names) check(a expr.Arg) error {
	if a.Name == "" {
		if len(*n) > 0 {
			return source.Errorf(a.Value.Span(), source.Syntax, "an argument without a name cannot follow one with a name")
		}
		return nil
	}
	if before, ok := (*n)[a.Name]; ok {
		return source.Errorf(a.NameAt, source.Syntax, "argument %s is given twice", quote(a.Name, a.NameAt.File.Secret)).Note(before, "it is given here first")
	}
	if *n == nil {
		*n = names{}
	}
	(*n)[a.Name] = a.NameAt
	return nil
}
