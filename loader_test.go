package yaytpl_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// renderYay renders a main.yay as compact JSON.
func renderYay(t *testing.T, text string, o yaytpl.Options) (string, error) {
	t.Helper()
	o.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(o.Dir, "main.yay"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := yaytpl.Open(context.Background(), []string{"main.yay"}, o)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = p.Render(&b, yaytpl.RenderOptions{Form: "json", Compact: true})
	return strings.TrimSpace(b.String()), err
}

// Includes in Yay can name texts of the program and files of named repositories.
func TestYaySchemes(t *testing.T) {
	lib := t.TempDir()
	if err := os.WriteFile(filepath.Join(lib, "part.yay"), []byte("b: {{ a + 1 }}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := yaytpl.Options{Memory: map[string]string{"cell": "a: 1\n"}, Repositories: map[string]string{"lib": lib}}
	got, err := renderYay(t, "include \"mem://cell\"\ninclude \"package://lib/part.yay\"\n", o)
	if want := `{"a":1,"b":2}`; got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	for _, name := range []string{"mem://other", "package://other/x.yay", "package://lib/none.yay"} {
		_, err := renderYay(t, "include \""+name+"\"\n", o)
		if !errors.Is(err, source.ErrMissing) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
