package yaytpl_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// fullDisk is a writer that fails.
type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestWritersThatFail: what a writer says is a finding of code access, whatever is
// written.
func TestWritersThatFail(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.yaml": "a: 1\n", "page.txt": "a is {{ a }}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keys := crypto.New(crypto.Config{Mode: "native", Passphrase: "p"})
	o := yaytpl.Options{Dir: dir, NoEnv: true, Decrypter: keys, Templates: []string{"page.txt"}}
	to := crypto.Recipients{Passphrase: true}
	if err := yaytpl.Encrypt(t.Context(), io.Discard, "a.yaml", yaytpl.Encryption{To: to, Out: "a.gpg"}, o); err != nil {
		t.Fatal(err)
	}
	p, err := yaytpl.Open(t.Context(), []string{"a.yaml"}, o)
	if err != nil {
		t.Fatal(err)
	}
	d := p.Documents()[0]
	for name, write := range map[string]func(io.Writer) error{
		"Render":     func(w io.Writer) error { return p.Render(w, yaytpl.RenderOptions{}) },
		"WriteValue": func(w io.Writer) error { return p.WriteValue(w, value.Int(1), yaytpl.RenderOptions{}) },
		"Template":   func(w io.Writer) error { return d.Template("page.txt", w, yaytpl.RenderOptions{}) },
		"WriteDot":   func(w io.Writer) error { return d.WriteDot(w, "nodes") },
		"WriteText": func(w io.Writer) error {
			x, err := d.Explain("a")
			if err != nil {
				return err
			}
			return x.WriteText(w, false)
		},
		"Decrypt": func(w io.Writer) error { return yaytpl.Decrypt(t.Context(), w, "a.gpg", o) },
		"Encrypt": func(w io.Writer) error {
			return yaytpl.Encrypt(t.Context(), w, "a.yaml", yaytpl.Encryption{To: to}, o)
		},
	} {
		if err := write(io.Discard); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := write(fullDisk{}); !errors.Is(err, source.ErrAccess) || !errors.Is(err, errFull) {
			t.Errorf("%s: error %v, want what the writer said, with code %s", name, err, source.Access)
		}
	}
}
