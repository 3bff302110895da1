package edit_test

import (
	"errors"
	"flag"
	"math/rand"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/internal/testing/textfiles"
	"github.com/yaytpl/yaytpl/value"
)

var corpusDirs = flag.String("corpus.dirs", "", "restore files below these directories, separated as in PATH, instead of those of testdata")

// corpus returns a sample of n YAML files of other projects.
func corpus(n int) []textfiles.File {
	files := textfiles.Corpus()
	if *corpusDirs != "" {
		files = textfiles.Files(filepath.SplitList(*corpusDirs), 30_000)
	}
	return textfiles.Sample(files, n)
}

// TestRestoreCorpus restores YAML files of other projects: unchanged values keep their bytes,
// and the new text has the edited values.
func TestRestoreCorpus(t *testing.T) {
	w := newWorkshop(t)
	var done, conflicts int
	for i, f := range corpus(seeds() / 8) {
		x, ok := w.corpusTrial(i, f)
		if !ok {
			continue
		}
		e, err := w.restored(x.text, x.edited, edit.RestoreOptions{Options: edit.Options{Literal: true}})
		var conflict *edit.ConflictError
		switch {
		case errors.As(err, &conflict):
			conflicts++
			t.Logf("%s: %v", f.Name, err)
		case err != nil:
			t.Errorf("%s: %v", f.Name, err)
		default:
			done++
			w.holdsTo(x, e)
		}
		if t.Failed() {
			t.Fatalf("%s", f.Name)
		}
	}
	t.Logf("%d files restored, %d conflicts", done, conflicts)
	if done < conflicts*10 {
		t.Errorf("%d files restored, %d conflicts", done, conflicts)
	}
}

// corpusTrial edits a file, if it can be parsed.
func (w workshop) corpusTrial(seed int, f textfiles.File) (trial, bool) {
	before, err := w.expanded(f.Text)
	if f.JSON || err != nil || len(before) == 0 {
		return trial{}, false
	}
	r := rand.New(rand.NewSource(int64(seed + *restoreFrom)))
	edited := append([]value.Value(nil), before...)
	for range 1 + r.Intn(4) {
		i := r.Intn(len(edited))
		edited[i] = changed(r, edited[i])
	}
	return trial{seed, f.Text, before, edited}, true
}

// TestRestoreIncludedCorpus changes lists that come from files of other projects: a document
// includes the file, and the change is written into the document. At most 5 % of the changes are
// refused, or written by expanding the include.
func TestRestoreIncludedCorpus(t *testing.T) {
	w := newWorkshop(t)
	var done, refused, inlined int
	for i, f := range corpus(seeds() / 2) {
		if f.JSON || !strings.Contains(f.Text, "- ") {
			continue
		}
		w.write("file.yaml", f.Text)
		whole, err := w.expanded("+include: file.yaml\n")
		if err != nil {
			continue
		}
		w.write("base.yaml", "+include: file.yaml\n")
		if !whole[0].Is(value.MapKind) { // else the include gives way, being alone in its map
			w.write("base.yaml", "list: {+include: file.yaml}\n")
		}
		text := []string{"+include: base.yaml\n", "own: 1\nin:\n  +include: base.yaml\n"}[i%2]
		before, err := w.expanded(text)
		if err != nil || !hasList(before[0]) {
			continue
		}
		r := rand.New(rand.NewSource(int64(i + *restoreFrom)))
		for range 3 {
			edited := []value.Value{before[0]}
			for range 1 + r.Intn(3) {
				edited[0] = listChanged(r, edited[0])
			}
			e, err := w.restored(text, edited, edit.RestoreOptions{Options: edit.Options{Literal: true}})
			if err != nil {
				refused++
				t.Logf("%s: %v", f.Name, err)
				continue
			}
			done++
			if w.holdsTo(trial{i, text, before, edited}, e) {
				inlined++
				t.Logf("%s: %v", f.Name, e.Warnings)
			}
			if t.Failed() {
				t.Fatalf("%s", f.Name)
			}
		}
	}
	t.Logf("%d changes restored, %d by expanding a directive, %d refused", done, inlined, refused)
	if (refused+inlined)*20 > done {
		t.Errorf("%d changes restored, %d by expanding a directive, %d refused", done, inlined, refused)
	}
}

// hasList reports whether a document has a list with items.
func hasList(v value.Value) bool {
	found := false
	_ = value.Walk(v, func(_ value.Position, v value.Value, _ error) error {
		found = found || v.Is(value.ListKind) && v.List().Len() > 0
		return nil
	})
	return found
}
