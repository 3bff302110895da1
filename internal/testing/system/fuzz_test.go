package system_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// tight are limits under which a fuzzed document cannot take long.
var tight = graph.Limits{Steps: 100_000, Depth: 300, Includes: 20, Files: 20, Bytes: 1 << 20, Output: 1 << 18, Memory: 300 << 20}

var documents = []string{
	"a: 1\nb: \"{{ a + 1 }}\"\n", "a: {+/b: , x: 1}\nb: {y: [1, 2]}\n", "a: {eval: ::b::c}\nb: {c: [1, {d: x}]}\n",
	"a: \"{% for i in range(3) %}{{ i }},{% endfor %}\"\n", "a: {eval: ::b, foreach: {value: $item, key: $index}}\nb: [x, y]\n",
	"a: {+include: main.yaml}\n", "- &x {<<: {a: 1}}\n- *x\n---\nb: !Ref c\n", "pw: {eval: {sensitive: x}}\nu: \"{{ pw }}\"\n",
	"a: {q: {eval: ::b}}\nb: {{ a }}\n", "a: {eval: {if: ::b, then: {concat: [x, {eval: ::b}]}}}\nb: 1\n", "\ufeff# c\na: |2\n   x\nb: >-\n  y\n",
}

// FuzzRender: any text gives a result or findings, in a short time. Reading a result gives the same
// data, since it contains nothing to evaluate.
func FuzzRender(f *testing.F) {
	for _, text := range documents {
		f.Add(text)
	}
	dir := f.TempDir()
	file := filepath.Join(dir, "main.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		o := yaytpl.Options{
			Dir: dir, NoEnv: true, Limits: tight, Overlay: map[string]string{file: text},
			Now: func() time.Time { return time.Unix(0, 0) },
		}
		first, err := renderOnce(ctx, file, o)
		if err != nil {
			for _, d := range source.Findings(err) {
				if d.Code == source.Internal || d.Code == source.Timeout {
					t.Fatalf("%q: %v", text, d)
				}
			}
			return
		}
		o.Overlay = map[string]string{file: "# yaytpl: templates=off expressions=off directives=off\n" + first}
		o.Limits = graph.Limits{}
		again, err := renderOnce(ctx, file, o)
		if err != nil {
			t.Fatalf("%q renders to %q, which does not: %v", text, first, err)
		}
		if again != first {
			t.Fatalf("%q renders to %q, and that to %q", text, first, again)
		}
	})
}

func renderOnce(ctx context.Context, file string, o yaytpl.Options) (string, error) {
	p, err := yaytpl.Open(ctx, []string{file}, o)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = p.Render(&out, yaytpl.RenderOptions{NoComments: true})
	return out.String(), err
}

// FuzzPath: any path finds something or is an error, in get and in explain.
func FuzzPath(f *testing.F) {
	for _, path := range []string{"a.b[0]", "a::b::0", "/a/b~1c", `a."x.y"`, `a["x.y"]`, `a\.b`, "[name=web]", "[-1]", ".", "a..b", "a[", `"`, "::", "a.b.", "[x=", "a::[1]::b"} {
		f.Add(path)
	}
	dir := f.TempDir()
	file := filepath.Join(dir, "main.yaml")
	if err := os.WriteFile(file, []byte("a: {b: [1, {name: web}], x.y: 2, \"\": 3}\na.b: 4\n0: zero\n\"[0]\": [[]]\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	p, err := yaytpl.Open(context.Background(), []string{file}, yaytpl.Options{Dir: dir})
	if err != nil {
		f.Fatal(err)
	}
	d := p.Documents()[0]
	f.Fuzz(func(t *testing.T, path string) {
		_, err := d.Get(path)
		if err != nil {
			if code := source.Findings(err)[0].Code; code != source.NotFound && code != source.Syntax {
				t.Errorf("Get(%q): %v", path, err)
			}
		}
		x, explained := d.Explain(path)
		if err == nil && explained != nil {
			t.Errorf("Get(%q) succeeds, Explain fails: %v", path, explained)
		}
		if explained == nil {
			if err := x.WriteText(&bytes.Buffer{}, false); err != nil {
				t.Error(err)
			}
		}
	})
}

var yayDocuments = []string{
	"a: 1\nb: {{ a + 1 }}\n", "l:\n  for i in range(3) if i:\n    - n: {{ i }}\n      m: {{ here.n }}\nextend l:\n  - {{ l[0] }}\n",
	"x: 1\nif x:\n  y: {{ z else 2 }}\nelif y:\n  x: 0\nelse:\n  z: 3\n", "set a, b = [1, 2]\nc: {{ a }}{{ b }}\nselect c:\n  12:\n    d: 1\n  else:\n    d: 2\n",
	"macro m:\n  k: {{ p }}\n  call m:\n    p: {{ p }}\na:\n  call m:\n    p: {{ here }}\n", "prototype P:\n  n: x\n  r: {{ self.n }}\na:\n  new P:\n    n: y\na:\n  n: z\nnew P as b:\n  q: 1\n",
	"include \"main.yay\"\na: 1\n", "include x\nx: \"main.yay\"\nyay:\n  searchpath:\n    - sub\n", "a:\n  b: {{ c }}\nc:\n  d: {{ a }}\n", "% for i in [1]\n  - {{ i }}\n",
	"a: |\n  x {{ b }}\n   y\n\nb: >\n  c\n  d\n", "lamp: 1\nif lamp:\n  lamp: 0\n", "a: {{ [i for i in a] }}\n", "- a: 1\n  extend b:\n    - 2\n- new P:\n", "a: {{ {\"b\": [1, {\"c\": a}]} }}\n",
}

// FuzzYay: any text in Yay gives a result or findings with a place, in a short time. A key has the
// same value alone and in the whole document.
func FuzzYay(f *testing.F) {
	for _, text := range yayDocuments {
		f.Add(text)
	}
	dir := f.TempDir()
	file := filepath.Join(dir, "main.yay")
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		o := yaytpl.Options{Dir: dir, NoEnv: true, Limits: tight, Overlay: map[string]string{file: text}}
		_, err := renderOnce(ctx, file, o)
		if err != nil {
			for _, d := range source.Findings(err) {
				if d.Code == source.Internal || d.Code == source.Timeout || d.At.IsZero() && d.Code != source.Limit {
					t.Fatalf("%q: %v", text, d)
				}
			}
			return
		}
		compareKeys(ctx, t, file, text, o)
	})
}

// compareKeys asks a fresh evaluation for each key of the document.
func compareKeys(ctx context.Context, t *testing.T, file, text string, o yaytpl.Options) {
	whole := documentOf(ctx, t, file, o)
	if !whole.Is(value.MapKind) {
		return
	}
	for k := range whole.Map().Keys() {
		want, _, err := whole.Map().Get(k)
		if err == nil {
			want, err = value.Plain(want)
		}
		if err != nil {
			t.Fatalf("%q renders, and then not: %v", text, err)
		}
		alone, ok, err := documentOf(ctx, t, file, o).Map().Get(k)
		if err != nil || !ok {
			t.Fatalf("%q: %s alone: %v, %v", text, k.Text, ok, err)
		}
		if eq, err := value.Equal(alone, want); !eq || err != nil {
			t.Fatalf("%q: %s alone is another one (%v)", text, k.Text, err)
		}
	}
}

func documentOf(ctx context.Context, t *testing.T, file string, o yaytpl.Options) value.Value {
	t.Helper()
	p, err := yaytpl.Open(ctx, []string{file}, o)
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Documents()[0].Value()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// FuzzSchema: any text as the schema of any document gives findings, in a short time, and none is an
// internal error.
func FuzzSchema(f *testing.F) {
	for _, schema := range []string{
		`{"type": "object", "properties": {"a": {"type": ["integer", "null"]}}, "additionalProperties": false}`,
		"$schema: http://json-schema.org/draft-07/schema#\nitems: [{const: 1}, {enum: [a]}]\nadditionalItems: {$ref: '#/items/0'}\n",
		"$defs: {n: {$dynamicAnchor: n, anyOf: [{type: string}, {properties: {a: {$dynamicRef: '#n'}}}]}}\n$ref: '#n'\nunevaluatedProperties: false\n",
		"oneOf: [{required: [a]}, {minProperties: 2}]\nif: {not: {pattern: '^(?!x)\\d'}}\nthen: {$ref: schema.yaml#/oneOf/1}\n",
		"$id: https://example.org/a\n$ref: b.yaml\ndependentSchemas: {a: false}\n",
		"contains: {multipleOf: 0.1}\nmaxContains: 1\nuniqueItems: true\nprefixItems: [{}]\nunevaluatedItems: {minimum: 3}\n",
	} {
		f.Add(schema, "a: 1\nb: {a: x}\n")
		f.Add(schema, "[1, a, {b: 0.3}, 1.0]\n")
	}
	dir := f.TempDir()
	file, schema := filepath.Join(dir, "main.yaml"), filepath.Join(dir, "schema.yaml")
	f.Fuzz(func(t *testing.T, schemaText, text string) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		p, err := yaytpl.Open(ctx, []string{file}, yaytpl.Options{
			Dir: dir, NoEnv: true, Limits: tight, Overlay: map[string]string{file: text, schema: schemaText},
			Schemas: []yaytpl.SchemaRule{{Schema: "schema.yaml"}}, Now: func() time.Time { return time.Unix(0, 0) },
		})
		if err != nil {
			return
		}
		for _, d := range p.Check() {
			if d.Code == source.Internal || d.Code == source.Timeout {
				t.Fatalf("%q of %q: %v", text, schemaText, d)
			}
		}
	})
}
