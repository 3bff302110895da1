package yay

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Evaluate returns the value of a text that is one expression, as if it stood at p
// (spec: yay, section 10.1).
func Evaluate(f *source.File, p *graph.Place) (value.Value, error) {
	n, err := ParseExpression(f, f.Span(0, len(f.Text)))
	if err != nil {
		return value.Null, err
	}
	return evalAt(n, p)
}
