package edit_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// FuzzRestore restores any text from any other one without a panic: the result expands to the
// edited document, or is an error. The file does not change.
func FuzzRestore(f *testing.F) {
	for _, dir := range []string{"conformance", "cases"} {
		cases, err := filepath.Glob("../fixtures/" + dir + "/restore/*.txtar")
		if err != nil || len(cases) == 0 {
			f.Fatalf("no cases: %v", err)
		}
		for _, name := range cases {
			addCase(f, name)
		}
	}
	w := newWorkshop(f)
	f.Fuzz(func(t *testing.T, original, edited string) {
		if len(original)+len(edited) > 20_000 {
			return
		}
		w.TB = t
		name := w.write("main.yaml", original)
		e, err := edit.Restore(context.Background(), name, source.NewFile("edited.yaml", edited), yaytpl.Options{}, edit.RestoreOptions{})
		if text, readErr := os.ReadFile(name); readErr != nil || string(text) != original {
			t.Fatalf("the file was written: %v\n%s", readErr, text)
		}
		if err != nil {
			return
		}
		if want, ok := w.dataOf(edited); ok {
			w.comesTo(trial{text: original, before: w.before(original), edited: want}, e.Files[0].Text, warns(e, source.TemplateRemoved))
		}
	})
}

func addCase(f *testing.F, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		f.Fatal(err)
	}
	texts := map[string]string{}
	for _, file := range archive.Files {
		texts[file.Name] = string(file.Data)
	}
	f.Add(texts["main.yaml"], texts["edited.yaml"])
}

// dataOf returns the documents of a text without directives. It returns false if the text
// cannot be parsed or has a key that looks like a directive.
func (w workshop) dataOf(text string) ([]value.Value, bool) {
	if strings.Contains(text, "+") {
		return nil, false
	}
	docs, err := w.expanded(text)
	return docs, err == nil
}

func (w workshop) before(text string) []value.Value {
	docs, err := w.expanded(text)
	if err != nil {
		w.Fatal(err)
	}
	return docs
}
