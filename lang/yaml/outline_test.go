package yaml_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

func TestOutlineRefuses(t *testing.T) {
	for _, text := range []string{
		"", "# nothing\n", "just text", "a: 1\n---\nb: 1\n", "a: &x 1\n", "a: !!str 1\n", "x: {a: 1, <<: {b: 1}}\n",
		"a: {b: {c: {d: {+include: x}}}}\n", "# yaytpl: templates=off\na: 1\n", "a: 1\na: 2\n", "\ufeffa: 1\n", "a: [", "? a\n: b\n", "a: {b: [c: [\"d\":e]]}\n", "- - - # a\r- b", "{:[:]}", "[:0,{A} :0,",
		"x:\n- - a: [\n    1\n]\n",
	} {
		if _, ok := yaml.ParseOutline(source.NewFile("a.yaml", text), yaml.ParseOptions{}); ok {
			t.Errorf("%q is no text of plain data", text)
		}
	}
}

// An outline has the same data as the whole tree, in less memory.
func TestOutline(t *testing.T) {
	for _, text := range []string{
		"a: 1\n", "- 1\n- [2, {a: [3, {b: [4]}]}]\n", services(5),
		"a:\n  b:\n    c:\n      d: |+\n        text\n\n\n    e: {f: {g: 1,\n      h: [1,\n      2]}}\n",
		"a:\n- b:\n  - c:\n    - d: |2\n         x\n      e: 1\n    - f\n",
		"- - - - a: 1\n        b: >-\n          x\n          y\n      - c\n", "a: {b: {c: {}, d: [], e: [{}]}}\r\nf:\r\n  g:\r\n    h:\r\n      i: |+\r\n        x\r\n\r\n",
		"é:\n  日本: {ü: {ö: [1, {ä: 2}]}}\n", "a:\n  b:\n    c:\n      # head\n      d: 1 # line\n      # foot\n\n  # e\n  e: 1\n",
	} {
		if !checkOutline(t, text) {
			t.Errorf("%q has no outline", text)
		}
	}
}

func FuzzOutline(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Add("a:\n  b:\n    c:\n      d: |+\n        text\n\n\n    e: {f: {g: 1,\n      h: [1,\n      2]}}\n")
	f.Add("- - - #0\n  - - 1")
	f.Add("x:\n- - a: [\n    1\n]\n")
	f.Add("x:\n  - a: {\n      b: 1\n    }\n")
	f.Add("- - - #0\n  -   - 1: 2")
	f.Add("-   - #\n- \n - 0")
	f.Add("{:[:]}")
	f.Add("- - - #\r-")
	f.Add("[:0,{A} :0,")
	f.Add("- - - - a: 1\n        b: >-\n          x\n          y\n      - c\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1000 { // each node is compared with all that is in it
			checkOutline(t, text)
		}
	})
}

// checkOutline requires that the outline of a text, if it has one, has the data of the
// text.
func checkOutline(t *testing.T, text string) (ok bool) {
	f := source.NewFile("a.yaml", text)
	o, ok := yaml.ParseOutline(f, yaml.ParseOptions{})
	if !ok {
		return false
	}
	docs, findings := yaml.Parse(f, yaml.ParseOptions{})
	if len(findings) > 0 || len(docs) != 1 {
		t.Fatalf("%q has an outline, and %d documents with %v", text, len(docs), findings)
	}
	compareOutline(t, o, o.Root(), docs[0].Root)
	return true
}

// compareOutline compares a node of an outline, and all nodes below it, with the tree.
func compareOutline(t *testing.T, o *yaml.Outline, n, tree *yaml.Node) {
	if v, ok := o.Value(n); ok {
		want, err := tree.ToValue()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := encode(t, yaml.Encode, v, yaml.EncodeOptions{}), encode(t, yaml.Encode, want, yaml.EncodeOptions{}); got != want {
			t.Errorf("in %q the outline has\n%s, want\n%s", tree.At.File.Text, got, want)
		}
	} else if !strings.Contains(tree.At.File.Text, "#") {
		t.Errorf("%q: the outline has no %s", tree.At.File.Text, tree.At)
	}
	if n = o.Content(n); n == nil || len(n.Items) != len(tree.Items) || len(n.Entries) != len(tree.Entries) {
		t.Fatalf("%q: the outline has other content at %s", tree.At.File.Text, tree.At)
	}
	for i, item := range n.Items {
		compareOutline(t, o, item, tree.Items[i])
	}
	for i, e := range n.Entries {
		if e.Key != tree.Entries[i].Key {
			t.Errorf("%q: the outline has the key %v, want %v", tree.At.File.Text, e.Key, tree.Entries[i].Key)
		}
		compareOutline(t, o, e.Value, tree.Entries[i].Value)
	}
}

func BenchmarkOutline(b *testing.B) {
	src := services(12000)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := yaml.ParseOutline(source.NewFile("bench.yaml", src), yaml.ParseOptions{}); !ok {
			b.Fatal("no outline")
		}
	}
}
