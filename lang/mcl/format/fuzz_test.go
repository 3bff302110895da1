package format_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/yaytpl/yaytpl/lang/mcl/format"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// programs returns the programs of the cases, by file and name.
func programs(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../../fixtures/*/mcl/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	all := map[string]string{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if strings.HasSuffix(f.Name, ".mcl") {
				all[filepath.Base(file)+"/"+f.Name] = string(f.Data)
			}
		}
	}
	return all
}

// FuzzFormat: what parses can be formatted, unless an annotation is contradicted. Format itself
// requires that the tree and the comments stay, and that formatting again changes nothing. Without line
// breaks between statements and between comments it depends on rows only, not on blanks.
func FuzzFormat(f *testing.F) {
	for _, text := range programs(f) {
		f.Add(text)
	}
	f.Add("$x = [f( # a\n), [1, # b\n2]] # c\n\n\n#d")
	f.Add("note \"x\" # a\n{ # b\n a => if $b # c\n{1} # d\nelse # e\n{ 2 }, # f\n} # g")
	f.Add("func f( # a\n) # b\nint # c\n{ 1 }\nclass c() # d\n{}\nif true {} # e\nelse # f\n{ # g\n}")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := syntax.Parse(source.NewFile("a.mcl", text))
		if err != nil {
			return
		}
		_, err = format.Format(p)
		var d *source.Diagnostic
		if errors.As(err, &d) && d.Code == source.Internal {
			t.Fatal(err)
		}
	})
}
