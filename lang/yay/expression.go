package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Evaluate returns the value of a text that is one expression, as if it stood at p
// (spec: yay, section 10.1).
func Evaluate(f *source.File, p *graph.Place) (value.Value, error) {
	n, err := parseExpression(f, f.Span(0, len(f.Text)))
	if err != nil {
		return value.Null, err
	}
	return evalAt(n, p)
}

// parseExpression reads the expression at a place. Several with commas between them are
// a list. Errors are of code syntax or limit.
func parseExpression(f *source.File, at source.Span) (expr.Node, error) {
	var e exprParser
	e.reset(f, int(at.Start), int(at.End), false, defaultDepth)
	n, err := e.list()
	if err != nil {
		return nil, err
	}
	return n, e.end()
}
