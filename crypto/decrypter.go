package crypto

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/source"
)

// The ways to decrypt and encrypt.
const (
	Auto    = "auto"    // native with a key file or a passphrase for the file, else gpg
	Native  = "native"  // in this process; gpg is never run
	Command = "command" // the gpg of the user; the key file is not read
)

// Modes returns the values of Config.Mode.
func Modes() []string { return []string{Auto, Native, Command} }

// PassphraseVariable is the environment variable that may hold the passphrase of a run.
// Documents cannot read it.
const PassphraseVariable = "YAYTPL_PASSPHRASE"

// A Config says where keys and passphrases come from. The zero value leaves
// everything to the gpg of the user.
type Config struct {
	Mode string // Auto if it is empty

	// Dir is what relative names of files are relative to; "" is the working directory.
	Dir string

	// KeyFile holds private keys, armoured or binary, as many as it likes.
	KeyFile string

	// A passphrase is the first line of PassphraseFile, or else Passphrase, or else
	// what Ask returns. It opens protected keys and files encrypted with a passphrase.
	PassphraseFile string
	Passphrase     string

	// Ask asks the user for a passphrase; what says for what. Nil is nobody to ask.
	Ask func(ctx context.Context, what string) (string, error)

	// Alone runs something that may use the terminal, while nothing else does. Nil
	// just runs it.
	Alone func(run func())

	// Getenv and Environ are the environment of gpg: the value of a variable, and all
	// of them, as NAME=value or by name alone. Nil is that of the process.
	Getenv  func(name string) (string, bool)
	Environ func() []string
}

func (c Config) withDefaults() Config {
	if c.Mode == "" {
		c.Mode = Auto
	}
	if c.Alone == nil {
		c.Alone = func(run func()) { run() }
	}
	if c.Getenv == nil {
		c.Getenv = os.LookupEnv
	}
	if c.Environ == nil {
		c.Environ = os.Environ
	}
	return c
}

// path returns where a file is that the user named.
func (c Config) path(name string) string {
	if c.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Dir, name)
}

// isFile reports whether a key is named by a file: one that is there, or a name that
// only files have.
func (c Config) isFile(key string) bool {
	if info, err := os.Stat(c.path(key)); err == nil && !info.IsDir() {
		return true
	}
	return strings.ContainsAny(key, `/\`) || Encrypted(key)
}

// Encrypted reports whether a file of that name or path is to be decrypted when it
// is opened: its name ends in .gpg or .asc.
func Encrypted(name string) bool { return PlainName(name) != name }

// PlainName returns a name without the ending that says that the file is encrypted:
// what is left decides the language.
func PlainName(name string) string {
	switch ending := path.Ext(name); strings.ToLower(ending) {
	case ".gpg", ".asc":
		return strings.TrimSuffix(name, ending)
	}
	return name
}

// A Decrypter opens the encrypted files of one run. It is safe for concurrent use:
// callers wait for each other, so that nobody is asked two things at a time.
type Decrypter struct {
	config Config
	pass   passphrases

	mu     sync.Mutex
	keys   *keyring // of the key file; nil until it is needed
	opened map[fileID]result
}

// A fileID is a version of a file.
type fileID struct {
	name string
	hash [sha256.Size]byte
}

// A result is what became of a file. Failures are kept: asking again would ask the
// user again.
type result struct {
	text []byte
	err  error
}

// New returns the decrypter of a run.
func New(c Config) *Decrypter {
	c = c.withDefaults()
	return &Decrypter{config: c, pass: passphrases{config: c}, opened: map[fileID]result{}}
}

// Decrypt returns the text of an encrypted file, of at most limit bytes. Name is what
// messages call it. The text is shared and must not be changed.
//
// Codes: decryption, limit; errors of ctx stay what they are.
func (d *Decrypter) Decrypt(ctx context.Context, name string, data []byte, limit int) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	id := fileID{name, sha256.Sum256(data)}
	r, ok := d.opened[id]
	if !ok {
		r.text, r.err = d.decrypt(ctx, name, data, limit)
		if ctx.Err() == nil && !errors.Is(r.err, source.ErrLimit) {
			d.opened[id] = r
		}
	}
	if r.err == nil && len(r.text) > limit {
		return nil, tooLarge(name, limit)
	}
	return r.text, r.err
}

func (d *Decrypter) decrypt(ctx context.Context, name string, data []byte, limit int) ([]byte, error) {
	m, err := readMessage(name, data)
	if err != nil {
		return nil, err
	}
	native, err := d.decidesNative(m)
	if err != nil {
		return nil, err
	}
	if native {
		return d.decryptNative(ctx, m, limit)
	}
	return d.decryptByCommand(ctx, m, limit)
}

// decidesNative reports whether a message is decrypted in this process.
func (d *Decrypter) decidesNative(m *message) (bool, error) {
	switch {
	case d.config.Mode == Native:
		return true, nil
	case d.config.Mode == Command:
		return false, nil
	case d.config.KeyFile != "":
		return true, nil
	case m.passphrases > 0 && d.pass.given():
		return true, nil
	case d.program() != "":
		return false, nil
	case m.passphrases > 0:
		return true, nil
	}
	return false, noProgram(cannotDecrypt(m.name))
}

// Recipients say who can open a message, and how it is written.
type Recipients struct {
	// Keys are names of files with public keys, or else what gpg knows keys by:
	// numbers, fingerprints, addresses. What is a file is taken for one.
	Keys []string

	// IDs are the numbers of keys that a message was encrypted for. The key file of
	// the run or gpg must have their public keys.
	IDs []uint64

	// Passphrase says that a passphrase opens it: that of the run.
	Passphrase bool

	Armored bool // text rather than bytes

	like *message // whose passphrase it is; nil is any
}

// RecipientsOf returns for whom a message is encrypted, so that what replaces it can
// be opened by the same. Codes: decryption.
func RecipientsOf(name string, data []byte) (Recipients, error) {
	m, err := readMessage(name, data)
	if err != nil {
		return Recipients{}, err
	}
	return Recipients{IDs: m.ids, Passphrase: m.passphrases+m.gpgOnly > 0, Armored: m.armored, like: m}, nil
}

// Encrypt returns an encrypted message with that text. It is encrypted in this process
// if all keys are at hand there, else by gpg, as Config.Mode says.
//
// Codes: decryption; errors of ctx stay what they are.
func (d *Decrypter) Encrypt(ctx context.Context, to Recipients, text []byte) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(to.Keys)+len(to.IDs) == 0 && !to.Passphrase {
		return nil, failed("there is nobody to encrypt for").WithHint("-r KEY names a recipient")
	}
	for _, id := range to.IDs {
		if id == 0 {
			return nil, failed("one of the recipients is not named, so it cannot be encrypted for the same again").
				WithHint("yaytpl encrypt -r KEY names all of them anew")
		}
	}
	native, err := d.encryptsNative(to)
	if err != nil {
		return nil, err
	}
	if native {
		return d.encryptNative(ctx, to, text)
	}
	return d.encryptByCommand(ctx, to, text)
}

// encryptsNative reports whether the keys are at hand in this process.
func (d *Decrypter) encryptsNative(to Recipients) (bool, error) {
	if d.config.Mode != Auto {
		return d.config.Mode == Native, nil
	}
	for _, key := range to.Keys {
		if !d.config.isFile(key) {
			return false, nil
		}
	}
	if to.Passphrase && len(to.Keys)+len(to.IDs) > 0 {
		return false, nil // the library does not encrypt for both
	}
	if len(to.IDs) == 0 {
		return true, nil
	}
	if d.config.KeyFile == "" {
		return false, nil
	}
	ring, err := d.ring()
	return err == nil && len(ring.missing(to.IDs)) == 0, err
}

// readUserFile reads a file of at most limit bytes that the user named on the command
// line: no sandbox is meant for it. Pipes such as <(command) are files too.
func readUserFile(name string, limit int) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, plainCause(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	switch {
	case err != nil:
		return nil, plainCause(err)
	case len(data) > limit:
		return nil, fmt.Errorf("it has more than %d bytes", limit)
	}
	return data, nil
}

// plainCause returns an error without the name of the file, which the message has
// already, and without what it wraps.
func plainCause(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return errors.New(err.Error())
}
