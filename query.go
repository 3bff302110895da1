package yaytpl

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Query returns every match of a query in the document. A query that begins with
// "{" but not with "{{" is an expression object in YAML, one that contains "{{" or
// "{%" is a template, any other is a path such as ::services::web[env=prod]::port.
//
// Codes: syntax, bad-expression, undefined and what evaluation finds.
func (d *Document) Query(query string) ([]value.Value, error) {
	defer d.turn()()
	return d.query(query)
}

// query is Query for who has the turn.
func (d *Document) query(query string) ([]value.Value, error) {
	f := source.NewFile("query", query)
	trimmed := strings.TrimSpace(query)
	isObject := strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "{{") && !strings.HasPrefix(trimmed, "{%")
	if !isObject && !expr.IsTemplate(query) {
		return d.queryPath(f)
	}
	if _, err := d.eval(); err != nil {
		return nil, err
	}
	s := d.scope()
	if isObject {
		return d.queryObject(f, s)
	}
	v, err := s.Env.Render(query, expr.At(f.Span(0, len(query))), s)
	return []value.Value{v}, err
}

func (d *Document) queryPath(f *source.File) ([]value.Value, error) {
	p, err := expr.ParsePath(f.Text, expr.At(f.Span(0, len(f.Text))))
	if err != nil {
		return nil, err
	}
	if v, ok := d.lookup(p.Constant()); ok {
		return []value.Value{v}, nil
	}
	if _, err := d.eval(); err != nil {
		return nil, err
	}
	return expr.All(p, d.scope())
}

// scope returns where queries stand: the root of the document.
func (d *Document) scope() *expr.Scope { return d.runtime.Scope(&graph.Origin{Doc: d.main()}) }

func (d *Document) main() *graph.Doc {
	if len(d.layers) == 0 {
		return &graph.Doc{File: source.NewFile("", "")}
	}
	return d.layers[0].Doc
}

func (d *Document) queryObject(f *source.File, s *expr.Scope) ([]value.Value, error) {
	raw, err := merge.Data(f)
	if err != nil {
		return nil, err
	}
	if !raw.Is(value.MapKind) || !expr.IsExpression(raw.Map()) {
		return nil, source.Errorf(f.Span(0, len(f.Text)), source.BadExpression, "this map is no expression object").
			WithHint("it needs the key eval")
	}
	n, err := expr.Compile(raw, f.Span(0, len(f.Text)))
	if err != nil {
		return nil, err
	}
	return expr.All(n, s)
}

// One returns the single form of matches: null for none, the bare value of one, a
// list of several.
func One(matches []value.Value) value.Value { return expr.One(matches) }

// ParseValue reads a text as YAML data: nothing in it is evaluated.
func ParseValue(text string) (value.Value, error) {
	return merge.Data(source.NewFile("value", text))
}
