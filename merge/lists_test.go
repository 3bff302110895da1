package merge

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
)

func TestParsePolicy(t *testing.T) {
	for _, c := range []struct {
		word string
		want graph.ListPolicy
		ok   bool
	}{
		{"union", graph.ListPolicy{Kind: graph.UnionPolicy}, true},
		{"append", graph.ListPolicy{Kind: graph.AppendPolicy}, true},
		{"replace", graph.ListPolicy{Kind: graph.ReplacePolicy}, true},
		{"by name", graph.ListPolicy{Kind: graph.ByField, Field: "name"}, true},
		{"by  the key ", graph.ListPolicy{Kind: graph.ByField, Field: "the key"}, true},
		{word: "by"},
		{word: "by "},
		{word: "byname"},
		{word: ""},
		{word: "Union"},
	} {
		got, ok := parsePolicy(c.word)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("parsePolicy(%q) = %v, %v", c.word, got, ok)
		}
	}
}

func TestParseLists(t *testing.T) {
	lists, err := ParseLists([]string{"args=replace", " a.b = by name "})
	if err != nil || len(lists.Rules) != 2 || lists.Rules[1].Key != "a.b" || lists.Rules[1].Policy.String() != "by name" {
		t.Errorf("got %+v, %v", lists, err)
	}
	if lists, err := ParseLists(nil); lists != nil || err != nil {
		t.Errorf("without rules: %v, %v", lists, err)
	}
	for text, want := range map[string]string{
		"args":         "needs KEY=POLICY",
		"=union":       "needs KEY=POLICY",
		"args=":        "unknown policy",
		"args=repalce": `did you mean "replace"?`,
	} {
		_, err := ParseLists([]string{text})
		d := source.AsDiagnostic(err, source.Span{}, "")
		if err == nil || d.Code != source.Usage || !strings.Contains(d.Message+d.Hint, want) {
			t.Errorf("ParseLists(%q): %v", text, err)
		}
	}
}

func FuzzLists(f *testing.F) {
	for _, text := range []string{
		"{a: union}", "{a.b: by name, \"*\": append}", "[a]", "", "{a: by}", "{a: {b: union}}", "{<<: {a: append}}", "&x {a: replace, b: *x}", "{? [a] : union}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		docs, findings := Parse(source.NewFile("f.yaml", "+lists: "+text+"\na: [1]\n"), Options{})
		if source.FirstError(findings) != nil {
			return
		}
		for _, d := range docs {
			m, ok := d.Root.(*graph.Map)
			if !ok || m.Lists == nil {
				continue
			}
			if !d.Lists {
				t.Error("the document does not say that it has rules")
			}
			for _, r := range m.Lists.Rules {
				if again, ok := parsePolicy(r.Policy.String()); !ok || again != r.Policy {
					t.Errorf("%q is parsed as %q", r.Policy, again)
				}
			}
		}
	})
}
