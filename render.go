package yaytpl

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/output"
	"github.com/yaytpl/yaytpl/internal/render"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// RenderOptions control how results are written. The zero value writes all documents as YAML
// with their comments.
type RenderOptions struct {
	// ExpandOnly applies merge directives and leaves expressions and templates as they are
	// written.
	ExpandOnly bool

	Form       string // one of Forms; "" is yaml
	Compact    bool   // json on one line
	NoComments bool
	DropTags   bool // without tags, except for the tags of YAML itself
	Reveal     bool // write sensitive values
	Redact     bool // mask values from encrypted files, and write no comments

	// NoMask makes a sensitive value an error unless Reveal is set, as it always is in the forms
	// env and text: the result is for a program. Other results have a mask in its place, and
	// Options.Warn gets one warning.
	NoMask bool

	// Partial leaves out values that fail and writes the rest.
	Partial bool

	// Findings passes what check finds about the layers to Options.Warn. Kinds that
	// Options.Checks names are reported without it.
	Findings bool

	// Doc writes only the document with this number, counted from 1; 0 is all.
	Doc int

	// Each is the path of a list or map whose items are the documents to write, "" for none. Of
	// several documents those count that have the path.
	Each string

	// Dialect is the dialect of [Document.Template]: one of [Dialects], or "" for the one that the template names. Autoescape
	// escapes HTML in the values that the template prints.
	Dialect    string
	Autoescape bool

	// Place says where the documents are in a longer result, such as the output of several targets.
	Place Place
}

// A Place is the place of documents in a result of several parts, which are written one after the other.
type Place = render.Place

// The places.
const (
	Alone = render.Alone // the documents are the whole result
	First = render.First // the first part
	Later = render.Later // another part
)

// Forms returns the values of RenderOptions.Form.
func Forms() []string { return render.FormNames() }

// FormEndings returns the endings of the names of files that [IsFile] knows.
func FormEndings() []string { return render.FormEndings() }

// Between returns the line between two documents of a result: "---\n" in YAML, "" in most forms.
func (o RenderOptions) Between() string {
	form, _ := render.FormNamed(o.Form)
	return form.Between
}

// HasNull reports whether null is a document of the form.
func (o RenderOptions) HasNull() bool {
	form, err := render.FormNamed(o.Form)
	return err == nil && !form.NoNull
}

// Render writes the finished documents. If anything fails, nothing is written unless o.Partial
// is set, and the error holds all independent failures.
//
// Codes: usage for an unknown form, not-found and bad-document for o.Each, output for values that the form cannot express, redacted for
// sensitive values that the form must not mask, limit, access if w fails, not-found if o.Doc does
// not exist, and the codes of evaluation.
func (p *Project) Render(w io.Writer, o RenderOptions) error {
	out := results.Get().(*bytes.Buffer)
	defer func() {
		if out.Reset(); out.Cap() <= largeResult {
			results.Put(out)
		}
	}()
	err := p.renderTo(out, o)
	if err != nil && !o.Partial {
		return err
	}
	if werr := show.WriteTo(w, out.Bytes()); err == nil {
		err = werr
	}
	return err
}

// results are buffers for results, of which a program may write many.
var results = sync.Pool{New: func() any { return &bytes.Buffer{} }}

// largeResult is the most bytes of a buffer that is kept, or made before anything is written.
const largeResult = 16 << 20

// renderer returns the renderer of one result.
func (p *Project) renderer(o RenderOptions) *render.Renderer {
	r := &render.Renderer{
		Encoder: render.Encoder{Options: render.Options(o), MaxBytes: p.opts.Limits.WithDefaults().Output, Memo: p.engine.Memo()},
		Project: p.engine,
		Joins:   func(d *engine.Document) error { return p.warnOfJoins(d, o.Findings) },
	}
	for _, d := range p.docs {
		r.Docs = append(r.Docs, d.engine)
	}
	return r
}

// renderTo writes the documents that o selects to out while it holds the lock, and returns the
// findings about all of them.
func (p *Project) renderTo(out *bytes.Buffer, o RenderOptions) (err error) {
	defer p.lock()()
	defer p.gather(&err)()
	r := p.renderer(o)
	defer func() { p.warn(r.Warning) }()
	units, err := r.Units()
	if err != nil {
		return err
	}
	if out.Cap() == 0 && len(units) > 0 { // most results are about as large as their sources
		out.Grow(min(units[0].Doc.Size(), largeResult))
	}
	return r.Render(out, units)
}

// WriteValue writes one value in the form of o, such as the result of a query.
//
// Codes: the codes of [Project.Render].
func (p *Project) WriteValue(w io.Writer, v value.Value, o RenderOptions) error {
	return p.writeTagged(w, v, "", o)
}

// writeTagged is WriteValue for a value with a tag. It holds the lock, since v may be lazy.
func (p *Project) writeTagged(w io.Writer, v value.Value, tag string, o RenderOptions) error {
	e := p.renderer(o).Encoder
	e.Tag = tag
	encode := func(out *bytes.Buffer) (err error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		defer p.gather(&err)()
		defer func() { p.warn(e.Warning) }()
		return e.Encode(out, v)
	}
	var out bytes.Buffer
	if err := encode(&out); err != nil {
		return err
	}
	return show.WriteTo(w, out.Bytes())
}

// WriteValue writes a value of no project in the form of o. Of the other options Limits.Output counts, and Warn with
// Checks.
//
// Codes: the codes of [Project.Render].
func WriteValue(w io.Writer, v value.Value, opts Options, o RenderOptions) error {
	e := render.Encoder{Options: render.Options(o), MaxBytes: opts.Limits.WithDefaults().Output}
	var out bytes.Buffer
	err := e.Encode(&out, v)
	if e.Warning != nil {
		switch w := opts.Checks.Apply(e.Warning); {
		case w == nil:
		case w.Severity == source.Error:
			err = source.OneOrMany(append(source.Findings(err), w))
		case opts.Warn != nil:
			opts.Warn(w)
		}
	}
	if err != nil {
		return err
	}
	return show.WriteTo(w, out.Bytes())
}

// WriteAt writes a value that [Document.Get] returned for a path, in the form of o. Unlike
// [Project.WriteValue] it writes the tag that the list or map has there, as [Project.Render] does, and its
// errors have the place that defines the value.
//
// Codes: the codes of [Project.Render].
func (d *Document) WriteAt(w io.Writer, path string, v value.Value, o RenderOptions) error {
	steps, err := docpath.Parse(path)
	if err != nil {
		return err
	}
	return d.located(steps, d.project.writeTagged(w, v, d.tag(steps), o))
}

// tag returns the tag of the list or map that steps lead to.
func (d *Document) tag(steps []docpath.Step) string {
	defer d.lock()()
	return d.engine.TagAt(steps)
}

// located adds to an error the place that defines the value that steps lead to.
func (d *Document) located(steps []docpath.Step, err error) error {
	if err == nil {
		return nil
	}
	defer d.lock()()
	_, keys, failed := d.engine.Walk(steps)
	if failed != nil {
		return err
	}
	return render.LocatedBelow(d.engine, keys, err)
}

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

// OutputOptions are the options of an [Output].
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

// Written returns the names of the files that [Output.Commit] wrote, since they were different.
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
func IsFile(path string) bool { return render.FormOfFile(path) != "" }

// RenderFiles adds the result as files: each document one in a directory, or all of them one file. A
// file that has a secret is readable by its owner only. The form is o.Form, or else the form that the ending
// of each file names. Sensitive values are errors, as with o.NoMask.
//
// Codes: the codes of [Project.Render]; output for a name that is empty, leads out of the directory, or
// belongs to another file; access; limit.
func (p *Project) RenderFiles(out *Output, to Destination, o RenderOptions) (err error) {
	defer p.lock()()
	defer p.gather(&err)()
	o.NoMask, o.Partial = true, false
	return p.renderer(o).Files(out.job, render.Destination(to))
}
