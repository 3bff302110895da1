package edit_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A stackWriter generates stacks of layers: maps and lists that join, whiteouts, rules for lists, pointers
// and anchors. The lowest layer has the lists of a listWriter.
type stackWriter struct{ listWriter }

// layer returns a layer over others.
func (w stackWriter) layer(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# layer %d\nown%d: {a: 1, b: [x, y]}   # keep %d\n", i, i, i)
	b.WriteString(w.overrides(""))
	switch w.Intn(6) {
	case 0:
		b.WriteString("rows: {+%: whiteout}\n")
	case 1:
		fmt.Fprintf(&b, "env: [{id: %d, value: over}, {id: 9, value: new}]\n", w.Intn(3))
	case 2:
		b.WriteString("spec:\n  deep: {+%: whiteout}   # no\n  more: {+/spec/deep: }\n")
	case 3:
		fmt.Fprintf(&b, "tmpl: &t%d {port: %d}\nweb:\n  +*t%d:\n  name: w%d\n", i, 80+i, i, i)
	case 4:
		b.WriteString("web:\n  +/spec/deep:\n  name: n   # of the web\n")
	}
	return b.String()
}

// write writes the lowest and the other layers but for the edited one, and returns the text of that.
func (w stackWriter) write(at workshop, n, edited int) (workshop, string) {
	at.o = yaytpl.Options{}
	var text string
	for i := range n {
		layer := w.layer(i)
		if i == 0 {
			layer = w.base() + "tmpl: {host: h, port: 1}\nlow: {+/spec/deep: }\n"
		}
		name := fmt.Sprintf("layer%d.yaml", i)
		switch {
		case i == edited:
			text = layer
			continue
		case i < edited:
			at.o.Base = append(at.o.Base, at.write(name, layer))
		default:
			at.o.Over = append(at.o.Over, at.write(name, layer))
		}
		at.write(name, layer)
	}
	return at, text
}

// TestRestoreLayerLaws restores changes of stacks of two to four layers into one of them: into the highest
// each can be written, and into another one all that no layer over it hides.
func TestRestoreLayerLaws(t *testing.T) {
	shop := newWorkshop(t)
	documents, refused := 0, 0
	for seed := range 2 * seeds() {
		seed += *restoreFrom
		r := rand.New(rand.NewSource(int64(seed)))
		n := 2 + r.Intn(3)
		main := n - 1
		if r.Intn(3) == 0 {
			main = r.Intn(n)
		}
		w, text := stackWriter{listWriter{r}}.write(shop, n, main)
		before, err := w.expanded(text)
		if err != nil {
			continue
		}
		documents++
		edited := []value.Value{before[0]}
		for range 1 + r.Intn(3) {
			if edited[0] = listChanged(r, edited[0]); r.Intn(2) == 0 {
				edited[0] = changed(r, edited[0])
			}
		}
		if !edited[0].Is(value.MapKind) {
			continue // layers are maps
		}
		x := trial{seed, text, before, edited}
		e, err := w.restored(text, edited, edit.RestoreOptions{})
		w.reports(x, err)
		var conflict *edit.ConflictError
		var broken *source.Diagnostic
		switch {
		case errors.As(err, &broken) && (broken.Code == source.MissingInclude || broken.Code == source.MergeConflict):
			refused++ // a pointer of another layer would have no target
		case errors.As(err, &conflict) && main < n-1 && hidden(conflict):
			refused++
		case err != nil:
			t.Errorf("seed %d, layer %d of %d: %v", seed, main, n, err)
		default:
			w.holdsTo(x, e)
			w.keepsLines(x, e.Files[0].Text)
		}
		if t.Failed() {
			w.show(x)
			return
		}
	}
	t.Logf("%d documents, %d refused", documents, refused)
	if documents < seeds() || refused > documents/4 {
		t.Errorf("%d documents of %d, %d refused", documents, 2*seeds(), refused)
	}
}

// hidden reports whether all conflicts are values that a layer over the file hides.
func hidden(e *edit.ConflictError) bool {
	return !slices.ContainsFunc(e.Report.Conflicts(), func(c edit.ReportChange) bool {
		return len(c.Ways) == 0 || !strings.Contains(c.Ways[0], "hides the change") && !strings.Contains(c.Ways[0], "layers above")
	})
}

// keepsLines checks that the lines of values that were not edited have their bytes.
func (w workshop) keepsLines(x trial, now string) {
	w.Helper()
	for line := range strings.Lines(x.text) {
		key, _, _ := strings.Cut(line, ":")
		if !strings.Contains(line, "# keep") {
			continue
		}
		p := value.Path{value.K(key)}
		old, _ := at(x.before[0], p)
		if kept, ok := at(x.edited[0], p); ok && value.IsSame(old, kept) && !strings.Contains(now, line) {
			w.Errorf("seed %d: the line %q is not in\n%s", x.seed, line, now)
		}
	}
}

// show logs a trial that failed, with its layers.
func (w workshop) show(x trial) {
	var b strings.Builder
	for _, v := range []value.Value{x.before[0], x.edited[0]} {
		_ = yaml.Encode(&b, v, yaml.EncodeOptions{})
		b.WriteString("---\n")
	}
	w.Logf("base %v, over %v, in %s\n%s---\n%s", w.o.Base, w.o.Over, w.dir, x.text, b.String())
	for _, name := range slices.Concat(w.o.Base, w.o.Over) {
		f, err := edit.ReadDocument(context.Background(), name, yaytpl.Options{})
		if err == nil {
			w.Logf("%s\n%s", name, f.Text)
		}
	}
}

// TestEditLayerLaws sets, deletes and appends in lists of lower layers.
func TestEditLayerLaws(t *testing.T) {
	shop := newWorkshop(t)
	var edits listEdits
	for seed := range 2 * seeds() {
		seed += *restoreFrom
		r := rand.New(rand.NewSource(int64(seed)))
		n := 2 + r.Intn(3)
		w, text := stackWriter{listWriter{r}}.write(shop, n, n-1)
		before, err := w.expanded(text)
		if err != nil {
			continue
		}
		edits.apply(w, seed, text, before, randomListEdit(r, before[0]), func() { w.show(trial{seed, text, before, before}) })
	}
	edits.judge(t)
}

// stream returns a stream of manifests, and a layer over it whose documents match some of them.
func (w stackWriter) stream() (base, over string) {
	var b, o strings.Builder
	n := 2 + w.Intn(2)
	for i := range n {
		kind := []string{"Deployment", "Service"}[w.Intn(2)]
		fmt.Fprintf(&b, "---\nkind: %s\nmetadata: {name: n%d}\nspec: {replicas: %d, steps: %s, hosts: %s}\n", kind, i, i, w.list("steps"), w.list("hosts"))
	}
	for i := range 1 + w.Intn(3) {
		o.WriteString("---\n")
		switch w.Intn(4) {
		case 0:
			o.WriteString("+?match: {kind: Deployment}   # all\n")
		case 1:
			fmt.Fprintf(&o, "+?match: {metadata: {name: n%d}}\n", w.Intn(n))
		case 2:
			o.WriteString("+?match: {kind: Service}\n")
		}
		fmt.Fprintf(&o, "own%d: {a: 1, b: [x, y]}   # keep %d\n", i, i)
		switch w.Intn(4) {
		case 0:
			fmt.Fprintf(&o, "spec: {steps: %s}\n", w.overriding("steps"))
		case 1:
			fmt.Fprintf(&o, "spec: {replicas: %d, hosts: {+%%: whiteout}}\n", 9+i)
		case 2:
			o.WriteString("spec:\n  +lists: {steps: by name}\n  hosts: [z]\n  mode: fast # m\n")
		}
	}
	return b.String(), o.String()
}

// TestRestoreStreamLaws restores changes of the documents of a stream into a layer whose documents have
// +match. All documents are then as they were edited, or nothing is written.
func TestRestoreStreamLaws(t *testing.T) {
	w := newWorkshop(t)
	documents, refused := 0, 0
	reasons := map[string]int{}
	for seed := range seeds() {
		seed += *restoreFrom
		r := rand.New(rand.NewSource(int64(seed)))
		base, text := stackWriter{listWriter{r}}.stream()
		w.o = yaytpl.Options{Base: []string{w.write("base.yaml", base)}}
		before, err := w.expanded(text)
		if err != nil {
			continue
		}
		documents++
		edited := slices.Clone(before)
		if r.Intn(2) == 0 {
			for j := range edited { // alike in all
				edited[j] = withEntry(edited[j], "alike", value.Int(int64(seed)))
			}
		} else {
			i := r.Intn(len(edited))
			edited[i] = listChanged(r, edited[i])
		}
		x := trial{seed, text, before, edited}
		e, err := w.restored(text, edited, edit.RestoreOptions{})
		w.reports(x, err)
		var conflict *edit.ConflictError
		switch {
		case errors.As(err, &conflict):
			refused++
			reasons[string(conflict.Report.Conflicts()[0].Reason)]++
		case err != nil:
			t.Errorf("seed %d: %v", seed, err)
		default:
			w.holdsTo(x, e)
		}
		if t.Failed() {
			w.show(x)
			return
		}
	}
	t.Logf("%d streams, %d refused: %v", documents, refused, reasons)
	if documents < seeds()/2 || refused > documents*3/4 {
		t.Errorf("%d streams of %d, %d refused", documents, seeds(), refused)
	}
}

// withEntry returns a map with an entry set.
func withEntry(v value.Value, key string, to value.Value) value.Value {
	m := value.NewMap(v.Map().Len() + 1)
	for k := range v.Map().Keys() {
		item, _, _ := v.Map().Get(k)
		m.Set(k, item)
	}
	m.Set(value.K(key), to)
	return value.FromMap(m)
}

// TestRestoreBombs restores documents whose aliases repeat lists very often.
func TestRestoreBombs(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a: &a0 [x]\n")
	for i := range 12 {
		fmt.Fprintf(&bomb, "b%d: &a%d [%s*a%d]\n", i, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	edited := source.NewFile("edited.yaml", strings.Replace(bomb.String(), "[x]", "[y]", 1)+"own: 2\n")
	w := newWorkshop(t)
	w.o.Base = []string{w.write("base.yaml", bomb.String())}
	for _, o := range []yaytpl.Options{{}, w.o} {
		text := bomb.String() + "own: 1\n"
		if len(o.Base) > 0 {
			text = "own: 1\n"
		}
		_, err := edit.Restore(context.Background(), w.write("main.yaml", text), edited, o, edit.RestoreOptions{})
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.Code != source.Limit {
			t.Errorf("%v, want %s", err, source.Limit)
		}
	}
}
