package yaytpl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
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
