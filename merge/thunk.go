package merge

import (
	"sync"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/template"
	"github.com/yaytpl/yaytpl/value"
)

// A templateThunk is a string with a template in it. It is compiled when it is
// first asked for, once for all places that the string is merged to.
type templateThunk struct {
	text value.Value
	node *yaml.Node

	once sync.Once
	tmpl *template.Template
	err  error
}

// Eval renders the template at p.
func (t *templateThunk) Eval(p *graph.Place) (value.Value, error) {
	rt := runtimeOf(p)
	t.once.Do(func() {
		t.tmpl, t.err = template.Parse(t.text.Str(), t.node.TextMap(), rt.TemplateOptions(p.Origin.Doc))
	})
	if t.err != nil {
		return value.Null, p.Included(t.err)
	}
	v, err := t.tmpl.Render(rt.scope(p))
	return v.Mark(t.text.Marks()), p.Included(err)
}

// Check returns what is wrong with the template whatever values it meets.
func (t *templateThunk) Check(lib expr.Library) []*source.Diagnostic {
	tmpl, err := template.Parse(t.text.Str(), t.node, template.Options{})
	if err != nil {
		return nil // told when it is evaluated
	}
	return tmpl.Check(lib)
}

// TextSpan returns where a part of the text stands in the source.
func (t *templateThunk) TextSpan(start, end int) source.Span { return t.node.TextSpan(start, end) }

// Raw returns the text.
func (t *templateThunk) Raw() value.Value { return t.text }

// Soft is false: a template cannot do without the values that it uses.
func (t *templateThunk) Soft() bool { return false }

// An exprThunk is an expression object.
type exprThunk struct {
	raw  value.Value
	node expr.Node
	err  error
}

// Eval evaluates the expression at p.
func (t *exprThunk) Eval(p *graph.Place) (value.Value, error) {
	if t.err != nil {
		return value.Null, p.Included(t.err)
	}
	v, err := expr.Eval(t.node, runtimeOf(p).scope(p))
	if err == nil && v.Is(value.UndefinedKind) {
		err = v.Reason()
	}
	return v, p.Included(err)
}

// Check returns what is wrong with the expression whatever values it meets.
func (t *exprThunk) Check(lib expr.Library) []*source.Diagnostic {
	if t.err != nil {
		return nil // told when it is evaluated
	}
	return expr.Check(t.node, lib)
}

// Raw returns the object as data.
func (t *exprThunk) Raw() value.Value { return t.raw }

// Soft is true: see the spec on circular references.
func (t *exprThunk) Soft() bool { return true }

// A quotedThunk is data that is never evaluated.
type quotedThunk struct{ raw, arg value.Value }

// Eval returns the data.
func (t quotedThunk) Eval(*graph.Place) (value.Value, error) { return t.arg.Verbatim(), nil }

// Raw returns the data with its "q".
func (t quotedThunk) Raw() value.Value { return t.raw }

// Soft is true: nothing is asked for.
func (t quotedThunk) Soft() bool { return true }

// An envThunk is the value of an environment variable, "" if it is unset.
type envThunk string

// Eval reads the variable.
func (t envThunk) Eval(p *graph.Place) (value.Value, error) {
	v, _ := runtimeOf(p).env(p.Origin).Host().Getenv(string(t))
	return value.String(v), nil
}

// Raw returns the name of the variable.
func (t envThunk) Raw() value.Value { return value.String(string(t)) }

// Soft is true: nothing in the document is asked for.
func (t envThunk) Soft() bool { return true }

// A whenThunk is null unless an environment variable is set.
type whenThunk struct {
	variable string
	graph.Thunk
}

// Eval evaluates the inner thunk if the variable, if there is one, is not empty.
func (t whenThunk) Eval(p *graph.Place) (value.Value, error) {
	if t.variable != "" {
		if v, _ := envThunk(t.variable).Eval(p); v.Str() == "" {
			return value.Null, nil
		}
	}
	return t.Thunk.Eval(p)
}

// Forms recognises expression objects among the maps of a configuration.
func Forms(raw value.Value, p *graph.Place) (graph.Thunk, bool) {
	if !raw.Is(value.MapKind) || !expr.IsExpression(raw.Map()) {
		return nil, false
	}
	node, err := expr.Compile(raw, p.At)
	return &exprThunk{raw: raw, node: node, err: err}, true
}
