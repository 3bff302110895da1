package edit_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"pgregory.net/rapid"
)

// editText makes edits in a main.yaml next to other files.
func editText(t testing.TB, text string, others map[string]string, eo edit.Options, edits ...string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	overlay := map[string]string{}
	for name, text := range others {
		overlay[filepath.Join(dir, name)] = text
	}
	if err := os.WriteFile(filepath.Join(dir, "main.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	list := make([]edit.Edit, len(edits))
	for i, text := range edits {
		list[i] = readEdit(t, text)
	}
	e, err := edit.Apply(context.Background(), "main.yaml", list, yaytpl.Options{Dir: dir, NoEnv: true, Overlay: overlay}, eo)
	if err != nil {
		return "", err
	}
	return e.Files[0].Text, nil
}

// readEdit reads PATH=VALUE, PATH+=VALUE, -PATH and PATH>KEY.
func readEdit(t testing.TB, text string) edit.Edit {
	t.Helper()
	if path, ok := strings.CutPrefix(text, "-"); ok {
		return edit.Edit{Op: edit.Delete, Path: path}
	}
	if path, key, ok := strings.Cut(text, ">"); ok {
		return edit.Edit{Op: edit.Rename, Path: path, Key: key}
	}
	e, err := edit.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEditFile(t *testing.T) {
	base := map[string]string{"base.yaml": "host: a\nport: 80\nlist: [a]\nm: {p: 1, q: {r: 2}}\n"}
	const web = "web:\n  +include: base.yaml\n  own: 1  # mine\nurl: \"{{ web.port }}\"\n"
	tests := []struct {
		name, text, edit, want string // the text after, or a word of the error after "!"
	}{
		{"scalar", "a: 1  # one\nb: 2\n", "a=3", "a: 3  # one\nb: 2\n"},
		{"itself", "a:   0x10\n", "a=16", "a:   0x10\n"},
		{"new key", "a: 1\n", "b=x", "a: 1\nb: x\n"},
		{"item", "l:\n- a\n- b  # two\n", "l[1]=c", "l:\n- a\n- c  # two\n"},
		{"item by name", "l:\n  - {name: x, v: 1}\n", "l[name=x].v=2", "l:\n  - {name: x, v: 2}\n"},
		{"after the last item", "l: [a]\n", "l[1]=b", "l: [a, b]\n"},
		{"append", "l: [a]\n", "l+=b", "l: [a, b]\n"},
		{"delete", "a: 1\n# about b\nb: 2\nc: 3\n", "-b", "a: 1\nc: 3\n"},
		{"rename", "a: 1  # one\n", "a>b", "b: 1  # one\n"},
		{"rename to a key that is there", "a: 1\nb: 2\n", "a>b", "!already"},
		{"template", "a: 1\n", "b=\"{{ a }}\"", "a: 1\nb: \"{{ a }}\"\n"},

		{"override", web, "web.port=81", strings.Replace(web, "# mine\n", "# mine\n  port: 81\n", 1)},
		{"override below", web, "web.m.q.r=3", strings.Replace(web, "# mine\n", "# mine\n  m:\n    q:\n      r: 3\n", 1)},
		{"whiteout", web, "-web.port", strings.Replace(web, "# mine\n", "# mine\n  port:\n    +%: whiteout\n", 1)},
		{"nullout", web, "web.m=null", strings.Replace(web, "# mine\n", "# mine\n  m:\n    +%: nullout\n", 1)},
		{"map over a map", web, "web.m={p: 1}", strings.Replace(web, "# mine\n", "# mine\n  m:\n    p: 1\n    q:\n      +%: whiteout\n", 1)},
		{"append to an included list", web, "web.list+=b", strings.Replace(web, "# mine\n", "# mine\n  list:\n    - b\n", 1)},
		{"own key", web, "web.own=2", strings.Replace(web, "own: 1", "own: 2", 1)},
		{"value of the base", web, "web.port=80", web},

		{"list over a list", web, "web.list=[z]", strings.Replace(web, "mine\n", "mine\n  list: [{+%: replace}, z]\n", 1)},
		{"item of an included list", web, "web.list[0]=z", strings.Replace(web, "mine\n", "mine\n  list: [{+%: replace}, z]\n", 1)},
		{"item of a spliced list", "some: [x, w]\nall: [{+/some: }, y]\n", "all[0]=z", "!items that a directive puts into a list"},
		{"rename of an included key", web, "web.host>h", "!not written in"},
		{"result of an expression", web, "url=80", "!result of an expression"},
		{"missing", "abc: 1\n", "-abd", "!no \"abd\""},
		{"index too large", "l: [1]\n", "l[7]=1", "!no \"7\""},
		{"append to a scalar", "a: 1\n", "a+=1", "!not a list"},
		{"shared by an anchor", "a: &x {p: 1}\nb: *x\n", "a.p=2", "!other values as well: b.p"},
		{"shared by many", "a: &x {p: 1}\nb: [*x, *x, *x, *x, *x, *x, *x, *x, *x, *x, *x, *x]\n", "a.p=2", "!b[9].p, and 2 more"},
		{"missing include", web, "web.m={+include: none.yaml}", "!with the edit: "},
		{"through an alias", "a: &x {p: 1}\nb: *x\n", "b.p=2", "a: &x {p: 1}\nb: {p: 2}\n"},
		{"no directive in plain YAML", "a: &x {p: 1}\nb: {<<: *x}\n", "-b.p", "a: &x {p: 1}\nb: {}\n"},
		{"below a key from <<", "a: &x {m: {p: 1, q: 2}}\nb: {<<: *x}\n", "-b.m.p", "a: &x {m: {p: 1, q: 2}}\nb: {<<: *x, m: {q: 2}}\n"},
		{"key from << of another map", "a: &x {p: 1}\nb: &y {<<: *x}\nc: {<<: *y}\n", "-b.p", "!not written in"},
		{"index behind a marker", "l: [{+%: replace}, a, b]\n", "-l[0]", "l: [{+%: replace}, b]\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := editText(t, test.text, base, edit.Options{}, test.edit)
			if word, ok := strings.CutPrefix(test.want, "!"); ok {
				if err == nil || !strings.Contains(err.Error(), word) {
					t.Errorf("%s: %q, %v, want an error with %q", test.edit, got, err, word)
				}
				return
			}
			if got != test.want || err != nil {
				t.Errorf("%s:\n%s%v\nwant\n%s", test.edit, got, err, test.want)
			}
		})
	}
}

// Either all edits are made or none.
func TestEditsTogether(t *testing.T) {
	got, err := editText(t, "a: 1\nb: 2\n", nil, edit.Options{}, "a=3", "c=4", "-b")
	if want := "a: 3\nc: 4\n"; got != want || err != nil {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if got, err := editText(t, "a: 1\n", nil, edit.Options{}, "a=3", "-b"); err == nil {
		t.Errorf("%q although there is no b", got)
	}
}

// A path belongs to the only document that has it, or to the one that Doc selects.
func TestEditsOfDocuments(t *testing.T) {
	const text = "a: 1\n---\na: 2\nc: 1\n"
	doc := func(n int) *int { return &n }
	tests := []struct {
		doc        *int
		edit, want string // the text after, or a part of the error after "!"
	}{
		{nil, "c=2", "a: 1\n---\na: 2\nc: 2\n"},
		{doc(1), "a=3", "a: 1\n---\na: 3\nc: 1\n"},
		{doc(0), "c=3", "a: 1\nc: 3\n---\na: 2\nc: 1\n"},
		{nil, "a=3", "!documents 0 and 1 both have a"},
		{nil, "d=3", "!--doc selects one of the 2 documents"},
		{doc(2), "a=3", "!there is no document 2"},
	}
	for _, test := range tests {
		got, err := editText(t, text, nil, edit.Options{Doc: test.doc}, test.edit)
		if part, ok := strings.CutPrefix(test.want, "!"); ok {
			var d *source.Diagnostic
			if !errors.As(err, &d) || !strings.Contains(d.Message+d.Hint, part) {
				t.Errorf("%s: %q, %v, want an error with %q", test.edit, got, err, part)
			}
		} else if got != test.want || err != nil {
			t.Errorf("%s:\n%s%v\nwant\n%s", test.edit, got, err, test.want)
		}
	}
}

func TestAllowedChanges(t *testing.T) {
	got, err := editText(t, "a: &x {p: 1}\nb: *x\n", nil, edit.Options{AllowChanges: true}, "a.p=2")
	if want := "a: &x {p: 2}\nb: *x\n"; got != want || err != nil {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	got, err = editText(t, "p: 1\nu: \"{{ p }}\"\n", nil, edit.Options{Literal: true}, "u=1")
	if want := "p: 1\nu: 1\n"; got != want || err != nil {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// Neither a file that changed while it was edited is written, nor one whose edits failed; a
// backup has the old text.
func TestSaveEdited(t *testing.T) {
	name := filepath.Join(t.TempDir(), "main.yaml")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	edit := func() *edit.Result {
		e, err := edit.Apply(context.Background(), name, []edit.Edit{{Path: "a", Value: value.Int(2)}}, yaytpl.Options{}, edit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	write("a: 1\n")
	e := edit()
	if err := errors.Join(e.Backup(), e.Save()); err != nil || read(name) != "a: 2\n" || read(name+".bak") != "a: 1\n" {
		t.Errorf("saved %q, backup %q, %v", read(name), read(name+".bak"), err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	write("a: 1\n")
	e = edit()
	write("a: 7\n")
	if err := e.Save(); err == nil || read(name) != "a: 7\n" {
		t.Errorf("wrote %q over a file that changed, %v", read(name), err)
	}
}

// Setting a value and setting it back restores the bytes; so does deleting an added value.
func TestEditsUndone(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		indent := rapid.SampledFrom([]string{"", "  "}).Draw(r, "indent")
		gap := rapid.SampledFrom([]string{"", "\n", "# about c\n"}).Draw(r, "gap")
		style := rapid.SampledFrom([]string{"%s", "'%s'", "\"%s\"", "%s  # note"}).Draw(r, "style")
		text := "a:\n  b: " + strings.Replace(style, "%s", "old", 1) + "\n" + gap + "  c: [1, 2]\nl:\n" + indent + "- x\n" + indent + "- y\n"
		edits := rapid.SampledFrom([][2]string{
			{"a.b=new", "a.b=old"}, {"a.d=1", "-a.d"}, {"l+=z", "-l[2]"}, {"a.c[0]=9", "a.c[0]=1"}, {"a.b>bb", "a.bb>b"}, {"n.m=1", "-n"},
		}).Draw(r, "edits")
		got, err := editText(t, text, nil, edit.Options{}, edits[0], edits[1])
		if err != nil || got != text {
			r.Fatalf("%v: %q, %v, want %q", edits, got, err, text)
		}
	})
}

// FuzzParse parses any text without a panic.
func FuzzParse(f *testing.F) {
	f.Add("a.b=1")
	f.Add("l[0].x+={y: [z]}")
	f.Add("a[k=v]=\"{{ x }}\"")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := edit.Parse(text)
		if err == nil && !strings.HasPrefix(text, e.Path) {
			t.Errorf("%q has the path %q", text, e.Path)
		}
	})
}

// tree writes files into a new directory and returns it.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// renderTree renders main.yaml of a tree.

// An edit whose operation does not exist is an error, and not one that sets null.
func TestUnknownOperation(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(name, []byte("a: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := edit.Apply(t.Context(), name, []edit.Edit{{Op: edit.Test + 1, Path: "a"}}, yaytpl.Options{}, edit.Options{})
	if found := source.Findings(err); len(found) != 1 || found[0].Code != source.Usage || found[0].Message != "a: unknown operation 9" {
		t.Error(err)
	}
	_, err = edit.PreviewEdits(t.Context(), name, []edit.Edit{{Op: edit.Test + 1, Path: "a"}}, yaytpl.Options{}, edit.Options{})
	if found := source.Findings(err); len(found) != 1 || found[0].Code != source.Usage {
		t.Error(err)
	}
}

// A new name that another key has is a problem of its own: what refers to the old one does not matter.
func TestRenameToAKeyThatExists(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(name, []byte("a: 1\nb: 2\nc: \"{{ a }}\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := edit.Apply(t.Context(), name, []edit.Edit{{Op: edit.Rename, Path: "a", Key: "b"}}, yaytpl.Options{}, edit.Options{})
	found := source.Findings(err)
	if len(found) != 1 || found[0].Code != source.DuplicateKey || found[0].Hint != "" || len(found[0].Notes) != 0 {
		t.Errorf("%v, hint %q, notes %v", err, found[0].Hint, found[0].Notes)
	}
}
