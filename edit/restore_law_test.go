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
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var (
	restoreSeeds = flag.Int("restore.seeds", 0, "documents to restore, by default 32, and 320 with YAYTPL_LONG=1")
	restoreFrom  = flag.Int("restore.from", 0, "the seed of the first of them")
)

// A workshop restores texts in a directory of its own.
type workshop struct {
	testing.TB
	dir string
	o   yaytpl.Options // with the layers around the text
}

func newWorkshop(t testing.TB) workshop {
	w := workshop{TB: t, dir: t.TempDir()}
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

// expanded returns the documents of a text, expanded.
func (w workshop) expanded(text string) ([]value.Value, error) {
	p, err := yaytpl.Open(context.Background(), []string{w.write("main.yaml", text)}, w.o)
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
	return edit.Restore(context.Background(), w.write("main.yaml", text), w.document(edited), w.o, ro)
}

// reports checks that a report has conflicts if restoring, which returned err, has some.
func (w workshop) reports(x trial, err error) {
	w.Helper()
	report, failed := edit.Preview(context.Background(), w.write("main.yaml", x.text), w.document(x.edited), w.o, edit.RestoreOptions{})
	var conflict *edit.ConflictError
	refused := errors.As(err, &conflict)
	switch {
	case (failed == nil) != (err == nil || refused):
		w.Errorf("seed %d: report: %v, restore: %v", x.seed, failed, err)
	case failed == nil && (len(report.Conflicts()) > 0) != refused:
		w.Errorf("seed %d: report: %d conflicts, restore: %v", x.seed, len(report.Conflicts()), err)
	}
}

// document returns the text of edited documents.
func (w workshop) document(edited []value.Value) *source.File {
	var b strings.Builder
	for i, doc := range edited {
		if i > 0 {
			b.WriteString("---\n")
		}
		if err := yaml.Encode(&b, doc, yaml.EncodeOptions{Reveal: true}); err != nil {
			w.Fatal(err)
		}
	}
	return source.NewFile("edited.yaml", b.String())
}

// A trial is a text and its edited documents.
type trial struct {
	seed   int
	text   string
	before []value.Value
	edited []value.Value
}

// tries calls check with generated texts and edits of their expanded documents. Texts with
// errors are left out, such as those with a list where a map is needed.
func (w workshop) tries(n int, check func(trial)) int { return w.triesOf(layeredText, n, check) }

// triesOf is tries with the texts that generate returns.
func (w workshop) triesOf(generate func(*rand.Rand) string, n int, check func(trial)) int {
	documents := 0
	for seed := *restoreFrom; seed < *restoreFrom+n; seed++ {
		r := rand.New(rand.NewSource(int64(seed)))
		text := generate(r)
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

// With Evaluated, a value that equals the result of its expression is unchanged, and another
// value in its place is a conflict unless Literal is set.
func TestRestoreEvaluated(t *testing.T) {
	const text = "p: 80\nu: \"x{{ p }}\"\n"
	w := newWorkshop(t)
	rendered := func(u string) []value.Value {
		m := value.NewMap(2)
		m.Set(value.K("p"), value.Int(81))
		m.Set(value.K("u"), value.String(u))
		return []value.Value{value.FromMap(m)}
	}
	tests := []struct {
		u       string
		literal bool
		want    string // the text after, "" for a conflict
	}{
		{"x80", false, "p: 81\nu: \"x{{ p }}\"\n"},
		{"y", false, ""},
		{"y", true, "p: 81\nu: \"y\"\n"},
	}
	for _, test := range tests {
		ro := edit.RestoreOptions{Evaluated: true, Options: edit.Options{Literal: test.literal}}
		e, err := w.restored(text, rendered(test.u), ro)
		var conflict *edit.ConflictError
		if test.want == "" {
			if !errors.As(err, &conflict) || conflict.Report.Conflicts()[0].Reason != source.ResultOfExpr {
				t.Errorf("%s: %v, want a conflict", test.u, err)
			}
		} else if err != nil || e.Files[0].Text != test.want {
			t.Errorf("%s: %v, want\n%s", test.u, err, test.want)
		}
	}
}

// Two changes of one definition to different values are a conflict.
func TestRestoreDisagreement(t *testing.T) {
	w := newWorkshop(t)
	const text = "t: {p: 80}\na: {+/t: }\nb: {+/t: }\n"
	docs, err := w.expanded(text)
	if err != nil {
		t.Fatal(err)
	}
	port := func(n int64) value.Value {
		m := value.NewMap(1)
		m.Set(value.K("p"), value.Int(n))
		return value.FromMap(m)
	}
	m := value.NewMap(3)
	for i, k := range []string{"t", "a", "b"} {
		m.Set(value.K(k), port(80+int64(i)))
	}
	docs[0] = value.FromMap(m)
	_, err = w.restored(text, docs, edit.RestoreOptions{Options: edit.Options{To: edit.Source}})
	if err == nil || !strings.Contains(err.Error(), "b.p cannot be changed from 80 to 82 (shared-source): other values use the same definition") {
		t.Errorf("%v, want a conflict of b.p", err)
	}
}

// TestRestoreLaws edits generated documents (spec: roundtrip, section 4): the new text
// expands to the edited document, unchanged values keep their bytes, and restoring once more
// changes nothing.
func TestRestoreLaws(t *testing.T) { restoreLaws(t, layeredText) }

// The laws hold for documents with private keys too: they stay, and the directive joins those below.
func TestRestorePrivateLaws(t *testing.T) {
	restoreLaws(t, func(r *rand.Rand) string { return (&docWriter{Rand: r, private: true}).document() })
}

func restoreLaws(t *testing.T, generate func(*rand.Rand) string) {
	w := newWorkshop(t)
	var conflicts, inlined int
	documents := w.triesOf(generate, seeds(), func(x trial) {
		e, err := w.restored(x.text, x.edited, edit.RestoreOptions{})
		w.reports(x, err)
		var conflict *edit.ConflictError
		if errors.As(err, &conflict) && conflict.CanInline() {
			e, err = w.restored(x.text, x.edited, edit.RestoreOptions{Options: edit.Options{Inline: true}})
		}
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
	if *restoreSeeds > 0 {
		return *restoreSeeds
	}
	return long.Scale(320)
}

// holdsTo checks a result, and reports whether a directive was expanded.
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

// comesTo checks that a text expands to the edited document, apart from deleted values that
// were put back.
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

// at returns the value at a path, and false if there is none.
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
