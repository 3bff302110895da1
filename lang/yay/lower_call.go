package yay

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// The kinds of definitions, as messages name them.
const (
	macroKind     = "macro"
	prototypeKind = "prototype"
	classKind     = "class"
)

// call is "call macro:" (spec: yay, section 5.9). Which macro it is may depend on
// anything, so it is decided like a condition.
func (a *assembly) call(s *Call) *graph.Guard {
	g := &graph.Guard{At: s.Macro.Span(), On: &definitionThunk{written: written{s.Macro}}, Label: "call", Item: a.shape.list}
	var args graph.Node
	if s.Args != nil {
		args = a.block(s.Args, wholeValue)
		g.With = []graph.Node{args}
	}
	g.Pick = func(p *graph.Place, v value.Value) (graph.Node, error) {
		def, err := definitionOf(v, macroKind, g.At, "call")
		if err != nil {
			return nil, p.Included(err)
		}
		return runtimeOf(p).instance(g, def, func() graph.Node {
			return &graph.Instance{At: g.At, Def: def, Args: args}
		}), nil
	}
	return g
}

// newInstance is "new class:" and "create class:" (spec: yay, sections 5.10, 5.11).
func (a *assembly) newInstance(s *New) {
	g := &graph.Guard{At: s.Class.Span(), On: &definitionThunk{written: written{s.Class}, class: true, path: s.Create}, Label: "new", Item: a.shape.list}
	var given graph.Node
	if s.Args != nil {
		given = a.block(s.Args, wholeValue)
		g.With = []graph.Node{given}
	}
	g.Pick = func(p *graph.Place, v value.Value) (graph.Node, error) { return a.instanceOf(p, g, v, given) }
	if s.As == "" {
		a.directive(g)
		return
	}
	a.flushItems()
	a.entry(s.As, s.AsAt, &graph.Stack{At: s.At, Layers: []graph.Node{g}, Rule: graph.BlockRule})
}

func (l *lowering) instanceOf(p *graph.Place, g *graph.Guard, v value.Value, given graph.Node) (graph.Node, error) {
	if c, ok := classOf(v); ok {
		return runtimeOf(p).native(p, g, c, given), nil
	}
	def, err := definitionOf(v, prototypeKind, g.At, "construct")
	if err != nil {
		return nil, p.Included(err)
	}
	return runtimeOf(p).instance(g, def, func() graph.Node {
		return &graph.Instance{At: g.At, Def: def, Given: given, Rule: graph.BlockRule, Self: "self"}
	}), nil
}

// definitionOf returns the definition that a name stands for, which must be of a
// kind. The verb says what is to be done with it.
func definitionOf(v value.Value, kind string, at source.Span, verb string) (*graph.Definition, error) {
	f := v.Func()
	if f == nil {
		return nil, source.Errorf(at, source.WrongType, "cannot %s %s: it is %s, not a %s", verb, at.Text(), describe(v), kind)
	}
	def, ok := f.Definition.(*graph.Definition)
	if ok && def.Kind == kind {
		return def, nil
	}
	other := classKind
	if ok {
		other = def.Kind
	}
	d := source.Errorf(at, source.WrongType, "cannot %s %s: it is a %s, not a %s", verb, f.Name, other, kind)
	if ok {
		d.Note(def.At, "it is defined here")
	}
	return nil, d.WithHint("%s", howToUse(other, f.Name))
}

func howToUse(kind, name string) string {
	if kind == macroKind {
		return `"call ` + name + `:" uses a macro`
	}
	return `"new ` + name + `:" makes one of a ` + kind
}

// A definitionThunk is the macro, prototype or class that a directive names.
type definitionThunk struct {
	written
	class bool // it may be a class
	path  bool // it is the text of a path
}

// Eval returns the definition as a function value.
func (t *definitionThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil || !t.path || v.Func() != nil {
		return v, withHint(err, t.missing(p))
	}
	name, err := textOf(v, t.node.Span())
	if err != nil {
		return v, p.Included(err)
	}
	class, ok, err := runtimeOf(p).class(name)
	if err == nil && !ok {
		d := source.Errorf(t.node.Span(), source.NoMatching, "there is no class %q", name)
		err = p.Included(d.WithHint("classes are registered by the program that loads the configuration"))
	}
	return class, err
}

// missing says what else the name could be if no program has registered classes.
func (t *definitionThunk) missing(p *graph.Place) string {
	if !t.class || len(runtimeOf(p).Classes) > 0 {
		return ""
	}
	return "no prototype has that name; programs in Go can register classes, the command knows none"
}
