package yaytpl

import (
	"cmp"
	"io"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/template"
	"github.com/yaytpl/yaytpl/value"
)

// Template renders a text template file. The top-level keys of the document are the names in the
// template. The result is text, with all white space of the file. "-" is standard input.
//
// The dialect is o.Dialect, or the one that the header of the file names, or Jinja. A template in pongo2's dialect has
// the time that is left for the context of [Open], or 10 s without a deadline. After the error timeout a goroutine may
// go on: a running filter of pongo2 cannot be stopped. It reads nothing of the project any more.
//
// Codes: redacted for a text with a sensitive value, unless o.Reveal is set; unsupported for a dialect that the program
// does not import; usage for an unknown o.Dialect; timeout; the codes of evaluation.
func (d *Document) Template(name string, w io.Writer, o RenderOptions) error {
	f, err := d.project.engine.Read(name)
	if err != nil {
		return err
	}
	v, err := d.page(f, o)
	if err != nil {
		return err
	}
	if masked, hidden := value.Masked(v); hidden && masked == value.SensitiveText && !o.Reveal {
		return source.Errorf(source.Span{}, source.Redacted, "the text that %s renders has a sensitive value, and %s would be taken for the text", f.Name, masked).
			WithHint("--reveal prints it")
	}
	return show.WriteTo(w, []byte(o.page(v)))
}

// Dialects returns the values of RenderOptions.Dialect.
func Dialects() []string { return template.Dialects() }

// page renders a text template while it holds the lock.
func (d *Document) page(f *source.File, o RenderOptions) (v value.Value, err error) {
	defer d.lock()()
	defer d.project.gather(&err)()
	rt, err := d.engine.Runtimes()
	if err != nil {
		return value.Null, err
	}
	h, err := template.ReadHeader(f)
	if err != nil {
		return value.Null, err
	}
	dialect, err := template.DialectOf(cmp.Or(o.Dialect, h.Dialect, template.Jinja), h.At)
	if err != nil {
		return value.Null, err
	}
	dir := d.project.engine.Directory(f) // includes are relative to the template
	doc := &graph.Doc{File: f, Base: dir}
	scope := rt.Scope(&graph.Origin{Doc: doc})
	if dialect != nil {
		limits := d.project.opts.Limits.WithDefaults()
		v, err = dialect.Render(d.project.engine.Context(), template.Page{
			File: f, Start: h.Start, Dir: dir, Autoescape: o.Autoescape || h.Autoescape, Scope: scope, Files: rt.Host(dir, dir),
			MaxBytes: limits.Output, MaxFiles: limits.Files,
		})
		return v, d.aboutData(err)
	}
	opts := rt.TemplateOptions(doc)
	opts.File, opts.Name, opts.Loader = true, f.Name, rt.LoaderIn(dir)
	if o.Autoescape || h.Autoescape {
		opts.Settings = []value.Named{{Name: "autoescape", Value: value.True}}
	}
	t, err := template.Parse(f.Text[h.Start:], expr.At(f.Span(h.Start, len(f.Text))), opts)
	if err != nil {
		return value.Null, err
	}
	v, err = t.Render(scope)
	return v, d.aboutData(err)
}

// aboutData adds to the error of a text template which of several documents its data is.
func (d *Document) aboutData(err error) error {
	miss, ok := err.(*source.Diagnostic)
	if !ok || miss.Code != source.Undefined || d.number() < 0 {
		return err
	}
	there := *miss
	there.Notes = slices.Clip(miss.Notes)
	return there.Note(source.Span{}, "the data is %s", d.engine.Name())
}

// page returns the text of a rendered template, with its secret parts masked if o.Redact is set.
// A mask in place of the whole text ends in a line break.
func (o RenderOptions) page(v value.Value) string {
	masked, hidden := value.Masked(v)
	switch {
	case !hidden || o.Reveal || !o.Redact:
		return v.Str()
	case masked == value.SecretText:
		return masked + "\n"
	}
	return masked
}
