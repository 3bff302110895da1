package yay

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
