package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
		return &graph.Computed{At: at, Thunk: &exprThunk{written{n}, l.marks}}
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
