package crypto

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/source"
)

// The ways to decrypt and encrypt.
const (
	Auto    = "auto"    // native with a key file or a passphrase for the file, else gpg
	Native  = "native"  // in this process; gpg is never run
	Command = "command" // with the user's gpg; the key file is not read
)

// Modes returns the values of Config.Mode.
func Modes() []string { return []string{Auto, Native, Command} }

// PassphraseVariable is the environment variable with the passphrase of a run. Documents
// cannot read it.
const PassphraseVariable = "YAYTPL_PASSPHRASE"

// A Config names the sources of keys and passphrases. The zero value leaves all of them to
// the user's gpg.
type Config struct {
	Mode string // "" is Auto

	// Dir is the base of relative file names; "" is the working directory.
	Dir string

	// KeyFile is the name of a file with any number of private keys, armoured or binary.
	KeyFile string

	// PublicKeys are names of files with public keys. A file is encrypted again for its
	// recipients with the keys in KeyFile, in these files, and in the keyring of gpg.
	PublicKeys []string

	// The passphrase is the first line of PassphraseFile, else Passphrase, else the result of
	// Ask. It unlocks protected keys and files that are encrypted with a passphrase.
	PassphraseFile string
	Passphrase     string

	// VaultPasswordFiles are names of files with the passwords of Ansible Vaults, each FILE or
	// id@FILE. A file that is executable is a program that prints the password, and is run if
	// AllowPrograms is set. VaultPasswords are further passwords, by id; "" is no id.
	VaultPasswordFiles []string
	VaultPasswords     map[string]string
	AllowPrograms      bool

	// EyamlKeys are names of files with private keys of hiera-eyaml, in PEM form.
	EyamlKeys []string

	// Ask asks the user for a passphrase; what is the prompt, such as "Passphrase of key 0A1B".
	// Nil means that the user cannot be asked.
	Ask func(ctx context.Context, what string) (string, error)

	// Alone calls run, which may use the terminal, while the rest of the program does not use
	// it. Nil calls run directly.
	Alone func(run func())

	// Getenv and Environ are the environment of gpg: the value of a variable, and the list of
	// all, each as NAME=value or NAME. Nil is the environment of the process.
	Getenv  func(name string) (string, bool)
	Environ func() []string

	reads *reads
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
	if c.reads == nil {
		c.reads = &reads{}
	}
	return c
}

// path returns the path of a file that the user named.
func (c Config) path(name string) string {
	if c.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Dir, name)
}

// isFile reports whether a recipient is the name of a key file: the file exists, or the name
// has a separator or ends in .asc or .gpg, as in ./ann or ann.asc.
func (c Config) isFile(key string) bool {
	if info, err := os.Stat(c.path(key)); err == nil && !info.IsDir() {
		return true
	}
	return strings.ContainsAny(key, `/\`) || Encrypted(key)
}

// A Read is a file, program or environment variable that a decrypter has used.
type Read struct {
	Kind string // file, absent, program or env
	Name string // the absolute path of a file
}

// reads are those of a decrypter, each once.
type reads struct {
	mu   sync.Mutex
	list []Read
}

func (r *reads) add(kind, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if read := (Read{kind, name}); !slices.Contains(r.list, read) {
		r.list = append(r.list, read)
	}
}

// Reads returns what d has used so far to decrypt and encrypt: files of keys and passwords, gpg with
// the keys in its ring, the variable with the passphrase.
func (d *Decrypter) Reads() []Read {
	r := d.config.reads
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}

// Encrypted reports whether a file is encrypted according to its name or path, which then
// ends in .gpg or .asc. Such files are decrypted when they are opened.
func Encrypted(name string) bool { return source.IsEncrypted(name) }

// PlainName returns a name without the ending .gpg or .asc. The rest of the name determines
// the language: a.yaml.gpg is YAML.
func PlainName(name string) string { return source.PlainName(name) }

// A Decrypter decrypts and encrypts the files of one run. It is safe for concurrent use: calls
// run one after another, so that the user is asked one question at a time.
type Decrypter struct {
	config Config
	pass   passphrases

	mu     sync.Mutex
	keys   *keyring   // of the key file; nil before it is read
	public []*keyring // of the files with public keys; nil before they are read
	opened map[fileID]result
	vault  []vaultPassword // nil before they are read
	eyaml  map[fileID]eyamlKeyring
}

// A fileID is the name and the content of a file.
type fileID struct {
	name string
	hash [sha256.Size]byte
}

// A result is the outcome of decrypting a file. Errors are cached as well, since a second
// attempt would ask the user again.
type result struct {
	text []byte
	err  error
}

// New returns a Decrypter for one run.
func New(c Config) *Decrypter {
	c = c.withDefaults()
	return &Decrypter{config: c, pass: passphrases{config: c}, opened: map[fileID]result{}, eyaml: map[fileID]eyamlKeyring{}}
}

// Decrypt returns the text of an encrypted file, or of an Ansible Vault, which may have at most limit bytes. Messages
// call the file name. The text is shared, so the caller must not change it.
//
// Codes: decryption, limit; if ctx is done, its error.
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

// decrypt is Decrypt without the cache.
func (d *Decrypter) decrypt(ctx context.Context, name string, data []byte, limit int) ([]byte, error) {
	if IsVault(string(data[:min(len(data), len(vaultHead))])) {
		return d.decryptVault(ctx, name, string(data))
	}
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

// Recipients are the keys and the passphrase that can decrypt a message, and its form.
type Recipients struct {
	// Keys are names of files with public keys, or names of keys for gpg: key IDs,
	// fingerprints, addresses. A name that is also a file is the file.
	Keys []string

	// IDs are the IDs of the keys that an earlier message was encrypted for. The key file of
	// the run or gpg must have these public keys.
	IDs []uint64

	// Passphrase says that the passphrase of the run decrypts the message.
	Passphrase bool

	Armored bool // text rather than bytes

	like *message // the message to use the passphrase of; nil is any passphrase of the run
}

// RecipientsOf returns the recipients of a message, so that a new version of the file can be
// encrypted for the same ones. Codes: decryption.
func RecipientsOf(name string, data []byte) (Recipients, error) {
	m, err := readMessage(name, data)
	if err != nil {
		return Recipients{}, err
	}
	return Recipients{IDs: m.ids, Passphrase: m.passphrases+m.gpgOnly > 0, Armored: m.armored, like: m}, nil
}

// Encrypt returns an encrypted message with a text. In mode Auto it encrypts in this process
// if all keys are in files, else with gpg.
//
// Codes: decryption; if ctx is done, its error.
func (d *Decrypter) Encrypt(ctx context.Context, to Recipients, text []byte) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(to.Keys)+len(to.IDs) == 0 && !to.Passphrase {
		return nil, failed("no recipients to encrypt for").WithHint("-r KEY names a recipient")
	}
	for _, id := range to.IDs {
		if id == 0 {
			return nil, failed("one of the recipients is hidden, so the file cannot be encrypted for the same ones again").
				WithHint("yaytpl encrypt -r KEY names all recipients again")
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

// EncryptFile returns an encrypted message with the content of a file. If the name of the file ends in .gpg or .asc,
// the content is decrypted first, to at most limit bytes, and stays armored if it was: this changes the recipients.
//
// Codes: decryption, limit; if ctx is done, its error.
func (d *Decrypter) EncryptFile(ctx context.Context, name string, data []byte, to Recipients, limit int) ([]byte, error) {
	if Encrypted(name) {
		old, err := RecipientsOf(name, data)
		if err != nil {
			return nil, err
		}
		if data, err = d.Decrypt(ctx, name, data, limit); err != nil {
			return nil, err
		}
		to.Armored = to.Armored || old.Armored
	}
	return d.Encrypt(ctx, to, data)
}

// encryptsNative reports whether a message is encrypted in this process: in mode Auto if there are
// files with keys, and not both keys and a passphrase.
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
		return false, nil // the library cannot encrypt for both
	}
	if len(to.IDs) == 0 {
		return true, nil
	}
	return d.config.KeyFile != "" || len(d.config.PublicKeys) > 0, nil
}

// readUserFile reads a file of at most limit bytes that the user named on the command line. The
// sandbox does not apply. Pipes such as <(command) are files as well. If ctx is done, it returns its
// error, also while it waits for the other end of a pipe: then it leaves the read to its goroutine.
func (c Config) readUserFile(ctx context.Context, name string, limit int) ([]byte, error) {
	name = c.path(name)
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := readFile(name, limit)
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		c.note(name)
		return r.data, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// note notes that a file was read, or looked for in vain.
func (c Config) note(name string) {
	path, err := filepath.Abs(name)
	if err != nil {
		return
	}
	kind := "file"
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		kind = "absent"
	}
	c.reads.add(kind, path)
}

func readFile(name string, limit int) ([]byte, error) {
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

// plainCause returns an error without the name of the file, since the message has that, and
// without wrapped errors.
func plainCause(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return errors.New(err.Error())
}
