package render_test

import (
	"testing"

	"github.com/yaytpl/yaytpl/internal/render"
)

func TestFormOfFile(t *testing.T) {
	for name, want := range map[string]string{"a.yaml": "yaml", "A.YML": "yaml", "a.b/c.json": "json", "x.jsonl": "jsonl", ".env": "env", "a.txt": "text", "a.toml": "toml", "a.json/": "", "a": "", "a.yaml.gpg": ""} {
		if got := render.FormOfFile(name); got != want {
			t.Errorf("FormOfFile(%q) = %q, want %q", name, got, want)
		}
	}
}

// A name, and an ending, is of one form only.
func TestForms(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range append(render.FormNames(), render.FormEndings()...) {
		if seen[name] {
			t.Errorf("%s is of two forms", name)
		}
		seen[name] = true
	}
	if f, err := render.FormNamed(""); f.Name != "yaml" || err != nil {
		t.Errorf("the form without a name is %q, %v", f.Name, err)
	}
	if _, err := render.FormNamed("yml"); err == nil {
		t.Error("no error for an unknown form")
	}
}
