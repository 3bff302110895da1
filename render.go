package yaytpl

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/yaytpl/yaytpl/graph"
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

	Form       string // yaml, kyaml, json, jsonl, toml, env or text; "" is yaml
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

	// Each is the path of a list or map whose items are the documents to write, "" for none. Of
	// several documents those count that have the path.
	Each string

	// Place says where the documents are in a longer result, such as that of several targets.
	Place Place

	note *maskNote // of the result that is being written; nil for no warning
	tag  string    // of the value that is being written, if that is a list or map
}

// A Place is the place of documents in a result of several parts, which are written one after the other.
type Place uint8

// The places.
const (
	Alone Place = iota // the documents are the whole result
	First              // the first part
	Later              // another part
)

// Forms returns the values of RenderOptions.Form.
func Forms() []string { return []string{"yaml", "kyaml", "json", "jsonl", "toml", "env", "text"} }

// Render writes the finished documents. If anything fails, nothing is written unless o.Partial
// is set, and the error holds all independent failures.
//
// Codes: usage for an unknown form, not-found and bad-document for o.Each, output for values that the form cannot express, redacted for
// sensitive values that the form must not mask, limit, access if w fails, not-found if o.Doc does
// not exist, and those of evaluation.
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

// renderTo writes the documents that o selects to out while it holds the lock, and returns the
// findings about all of them.
func (p *Project) renderTo(out *bytes.Buffer, o RenderOptions) (err error) {
	defer p.lock()()
	defer p.gather(&err)()
	o.note = &maskNote{}
	defer func() { p.warn(o.note.warning) }()
	units, err := p.units(o)
	if err != nil {
		return err
	}
	if out.Cap() == 0 && len(units) > 0 { // most results are about as large as their sources
		out.Grow(min(units[0].doc.engine.Size(), largeResult))
	}
	return p.renderUnits(out, units, o)
}

// A unit is one document of a result: a document of the project, or an item of RenderOptions.Each.
type unit struct {
	doc  *Document
	last bool // it is the last one of doc

	// For an item: its list or map, and the keys from the root.
	of   value.Value
	path value.Path

	index int // in its list or map, or of the document in the project
}

// units returns the documents of a result. Items are not evaluated yet.
//
// Codes: not-found, bad-document.
func (p *Project) units(o RenderOptions) ([]unit, error) {
	docs := p.docs
	if o.Doc > 0 {
		d, err := p.Only(o.Doc - 1)
		if err != nil {
			return nil, err
		}
		docs = []*Document{d}
	}
	var steps []docpath.Step
	if o.Each != "" {
		var err error
		if steps, err = docpath.Parse(o.Each); err != nil {
			return nil, err
		}
	}
	var units []unit
	found := false
	for _, d := range docs {
		d.engine.Notice()
		if o.Each == "" {
			units = append(units, unit{doc: d, last: true, index: d.engine.Index()})
			continue
		}
		items, err := d.items(steps, o)
		switch {
		case err == nil:
			found = true
			units = append(units, items...)
		case !isNotFound(err) || len(docs) == 1:
			return nil, err
		}
	}
	if o.Each != "" && !found {
		_, _, err := p.engine.Find(o.Each)
		return nil, err
	}
	return units, nil
}

func isNotFound(err error) bool {
	d, ok := err.(*source.Diagnostic)
	return ok && d.Code == source.NotFound
}

// items returns the items of the list or map at a path. Private keys are no items.
func (d *Document) items(steps []docpath.Step, o RenderOptions) ([]unit, error) {
	var v value.Value
	var path value.Path
	var err error
	if o.ExpandOnly {
		if v, err = d.engine.Expanded(); err == nil {
			v, path, err = d.engine.WalkFrom(v, steps)
		}
	} else {
		v, path, err = d.engine.Walk(steps)
	}
	if err != nil {
		return nil, err
	}
	if !o.ExpandOnly {
		v = value.Public(v)
	}
	if !v.Is(value.MapKind) && !v.Is(value.ListKind) {
		bad := source.Errorf(source.Span{}, source.BadDocument, "%s is %s: --each needs a list or a map", nameOf(path), value.Article(v.Kind()))
		bad.Cause = &yaml.PathError{}
		return nil, d.locatedBelow(path, bad)
	}
	var units []unit
	for i, k := range keysOf(v) {
		units = append(units, unit{doc: d, of: v, path: append(slices.Clip(path), k), index: i})
	}
	if len(units) > 0 {
		units[len(units)-1].last = true
	}
	return units, nil
}

// keysOf returns the keys of a map, or the indexes of a list.
func keysOf(v value.Value) []value.Key {
	if v.Is(value.MapKind) {
		return engine.AllKeys(v)
	}
	keys := make([]value.Key, v.List().Len())
	for i := range keys {
		keys[i] = value.Index(i)
	}
	return keys
}

// whole reports whether the unit is a document of the project.
func (u unit) whole() bool { return u.path == nil }

// result evaluates the unit. The marks of the list or map are those of the item as well.
func (u unit) result(o RenderOptions) (v value.Value, err error) {
	switch k := u.key(); {
	case u.whole():
		return u.doc.result(o)
	case u.of.Is(value.ListKind):
		v, err = u.of.List().At(u.index)
	default:
		v, _, err = u.of.Map().Get(k)
	}
	return v.Mark(u.of.Marks()), err
}

// annotation returns the comments and the tag of an item.
func (u unit) annotation() value.Annotation {
	var of any
	if of = u.of.Map(); u.of.Is(value.ListKind) {
		of = u.of.List()
	}
	if notes, ok := of.(value.Annotated); ok {
		if note := notes.AnnotationAt(u.index); note != nil {
			return *note
		}
	}
	return value.Annotation{}
}

// key returns the key of an item, or else the zero key.
func (u unit) key() value.Key {
	if u.whole() {
		return value.Key{}
	}
	return u.path[len(u.path)-1]
}

// renderUnits writes the results of units one after the other.
func (p *Project) renderUnits(out *bytes.Buffer, units []unit, o RenderOptions) error {
	var errs []*source.Diagnostic
	yamlForm := o.Form == "" || o.Form == "yaml"
	several := len(units) > 1 || o.Place != Alone
	for i, u := range units {
		if (i > 0 || o.Place == Later) && yamlForm {
			out.WriteString("---\n")
		}
		start := out.Len()
		err := u.render(out, o, several)
		if err == nil && u.last {
			err = p.warnOfJoins(u.doc, o.Findings)
		}
		if err == nil {
			if i == 0 && several && o.Place != Later && yamlForm {
				markEmpty(out)
			}
			continue
		}
		errs = append(errs, source.Findings(err)...)
		out.Truncate(start)
		if o.Partial {
			errs = append(errs, source.Findings(u.renderPart(out, o, several))...)
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

// render writes one result. several is set if there are others.
func (u unit) render(out *bytes.Buffer, o RenderOptions, several bool) error {
	v, err := u.result(o)
	if err != nil {
		return err
	}
	err = u.write(out, v, o, several)
	if err == nil || graph.Stops(err) && !errors.Is(err, yaml.ErrDepth) {
		return err
	}
	// The encoder stops at the first failure. Force finds the others too.
	if all := u.doc.engine.Force(v); all != nil {
		return all
	}
	return u.doc.locatedBelow(u.path, err)
}

// renderPart writes the result without the values that fail. It returns the error of a limit that only
// this reaches: render ends at the first error, and this goes on.
func (u unit) renderPart(out *bytes.Buffer, o RenderOptions, several bool) error {
	v, err := u.result(o)
	if err != nil {
		return nil // the error of render
	}
	start := out.Len()
	var s salvage
	if err := u.write(out, s.value(v, 0), o, several); err != nil {
		out.Truncate(start)
		s.stopped(err)
	}
	return s.limit
}

// A salvage copies what does not fail of a value.
type salvage struct {
	limit  error // the first error of a limit
	limits int   // errors of limits
}

// mostLimits is the most values that may exceed a limit. If more do, the evaluation has exceeded one, and each
// value that is not known yet fails: then nothing more is copied.
const mostLimits = 100

// stopped counts an error of a limit.
func (s *salvage) stopped(err error) {
	if !graph.Stops(err) {
		return
	}
	if s.limits++; s.limit == nil {
		s.limit = err
	}
}

// value returns v without the entries and items that fail.
func (s *salvage) value(v value.Value, depth int) value.Value {
	v = value.Public(v)
	if depth > value.MaxNesting {
		return value.Null
	}
	switch v.Kind() {
	case value.ListKind:
		var items value.Slice
		for i := 0; i < v.List().Len() && s.limits < mostLimits; i++ {
			if item, err := v.List().At(i); err == nil {
				items = append(items, s.value(item, depth+1))
			} else {
				s.stopped(err)
			}
		}
		return value.FromList(items).Mark(v.Marks())
	case value.MapKind:
		m := value.NewMap(v.Map().Len())
		for _, k := range engine.AllKeys(v) {
			if s.limits >= mostLimits {
				break
			}
			item, ok, err := v.Map().Get(k)
			if ok && err == nil {
				m.Set(k, s.value(item, depth+1))
			}
			s.stopped(err)
		}
		return value.FromMap(m).Mark(v.Marks())
	}
	return v
}

// write encodes v with the comments of the document.
func (u unit) write(out *bytes.Buffer, v value.Value, o RenderOptions, several bool) error {
	if several && o.Form == "json" {
		o.Compact = true // one document per line
	}
	if u.whole() && u.doc.engine.Empty() && (o.Form == "" || o.Form == "yaml") {
		return nil
	}
	e := o.encoding(u.doc.project)
	if u.whole() {
		e.Head, e.Foot = u.doc.engine.Comments()
		e.Tag = u.doc.engine.Tag()
	} else {
		note := u.annotation()
		e.Head, e.Tag = note.Head, note.Tag
	}
	warned := o.note.warning != nil
	err := o.write(out, v, e)
	if w := o.note.warning; w != nil && !warned {
		o.note.warning = source.AsDiagnostic(u.doc.locatedBelow(u.path, w), source.Span{}, source.Redacted)
	}
	return err
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

// WriteValue writes a value of no project in the form of o. Of the other options Limits.Output counts, and Warn with
// Checks.
//
// Codes: those of [Project.Render].
func WriteValue(w io.Writer, v value.Value, opts Options, o RenderOptions) error {
	return (&Project{opts: opts}).WriteValue(w, v, o)
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
		Compact: o.Compact || o.Form == "jsonl", MaxBytes: p.opts.Limits.WithDefaults().Output, Memo: p.engine.Memo(), Tag: o.tag,
	}
}

// write encodes v in the form of o. Some forms must not mask a value.
func (o RenderOptions) write(w io.Writer, v value.Value, e yaml.EncodeOptions) error {
	var marks value.Marks
	e.Marks = &marks
	err := o.encode(w, v, e)
	if o.note != nil {
		o.note.marks |= marks
	}
	if err != nil || marks&value.Sensitive == 0 || o.Reveal {
		return err
	}
	return o.masked(v)
}

func (o RenderOptions) encode(w io.Writer, v value.Value, e yaml.EncodeOptions) error {
	switch o.Form {
	case "", "yaml":
		return yaml.Encode(w, v, e)
	case "kyaml":
		return yaml.EncodeKYAML(w, v, e)
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
type maskNote struct {
	warning *source.Diagnostic
	marks   value.Marks // of all values in the result
}

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
