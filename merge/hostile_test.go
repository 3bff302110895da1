package merge_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestDocumentsWithoutNumber(t *testing.T) {
	_, findings := merge.Parse(source.NewFile("f.yaml", strings.Repeat("---\n", 100_001)), merge.Options{})
	if len(findings) != 1 || findings[0].Code != source.Limit || !strings.Contains(findings[0].Message, "more than 100000 documents") {
		t.Errorf("Parse finds %v, want a limit", findings)
	}
}

// TestMergeKeysInCycles: a "<<" that leads back to its own map is reported,
// however far the way is.
func TestMergeKeysInCycles(t *testing.T) {
	tests := []string{
		"a: &a {<<: *a, b: 1}\n",
		"a: &a\n  b: &b\n    <<: *a\n  <<: *b\n",
		"a: &a\n  b:\n    <<: *a\n",
		"a: &a\n  b:\n    c:\n      <<: [*a]\n",
		"- &a\n  x: &b {y: {<<: *a}}\n- <<: [*a, *b]\n",
	}
	for _, text := range tests {
		_, findings := merge.Parse(source.NewFile("f.yaml", text), merge.Options{})
		if len(findings) == 0 || findings[0].Code != source.Cycle || !strings.Contains(findings[0].Message, `"<<"`) {
			t.Errorf("Parse(%q) finds %v, want a cycle of <<", text, findings)
		}
	}
}

// TestMergeKeysBounded: maps that "<<" visits count, even if nothing is copied.
func TestMergeKeysBounded(t *testing.T) {
	nested := "a0: &a0 {x: 1}\n"
	for i := 1; i <= 11; i++ {
		aliases := strings.Repeat(fmt.Sprintf(", *a%d", i-1), 10)[2:]
		nested += fmt.Sprintf("a%d: &a%d {<<: [%s]}\n", i, i, aliases)
	}
	tests := []struct{ name, text string }{
		{"maps that merge maps", nested},
		{"a list of empty maps, merged often", "l: &l [" + strings.Repeat("{},", 3000) + "]\nx:\n" + strings.Repeat("- {<<: *l}\n", 3000)},
		{"keys that the map has itself", "b: &b {" + keys(3000) + "}\nx: {" + keys(3000) + ", <<: [" + strings.Repeat("*b,", 3000) + "]}\n"},
		{"a big value under a copied key", "b: &b {k: [" + strings.Repeat("1,", 3000) + "]}\nx:\n" + strings.Repeat("- {<<: *b}\n", 3000)},
	}
	if !long.On() {
		tests = tests[:2] // the others take seconds
	}
	for _, test := range tests {
		_, findings := merge.Parse(source.NewFile("f.yaml", test.text), merge.Options{})
		if len(findings) != 1 || findings[0].Code != source.Limit || !strings.Contains(findings[0].Message, `"<<"`) {
			t.Errorf("%s: Parse finds %v, want a limit of <<", test.name, findings)
		}
	}
}

// keys returns n entries of a map in flow style.
func keys(n int) string {
	entries := make([]string, n)
	for i := range entries {
		entries[i] = fmt.Sprintf("k%d: 1", i)
	}
	return strings.Join(entries, ", ")
}

// FuzzKey: a directive is no key of the data, and every other key is.
func FuzzKey(f *testing.F) {
	for _, key := range []string{"+", "+?", "+/a/b", "+../x", "+*a/b", "+include", "+?include-x*a/b", "+include.", "+/a~0~1", "+/~", "+%", "+&", "+word", "+.x", "+*a b", "a"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		docs, findings := merge.Parse(source.NewFile("f.yaml", quote(key)+": 1\n"), merge.Options{})
		if len(findings) > 0 || len(docs) != 1 {
			return // not YAML, or a directive that is wrong
		}
		m, ok := docs[0].Root.(*graph.Map)
		isData := ok && len(m.Entries) == 1 && m.Entries[0].Key.Text == key
		if strategy := key == "+%" || key == "+&"; isData == merge.IsDirective(key) && !strategy {
			t.Errorf("%q is a directive: %t, but it is kept as data: %t", key, merge.IsDirective(key), isData)
		}
		if !strings.HasPrefix(key, "+") && merge.IsDirective(key) {
			t.Errorf("%q is a directive", key)
		}
	})
}

func quote(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

// nowhere is a loader that has no files.
type nowhere struct{}

func (nowhere) Load(ref *graph.Ref, _ *graph.Doc) (*graph.Doc, error) {
	return nil, source.Errorf(ref.At, source.MissingInclude, "no file %s", ref.File)
}

// FuzzExpand: whatever a text says, carrying out its directives ends, and its result
// is data without directives that could be carried out again.
func FuzzExpand(f *testing.F) {
	for _, text := range []string{
		"a: {+/b: , c: 1}\nb: &x {d: [1, {+%: whiteout}]}\n", "- +*x:\n- &x [1, {+../0: }]\n", "<<: [&a {x: 1}, *a]\nl: [{+%: replace}, 1]\n",
		"a: {+include: x.yaml}\n", "a: {+?/b: }\n", "+&: n\nb: {+*n: , +%: merge}\n", "a: {+./b/0: raw}\nb: [{+/a: }]\n", "a: &a {b: &b {<<: *a}, <<: *b}\n",
	} {
		f.Add(text)
	}
	limits := graph.Limits{Steps: 50_000, Depth: 200, Memory: 300 << 20}
	f.Fuzz(func(t *testing.T, text string) {
		docs, findings := merge.Parse(source.NewFile("f.yaml", text), merge.Options{ParseOptions: yaml.ParseOptions{NoTemplates: true, MaxDepth: 200}, NoExpressions: true})
		for _, d := range findings {
			if d.Severity == source.Error {
				return
			}
		}
		for _, doc := range docs {
			e := graph.New(context.Background(), []graph.RootLayer{{Doc: doc, Name: "f"}}, graph.Options{Limits: limits, Loader: nowhere{}})
			if v, _, err := e.Root().Value(); err == nil {
				walk(v, 20_000, 100)
			}
		}
	})
}

// walk looks at a value up to a number of items, and returns how many are left.
func walk(v value.Value, left, depth int) int {
	if left <= 0 || depth == 0 {
		return left
	}
	switch v.Kind() {
	case value.ListKind:
		for i := range v.List().Len() {
			item, err := v.List().At(i)
			if err != nil {
				return 0
			}
			if left = walk(item, left-1, depth-1); left <= 0 {
				return 0
			}
		}
	case value.MapKind:
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err != nil {
				return 0
			}
			if left = walk(item, left-1, depth-1); left <= 0 {
				return 0
			}
		}
	}
	return left
}

// TestCheckOfLongTemplate: the quoted text of a template is decoded once, not for the place of each word.
func TestCheckOfLongTemplate(t *testing.T) {
	text := "a: \"{{ x" + strings.Repeat(" + 1", 18_000) + " }}\"\n"
	docs, findings := merge.Parse(source.NewFile("f.yaml", text), merge.Options{})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	checked := docs[0].Root.(*graph.Map).Entries[0].Node.(*graph.Computed).Thunk.(interface {
		Check(expr.Library) []*source.Diagnostic
	})
	start := time.Now()
	if found := checked.Check(nil); len(found) > 0 {
		t.Error(found)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("Check takes %v", took)
	}
}
