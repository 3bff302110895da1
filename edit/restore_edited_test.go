package edit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

func TestReadEdited(t *testing.T) {
	keys := crypto.New(crypto.Config{Mode: "native", KeyFile: "../fixtures/secrets/ann.key.asc"})
	dir := t.TempDir()
	plain := filepath.Join(dir, "edited.yaml")
	if err := os.WriteFile(plain, []byte("a: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, text string
		secret     bool
	}{
		{plain, "a: 1\n", false},
		{"-", "b: 2\n", false},
		{"../fixtures/secrets/secrets.yaml.gpg", "db:\n  user: shop\n  password: hunter2\n", true},
	}
	for _, test := range tests {
		o := yaytpl.Options{Stdin: strings.NewReader("b: 2\n"), Decrypter: keys}
		f, err := ReadDocument(context.Background(), test.name, o)
		if err != nil || f.Text != test.text || f.Secret != test.secret {
			t.Errorf("ReadEdited(%s) = %+v, %v", test.name, f, err)
		}
	}
	_, err := ReadDocument(context.Background(), filepath.Join(dir, "missing.yaml"), yaytpl.Options{})
	if !errors.Is(err, source.ErrAccess) {
		t.Errorf("a missing file: %v", err)
	}
}
