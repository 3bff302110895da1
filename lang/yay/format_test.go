package yay

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yaytpl/yaytpl/source"
)

// TestDocuments parses the documents of testdata and compares their meaning and their standard
// layout.
func TestDocuments(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range a.Files {
				files[f.Name] = string(f.Data)
			}
			tree, got := treeOf(t, files["main.yay"])
			if want := files["tree"]; got != want {
				t.Errorf("got the tree\n%s\nwant\n%s", got, want)
			}
			if got, want := checkFormat(t, tree), files["formatted.yay"]; got != want {
				t.Errorf("got the layout\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestFormatOfNothing(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"\n\n", ""},
		{"  # a\n\n\n # b\n\n", "# a\n\n# b\n"},
		{"a: |+\n  b\n\n", "a: |+\n  b\n\n"},
		{"\n\na: 1", "a: 1\n"},
	} {
		tree, _ := treeOf(t, c.text)
		if got := checkFormat(t, tree); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	text := manyKeys(10_000)
	tree, findings := Parse(source.NewFile("main.yay", text), Options{})
	if tree == nil {
		b.Fatal(findings)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Format(tree)
	}
}

// FuzzFormat checks the law of the formatter: the result means the same, and
// formatting it changes nothing.
func FuzzFormat(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		if tree, _ := Parse(source.NewFile("f.yay", text), Options{}); tree != nil {
			checkFormat(t, tree)
		}
	})
}

// checkFormat checks the law for a tree and returns the text.
func checkFormat(t *testing.T, tree *Tree) string {
	t.Helper()
	once := Format(tree)
	again, findings := Parse(source.NewFile("formatted.yay", once), Options{})
	if again == nil {
		t.Fatalf("%q becomes\n%s\nwhich is wrong: %v", tree.File.Text, once, findings)
	}
	if got, want := dump(again), dump(tree); got != want {
		t.Fatalf("%q becomes\n%s\nwhich means\n%s\nand not\n%s", tree.File.Text, once, got, want)
	}
	if got, want := comments(again), comments(tree); got != want {
		t.Fatalf("%q becomes\n%s\nwith the comments %q, want %q", tree.File.Text, once, got, want)
	}
	if twice := Format(again); twice != once {
		t.Fatalf("%q becomes\n%s\nand then\n%s", tree.File.Text, once, twice)
	}
	return once
}
