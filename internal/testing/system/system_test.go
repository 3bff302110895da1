// Package system tests the whole from outside: it opens projects with the public API, and asks what no part
// can promise alone. Hostile documents end in a limit, no output shows a secret, nothing that a result depends
// on is missing in its inputs, and a revision is what a new run gives.
package system_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
)

// openEncrypted opens a file with a text, encrypted for ann, next to path, instead of the file at path.
func openEncrypted(t testing.TB, path, text string, o yaytpl.Options) (*yaytpl.Project, error) {
	t.Helper()
	return openFiles(t, path, text, o, false)
}

// openOverEncrypted opens the file at path as a layer over an encrypted file with a text.
func openOverEncrypted(t testing.TB, path, text string, o yaytpl.Options) (*yaytpl.Project, error) {
	t.Helper()
	return openFiles(t, path, text, o, true)
}

func openFiles(t testing.TB, path, text string, o yaytpl.Options, over bool) (*yaytpl.Project, error) {
	t.Helper()
	secret := filepath.Join(filepath.Dir(path), "secret.yaml.gpg")
	if err := os.WriteFile(secret, []byte(sealed(t, text)), 0o600); err != nil {
		t.Fatal(err)
	}
	files := []string{secret}
	if over {
		files = append(files, path)
	}
	if o.Decrypter == nil {
		o.Decrypter = crypto.New(annsKeys(t))
	}
	return yaytpl.Open(t.Context(), files, o)
}
