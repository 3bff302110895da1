package yaytpl

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/output"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Output writes results of one or several projects to files: all of them, or none. It is not safe
// for concurrent use.
//
//	out := yaytpl.NewOutput(ctx, yaytpl.OutputOptions{})
//	defer out.Close()
//	err := project.RenderFiles(out, yaytpl.Destination{Path: "build"}, yaytpl.RenderOptions{Each: "services"})
//	if err == nil {
//		err = out.Commit()
//	}
type Output struct{ job *output.Job }

// OutputOptions are those of an [Output].
type OutputOptions struct {
	Dir      string // the directory of relative names; "" is the working directory
	MaxFiles int    // most files; 0 is 10,000

	// Check writes nothing: Warn gets a finding with code changed for each file that would be written or
	// removed.
	Check bool
	Warn  func(*source.Diagnostic)

	// Prune removes the files that earlier outputs wrote to a directory and this one does not, by the
	// list .yaytpl-files in the directory.
	Prune bool
}

// NewOutput returns an output without files. The context bounds the wait for other processes that
// write to the same directory.
func NewOutput(ctx context.Context, o OutputOptions) *Output {
	o.MaxFiles = graph.Limits{Files: o.MaxFiles}.WithDefaults().Files
	files := load.New(load.Config{Dir: o.Dir, Context: ctx, Warn: o.Warn})
	return &Output{output.New(files, output.Options{Check: o.Check, Warn: o.Warn, Prune: o.Prune, MaxFiles: o.MaxFiles})}
}

// Commit writes the files.
//
// Code: access.
func (out *Output) Commit() error { return out.job.Commit() }

// Written returns the names of the files that [Output.Commit] wrote: those that were different.
func (out *Output) Written() []string { return out.job.Written() }

// Removed returns the names of the files that [Output.Commit] removed.
func (out *Output) Removed() []string { return out.job.Removed() }

// Close releases the output. Without a commit no file has changed.
func (out *Output) Close() { out.job.Close() }

// A Destination says where a result goes.
type Destination struct {
	// Path is a directory, or a file if IsFile says so.
	Path string

	// Name is a template for the name of each file in a directory, over the document, with the variables
	// key and index. The default is KIND-NAME.yaml for a document with the keys kind and metadata.name,
	// else KEY.yaml for an item of a map, else 0.yaml by its number.
	Name string

	// Target is the name of the result in a directory, or "": one document is TARGET.yaml, several are
	// TARGET/NAME.
	Target string
}

// IsFile reports whether a path names a file and not a directory, by an ending that a form of output
// has.
func IsFile(path string) bool { return output.Form(path) != "" }

// RenderFiles adds the result as files: each document one in a directory, or all of them one file. A
// file that has a secret can be read by the user alone. The form is o.Form, or else that of the ending
// of each file. Sensitive values are errors, as with o.NoMask.
//
// Codes: those of [Project.Render]; output for a name that is empty, leads out of the directory, or is
// that of another file; access; limit.
func (p *Project) RenderFiles(out *Output, to Destination, o RenderOptions) (err error) {
	defer p.lock()()
	defer p.gather(&err)()
	o.NoMask, o.Partial = true, false
	units, err := p.units(o)
	if err != nil {
		return err
	}
	w := fileWriter{project: p, to: to, opts: o}
	if IsFile(to.Path) {
		w.add = func(f output.File) error { return out.job.One(to.Path, f) }
		return w.write(output.File{Name: to.Path, What: "the result"}, units)
	}
	dir, err := out.job.Dir(to.Path)
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
		name, err := w.name(u, len(units) > 1 || o.Each != "")
		if err == nil {
			w.failed = len(errs) > 0
			err = u.located(w.write(output.File{Name: name, What: u.shown()}, []unit{u}))
		}
		if add(err); len(errs) >= source.MaxErrors {
			break
		}
	}
	add(dir.Wait())
	if len(errs) > 0 {
		return source.OneOrMany(errs)
	}
	return nil
}

// A fileWriter adds the results of units to an output.
type fileWriter struct {
	project  *Project
	to       Destination
	opts     RenderOptions
	add      func(output.File) error
	template *source.File // of Destination.Name, or nil
	named    *Document    // whose renderer is render
	render   func(of value.Value, vars ...value.Named) (value.Value, error)
	text     bytes.Buffer
	bytes    int  // rendered so far
	failed   bool // a unit has failed, so that nothing will be written
}

// write adds a file with the results of units.
func (w *fileWriter) write(f output.File, units []unit) error {
	o := w.opts
	if o.Form == "" {
		o.Form = output.Form(f.Name)
	}
	o.note = &maskNote{}
	w.text.Reset()
	if err := w.project.renderUnits(&w.text, units, o); err != nil || w.failed {
		return err
	}
	limit := w.project.opts.Limits.WithDefaults().Output
	if w.bytes += w.text.Len(); w.bytes > limit {
		return source.Errorf(source.Span{}, source.Limit, "the files have more than %d bytes (--max-bytes)", limit)
	}
	f.Text, f.Private, f.From = w.text.String(), o.note.marks&(value.Secret|value.Sensitive) != 0, w.project.engine.Files()
	return w.add(f)
}

// name returns the name of the file for a unit. several is set if there are others, or could be.
func (w *fileWriter) name(u unit, several bool) (string, error) {
	if w.to.Target != "" && !several {
		return w.to.Target + ".yaml", nil
	}
	name, err := w.ownName(u)
	if err == nil && w.to.Target != "" {
		name = w.to.Target + "/" + name
	}
	return name, err
}

func (w *fileWriter) ownName(u unit) (string, error) {
	v, err := u.result(w.opts)
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
func (w *fileWriter) rendered(u unit, v value.Value) (string, error) {
	if w.named != u.doc {
		render, err := u.doc.engine.Renderer(w.template)
		if err != nil {
			return "", err
		}
		w.named, w.render = u.doc, render
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
func (u unit) shown() string {
	if u.whole() {
		return "document " + strconv.Itoa(u.index)
	}
	return u.path.String()
}

// located adds the place of the unit to an error about the name of its file.
func (u unit) located(err error) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || d.Code != source.Output || !d.At.IsZero() {
		return err
	}
	e, failed := u.doc.engine.Eval()
	if failed != nil {
		return err
	}
	facts, failed := e.Root().Shown(u.path).Explain()
	if failed != nil || len(facts) == 0 {
		return err
	}
	return d.Located(facts[0].At)
}
