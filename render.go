package yaytpl

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// RenderOptions control how results are written. The zero value writes all documents as YAML
// with their comments.
type RenderOptions struct {
	// ExpandOnly applies merge directives and leaves expressions and templates as they are
	// written.
	ExpandOnly bool

	Form       string // yaml, json, jsonl, toml, env or text; "" is yaml
	Compact    bool   // json on one line
	NoComments bool
	DropTags   bool // without tags, but those of YAML itself
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

	note *maskNote // of the result that is being written; nil for no warning
}

// Forms returns the values of RenderOptions.Form.
func Forms() []string { return []string{"yaml", "json", "jsonl", "toml", "env", "text"} }

// Render writes the finished documents. If anything fails, nothing is written unless o.Partial
// is set, and the error holds all independent failures.
//
// Codes: usage for an unknown form, output for values that the form cannot express, redacted for
// sensitive values that the form must not mask, limit, access if w fails, not-found if o.Doc does
// not exist, and those of evaluation.
func (p *Project) Render(w io.Writer, o RenderOptions) error {
	var out bytes.Buffer
	err := p.renderTo(&out, o)
	if err != nil && !o.Partial {
		return err
	}
	if werr := show.WriteTo(w, out.Bytes()); err == nil {
		err = werr
	}
	return err
}

// renderTo writes the documents that o selects to out while it holds the lock, and returns the
// findings about all of them.
func (p *Project) renderTo(out *bytes.Buffer, o RenderOptions) (err error) {
	defer p.lock()()
	defer p.gather(&err)()
	o.note = &maskNote{}
	defer func() { p.warn(o.note.warning) }()
	docs := p.docs
	if o.Doc > 0 {
		d, err := p.Only(o.Doc - 1)
		if err != nil {
			return err
		}
		docs = []*Document{d}
	}
	var errs []*source.Diagnostic
	yamlForm := o.Form == "" || o.Form == "yaml"
	for i, d := range docs {
		d.engine.Notice()
		if i > 0 && yamlForm {
			out.WriteString("---\n")
		}
		start := out.Len()
		err := d.render(out, o, len(docs) > 1)
		if err == nil {
			err = p.warnOfJoins(d, o.Findings)
		}
		if err == nil {
			if i == 0 && len(docs) > 1 && yamlForm {
				markEmpty(out)
			}
			continue
		}
		errs = append(errs, source.Findings(err)...)
		out.Truncate(start)
		if o.Partial {
			d.renderPart(out, o, len(docs) > 1)
		}
	}
	if len(errs) > 0 {
		return source.OneOrMany(errs)
	}
	return nil
}

// markEmpty inserts "---" before a first document without content. Otherwise the "---" of the
// second document would begin the first.
func markEmpty(out *bytes.Buffer) {
	for line := range bytes.Lines(out.Bytes()) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return
		}
	}
	text := bytes.Clone(out.Bytes())
	out.Reset()
	out.WriteString("---\n")
	out.Write(text)
}

// render writes one document. several is set if there are others.
func (d *Document) render(out *bytes.Buffer, o RenderOptions, several bool) error {
	v, err := d.result(o)
	if err != nil {
		return err
	}
	err = d.write(out, v, o, several)
	if err == nil || errors.Is(err, source.ErrLimit) && !errors.Is(err, yaml.ErrDepth) {
		return err
	}
	// The encoder stops at the first failure. Force finds the others too.
	if all := d.engine.Force(v); all != nil {
		return all
	}
	return d.located(err)
}

// renderPart writes the document without the values that fail.
func (d *Document) renderPart(out *bytes.Buffer, o RenderOptions, several bool) {
	v, err := d.result(o)
	if err != nil {
		return
	}
	start := out.Len()
	if d.write(out, salvage(v, 0), o, several) != nil {
		out.Truncate(start)
	}
}

// salvage returns v without the entries and items that fail.
func salvage(v value.Value, depth int) value.Value {
	v = value.Public(v)
	if depth > value.MaxNesting {
		return value.Null
	}
	switch v.Kind() {
	case value.ListKind:
		var items value.Slice
		for i := range v.List().Len() {
			if item, err := v.List().At(i); err == nil {
				items = append(items, salvage(item, depth+1))
			}
		}
		return value.FromList(items).Mark(v.Marks())
	case value.MapKind:
		m := value.NewMap(v.Map().Len())
		for _, k := range engine.AllKeys(v) {
			if item, ok, err := v.Map().Get(k); ok && err == nil {
				m.Set(k, salvage(item, depth+1))
			}
		}
		return value.FromMap(m).Mark(v.Marks())
	}
	return v
}

// write encodes v with the comments of the document.
func (d *Document) write(out *bytes.Buffer, v value.Value, o RenderOptions, several bool) error {
	if several && o.Form == "json" {
		o.Compact = true // one document per line
	}
	if d.engine.Empty() && (o.Form == "" || o.Form == "yaml") {
		return nil
	}
	e := o.encoding(d.project)
	e.Head, e.Foot = d.engine.Comments()
	warned := o.note.warning != nil
	err := o.write(out, v, e)
	if w := o.note.warning; w != nil && !warned {
		o.note.warning = source.AsDiagnostic(d.located(w), source.Span{}, source.Redacted)
	}
	return err
}

// located adds to the error of a value that cannot be encoded the place of the layer that sets
// the value.
func (d *Document) located(err error) error { return d.locatedBelow(nil, err) }

// locatedBelow is located for a value that lies at a path of the document.
func (d *Document) locatedBelow(path value.Path, err error) error {
	var at *yaml.PathError
	diag := source.AsDiagnostic(err, source.Span{}, source.Output)
	if !diag.At.IsZero() || !errors.As(err, &at) {
		return err
	}
	e, everr := d.engine.Eval()
	if everr != nil {
		return err
	}
	facts, everr := e.Root().Shown(slices.Concat(path, at.Path)).Explain()
	if everr != nil || len(facts) == 0 {
		return err
	}
	placed := *diag
	if diag.Code == source.Redacted && len(path) > 0 {
		placed.Message = mistaken(slices.Concat(path, at.Path))
	}
	placed.At, placed.Includes = facts[0].At, facts[0].Includes
	return &placed
}

// result returns the document that o selects: expanded or evaluated.
func (d *Document) result(o RenderOptions) (value.Value, error) {
	if o.ExpandOnly {
		return d.engine.Expanded()
	}
	return d.engine.Value()
}

// WriteValue writes one value in the form of o, such as the result of a query.
//
// Codes: those of [Project.Render].
func (p *Project) WriteValue(w io.Writer, v value.Value, o RenderOptions) error {
	var out bytes.Buffer
	if err := p.encode(&out, v, o); err != nil {
		return err
	}
	return show.WriteTo(w, out.Bytes())
}

// encode writes v to out while it holds the lock, since v may be lazy.
func (p *Project) encode(out *bytes.Buffer, v value.Value, o RenderOptions) (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.gather(&err)()
	o.note = &maskNote{}
	defer func() { p.warn(o.note.warning) }()
	return o.write(out, v, o.encoding(p))
}

// encoding returns the options of the encoder.
func (o RenderOptions) encoding(p *Project) yaml.EncodeOptions {
	return yaml.EncodeOptions{
		Reveal: o.Reveal, Redact: o.Redact, NoComments: o.NoComments || o.Redact, DropTags: o.DropTags,
		Compact: o.Compact || o.Form == "jsonl", MaxBytes: p.opts.Limits.WithDefaults().Output,
	}
}

// write encodes v in the form of o. Some forms must not mask a value.
func (o RenderOptions) write(w io.Writer, v value.Value, e yaml.EncodeOptions) error {
	masked := false
	e.Masked = &masked
	if err := o.encode(w, v, e); err != nil || !masked {
		return err
	}
	return o.masked(v)
}

func (o RenderOptions) encode(w io.Writer, v value.Value, e yaml.EncodeOptions) error {
	switch o.Form {
	case "", "yaml":
		return yaml.Encode(w, v, e)
	case "json", "jsonl":
		return yaml.EncodeJSON(w, v, e)
	case "toml":
		return yaml.EncodeTOML(w, v, e)
	case "env":
		return yaml.EncodeEnv(w, v, e)
	case "text":
		return yaml.EncodeText(w, v, e)
	}
	return source.Errorf(source.Span{}, source.Usage, "unknown output form %q", o.Form)
}

// A maskNote is the finding about the first mask that one result has in place of a sensitive
// value, as a warning. One result has one warning, however many values it hides.
type maskNote struct{ warning *source.Diagnostic }

// mustReveal reports whether a mask in the result is an error: shells and other programs read
// these forms, and would deploy it (spec: everyday, A2).
func (o RenderOptions) mustReveal() bool { return o.NoMask || o.Form == "env" || o.Form == "text" }

// masked records that v was written with masks in place of sensitive values. It returns an error
// where that must not happen.
//
// Code: redacted.
func (o RenderOptions) masked(v value.Value) error {
	if !o.mustReveal() && (o.Redact || o.note == nil || o.note.warning != nil) {
		return nil // it was asked for, or there is a warning already
	}
	path, more := value.FirstMarked(v, value.Sensitive)
	if !o.mustReveal() {
		others := ""
		if more {
			others = ", and so are others"
		}
		o.note.warning = source.Warnf(source.Span{}, source.Redacted, "%s is printed as %s%s", nameOf(path), value.SensitiveText, others).
			WithHint("--reveal prints it")
		o.note.warning.Cause = &yaml.PathError{Path: path}
		return nil
	}
	d := source.Errorf(source.Span{}, source.Redacted, "%s", mistaken(path)).
		WithHint("--reveal prints it")
	d.Cause = &yaml.PathError{Path: path}
	return d
}

// mistaken returns the message for a mask that must not be printed.
func mistaken(path value.Path) string {
	return nameOf(path) + " is sensitive, and " + value.SensitiveText + " would be taken for its value"
}

// nameOf returns a path in a result for messages; the result may be one value without a path.
func nameOf(path value.Path) string {
	if len(path) == 0 {
		return "the value"
	}
	return path.String()
}

// Located adds to an error of [Project.WriteValue] the place that defines the value, which is
// the one at a path of the document.
func (d *Document) Located(path string, err error) error {
	steps, failed := docpath.Parse(path)
	if failed != nil || err == nil {
		return err
	}
	defer d.lock()()
	_, keys, failed := d.engine.Walk(steps)
	if failed != nil {
		return err
	}
	return d.locatedBelow(keys, err)
}
