package yaytpl

import (
	"context"
	"errors"
	"unsafe"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// An Edited is what edits came to: the files that they change. Nothing is written yet.
type Edited struct {
	Files    []*EditedFile        // the named file first, then others that change, by name
	Others   []Change             // what else changed, if that was allowed
	Warnings []*source.Diagnostic // what somebody should know who asked for the edits
}

// An EditedFile is one file with its text before and after. Of an encrypted one it is
// the text inside.
type EditedFile struct {
	Name      string // as the user named it
	Old, Text string

	ctx    context.Context
	files  *load.Files
	keys   *Decrypter
	stored string // what the file held
}

// openForEdit reads a file that is to be edited, and decrypts it if its name says that
// it is encrypted. "-" is standard input.
//
// Codes: access, decryption, limit.
func openForEdit(ctx context.Context, files *load.Files, name string, o Options) (*EditedFile, error) {
	data, err := files.Bytes(name)
	if err != nil {
		return nil, err
	}
	f := &EditedFile{Name: name, ctx: ctx, files: files, stored: asText(data)}
	f.Old = f.stored
	if f.Encrypted() {
		f.keys = o.decrypter()
		text, err := f.keys.Decrypt(ctx, files.Shown(name), data, o.Limits.WithDefaults().Bytes)
		if err != nil {
			return nil, err
		}
		f.Old = asText(text)
	}
	f.Text = f.Old
	return f, nil
}

// asText returns bytes that nobody changes any more as a text, without a copy.
func asText(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// Encrypted reports whether the file is one whose text is encrypted where it stands.
func (f *EditedFile) Encrypted() bool { return crypto.Encrypted(f.Name) }

// Changed reports whether the text is another one than before.
func (f *EditedFile) Changed() bool { return f.Text != f.Old }

// Changed reports whether any file has another text than before.
func (e *Edited) Changed() bool { return len(e.changed()) > 0 }

func (e *Edited) changed() []*EditedFile {
	var changed []*EditedFile
	for _, f := range e.Files {
		if f.Changed() {
			changed = append(changed, f)
		}
	}
	return changed
}

// Save writes the texts into those files that have another one now. A reader of a file
// sees the old text or the new one, and the permissions stay. If one of the files
// changed since it was read, none is written. Encrypted files are encrypted for those
// who could open them before.
//
// Codes: access; decryption if a file cannot be encrypted for the same recipients;
// usage for standard input.
func (e *Edited) Save() error {
	changed, err := e.writable()
	if err != nil {
		return err
	}
	texts := make([][]byte, len(changed))
	for i, f := range changed {
		if texts[i], err = f.bytes(); err != nil {
			return err
		}
	}
	for _, f := range changed {
		if err := f.unchanged(); err != nil {
			return err
		}
	}
	for i, f := range changed {
		if err := f.files.Replace(f.Name, texts[i]); err != nil {
			return err
		}
	}
	return nil
}

// Backup writes what each file that changes held beside it, under its name with ".bak".
// What was encrypted stays so.
//
// Codes: access; usage for standard input.
func (e *Edited) Backup() error {
	changed, err := e.writable()
	if err != nil {
		return err
	}
	for _, f := range changed {
		if err := f.files.Replace(f.Name+".bak", []byte(f.stored)); err != nil {
			return err
		}
	}
	return nil
}

// writable returns the files to write, all of which are files.
func (e *Edited) writable() ([]*EditedFile, error) {
	for _, f := range e.Files {
		if f.Name == "-" {
			return nil, source.Errorf(source.Span{}, source.Usage, "standard input cannot be written")
		}
	}
	return e.changed(), nil
}

// bytes returns what the file is to hold.
func (f *EditedFile) bytes() ([]byte, error) {
	if !f.Encrypted() {
		return []byte(f.Text), nil
	}
	shown := f.files.Shown(f.Name)
	to, err := crypto.RecipientsOf(shown, []byte(f.stored))
	if err != nil {
		return nil, err
	}
	message, err := f.keys.Encrypt(f.ctx, to, []byte(f.Text))
	return message, notWritten(shown, err)
}

// notWritten adds the name of a file that could not be encrypted.
func notWritten(name string, err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return err
	}
	named := *d
	named.Message = name + " was not written: " + d.Message
	return &named
}

// unchanged returns an error if the file holds something else than when it was read.
func (f *EditedFile) unchanged() error {
	now, err := f.files.Bytes(f.Name)
	if err == nil && string(now) != f.stored {
		err = source.Errorf(source.Span{}, source.Access, "%s changed while it was edited; it was not written", f.files.Shown(f.Name))
	}
	return err
}
