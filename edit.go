package yaytpl

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An EditOp says what an edit does.
type EditOp uint8

// The operations.
const (
	SetValue    EditOp = iota // Value is what stands at Path
	DeletePath                // nothing stands at Path
	AppendValue               // the list at Path has Value behind its last item
	RenameKey                 // what stands at Path has another Key
)

// An Edit is one change of a document with its directives carried out: of what
// [Document.Expanded] returns.
type Edit struct {
	Op    EditOp
	Path  string      // as for [Document.Get]
	Value value.Value // SetValue, AppendValue; texts with templates are templates
	Key   string      // RenameKey
}

// EditOptions say what an edit may do. The zero value is the careful one.
type EditOptions struct {
	// AllowChanges accepts an edit although other values change with it, as those do
	// that are built on what it changes.
	AllowChanges bool
	// Literal lets the result of an expression take the place of the expression.
	Literal bool
}

// EditFile makes edits in a file of YAML or JSON, all of them or none; the file stays
// as it is. Only the bytes that have to change do. What an include or a pointer brings
// is overridden in the file, not changed where it stands. After every edit the file is
// expanded again: Path must have come to what was asked for, and nothing else to
// something new. No expression or template is evaluated for that.
//
// Codes: usage (a file in another language), not-found and syntax for a path, output
// for what cannot be written, decryption, and what opening the file finds.
func EditFile(ctx context.Context, name string, edits []Edit, o Options, eo EditOptions) (*Edited, error) {
	syntax, err := editSyntax(name, o)
	if err != nil {
		return nil, err
	}
	files := filesFor(ctx, o, name)
	f, err := openForEdit(ctx, files, name, o)
	if err != nil {
		return nil, err
	}
	x := editing{ctx: ctx, name: name, path: files.Absolute(name), opts: o, eo: eo, syntax: syntax, text: f.Old}
	for _, e := range edits {
		if err := x.edit(e); err != nil {
			return nil, err
		}
	}
	f.Text = x.text
	return &Edited{Files: []*EditedFile{f}, Others: x.others}, nil
}

// editSyntax returns the notation of a file that can be edited.
func editSyntax(name string, o Options) (roundtrip.Syntax, error) {
	front, err := frontendFor(&source.File{Name: name}, o.Lang)
	if err != nil {
		return nil, err
	}
	opts := yaml.ParseOptions{Lenient: o.Lenient, NoTemplates: o.NoTemplates}
	switch front.name {
	case yay.Language:
		return nil, source.Errorf(source.Span{}, source.Usage, "%s is in Yay: only YAML and JSON can be edited", name)
	case "json":
		return JSONSyntax(opts), nil
	}
	return YAMLSyntax(opts), nil
}

// An editing is the edits of one file under way.
type editing struct {
	ctx    context.Context
	name   string
	path   string
	opts   Options
	eo     EditOptions
	syntax roundtrip.Syntax
	text   string // so far
	others []Change
}

// open returns the file as if it had a text.
func (x *editing) open(text string) (*Project, error) {
	o := x.opts
	if x.name == "-" {
		o.Stdin = strings.NewReader(text)
	} else {
		o.Overlay = maps.Clone(o.Overlay)
		if o.Overlay == nil {
			o.Overlay = map[string]string{}
		}
		o.Overlay[x.path] = text
	}
	return Open(x.ctx, []string{x.name}, o)
}

// file returns the text so far as a file.
func (x *editing) file() *source.File {
	return &source.File{Name: x.name, Text: x.text, Secret: crypto.Encrypted(x.name)}
}

// edit makes one edit: of the ways to write it, the first that comes to what was asked
// for and to nothing else.
func (x *editing) edit(e Edit) error {
	p, err := x.open(x.text)
	if err != nil {
		return err
	}
	place, err := x.locate(p, e)
	if err != nil {
		return err
	}
	if !x.eo.Literal {
		if err := place.overwritesResult(e); err != nil {
			return err
		}
	}
	if place.standsAlone() {
		return x.direct(place.doc.index, place.ways(e)[0])
	}
	before, err := expandedData(place.doc)
	if err != nil {
		return err
	}
	want, err := place.wanted(before, e)
	if err != nil {
		return err
	}
	if same, err := value.Equal(before, want); same || err != nil {
		return err
	}
	a := attempts{editing: x, place: place, edit: e, want: want}
	return a.all(before)
}

// direct makes an edit in a document of which each value stands where it is written:
// that nothing else changes need not be looked for.
func (x *editing) direct(doc int, way []roundtrip.Edit) error {
	r, err := roundtrip.Apply(x.file(), x.syntax, doc, way)
	if err == nil {
		x.text = r.Text
	}
	return err
}

// expandedData returns a document with its directives carried out, as data.
func expandedData(d *Document) (value.Value, error) {
	v, err := d.Expanded()
	if err != nil {
		return value.Null, err
	}
	return value.Plain(v)
}

// attempts are the ways to write one edit.
type attempts struct {
	*editing
	place editPlace
	edit  Edit
	want  value.Value
	first error // why the first way did not do
}

func (a *attempts) all(before value.Value) error {
	ways := a.place.ways(a.edit)
	for i := 0; i < len(ways); i++ {
		after, text, err := a.try(ways[i])
		if err != nil {
			a.failed(err)
			continue
		}
		eq, err := value.Equal(after, a.want)
		switch {
		case err != nil:
			return err
		case eq:
			a.text = text
			return nil
		case i == 0:
			ways = append(ways, a.place.refined(a.edit, after)...)
		}
		if err := a.accept(before, after, text); err != nil {
			a.failed(err)
			continue
		}
		return nil
	}
	return a.first
}

func (a *attempts) failed(err error) {
	var d *source.Diagnostic
	if errors.As(err, &d) && d.Code == source.NotFound { // it is there, but not in this file
		err = source.Errorf(source.Span{}, source.Output, "%s is not written in %s: something brings it there", a.place.path, a.name).
			WithHint("explain tells from where; edit it there")
	}
	if a.first == nil {
		a.first = err
	}
}

// try makes the edits of one way and returns what the document comes to.
func (a *attempts) try(way []roundtrip.Edit) (value.Value, string, error) {
	r, err := roundtrip.Apply(a.file(), a.syntax, a.place.doc.index, way)
	if err != nil {
		return value.Null, "", err
	}
	p, err := a.open(r.Text)
	if err != nil {
		return value.Null, "", err
	}
	d, err := p.Only(a.place.doc.index)
	if err != nil {
		return value.Null, "", err
	}
	after, err := expandedData(d)
	return after, r.Text, err
}

// accept takes a text in which more changed than was asked for, if that is allowed and
// it has what was asked for.
func (a *attempts) accept(before, after value.Value, text string) error {
	others, err := Diff(a.want, after)
	if err != nil {
		return err
	}
	inside := slices.ContainsFunc(others, func(c Change) bool {
		return startsWith(c.Path, a.place.path) || startsWith(a.place.path, c.Path)
	})
	if !a.eo.AllowChanges || inside {
		return a.notAlone(others, inside)
	}
	a.text = text
	a.others = append(a.others, others...)
	return nil
}

// notAlone is the error of an edit that would change something else, or would not
// come to what was asked for.
func (a *attempts) notAlone(others []Change, inside bool) error {
	var paths []string
	for _, c := range others[:min(len(others), 5)] {
		paths = append(paths, c.Path.String())
	}
	if inside {
		d := source.Errorf(source.Span{}, source.Output, "%s cannot be edited in %s: what it is built on shows through at %s", a.place.path, a.name, strings.Join(paths, ", "))
		return d.WithHint("edit the file or the place that it comes from")
	}
	d := source.Errorf(source.Span{}, source.Output, "editing %s would change other values as well: %s", a.place.path, strings.Join(paths, ", "))
	return d.WithHint("--allow-changes lets them change")
}

func startsWith(p, prefix value.Path) bool {
	return len(p) >= len(prefix) && slices.Equal(p[:len(prefix)], prefix)
}

// ParseEdit reads PATH=VALUE, which sets, or PATH+=VALUE, which appends, with VALUE in
// YAML.
//
// Code: usage.
func ParseEdit(text string) (Edit, error) {
	path, val, ok := cutDefine(text)
	if !ok {
		return Edit{}, source.Errorf(source.Span{}, source.Usage, "an edit is PATH=VALUE or PATH+=VALUE, not %q", text)
	}
	e := Edit{Op: SetValue}
	if e.Path, ok = strings.CutSuffix(path, "+"); ok {
		e.Op = AppendValue
	}
	var err error
	e.Value, err = ParseValue(val)
	return e, err
}
