package engine

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Query returns every match of a query in the document. A query that begins with "{" but not
// with "{{" is an expression object in YAML, one that contains "{{" or "{%" is a template, any
// other is a path such as ::services::web[env=prod]::port.
//
// Codes: syntax, bad-expression, undefined, and the codes of evaluation.
func (d *Document) Query(query string) ([]value.Value, error) {
	f := source.NewFile("query", query)
	at := f.Span(0, len(query))
	if expr.IsTemplate(query) && !isObject(query) {
		s, err := d.scope()
		if err != nil {
			return nil, err
		}
		v, err := s.Env.Render(query, expr.At(at), s)
		return []value.Value{v}, err
	}
	n, err := compileQuery(f)
	if err != nil {
		return nil, err
	}
	if path := expr.PathOf(n); path != nil {
		path.Asked()
	}
	if path, ok := n.(*expr.Path); ok {
		if v, ok := d.Lookup(path.Constant()); ok {
			return []value.Value{v}, nil
		}
	}
	s, err := d.scope()
	if err != nil {
		return nil, err
	}
	return expr.All(n, s)
}

// QueryTags returns the explicit tags of the lists and maps among the matches of a query, "" for the others. As in
// the rendered document, a copy has none:
//
//	a: !Ref {b: 1}     ::a, ::*[b=1]     !Ref
//	c: {eval: ::a}     ::c, {{ a }}      ""
func (d *Document) QueryTags(query string, matches []value.Value) []string {
	tags := make([]string, len(matches))
	path, err := expr.ParsePath(query, expr.At(source.Span{}))
	if isObject(query) || expr.IsTemplate(query) || err != nil || d.unparsed() {
		return tags
	}
	keys, constant := path.Constant()
	for i, v := range matches {
		switch c := graph.CellOf(v); {
		case c == nil, constant && !leadsTo(keys, c):
		case c == d.eval.Root():
			tags[i] = d.Tag()
		default:
			tags[i] = graph.TagOf(v)
		}
	}
	return tags
}

// MatchPath returns the path of a match of a query in the document, false if that is unknown: for scalars that a path
// with wildcards or a template finds, and for new values.
func (d *Document) MatchPath(query string, match value.Value) (value.Path, bool) {
	if c := graph.CellOf(match); c != nil {
		path := c.Path()
		for c.Up() != nil {
			c = c.Up()
		}
		return path, d.eval != nil && c == d.eval.Root()
	}
	path, err := expr.ParsePath(query, expr.At(source.Span{}))
	if isObject(query) || expr.IsTemplate(query) || err != nil {
		return nil, false
	}
	keys, constant := path.Constant()
	return keys, constant
}

// leadsTo reports whether keys are the path of a cell.
func leadsTo(keys []value.Key, c *graph.Cell) bool {
	return slices.EqualFunc(keys, c.Path(), func(k, of value.Key) bool { return k.Text == of.Text })
}

// isObject reports whether a query is an expression object in YAML.
func isObject(query string) bool {
	query = strings.TrimSpace(query)
	return strings.HasPrefix(query, "{") && !strings.HasPrefix(query, "{{") && !strings.HasPrefix(query, "{%")
}

// compileQuery compiles a query that is a path or an expression object.
func compileQuery(f *source.File) (expr.Node, error) {
	at := f.Span(0, len(f.Text))
	if !isObject(f.Text) {
		return expr.ParsePath(f.Text, expr.At(at))
	}
	object, err := frontend.Data(f, yaml.YAMLForm)
	if err != nil {
		return nil, err
	}
	if !object.Is(value.MapKind) || !expr.IsObject(object.Map()) {
		return nil, source.Errorf(at, source.BadExpression, "this map is not an expression object").
			WithHint("it needs the key eval or ref")
	}
	return expr.Compile(object, at)
}

// scope returns the scope of queries: the root of the document.
func (d *Document) scope() (*expr.Scope, error) {
	if _, err := d.Eval(); err != nil {
		return nil, err
	}
	main := &graph.Doc{File: source.NewFile("", "")}
	if len(d.layers) > 0 {
		main = d.layers[0].Doc
	}
	return d.runtimes.Scope(&graph.Origin{Doc: main}), nil
}

// Renderer returns a function that renders a template for a map. The names in the template are the
// variables, and the keys of the map in place of the keys of the document.
func (d *Document) Renderer(f *source.File) (func(of value.Value, vars ...value.Named) (value.Value, error), error) {
	s, err := d.scope()
	if err != nil {
		return nil, err
	}
	at := expr.At(f.Span(0, len(f.Text)))
	document := s.Env
	return func(of value.Value, vars ...value.Named) (value.Value, error) {
		s.Env = mapEnv{document, of}
		for named := s; ; vars = vars[1:] {
			if len(vars) == 0 {
				return s.Env.Render(f.Text, at, named)
			}
			named = named.With(vars[0].Name, vars[0].Value)
		}
	}, nil
}

// A mapEnv is an environment with a map as its root.
type mapEnv struct {
	expr.Env
	root value.Value
}

// Root implements [expr.Env].
func (e mapEnv) Root() value.Value { return e.root }

// Global implements [expr.Env].
func (e mapEnv) Global(name string) (value.Value, bool, error) {
	if !e.root.Is(value.MapKind) {
		return value.Null, false, nil
	}
	v, ok, err := e.root.Map().Get(value.K(name))
	return v.Mark(e.root.Marks()), ok, err
}

// Through implements [expr.Env].
func (e mapEnv) Through(string) (value.Value, bool) { return value.Null, false }

// GlobalNames implements [expr.Env].
func (e mapEnv) GlobalNames() []string {
	var names []string
	if e.root.Is(value.MapKind) {
		for k := range e.root.Map().Keys() {
			names = append(names, k.Text)
		}
	}
	return names
}

// Evaluate returns the value of an expression of a language in the root of the document; in a
// language without expressions of its own it is a query. A path without a match is
// no-matching.
func (d *Document) Evaluate(text, lang string) (value.Value, error) {
	f := source.NewFile("expression", text)
	language, err := frontend.For(f, lang)
	if err != nil {
		return value.Null, err
	}
	at := f.Span(0, len(text))
	if language.Evaluate != nil {
		e, err := d.Eval()
		if err != nil {
			return value.Null, err
		}
		o := &graph.Origin{Doc: &graph.Doc{File: f, Base: d.project.dir, Lang: language.Name}}
		return language.Evaluate(f, &graph.Context{Cell: e.Root(), Origin: o, At: at, Inside: true})
	}
	matches, err := d.Query(text)
	if err != nil {
		return value.Null, err
	}
	if len(matches) == 0 {
		return value.Null, source.Errorf(at, source.NoMatching, "%s has no match", text)
	}
	return expr.One(matches), nil
}

// NoMatch explains why a query has no match: a warning of code no-match at the first segment of
// the path without one, with keys of a similar spelling. For a path in the spelling of get or jq
// the hint is the path of a query: .a[].b is ::a::*::b.
func (d *Document) NoMatch(query string) (*source.Diagnostic, error) {
	f := source.NewFile("query", query)
	var path *expr.Path
	if isObject(query) || !expr.IsTemplate(query) {
		if n, err := compileQuery(f); err == nil {
			path = expr.PathOf(n)
		}
	}
	if path == nil {
		return source.Warnf(f.Span(0, len(query)), source.NoMatch, "the expression has no result"), nil
	}
	s, err := d.scope()
	if err != nil {
		return nil, err
	}
	return expr.NoMatch(path, s)
}
