package edit_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"pgregory.net/rapid"
)

// editTree makes edits of the first of some files in a directory, and returns the texts
// of those that changed.
func editTree(t testing.TB, name string, files map[string]string, eo edit.Options, edits ...string) (map[string]string, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list := make([]edit.Edit, len(edits))
	for i, text := range edits {
		list[i] = readEdit(t, text)
	}
	e, err := edit.Apply(context.Background(), name, list, yaytpl.Options{Dir: dir, NoEnv: true}, eo)
	if err != nil {
		return nil, err
	}
	changed := map[string]string{}
	for _, f := range e.Files {
		if f.Changed() {
			changed[f.Name] = f.Text
		}
	}
	return changed, nil
}

var sourceFiles = map[string]string{
	"base.yaml": `host: a   # where
port: 80
list: [a]
m: {p: 1, q: {r: 2}}
t: {z: 1}
u: {+/t: }
same: "{{ port }}"
sum: "{{ port + 1 }}"
ref: {eval: "::port"}
`,
	"mid.yaml":     "svc:\n  +include: base.yaml\n  port: 90\n",
	"plain.json":   "{\"a\": {\"b\": 1},\n \"c\": [1, 2]}\n",
	"one.yaml":     "web:\n  +include: base.yaml\n  own: 1  # mine\n  list: [b]\n",
	"two.yaml":     "a: {+include: base.yaml}\nb: {+include: base.yaml}\n",
	"deep.yaml":    "x:\n  +include: mid.yaml\n",
	"json.yaml":    "j: {+include: plain.json}\n",
	"once.yaml":    "tmpl: {port: 80, l: [1, 2]}\nweb: {+/tmpl: , own: 1}\n",
	"twice.yaml":   "tmpl: {port: 80, l: [1, 2]}\na: {+/tmpl: }\nb: {+/tmpl: }\n",
	"alias.yaml":   "base: &x {p: 1}\na: *x\nb: {<<: *x, k: 1}\n",
	"merge.yaml":   "base: &x {p: 1, q: 2}\nb: {<<: *x, k: 1}\n",
	"docs.yaml":    "a: {+include: base.yaml}\n---\nb: {+include: base.yaml}\n",
	"plain.yaml":   "a: {b: 1}\n",
	"empty.yaml":   "+include: nothing.yaml\n",
	"nothing.yaml": "# nothing\n",
}

func TestEditSource(t *testing.T) {
	change := func(name, old, text string) map[string]string {
		if !strings.Contains(sourceFiles[name], old) {
			t.Fatalf("%s has no %q", name, old)
		}
		return map[string]string{name: strings.Replace(sourceFiles[name], old, text, 1)}
	}
	both := func(a, b map[string]string) map[string]string {
		out := maps.Clone(a)
		maps.Copy(out, b)
		return out
	}
	tests := []struct {
		name, file, edit string
		want             map[string]string
		fails            string // a part of the error
	}{
		{"included scalar", "one.yaml", "web.host=z", change("base.yaml", "host: a ", "host: z "), ""},
		{"own scalar", "one.yaml", "web.own=2", change("one.yaml", "own: 1", "own: 2"), ""},
		{"nested", "one.yaml", "web.m.q.r=3", change("base.yaml", "r: 2", "r: 3"), ""},
		{"item", "one.yaml", "web.list[0]=z", change("base.yaml", "[a]", "[z]"), ""},
		{"item of the override", "one.yaml", "web.list[1]=z", change("one.yaml", "[b]", "[z]"), ""},
		{"append to the newest list", "one.yaml", "web.list+=c", change("one.yaml", "[b]", "[b, c]"), ""},
		{"append to an included list", "deep.yaml", "x.svc.list+=c", change("base.yaml", "[a]", "[a, c]"), ""},
		{"include in an include", "deep.yaml", "x.svc.host=z", change("base.yaml", "host: a ", "host: z "), ""},
		{"override in an include", "deep.yaml", "x.svc.port=91", change("mid.yaml", "port: 90", "port: 91"), ""},
		{"template in an include", "one.yaml", "web.u.z=2", change("base.yaml", "t: {z: 1}", "t: {z: 2}"), ""},
		{"JSON", "json.yaml", "j.a.b=2", change("plain.json", `"b": 1`, `"b": 2`), ""},
		{"new key in JSON", "json.yaml", "j.a.n=2", change("plain.json", `"b": 1`, `"b": 1, "n": 2`), ""},
		{"new key in the newest map", "one.yaml", "web.w=1", change("one.yaml", "list: [b]\n", "list: [b]\n  w: 1\n"), ""},
		{"new key in an included map", "one.yaml", "web.m.w=1", change("base.yaml", "{r: 2}}", "{r: 2}, w: 1}"), ""},
		{"new keys", "one.yaml", "web.m.w.o=1", change("base.yaml", "{r: 2}}", "{r: 2}, w: {o: 1}}"), ""},
		{"map", "one.yaml", "web.m={p: 2, w: 3}", change("base.yaml", "{p: 1, q: {r: 2}}", "{p: 2, w: 3}"), ""},
		{"delete", "one.yaml", "-web.host", change("base.yaml", "host: a   # where\n", ""), ""},
		{"delete an item", "json.yaml", "-j.c[0]", change("plain.json", "[1, 2]", "[2]"), ""},
		{"delete in two files", "deep.yaml", "-x.svc.port", both(change("mid.yaml", "  port: 90\n", ""), change("base.yaml", "port: 80\n", "")), ""},
		{"delete a key of two files", "one.yaml", "-web.list", both(change("one.yaml", "  list: [b]\n", ""), change("base.yaml", "list: [a]\n", "")), ""},
		{"rename", "one.yaml", "web.host>name", change("base.yaml", "host: a", "name: a"), ""},
		{"template used once", "once.yaml", "web.port=81", change("once.yaml", "port: 80", "port: 81"), ""},
		{"append to a template", "once.yaml", "web.l+=3", change("once.yaml", "[1, 2]", "[1, 2, 3]"), ""},
		{"delete an item of a template", "once.yaml", "-web.l[0]", change("once.yaml", "[1, 2]", "[2]"), ""},
		{"new key next to a template", "once.yaml", "web.w=1", change("once.yaml", "own: 1", "own: 1, w: 1"), ""},
		{"delete the place of an include", "one.yaml", "-web", map[string]string{"one.yaml": "{}\n"}, ""},
		{"delete through a merge key", "merge.yaml", "-b.p", change("merge.yaml", "{p: 1, q: 2}", "{q: 2}"), ""},
		{"rename through a merge key", "merge.yaml", "b.p>r", change("merge.yaml", "{p: 1,", "{r: 1,"), ""},
		{"set through a merge key", "merge.yaml", "b.p=3", change("merge.yaml", "{p: 1,", "{p: 3,"), ""},
		{"without directives", "plain.yaml", "a.b=2", change("plain.yaml", "b: 1", "b: 2"), ""},
		{"empty include", "empty.yaml", "a=1", map[string]string{"nothing.yaml": "# nothing\na: 1\n"}, ""},
		{"expression", "one.yaml", "web.sum=82", change("base.yaml", `"{{ port + 1 }}"`, "82"), ""},

		{"result of an expression", "one.yaml", "web.sum=81", nil, "result of an expression"},
		{"reference", "one.yaml", "web.same=81", nil, "only repeats port"},
		{"reference as an object", "one.yaml", "web.ref=81", nil, "only repeats ::port"},
		{"template used twice", "twice.yaml", "a.port=81", nil, "other values as well: b.port"},
		{"template itself", "twice.yaml", "tmpl.port=81", nil, "other values as well: a.port, b.port"},
		{"list of a template used twice", "twice.yaml", "a.l+=3", nil, "other values as well: b.l[2]"},
		{"included twice", "two.yaml", "a.host=z", nil, "other values as well: b.host"},
		{"included in another document", "docs.yaml", "a.host=z", nil, "b.host in document 1"},
		{"alias", "alias.yaml", "a.p=2", nil, "other values as well: b.p"},
		{"missing", "one.yaml", "-web.hots", nil, `no "hots"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := editTree(t, test.file, sourceFiles, edit.Options{To: edit.Source}, test.edit)
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("%s: %q, %v, want an error with %q", test.edit, got, err, test.fails)
				}
				return
			}
			if !maps.Equal(got, test.want) || err != nil {
				t.Errorf("%s: %q, %v, want %q", test.edit, got, err, test.want)
			}
		})
	}
}

// After a value is set where it is defined, its path has the new value, and every other
// changed path has the same definition. Setting it back restores the bytes.
func TestSourceEditsAreAlone(t *testing.T) {
	paths := map[string][]string{
		"one.yaml":   {"web.host", "web.port", "web.own", "web.m.p", "web.m.q.r", "web.t.z", "web.u.z", "web.list[0]", "web.list[1]"},
		"deep.yaml":  {"x.svc.host", "x.svc.port", "x.svc.m.q.r", "x.svc.u.z"},
		"once.yaml":  {"web.port", "web.l[0]", "web.own", "tmpl.port"},
		"twice.yaml": {"a.port", "b.l[1]", "tmpl.port"},
		"two.yaml":   {"a.host", "b.m.p", "a.u.z"},
		"alias.yaml": {"base.p", "a.p", "b.k", "b.p"},
		"json.yaml":  {"j.a.b", "j.c[1]"},
	}
	rapid.Check(t, func(r *rapid.T) {
		file := rapid.SampledFrom(slices.Sorted(maps.Keys(paths))).Draw(r, "file")
		path := rapid.SampledFrom(paths[file]).Draw(r, "path")
		eo := edit.Options{To: edit.Source, AllowChanges: rapid.Bool().Draw(r, "allowed")}
		changed, err := editTree(t, file, sourceFiles, eo, path+"=new")
		if err != nil {
			return
		}
		after := maps.Clone(sourceFiles)
		maps.Copy(after, changed)
		was, is := openTree(t, file, sourceFiles), openTree(t, file, after)
		if v, err := is.Get(path); err != nil || v.Str() != "new" {
			r.Fatalf("%s in %s is not new: %v", path, file, err)
		}
		old, err := was.Get(path)
		if err != nil {
			r.Fatal(err)
		}
		for _, c := range changesOf(t, was, is) {
			if definedAt(t, was, c.Path.String()) != definedAt(t, was, path) {
				r.Fatalf("%s in %s changed %s too, which is defined elsewhere", path, file, c.Path)
			}
		}
		spelling := old.Str()
		if n, ok := old.Int(); ok {
			spelling = strconv.FormatInt(n, 10)
		}
		back, err := editTree(t, file, after, eo, path+"="+spelling)
		maps.Copy(after, back)
		if err != nil || !maps.Equal(after, sourceFiles) {
			r.Fatalf("%s in %s set back: %q, %v", path, file, back, err)
		}
	})
}

// openTree opens a file of some files.
func openTree(t testing.TB, name string, files map[string]string) *yaytpl.Document {
	t.Helper()
	dir := t.TempDir()
	overlay := map[string]string{}
	for name, text := range files {
		overlay[filepath.Join(dir, name)] = text
	}
	p, err := yaytpl.Open(context.Background(), []string{name}, yaytpl.Options{Dir: dir, NoEnv: true, Overlay: overlay})
	if err != nil {
		t.Fatal(err)
	}
	return p.Documents()[0]
}

func changesOf(t testing.TB, a, b *yaytpl.Document) []value.Change {
	t.Helper()
	x, errX := a.Expanded()
	y, errY := b.Expanded()
	changes, err := value.Diff(x, y)
	if err := errors.Join(errX, errY, err); err != nil {
		t.Fatal(err)
	}
	return changes
}

// definedAt returns the place of the definition of a value.
func definedAt(t testing.TB, d *yaytpl.Document, path string) string {
	t.Helper()
	x, err := d.Explain(path)
	if err != nil || len(x.Facts) == 0 {
		t.Fatalf("%s: %v", path, err)
	}
	return x.Facts[0].At.String()
}

// Edits of read-only definitions, of results of expressions and of shared values are refused
// with a reason.
func TestEditReasons(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("port: 80\n")) }))
	defer server.Close()
	tests := []struct {
		text, edit string
		to         edit.Target
		reason     source.Reason
		hint       string
	}{
		{"some: [1, 3]\nl: [0, {+/some: }]\n", "l[1]=2", edit.Override, source.ListNotAppendable, "--to=source edits the definition, and --inline writes out what the directive gives"},
		{"a: {p: 1, l: [1]}\nb: {+/a: }\n", "a.p=2", edit.Override, source.SharedSource, "--allow-changes lets them change"},
		{"web: {+include: " + server.URL + "/base.yaml}\n", "web.port=81", edit.Source, source.SourceReadonly, "--to=override writes it into main.yaml"},
		{"web: {+include: " + server.URL + "/base.yaml}\n", "-web.port", edit.Source, source.SourceReadonly, "--to=override writes it into main.yaml"},
		{"a: {p: 1}\nb: {+/a: }\nc: {+/a: }\n", "b.p=2", edit.Source, source.SharedSource, "--allow-changes lets them change; --to=override edits b.p alone"},
		{"a: {p: 1}\nb: {+/a: , u: \"{{ a.p }}\"}\n", "b.u=1", edit.Source, source.ResultOfExpr, "--literal writes the value in the place of the expression"},
		{"a: {p: 1}\nb: {+/a: , u: \"{{ a.p }}\"}\n", "b.u=2", edit.Source, source.ResultOfExpr, "edit a.p, or write a value in the place of the expression with --literal"},
	}
	for _, test := range tests {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "main.yaml"), []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		o := yaytpl.Options{Dir: dir, NoEnv: true, AllowURL: true}
		_, err := edit.Apply(context.Background(), "main.yaml", []edit.Edit{readEdit(t, test.edit)}, o, edit.Options{To: test.to})
		var refusal *source.Refusal
		if !errors.As(err, &refusal) || refusal.Reason != test.reason || source.Findings(err)[0].Hint != test.hint {
			t.Errorf("%s in %q: %v, want the reason %s and the hint %q", test.edit, test.text, err, test.reason, test.hint)
		}
	}
}

// One file with two names is one file: a value that uses the other name is named as another
// change, and edits through both names are made in one text.
func TestEditSourceThroughLinks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"main.yaml": "a: {+include: base.yaml}\nb: {+include: link.yaml}\n", "base.yaml": "p: 1\nq: 1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("base.yaml", filepath.Join(dir, "link.yaml")); err != nil {
		t.Skip(err)
	}
	apply := func(eo edit.Options, edits ...string) (*edit.Result, error) {
		var list []edit.Edit
		for _, text := range edits {
			list = append(list, readEdit(t, text))
		}
		return edit.Apply(context.Background(), "main.yaml", list, yaytpl.Options{Dir: dir, NoEnv: true}, eo)
	}
	if _, err := apply(edit.Options{To: edit.Source}, "b.p=2"); err == nil || !strings.Contains(err.Error(), "as well: a.p") {
		t.Errorf("%v, want a.p to be named", err)
	}
	e, err := apply(edit.Options{To: edit.Source, AllowChanges: true}, "a.p=2", "b.q=3")
	if err != nil || len(e.Files) != 2 || e.Files[1].Text != "p: 2\nq: 3\n" {
		t.Errorf("%v, %v, want one other file with both edits", e, err)
	}
}
