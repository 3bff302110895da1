package yay

import (
	"github.com/yaytpl/yaytpl/graph"
)

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
