package overlay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// write writes files into a directory of their own and returns it, with links followed.
func write(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// edited returns an overlay of a file in dir.
func edited(t *testing.T, dir, name string, o engine.Options) *overlay.Overlay {
	t.Helper()
	o.Load.Dir, o.Load.Files, o.Load.NoEnv = dir, append(o.Load.Files, name), true
	x, err := overlay.New(t.Context(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// set returns the edit that sets one key in the first document of a YAML file.
func set(path, key string, v int64) overlay.Edit {
	return overlay.Edit{Path: path, Lang: frontend.YAML, Edit: roundtrip.Edit{Op: roundtrip.Set, Path: value.Path{value.K(key)}, Value: value.Int(v)}}
}

// documents returns the documents of a project in JSON.
func documents(t *testing.T, p *engine.Project, err error) string {
	t.Helper()
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, d := range p.Documents() {
		v, err := d.Value()
		if err == nil {
			err = yaml.EncodeJSON(&b, v, yaml.EncodeOptions{Compact: true})
		}
		if err != nil {
			return err.Error()
		}
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", " ")
}

// code returns the code of the first finding in an error.
func code(err error) source.Code {
	if err == nil {
		return ""
	}
	return source.Findings(err)[0].Code
}

// TestWriteAndAccept: Write returns texts and changes nothing, until they are accepted.
func TestWriteAndAccept(t *testing.T) {
	dir := write(t, map[string]string{"main.yaml": "+include: base.yaml\na: 1\n", "base.yaml": "b: 2\n"})
	x := edited(t, dir, "main.yaml", engine.Options{})
	base := filepath.Join(dir, "base.yaml")
	if _, err := x.File(base, "base.yaml"); err != nil {
		t.Fatal(err)
	}
	p, err := x.Project()
	if got := documents(t, p, err); got != `{"b":2,"a":1}` {
		t.Errorf("before: %s", got)
	}
	texts, err := x.Write(overlay.Edits{set(x.Path, "a", 3), set(base, "b", 4), set(x.Path, "c", 5)})
	if err != nil {
		t.Fatal(err)
	}
	q, err := x.Open(texts)
	const want = `{"b":4,"a":3,"c":5}`
	if got := documents(t, q, err); got != want {
		t.Errorf("with the new texts: %s, want %s", got, want)
	}
	if again, err := x.Project(); again != p || err != nil {
		t.Errorf("Write or Open closed the project: %v", err)
	}
	for path, text := range map[string]string{x.Path: "+include: base.yaml\na: 1\n", base: "b: 2\n"} {
		if got := x.Source(path).Text; got != text {
			t.Errorf("after Write the text of %s is %q, want %q", path, got, text)
		}
	}
	if files := x.Files(); len(files) != 1 || files[0].Changed() {
		t.Errorf("after Write %d files changed", len(files))
	}
	x.Accept(texts, q)
	if now, err := x.Project(); now != q || err != nil {
		t.Errorf("the accepted project is not the open one: %v", err)
	}
	files := x.Files()
	if len(files) != 2 || files[0].Name != "main.yaml" || files[0].Text != "+include: base.yaml\na: 3\nc: 5\n" || files[1].Text != "b: 4\n" || files[1].Old != "b: 2\n" {
		t.Errorf("after Accept: %+v", files)
	}
	x.Close()
	p, err = x.Project()
	if got := documents(t, p, err); got != want || p == q {
		t.Errorf("opened again: %s, want %s", got, want)
	}
	if texts, err = x.Write(overlay.Edits{set(base, "b", 2), set(x.Path, "a", 6)}); err != nil {
		t.Fatal(err)
	}
	x.Accept(texts, nil)
	if files := x.Files(); len(files) != 1 || files[0].Text != "+include: base.yaml\na: 6\nc: 5\n" {
		t.Errorf("with the old text of one file: %+v", files)
	}
	if data, err := os.ReadFile(base); string(data) != "b: 2\n" || err != nil {
		t.Errorf("a file was written: %q, %v", data, err)
	}
}

// TestLinks: a file that is read under several names has its new text under each.
func TestLinks(t *testing.T) {
	dir := write(t, map[string]string{"main.yaml": "x: {+include: real.yaml}\ny: {+include-2: link.yaml}\n", "real.yaml": "b: 1\n"})
	if err := os.Symlink("real.yaml", filepath.Join(dir, "link.yaml")); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"real.yaml", "link.yaml"} {
		x := edited(t, dir, "main.yaml", engine.Options{})
		if _, err := x.Project(); err != nil {
			t.Fatal(err)
		}
		p, err := x.Project()
		if got, want := documents(t, p, err), `{"x":{"b":1},"y":{"b":1}}`; got != want {
			t.Errorf("before: %s, want %s", got, want)
		}
		path := filepath.Join(dir, name)
		if _, err := x.File(path, name); err != nil {
			t.Fatal(err)
		}
		for _, other := range []string{"real.yaml", "link.yaml"} {
			if got := x.Known(filepath.Join(dir, other)); got != path {
				t.Errorf("%s is edited as %s, want %s", other, got, path)
			}
		}
		if other := filepath.Join(dir, "none.yaml"); x.Known(other) != other {
			t.Errorf("another file is edited as %s", x.Known(other))
		}
		texts, err := x.Write(overlay.Edits{set(path, "b", 2)})
		if err != nil {
			t.Fatal(err)
		}
		p, err = x.Open(texts)
		if got, want := documents(t, p, err), `{"x":{"b":2},"y":{"b":2}}`; got != want {
			t.Errorf("edited as %s: %s, want %s", name, got, want)
		}
	}
}

// TestWriteYay: the places of edits in Yay are those of the text before all of them.
func TestWriteYay(t *testing.T) {
	const text = "a: 1\nb: 2\nc: 3\n"
	x := edited(t, write(t, map[string]string{"main.yay": text}), "main.yay", engine.Options{})
	f := x.Source(x.Path)
	at := func(word string) source.Span {
		i := strings.Index(text, word)
		return f.Span(i, i+len(word))
	}
	e := func(op roundtrip.Op, word string, v int64) overlay.Edit {
		return overlay.Edit{Path: x.Path, Lang: frontend.Yay, At: at(word), Edit: roundtrip.Edit{Op: op, Value: value.Int(v)}}
	}
	texts, err := x.Write(overlay.Edits{e(roundtrip.Set, "1", 1000), e(roundtrip.Delete, "2", 0), e(roundtrip.Set, "3", 30)})
	if err != nil {
		t.Fatal(err)
	}
	x.Accept(texts, nil)
	if got, want := x.Source(x.Path).Text, "a: 1000\nc: 30\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	x = edited(t, write(t, map[string]string{"main.yay": text}), "main.yay", engine.Options{})
	if _, err := x.Write(overlay.Edits{e(roundtrip.Append, "1", 2)}); code(err) != source.Output {
		t.Errorf("appending in Yay: %v, want %s", err, source.Output)
	}
}

// TestPlainValues: a file is plain if it has no syntax that is evaluated or expanded. Then the
// values are those of evaluating it.
func TestPlainValues(t *testing.T) {
	many := "k0: 0\nk1: 1\nk2: 2\nk3: 3\nk4: 4\nk5: 5\nk6: 6\nk7: 7\nk8: 8\nk9: {a: [x]}\n"
	for _, tt := range []struct {
		text  string
		plain bool
	}{
		{"", true}, {"# only a comment\n", true}, {"a: 1\n", true}, {"x\n", true}, {"- 1\n- [a, {b: null}]\n", true},
		{"a: 1.50\nb: !t x\nc: 2001-01-01\n", true}, {many, true}, {"a: 1\n---\nb: 2\n---\n[]\n", true},
		{"{a: 1, \"b\": 'x y'}\n", true}, {"a: 'x } y'\n", true}, {"eval-me: 1\n", true},

		{"a: &x 1\n", false}, {"a: &x 1\nb: *x\n", false}, {"&k a: 1\n", false}, {"a: {<<: {b: 1}}\n", false},
		{"a: '{{ 1 }}'\n", false}, {"a: '{% if x %}{% endif %}'\n", false}, {"a: [{b: '{{ 1 }}'}]\n", false},
		{"+include: b.yaml\n", false}, {"a: {+/b: }\n", false}, {"a: {+*b: }\n", false}, {"a: {+%: whiteout}\n", false},
		{"a: {eval: ::b}\n", false}, {"a: 1\n---\n- {b: {eval: ::a}}\n", false}, {"# jinja2: off\na: 1 # {{\n", false},
		{"a: [\n", false},
	} {
		x := edited(t, write(t, map[string]string{"main.yaml": tt.text}), "main.yaml", engine.Options{})
		values, plain := x.PlainValues()
		if plain != tt.plain {
			t.Errorf("%q is plain: %t", tt.text, plain)
		}
		if !plain {
			continue
		}
		p, err := x.Project()
		if err != nil || len(p.Documents()) != max(len(values), 1) {
			t.Fatalf("%q has %d values, %v", tt.text, len(values), err)
		}
		for i, v := range values {
			want, err := p.Documents()[i].Value()
			if err != nil || !value.IsSame(v, want) {
				t.Errorf("%q: document %d is another value, %v", tt.text, i, err)
			}
		}
	}
}

// TestPlainValuesOfProjects: what is around a plain file may make it more than data.
func TestPlainValuesOfProjects(t *testing.T) {
	dir := write(t, map[string]string{"main.yaml": "a: 1\n", "main.json": "{\"a\": 1}", "main.yay": "a: 1\n", "over.yaml": "b: 1\n"})
	lenient := engine.Options{}
	lenient.Parse.Lenient = true
	elsewhere := engine.Options{}
	elsewhere.Load.Roots = []string{t.TempDir()}
	for _, tt := range []struct {
		rule, name string
		o          engine.Options
		plain      bool
	}{
		{"YAML", "main.yaml", engine.Options{}, true}, {"JSON", "main.json", engine.Options{}, true}, {"Yay", "main.yay", engine.Options{}, false},
		{"as Yay", "main.yaml", engine.Options{Lang: frontend.Yay}, false}, {"lenient", "main.yaml", lenient, false},
		{"a values file", "main.yaml", engine.Options{Values: []string{"over.yaml"}}, false},
		{"a definition", "main.yaml", engine.Options{Defines: []string{"a=2"}}, false}, {"outside of the roots", "main.yaml", elsewhere, false},
	} {
		if _, plain := edited(t, dir, tt.name, tt.o).PlainValues(); plain != tt.plain {
			t.Errorf("%s: plain %t", tt.rule, plain)
		}
	}
}
