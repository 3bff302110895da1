package edit

import (
	"context"
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Op is the operation of an [Edit].
type Op uint8

// The operations. The last five are operations of JSON Patch (RFC 6902) that the others
// do not cover.
const (
	Set     Op = iota // Path has Value; missing maps around it are created
	Delete            // Path has no value
	Append            // the list at Path has Value after its last item
	Rename            // the entry at Path has the key Key
	Add               // as Set, in an existing map; in a list, a new item before Path, or after the last item for "-"
	Replace           // as Set, of an existing value
	Copy              // as Add, with the value at From
	Move              // as Copy, and From is deleted
	Test              // no change: an error if Path has another value than Value
)

// An Edit is one change of an expanded document, as [yaytpl.Document.Expanded] returns it:
// directives are carried out, templates are text.
type Edit struct {
	Op    Op
	Path  string      // as for [yaytpl.Document.Get]
	Value value.Value // for Set, Append, Add, Replace, Test; text with "{{" is a template
	Key   string      // for Rename: the new key
	From  string      // for Copy and Move: a path

	// At is the place of the edit in a list of edits, for messages. It may be zero.
	At source.Span

	fixed    *fixed               // if it is not nil, the place in the stead of Path
	tag      string               // of Value, if that is a map or a list: see [Assign]
	warnings []*source.Diagnostic // of reading Value
}

// A Target is the file in which a value that comes from an include or a reference is edited.
type Target uint8

// The targets.
const (
	Override Target = iota // the named file, which overrides the value
	Source                 // the file that defines the value, at the definition
)

// Options are the options of edits. The zero value allows no side effects.
type Options struct {
	To Target

	// AllowChanges accepts edits that change other values as well, such as those that refer
	// to the edited value.
	AllowChanges bool
	// All lets a path match several places: all of them are edited. In a path with dots,
	// "*" without quotes matches all entries or items, and [name=web] for all items
	// with that entry. Without All exactly one place must match.
	All bool
	// References gives what refers to a renamed key its new name: in templates, expressions
	// and pointers of the named file, and with the target Source in other files. The finished
	// document must stay the same but for the key.
	References bool
	// Literal accepts a value that replaces the expression or template that computes it.
	Literal bool
	// Inline allows to expand a directive where nothing else gives the edited document, such as the
	// directive of a spliced list. Without it this is a conflict, unless the directive is the only entry of its
	// map, or is "<<".
	Inline bool
	// NoInline keeps every directive: a change that can only be written by expanding a
	// directive is a conflict. It only applies to [Restore].
	NoInline bool

	// AllowClear allows an edit to write a secret into a file that is not encrypted: a value
	// in the place of one that comes from an encrypted file or is marked sensitive, or the text
	// of one.
	AllowClear bool

	// Doc is the number of the document that the paths are in, counted from 0. If it is nil,
	// exactly one document must have each path.
	Doc *int
}

// Apply applies edits to a file and returns the new texts. Either all edits are applied or
// none; nothing is written before [Result.Save]. Only the bytes that must change do.
//
// A value that comes from an include or a pointer is overridden in the named file, or
// changed in the file that defines it if the target is [Source]; then other files may change
// as well. The new texts are expanded again: each path must have the value that was asked
// for, and no other value may change unless [Options].AllowChanges is set. Expressions and
// templates are not evaluated for that. In a Yay file only plain values can be set and deleted.
//
// Codes: usage for an unknown operation; not-found and syntax for a path; bad-type and duplicate-key for an edit that does
// not fit the document; output for an edit that cannot be written (the cause is a
// [*source.Refusal]); secret-in-clear for one that would write a secret into a file that is not
// encrypted; bad-value for a failed [Test]; decryption; internal for a text that a second reader of YAML reads
// differently; and the codes of [yaytpl.Open].
func Apply(ctx context.Context, name string, edits []Edit, o yaytpl.Options, eo Options) (*Result, error) {
	return apply(ctx, name, edits, o.Engine(ctx, name), eo)
}

// begin opens a session for edits, and returns the edits as its file takes them.
func begin(ctx context.Context, name string, edits []Edit, o engine.Options, eo Options) (*session, []Edit, error) {
	for _, e := range edits {
		if e.Op > Test {
			return nil, nil, e.located(source.Errorf(source.Span{}, source.Usage, "%s: unknown operation %d", e.Path, e.Op))
		}
	}
	x, err := newSession(ctx, name, o, eo)
	if err != nil {
		return nil, nil, err
	}
	if x.Lang == frontend.Env {
		if edits, err = envEdits(edits); err != nil {
			return nil, nil, err
		}
	}
	for _, e := range edits {
		x.give(e.Value)
		x.warnings = append(x.warnings, e.warnings...)
	}
	return x, edits, x.refuseResults(edits)
}

func apply(ctx context.Context, name string, edits []Edit, o engine.Options, eo Options) (*Result, error) {
	x, edits, err := begin(ctx, name, edits, o, eo)
	if err != nil {
		return nil, err
	}
	for len(edits) > 0 {
		n := slices.IndexFunc(edits, func(e Edit) bool { return e.Op == Rename })
		if n < 0 {
			n = len(edits)
		} else if len(edits) > 1 {
			x.rememberSecrets()
		}
		if err := x.make(edits[:n]); err != nil {
			return nil, err
		}
		if edits = edits[n:]; len(edits) > 0 {
			if err := x.rename(edits[0]); err != nil {
				return nil, err
			}
			edits = edits[1:]
		}
	}
	return x.result(), nil
}

// envEdits returns edits of a .env file, whose values are texts: 81 is "81".
//
// Code: output for lists and maps.
func envEdits(edits []Edit) ([]Edit, error) {
	texts := slices.Clone(edits)
	for i, e := range texts {
		text, ok := overlay.EnvValue(e.Value)
		switch {
		case e.Op != Set && e.Op != Add && e.Op != Replace && e.Op != Test:
		case !ok:
			return nil, e.located(source.Refuse(source.Span{}, source.NoSpelling, "the value of %s is %s, and a .env file has only texts", e.Path, value.Article(e.Value.Kind())))
		default:
			texts[i].Value = text
		}
	}
	return texts, nil
}

// refuseResults returns an error if an edit would replace an expression or template by its
// own result. Edits of values that are read from an evaluated document do that by mistake.
// Errors of a path are left to make.
func (x *session) refuseResults(edits []Edit) error {
	b, err := x.batch()
	if err != nil || x.eo.Literal || b.project == nil {
		return err
	}
	var exact []Edit
	for _, e := range edits {
		if e.Op == Set || e.Op == Replace {
			found, _ := b.exactly(e)
			exact = append(exact, found...)
		}
	}
	for _, e := range exact {
		at, err := b.locateEdit(e, false)
		if err != nil {
			continue
		}
		eval, err := at.doc.Eval()
		if err != nil {
			return e.located(err)
		}
		cell := eval.Root().At(at.path)
		raw, _, rawErr := cell.Raw()
		if rawErr != nil {
			continue // the edit may correct it
		}
		result, ok, err := cell.Value()
		if !ok || err != nil {
			continue
		}
		if marks, err := value.DeepMarks(result); err != nil || marks != 0 {
			continue // an error for the right guess only would show a secret; checkClear refuses any text
		}
		isResult, err := value.Equal(result, e.Value)
		isText, textErr := value.Equal(raw, e.Value)
		if err == nil && textErr == nil && isResult && !isText {
			d := source.Refuse(source.Span{}, source.ResultOfExpr, "%s already has this value as the result of an expression", at.path)
			if x.Lang == yay.Language {
				return e.located(d.WithHint("write the value in the place of the expression by hand"))
			}
			return e.located(d.WithHint("--literal writes the value in the place of the expression"))
		}
	}
	return nil
}

// located adds the place of the edit to an error: as its place or, if it has one, as a note.
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

// Cut splits PATH=TEXT at the first "=" that is not part of the path. It reports
// whether there is one.
func Cut(edit string) (path, text string, ok bool) { return docpath.CutAssignment(edit) }

// A Result is the new texts of files, which are not saved yet.
type Result struct {
	Files    []*File              // the named file first, then other changed files, by name
	Others   []value.Change       // changes of other values, if these were allowed
	Warnings []*source.Diagnostic // for the user

	ctx context.Context // of the call
}

// A File is one file of a [Result]. Callers may change Text before they save it.
type File struct {
	Name string // as the user named it
	Old  string // the text that was read, decrypted
	Text string // the text after the edits, decrypted

	file   *overlay.File
	hidden map[string]bool // texts that MaskedLines masks
}

// Encrypted reports whether the file on disk is encrypted.
func (f *File) Encrypted() bool { return f.file.Encrypted() }

// Changed reports whether the text differs from the one that was read.
func (f *File) Changed() bool { return f.Text != f.Old }

// Changed reports whether the text of any file changed.
func (e *Result) Changed() bool { return slices.ContainsFunc(e.Files, (*File).Changed) }

// Save writes the changed files: all of them, or none if one cannot be written or has changed
// on disk since it was read. Each file is replaced as a whole; permissions stay, and links
// are followed. Concurrent calls for one file wait for each other; the second one fails,
// since the file has changed. Encrypted files are encrypted for the same recipients.
//
// Codes: access; decryption if a file cannot be encrypted for the same recipients;
// usage for standard input and for texts of [yaytpl.Options].Overlay.
func (e *Result) Save() error {
	if e.ctx == nil {
		return e.SaveContext(context.Background())
	}
	return e.SaveContext(e.ctx)
}

// SaveContext is Save with a context. The context of the call that made the result may be done by now, and
// encrypting a file may run gpg.
func (e *Result) SaveContext(ctx context.Context) error { return overlay.Save(ctx, e.files()) }

// Backup writes the content of each changed file, as it was read, to its name with ".bak" or, if
// that exists, with ".bak.1" and so on: it overwrites no file. Encrypted content stays encrypted.
//
// Codes: access; usage for standard input.
func (e *Result) Backup() error { return overlay.Backup(e.files()) }

// files returns the files with the texts of e, which the caller may have changed.
func (e *Result) files() []*overlay.File {
	files := make([]*overlay.File, len(e.Files))
	for i, f := range e.Files {
		f.file.Text = f.Text
		files[i] = f.file
	}
	return files
}

// A session is one call of [Apply], [Restore] or [Preview].
type session struct {
	*overlay.Overlay // the texts so far
	ctx              context.Context
	eo               Options
	others           []value.Change
	warnings         []*source.Diagnostic
	given            map[string]bool // texts that encrypted files gave the edits
	shown            []value.Value   // evaluated documents that the user saw
	exposed          error           // the error of a comment that must not be written
	clear            map[string]bool // texts of secrets in clear that were allowed
	earlier          *knownSecrets   // the secrets before the first step, if there are several; may be nil
}

func newSession(ctx context.Context, name string, o engine.Options, eo Options) (*session, error) {
	x, err := overlay.New(ctx, name, o)
	return &session{Overlay: x, ctx: ctx, eo: eo}, err
}

// accept makes t the current texts. p is the project that they were opened as; it is nil if they
// cannot write a secret: see [batch.mayExpose].
//
// Codes: secret-in-clear, output, internal.
func (x *session) accept(t overlay.Texts, p *engine.Project) error {
	if err := x.CheckReaders(t); err != nil {
		return err
	}
	if p != nil {
		if err := x.checkClear(t, p); err != nil {
			return err
		}
		if err := x.checkNotations(t, p); err != nil {
			return err
		}
	}
	x.Accept(t, p)
	x.warnings = append(x.warnings, t.Warnings...)
	return nil
}

// result returns the files with their current texts.
func (x *session) result() *Result {
	e := &Result{Others: x.others, Warnings: x.warnings, ctx: x.ctx}
	for _, f := range x.Files() {
		e.Files = append(e.Files, &File{f.Name, f.Old, f.Text, f, x.clear})
	}
	return e
}
