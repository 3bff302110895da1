package notation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A node is a part of an expression.
type node interface {
	span() source.Span
	eval(e *env) (value.Value, error)
}

// expr makes a node an expression of package bind.
type expr struct{ node node }

// The kinds of nodes.
type (
	constantNode struct {
		at source.Span
		v  value.Value
	}
	varNode struct {
		at   source.Span
		name string
	}
	joinNode struct { // a text in double quotes
		at    source.Span
		parts []node // constants and expressions in turn
	}
	listNode struct {
		at    source.Span
		items []node
	}
	mapNode struct {
		at    source.Span
		pairs []mapPair
	}
	callNode struct {
		at     source.Span
		name   string
		nameAt source.Span
		args   []node
		lambda *lambdaNode
	}
	lambdaNode struct {
		at     source.Span
		params []string
		body   []statement
	}
	unaryNode struct {
		at source.Span
		op string
		x  node
	}
	binaryNode struct {
		at   source.Span
		op   string
		x, y node
	}
	indexNode struct {
		at    source.Span
		x     node
		index node
	}
	choiceNode struct { // if, unless, case, ? {}
		at       source.Span
		subject  node // of case and ?
		branches []branch
	}
)

// A mapPair is KEY => VALUE.
type mapPair struct{ key, value node }

// A branch of a choice: its options (of if the condition), and its body. Without options it is
// the default.
type branch struct {
	options []node
	not     bool
	body    []statement
}

// A statement is an expression, or NAME = EXPRESSION.
type statement struct {
	name string // of an assignment
	at   source.Span
	x    node
}

func (n *constantNode) span() source.Span { return n.at }
func (n *varNode) span() source.Span      { return n.at }
func (n *joinNode) span() source.Span     { return n.at }
func (n *listNode) span() source.Span     { return n.at }
func (n *mapNode) span() source.Span      { return n.at }
func (n *callNode) span() source.Span     { return n.at }
func (n *lambdaNode) span() source.Span   { return n.at }
func (n *unaryNode) span() source.Span    { return n.at }
func (n *binaryNode) span() source.Span   { return n.at }
func (n *indexNode) span() source.Span    { return n.at }
func (n *choiceNode) span() source.Span   { return n.at }

// expression reads an expression.
func (p *parser) expression() bind.Expr { return exprOf(p.binary(0)) }

// levels of binary operators, the loosest first.
var levels = [][]string{{"or"}, {"and"}, {"==", "!=", "=~", "!~"}, {"<", ">", "<=", ">="}, {"+", "-"}, {"*", "/", "%"}, {"in"}}

// operator returns the operator of a level that is next, "" for none.
func (p *parser) operator(level int) string {
	for _, op := range levels[level] {
		if p.tok.kind == signToken && p.tok.text == op {
			return op
		}
		if p.tok.kind == nameToken && sameWord(p.tok.text, op) && (op == "or" || op == "and" || op == "in" && !p.noIn) {
			return op
		}
	}
	return ""
}

func (p *parser) binary(level int) node {
	if level == len(levels) {
		return p.unary()
	}
	p.enter()
	defer p.leave()
	start := p.tok.start
	x := p.binary(level + 1)
	for op := p.operator(level); op != ""; op = p.operator(level) {
		p.advance()
		x = &binaryNode{op: op, x: x, y: p.binary(level + 1)}
		x.(*binaryNode).at = p.spanOf(start)
	}
	return x
}

func (p *parser) unary() node {
	if !p.is("!") && !p.is("-") {
		return p.postfix()
	}
	p.enter()
	defer p.leave()
	start, op := p.tok.start, p.tok.text
	p.note(isUnary)
	p.advance()
	x := p.unary()
	at := p.spanOf(start)
	if c, ok := x.(*constantNode); ok && op == "-" && c.v.IsNumber() {
		if v, err := value.Neg(c.v); err == nil {
			return &constantNode{at, v}
		}
	}
	return &unaryNode{at, op, x}
}

func (p *parser) postfix() node {
	start := p.tok.start
	x := p.primary()
	for {
		switch {
		case p.is("[") && !p.tok.newline:
			p.note(isTight)
			p.advance()
			saved := p.noIn
			p.noIn = false
			index := p.inside(func() node { return p.binary(0) })
			p.noIn = saved
			p.need("]")
			x = &indexNode{p.spanOf(start), x, index}
		case p.is("?"):
			x = p.selector(start, x)
		default:
			return x
		}
	}
}

// inside reads something in brackets: there neither "in" nor "{" ends an expression.
func (p *parser) inside(read func() node) node {
	in, brace, bare := p.noIn, p.noMap, p.bare
	p.noIn, p.noMap, p.bare = false, false, false
	defer func() { p.noIn, p.noMap, p.bare = in, brace, bare }()
	return read()
}

// separated reads items with commas between them up to a closing sign, which it skips.
func (p *parser) separated(closing string, item func()) {
	p.inside(func() node {
		for !p.is(closing) {
			item()
			if !p.take(",") {
				break
			}
		}
		return nil
	})
	p.need(closing)
}

// selector reads x ? { option => value, ... }.
func (p *parser) selector(start int, x node) node {
	p.advance()
	n := &choiceNode{subject: x}
	p.need("{")
	p.separated("}", func() {
		b := branch{options: []node{p.binary(0)}}
		if isDefault(b.options[0]) {
			b.options = nil
		}
		p.need("=>")
		v := p.binary(0)
		b.body = []statement{{x: v, at: v.span()}}
		n.branches = append(n.branches, b)
	})
	n.at = p.spanOf(start)
	return n
}

func isDefault(n node) bool {
	c, ok := n.(*constantNode)
	return ok && c.v.Source() != nil && c.v.Source().Tag == defaultTag
}

// defaultTag marks the word "default" where it is a value.
const defaultTag = "!default"

// primary reads the smallest expressions.
func (p *parser) primary() node {
	p.enter()
	defer p.leave()
	t := p.tok
	at := p.place(t.start, t.end)
	switch t.kind {
	case textToken:
		p.advance()
		return &constantNode{at, value.String(t.text)}
	case joinToken:
		return simplified(p.joined())
	case numberToken:
		p.advance()
		return &constantNode{at, p.number(t)}
	case varToken:
		p.advance()
		return &varNode{at, t.text}
	case regexpToken:
		if _, err := types.CompileRegexp(t.text); err != nil {
			p.failf(t.start, t.end, source.Syntax, "%s", err)
		}
		p.advance()
		return &constantNode{at, types.PatternValue(t.text)}
	case typeToken:
		typ, at := p.typ()
		return &constantNode{at, types.ReferenceValue(typ)}
	case nameToken:
		return p.word()
	}
	switch {
	case p.is("("):
		p.advance()
		n := p.inside(func() node { return p.binary(0) })
		p.need(")")
		return n
	case p.is("["):
		return p.list()
	case p.is("{") && !p.noMap:
		return p.mapping()
	case p.is("|"):
		return p.lambda()
	}
	p.expected("a value")
	return nil
}

// simplified returns a text without expressions as a constant.
func simplified(n *joinNode) node {
	if v, ok := n.constant(); ok {
		return &constantNode{n.at, v}
	}
	return n
}

func (p *parser) number(t token) value.Value {
	text := t.text
	if strings.ContainsRune(text, '_') {
		p.failf(t.start, t.end, source.Syntax, "%q is no number", text)
	}
	if v, ok := value.ParseInt(text, 0); ok && (len(text) == 1 || text[0] != '0' || strings.HasPrefix(strings.ToLower(text), "0x")) {
		return v
	}
	if len(text) > 1 && text[0] == '0' && strings.Trim(text, "01234567") == "" {
		if v, ok := value.ParseInt(text, 8); ok {
			return v
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "xX") {
		p.failf(t.start, t.end, source.Syntax, "%q is no number", text)
	}
	return value.Float(f)
}

// word reads what begins with a name: a keyword, a call, or a bare text.
func (p *parser) word() node {
	t := p.tok
	at := p.place(t.start, t.end)
	switch t.text {
	case "true", "false":
		p.advance()
		return &constantNode{at, value.Bool(t.text == "true")}
	case "undef":
		p.advance()
		return &constantNode{at, value.Null}
	case "default":
		p.advance()
		return &constantNode{at, value.String("default").WithSource(value.Scalar{Text: "default", Tag: defaultTag})}
	case "if", "unless":
		return p.ifNode()
	case "case":
		return p.caseNode()
	}
	if t.text == "class" && p.peek().kind == nameToken {
		typ, at := p.typ()
		return &constantNode{at, types.ReferenceValue(typ)}
	}
	p.advance()
	if p.is("(") && p.tok.start == t.end {
		return p.call(t, at)
	}
	if p.bare {
		return &varNode{at, t.text}
	}
	return &constantNode{at, value.String(t.text)}
}

// call reads NAME(arguments), with a lambda after it.
func (p *parser) call(name token, nameAt source.Span) node {
	n := &callNode{name: name.text, nameAt: nameAt}
	p.note(isTight)
	p.advance()
	p.separated(")", func() { n.args = append(n.args, p.binary(0)) })
	if p.is("|") {
		n.lambda = p.lambda().(*lambdaNode)
	}
	n.at = p.spanOf(name.start)
	return n
}

func (p *parser) list() node {
	start := p.tok.start
	n := &listNode{}
	p.advance()
	p.separated("]", func() { n.items = append(n.items, p.binary(0)) })
	n.at = p.spanOf(start)
	return n
}

func (p *parser) mapping() node {
	start := p.tok.start
	n := &mapNode{}
	p.advance()
	p.separated("}", func() {
		pair := mapPair{key: p.binary(0)}
		p.need("=>")
		pair.value = p.binary(0)
		n.pairs = append(n.pairs, pair)
	})
	n.at = p.spanOf(start)
	return n
}

// lambda reads |$a, $b| { statements }.
func (p *parser) lambda() node {
	start := p.tok.start
	n := &lambdaNode{}
	p.note(opensPipe)
	p.need("|")
	for !p.is("|") {
		if p.tok.kind != varToken {
			p.expected("a parameter, such as $x")
		}
		n.params = append(n.params, p.tok.text)
		p.advance()
		if !p.take(",") {
			break
		}
	}
	p.need("|")
	n.body = p.body()
	n.at = p.spanOf(start)
	return n
}

// body reads { statements }.
func (p *parser) body() []statement {
	var out []statement
	p.note(isBlock)
	p.need("{")
	p.inside(func() node {
		for !p.is("}") {
			if p.take(";") {
				continue
			}
			p.note(startsLine)
			s := statement{at: p.place(p.tok.start, p.tok.end)}
			if p.tok.kind == varToken && p.peek().text == "=" && p.peek().kind == signToken {
				s.name = p.tok.text
				p.advance()
				p.advance()
			}
			s.x = p.binary(0)
			out = append(out, s)
		}
		return nil
	})
	p.need("}")
	return out
}

// operand reads the operand of if, unless or case, which ends before "{".
func (p *parser) operand() node {
	saved := p.noMap
	p.noMap = true
	defer func() { p.noMap = saved }()
	return p.binary(0)
}

func (p *parser) ifNode() node {
	start := p.tok.start
	n := &choiceNode{}
	not := p.tok.text == "unless"
	p.advance()
	n.branches = append(n.branches, branch{options: []node{p.operand()}, not: not, body: p.body()})
	for !not && p.isWord("elsif") {
		p.advance()
		n.branches = append(n.branches, branch{options: []node{p.operand()}, body: p.body()})
	}
	if p.isWord("else") {
		p.advance()
		n.branches = append(n.branches, branch{body: p.body()})
	}
	n.at = p.spanOf(start)
	return n
}

func (p *parser) caseNode() node {
	start := p.tok.start
	p.advance()
	n := &choiceNode{subject: p.operand()}
	p.note(isBlock)
	p.need("{")
	p.inside(func() node {
		for !p.is("}") {
			p.note(startsLine)
			b := branch{options: []node{p.binary(0)}}
			for p.take(",") {
				b.options = append(b.options, p.binary(0))
			}
			if slices.ContainsFunc(b.options, isDefault) {
				b.options = nil
			}
			p.need(":")
			b.body = p.body()
			n.branches = append(n.branches, b)
		}
		return nil
	})
	p.need("}")
	n.at = p.spanOf(start)
	return n
}
