package crypto

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"slices"
	"sync"

	"github.com/yaytpl/yaytpl/crypto/internal/run"
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
}

func (c Config) withDefaults() Config {
	c.Mode = cmp.Or(c.Mode, Auto)
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

// A Read is a file, program or environment variable that a decrypter has used.
type Read = run.Read

// Reads returns the inputs that d has used so far to decrypt and encrypt: files of keys and passwords, gpg with
// the keys in its ring, the variable with the passphrase.
func (d *Decrypter) Reads() []Read { return d.files.Reads() }

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
	files  *run.Files

	mu     sync.Mutex
	pgp    Messages // nil before the first message
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
	return &Decrypter{config: c, files: &run.Files{Dir: c.Dir}, opened: map[fileID]result{}, eyaml: map[fileID]eyamlKeyring{}}
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
		return nil, run.TooLarge(name, limit)
	}
	return r.text, r.err
}

// decrypt is Decrypt without the cache.
func (d *Decrypter) decrypt(ctx context.Context, name string, data []byte, limit int) ([]byte, error) {
	if IsVault(string(data[:min(len(data), len(vaultHead))])) {
		return d.decryptVault(ctx, name, string(data))
	}
	m, err := d.messages(run.CannotDecrypt(name))
	if err != nil {
		return nil, err
	}
	return m.Decrypt(ctx, name, data, limit)
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

	// Like is the message whose passphrase is used again, as RecipientsOf sets it; nil is any passphrase of the run.
	Like any
}

// RecipientsOf returns the recipients of a message, so that a new version of the file can be
// encrypted for the same ones. Codes: decryption.
func RecipientsOf(name string, data []byte) (Recipients, error) {
	if openPGP.Recipients == nil {
		return Recipients{}, noOpenPGP(run.CannotDecrypt(name))
	}
	return openPGP.Recipients(name, data)
}

// Encrypt returns an encrypted message with a text. In mode Auto it encrypts in this process
// if all keys are in files, else with gpg.
//
// Codes: decryption; if ctx is done, its error.
func (d *Decrypter) Encrypt(ctx context.Context, to Recipients, text []byte) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(to.Keys)+len(to.IDs) == 0 && !to.Passphrase {
		return nil, run.Failed("no recipients to encrypt for").WithHint("-r KEY names a recipient")
	}
	if slices.Contains(to.IDs, 0) {
		return nil, run.Failed("one of the recipients is hidden, so the file cannot be encrypted for the same ones again").
			WithHint("yaytpl encrypt -r KEY names all recipients again")
	}
	m, err := d.messages("cannot encrypt")
	if err != nil {
		return nil, err
	}
	return m.Encrypt(ctx, to, text)
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

// Messages decrypts and encrypts the OpenPGP messages of one run. Calls run one after another.
type Messages interface {
	Decrypt(ctx context.Context, name string, data []byte, limit int) ([]byte, error)
	Encrypt(ctx context.Context, to Recipients, text []byte) ([]byte, error)
}

// OpenPGP are the functions of package pgp.
type OpenPGP struct {
	New        func(c Config, files *run.Files) Messages
	Recipients func(name string, data []byte) (Recipients, error)
}

// openPGP is what was registered.
var openPGP OpenPGP

// RegisterOpenPGP sets what decrypts and encrypts messages. It is called by the init function of package pgp.
func RegisterOpenPGP(o OpenPGP) { openPGP = o }

// messages returns the implementation of OpenPGP for the run. Without package pgp it returns an error that begins
// with why.
func (d *Decrypter) messages(why string) (Messages, error) {
	if openPGP.New == nil {
		return nil, noOpenPGP(why)
	}
	if d.pgp == nil {
		d.pgp = openPGP.New(d.config, d.files)
	}
	return d.pgp, nil
}

// noOpenPGP reports that the program does not import package pgp.
func noOpenPGP(why string) error {
	return run.Failed("%s: this program has no OpenPGP", why).WithHint("import _ %q", "github.com/yaytpl/yaytpl/config/gpg")
}
