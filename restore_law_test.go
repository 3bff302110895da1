package yaytpl_test

import (
	"context"
	"errors"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
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

// expanded returns a text with its directives carried out.
func (w workshop) expanded(text string) (value.Value, error) {
	p, err := yaytpl.Open(context.Background(), []string{w.write("main.yaml", text)}, yaytpl.Options{})
	if err != nil {
		return value.Null, err
	}
	d, err := p.Only(0)
	if err != nil {
		return value.Null, err
	}
	v, err := d.Expanded()
	if err != nil {
		return value.Null, err
	}
	return value.Plain(v)
}

func (w workshop) restored(text string, edited value.Value, ro yaytpl.RestoreOptions) (*yaytpl.Edited, error) {
	var b strings.Builder
	if err := yaml.Encode(&b, edited, yaml.EncodeOptions{Reveal: true}); err != nil {
		w.Fatal(err)
	}
	return yaytpl.RestoreFile(context.Background(), w.write("main.yaml", text), source.NewFile("edited.yaml", b.String()), yaytpl.Options{}, ro)
}

// TestRestoreLaws edits documents that nobody wrote (spec: roundtrip, section 4): what is
// restored comes to what was edited, what was not edited keeps its bytes, and restoring
// once more changes nothing.
func TestRestoreLaws(t *testing.T) {
	w := newWorkshop(t)
	n := 800
	if testing.Short() {
		n = 200
	}
	var documents, conflicts, inlined int
	for seed := range n {
		r := rand.New(rand.NewSource(int64(seed)))
		text := layeredDocument(r)
		before, err := w.expanded(text)
		if err != nil {
			continue // such as a list where a map is needed
		}
		documents++
		edited := before
		for range 1 + r.Intn(3) {
			edited = changed(r, edited)
		}
		e, err := w.restored(text, edited, yaytpl.RestoreOptions{})
		var conflict *yaytpl.ConflictError
		if errors.As(err, &conflict) {
			conflicts++
			if testing.Verbose() {
				w.Logf("seed %d: %v\n%s", seed, err, text)
			}
			continue
		}
		if err != nil {
			w.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if w.holdsTo(seed, text, before, edited, e) {
			inlined++
		}
	}
	t.Logf("%d documents, %d conflicts, %d with directives written out", documents, conflicts, inlined)
	if documents < n/2 || conflicts > documents/50 {
		t.Errorf("of %d texts %d are documents, %d have conflicts", n, documents, conflicts)
	}
}

// holdsTo checks what was restored, and reports whether a directive went.
func (w workshop) holdsTo(seed int, text string, before, edited value.Value, e *yaytpl.Edited) bool {
	inlined, putBack := false, false
	for _, d := range e.Warnings {
		inlined = inlined || d.Code == source.Inlined
		putBack = putBack || d.Code == source.TemplateRemoved
	}
	now := e.Files[0].Text
	after, err := w.expanded(now)
	if err != nil {
		w.Fatalf("seed %d: %v\n%s---\n%s", seed, err, text, now)
	}
	wrong, err := restore.Differences(edited, after)
	if err != nil {
		w.Fatal(err)
	}
	for _, p := range wrong {
		if !putBack || has(edited, p) || !has(before, p) {
			w.Errorf("seed %d: %s is wrong\n%s---\n%s", seed, p, text, now)
		}
	}
	again, err := w.restored(now, edited, yaytpl.RestoreOptions{})
	if err != nil || again.Changed() {
		w.Errorf("seed %d: restoring once more: %v\n%s---\n%s", seed, err, now, again.Files[0].Text)
	}
	same, err := w.restored(text, before, yaytpl.RestoreOptions{})
	if err != nil || same.Changed() {
		w.Errorf("seed %d: what was not edited changed: %v\n%s---\n%s", seed, err, text, same.Files[0].Text)
	}
	return inlined
}

func has(v value.Value, p value.Path) bool {
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
			return false
		}
	}
	return true
}
