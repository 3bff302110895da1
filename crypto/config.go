package crypto

import (
	"context"
	"os"
	"path/filepath"
	"strings"
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
