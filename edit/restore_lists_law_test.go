package edit_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A listWriter generates a file of lists and a document that brings them in: by an include at the
// top or below, a pointer or an anchor, with rules for lists and overrides of some of them.
type listWriter struct{ *rand.Rand }

// base returns the lists: of scalars, of maps with names or without, of lists, in maps and in items.
func (w listWriter) base() string {
	var b strings.Builder
	for _, key := range []string{"hosts", "steps", "plain", "rows", "env"} {
		fmt.Fprintf(&b, "%s: %s\n", key, w.list(key))
	}
	fmt.Fprintf(&b, "spec:\n  steps: %s\n  hosts: %s\n  deep: {env: %s}\n", w.list("steps"), w.list("hosts"), w.list("env"))
	return b.String()
}

func (w listWriter) list(key string) string {
	var items []string
	for i := range w.Intn(5) {
		items = append(items, w.item(key, i))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (w listWriter) item(key string, i int) string {
	switch key {
	case "hosts":
		return fmt.Sprintf("h%d", i+w.Intn(2))
	case "plain":
		return fmt.Sprintf("{image: i%d, port: %d}", i, w.Intn(3))
	case "rows":
		return fmt.Sprintf("[%d, x]", i)
	case "env":
		if w.Intn(6) == 0 {
			return "text"
		}
		return fmt.Sprintf("{id: %d, value: v%d}", i, w.Intn(3))
	}
	switch w.Intn(8) {
	case 0:
		return fmt.Sprintf("{name: n%d}", i)
	case 1:
		return fmt.Sprintf("{name: n%d, env: %s, hosts: %s}", i, w.list("env"), w.list("hosts"))
	}
	return fmt.Sprintf("{name: n%d, image: x%d, m: {a: 1, b: 2}}", i, w.Intn(3))
}

// document returns the document with the lists of base.yaml.
func (w listWriter) document() string {
	switch w.Intn(4) {
	case 0:
		return "+include: base.yaml\n" + w.overrides("")
	case 1:
		return "in:\n  +include: base.yaml\n" + w.overrides("  ")
	case 2:
		return "from: {+include: base.yaml}\nin:\n  +/from:\n" + w.overrides("  ")
	}
	return "from: &a\n  +include: base.yaml\nin:\n  +*a:\n" + w.overrides("  ") + "again: {+*a: }\n"
}

func (w listWriter) overrides(indent string) string {
	var b strings.Builder
	if w.Intn(3) == 0 {
		policy := func() string { return []string{"union", "append", "replace", "by name", "by id"}[w.Intn(5)] }
		fmt.Fprintf(&b, "%s+lists: {%s: %s, env: %s}\n", indent, []string{"steps", "spec.steps", "hosts", `"*"`}[w.Intn(4)], policy(), policy())
	}
	if w.Intn(3) == 0 {
		fmt.Fprintf(&b, "%ssteps: %s   # ours\n", indent, w.overriding("steps"))
	}
	if w.Intn(4) == 0 {
		fmt.Fprintf(&b, "%splain:\n%s  - %s\n", indent, indent, w.item("plain", 7))
	}
	if w.Intn(4) == 0 {
		fmt.Fprintf(&b, "%sspec: {hosts: %s}\n", indent, w.overriding("hosts"))
	}
	fmt.Fprintf(&b, "%sown: 1\n", indent)
	return b.String()
}

func (w listWriter) overriding(key string) string {
	var items []string
	switch w.Intn(4) {
	case 0:
		items = append(items, "{+%: replace}")
	case 1:
		items = append(items, "{+%: merge}", "{+%: merge, port: 9}")
	case 2:
		items = append(items, "{name: n1, +%: whiteout}", "{name: n0, +%: replace, z: 1}")
	}
	for i := range w.Intn(3) {
		items = append(items, w.item(key, i+w.Intn(4)))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// listChanged returns a document with one change of a list somewhere in it.
func listChanged(r *rand.Rand, v value.Value) value.Value {
	switch {
	case v.Is(value.MapKind):
		m := value.NewMap(v.Map().Len())
		var keys, lists []value.Key
		for k := range v.Map().Keys() {
			keys = append(keys, k)
			if item, _, _ := v.Map().Get(k); hasList(item) {
				lists = append(lists, k)
			}
		}
		if len(lists) == 0 {
			lists = keys
		}
		for _, k := range keys {
			item, _, _ := v.Map().Get(k)
			m.Set(k, item)
		}
		if len(lists) > 0 {
			k := lists[r.Intn(len(lists))]
			item, _, _ := v.Map().Get(k)
			m.Set(k, listChanged(r, item))
		}
		if r.Intn(8) == 0 {
			m.Set(value.K("fresh"), value.Int(int64(r.Intn(9))))
		}
		return value.FromMap(m)
	case v.Is(value.ListKind):
		return changedItems(r, v.List())
	}
	return value.String(fmt.Sprintf("e%d", r.Intn(20)))
}

func changedItems(r *rand.Rand, l value.List) value.Value {
	var items value.Slice
	for item := range value.Items(l) {
		items = append(items, item)
	}
	fresh := value.NewMap(2)
	fresh.Set(value.K("name"), value.String(fmt.Sprintf("f%d", r.Intn(3))))
	fresh.Set(value.K("image"), value.String("z"))
	added := []value.Value{value.String("h9"), value.FromMap(fresh)}[r.Intn(2)]
	n := len(items)
	switch what := r.Intn(7); {
	case n == 0 || what == 0:
		items = append(items, added)
	case what == 1:
		items = slices.Insert(items, r.Intn(n), added)
	case what == 2:
		at := r.Intn(n)
		items = slices.Delete(items, at, at+1)
	case what == 3:
		r.Shuffle(n, func(i, j int) { items[i], items[j] = items[j], items[i] })
	case what == 4 && r.Intn(4) == 0:
		items = nil
	default:
		at := r.Intn(n)
		items[at] = listChanged(r, items[at])
	}
	return value.FromList(items)
}

// TestRestoreListLaws restores changes of included lists. Without splices in the document each of
// them can be written, and no directive is expanded.
func TestRestoreListLaws(t *testing.T) {
	w := newWorkshop(t)
	documents, refused := 0, 0
	for seed := range 2 * seeds() {
		r := rand.New(rand.NewSource(int64(seed + *restoreFrom)))
		g := listWriter{Rand: r}
		base := g.base()
		w.write("base.yaml", base)
		text := g.document()
		before, err := w.expanded(text)
		if err != nil {
			continue
		}
		documents++
		edited := []value.Value{before[0]}
		for range 1 + r.Intn(3) {
			edited[0] = listChanged(r, edited[0])
		}
		x := trial{seed, text, before, edited}
		e, err := w.restored(text, edited, edit.RestoreOptions{})
		switch {
		case err != nil:
			refused++
			t.Errorf("seed %d: %v\n%s---\n%s", seed, err, text, base)
		case w.holdsTo(x, e):
			t.Errorf("seed %d: a directive was expanded\n%s---\n%s---\n%s", seed, base, text, e.Files[0].Text)
		}
		if t.Failed() {
			var b strings.Builder
			_ = yaml.Encode(&b, edited[0], yaml.EncodeOptions{})
			t.Fatalf("edited\n%s---\n%s", b.String(), base)
		}
	}
	t.Logf("%d documents, %d refused", documents, refused)
	if documents < seeds() {
		t.Errorf("of %d texts only %d are documents", 2*seeds(), documents)
	}
}

// TestEditListLaws sets, deletes and appends in included lists. An edit that is made has its result,
// and changes nothing else.
func TestEditListLaws(t *testing.T) {
	w := newWorkshop(t)
	var edits listEdits
	for seed := range seeds() {
		r := rand.New(rand.NewSource(int64(seed + *restoreFrom)))
		g := listWriter{Rand: r}
		base := g.base()
		w.write("base.yaml", base)
		text := g.document()
		before, err := w.expanded(text)
		if err != nil {
			continue
		}
		edits.apply(w, seed, text, before, randomListEdit(r, before[0]), func() { t.Logf("%s---\n%s", base, text) })
	}
	edits.judge(t)
}

// listEdits counts edits of lists.
type listEdits struct{ done, refused int }

// apply makes an edit of a text that expands to before. An edit that is made changes nothing else; of one that
// is refused, show tells more.
func (l *listEdits) apply(w workshop, seed int, text string, before []value.Value, e edit.Edit, show func()) {
	w.Helper()
	result, err := edit.Apply(context.Background(), w.write("main.yaml", text), []edit.Edit{e}, w.o, edit.Options{})
	var refusal *source.Refusal
	if errors.As(err, &refusal) && refusal.Reason == source.SharedSource {
		return // the place has another name as well
	}
	if err != nil {
		l.refused++
		w.Logf("seed %d: %+v: %v", seed, e, err)
		show()
		return
	}
	l.done++
	after, err := w.expanded(result.Files[0].Text)
	if err != nil {
		w.Fatalf("seed %d: %v\n%s", seed, err, result.Files[0].Text)
	}
	wrong, err := restore.Differences(before[0], after[0])
	if err != nil || len(wrong) > 1 && e.Op != edit.Delete {
		w.Errorf("seed %d: %+v: changes %v, %v\n%s---\n%s", seed, e, wrong, err, text, result.Files[0].Text)
	}
}

// judge requires that nearly all edits were made.
func (l *listEdits) judge(t *testing.T) {
	t.Helper()
	t.Logf("%d edits, %d refused", l.done, l.refused)
	if l.refused*50 > l.done {
		t.Errorf("%d edits, %d refused", l.done, l.refused)
	}
}

// randomListEdit returns an edit of a list or of a place in one.
func randomListEdit(r *rand.Rand, v value.Value) edit.Edit {
	var p value.Path
	inList := false
	for {
		var keys []value.Key
		switch {
		case v.Is(value.MapKind):
			for k := range v.Map().Keys() {
				keys = append(keys, k)
			}
		case v.Is(value.ListKind):
			if len(p) > 0 && r.Intn(4) == 0 {
				return edit.Edit{Op: edit.Append, Path: p.String(), Value: value.String(fmt.Sprintf("h%d", r.Intn(9)))}
			}
			inList = true
			for i := range v.List().Len() {
				keys = append(keys, value.Index(i))
			}
		}
		if len(keys) == 0 || inList && r.Intn(3) == 0 && p[len(p)-1].Kind == value.IntKind {
			break
		}
		k := keys[r.Intn(len(keys))]
		p = append(slices.Clip(p), k)
		v, _ = at(v, value.Path{k})
	}
	if inList && r.Intn(3) == 0 && p[len(p)-1].Kind == value.IntKind {
		return edit.Edit{Op: edit.Delete, Path: p.String()}
	}
	return edit.Edit{Op: edit.Set, Path: p.String(), Value: value.String(fmt.Sprintf("e%d", r.Intn(9)))}
}
