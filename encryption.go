package yaytpl

import (
	"context"
	"io"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/source"
)

// A Decrypter opens encrypted files. Projects may share one: then keys are unlocked and
// passphrases asked for once.
type Decrypter = crypto.Decrypter

// Keys say where keys and passphrases for encrypted files come from. The zero value
// leaves it to the gpg of the user.
type Keys = crypto.Config

// Recipients say who can open an encrypted file.
type Recipients = crypto.Recipients

// NewDecrypter returns a decrypter with these keys.
func NewDecrypter(k Keys) *Decrypter { return crypto.New(k) }

// KeyModes returns the values of Keys.Mode; the first is the default.
func KeyModes() []string { return crypto.Modes() }

// PassphraseVariable is the environment variable for Keys.Passphrase that the command
// has. No document can read it.
const PassphraseVariable = crypto.PassphraseVariable

// Decrypt writes the text of an encrypted file, whatever it is called, byte for byte.
// "-" is standard input. Nothing is written if anything is wrong with the file.
//
// Codes: access, decryption, limit.
func Decrypt(ctx context.Context, w io.Writer, name string, o Options) error {
	files := filesFor(ctx, o, name)
	data, err := files.Bytes(name)
	if err != nil {
		return err
	}
	text, err := o.decrypter().Decrypt(ctx, files.Shown(name), data, o.Limits.WithDefaults().Bytes)
	if err != nil {
		return err
	}
	return show.WriteTo(w, text)
}

// Encryption says how a file is encrypted.
type Encryption struct {
	To Recipients

	// Out is the file to write, of which a reader sees all or nothing. Its name ends in
	// .gpg or .asc. If it is empty, the writer gets the message.
	Out string
}

// Encrypt encrypts a file. One that is encrypted is decrypted first, and keeps its
// armour; so its recipients can be changed. "-" is standard input.
//
// Codes: usage, access, decryption, limit.
func Encrypt(ctx context.Context, w io.Writer, name string, e Encryption, o Options) error {
	if e.Out != "" && !crypto.Encrypted(e.Out) {
		return source.Errorf(source.Span{}, source.Usage, "%s is no name for an encrypted file", e.Out).
			WithHint("it ends in .gpg or .asc, so that it is decrypted when it is read")
	}
	files := filesFor(ctx, o, name)
	text, err := files.Bytes(name)
	if err != nil {
		return err
	}
	d := o.decrypter()
	if crypto.Encrypted(name) {
		old, err := crypto.RecipientsOf(files.Shown(name), text)
		if err != nil {
			return err
		}
		if text, err = d.Decrypt(ctx, files.Shown(name), text, o.Limits.WithDefaults().Bytes); err != nil {
			return err
		}
		e.To.Armored = e.To.Armored || old.Armored
	}
	message, err := d.Encrypt(ctx, e.To, text)
	if err != nil {
		return err
	}
	if e.Out != "" {
		return files.Replace(e.Out, message)
	}
	return show.WriteTo(w, message)
}

// filesFor returns the files of a run that reads the one that the user named.
func filesFor(ctx context.Context, o Options, name string) *load.Files {
	p := &Project{ctx: ctx, opts: o}
	return load.New(p.loadConfig([]string{name}))
}

// decrypter returns the decrypter of these options, or one for the gpg of the user.
func (o Options) decrypter() *Decrypter {
	if o.Decrypter != nil {
		return o.Decrypter
	}
	return crypto.New(crypto.Config{Dir: o.Dir, Getenv: o.Getenv, Environ: o.Environ})
}
