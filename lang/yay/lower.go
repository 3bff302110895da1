package yay

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Lower turns a tree into a document of the graph.
func Lower(t *Tree) *graph.Doc {
	l := lowerer{}
	if t.File.Secret {
		l.marks = value.Secret
	}
	doc := &graph.Doc{File: t.File, Base: graph.BaseOf(t.File), Lang: Language}
	doc.Root = l.block(t.Root, wholeValue)
	return doc
}

// Language is the name of the language.
const Language = "yay"

// A lowerer turns the blocks of one file into nodes. Its marks apply to every value in
// the file.
type lowerer struct{ marks value.Marks }

// A use is the role of a block. It decides the value of the block if none of its
// conditions hold.
type use bool

const (
	wholeValue use = true  // the whole of a value: the value is empty then
	partOfMore use = false // a part of the block around it: it adds nothing then
)

// block turns the stanzas of a block into a stack of layers with the names of the block
// around it (spec: yay, section 6.1). Keys in a row are one layer, and so are items in a
// row; a directive that may be anything is a layer of its own:
//
//	set x = 1        a name
//	a: 1
//	b: {{ x }}       the first layer: {a, b}
//	include "c.yay"  the second layer: a guard
//	a: 2             the third layer: {a}
func (l *lowerer) block(b *Block, u use) graph.Node {
	a := assembly{lowerer: l, at: b.At, shape: shapeOf(b)}
	for _, s := range b.Stanzas {
		a.add(s)
	}
	return a.finish(b, u)
}

// An assembly collects the layers and names of one block.
type assembly struct {
	*lowerer
	at      source.Span
	shape   shape
	layers  []graph.Node
	pairs   graph.Map // since the last directive
	index   map[string]int
	items   graph.Seq
	names   []graph.Entry
	imports []graph.Import
}

// add adds a stanza.
func (a *assembly) add(s Stanza) {
	switch s := s.(type) {
	case *Pair:
		a.pair(s)
	case *Item:
		a.item(a.value(s.Value, source.Span{}))
	case *For:
		a.item(a.loop(s))
	case *Set:
		a.set(s)
	case *Search:
		a.name("search", s.At, &graph.Computed{At: s.Operand.Span(), Thunk: &exprThunk{exprBase: exprBase{s.Operand}}})
	case *Configure:
		a.name("configure "+s.Name, s.NameAt, a.block(s.Body, wholeValue))
	case *Macro:
		a.name(s.Name, s.NameAt, &graph.Define{At: s.At, Kind: macroKind, Body: a.block(s.Body, wholeValue)})
	case *Prototype:
		a.name(s.Name, s.NameAt, &graph.Define{At: s.At, Kind: prototypeKind, Body: a.block(s.Body, wholeValue)})
	case *Include:
		g := a.include(s)
		a.imports = append(a.imports, graph.Import{Node: g, Before: len(a.names)})
		a.directive(g)
	case *If:
		a.directive(a.condition(s.Branches, s.Else))
	case *Select:
		a.directive(a.choice(s))
	case *Call:
		a.directive(a.call(s))
	case *New:
		a.newInstance(s)
	}
}

// name binds a name in the block.
func (a *assembly) name(name string, at source.Span, n graph.Node) {
	a.names = append(a.names, graph.Entry{Key: value.K(name), KeyAt: at, Node: n})
}

// pair adds a key. "extend" adds the items of a list that is written out, or of
// any other value, to the list below (spec: yay, section 5.5).
func (a *assembly) pair(p *Pair) {
	a.flushItems()
	n := a.value(p.Value, p.At)
	if p.Extend {
		if s, ok := n.(*graph.Seq); ok && !s.Weak {
			n = &graph.Extend{At: p.At, Items: s.Items}
		} else {
			n = &graph.Extend{At: p.At, Items: []graph.Node{&graph.Splice{Node: n, List: true}}}
		}
	}
	a.entry(p.Key, p.KeyAt, n)
}

// entry adds a key to the map. Values of a repeated key are a stack.
func (a *assembly) entry(key string, at source.Span, n graph.Node) {
	if a.index == nil {
		a.index = map[string]int{}
	}
	if i, ok := a.index[key]; ok {
		e := &a.pairs.Entries[i]
		if s, ok := e.Node.(*graph.Stack); ok && s.Rule == graph.StackRule {
			s.Layers = append(s.Layers, n)
			return
		}
		e.Node = &graph.Stack{At: at, Layers: []graph.Node{e.Node, n}, Rule: graph.StackRule}
		return
	}
	a.index[key] = len(a.pairs.Entries)
	a.pairs.Entries = append(a.pairs.Entries, graph.Entry{Key: value.K(key), KeyAt: at, Node: n})
}

func (a *assembly) item(n graph.Node) {
	a.flushPairs()
	a.items.Items = append(a.items.Items, n)
}

// directive adds a guard, whose value may be anything. Among items it is one of them.
func (a *assembly) directive(g *graph.Guard) {
	if a.shape.items {
		a.item(g)
		return
	}
	a.flushPairs()
	a.layers = append(a.layers, g)
}

// flushPairs ends a layer of keys.
func (a *assembly) flushPairs() {
	if len(a.pairs.Entries) > 0 {
		a.pairs.At = a.pairs.Entries[0].KeyAt
		a.layers = append(a.layers, graph.NewMap(a.pairs))
		a.pairs, a.index = graph.Map{}, nil
	}
}

// flushItems ends a layer of items.
func (a *assembly) flushItems() {
	if len(a.items.Items) > 0 {
		a.items.At = a.items.Items[0].Span()
		a.layers = append(a.layers, graph.NewSeq(a.items))
		a.items = graph.Seq{}
	}
}

// finish stacks the layers and puts the names around them.
func (a *assembly) finish(b *Block, u use) graph.Node {
	a.flushPairs()
	a.flushItems()
	var body graph.Node
	switch {
	case len(a.layers) == 1 && (u == partOfMore || !isConditional(a.layers[0])):
		body = a.layers[0]
	case a.shape.pairs || a.shape.items:
		body = &graph.Stack{At: b.At, Layers: a.layers, Rule: graph.BlockRule}
	case len(a.layers) == 0:
		body = a.empty()
	default:
		body = &graph.Stack{At: b.At, Layers: append([]graph.Node{a.empty()}, a.layers...), Rule: graph.BlockRule}
	}
	if len(a.names)+len(a.imports) > 0 {
		body = &graph.Let{At: b.At, Names: a.names, Imports: a.imports, Body: body, Map: a.shape.pairs}
	}
	return body
}

func isConditional(n graph.Node) bool {
	_, ok := n.(*graph.Guard)
	return ok
}

// empty returns the value of a block that contributes nothing if no other layer does
// (spec: yay, section 5.6).
func (a *assembly) empty() graph.Node {
	if a.shape.list {
		return graph.NewSeq(graph.Seq{At: a.at, Weak: true})
	}
	return graph.NewMap(graph.Map{At: a.at, Weak: true})
}

// A shape is the type of a block as far as its stanzas show it.
type shape struct {
	pairs bool // it has keys
	items bool // it has items
	list  bool // its value is a list, if it has any
}

func shapeOf(b *Block) shape {
	var s shape
	for _, st := range b.Stanzas {
		switch st := st.(type) {
		case *Pair:
			s.pairs = true
		case *New:
			s.pairs = s.pairs || st.As != ""
		case *Item, *For:
			s.items = true
		}
	}
	s.list = s.items || !s.pairs && directiveList(b)
	return s
}

// directiveList reports whether the first directive of a block whose body shows its type
// makes a list.
func directiveList(b *Block) bool {
	for _, st := range b.Stanzas {
		switch st := st.(type) {
		case *If:
			return shapeOf(st.Branches[0].Body).list
		case *Select:
			if len(st.Cases) > 0 {
				inner, ok := st.Cases[0].Value.(*Block)
				return ok && shapeOf(inner).list
			}
		}
	}
	return false
}

// value turns the value of a key or an item into a node. at is the place of a blank one.
func (l *lowerer) value(v Value, at source.Span) graph.Node {
	switch v := v.(type) {
	case *Block:
		return l.block(v, wholeValue)
	case *Scalar:
		return &graph.Scalar{At: v.At, Val: v.Val.Mark(l.marks)}
	case *Text:
		return &graph.Computed{At: v.At, Thunk: &textThunk{text: v, marks: l.marks}}
	case *Expression:
		return l.expression(v.Node, v.At)
	case *Empty:
		if v.List {
			return graph.NewSeq(graph.Seq{At: v.At})
		}
		return graph.NewMap(graph.Map{At: v.At})
	}
	return &graph.Scalar{At: at, Val: value.String("").Mark(l.marks)}
}

// expression turns an expression into a node. The items of a list display are nodes of
// their own, so that they are evaluated one by one.
func (l *lowerer) expression(n expr.Node, at source.Span) graph.Node {
	list, ok := n.(*expr.List)
	if !ok {
		return &graph.Computed{At: at, Thunk: &exprThunk{exprBase{n}, l.marks}}
	}
	items := make([]graph.Node, len(list.Items))
	for i, item := range list.Items {
		items[i] = l.expression(item, item.Span())
	}
	return graph.NewSeq(graph.Seq{At: at, Items: items})
}

// set binds names (spec: yay, section 5.4). Several names share a list that is bound to
// a name of its own, which cannot be written in a file.
func (a *assembly) set(s *Set) {
	n := a.expression(s.Value, s.Value.Span())
	if len(s.Targets) == 1 {
		a.name(s.Targets[0].Name, s.Targets[0].At, n)
		return
	}
	whole := "set " + s.At.String()
	a.name(whole, s.At, n)
	for i, t := range s.Targets {
		a.name(t.Name, t.At, &graph.Computed{At: t.At, Thunk: &targetThunk{whole: whole, i: i, n: len(s.Targets), at: s.Value.Span()}})
	}
}

// condition is "if". The branches after the first are a condition in the place of its
// "else" (spec: yay, section 5.6).
func (a *assembly) condition(branches []Branch, otherwise *Branch) *graph.Guard {
	first := &branches[0]
	var rest graph.Node
	switch {
	case len(branches) > 1:
		rest = a.condition(branches[1:], otherwise)
	case otherwise != nil:
		rest = a.block(otherwise.Body, partOfMore)
	}
	return a.guard(first.Cond, a.block(first.Body, partOfMore), rest, a.shape.list)
}

// guard is a condition with the node that it guards. otherwise may be nil.
func (l *lowerer) guard(cond expr.Node, then, otherwise graph.Node, item bool) *graph.Guard {
	g := &graph.Guard{At: cond.Span(), On: &conditionThunk{exprBase{cond}}, Label: "if", Item: item, May: []graph.Node{then}}
	if otherwise != nil {
		g.May = append(g.May, otherwise)
	}
	g.Pick = func(_ *graph.Context, v value.Value) (graph.Node, error) {
		if v.Bool() {
			return then, nil
		}
		return otherwise, nil
	}
	return g
}

// choice is "select" (spec: yay, section 5.8).
func (a *assembly) choice(s *Select) *graph.Guard {
	g := &graph.Guard{At: s.On.Span(), On: &selectorThunk{exprBase{s.On}, s}, Label: "select", Item: a.shape.list}
	cases := map[string]graph.Node{}
	var otherwise graph.Node
	for _, c := range s.Cases {
		var n graph.Node
		if b, ok := c.Value.(*Block); ok {
			n = a.block(b, partOfMore)
		} else {
			n = a.value(c.Value, c.At)
		}
		g.May = append(g.May, n)
		if c.Else {
			otherwise = n
		} else if cases[c.Key] == nil {
			cases[c.Key] = n
		}
	}
	g.Pick = func(_ *graph.Context, v value.Value) (graph.Node, error) {
		if n := cases[v.Str()]; n != nil {
			return n, nil
		}
		if otherwise != nil {
			return otherwise, nil
		}
		return nil, noCase(s, v)
	}
	return g
}

// noCase returns the error of a key that no case of a "select" has.
func noCase(s *Select, v value.Value) error {
	keys := make([]string, len(s.Cases))
	for i, c := range s.Cases {
		keys[i] = c.Key
	}
	word := v.Str()
	if v.Marks() != 0 || isSecret(s.On.Span()) {
		word = value.SecretText
	}
	return source.Errorf(s.On.Span(), source.NoMatching, "select has no case with the key %q", word).
		WithHint(`a case "else:" matches all other keys`).DidYouMean(word, slices.Values(keys))
}

// loop is "for names in source [if filter]: block" (spec: yay, section 5.7). The filter
// is a condition around the block.
func (l *lowerer) loop(f *For) graph.Node {
	body := l.block(f.Body, partOfMore)
	if f.If != nil {
		body = l.guard(f.If, body, nil, true)
	}
	names := make([]string, len(f.Targets))
	for i, t := range f.Targets {
		names[i] = t.Name
	}
	return &graph.Each{At: f.In.Span(), Names: names, Over: &overThunk{exprBase{f.In}}, Body: body}
}

// The kinds of definitions as they are named in messages.
const (
	macroKind     = "macro"
	prototypeKind = "prototype"
	classKind     = "class"
)

// call is "call macro:" (spec: yay, section 5.9). The macro may be the value of any
// expression, so it is resolved like a condition.
func (a *assembly) call(s *Call) *graph.Guard {
	g := &graph.Guard{At: s.Macro.Span(), On: &definitionThunk{exprBase: exprBase{s.Macro}}, Name: nameOf(s.Macro), Label: "call", Item: a.shape.list}
	var args graph.Node
	if s.Args != nil {
		args = a.block(s.Args, wholeValue)
		g.With = []graph.Node{args}
	}
	g.Pick = func(p *graph.Context, v value.Value) (graph.Node, error) {
		def, err := definitionOf(v, macroKind, g.At, "call")
		if err != nil {
			return nil, p.Included(err)
		}
		return runtimeOf(p).node(g, def.Identity(), func() graph.Node {
			return &graph.Instance{At: g.At, Def: def, Args: args}
		}), nil
	}
	return g
}

// nameOf returns the name that an expression is, "" if it is anything else.
func nameOf(n expr.Node) string {
	if name, ok := n.(*expr.Name); ok && name.Name != "here" {
		return name.Name
	}
	return ""
}

// newInstance is "new class:" and "create class:" (spec: yay, sections 5.10, 5.11). The
// class is one of the host, or a prototype.
func (a *assembly) newInstance(s *New) {
	g := &graph.Guard{At: s.Class.Span(), On: &definitionThunk{exprBase: exprBase{s.Class}, class: true, path: s.Create}, Label: "new", Item: a.shape.list}
	if !s.Create {
		g.Name = nameOf(s.Class)
	}
	var given graph.Node
	if s.Args != nil {
		given = a.block(s.Args, wholeValue)
		g.With = []graph.Node{given}
	}
	g.Pick = func(p *graph.Context, v value.Value) (graph.Node, error) {
		if f := v.Func(); f != nil {
			if c, ok := f.Definition.(Class); ok {
				return runtimeOf(p).native(p, g, c, given), nil
			}
		}
		def, err := definitionOf(v, prototypeKind, g.At, "construct")
		if err != nil {
			return nil, p.Included(err)
		}
		return runtimeOf(p).node(g, def.Identity(), func() graph.Node {
			return &graph.Instance{At: g.At, Def: def, Given: given, Rule: graph.BlockRule, Self: "self"}
		}), nil
	}
	if s.As == "" {
		a.directive(g)
		return
	}
	a.flushItems()
	a.entry(s.As, s.AsAt, &graph.Stack{At: s.At, Layers: []graph.Node{g}, Rule: graph.BlockRule})
}

// definitionOf returns the definition of a function value. It must be of the kind. The
// verb is for messages: "call", "construct".
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
	if other == macroKind {
		return nil, d.WithHint(`"call %s:" uses a macro`, f.Name)
	}
	return nil, d.WithHint(`"new %s:" makes an instance of a %s`, f.Name, other)
}

// A definitionThunk evaluates to the macro, prototype or class that a directive names.
type definitionThunk struct {
	exprBase
	class bool // it may be a class of the host
	path  bool // the expression is the name of a class
}

// Eval returns the definition as a function value.
func (t *definitionThunk) Eval(p *graph.Context) (value.Value, error) {
	if call, ok := t.node.(*expr.CallExpr); ok && !t.path {
		d := source.Errorf(call.At, source.WrongType, "a directive takes no arguments in brackets")
		return value.Null, p.Included(d.WithHint("write a line below it for each: name: value"))
	}
	v, err := evalAt(t.node, p)
	if err != nil && t.class && len(runtimeOf(p).Classes) == 0 {
		return v, withHint(err, "no prototype has that name; only programs in Go can register classes")
	}
	if err != nil || !t.path || v.Func() != nil {
		return v, err
	}
	name, err := textOf(v, t.node.Span())
	if err != nil {
		return v, p.Included(err)
	}
	class, ok := runtimeOf(p).class(name)
	if !ok {
		d := source.Errorf(t.node.Span(), source.NoMatching, "unknown class %q", name)
		if v.Marks() != 0 || isSecret(t.node.Span()) {
			d.Message = "unknown class"
		}
		return class, p.Included(d.WithHint("classes are registered by the program that loads the configuration"))
	}
	return class, nil
}

// include is "include operand" (spec: yay, section 5.1). The file depends on the value
// of the operand and on the search path, so it is resolved like a condition. Several
// files are a stack.
func (a *assembly) include(s *Include) *graph.Guard {
	g := &graph.Guard{At: s.Operand.Span(), On: &fileThunk{exprBase{s.Operand}}, Label: graph.IncludeLabel, Item: a.shape.list}
	g.Pick = func(p *graph.Context, v value.Value) (graph.Node, error) {
		if v.IsNull() {
			return nil, nil
		}
		return runtimeOf(p).node(g, v.Str(), func() graph.Node {
			var refs []graph.Node
			for _, name := range strings.Split(v.Str(), fileSeparator) {
				refs = append(refs, &graph.Ref{At: g.At, Key: "include " + g.At.Text(), From: graph.FromFile, File: name, FileAt: g.At, Deep: true})
			}
			if len(refs) == 1 {
				return refs[0]
			}
			return &graph.Stack{At: g.At, Layers: refs, Rule: graph.BlockRule}
		}), nil
	}
	return g
}

const fileSeparator = "\x00"

// A fileThunk evaluates to the full names of the files that an include names, joined to
// one text, or to null if there are none.
type fileThunk struct{ exprBase }

// Eval evaluates the operand at p.
func (t *fileThunk) Eval(p *graph.Context) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, withHint(err, fileHint(t.node))
	}
	names, err := textsOf(v, t.node.Span())
	if err != nil {
		return v, p.Included(err)
	}
	if _, literal := t.node.(*expr.Lit); !literal {
		if marks, err := value.DeepMarks(v); err != nil || marks != 0 {
			return v, p.Included(source.Errorf(t.node.Span(), source.BadInclude, "the file name of an include must not be secret"))
		}
	}
	if len(names) == 0 {
		return value.Null, nil
	}
	for i, name := range names {
		if names[i], err = (*site)(p).find(name, t.node.Span()); err != nil {
			return v, p.Included(err)
		}
	}
	return value.String(strings.Join(names, fileSeparator)).Mark(v.Marks()), nil
}

// textsOf returns a text, or the texts of a list.
func textsOf(v value.Value, at source.Span) ([]string, error) {
	if !v.Is(value.ListKind) {
		text, err := textOf(v, at)
		return []string{text}, err
	}
	var texts []string
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return nil, err
		}
		text, err := textOf(item, at)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}
