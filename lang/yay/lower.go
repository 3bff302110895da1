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
	l := lowering{}
	if t.File.Secret {
		l.marks = value.Secret
	}
	doc := &graph.Doc{File: t.File, Base: graph.BaseOf(t.File), Lang: Language}
	doc.Root = l.block(t.Root, wholeValue)
	return doc
}

// Language is the name of the language.
const Language = "yay"

// A lowering turns the blocks of one text into nodes. Its marks are those of every value
// in the text.
type lowering struct{ marks value.Marks }

// A use says what a block is for: it decides what the block is if none of its
// conditions hold.
type use bool

const (
	wholeValue use = true  // the whole of a value: empty then
	partOfMore use = false // a part of what is around it: nothing then
)

// block turns the stanzas of a block into layers that lie on one another, with the
// names of the block around them (spec: yay, section 6.1).
func (l *lowering) block(b *Block, u use) graph.Node {
	a := assembly{lowering: l, at: b.At, shape: shapeOf(b)}
	for _, s := range b.Stanzas {
		a.add(s)
	}
	return a.finish(b, u)
}

// An assembly collects the layers and names of one block.
type assembly struct {
	*lowering
	at      source.Span
	shape   shape
	layers  []graph.Node
	pairs   graph.Map // those behind the last directive
	index   map[string]int
	items   graph.Seq
	names   []graph.Entry
	imports []graph.Import
}

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
		a.name("search", s.At, &graph.Computed{At: s.Operand.Span(), Thunk: &exprThunk{written: written{s.Operand}}})
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

func (a *assembly) name(name string, at source.Span, n graph.Node) {
	a.names = append(a.names, graph.Entry{Key: value.K(name), KeyAt: at, Node: n})
}

// pair adds a key to the map. Repeated keys lie on one another. What "extend" adds to a
// list is the items of a list that is written out, or those of any other value (spec:
// yay, section 5.5).
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

// directive adds what may be anything. Among items it is one of them.
func (a *assembly) directive(g *graph.Guard) {
	if a.shape.items {
		a.item(g)
		return
	}
	a.flushPairs()
	a.layers = append(a.layers, g)
}

func (a *assembly) flushPairs() {
	if len(a.pairs.Entries) > 0 {
		a.pairs.At = a.pairs.Entries[0].KeyAt
		a.layers = append(a.layers, graph.NewMap(a.pairs))
		a.pairs, a.index = graph.Map{}, nil
	}
}

func (a *assembly) flushItems() {
	if len(a.items.Items) > 0 {
		a.items.At = a.items.Items[0].Span()
		a.layers = append(a.layers, graph.NewSeq(a.items))
		a.items = graph.Seq{}
	}
}

// finish puts the layers together and the names around them.
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

// empty is what a block comes to that contributes nothing, if nothing else is
// there (spec: yay, section 5.6).
func (a *assembly) empty() graph.Node {
	if a.shape.list {
		return graph.NewSeq(graph.Seq{At: a.at, Weak: true})
	}
	return graph.NewMap(graph.Map{At: a.at, Weak: true})
}

// A shape says what can be told of a block by looking at it.
type shape struct {
	pairs bool // it has keys
	items bool // it has items
	list  bool // it is a list if it is anything
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

// directiveList reports whether the first directive of a block that shows what it
// makes makes a list.
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

// value turns what stands behind a key or dash into a node; at is where, if
// nothing stands there.
func (l *lowering) value(v Value, at source.Span) graph.Node {
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

// expression turns an expression into a node. The items of a list written out are
// worked out one by one.
func (l *lowering) expression(n expr.Node, at source.Span) graph.Node {
	list, ok := n.(*expr.List)
	if !ok {
		return &graph.Computed{At: at, Thunk: &exprThunk{written{n}, l.marks}}
	}
	items := make([]graph.Node, len(list.Items))
	for i, item := range list.Items {
		items[i] = l.expression(item, item.Span())
	}
	return graph.NewSeq(graph.Seq{At: at, Items: items})
}

// set binds names (spec: yay, section 5.4).
func (a *assembly) set(s *Set) {
	n := a.expression(s.Value, s.Value.Span())
	if len(s.Targets) == 1 {
		a.name(s.Targets[0].Name, s.Targets[0].At, n)
		return
	}
	whole := "set " + s.At.String() // cannot be written as a name
	a.name(whole, s.At, n)
	for i, t := range s.Targets {
		a.name(t.Name, t.At, &graph.Computed{At: t.At, Thunk: &targetThunk{whole: whole, i: i, n: len(s.Targets), at: s.Value.Span()}})
	}
}

// condition is "if", with what follows it as a condition of its own in the place of
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

// guard is a condition with what it guards; otherwise may be nil.
func (l *lowering) guard(cond expr.Node, then, otherwise graph.Node, item bool) *graph.Guard {
	g := &graph.Guard{At: cond.Span(), On: &conditionThunk{written{cond}}, Label: "if", Item: item, May: []graph.Node{then}}
	if otherwise != nil {
		g.May = append(g.May, otherwise)
	}
	g.Pick = func(_ *graph.Place, v value.Value) (graph.Node, error) {
		if v.Bool() {
			return then, nil
		}
		return otherwise, nil
	}
	return g
}

// choice is "select" (spec: yay, section 5.8).
func (a *assembly) choice(s *Select) *graph.Guard {
	g := &graph.Guard{At: s.On.Span(), On: &selectorThunk{written{s.On}, s}, Label: "select", Item: a.shape.list}
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
	g.Pick = func(_ *graph.Place, v value.Value) (graph.Node, error) {
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

// loop is "for names in source [if filter]: block" (spec: yay, section 5.7). The
// filter is a condition around the block.
func (l *lowering) loop(f *For) graph.Node {
	body := l.block(f.Body, partOfMore)
	if f.If != nil {
		body = l.guard(f.If, body, nil, true)
	}
	names := make([]string, len(f.Targets))
	for i, t := range f.Targets {
		names[i] = t.Name
	}
	return &graph.Each{At: f.In.Span(), Names: names, Over: &overThunk{written{f.In}}, Body: body}
}

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

// newInstance is "new class:" and "create class:" (spec: yay, sections 5.10, 5.11). The
// class is one of the host, or a prototype.
func (a *assembly) newInstance(s *New) {
	g := &graph.Guard{At: s.Class.Span(), On: &definitionThunk{written: written{s.Class}, class: true, path: s.Create}, Label: "new", Item: a.shape.list}
	var given graph.Node
	if s.Args != nil {
		given = a.block(s.Args, wholeValue)
		g.With = []graph.Node{given}
	}
	g.Pick = func(p *graph.Place, v value.Value) (graph.Node, error) {
		if f := v.Func(); f != nil {
			if c, ok := f.Definition.(Class); ok {
				return runtimeOf(p).native(p, g, c, given), nil
			}
		}
		def, err := definitionOf(v, prototypeKind, g.At, "construct")
		if err != nil {
			return nil, p.Included(err)
		}
		return runtimeOf(p).instance(g, def, func() graph.Node {
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
	if other == macroKind {
		return nil, d.WithHint(`"call %s:" uses a macro`, f.Name)
	}
	return nil, d.WithHint(`"new %s:" makes an instance of a %s`, f.Name, other)
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
		return class, p.Included(d.WithHint("classes are registered by the program that loads the configuration"))
	}
	return class, nil
}

// include is "include operand" (spec: yay, section 5.1). Which file it is may depend
// on anything, the search path included, so it is decided like a condition. Several
// files lie on one another.
func (a *assembly) include(s *Include) *graph.Guard {
	g := &graph.Guard{At: s.Operand.Span(), On: &fileThunk{written{s.Operand}}, Label: graph.IncludeLabel, Item: a.shape.list}
	g.Pick = func(p *graph.Place, v value.Value) (graph.Node, error) {
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

// A fileThunk is the files that an include names, found along the search path: their
// full names as one text, null for none.
type fileThunk struct{ written }

// Eval evaluates the operand at p.
func (t *fileThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, withHint(err, fileHint(t.node))
	}
	names, err := textsOf(v, t.node.Span())
	if err != nil {
		return v, p.Included(err)
	}
	if len(names) == 0 {
		return value.Null.Mark(v.Marks()), nil
	}
	for i, name := range names {
		if names[i], err = (*site)(p).find(name, t.node.Span()); err != nil {
			return v, p.Included(nameless(err, v))
		}
	}
	return value.String(strings.Join(names, fileSeparator)).Mark(v.Marks()), nil
}

// nameless returns an error about a file without its name if that must not be shown.
func nameless(err error, name value.Value) error {
	marks, deep := value.DeepMarks(name)
	d, ok := err.(*source.Diagnostic)
	if marks == 0 && deep == nil || !ok {
		return err
	}
	return source.Errorf(d.At, d.Code, "the file cannot be opened; its name must not be shown")
}

// textsOf returns one text, or those of a list.
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
