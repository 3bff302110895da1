package overlay_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/source"
)

// TestSave: all changed files are written, or none.
func TestSave(t *testing.T) {
	for _, tt := range []struct {
		rule   string
		change string // content that another program writes to b.yaml before Save
		code   source.Code
		a, b   string // the files after Save
	}{
		{"both files", "", "", "a: 2\n", "b: 2\n"},
		{"one was changed by others", "b: 9\n", source.Access, "a: 1\n", "b: 9\n"},
	} {
		dir := write(t, map[string]string{"a.yaml": "a: 1\n", "b.yaml": "b: 1\n"})
		o := engine.Options{}
		o.Load.Dir, o.Load.Files = dir, []string{"a.yaml", "b.yaml"}
		loader := o.Files()
		var files []*overlay.File
		for name, text := range map[string]string{"a.yaml": "a: 2\n", "b.yaml": "b: 2\n"} {
			f, err := overlay.Open(t.Context(), loader, name, o)
			if err != nil || f.Changed() || f.Encrypted() {
				t.Fatalf("%+v, %v", f, err)
			}
			f.Text = text
			files = append(files, f)
		}
		if err := overlay.Backup(files); err != nil {
			t.Fatal(err)
		}
		b := filepath.Join(dir, "b.yaml")
		if tt.change != "" {
			if err := os.WriteFile(b, []byte(tt.change), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := overlay.Save(t.Context(), files); code(err) != tt.code {
			t.Errorf("%s: %v, want %q", tt.rule, err, tt.code)
		}
		for name, want := range map[string]string{"a.yaml": tt.a, "b.yaml": tt.b, "a.yaml.bak": "a: 1\n", "b.yaml.bak": "b: 1\n"} {
			if data, err := os.ReadFile(filepath.Join(dir, name)); string(data) != want || err != nil {
				t.Errorf("%s: %s has %q, %v, want %q", tt.rule, name, data, err, want)
			}
		}
	}
}

// TestFilesThatCannotBeEdited: texts that are not UTF-8 cannot be opened; standard input and texts
// of the program cannot be saved.
func TestFilesThatCannotBeEdited(t *testing.T) {
	dir := write(t, map[string]string{"latin.yaml": "a: \xe9\n", "replacement.yaml": "a: \uFFFD\n", "a.yaml": "a: 1\n"})
	o := engine.Options{}
	o.Load.Dir = dir
	o.Load.Overlay = map[string]string{filepath.Join(dir, "a.yaml"): "a: 2\n"}
	for name, want := range map[string]source.Code{"latin.yaml": source.Output, "replacement.yaml": "", "none.yaml": source.Access} {
		if _, err := overlay.Open(t.Context(), o.Files(), name, o); code(err) != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	f, err := overlay.Open(t.Context(), o.Files(), "a.yaml", o)
	if err != nil || f.Old != "a: 2\n" {
		t.Fatalf("%+v, %v", f, err)
	}
	f.Text = "a: 3\n"
	for _, f := range []*overlay.File{f, {Name: "-"}} {
		saveNow := func(files []*overlay.File) error { return overlay.Save(t.Context(), files) }
		for _, save := range []func([]*overlay.File) error{saveNow, overlay.Backup} {
			if err := save([]*overlay.File{f}); code(err) != source.Usage {
				t.Errorf("%s was saved: %v", f.Name, err)
			}
		}
	}
	if err := overlay.Save(t.Context(), nil); err != nil {
		t.Errorf("no files: %v", err)
	}
}
