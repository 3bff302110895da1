package yaytpl

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/template"
	"github.com/yaytpl/yaytpl/value"
)

// Query returns every match of a query in the document. A query that begins with
// "{" but not with "{{" is an expression object in YAML, one that contains "{{" or
// "{%" is a template, any other is a path such as ::services::web[env=prod]::port.
func (d *Document) Query(query string) ([]value.Value, error) {
	f := source.NewFile("query", query)
	whole := f.Span(0, len(query))
	e := d.eval()
	s := d.runtime.Scope(&graph.Origin{Doc: d.main()})
	_ = e
	switch trimmed := strings.TrimSpace(query); {
	case strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "{{") && !strings.HasPrefix(trimmed, "{%"):
		return d.queryObject(f, s)
	case template.IsTemplate(query):
		v, err := s.Env.Render(query, expr.At(whole), s)
		return []value.Value{v}, err
	}
	p, err := expr.ParsePath(query, expr.At(whole))
	if err != nil {
		return nil, err
	}
	return expr.Query(p, s)
}

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
