package pgp

import (
	"context"
	"os"
	"strings"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/crypto/internal/run"
)

func init() {
	crypto.RegisterOpenPGP(crypto.OpenPGP{New: open, Recipients: recipientsOf})
}

// messages decrypts and encrypts the messages of one run.
type messages struct {
	config crypto.Config
	files  *run.Files
	pass   passphrases
	keys   *keyring   // of the key file; nil before it is read
	public []*keyring // of the files with public keys; nil before they are read
}

func open(c crypto.Config, files *run.Files) crypto.Messages {
	return &messages{config: c, files: files, pass: passphrases{config: c, files: files}}
}

// Decrypt implements [crypto.Messages].
func (d *messages) Decrypt(ctx context.Context, name string, data []byte, limit int) ([]byte, error) {
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
func (d *messages) decidesNative(m *message) (bool, error) {
	switch {
	case d.config.Mode == crypto.Native:
		return true, nil
	case d.config.Mode == crypto.Command:
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
	return false, noProgram(run.CannotDecrypt(m.name))
}

// recipientsOf implements [crypto.RecipientsOf].
func recipientsOf(name string, data []byte) (crypto.Recipients, error) {
	m, err := readMessage(name, data)
	if err != nil {
		return crypto.Recipients{}, err
	}
	return crypto.Recipients{IDs: m.ids, Passphrase: m.passphrases+m.gpgOnly > 0, Armored: m.armored, Like: m}, nil
}

// Encrypt implements [crypto.Messages]. In mode Auto it encrypts in this process if all keys are in files, else
// with gpg.
func (d *messages) Encrypt(ctx context.Context, to crypto.Recipients, text []byte) ([]byte, error) {
	native, err := d.encryptsNative(to)
	if err != nil {
		return nil, err
	}
	if native {
		return d.encryptNative(ctx, to, text)
	}
	return d.encryptByCommand(ctx, to, text)
}

// encryptsNative reports whether a message is encrypted in this process: in mode Auto if there are
// files with keys, and not both keys and a passphrase.
func (d *messages) encryptsNative(to crypto.Recipients) (bool, error) {
	if d.config.Mode != crypto.Auto {
		return d.config.Mode == crypto.Native, nil
	}
	for _, key := range to.Keys {
		if !d.isFile(key) {
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

// isFile reports whether a recipient is the name of a key file: the file exists, or the name
// has a separator or ends in .asc or .gpg, as in ./ann or ann.asc.
func (d *messages) isFile(key string) bool {
	if info, err := os.Stat(d.files.Path(key)); err == nil && !info.IsDir() {
		return true
	}
	return strings.ContainsAny(key, `/\`) || crypto.Encrypted(key)
}
