package expr

import (
	"fmt"
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Object is an expression in the form of a map (spec: expressions, section 4):
//
//	eval: ::services::*
//	vars: {domain: example.org}
//	foreach: "{{ item.name }}.{{ domain }}"
//
// Other keys are select, trace, strict and base_dir.
type Object struct {
	Range
	Body    Node // a [Path], a [Template], a function call, or data
	vars    []objectVar
	sel     *loop
	each    *loop
	trace   Node
	strict  Node
	baseDir Node
}

type objectVar struct {
	name  string
	value Node
}

// Compile compiles an expression object from raw data under the wide rule. A map that is
// not an object by its keys is compiled as the value of "eval".
func Compile(v value.Value, at source.Span) (Node, error) {
	n, err := new(compiler).expression(v, Nowhere(at))
	expect(n)
	return n, Conceal(err)
}

// PathOf returns the path of an expression that is nothing else, or is an object with no other
// keys than the path and vars. It returns nil for other expressions.
func PathOf(n Node) *Path {
	switch n := n.(type) {
	case *Path:
		return n
	case *Object:
		if n.sel == nil && n.each == nil {
			return PathOf(n.Body)
		}
	}
	return nil
}

// expression compiles data in the place of an expression.
func (c *compiler) expression(v value.Value, at Placer) (Node, error) {
	c.marks |= v.Marks()
	if v.Is(value.MapKind) && IsObject(v.Map()) {
		return c.object(v, at)
	}
	return c.body(v, at)
}

// object compiles a map that the wide rule recognised.
func (c *compiler) object(v value.Value, at Placer) (Node, error) {
	head, arg, _ := expressionHead(v.Map())
	if head != "eval" && head != "ref" {
		return c.function(v, at)
	}
	o := &Object{Range: rangeOf(at, v)}
	var err error
	if o.Body, err = c.body(arg, entryPlace(v.Map(), value.K(head), at)); err != nil {
		return nil, err
	}
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err != nil {
			return nil, err
		}
		if err := c.objectKey(o, k.Text, item, entryPlace(v.Map(), k, at)); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (c *compiler) objectKey(o *Object, key string, v value.Value, at Placer) (err error) {
	c.marks |= v.Marks()
	switch key {
	case "vars":
		return c.vars(o, v, at)
	case "select":
		o.sel, err = c.loop(v, at)
	case "foreach":
		o.each, err = c.loop(v, at)
	case "trace":
		o.trace, err = c.data(v, at)
	case "strict":
		o.strict, err = c.data(v, at)
	case "base_dir":
		o.baseDir, err = c.data(v, at)
	}
	return err
}

func (c *compiler) vars(o *Object, v value.Value, at Placer) error {
	if v.IsNull() {
		return nil
	}
	if !v.Is(value.MapKind) {
		return badExpression(at.TextSpan(0, 0), `"vars" must be a map, not %s`, value.Article(v.Kind()))
	}
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err != nil {
			return err
		}
		n, err := c.data(item, entryPlace(v.Map(), k, at))
		if err != nil {
			return err
		}
		o.vars = append(o.vars, objectVar{k.Text, n})
	}
	return nil
}

// body compiles the value of "eval": a text is a path or template, a map calls a
// function.
func (c *compiler) body(v value.Value, at Placer) (Node, error) {
	if err := c.enter(v, at); err != nil {
		return nil, err
	}
	defer c.leave()
	switch v.Kind() {
	case value.StringKind:
		return c.text(v, at)
	case value.MapKind:
		if head, _, ok := expressionHead(v.Map()); ok && (head == "eval" || head == "ref") {
			return c.object(v, at)
		}
		return c.function(v, at)
	}
	return c.data(v, at)
}

func (o *Object) value(s *Scope) (value.Value, error) {
	m, err := o.matches(s)
	v := m.one()
	s.touch(v.Marks())
	return v, err
}

// matches evaluates the object. With "foreach" the list is the only match.
func (o *Object) matches(s *Scope) (matches, error) {
	if err := s.enter(o.At); err != nil {
		return matches{}, err
	}
	defer s.Env.Leave()
	inner, err := o.scope(s)
	if err != nil {
		return matches{}, err
	}
	need, err := o.strictness(&inner)
	if err != nil {
		return matches{}, err
	}
	m, err := matchesOf(o.Body, inner)
	if err == nil && o.sel != nil {
		m, err = o.sel.run(m, inner, true)
	}
	if err != nil {
		return matches{}, err
	}
	if err := o.checkResults(m.found, need); err != nil {
		return matches{}, err
	}
	if o.each != nil {
		items, err := o.each.run(m, inner, false)
		if err != nil {
			return matches{}, err
		}
		m = matches{[]value.Value{value.ListOf(items.found...)}, items.chosen}
	}
	return m, o.log(m, inner)
}

// matchesOf returns all results of a node.
func matchesOf(n Node, s *Scope) (matches, error) {
	switch n := n.(type) {
	case *Path:
		m, err := query(n, s)
		if n.expected && len(m.found) == 0 && m.chosen == 0 && err == nil {
			err = n.missed(s)
		}
		s.touch(n.marks)
		m.chosen |= n.marks
		return m, err
	case *Object:
		return n.matches(s)
	}
	v, err := eval(n, s)
	if err == nil {
		if !IsOmit(v) {
			err = Raise(v)
		}
	}
	return matches{found: []value.Value{v}}, err
}

// scope returns the scope of the body: base directory, variables, start.
func (o *Object) scope(s *Scope) (*Scope, error) {
	inner := *s
	if o.baseDir != nil {
		dir, err := evalUsed(o.baseDir, s)
		if err == nil && !dir.Is(value.StringKind) {
			err = source.Errorf(o.baseDir.Span(), source.BadType, "expected a string, not %s", value.Article(dir.Kind()))
		}
		if err != nil {
			return nil, err
		}
		inner.BaseMarks |= dir.Marks()
		if inner.Base, err = s.Env.Host(o.baseDir.Span(), inner.BaseMarks != 0).Abs(dir.Str(), s.Base); err != nil {
			return nil, located(o.baseDir.Span(), source.Access, err, inner.BaseMarks)
		}
	}
	all := o.bind(&inner)
	if !slices.ContainsFunc(o.vars, func(v objectVar) bool { return v.name == "start" }) {
		return all, nil
	}
	start, _, err := all.Var("start")
	if err != nil {
		return nil, located(o.At, source.BadValue, err, 0)
	}
	return all.withSelf(start), nil
}

// bind adds the variables, which see each other. A variable that uses its own name gets
// the outer variable: vars: {x: {ref: $x}}.
func (o *Object) bind(outer *Scope) *Scope {
	all := new(Scope)
	inner := outer
	for _, v := range o.vars {
		inner = inner.withLazy(v.name, func() (value.Value, error) {
			s := all
			if outer.hasVar(v.name) {
				s = all.withLazy(v.name, func() (value.Value, error) {
					x, _, err := outer.Var(v.name)
					return x, err
				})
			}
			x, err := eval(v.value, s)
			if err == nil {
				err = Raise(x)
			}
			return x, err
		})
	}
	*all = *inner
	return all
}

// A demand is a condition on the results of an object.
type demand uint8

const (
	anything demand = iota
	someResult
	notNull
)

// strictness evaluates "strict": a truth value changes the scope, a word is a demand.
func (o *Object) strictness(s **Scope) (demand, error) {
	if o.strict == nil {
		return anything, nil
	}
	v, err := evalUsed(o.strict, *s)
	if err != nil {
		return anything, err
	}
	switch {
	case v.Is(value.BoolKind):
		*s = (*s).withStrict(v.Bool())
	case v.Str() == "required":
		return someResult, nil
	case v.Str() == "notnull":
		return notNull, nil
	case !v.IsNull():
		return anything, badExpression(o.strict.Span(), `"strict" must be true, false, "required" or "notnull"`)
	}
	return anything, nil
}

func (o *Object) checkResults(found []value.Value, need demand) error {
	null := len(found) == 1 && found[0].IsNull()
	switch {
	case need == anything || len(found) > 0 && (need == someResult || !null):
		return nil
	case null:
		return source.Errorf(o.At, source.Undefined, "%s must return results that are not null", o.describe())
	}
	return source.Errorf(o.At, source.Undefined, "%s must return results", o.describe())
}

func (o *Object) describe() string {
	if p, ok := o.Body.(*Path); ok && !secretText(o.At) {
		return fmt.Sprintf("the expression %q", p)
	}
	return "the expression"
}

func (o *Object) children() []Node {
	nodes := []Node{o.Body}
	for _, v := range o.vars {
		nodes = append(nodes, v.value)
	}
	for _, l := range []*loop{o.sel, o.each} {
		if l != nil {
			nodes = append(nodes, present(l.key, l.value)...)
		}
	}
	return append(nodes, present(o.trace, o.strict, o.baseDir)...)
}

// log reports the result as a trace, with secrets masked.
func (o *Object) log(m matches, s *Scope) error {
	wanted := s.Env.Options().Trace
	if o.trace != nil {
		v, err := evalUsed(o.trace, s)
		if err != nil {
			return err
		}
		wanted = wanted || value.Truthy(v)
	}
	if !wanted {
		return nil
	}
	d := source.Errorf(o.At, "", "trace: %s gives %s", o.describe(), shown(o.At, m.one()))
	d.Severity = source.Info
	s.Env.Warn(d)
	return nil
}

// maxShown bounds a value in a trace, in bytes.
const maxShown = 500

// shown writes a value that was computed at a place, with secrets masked.
func shown(at source.Span, v value.Value) string {
	if v = plain(v); secretText(at) {
		v = v.Mark(value.Secret)
	}
	marks, err := value.DeepMarks(v)
	if err != nil {
		return "a value that cannot be computed"
	}
	if !v.IsScalar() {
		v = v.Mark(marks)
	}
	if masked, hidden := value.Masked(v); hidden {
		return masked
	}
	text, err := value.Repr(v)
	if err != nil {
		return "a value that cannot be computed"
	}
	return source.Cut(text, maxShown)
}
