package edit_test

import (
	"context"
	"errors"
	"flag"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var (
	restoreSeeds = flag.Int("restore.seeds", 320, "documents to restore")
	restoreFrom  = flag.Int("restore.from", 0, "the seed of the first of them")
)

// A workshop restores texts in a directory of its own.
type workshop struct {
	testing.TB
	dir string
}

func newWorkshop(t testing.TB) workshop {
	w := workshop{t, t.TempDir()}
	w.write("common.yaml", commonFile)
	return w
}

func (w workshop) write(name, text string) string {
	name = filepath.Join(w.dir, name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
	return name
}

// expanded returns the documents of a text with their directives carried out.
func (w workshop) expanded(text string) ([]value.Value, error) {
	p, err := yaytpl.Open(context.Background(), []string{w.write("main.yaml", text)}, yaytpl.Options{})
	if err != nil {
		return nil, err
	}
	var docs []value.Value
	for _, d := range p.Documents() {
		v, err := d.Expanded()
		if err == nil {
			v, err = value.Plain(v)
		}
		if err != nil {
			return nil, err
		}
		docs = append(docs, v)
	}
	return docs, nil
}

func (w workshop) restored(text string, edited []value.Value, ro edit.RestoreOptions) (*edit.Result, error) {
	var b strings.Builder
	for i, doc := range edited {
		if i > 0 {
			b.WriteString("---\n")
		}
		if err := yaml.Encode(&b, doc, yaml.EncodeOptions{Reveal: true}); err != nil {
			w.Fatal(err)
		}
	}
	return edit.Restore(context.Background(), w.write("main.yaml", text), source.NewFile("edited.yaml", b.String()), yaytpl.Options{}, ro)
}

// A trial is a text whose documents were edited.
type trial struct {
	seed   int
	text   string
	before []value.Value
	edited []value.Value
}

// tries calls check with texts that nobody wrote and edits of what they come to. Texts
// that are no documents are left out, such as those with a list where a map is needed.
func (w workshop) tries(n int, check func(trial)) int {
	documents := 0
	for seed := *restoreFrom; seed < *restoreFrom+n; seed++ {
		r := rand.New(rand.NewSource(int64(seed)))
		text := layeredText(r)
		before, err := w.expanded(text)
		if err != nil {
			continue
		}
		documents++
		edited := append([]value.Value(nil), before...)
		for range 1 + r.Intn(3) {
			i := r.Intn(len(edited))
			edited[i] = changed(r, edited[i])
		}
		check(trial{seed, text, before, edited})
	}
	return documents
}

// TestRestoreLaws edits documents that nobody wrote (spec: roundtrip, section 4): what is
// restored comes to what was edited, what was not edited keeps its bytes, and restoring
// once more changes nothing.
func TestRestoreLaws(t *testing.T) {
	w := newWorkshop(t)
	var conflicts, inlined int
	documents := w.tries(seeds(), func(x trial) {
		e, err := w.restored(x.text, x.edited, edit.RestoreOptions{})
		var conflict *edit.ConflictError
		if errors.As(err, &conflict) {
			conflicts++
			t.Logf("seed %d: %v\n%s", x.seed, err, x.text)
			return
		}
		if err != nil {
			t.Errorf("seed %d: %v\n%s", x.seed, err, x.text)
			return
		}
		if w.holdsTo(x, e) {
			inlined++
		}
	})
	t.Logf("%d documents, %d conflicts, %d with directives written out", documents, conflicts, inlined)
	if documents < seeds()/2 || conflicts > documents/50 {
		t.Errorf("of %d texts %d are documents, %d have conflicts", seeds(), documents, conflicts)
	}
}

func seeds() int {
	if testing.Short() {
		return *restoreSeeds / 4
	}
	return *restoreSeeds
}

// holdsTo checks what was restored, and reports whether a directive went.
func (w workshop) holdsTo(x trial, e *edit.Result) bool {
	w.Helper()
	now := e.Files[0].Text
	putBack := warns(e, source.TemplateRemoved) // and may go next time
	w.comesTo(x, now, putBack)
	again, err := w.restored(now, x.edited, edit.RestoreOptions{})
	if err != nil {
		w.Errorf("seed %d: restoring once more: %v\n%s---\n%s", x.seed, err, x.text, now)
	} else if again.Changed() && !putBack {
		w.Errorf("seed %d: restoring once more changes\n%s---\n%s---\n%s", x.seed, x.text, now, again.Files[0].Text)
	}
	same, err := w.restored(x.text, x.before, edit.RestoreOptions{})
	if err != nil {
		w.Errorf("seed %d: what was not edited: %v\n%s", x.seed, err, x.text)
	} else if same.Changed() {
		w.Errorf("seed %d: what was not edited changed\n%s---\n%s", x.seed, x.text, same.Files[0].Text)
	}
	return warns(e, source.Inlined)
}

func warns(e *edit.Result, code source.Code) bool {
	for _, d := range e.Warnings {
		if d.Code == code {
			return true
		}
	}
	return false
}

// comesTo checks that a text comes to what was edited, but for what may have been put back.
func (w workshop) comesTo(x trial, text string, putBack bool) {
	w.Helper()
	after, err := w.expanded(text)
	if err != nil || len(after) != len(x.edited) {
		w.Errorf("seed %d: %d documents, %v\n%s---\n%s", x.seed, len(after), err, x.text, text)
		return
	}
	for i := range after {
		wrong, err := restore.Differences(x.edited[i], after[i])
		if err != nil {
			w.Fatal(err)
		}
		for _, p := range wrong {
			if !putBack || has(x.edited[i], p) || !has(x.before[i], p) {
				w.Errorf("seed %d: %s is wrong\n%s---\n%s", x.seed, p, x.text, text)
			}
		}
	}
}

func has(v value.Value, p value.Path) bool {
	_, ok := at(v, p)
	return ok
}

// at returns what stands at a path, false for nothing.
func at(v value.Value, p value.Path) (value.Value, bool) {
	for _, k := range p {
		var ok bool
		switch {
		case v.Is(value.MapKind):
			v, ok, _ = v.Map().Get(k)
		case v.Is(value.ListKind):
			i, _ := k.Value().Int()
			if ok = int(i) < v.List().Len(); ok {
				v, _ = v.List().At(int(i))
			}
		}
		if !ok {
			return value.Null, false
		}
	}
	return v, true
}
