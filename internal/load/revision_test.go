package load

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/source"
)

// writeAt writes a file whose time of change is at.
func writeAt(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// A run of the next store gets the files that are the same now as they were, and reads the others.
func TestNextStore(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	path := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string, at time.Time) { t.Helper(); writeAt(t, path(name), text, at) }
	link := func(to, name string) {
		t.Helper()
		_ = os.Remove(path(name))
		if err := os.Symlink(to, path(name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	write("a", "one", old)
	write("b", "two", old)
	write("fresh", "one", time.Now())
	link("a", "link")

	read := func(s *Store, name string) (*source.File, error) {
		f, err := New(Config{Dir: dir, Roots: []string{dir}, Store: s}).Open(name, dir)
		return f, err
	}
	tests := []struct {
		what, name, text string
		change           func()
		same             bool
	}{
		{"nothing changes", "a", "one", func() {}, true},
		{"a text and a time change", "a", "ONE", func() { write("a", "ONE", old.Add(time.Minute)) }, false},
		{"a file is replaced by one with the same length and time", "a", "one", func() {
			write("new", "one", old)
			if err := os.Rename(path("new"), path("a")); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"a length changes, and no time", "a", "longer", func() { write("a", "longer", old) }, false},
		{"a link leads to another file", "link", "two", func() { link("b", "link") }, false},
		{"the file of a link changes", "link", "TWO", func() { write("b", "TWO", old.Add(time.Hour/2)) }, false},
		{"nothing changes, through a link", "link", "TWO", func() {}, true},
		{"a file that was written just before it was read", "fresh", "two", func() {
			info, err := os.Stat(path("fresh"))
			if err != nil {
				t.Fatal(err)
			}
			write("fresh", "two", info.ModTime())
		}, false},
	}
	for _, tt := range tests {
		s := (*Store)(nil).Next()
		was, err := read(s, tt.name)
		if err != nil {
			t.Fatal(err)
		}
		tt.change()
		now, err := read(s.Next(), tt.name)
		if err != nil {
			t.Fatal(err)
		}
		if now.Text != tt.text || (now == was) != tt.same {
			t.Errorf("%s: read %q, the same file: %v", tt.what, now.Text, now == was)
		}
	}

	s := (*Store)(nil).Next()
	first, err := read(s, "a")
	if err != nil {
		t.Fatal(err)
	}
	s = s.Next().Next()
	if f, err := read(s, "a"); err != nil || f == first {
		t.Errorf("a file that the run before did not read is kept: %v", err)
	}
	if err := os.Remove(path("a")); err != nil {
		t.Fatal(err)
	}
	if f, err := read(s.Next(), "a"); err == nil {
		t.Errorf("a file that was removed is still %q", f.Text)
	}
}

// A run of the next store gets a file without looking at it, unless it is one of those that have changed, was
// written right before it was read, or was not read by the run before.
func TestNextStoreOfChanges(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	path := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string, at time.Time) { t.Helper(); writeAt(t, path(name), text, at) }
	for _, name := range []string{"kept", "changed", "given", "fresh", "late"} {
		write(name, "one", old)
	}
	write("fresh", "one", time.Now())
	read := func(s *Store, names ...string) (texts string) {
		t.Helper()
		f := New(Config{Dir: dir, Roots: []string{dir}, Store: s})
		for _, name := range names {
			file, err := f.Open(name, dir)
			if name == "given" {
				file, err = f.OpenGiven(name)
			}
			if err != nil {
				t.Fatal(err)
			}
			texts += " " + file.Text
		}
		return texts
	}
	s := (*Store)(nil).Next()
	read(s, "kept", "changed", "given", "fresh", "late")
	for _, name := range []string{"kept", "changed", "given", "fresh", "late"} {
		write(name, "two", old)
	}
	s = s.Next(Input{Kind: FileInput, Name: path("changed")}, Input{Kind: FileInput, Name: path("given")}, Input{Kind: AbsentInput, Name: path("none")})
	if got := read(s, "kept", "changed", "given", "fresh"); got != " one two two two" {
		t.Errorf("the second run read%s", got)
	}
	s = s.Next(Input{Kind: ClockInput})
	if got := read(s, "kept", "late"); got != " one two" {
		t.Errorf("the third run read%s", got)
	}
	if got := read(s.Next(), "kept", "late"); got != " one two" { // size and time of kept tell nothing
		t.Errorf("a run that looks at the files read%s", got)
	}
}
