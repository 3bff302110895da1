package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// open writes files into a directory of their own and opens those that are named.
func open(t *testing.T, o engine.Options, texts map[string]string, names ...string) (*engine.Project, error) {
	t.Helper()
	o.Load.Dir = t.TempDir()
	o.Load.NoEnv = true
	o.Load.Files = slices.Concat(names, o.Values)
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(o.Load.Dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return engine.Open(t.Context(), names, o)
}

// one opens main.yaml with a text.
func one(t *testing.T, text string) *engine.Project {
	t.Helper()
	p, err := open(t, engine.Options{}, map[string]string{"main.yaml": text}, "main.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inJSON returns a value as JSON on one line, or the codes of the error.
func inJSON(v value.Value, err error) string {
	var b strings.Builder
	if err == nil {
		err = yaml.EncodeJSON(&b, v, yaml.EncodeOptions{Compact: true, Reveal: true})
	}
	if err != nil {
		return codes(err)
	}
	return strings.TrimSpace(b.String())
}

// codes returns the codes of the findings in an error.
func codes(err error) string {
	var all []string
	for _, d := range source.Findings(err) {
		all = append(all, string(d.Code))
	}
	return strings.Join(all, " ")
}

// TestPair: layers pair by position, and a layer of one document applies to all.
func TestPair(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		texts []string // of the layers, oldest first
		want  string   // the documents
	}{
		{"no document", []string{""}, `null`},
		{"one layer", []string{"a: 1\n---\na: 2\n"}, `{"a":1} {"a":2}`},
		{"one document over several", []string{"a: 1\n---\na: 2\n", "b: 3\n"}, `{"a":1,"b":3} {"a":2,"b":3}`},
		{"several documents over one", []string{"a: 1\n", "a: 2\n---\nb: 3\n"}, `{"a":2} {"a":1,"b":3}`},
		{"by position", []string{"a: 1\n---\na: 2\n", "b: 3\n---\nb: 4\n"}, `{"a":1,"b":3} {"a":2,"b":4}`},
		{"too few documents", []string{"a: 1\n---\na: 2\n---\na: 3\n", "b: 4\n---\nb: 5\n"}, `{"a":1,"b":4} {"a":2,"b":5} {"a":3}`},
		{"three layers", []string{"a: 1\n", "b: 2\n---\nb: 3\n", "a: 4\n"}, `{"a":4,"b":2} {"a":4,"b":3}`},
	} {
		texts, names := map[string]string{}, []string{}
		for i, text := range tt.texts {
			names = append(names, fmt.Sprint(i, ".yaml"))
			texts[names[i]] = text
		}
		p, err := open(t, engine.Options{}, texts, names...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, d := range p.Documents() {
			got = append(got, inJSON(d.Value()))
			if only, err := p.Only(i); only != d || err != nil || d.Index() != i {
				t.Errorf("%s: document %d has index %d, %v", tt.rule, i, d.Index(), err)
			}
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.rule, got, tt.want)
		}
		for _, i := range []int{-1, len(got)} {
			if _, err := p.Only(i); codes(err) != "not-found" {
				t.Errorf("%s: document %d: %v", tt.rule, i, err)
			}
		}
	}
}

// TestDefines: PATH=VALUE and PATH+=VALUE are layers above the values files, and these above the
// files.
func TestDefines(t *testing.T) {
	const base = "a: {b: 1, c: 2}\nlist: [x, y]\nweb: [{name: p, port: 1}, {name: q, port: 2}]\n"
	for _, tt := range []struct {
		rule, path string // asked for after the definitions
		want       string
		defines    []string
	}{
		{"sets", "a", `{"b":3,"c":2}`, []string{"a.b=3"}},
		{"the last one wins", "a.b", `4`, []string{"a.b=3", "a.b=4"}},
		{"over the values file", "value", `2`, []string{"value=2"}},
		{"a map hides the one below", "a", `{"d":1}`, []string{"a={d: 1}"}},
		{"a list hides the one below", "list", `["z"]`, []string{"list=[z]"}},
		{"null hides what is below", "a", `null`, []string{"a=null"}},
		{"no value is the empty text", "list", `""`, []string{"list="}},
		{"no YAML is null", "list", `null`, []string{"list:="}},
		{"a map without brackets is text", "a", `"b: 1 # c"`, []string{"a=b: 1 # c"}},
		{"any YAML", "a", `{"b":[1]}`, []string{"a:=b: [1]"}},
		{"a list of YAML is items", "list", `["x","y",1,2]`, []string{"list+:=- 1\n- 2"}},
		{"no file is read", "a", `"@main.yaml"`, []string{"a=@main.yaml"}},
		{"a number that follows @", "a", `"@1"`, []string{"a=@1"}},
		{"a tag", "a", `["b"]`, []string{"a=!Ref [b]"}},
		{"appends an item", "list", `["x","y","z"]`, []string{"list+=z"}},
		{"appends items", "list", `["x","y",1,2]`, []string{"list+=[1, 2]"}},
		{"appends to a new list", "new.list", `[1]`, []string{"new.list+=1"}},
		{"joins an item by index", "web[1]", `{"name":"q","port":5}`, []string{"web[1].port=5"}},
		{"joins an item by key", "web[0]", `{"name":"p","port":5}`, []string{"web[name=p].port=5"}},
		{"an exact key wins over its parts", ".", `{"x.y":2}`, []string{"x.y=2"}},
		{"parts where there is no such key", ".", `{"x.y":1,"x":{"z":2}}`, []string{"x.z=2"}},
		{"templates are evaluated", "a.b", `3`, []string{"a.b={{ a.c + 1 }}"}},
		{"no value", "", "usage", []string{"a.b"}},
		{"no path", "", "usage", []string{"=1"}},
		{"a bad path", "", "syntax", []string{"a[]=1"}},
		{"a value that is none", "", "usage", []string{"a=[1"}},
		{"YAML with an error", "", "syntax", []string{"a:=[1"}},
		{"two documents", "", "bad-document", []string{"a:=1\n---\n2"}},
		{"no such operator", "", "usage", []string{"list-=[x]"}},
	} {
		texts := map[string]string{"main.yaml": base, "values.yaml": "value: 1\n"}
		o := engine.Options{Values: []string{"values.yaml"}, Defines: tt.defines}
		if tt.path == "." {
			texts["main.yaml"], o.Values = "x.y: 1\n", nil
		}
		p, err := open(t, o, texts, "main.yaml")
		if err != nil {
			if codes(err) != tt.want {
				t.Errorf("%s: %v, want %s", tt.rule, err, tt.want)
			}
			continue
		}
		v, err := p.Documents()[0].Value()
		if tt.path != "." {
			matches, qerr := p.Documents()[0].Query("::" + strings.NewReplacer(".", "::", "[", "::", "]", "").Replace(tt.path))
			if err = qerr; len(matches) == 1 {
				v = matches[0]
			}
		}
		if got := inJSON(v, err); got != tt.want {
			t.Errorf("%s: %s is %s, want %s", tt.rule, tt.path, got, tt.want)
		}
	}
}

// A native is a class whose instances are their parameters.
type native struct{}

func (native) Instance(_ *graph.Context, params value.Value) value.Map { return params.Map() }

// TestFork: a fork shares parsed documents, follows includes anew and has its own classes. Forks
// can be used in different goroutines.
func TestFork(t *testing.T) {
	texts := map[string]string{
		"main.yay":  "include \"part.yaml\"\nx:\n    new C:\n        n: {{ b }}\n",
		"part.yaml": "+include: base.yaml\nb: 1\n",
		"base.yaml": "c: 2\n",
	}
	p, err := open(t, engine.Options{}, texts, "main.yay")
	if err != nil {
		t.Fatal(err)
	}
	layers, err := p.OpenLayers([]string{"main.yay"})
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Documents()[0].Value()
	if err == nil {
		err = p.Documents()[0].Force(v)
	}
	if codes(err) != "no-matching" {
		t.Errorf("without the class: %v", err)
	}
	followed := slices.Clone(p.Includes())
	if len(followed) != 2 {
		t.Fatalf("%d includes, want 2", len(followed))
	}
	forks := make([]*engine.Project, 8)
	var all sync.WaitGroup
	for i := range forks {
		f := p.Fork(map[string]frontend.Class{"C": native{}})
		forks[i] = f
		if len(f.Includes()) != 0 {
			t.Errorf("a new fork has followed %d includes", len(f.Includes()))
		}
		all.Go(func() {
			docs, err := f.Pair(layers)
			if err != nil {
				t.Error(err)
				return
			}
			got := inJSON(docs[0].Value())
			if want := `{"c":2,"b":1,"x":{"n":1}}`; got != want {
				t.Errorf("in a fork: %s, want %s", got, want)
			}
		})
	}
	all.Wait()
	for _, f := range forks {
		if len(f.Includes()) != len(followed) {
			t.Fatalf("a fork followed %d includes, want %d", len(f.Includes()), len(followed))
		}
		for i, in := range f.Includes() {
			if in == followed[i] || in.Doc != followed[i].Doc || in.To != followed[i].To {
				t.Errorf("include %d of a fork is %v, want another one with the document of %v", i, in, followed[i])
			}
		}
	}
	if !slices.Equal(p.Includes(), followed) {
		t.Error("the includes of a fork were added to the project")
	}
}

// TestIncludes: each directive between two files is recorded once, in order.
func TestIncludes(t *testing.T) {
	texts := map[string]string{
		"main.yaml": "+include: a.yaml\nx: {+include-2: b.yaml}\ny: {+include-2: b.yaml}\nz: {+?include: none.yaml}\n",
		"a.yaml":    "+include: b.yaml\na: 1\n", "b.yaml": "b: 2\n",
	}
	p, err := open(t, engine.Options{}, texts, "main.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := p.Documents()[0]
	if got, want := inJSON(d.Value()), `{"b":2,"a":1,"x":{"b":2},"y":{"b":2},"z":{}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var got []string
	for _, in := range p.Includes() {
		got = append(got, fmt.Sprintf("%s %s %s %t", filepath.Base(in.From.Name), in.Key, filepath.Base(in.To.Name), in.Doc != nil))
	}
	slices.Sort(got)
	want := []string{"a.yaml +include b.yaml true", "main.yaml +include a.yaml true", "main.yaml +include-2 b.yaml true"}
	if !slices.Equal(got, want) {
		t.Errorf("includes %q, want %q", got, want)
	}
}

// TestSchemes: includes in Yay can name texts of the program and files of named repositories.
func TestSchemes(t *testing.T) {
	lib := t.TempDir()
	if err := os.WriteFile(filepath.Join(lib, "part.yay"), []byte("b: {{ a + 1 }}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := engine.Options{Memory: map[string]string{"cell": "a: 1\n"}}
	o.Load.Repositories = map[string]string{"lib": lib}
	render := func(text string) (value.Value, error) {
		p, err := open(t, o, map[string]string{"main.yay": text}, "main.yay")
		if err != nil {
			return value.Null, err
		}
		return p.Documents()[0].Value()
	}
	if got, want := inJSON(render("include \"mem://cell\"\ninclude \"package://lib/part.yay\"\n")), `{"a":1,"b":2}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, name := range []string{"mem://other", "package://other/x.yay", "package://lib/none.yay"} {
		_, err := render("include \"" + name + "\"\n")
		if !errors.Is(err, source.ErrMissing) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFind: the only document that has a path. A document that fails is an error.
func TestFind(t *testing.T) {
	p := one(t, "a: 1\nall: 1\n---\nb: [1]\nall: 2\n---\nb: {c: 1}\nd.e: 1\nall: 3\n")
	for _, tt := range []struct {
		path  string
		index int
		keys  string
	}{
		{"a", 0, "a"}, {"b[0]", 1, "b[0]"}, {"b.c", 2, "b.c"}, {"d.e", 2, `"d.e"`}, {"b[-1]", 1, "b[0]"},
	} {
		d, keys, err := p.Find(tt.path)
		if err != nil || d.Index() != tt.index || keys.String() != tt.keys {
			t.Errorf("Find(%q) = %v, %s, %v; want document %d and %s", tt.path, d, keys, err, tt.index, tt.keys)
		}
	}
	for path, words := range map[string]string{
		"b": "documents 1 and 2 both have b [not-found]", "all": "documents 0, 1 and 2 all have all [not-found]",
		"z": `no "z" in`, "a[": "[syntax]",
	} {
		if d, _, err := p.Find(path); d != nil || err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("Find(%q) = %v, %v, want %q", path, d, err, words)
		}
	}
	broken := one(t, "a: 1\n---\n+include: none.yaml\n")
	if _, _, err := broken.Find("a"); codes(err) != "missing-include" {
		t.Errorf("with a broken document: %v", err)
	}
}

// TestEvaluate: an expression of Yay, or a query in a language without expressions of its own.
func TestEvaluate(t *testing.T) {
	p := one(t, "a: 1\nlist: [{n: 2}, {n: 3}]\nnothing: null\n")
	for _, tt := range []struct{ lang, text, want string }{
		{"yay", "a + 1", "2"}, {"yay", "list[1].n", "3"}, {"yay", "{{ a }}", "syntax"}, {"yay", "zz", "no-matching"},
		{"yaml", "::a", "1"}, {"", "::a", "1"}, {"json", "::list::n", "[2,3]"}, {"", "::nothing", "null"},
		{"", "{{ a + 1 }}", "2"}, {"", "{% if a %}x{% endif %}", `"x"`}, {"", "{eval: {add: [{eval: ::a}, 4]}}", "5"},
		{"", "::zz", "no-matching"}, {"", "{a: 1}", "bad-expression"}, {"", "{a: [", "syntax"}, {"", "{{ zz }}", "undefined"}, {"", "a + 1", "no-matching"},
		{"cobol", "a", "usage"},
	} {
		if got := inJSON(p.Documents()[0].Evaluate(tt.text, tt.lang)); got != tt.want {
			t.Errorf("%q in %q is %s, want %s", tt.text, tt.lang, got, tt.want)
		}
	}
}

// TestForce: all independent failures, each once, and at most source.MaxErrors.
func TestForce(t *testing.T) {
	for _, tt := range []struct {
		rule, text string
		want       []string // places of the findings
	}{
		{"no failure", "a: 1\nb: ['{{ a }}']\n", nil},
		{"independent failures", "a: '{{ x }}'\nb: {c: ['{{ y }}', 1, '{{ z }}']}\n", []string{"1:8", "2:13", "2:27"}},
		{"a failure that others read", "a: '{{ x }}'\nb: '{{ a }}'\nc: '{{ b }}'\n", []string{"1:8"}},
		{"a failure in two places", "a: &x ['{{ y }}']\nb: *x\n", []string{"1:12"}},
		{"a map that contains itself", "a: {b: 1, c: {eval: ::a}}\n", []string{"1:14"}},
	} {
		d := one(t, tt.text).Documents()[0]
		v, err := d.Value()
		if err == nil {
			err = d.Force(v)
		}
		var got []string
		for _, f := range source.Findings(err) {
			_, place, _ := strings.Cut(f.At.String(), ".yaml:")
			got = append(got, place)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: findings at %q, want %q: %v", tt.rule, got, tt.want, err)
		}
	}
	d := one(t, manyFailures(60)).Documents()[0]
	v, err := d.Value()
	if err == nil {
		err = d.Force(v)
	}
	all := source.Findings(err)
	if len(all) != source.MaxErrors || len(all[0].Notes) != 0 || len(all[len(all)-1].Notes) != 1 {
		t.Errorf("%d findings of 60, want %d, the last with a note", len(all), source.MaxErrors)
	}
}

// manyFailures returns a document with n values that fail.
func manyFailures(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: '{{ x%d }}'\n", i, i)
	}
	return b.String()
}

// TestWarnings: each document of an evaluation for check reports its warnings again, with those
// that only check reports.
func TestWarnings(t *testing.T) {
	var warnings []string
	p := one(t, "+?include: none.yaml\na: 1\n")
	if former := p.SetWarn(func(d *source.Diagnostic) { warnings = append(warnings, string(d.Code)) }); former == nil {
		t.Error("no former function")
	}
	d := p.Documents()[0]
	for _, d := range []*engine.Document{d, d, d.Afresh(), d.ForLint()} {
		if got := inJSON(d.Value()); got != `{"a":1}` {
			t.Errorf("got %s", got)
		}
	}
	if want := []string{"missing-include", "missing-include", "missing-include"}; !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
}
