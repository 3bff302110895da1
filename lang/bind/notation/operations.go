package notation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// operation reads one operation of a block (spec: bindings, section 2.2).
func (p *parser) operation() []bind.Op {
	start := p.tok.start
	p.note(startsLine)
	switch {
	case p.takeWord("when"):
		w := &bind.When{Cond: p.condition()}
		w.At = p.spanOf(start)
		w.Do = p.block()
		return []bind.Op{w}
	case p.isWord("include", "exclude"):
		return []bind.Op{p.include()}
	case p.takeWord("bind"):
		return []bind.Op{p.bind(start)}
	case p.takeWord("multibind"):
		return []bind.Op{p.multibind(start)}
	case p.takeWord("rebind"):
		key := p.key()
		return []bind.Op{&bind.Rebind{At: p.spanOf(start), Key: bind.KeyName{Type: key.typ, Name: key.name}}}
	}
	d := source.Errorf(p.place(p.tok.start, p.tok.end), source.Syntax, "expected an operation or \"}\", found %s", p.tok.describe(p.src))
	if p.tok.kind == nameToken {
		d.DidYouMean(p.tok.text, slices.Values(operationWords))
	}
	p.fail(d)
	return nil
}

// condition reads a condition as alternatives of tests.
//
//	role web or mail                    [[role web] [role mail]]
//	virtual true and (role a or b)      [[virtual true, role a] [virtual true, role b]]
func (p *parser) condition() bind.Cond {
	start := p.tok
	var last token
	out := p.conjunction(&last)
	for p.takeWord("or") {
		if last.kind != endToken && p.isLoneValue() {
			out = append(out, p.conjoined(start, p.tests(last), &last)...)
		} else {
			out = append(out, p.conjunction(&last)...)
		}
		if len(out) > bind.MaxAlternatives {
			p.failf(start.start, start.end, source.Limit, "the condition has more than %d alternatives", bind.MaxAlternatives)
		}
	}
	return out
}

// and returns the conjunction of two conditions. It reports false if that has too many alternatives or tests.
func and(x, y bind.Cond) (product bind.Cond, ok bool) {
	tests := 0
	for _, a := range x {
		for _, b := range y {
			if tests += len(a) + len(b); tests > bind.MaxTests {
				return nil, false
			}
			product = append(product, slices.Concat(a, b))
		}
	}
	return product, len(product) <= bind.MaxAlternatives
}

// tooMany says that a condition has too many alternatives or tests.
func tooMany() string {
	return fmt.Sprintf("the condition has more than %d alternatives, or more than %d tests in all of them", bind.MaxAlternatives, bind.MaxTests)
}

// isLoneValue reports whether the token after "or" is a value of the category before it: then
// the condition ends after it, or goes on with "and" or "or".
func (p *parser) isLoneValue() bool {
	if p.is("[") {
		return true
	}
	if p.is("(") || p.isWord("common") {
		return false
	}
	m := p.mark()
	defer p.reset(m)
	p.advance()
	return p.is("{") || p.is(")") || p.isWord("and", "or") || p.tok.kind == endToken
}

// conjunction reads tests joined by "and". last becomes the category of the last test.
func (p *parser) conjunction(last *token) bind.Cond {
	return p.conjoined(p.tok, p.test(last), last)
}

// conjoined joins a condition with the tests after "and".
func (p *parser) conjoined(start token, out bind.Cond, last *token) bind.Cond {
	for p.takeWord("and") {
		both, ok := and(out, p.test(last))
		if !ok {
			p.failf(start.start, start.end, source.Limit, "%s", tooMany())
		}
		out = both
	}
	return out
}

// test reads one test: NAME value, common, or a condition in parentheses.
func (p *parser) test(last *token) bind.Cond {
	p.enter()
	defer p.leave()
	if p.take("(") {
		c := p.condition()
		p.need(")")
		*last = token{}
		return c
	}
	at := p.tok
	if p.tok.kind == textToken {
		at.kind = nameToken
	}
	name, _ := p.ident("the name of a category")
	*last = at
	last.text = name
	if name == "common" {
		*last = token{}
		return bind.Cond{{}}
	}
	return p.tests(*last)
}

// tests reads the value of a test of a category, or a list of values: one test for each.
func (p *parser) tests(category token) (out bind.Cond) {
	for _, v := range p.testValues() {
		out = append(out, []bind.Test{{Category: category.text, At: p.place(category.start, category.end), Value: v}})
	}
	return out
}

// upTo reads items with commas between them, and the closing sign.
func (p *parser) upTo(closing string, item func()) {
	for !p.take(closing) {
		item()
		if !p.take(",") && !p.is(closing) {
			p.expected("\",\" or \"" + closing + "\"")
		}
	}
}

// testValues reads the value of a test, or a list of values of which one must hold.
func (p *parser) testValues() []bind.Expr {
	if p.take("[") {
		var out []bind.Expr
		p.upTo("]", func() { out = append(out, p.expression()) })
		return out
	}
	saved := p.noMap
	p.noMap = true
	defer func() { p.noMap = saved }()
	return []bind.Expr{expr{p.unary()}}
}

func (p *parser) include() bind.Op {
	start := p.tok.start
	op := &bind.Include{Exclude: p.isWord("exclude")}
	p.advance()
	class := func() {
		name, _ := p.ident("the name of a class")
		op.Names = append(op.Names, name)
	}
	if p.take("[") {
		p.upTo("]", class)
	} else {
		class()
	}
	op.At = p.spanOf(start)
	return op
}

// flag returns the meaning of a word before a key, and false for other words.
func flag(word string) (bind.Flags, bool) {
	switch strings.ToLower(word) {
	case "abstract":
		return bind.Abstract, true
	case "override":
		return bind.Override, true
	case "final":
		return bind.Final, true
	}
	return 0, false
}

// mods reads abstract, override and final.
func (p *parser) mods() bind.Flags {
	var out bind.Flags
	for p.tok.kind == nameToken || p.isCapitalKeyword() {
		f, ok := flag(p.tok.text)
		if !ok {
			break
		}
		out |= f
		p.advance()
	}
	return out
}

// isCapitalKeyword reports whether a word in capitals after "bind" is a keyword. A type is there, too, but no value and
// no name follows one without a comma:
//
//	bind FINAL k TO 1
//	bind Final, k to 1       bind Final to 1
func (p *parser) isCapitalKeyword() bool {
	if p.tok.kind != typeToken {
		return false
	}
	next := p.peek()
	if next.newline || strings.EqualFold(next.text, "to") || strings.EqualFold(next.text, "in") {
		return next.kind == textToken
	}
	return slices.Contains([]tokenKind{nameToken, typeToken, textToken, joinToken}, next.kind)
}

// isTo reports whether "to" comes at once after "bind", in any letter case: there is no key.
func (p *parser) isTo() bool {
	if !p.isWord("to") || p.tok.kind == nameToken || p.isCapitalKeyword() {
		return p.isWord("to")
	}
	next := p.peek()
	isType := next.newline || next.kind == endToken || next.kind == nameToken ||
		next.kind == signToken && slices.Contains([]string{",", "[", ";", "}"}, next.text)
	return !isType
}

// A keyText is a key as it is written.
type keyText struct {
	typ     *types.Type
	typAt   source.Span
	name    string
	nameAt  source.Span
	hasName bool
}

// key reads TYPE, TYPE "," name, or a name.
func (p *parser) key() keyText {
	var k keyText
	if p.startsType() {
		k.typ, k.typAt = p.typ()
		if !p.take(",") {
			return k
		}
	}
	k.name, k.nameAt = p.ident("a name")
	k.hasName = true
	return k
}

// startsType reports whether a type begins: a capital letter, or "class NAME".
func (p *parser) startsType() bool {
	return p.tok.kind == typeToken || p.tok.kind == nameToken && p.isWord("class") && p.peek().kind == nameToken && !sameWord(p.peek().text, "to")
}

// bind reads a binding after the word.
func (p *parser) bind(start int) bind.Op {
	mods := p.mods()
	// No type is written VARIABLES, after which "to" may come at once.
	if p.tok.kind == nameToken || p.isCapitalKeyword() || p.tok.kind == typeToken && strings.HasPrefix(p.tok.text, "VARIABLE") {
		switch strings.ToLower(p.tok.text) {
		case "parameters":
			return p.parameters(start, mods)
		case "variables", "variable":
			return p.variables(start, mods)
		case "map":
			return p.parameterMap(start, mods)
		case "alias", "renamed":
			return p.rename(start, mods)
		}
	}
	op := &bind.Bind{Flags: mods}
	if !p.isTo() && (!p.isWord("in") || p.tok.kind != nameToken) {
		k := p.key()
		op.Type, op.TypeAt, op.Name, op.NameAt, op.HasName = k.typ, k.typAt, k.name, k.nameAt, k.hasName
	}
	if p.takeWord("to") {
		p.target(op)
	}
	if p.takeWord("in") {
		op.In, _ = p.ident("the ID of a multibind")
	}
	if p.is("{") {
		op.Options = p.options()
	}
	op.At = p.spanOf(start)
	return op
}

// target reads what a key is bound to.
func (p *parser) target(op *bind.Bind) {
	if p.optional() {
		op.Flags |= bind.Optional
	}
	if p.isWord("producer") && p.tok.kind == nameToken && slices.Contains([]tokenKind{textToken, joinToken, nameToken, typeToken}, p.peek().kind) {
		p.advance()
		op.Producer = &bind.ProducerName{}
		if p.tok.kind == typeToken {
			t, at := p.typ()
			op.Producer.Name, op.Producer.At = t.String(), at
			return
		}
		op.Producer.Name, op.Producer.At = p.ident("the name of a producer")
		return
	}
	op.Value = p.value()
}

// optional skips the word if a value follows.
func (p *parser) optional() bool {
	if !p.isWord("optional") || p.tok.kind != nameToken {
		return false
	}
	next := p.peek()
	if next.kind == endToken || next.kind == signToken && !slices.Contains([]string{"[", "(", "-", "!", "{"}, next.text) ||
		next.kind == nameToken && (sameWord(next.text, "in") || slices.ContainsFunc(operationWords, func(w string) bool { return sameWord(w, next.text) }) && next.newline) {
		return false
	}
	p.advance()
	return true
}

// value reads an expression without a top-level "in", which begins the clause of a multibind.
func (p *parser) value() bind.Expr {
	saved := p.noIn
	p.noIn = true
	defer func() { p.noIn = saved }()
	return p.expression()
}

func (p *parser) multibind(start int) bind.Op {
	op := &bind.Multibind{Flags: p.mods()}
	op.Type, op.TypeAt = p.typ()
	if p.take(",") {
		op.Name, _ = p.ident("a name")
		op.HasName = true
	}
	if p.takeWord("as") {
		op.ID, _ = p.ident("the ID of the multibind")
	}
	if p.takeWord("in") {
		op.In, _ = p.ident("the ID of a multibind")
	}
	if p.is("{") {
		op.Options = p.options()
	}
	op.At = p.spanOf(start)
	return op
}

// options reads an options block.
func (p *parser) options() *bind.Options {
	o := &bind.Options{At: p.place(p.tok.start, p.tok.end)}
	p.need("{")
	for _, a := range p.attributes() {
		p.option(o, a)
	}
	p.need("}")
	return o
}

// optionNames are the options of bindings.
var optionNames = []string{"merge", "map", "producer_args", "singleton", "combinator", "conflict_resolution"}

func (p *parser) option(o *bind.Options, a bind.Attribute) {
	v, constant := a.Value.Constant()
	switch a.Name {
	case "merge":
		s, err := bind.ParseStrategy(v)
		if !constant || err != nil {
			message := "the strategy of a merge is a constant"
			if err != nil {
				message = err.Error()
			}
			p.fail(source.Errorf(a.Value.Span(), source.Syntax, "%s", message))
		}
		o.Merge, o.MergeAt = s, a.At
	case "map":
		o.Map = a.Value
	case "producer_args":
		o.Args = a.Value
	case "singleton":
		o.Singleton = constant && v.Bool()
	case "combinator", "conflict_resolution":
		if x, ok := a.Value.(expr); ok {
			if l, ok := x.node.(*lambdaNode); ok {
				o.Combinator = l
				return
			}
		}
		if !constant || !v.Is(value.StringKind) {
			p.fail(source.Errorf(a.Value.Span(), source.BadCombinator, "%s is a lambda or the name of a way to combine", a.Name))
		}
		o.Resolution, o.ResolutionAt = v.Str(), a.Value.Span()
	default:
		p.fail(source.Errorf(a.At, source.Syntax, "unknown option \"%s\"", a.Name).DidYouMean(a.Name, slices.Values(optionNames)))
	}
}

func (p *parser) parameters(start int, mods bind.Flags) bind.Op {
	p.advance()
	op := &bind.Parameters{Flags: mods | p.mods(), Target: p.ref()}
	if p.takeWord("to") {
		if p.optional() {
			op.Flags |= bind.Optional
		}
		if p.is("{") {
			op.Values = p.expression()
		} else {
			r := p.ref()
			op.From = &r
		}
	}
	if p.is("{") {
		op.Options = p.options()
	}
	op.At = p.spanOf(start)
	return op
}

func (p *parser) variables(start int, mods bind.Flags) bind.Op {
	p.advance()
	op := &bind.Variables{Flags: mods | p.mods()}
	if p.tok.kind == typeToken && !p.isTo() {
		op.Type, _ = p.typ()
	}
	if p.takeWord("to") {
		op.Values = p.expression()
	} else if !p.isOperation() && !p.is("}") && !p.is(";") && p.tok.kind != endToken {
		op.Names = p.expression()
	}
	op.At = p.spanOf(start)
	return op
}

func (p *parser) parameterMap(start int, mods bind.Flags) bind.Op {
	p.advance()
	op := &bind.ParameterMap{Flags: mods | p.mods(), Left: p.ref()}
	if !p.takeWord("to") {
		p.expected("\"to\"")
	}
	op.Right = p.reference(p.isTitle)
	if !p.is("{") && !p.is("[") {
		p.expected("a map or a list of parameters")
	}
	op.Pairs = p.expression()
	op.At = p.spanOf(start)
	return op
}

func (p *parser) rename(start int, mods bind.Flags) bind.Op {
	op := &bind.Rename{Flags: mods, Alias: p.isWord("alias")}
	p.advance()
	from := p.key()
	if !p.takeWord("as") {
		p.expected("\"as\"")
	}
	op.ToFlags = p.mods() | mods
	to := p.key()
	op.From, op.To = bind.KeyName{Type: from.typ, Name: from.name}, bind.KeyName{Type: to.typ, Name: to.name}
	if p.is("{") || p.isWord("to") {
		p.expected("the end of the operation: what is renamed has its value")
	}
	op.At = p.spanOf(start)
	return op
}

// isTitle reports whether the bracket after the right component of a map of parameters begins a title. If no map
// and no list follows it is the list of parameters:
//
//	bind map Web to Sql [user, host]
//	bind map Web to Sql[one] { dbuser => user }
func (p *parser) isTitle() bool {
	m := p.mark()
	defer p.reset(m)
	for depth := 0; p.tok.kind != endToken; {
		switch {
		case p.is("["):
			depth++
		case p.is("]"):
			depth--
		}
		p.advance()
		if depth == 0 {
			return p.is("{") || p.is("[")
		}
	}
	return true // the text ends too early
}

// ref reads a reference to a component or an instance: ntp, class ntp, Class[ntp], Web[one].
func (p *parser) ref() bind.Ref { return p.reference(func() bool { return true }) }

// reference is ref. isTitle says whether a bracket after the component begins the title of an instance.
func (p *parser) reference(isTitle func() bool) bind.Ref {
	start := p.tok.start
	if p.tok.kind == nameToken && sameWord(p.tok.text, "class") && p.peek().kind == nameToken && !sameWord(p.peek().text, "to") {
		p.advance()
	}
	if p.tok.kind == nameToken {
		name := p.tok.text
		p.advance()
		return bind.Ref{Component: "Class", Title: name, At: p.spanOf(start)}
	}
	if p.tok.kind != typeToken {
		p.expected("the name of a component, such as ntp or Web[one]")
	}
	r := bind.Ref{Component: p.tok.text}
	p.advance()
	if p.is("[") && isTitle() {
		p.note(isTight)
		p.advance()
		title := p.expression()
		v, ok := title.Constant()
		text, err := value.Text(v)
		if !ok || err != nil || text == "" {
			p.fail(source.Errorf(title.Span(), source.Syntax, "the title of an instance is a text"))
		}
		r.Title = strings.TrimPrefix(text, "::")
		p.need("]")
	}
	r.At = p.spanOf(start)
	return r
}
