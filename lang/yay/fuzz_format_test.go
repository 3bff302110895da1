package yay

import (
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

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
