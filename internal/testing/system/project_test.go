package system_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TestOpenOfNothing: a file that cannot be opened is an error, as any of several.
func TestOpenOfNothing(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n"})
	for _, files := range [][]string{{"nowhere.yaml"}, {"nowhere.yaml", "a.yaml"}, {"a.yaml", "nowhere.yaml"}} {
		p, err := yaytpl.Open(t.Context(), files, yaytpl.Options{Dir: dir})
		if p != nil || !errors.Is(err, source.ErrAccess) {
			t.Errorf("%v: %v, %v", files, p, err)
		}
	}
}

// together is how many goroutines share a project.
const together = 16

// manyFiles is a project with a bit of everything: layers, includes that are plain, chosen,
// encrypted and in Yay, templates, expressions, several documents.
func manyFiles(t testing.TB) string {
	return tree(t, map[string]string{
		"main.yaml": `# the site
+include: base.yaml
name: quay
url: "http://{{ host }}:{{ web.port }}/"
host: "{{ name }}.{{ domain }}"
web: {+/templates/web: , port: 8080}
all: {eval: "::templates::*::port"}
twice: {eval: {mul: [{eval: ::web::port}, 2]}}
list: "{% for h in hosts %}{{ h }}-{{ loop.index }} {% endfor %}"
password: "{{ secret.password }}"
mask: {eval: {sensitive: "{{ secret.password }}"}}
soft: {eval: "::soft"}
+include-2: "{{ 'more.yaml' if name is defined else 'less.yaml' }}"
extra: {+include: site.yay}
inclde: 1
---
second: {+include: base.yaml, name: two}
copy: "{{ second.templates.web.port }}"
`,
		"base.yaml":          "domain: example.org\ntemplates:\n  web: {port: 80, env: {A: a}}\n  db: {port: 5432}\nhosts: [a, b, c]\nsecret: {+include: secrets.yaml.gpg}\n",
		"more.yaml":          "more: {k: \"{{ hosts | length }}\"}\n",
		"secrets.yaml.gpg":   sealed(t, "password: "+password+"\n"),
		"site.yay":           "set limit = 3\nports:\n  for i in range(limit):\n    - {{ 8000 + i }}\nsum: {{ ports[0] + ports[2] }}\nif sum > 1:\n  big: yes\n",
		"page.j2":            "{{ name }}{% for h in hosts %} {{ h }}{% endfor %} {{ url }}\n",
		"over.yaml":          "web: {env: {B: b}}\nhosts: [c, d]\n",
		"unused/others.yaml": "a: 1\n",
	})
}

func openSite(ctx context.Context, t testing.TB, dir string) *yaytpl.Project {
	t.Helper()
	p, err := yaytpl.Open(ctx, []string{filepath.Join(dir, "main.yaml"), filepath.Join(dir, "over.yaml")}, yaytpl.Options{
		Dir: dir, NoEnv: true, Decrypter: crypto.New(annsKeys(t)), Templates: []string{filepath.Join(dir, "page.j2")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A question is one use of a project. Its answer is text, with the error if there is
// one.
type question func(p *yaytpl.Project, out *bytes.Buffer) error

func questions(dir string) map[string]question {
	all := map[string]question{
		"check": func(p *yaytpl.Project, out *bytes.Buffer) error {
			for _, d := range p.Check() {
				fmt.Fprintln(out, d)
			}
			return nil
		},
		"find": func(p *yaytpl.Project, out *bytes.Buffer) error {
			_, path, err := p.Find("copy")
			fmt.Fprint(out, path)
			return err
		},
		"template": func(p *yaytpl.Project, out *bytes.Buffer) error {
			return p.Documents()[0].Template(filepath.Join(dir, "page.j2"), out, yaytpl.RenderOptions{})
		},
		"dot": func(p *yaytpl.Project, out *bytes.Buffer) error {
			return p.Documents()[0].WriteDot(out, "values")
		},
		"value": func(p *yaytpl.Project, out *bytes.Buffer) error {
			v, err := p.Documents()[1].Value()
			if err == nil {
				err = p.Documents()[1].Force(v)
			}
			if err == nil {
				err = p.WriteValue(out, v, yaytpl.RenderOptions{})
			}
			return err
		},
	}
	for name, o := range map[string]yaytpl.RenderOptions{
		"render": {}, "render json": {Form: "json"}, "render redacted": {Redact: true}, "render revealed": {Reveal: true},
		"expand": {ExpandOnly: true}, "render one": {Doc: 2},
	} {
		all[name] = func(p *yaytpl.Project, out *bytes.Buffer) error { return p.Render(out, o) }
	}
	for _, q := range []string{"::web", "::templates::*::port", "{eval: {add: [1, {eval: ::web::port}]}}", "{{ hosts | map('upper') | list }}", "{{ nope }}", "::["} {
		all["query "+q] = func(p *yaytpl.Project, out *bytes.Buffer) error {
			found, err := p.Documents()[0].Query(q)
			if err != nil {
				return err
			}
			return p.WriteValue(out, value.ListOf(found...), yaytpl.RenderOptions{})
		}
	}
	for _, path := range []string{"url", "extra.sum", "hosts[1]", "web", "password", "mask", "soft", "nope.nope"} {
		all["get "+path] = func(p *yaytpl.Project, out *bytes.Buffer) error {
			v, err := p.Documents()[0].Get(path)
			if err != nil {
				return err
			}
			return p.WriteValue(out, v, yaytpl.RenderOptions{})
		}
		all["explain "+path] = func(p *yaytpl.Project, out *bytes.Buffer) error {
			x, err := p.Documents()[0].Explain(path)
			if err != nil {
				return err
			}
			return x.WriteText(out, false)
		}
	}
	return all
}

func (q question) ask(p *yaytpl.Project) string {
	var out bytes.Buffer
	if err := q(p, &out); err != nil {
		fmt.Fprintf(&out, "error: %v", err)
	}
	return out.String()
}

// TestProjectFromGoroutines: concurrent questions to one project have the same answers as single
// ones, in any order.
func TestProjectFromGoroutines(t *testing.T) {
	dir := manyFiles(t)
	all := questions(dir)
	want := map[string]string{}
	for name, q := range all {
		want[name] = q.ask(openSite(t.Context(), t, dir))
	}
	names := slices.Sorted(maps.Keys(all))
	for round := range long.Scale(4) {
		p := openSite(t.Context(), t, dir)
		var running sync.WaitGroup
		for i := range together {
			running.Go(func() {
				for j := range names {
					name := names[(j*(2*round+1)+i*len(names)/together)%len(names)]
					if got := all[name].ask(p); got != want[name] {
						t.Errorf("%s: got\n%s\nalone it is\n%s", name, got, want[name])
					}
				}
			})
		}
		running.Wait()
	}
	for _, name := range []string{"render", "check", "explain url", "dot"} {
		if len(strings.TrimSpace(want[name])) == 0 || strings.HasPrefix(want[name], "error: ") {
			t.Errorf("%s has no answer: %q", name, want[name])
		}
	}
}

// TestBigJSONFromGoroutines: a file that is parsed only when a lookup in its text is not enough is
// parsed once, by the first goroutine.
func TestBigJSONFromGoroutines(t *testing.T) {
	text := `{"items": [` + strings.Repeat(`{"name": "x", "port": 80},`, 100_000) + `{"name": "last", "port": 81}], "a": {"b": 1}}`
	dir := tree(t, map[string]string{"big.json": text})
	p, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, "big.json")}, yaytpl.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Documents()[0]
	var running sync.WaitGroup
	for i := range together {
		running.Go(func() {
			path := []string{"a.b", "items[100000].port", "items[-1].port", "a.c"}[i%4]
			v, err := d.Get(path)
			if n, _ := v.Int(); err == nil && n != 1 && n != 81 || (err != nil) != (path == "a.c") {
				t.Errorf("%s = %d, %v", path, n, err)
			}
			if d.Empty() {
				t.Error("the document is empty")
			}
		})
	}
	running.Wait()
}

// TestConfigReadersTogether: all ways to read a configuration side by side, while it
// changes where nobody looks.
func TestConfigReadersTogether(t *testing.T) {
	dir := manyFiles(t)
	c, err := config.Load(t.Context(), []string{filepath.Join(dir, "site.yay")}, yaytpl.Options{
		Dir: dir, NoEnv: true, Decrypter: crypto.New(annsKeys(t)),
	})
	if err == nil {
		err = c.LoadText("more.yaml", "net: {port: \"{{ sum - 7 }}\", hosts: [a, {+include: secrets.yaml.gpg}]}\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	reads := map[string]func() (any, error){
		"node":  func() (any, error) { return c.Get("net", "port").Int() },
		"eval":  func() (any, error) { return c.Eval("::ports::[0]").Int() },
		"len":   func() (any, error) { return c.Get("ports").Len() },
		"kind":  func() (any, error) { return c.Get("net").Kind() },
		"place": func() (any, error) { return c.Get("sum").At().String(), nil },
		"wrong": func() (any, error) { return c.Get("sum", "x").Int() },
		"hosts": func() (any, error) { return c.Get("net", "hosts").Resolve() },
		"decode": func() (any, error) {
			var into struct{ Ports []int }
			err := c.Decode(&into)
			return into, err
		},
		"items": func() (any, error) {
			total := 0
			for n, err := range c.Get("ports").Items() {
				port, ierr := n.Int()
				if total += port; err != nil || ierr != nil {
					return nil, fmt.Errorf("%w %w", err, ierr)
				}
			}
			return total, nil
		},
	}
	ask := func(name string) string { got, err := reads[name](); return fmt.Sprint(got, err) }
	want := map[string]string{}
	for name := range reads {
		want[name] = ask(name)
	}
	if want["items"] != "24003 <nil>" {
		t.Fatalf("items are %s", want["items"])
	}
	names := slices.Sorted(maps.Keys(reads))
	var running sync.WaitGroup
	for i := range together {
		running.Go(func() {
			for j := range 3 * len(names) {
				name := names[(i+j)%len(names)]
				if got := ask(name); got != want[name] {
					t.Errorf("%s: %s, alone it is %s", name, got, want[name])
				}
			}
			if err := c.Add(map[string]any{fmt.Sprint("k", i): i}); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
}

// bigServices is a YAML text that is long enough to be looked up in.
func bigServices(end string) string {
	var b strings.Builder
	b.WriteString("# all\nservices:\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "  # number %[1]d\n  s%[1]d:\n    port: %[1]d # of http\n    # who may\n    allow: [a, {b: '0%[1]d'}]\n    script: |+\n      run # it\n\n    labels:\n      # first\n      x.y: 1.50\n      z: {}\n\n", i)
	}
	return b.String() + end
}

// askedOf returns the results and errors of a project for paths.
func askedOf(t *testing.T, text string, sparse bool, paths []string) string {
	t.Helper()
	dir := tree(t, map[string]string{"big.yaml": text})
	p, err := yaytpl.Open(context.Background(), []string{"big.yaml"}, yaytpl.Options{Dir: dir, Sparse: sparse})
	if err != nil {
		return err.Error()
	}
	var out bytes.Buffer
	for _, path := range paths {
		v, err := p.Documents()[0].Get(path)
		if err == nil {
			err = p.WriteValue(&out, v, yaytpl.RenderOptions{})
		}
		fmt.Fprintln(&out, path, err)
		if err != nil && (strings.Contains(err.Error(), "[syntax]") || strings.Contains(err.Error(), "[duplicate-key]")) {
			return err.Error()
		}
		found, err := p.Documents()[0].Query("::" + strings.ReplaceAll(strings.NewReplacer("[", ".", "]", "").Replace(path), ".", "::"))
		for _, v := range found {
			if err == nil {
				err = p.WriteValue(&out, v, yaytpl.RenderOptions{})
			}
		}
		fmt.Fprintln(&out, len(found), err)
	}
	return out.String()
}

// TestSparseLookups: a lookup in a text gives the value of the parsed document.
func TestSparseLookups(t *testing.T) {
	paths := []string{
		"services.s1999.port", "services.s1999.allow", "services.s1999.allow[1].b", "services.s7.script", "services.s7.labels",
		"services.s7.labels.z", `services.s7.labels.x.y`, "services.s7", "services.nowhere", "services.s7.port.deeper", "end", "end.a", "services.s7.allow[9]",
	}
	for _, end := range []string{"", "end:\n  a: 1\n", "end: {a: '{{ services.s3.port }}'}\n", "end: {+/services/s3: }\n", "end: &x 1\n", "end: [\n", "end: 1\nend: 2\n"} {
		text := bigServices(end)
		got, want := askedOf(t, text, true, paths), askedOf(t, text, false, paths)
		if got != want {
			t.Errorf("with %q at the end:\n%s\nwant\n%s", end, got, want)
		}
	}
}

// TestSparseThenWhole: after lookups in its text the whole document can be evaluated.
func TestSparseThenWhole(t *testing.T) {
	dir := tree(t, map[string]string{"big.yaml": bigServices("")})
	p, err := yaytpl.Open(context.Background(), []string{"big.yaml"}, yaytpl.Options{Dir: dir, Sparse: true})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Documents()[0]
	if v, err := d.Get("services.s12.port"); err != nil || !v.Is(value.IntKind) {
		t.Errorf("got %v, %v", v, err)
	}
	if all, err := d.Query("::services::*::port"); err != nil || len(all) != 2000 {
		t.Errorf("%d ports, %v", len(all), err)
	}
	if d.Empty() {
		t.Error("the document is not empty")
	}
}
