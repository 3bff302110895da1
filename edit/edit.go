package edit

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Op says what an edit does.
type Op uint8

// The operations. The last five are those of JSON Patch (RFC 6902) that the others
// do not cover.
const (
	Set     Op = iota // Value is what stands at Path
	Delete            // nothing stands at Path
	Append            // the list at Path has Value behind its last item
	Rename            // what stands at Path has another Key
	Add               // as SetValue; in a list a new item, behind the last one for "-"
	Replace           // as SetValue, of what is there
	Copy              // as AddValue, with what stands at From
	Move              // as CopyValue, and nothing stands at From
	Test              // nothing changes; it is an error if Path has another Value
)

// An Edit is one change of a document with its directives carried out: of what
// [Document.Expanded] returns.
type Edit struct {
	Op    Op
	Path  string      // as for [Document.Get]
	Value value.Value // of the operations with a value; texts with templates are templates
	Key   string      // RenameKey
	From  string      // CopyValue, MoveValue: a path

	// At is where the edit is written down, for messages. It may be no place.
	At source.Span
}

// A Target is where a value that is brought from elsewhere is edited.
type Target uint8

// The targets.
const (
	Override Target = iota // in the named file, as an override
	Source                 // where the value is defined: in a template or an included file
)

// Options say what an edit may do. The zero value is the careful one.
type Options struct {
	To Target

	// AllowChanges accepts an edit although other values change with it, as those do
	// that are built on what it changes.
	AllowChanges bool
	// Literal lets the result of an expression take the place of the expression.
	Literal bool
	// NoInline keeps every directive: what can only be written by writing out what a
	// directive brings is a conflict. It matters to [RestoreFile].
	NoInline bool

	// Doc is the document that the paths are in, counted from 0; nil is the only one
	// that has the path.
	Doc *int
}

// Apply makes edits in a file, all of them or none; the file stays as it is. Only the
// bytes that have to change do. What an include or a pointer brings is overridden in
// the file, or changed where it stands if that is the target; then other files may
// change as well. The file is expanded again: each path must have come to what was
// asked for, and nothing else to something new. No expression or template is evaluated
// for that. In a Yay file plain values can be set and deleted.
//
// Codes: not-found and syntax for a path, bad-type and duplicate-key for what does not
// fit the document, output for what cannot be written (the cause is a
// [*source.Refusal]), bad-value for a test that fails, decryption, and what opening the
// files finds.
func Apply(ctx context.Context, name string, edits []Edit, o yaytpl.Options, eo Options) (*Result, error) {
	x, err := newSession(ctx, name, o.Engine(ctx, name), eo)
	if err != nil {
		return nil, err
	}
	if err := x.refuseResults(edits); err != nil {
		return nil, err
	}
	if err := x.make(edits); err != nil {
		return nil, err
	}
	return x.edited(), nil
}

// located gives an error the place where the edit is written down, as that of the error
// or as a note.
func (e Edit) located(err error) error {
	var d *source.Diagnostic
	if e.At.IsZero() || !errors.As(err, &d) {
		return err
	}
	if d.At.IsZero() {
		return d.Located(e.At)
	}
	noted := *d
	noted.Notes = slices.Clone(d.Notes)
	return noted.Note(e.At, "the edit")
}

// Parse reads PATH=VALUE, which sets, or PATH+=VALUE, which appends, with VALUE in
// YAML.
//
// Code: usage.
func Parse(text string) (Edit, error) {
	path, val, ok := Cut(text)
	if !ok {
		return Edit{}, source.Errorf(source.Span{}, source.Usage, "an edit is PATH=VALUE or PATH+=VALUE, not %q", text)
	}
	e := Edit{Op: Set}
	if e.Path, ok = strings.CutSuffix(path, "+"); ok {
		e.Op = Append
	}
	var err error
	e.Value, err = yaytpl.ParseValue(val)
	return e, err
}

// Cut splits PATH=TEXT at the first "=" that is not part of the path. It returns
// false if there is none.
func Cut(edit string) (path, text string, ok bool) { return docpath.CutAssignment(edit) }

// An Result is the result of edits: the files that they change. Nothing is written yet.
type Result struct {
	Files    []*File              // the named file first, then others that change, by name
	Others   []value.Change       // what else changed, if that was allowed
	Warnings []*source.Diagnostic // remarks for the user about the edits
}

// An File is one file with its text before and after. The text of an encrypted file is
// the decrypted one.
type File struct {
	Name      string // as the user named it
	Old, Text string

	file *overlay.File
}

// Encrypted reports whether the text is encrypted in the file.
func (f *File) Encrypted() bool { return f.file.Encrypted() }

// Changed reports whether the text differs from the one that was read.
func (f *File) Changed() bool { return f.Text != f.Old }

// Changed reports whether any file has another text than before.
func (e *Result) Changed() bool { return slices.ContainsFunc(e.Files, (*File).Changed) }

// Save writes the texts into those files that changed: into all of them, or into none if one
// cannot be written or was changed by others since it was read. A reader of a file sees the
// old text or the new one, whole; permissions stay, and links are followed. Others who save
// one of the files at the same time wait, and then find it changed. Encrypted files are
// encrypted for those who could open them before.
//
// Codes: access; decryption if a file cannot be encrypted for the same recipients;
// usage for standard input and for texts of Options.Overlay.
func (e *Result) Save() error { return overlay.Save(e.files()) }

// Backup writes the former content of each file that changed next to it, under its name with
// ".bak", for the same readers: encrypted content stays encrypted.
//
// Codes: access; usage for standard input.
func (e *Result) Backup() error { return overlay.Backup(e.files()) }

// files returns the files with the texts that the caller may have changed.
func (e *Result) files() []*overlay.File {
	files := make([]*overlay.File, len(e.Files))
	for i, f := range e.Files {
		f.file.Text = f.Text
		files[i] = f.file
	}
	return files
}

// A session is the edits of one call: the texts so far, and what there is to say about them.
type session struct {
	*overlay.Overlay
	eo       Options
	others   []value.Change
	warnings []*source.Diagnostic
}

func newSession(ctx context.Context, name string, o engine.Options, eo Options) (*session, error) {
	x, err := overlay.New(ctx, name, o)
	return &session{Overlay: x, eo: eo}, err
}

// accept makes t the current texts. p is the project that they were opened as, or nil.
func (x *session) accept(t overlay.Texts, p *engine.Project) {
	x.Accept(t, p)
	x.warnings = append(x.warnings, t.Warnings...)
}

// edited returns the files with their current texts.
func (x *session) edited() *Result {
	e := &Result{Others: x.others, Warnings: x.warnings}
	for _, f := range x.Files() {
		e.Files = append(e.Files, &File{f.Name, f.Old, f.Text, f})
	}
	return e
}
