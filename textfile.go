package yaytpl

import (
	"io"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/template"
	"github.com/yaytpl/yaytpl/value"
)

// Template renders a text template file with the document as its data: its
// top-level keys are the names that the template sees. Nothing is stripped, and
// the result is always text. "-" is standard input.
func (d *Document) Template(name string, w io.Writer, o RenderOptions) error {
	p := d.project
	f, err := p.read(name)
	if err != nil {
		return err
	}
	if _, err := d.eval(); err != nil {
		return err
	}
	doc := &graph.Doc{File: f, Base: p.directory(f)}
	opts := d.runtime.TemplateOptions(doc)
	opts.File, opts.Name = true, f.Name
	opts.Loader = d.runtime.LoaderIn(p.directory(f)) // includes are found beside the template
	t, err := template.Parse(f.Text, expr.At(f.Span(0, len(f.Text))), opts)
	if err != nil {
		return err
	}
	v, err := t.Render(d.runtime.Scope(&graph.Origin{Doc: doc}))
	if err != nil {
		return err
	}
	switch {
	case v.Marks()&value.Sensitive != 0 && !o.Reveal:
		v = value.String("<<REDACTED>>\n")
	case v.Marks()&value.Secret != 0 && o.Redact:
		v = value.String("*****\n")
	}
	_, err = io.WriteString(w, v.Str())
	return err
}
