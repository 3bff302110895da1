package yay

import (
	"path/filepath"
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
	doc := &graph.Doc{File: t.File, Base: baseOf(t.File), Lang: Language}
	doc.Root = l.block(t.Root, wholeValue)
	return doc
}

// Language is the name of the language.
const Language = "yay"

// baseOf returns what relative names in f are relative to, if the search path does
// not have them.
func baseOf(f *source.File) string {
	switch {
	case f.Path != "":
		return filepath.Dir(f.Path)
	case isURL(f.Name):
		return f.Name[:strings.LastIndexByte(f.Name, '/')+1]
	}
	return ""
}

func isURL(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && scheme != ""
}

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
		a.item(a.lowering.item(s.Value))
	case *For:
		a.item(a.loop(s))
	case *Set:
		a.set(s)
	case *Search:
		a.name("search", s.At, &graph.Computed{At: s.Operand.Span(), Thunk: &exprThunk{node: s.Operand}})
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

// pair adds a key to the map. Repeated keys lie on one another.
func (a *assembly) pair(p *Pair) {
	a.flushItems()
	var n graph.Node
	if p.Extend {
		n = a.extension(p)
	} else {
		n = a.value(p.Value, p.At)
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

// item is value for an item: what a directive makes is one item.
func (l *lowering) item(v Value) graph.Node {
	return l.value(v, source.Span{})
}

// expression turns an expression into a node. The items of a list written out are
// worked out one by one.
func (l *lowering) expression(n expr.Node, at source.Span) graph.Node {
	list, ok := n.(*expr.List)
	if !ok {
		return &graph.Computed{At: at, Thunk: &exprThunk{node: n, marks: l.marks}}
	}
	items := make([]graph.Node, len(list.Items))
	for i, item := range list.Items {
		items[i] = l.expression(item, item.Span())
	}
	return graph.NewSeq(graph.Seq{At: at, Items: items})
}

// extension is "extend key: value" (spec: yay, section 5.5).
func (l *lowering) extension(p *Pair) graph.Node {
	n := l.value(p.Value, p.At)
	if s, ok := n.(*graph.Seq); ok && !s.Weak {
		return &graph.Extend{At: p.At, Items: s.Items}
	}
	return &graph.Extend{At: p.At, Items: []graph.Node{&graph.Splice{Node: n, List: true}}}
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
	return &graph.Each{At: f.In.Span(), Names: names, Over: &overThunk{node: f.In}, Body: body}
}
