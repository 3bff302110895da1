package render

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/output"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Destination says where a result goes: see Destination of the root package.
type Destination struct{ Path, Name, Target string }

// Files adds the result to a job as files: each document one in a directory, or all of them one file. MaxBytes
// bounds all of them together.
//
// Codes: the codes of [Renderer.Render]; output for a name that is empty, leads out of the directory, or
// belongs to another file; access; limit.
func (r *Renderer) Files(job *output.Job, to Destination) error {
	units, err := r.Units()
	if err != nil {
		return err
	}
	w := fileWriter{Renderer: r, to: to, form: r.Form}
	if FormOfFile(to.Path) != "" {
		w.add = func(f output.File) error { return job.One(to.Path, f) }
		return w.write(output.File{Name: to.Path, What: "the result"}, units)
	}
	dir, err := job.Dir(to.Path)
	if err != nil {
		return err
	}
	w.add = dir.Add
	if to.Name != "" {
		w.template = source.NewFile("--name", to.Name)
	}
	var errs []*source.Diagnostic
	add := func(err error) {
		for _, d := range source.Findings(err) {
			if !slices.ContainsFunc(errs, func(other *source.Diagnostic) bool { return other.Error() == d.Error() }) {
				errs = append(errs, d)
			}
		}
	}
	for _, u := range units {
		name, err := w.name(u, len(units) > 1 || r.Each != "")
		if err == nil {
			w.failed = len(errs) > 0
			err = u.located(w.write(output.File{Name: name, What: u.shown()}, []Unit{u}))
		}
		if add(err); len(errs) >= source.MaxErrors {
			break
		}
	}
	if len(errs) > 0 {
		return source.OneOrMany(errs)
	}
	return nil
}

// A fileWriter adds the results of units to an output.
type fileWriter struct {
	*Renderer
	to       Destination
	form     string // of all files; "" is the form of the ending of each
	add      func(output.File) error
	template *source.File     // of Destination.Name, or nil
	named    *engine.Document // whose renderer is render
	render   func(of value.Value, vars ...value.Named) (value.Value, error)
	text     bytes.Buffer
	bytes    int  // rendered so far
	failed   bool // a unit has failed, so that nothing will be written
}

// write adds a file with the results of units.
func (w *fileWriter) write(f output.File, units []Unit) error {
	if w.Form = w.form; w.Form == "" {
		w.Form = FormOfFile(f.Name)
	}
	w.Warning, w.marks = nil, 0
	w.text.Reset()
	if err := w.Render(&w.text, units); err != nil || w.failed {
		return err
	}
	if w.bytes += w.text.Len(); w.bytes > w.MaxBytes {
		return source.Errorf(source.Span{}, source.Limit, "the files have more than %d bytes (--max-bytes)", w.MaxBytes)
	}
	f.Text, f.Private, f.From = w.text.String(), w.marks&(value.Secret|value.Sensitive) != 0, w.Project.Files()
	return w.add(f)
}

// name returns the name of the file for a unit. several is set if there are others, or could be.
func (w *fileWriter) name(u Unit, several bool) (string, error) {
	if w.to.Target != "" && !several {
		return w.to.Target + ".yaml", nil
	}
	name, err := w.ownName(u)
	if err == nil && w.to.Target != "" {
		name = w.to.Target + "/" + name
	}
	return name, err
}

func (w *fileWriter) ownName(u Unit) (string, error) {
	v, err := w.result(u)
	switch {
	case err != nil:
		return "", err
	case w.template != nil:
		return w.rendered(u, v)
	}
	kind, name := textAt(v, "kind"), textAt(v, "metadata", "name")
	switch {
	case kind != "" && name != "":
		return strings.ToLower(kind) + "-" + name + ".yaml", nil
	case !u.whole() && u.of.Is(value.MapKind):
		return u.key().Text + ".yaml", nil
	}
	return strconv.Itoa(u.index) + ".yaml", nil
}

// textAt returns the scalar at keys as text, "" if there is none or it is hidden.
func textAt(v value.Value, keys ...string) string {
	for _, k := range keys {
		if !v.Is(value.MapKind) || v.Marks() != 0 {
			return ""
		}
		var err error
		if v, _, err = v.Map().Get(value.K(k)); err != nil {
			return ""
		}
	}
	if !v.IsScalar() || v.IsNull() || v.Marks() != 0 {
		return ""
	}
	text, err := value.Text(v)
	if err != nil {
		return ""
	}
	return text
}

// rendered returns the name that Destination.Name gives to a unit with the value v.
func (w *fileWriter) rendered(u Unit, v value.Value) (string, error) {
	if w.named != u.Doc {
		render, err := u.Doc.Renderer(w.template)
		if err != nil {
			return "", err
		}
		w.named, w.render = u.Doc, render
	}
	vars := []value.Named{{Name: "index", Value: value.Int(int64(u.index))}}
	if !u.whole() {
		vars = append(vars, value.Named{Name: "key", Value: u.key().Value()})
	}
	name, err := w.render(v, vars...)
	at := w.template.Span(0, len(w.template.Text))
	switch {
	case err != nil:
		return "", err
	case name.Marks() != 0:
		return "", source.Errorf(at, source.Output, "the name of the file for %s has a secret part", u.shown())
	case !name.IsScalar() || name.IsNull():
		return "", source.Errorf(at, source.Output, "the name of the file for %s is %s", u.shown(), value.Article(name.Kind()))
	}
	return value.Text(name)
}

// shown returns the name of the unit for messages.
func (u Unit) shown() string {
	if u.whole() {
		return "document " + strconv.Itoa(u.index)
	}
	return u.Path.String()
}

// located adds the place of the unit to an error about the name of its file.
func (u Unit) located(err error) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || d.Code != source.Output || !d.At.IsZero() {
		return err
	}
	e, failed := u.Doc.Eval()
	if failed != nil {
		return err
	}
	facts, failed := e.Root().Shown(u.Path).Explain()
	if failed != nil || len(facts) == 0 {
		return err
	}
	return d.Located(facts[0].At)
}
