package yaml_test

import (
	"math/rand/v2"
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
		deep("x: 1", "y: 2", "y: 3"), deep("x: 1", "y:", "  a: 1", "  b: 2", "  a: 3", "z: 1"), deep("x: 1", "y: {a: 1, a: 2}"),
		deep("x: 1", "- y"), deep("x: 1", "y: 2", "   z: 3"), deep("x: 1", "y: \"a\" b"), deep("x: 1", "y: 'a'b'"), deep("x: 1", "y:", "    a: 1", "  b: 2"),
		deep("x: 1", "y: [a b: c]"), deep("x: 1", "\ty: 2"), deep("x: 1", "y: a: b"), deep("x: 1", "y: *a"), deep("x: 1", "y: &a 1"), deep("x: 1", "y: !t 1"),
		deep("x: 1", "y:", "- a: 1", "  a: 2", "z: 1"), deep("x: 1", "y: |", " a", "b"), deep("x: 1", "y: 1", "z: \"a"),
	} {
		if _, ok := yaml.ParseOutline(source.NewFile("a.yaml", text), yaml.ParseOptions{}); ok {
			t.Errorf("%q is no text of plain data", text)
		}
	}
}

// deep returns a text with lines in a map that an outline omits.
func deep(lines ...string) string {
	return "a:\n  b:\n    c:\n      " + strings.Join(lines, "\n      ") + "\n    after: 1\n"
}

// An outline has the same data as the whole tree, in less memory.
func TestOutline(t *testing.T) {
	for _, text := range []string{
		"a: 1\n", "- 1\n- [2, {a: [3, {b: [4]}]}]\n", services(5),
		"a:\n  b:\n    c:\n      d: |+\n        text\n\n\n    e: {f: {g: 1,\n      h: [1,\n      2]}}\n",
		"a:\n- b:\n  - c:\n    - d: |2\n         x\n      e: 1\n    - f\n",
		"- - - - a: 1\n        b: >-\n          x\n          y\n      - c\n", "a: {b: {c: {}, d: [], e: [{}]}}\r\nf:\r\n  g:\r\n    h:\r\n      i: |+\r\n        x\r\n\r\n",
		"é:\n  日本: {ü: {ö: [1, {ä: 2}]}}\n", "a:\n  b:\n    c:\n      # head\n      d: 1 # line\n      # foot\n\n  # e\n  e: 1\n",
		deep("x: 1", "y: a b:c # d", "# e", "", "z: \"a, 'b\"", "u: 'a # b' # c"), deep("x: 1", "on: 2", "1: 3", "\"y\": 4", "null: 5", "z: 6"),
		deep("x: 1", "y:", "  - a: 1", "    b: [c, \"d\"]", "  - e", "  # f", "  - {g: 1, h: i.j/k}", "z:", "- a", "- b: 1", "u:", "v: # w", "  a:", "    b:", "      c:", "        d:", "          e: 1"),
		deep("x: 1", "y: |", "  a", "", "    b # c", "z: >-", "  d", "", "", "u: |+", "  e", "", "v: 1"), deep("x: 1", "y: |", "  a", "      ", "z: 1"),
		deep("x: 1", "y: a", "  b", "z: 1"), deep("x: 1\r", "y: 2\r", "z:\r", "  a: 1\r", "u: |\r", "  b\r"), deep("- a", "- b: 1", "  c: 2", "-", "- - d", "- e"),
		deep("x: 1", "y: 2") + "  \n", strings.TrimSuffix(deep("x: 1", "y: 2"), "\n    after: 1\n"),
	} {
		if !checkOutline(t, text) {
			t.Errorf("%q has no outline", text)
		}
	}
}

// A text of simple lines, some of which do not fit, has the data of the whole tree if it has an outline.
func TestOutlineOfLines(t *testing.T) {
	forms := []string{
		"K: 1", "K: two words", "K: \"q\"", "K: 'q' # c", "K:", "K: # c", "- K: 1", "- word", "-", "- - K: 1", "K: [a, \"b\"]", "K: {K: 1, K: b}", "- {K: a}", "- K:",
		"K: |", "K: >-", "- |", "text", "# c", "", "K: a:b", "K: http://x/y", "K: a # c", "K: {a: [1]}", "K: a, b", "true: 1", "2: 1", "\"K\": 1", "K: a: b", "K: [a", "K: \"a",
	}
	r := rand.New(rand.NewPCG(1, 2))
	outlines := 0
	for range 20_000 {
		var b strings.Builder
		b.WriteString("a:\n  b:\n    c:\n")
		column := 6
		for range 1 + r.IntN(10) {
			column = max(4, column+[]int{0, 0, 0, 0, 2, 2, -2, -4, 1}[r.IntN(9)])
			form := forms[r.IntN(len(forms))]
			for strings.Contains(form, "K") {
				form = strings.Replace(form, "K", string(rune('k'+r.IntN(8))), 1)
			}
			b.WriteString(strings.Repeat(" ", column) + form + "\n")
		}
		if checkOutline(t, b.String()) {
			outlines++
		}
	}
	if outlines < 1000 {
		t.Errorf("%d texts have an outline", outlines)
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
	f.Add(deep("x: 1", "y:", "  - a: 1", "    b: [c, \"d\"]", "  - e", "  # f", "  - {g: 1, h: i.j/k}", "z: |", "  a", "u: a b"))
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
