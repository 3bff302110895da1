package edit

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/docpath"
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
