package yaytpl

import (
	"context"
	"io"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/source"
)

// Formatted is a file with its text in the standard layout of its language.
type Formatted struct {
	Name    string // as the user named it
	Text    string
	Changed bool // the file has another text

	files *load.Files
	old   string
}

// Format reads a file and lays its text out anew; the file stays as it is. "-" is
// standard input. Of the options, those about the language, directories and limits
// count. Only files of the Yay language can be formatted.
//
// Codes: usage (another language, or an encrypted file), access, limit, and what
// parsing finds.
func Format(ctx context.Context, name string, o Options) (*Formatted, error) {
	e := o.Engine(ctx, name)
	language, err := formattable(name, o.Lang)
	if err != nil {
		return nil, err
	}
	files := e.Files()
	data, err := files.Bytes(name)
	if err != nil {
		return nil, err
	}
	shown := name
	if name != "-" {
		shown = files.Shown(name)
	}
	old := string(data)
	text, findings := language.Format(source.NewFile(shown, old), e.Parse)
	if len(findings) > 0 {
		return nil, source.OneOrMany(findings)
	}
	return &Formatted{Name: name, Text: text, Changed: text != old, files: files, old: old}, nil
}

// formattable returns the language of a file, which has a formatter.
func formattable(name, lang string) (frontend.Language, error) {
	if crypto.Encrypted(name) {
		return frontend.Language{}, source.Errorf(source.Span{}, source.Usage, "%s is encrypted: its text cannot be formatted", name).
			WithHint("yaytpl decrypt prints it")
	}
	l, err := frontend.For(&source.File{Name: name}, lang)
	if err == nil && l.Format == nil {
		err = source.Errorf(source.Span{}, source.Usage, "%s is %s, which cannot be formatted yet", name, l.Name).
			WithHint("there is a layout for .yay; --lang yay says that a file is of this language")
	}
	return l, err
}

// Save writes the text into the file, if that has another one. A reader sees the old
// text or the new one, and the permissions stay.
//
// Codes: access; usage for standard input, which is no place for it.
func (f *Formatted) Save() error {
	switch {
	case f.Name == "-":
		return source.Errorf(source.Span{}, source.Usage, "standard input cannot be written").
			WithHint("Formatted.Text is what it comes to")
	case !f.Changed:
		return nil
	}
	return f.files.RewriteAll([]load.Rewrite{{Name: f.Name, Old: f.old, New: f.Text}})
}

// Decrypt writes the text of an encrypted file, whatever it is called, byte for byte.
// "-" is standard input. Nothing is written if anything is wrong with the file.
//
// Codes: access, decryption, limit.
func Decrypt(ctx context.Context, w io.Writer, name string, o Options) error {
	e := o.Engine(ctx, name)
	files := e.Files()
	data, err := files.Bytes(name)
	if err != nil {
		return err
	}
	text, err := e.Decrypter().Decrypt(ctx, files.Shown(name), data, o.Limits.WithDefaults().Bytes)
	if err != nil {
		return err
	}
	return show.WriteTo(w, text)
}

// Encryption says how a file is encrypted.
type Encryption struct {
	To crypto.Recipients

	// Out is the file to write, of which a reader sees all or nothing. Its name ends in
	// .gpg or .asc. If it is empty, the writer gets the message.
	Out string
}

// Encrypt encrypts a file. One that is encrypted is decrypted first, and keeps its
// armour; so its recipients can be changed. "-" is standard input.
//
// Codes: usage, access, decryption, limit.
func Encrypt(ctx context.Context, w io.Writer, name string, enc Encryption, o Options) error {
	if enc.Out != "" && !crypto.Encrypted(enc.Out) {
		return source.Errorf(source.Span{}, source.Usage, "%s is no name for an encrypted file", enc.Out).
			WithHint("it ends in .gpg or .asc, so that it is decrypted when it is read")
	}
	e := o.Engine(ctx, name)
	files := e.Files()
	text, err := files.Bytes(name)
	if err != nil {
		return err
	}
	d := e.Decrypter()
	if crypto.Encrypted(name) {
		old, err := crypto.RecipientsOf(files.Shown(name), text)
		if err != nil {
			return err
		}
		if text, err = d.Decrypt(ctx, files.Shown(name), text, o.Limits.WithDefaults().Bytes); err != nil {
			return err
		}
		enc.To.Armored = enc.To.Armored || old.Armored
	}
	message, err := d.Encrypt(ctx, enc.To, text)
	if err != nil {
		return err
	}
	if enc.Out != "" {
		return files.Replace(enc.Out, message)
	}
	return show.WriteTo(w, message)
}
