package edit

import (
	"context"
	"slices"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
