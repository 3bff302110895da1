//go:build unix

package crypto_test

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/crypto"
)

// TestPipeWithoutEnd: a key or passphrase file that never ends does not outlast the context.
func TestPipeWithoutEnd(t *testing.T) {
	bob := newKey(t, "bob", passphrase)
	message := sealed(t, plain, nil, bob)
	to, err := crypto.RecipientsOf("s.gpg", message)
	must(t, err)
	pipe := filepath.Join(t.TempDir(), "pipe")
	must(t, syscall.Mkfifo(pipe, 0o600))
	key := file(t, "key", private(t, bob))
	for what, c := range map[string]crypto.Config{
		"key": {KeyFile: pipe}, "passphrase": {KeyFile: key, PassphraseFile: pipe}, "public key": {KeyFile: file(t, "k", private(t, newKey(t, "ann", ""))), PublicKeys: []string{pipe}},
	} {
		c.Mode = crypto.Native
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		d := crypto.New(c)
		if what == "public key" {
			_, err = d.Encrypt(ctx, to, []byte(plain))
		} else {
			_, err = d.Decrypt(ctx, "s.gpg", message, limit)
		}
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
