package crypto

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"

	"github.com/yaytpl/yaytpl/source"
)

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
