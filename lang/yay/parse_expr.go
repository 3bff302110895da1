package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// list reads expressions with commas between them. One expression is that expression,
// two or more are a list.
func (e *exprParser) list() (expr.Node, error) { return e.listOf(e.expression) }

func (e *exprParser) listOf(item func() (expr.Node, error)) (expr.Node, error) {
	start := e.tok.Start
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
	return &expr.List{Range: e.from(start), Items: items}, nil
}

// startsOperand reports whether an expression begins with the current token. After a
// comma that ends a list none does.
func (e *exprParser) startsOperand() bool {
	switch e.tok.Kind {
	case scan.End:
		return false
	case scan.Name:
		return !isReserved(e.tok.Text) || e.tok.Text == "not" || e.tok.Text == "lambda"
	case scan.Op:
		switch e.tok.Text {
		case "}}", ")", "]", "}", ":", "=":
			return false
		}
	}
	return true
}

// expression reads a conditional or a fallback. Both extend as far to the right as they
// can: a else b if c else d is a else (b if c else d).
func (e *exprParser) expression() (expr.Node, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	start := e.tok.Start
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
		return &expr.Cond{Range: e.from(start), Test: test, Then: x, Else: y}, err
	case e.accept("else"):
		y, err := e.expression()
		return &expr.Else{Range: e.from(start), X: x, Y: y}, err
	}
	return x, nil
}

// loopSource reads the source of a loop, and its filter if there is one. An "if" begins
// the filter, unless it follows an "else" and has an "else" itself:
//
//	for x in a if b:                 the filter is b
//	for x in a else b if c else d:   the source is a else (b if c else d)
//	for x in a else b if c:          the source is a else b, the filter is c
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

// loopOperand reads one expression of the source of a loop. After an "else" it may be a
// conditional.
func (e *exprParser) loopOperand(afterElse bool) (n, filter expr.Node, err error) {
	if err := e.enter(); err != nil {
		return nil, nil, err
	}
	defer e.leave()
	start := e.tok.Start
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
		return &expr.Else{Range: expr.Range{At: e.file.Span(start, end)}, X: n, Y: y}, filter, nil
	case !e.peek("if"):
		return n, nil, nil
	}
	e.advance()
	if !afterElse {
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
	return &expr.Cond{Range: expr.Range{At: e.file.Span(start, end)}, Test: test, Then: n, Else: y}, filter, nil
}

// Levels of operators, from the loosest to the tightest.
const (
	orLevel = iota + 1
	andLevel
	notLevel
	compareLevel
	bitLevel // then ^, &, shifts, sums and products
)

// binaryLevel returns the level of a binary operator, 0 for other words.
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

// operation reads operands and the operators between them that are of the level or bind
// tighter.
func (e *exprParser) operation(level int) (expr.Node, error) {
	start := e.tok.Start
	x, err := e.prefixed(level)
	for err == nil {
		op, at := e.tok.Text, 0
		if e.tok.Kind == scan.Name || e.tok.Kind == scan.Op {
			at = binaryLevel(op)
		}
		if at == 0 || at < level {
			return x, nil
		}
		if at == compareLevel {
			x, err = e.comparison(x, start)
			continue
		}
		if err := e.link(); err != nil {
			return nil, err
		}
		e.advance()
		y, err := e.operation(at + 1)
		switch {
		case err != nil:
			return nil, err
		case at <= andLevel:
			x = &expr.Logic{Range: e.from(start), Op: op, X: x, Y: y}
		default:
			x = &expr.Binary{Range: e.from(start), Op: op, X: x, Y: y}
		}
	}
	return nil, err
}

// comparison reads a comparison. Comparisons cannot be chained.
func (e *exprParser) comparison(x expr.Node, start int) (expr.Node, error) {
	first := e.tok
	e.advance()
	op, end := first.Text, first.End
	switch op {
	case "<>":
		op = "!="
	case "is":
		return nil, e.refused(first, `"is" is`, `"==" compares`)
	case "not":
		if err := e.expect("in"); err != nil {
			return nil, err
		}
		op, end = "not in", e.last.End
	}
	y, err := e.operation(bitLevel)
	if err != nil {
		return nil, err
	}
	if (e.tok.Kind == scan.Op || e.tok.Kind == scan.Name) && binaryLevel(e.tok.Text) == compareLevel {
		return nil, e.refused(e.tok, "a chain of comparisons is", `write "a < b and b < c"`)
	}
	link := expr.Comparison{Op: op, Y: y, At: e.file.Span(first.Start, end)}
	return &expr.Compare{Range: e.from(start), First: x, Rest: []expr.Comparison{link}}, nil
}

// prefixed reads an operand after "not" or a sign.
func (e *exprParser) prefixed(level int) (expr.Node, error) {
	if !e.peek("not") || level > notLevel {
		return e.unary()
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	start := e.tok.Start
	e.advance()
	x, err := e.operation(notLevel)
	if err != nil {
		return nil, err
	}
	return &expr.Unary{Range: e.from(start), Op: "not", X: x}, nil
}

// unary reads an operand after any number of signs.
func (e *exprParser) unary() (expr.Node, error) {
	if !e.peek("-") && !e.peek("+") && !e.peek("~") {
		return e.power()
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	start, op := e.tok.Start, e.tok.Text
	e.advance()
	x, err := e.unary()
	if err != nil {
		return nil, err
	}
	return &expr.Unary{Range: e.from(start), Op: op, X: x}, nil
}

// power binds tighter than a sign before it and looser than a sign after it: -2 ** 2 is
// -4, and 2 ** -1 is 0.5.
func (e *exprParser) power() (expr.Node, error) {
	start := e.tok.Start
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
	return &expr.Binary{Range: e.from(start), Op: "**", X: x, Y: y}, nil
}

// primary reads an operand and what is applied to it: .name [key] (args).
func (e *exprParser) primary() (expr.Node, error) {
	start := e.tok.Start
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

// atom reads a literal, a name, or an operand in brackets.
func (e *exprParser) atom() (expr.Node, error) {
	t := e.tok
	at := expr.Range{At: e.span(t)}
	switch t.Kind {
	case scan.Number:
		e.advance()
		return &expr.Lit{Range: at, Value: t.Number}, nil
	case scan.String:
		e.advance()
		return &expr.Lit{Range: at, Value: value.String(t.Text)}, nil
	case scan.Name:
		if !isReserved(t.Text) {
			e.advance()
			return &expr.Name{Range: at, Name: t.Text}, nil
		}
		if t.Text == "lambda" {
			return nil, e.refused(t, "lambda is", "a macro is a function: macro name:")
		}
	case scan.Op:
		switch t.Text {
		case "(":
			return e.parenthesised()
		case "[":
			return e.listDisplay()
		case "{":
			return e.mapDisplay()
		case "`":
			return nil, e.refused(t, "backticks are", "to convert an expression to text, write it in a text: x{{ y }}")
		}
	}
	return nil, e.missing()
}

// parenthesised reads "(x)", which is x, "(x, y)", which is a list, and a generator,
// which is a list as well.
func (e *exprParser) parenthesised() (expr.Node, error) {
	start := e.tok.Start
	e.advance()
	if e.accept(")") {
		return &expr.List{Range: e.from(start)}, nil
	}
	n, err := e.list()
	if err == nil && e.peek("for") {
		n, err = e.comprehension(nil, n, start, ")")
		return n, err
	}
	if err != nil {
		return nil, err
	}
	return n, e.closes(start, ")")
}

// listDisplay reads "[...]". It is a list even with one expression in it.
func (e *exprParser) listDisplay() (expr.Node, error) {
	start := e.tok.Start
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
		if err := e.comma(start, "]"); err != nil {
			return nil, err
		}
	}
	return &expr.List{Range: e.from(start), Items: items}, nil
}

// comma reads the comma between items of the bracket at open. It is optional before the closing
// bracket.
func (e *exprParser) comma(open int, closing string) error {
	if e.peek(closing) || e.accept(",") && !e.atEnd() {
		return nil
	}
	if e.atEnd() || e.endsAtColon() {
		return e.neverClosed(open, closing)
	}
	return e.unexpected(`expected "," or "` + closing + `"`)
}

// mapDisplay reads "{key: value, ...}".
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
			return e.comprehension(k, v, start.Start, "}")
		}
		if err := e.comma(start.Start, "}"); err != nil {
			return nil, err
		}
	}
	return &expr.Map{Range: e.from(start.Start), Entries: entries}, nil
}

// comprehension reads the clauses after an item and the closing bracket.
func (e *exprParser) comprehension(key, item expr.Node, start int, closing string) (expr.Node, error) {
	var clauses []expr.ForClause
	for e.accept("for") {
		c, err := e.clause()
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, c)
	}
	open := start
	if int(item.Span().Start) == start {
		open = -1 // the bracket belongs to a call
	}
	if err := e.closes(open, closing); err != nil {
		return nil, err
	}
	return &expr.For{Range: e.from(start), Key: key, Item: item, Clauses: clauses}, nil
}

// clause reads "names in source", with the "if"s that follow, after "for".
func (e *exprParser) clause() (expr.ForClause, error) {
	var c expr.ForClause
	start := e.tok.Start
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

// clauseSource reads the source of a clause. An "if" after it is a filter, never part of
// a conditional.
func (e *exprParser) clauseSource() (expr.Node, error) {
	start := e.tok.Start
	x, err := e.operation(orLevel)
	if err != nil || !e.accept("else") {
		return x, err
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	y, err := e.clauseSource()
	return &expr.Else{Range: e.from(start), X: x, Y: y}, err
}

// attribute reads ".name". Any word may be the name.
func (e *exprParser) attribute(x expr.Node, start int) (expr.Node, error) {
	if err := e.link(); err != nil {
		return nil, err
	}
	e.advance()
	if e.tok.Kind != scan.Name {
		return nil, e.unexpected(`expected a name after "."`)
	}
	name, at := e.tok.Text, e.span(e.tok)
	e.advance()
	return &expr.Select{Range: e.from(start), X: x, Name: name, NameAt: at}, nil
}

// subscript reads "[key]" or a slice "[from:to:step]".
func (e *exprParser) subscript(x expr.Node, start int) (expr.Node, error) {
	if err := e.link(); err != nil {
		return nil, err
	}
	open := e.tok.Start
	e.advance()
	var bounds [3]expr.Node
	colons := 0
	for !e.peek("]") {
		if colons < 2 && e.accept(":") {
			colons++
			continue
		}
		if bounds[colons] != nil || colons > 0 && e.atEnd() {
			return nil, e.closes(open, "]")
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
		return &expr.Index{Range: e.from(start), X: x, Key: bounds[0]}, nil
	}
	return &expr.Slice{Range: e.from(start), X: x, From: bounds[0], To: bounds[1], Step: bounds[2]}, nil
}

// call reads "(args)": positional arguments, then named ones.
func (e *exprParser) call(fn expr.Node, start int) (expr.Node, error) {
	if err := e.link(); err != nil {
		return nil, err
	}
	open := e.tok.Start
	e.advance()
	var args []expr.Arg
	var named names
	for !e.accept(")") {
		var a expr.Arg
		if e.tok.Kind == scan.Name && e.follows("=") {
			a.Name, a.NameAt = e.tok.Text, e.span(e.tok)
			e.advance()
			e.advance()
		}
		var err error
		if a.Value, err = e.expression(); err != nil {
			return nil, err
		}
		if len(args) == 0 && a.Name == "" && e.peek("for") {
			a.Value, err = e.comprehension(nil, a.Value, int(a.Value.Span().Start), ")")
			return &expr.CallExpr{Range: e.from(start), Fn: fn, Args: []expr.Arg{a}}, err
		}
		if err := named.check(a); err != nil {
			return nil, err
		}
		args = append(args, a)
		if err := e.comma(open, ")"); err != nil {
			return nil, err
		}
	}
	return &expr.CallExpr{Range: e.from(start), Fn: fn, Args: args}, nil
}

// names are the named arguments of a call.
type names map[string]source.Span

// check returns an error if an argument cannot follow the ones before it.
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
