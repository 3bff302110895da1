package yaytpl_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestFormat(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "site.yay")
	if err := os.WriteFile(name, []byte("a:   1\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		f, err := yaytpl.Format(t.Context(), "site.yay", yaytpl.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if f.Changed != want || f.Text != "a: 1\n" || f.Name != "site.yay" {
			t.Errorf("got %+v, want Changed %v", f, want)
		}
		if err := f.Save(); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil || string(data) != "a: 1\n" {
		t.Errorf("the file has %q, %v", data, err)
	}
}

func TestFormatOfStandardInput(t *testing.T) {
	dir := t.TempDir()
	f, err := yaytpl.Format(t.Context(), "-", yaytpl.Options{Dir: dir, Lang: "yay", Stdin: strings.NewReader("a:   1\n")})
	if err != nil || f.Text != "a: 1\n" {
		t.Fatalf("got %+v, %v", f, err)
	}
	if err := f.Save(); len(source.Findings(err)) != 1 || source.Findings(err)[0].Code != source.Usage {
		t.Errorf("Save: %v, want %s", err, source.Usage)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("Save wrote %v, %v", entries, err)
	}
}

func TestFormatErrors(t *testing.T) {
	for _, c := range []struct {
		name, lang, text string
		code             source.Code
	}{
		{"-", "yay", "a b: 1\nc d: 2\n", source.Syntax},
		{"-", "yay", "a:\n\tb: 1\n", source.Indent},
		{"-", "", "a: 1\n", source.Usage},
		{"-", "cobol", "a: 1\n", source.Usage},
		{"site.yaml", "", "", source.Usage},
		{"site.yay.gpg", "", "", source.Usage},
		{"site.asc", "yay", "", source.Usage},
		{"site.yay", "", "", source.Access},
		{"https://example.com/site.yay", "", "", source.Access},
	} {
		o := yaytpl.Options{Dir: t.TempDir(), Lang: c.lang, Stdin: strings.NewReader(c.text)}
		_, err := yaytpl.Format(t.Context(), c.name, o)
		if findings := source.Findings(err); len(findings) == 0 || findings[0].Code != c.code {
			t.Errorf("%s %q: %v, want %s", c.name, c.text, err, c.code)
		}
	}
}

// fullDisk is a writer that fails.
type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestWritersThatFail: the error of a writer is the cause of a finding of code access, in every
// method that writes.
func TestWritersThatFail(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.yaml": "a: 1\n", "page.txt": "a is {{ a }}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := yaytpl.Options{Dir: dir, NoEnv: true, Templates: []string{"page.txt"}}
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
	} {
		if err := write(io.Discard); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := write(fullDisk{}); !errors.Is(err, source.ErrAccess) || !errors.Is(err, errFull) {
			t.Errorf("%s: error %v, want that of the writer, with code %s", name, err, source.Access)
		}
	}
}
