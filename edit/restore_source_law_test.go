package edit_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/value"
)

// TestRestoreSourceLaws changes values where they are defined: the new texts expand to the
// edited document, apart from allowed changes, which are reported as others, and no other file
// changes.
func TestRestoreSourceLaws(t *testing.T) {
	w := newWorkshop(t)
	var done, conflicts, elsewhere int
	w.tries(seeds()/2, func(x trial) {
		ro := edit.RestoreOptions{Options: edit.Options{To: edit.Source, AllowChanges: x.seed%2 == 0}}
		e, err := w.restored(x.text, x.edited, ro)
		var conflict *edit.ConflictError
		switch {
		case errors.As(err, &conflict):
			conflicts++
			t.Logf("seed %d: %v", x.seed, err)
			return
		case err != nil:
			t.Errorf("seed %d: %v\n%s", x.seed, err, x.text)
			return
		}
		done++
		if len(e.Others) > 0 && !ro.AllowChanges {
			t.Errorf("seed %d: %v changed as well\n%s", x.seed, e.Others, x.text)
		}
		if w.sourceHolds(x, e) {
			elsewhere++
		}
	})
	t.Logf("%d written, %d of them elsewhere too, %d conflicts", done, elsewhere, conflicts)
	if done < conflicts || elsewhere == 0 {
		t.Errorf("%d written, %d of them elsewhere too, %d conflicts", done, elsewhere, conflicts)
	}
}

// sourceHolds checks a result, and reports whether another file changed.
func (w workshop) sourceHolds(x trial, e *edit.Result) bool {
	w.Helper()
	elsewhere := false
	for _, f := range e.Files[1:] {
		if filepath.Base(f.Name) != "common.yaml" || f.Old != commonFile {
			w.Errorf("seed %d: %s was edited, of which the text was\n%s", x.seed, f.Name, f.Old)
		}
		elsewhere = elsewhere || f.Changed()
		w.write("common.yaml", f.Text)
		defer w.write("common.yaml", commonFile)
	}
	now := e.Files[0].Text
	after, err := w.expanded(now)
	if err != nil || len(after) != len(x.edited) {
		w.Errorf("seed %d: %d documents, %v\n%s---\n%s", x.seed, len(after), err, x.text, now)
		return elsewhere
	}
	allowed := othersOf(e)
	putBack := warns(e, "template-removed")
	for i := range after {
		wrong, err := restore.Differences(x.edited[i], after[i])
		if err != nil {
			w.Fatal(err)
		}
		for _, p := range wrong {
			if !allowed[p.Pointer()] && !(putBack && !has(x.edited[i], p) && has(x.before[i], p)) {
				w.Errorf("seed %d: %s is wrong\n%s---\n%s", x.seed, p, x.text, now)
			}
		}
	}
	return elsewhere
}

// othersOf returns the places of the other changes, as pointers.
func othersOf(e *edit.Result) map[string]bool {
	places := map[string]bool{}
	for _, c := range e.Others {
		places[value.Path(c.Path).Pointer()] = true
	}
	return places
}
