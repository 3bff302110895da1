package merge

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// quoted lowers {q: ...}: what stands below it is data as written, directives
// included (spec: expressions, section 4). It returns nil for any other map.
func (l *lowering) quoted(n *yaml.Node) graph.Node {
	if l.opts.NoExpressions || len(n.Entries) != 1 || n.Entries[0].Key != value.K("q") {
		return nil
	}
	raw, err := n.ToValue()
	if err != nil || !expr.IsExpression(raw.Map()) {
		return nil
	}
	arg, _, err := raw.Map().Get(value.K("q"))
	if err != nil {
		return nil
	}
	return &graph.Computed{At: n.At, Thunk: quotedThunk{raw: raw.Mark(l.marks), arg: arg.Mark(l.marks)}}
}

// isExpressionMap reports whether a map in the source is an expression object.
func (l *lowering) isExpressionMap(n *yaml.Node) bool {
	if l.opts.NoExpressions {
		return false
	}
	raw, err := n.ToValue()
	return err == nil && raw.Is(value.MapKind) && expr.IsExpression(raw.Map())
}

// expression returns the thunk of an expression object that no layer can change.
func expression(n *yaml.Node) graph.Thunk {
	raw, err := n.ToValue()
	if err != nil {
		return &exprThunk{raw: raw, err: err}
	}
	node, err := expr.Compile(raw, n.At)
	return &exprThunk{raw: raw, node: node, err: err}
}

// mayBeExpression reports whether a map with this key may be an expression object.
func (l *lowering) mayBeExpression(k value.Key) bool {
	return !l.opts.NoExpressions && k.Kind == value.StringKind && expr.MayBeExpression(k.Text)
}
