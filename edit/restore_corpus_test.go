package edit_test

import (
	"errors"
	"math/rand"
	"os/exec"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/internal/textfiles"
	"github.com/yaytpl/yaytpl/value"
)

// maxCorpusFile bounds the size of the files.
const maxCorpusFile = 30_000

// TestRestoreCorpus restores YAML files of other projects: unchanged values keep their bytes,
// and the new text has the edited values.
func TestRestoreCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("reads files of the module cache")
	}
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Skipf("no module cache: %v", err)
	}
	w := newWorkshop(t)
	var done, conflicts int
	for i, f := range textfiles.Sample(textfiles.Files([]string{strings.TrimSpace(string(out))}, maxCorpusFile), seeds()/8) {
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
	r := rand.New(rand.NewSource(int64(seed)))
	edited := append([]value.Value(nil), before...)
	for range 1 + r.Intn(4) {
		i := r.Intn(len(edited))
		edited[i] = changed(r, edited[i])
	}
	return trial{seed, f.Text, before, edited}, true
}
