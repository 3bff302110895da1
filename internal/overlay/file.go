package overlay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// A File is a file with its text before and after edits. Both are decrypted for an encrypted
// file.
type File struct {
	Name      string // as the user named it
	Old, Text string

	files  *load.Files
	keys   *crypto.Decrypter
	stored string // content of the file on disk, possibly encrypted
	given  bool   // the text is from Options.Load.Overlay, not from the file
}

// Open reads a file for editing, and decrypts it if its name has the ending of encrypted files.
// "-" is standard input.
//
// Codes: access, decryption, limit; output for a text that is not UTF-8.
func Open(ctx context.Context, files *load.Files, name string, o engine.Options) (*File, error) {
	if text, ok := files.Overlaid(name); ok {
		return &File{Name: name, Old: text, Text: text, files: files, given: true}, nil
	}
	data, err := files.Bytes(name)
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, files: files, stored: asText(data)}
	if crypto.IsVault(f.stored) {
		return nil, source.Errorf(source.Span{}, source.Output, "%s is encrypted by ansible-vault: such files are read, and not written", files.Shown(name)).
			WithHint("ansible-vault edit changes it")
	}
	f.Old = f.stored
	if f.Encrypted() {
		f.keys = o.Decrypter()
		text, err := f.keys.Decrypt(ctx, files.Shown(name), data, o.Limits.WithDefaults().Bytes)
		if err != nil {
			return nil, err
		}
		f.Old = asText(text)
	}
	if i := firstInvalid(f.Old); i >= 0 {
		text := &source.File{Name: files.Shown(name), Text: f.Old, Secret: f.Encrypted()}
		return nil, source.Errorf(text.Span(i, i+1), source.Output, "%s is not in UTF-8: it cannot be edited", text.Name).
			WithHint("save the file in UTF-8")
	}
	f.Text = f.Old
	return f, nil
}

// firstInvalid returns the offset of the first byte that is not UTF-8, or -1.
func firstInvalid(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

// asText converts data to a string without copying. The caller must not change data
// afterwards.
func asText(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// IsEncrypted reports whether a file of that name is encrypted.
func IsEncrypted(name string) bool { return source.IsEncrypted(name) }

// Encrypted reports whether the text is encrypted in the file.
func (f *File) Encrypted() bool { return source.IsEncrypted(f.Name) }

// Path returns the absolute path of the file, "-" for standard input.
func (f *File) Path() string {
	if f.Name == "-" {
		return f.Name
	}
	return f.files.Absolute(f.Name)
}

// Changed reports whether the text differs from the one that was read.
func (f *File) Changed() bool { return f.Text != f.Old }

// Save writes the files that changed: all of them, or none if one cannot be written or has
// another content than the one that was read. A concurrent reader of a file sees the old text or
// the new one. Permissions are kept and links are followed. Another Save of one of the files
// waits, and then fails because the content changed. Encrypted files are encrypted for the same
// recipients as before.
//
// Codes: access; decryption if a file cannot be encrypted for the same recipients; usage for
// standard input and for texts of Options.Load.Overlay.
func Save(ctx context.Context, files []*File) error {
	changed, err := writable(files)
	if err != nil || len(changed) == 0 {
		return err
	}
	list := make([]load.Rewrite, len(changed))
	for i, f := range changed {
		if list[i], err = f.rewrite(ctx); err != nil {
			return err
		}
	}
	return changed[0].files.RewriteAll(list)
}

// Backup writes the old content of each changed file to a new file next to it with the same
// permissions, named with ".bak" at the end, or the next free one of ".bak.1", ".bak.2".
// Encrypted content stays encrypted.
//
// Codes: access; usage for standard input.
func Backup(files []*File) error {
	changed, err := writable(files)
	if err != nil {
		return err
	}
	for _, f := range changed {
		if err := f.files.Backup(f.Name, f.stored); err != nil {
			return err
		}
	}
	return nil
}

// writable returns the files that changed, or an error if one of the files cannot be written.
func writable(files []*File) ([]*File, error) {
	var changed []*File
	for _, f := range files {
		switch {
		case f.Name == "-":
			return nil, source.Errorf(source.Span{}, source.Usage, "standard input cannot be written")
		case f.given:
			return nil, source.Errorf(source.Span{}, source.Usage, "%s was not read from its file and cannot be written: take the text from the result", f.Name)
		case f.Changed():
			changed = append(changed, f)
		}
	}
	return changed, nil
}

// rewrite returns the new content of the file; an encrypted one is encrypted again.
func (f *File) rewrite(ctx context.Context) (load.Rewrite, error) {
	r := load.Rewrite{Name: f.Name, Old: f.stored, New: f.Text}
	if !f.Encrypted() {
		return r, nil
	}
	shown := f.files.Shown(f.Name)
	to, err := crypto.RecipientsOf(shown, []byte(f.stored))
	if err != nil {
		return r, err
	}
	message, err := f.keys.Encrypt(ctx, to, []byte(f.Text))
	if err != nil {
		return r, notWritten(shown, to, err)
	}
	r.New = asText(message)
	return r, nil
}

// notWritten adds to an error the name of the file that cannot be encrypted and the keys that
// can open it.
func notWritten(name string, to crypto.Recipients, err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return err
	}
	named := *d
	named.Message = name + " was not written: " + d.Message
	named.Notes = slices.Clone(d.Notes)
	var keys []string
	for _, id := range to.IDs {
		keys = append(keys, fmt.Sprintf("%016X", id))
	}
	if len(keys) > 0 {
		named.Note(source.Span{}, "%s is encrypted for %s: the public keys of all of them are needed", name, strings.Join(keys, ", "))
	}
	return &named
}
