package load

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/source"
)

// hardNames are the names of directories that have characters of patterns.
func hardNames() []string {
	names := []string{"plain", "a[1]", "[id]", "{b}", "{x,y}"}
	if runtime.GOOS != "windows" {
		names = append(names, "*", "c?", `d\`, `e\*`)
	}
	return names
}

// The record of a pattern holds until a file matches it, also below a directory whose name is itself a pattern.
func TestRecordsOfPatterns(t *testing.T) {
	top := t.TempDir()
	for _, name := range hardNames() {
		dir := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Join(dir, "conf"), 0o700); err != nil {
			t.Fatal(err)
		}
		f := New(Config{Dir: dir, Roots: []string{top}})
		if _, err := f.Host("", "").Glob("conf/*.yaml", ""); err != nil {
			t.Fatal(err)
		}
		records, err := f.Records(f.Inputs().All(), time.Now())
		if err != nil || len(records) != 1 {
			t.Fatalf("%s: %v, %v", name, records, err)
		}
		next := func() *Files { return New(Config{Dir: dir, Roots: []string{top}}) }
		if !next().Same(records) {
			t.Errorf("%s: nothing has changed, and the records do not hold", name)
		}
		writeAt(t, filepath.Join(dir, "conf", "a.yaml"), "", time.Now())
		if next().Same(records) {
			t.Errorf("%s: a file matches the pattern, and the records hold", name)
		}
	}
}

// The directories of a pattern are those below the directory that it was noted for.
func TestNoteGlob(t *testing.T) {
	top := t.TempDir()
	for _, name := range hardNames() {
		dir := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Join(dir, "conf", "sub"), 0o700); err != nil {
			t.Fatal(err)
		}
		var notes Inputs
		notes.NoteGlob(dir, "conf/*/x.yaml", source.Span{})
		want := []string{filepath.Join(dir, "conf"), filepath.Join(dir, "conf", "sub")}
		if all := notes.All(); len(all) != 1 || !slices.Equal(all[0].Dirs(), want) {
			t.Errorf("%s: %v", name, all)
		}
	}
}
