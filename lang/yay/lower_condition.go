package yay

import (
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
		n := a.caseNode(c)
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

func (a *assembly) caseNode(c *Case) graph.Node {
	if b, ok := c.Value.(*Block); ok {
		return a.block(b, partOfMore)
	}
	return a.value(c.Value, c.At)
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
	return source.Errorf(s.On.Span(), source.NoMatching, "select does not have key %q among its cases", word).
		WithHint(`a case "else:" would stand for all others`).DidYouMean(word, slices.Values(keys))
}
