package yaytpl

import (
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// define makes a layer of PATH=VALUE, which sets, or PATH+=VALUE, which appends to
// a list (design: decisions, "Layers"). below are the layers that it goes on.
func (p *Project) define(text string, below []fileLayer) (*graph.Doc, error) {
	path, val, ok := cutDefine(text)
	if !ok {
		return nil, source.Errorf(source.Span{}, source.Usage, "-D needs PATH=VALUE, got %q", text)
	}
	path, appends := strings.CutSuffix(path, "+")
	steps, err := parsePath(path)
	if err != nil {
		return nil, err
	}
	f := source.NewFile("-D "+path, val)
	docs, findings := merge.Parse(f, merge.Options{NoTemplates: p.opts.NoTemplates, NoExpressions: p.opts.NoExpressions})
	for _, d := range findings {
		if d.Severity == source.Error {
			return nil, d
		}
	}
	doc := *docs[0]
	doc.Base = p.dir
	n := doc.Root
	if n == nil {
		n = &graph.Scalar{At: f.Span(0, 0)}
	}
	if appends {
		n = appending(n)
	} else {
		n = setting(n)
	}
	doc.Root = at(p.exactKeys(steps, below), n)
	return &doc, nil
}

// exactKeys joins the steps that together are a key of the layers below: the exact
// key wins over its split.
func (p *Project) exactKeys(steps []step, below []fileLayer) []step {
	if words, _ := dotted(steps); len(words) < 2 {
		return steps
	}
	for _, d := range p.pair(below) {
		v, err := d.Expanded()
		if err != nil {
			continue // whoever renders will say why
		}
		if known := joinKnown(v, steps); len(known) < len(steps) {
			return known
		}
	}
	return steps
}

// joinKnown joins steps where v has a key that holds their dots.
func joinKnown(v value.Value, steps []step) []step {
	var known []step
	for len(steps) > 0 {
		words, taken := dotted(steps)
		next, n := steps[0], 1
		var below value.Value
		for i, word := range words {
			if item, ok, err := v.Map().Get(value.K(word)); ok && err == nil {
				below, n = item, taken[i]
				next.key, next.exact = word, next.exact || n > 1
				break
			}
		}
		known = append(known, next)
		v, steps = below, steps[n:]
	}
	return known
}

// cutDefine splits at the first "=" that is outside of brackets and quotes.
func cutDefine(text string) (path, val string, ok bool) {
	depth := 0
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '\\':
			i++
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '=' && depth <= 0:
			return text[:i], text[i+1:], i > 0
		}
	}
	return "", "", false
}

// setting returns n as a layer that hides everything below it.
func setting(n graph.Node) graph.Node {
	switch n := n.(type) {
	case *graph.Map:
		m := *n
		m.Strategy = graph.ReplaceStrategy
		return graph.NewMap(m)
	case *graph.Overlay:
		o := *n
		own := *n.Own
		own.Strategy = graph.ReplaceStrategy
		o.Own = graph.NewMap(own)
		return &o
	case *graph.Seq:
		s := *n
		s.Replace = true
		return graph.NewSeq(s)
	case *graph.Scalar:
		s := *n
		s.Final = s.Val.IsNull()
		return &s
	}
	return n
}

// appending returns n as a layer that adds items to a list.
func appending(n graph.Node) graph.Node {
	if s, ok := n.(*graph.Seq); ok {
		return &graph.Extend{At: s.At, Items: s.Items}
	}
	return &graph.Extend{At: n.Span(), Items: []graph.Node{n}}
}

// at puts n at the end of a path of maps and list items.
func at(steps []step, n graph.Node) graph.Node {
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		switch {
		case s.match != "":
			n = joining(n, &graph.Where{Key: s.match, Text: s.text})
		case s.index:
			n = joining(n, &graph.Where{Index: s.number})
		default:
			e := graph.Entry{Key: value.K(s.key), Node: n}
			n = graph.NewMap(graph.Map{At: n.Span(), Entries: []graph.Entry{e}})
		}
	}
	return n
}

func joining(n graph.Node, where *graph.Where) graph.Node {
	return graph.NewSeq(graph.Seq{At: n.Span(), Items: []graph.Node{&graph.Positional{Node: n, Where: where}}})
}
