package yaml_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// TestMaxValues: of a text with too many values nothing is made, whichever parser reads
// it. One with as many as are allowed is read.
func TestMaxValues(t *testing.T) {
	const most = 30
	repeat := func(s string) func(int) string { return func(n int) string { return strings.Repeat(s, n) } }
	lines := func(s string) func(int) string { return func(n int) string { return numbered(s, n) } }
	flow := func(open, item, end string) func(int) string {
		return func(n int) string { return open + strings.TrimSuffix(numbered(item, n), ",") + end }
	}
	tests := []struct {
		name string
		text func(n int) string // of n values
		json bool
	}{
		{"items", repeat("- a\n"), false},
		{"items without anything", repeat("-\n"), false},
		{"lists in lists", func(n int) string { return strings.Repeat("- ", n) + "a" }, false},
		{"entries", lines("k#: a\n"), false},
		{"a list in brackets", flow("[", "1,", "]"), false},
		{"a map in braces", flow("{", "k#: 1,", "}"), false},
		{"empty lists", flow("[", "[],", "]"), false},
		{"documents", func(n int) string { return strings.Repeat("---\n- a\n- b\n", n/2) + strings.Repeat("---\n- a\n", n%2) }, false},
		{"JSON", flow("[", "1,", "]"), true},
		{"members", flow("{", `"k#":1,`, "}"), true},
	}
	parse := func(text string, json bool) []*source.Diagnostic {
		p := yaml.Parse
		if json {
			p = yaml.ParseJSON
		}
		_, diags := p(source.NewFile("t.yaml", text), yaml.ParseOptions{MaxValues: most})
		return diags
	}
	for _, tt := range tests {
		if diags := parse(tt.text(most), tt.json); len(diags) > 0 {
			t.Errorf("%s: %d values: %v", tt.name, most, diags[0])
		}
		texts := []string{tt.text(most + 1)}
		if !tt.json {
			texts = append(texts, "%YAML 1.2\n---\n"+tt.text(2*most+2)) // the library reads it
		}
		for _, text := range texts {
			diags := parse(text, tt.json)
			if len(diags) != 1 || diags[0].Code != source.Limit || !strings.Contains(diags[0].Message, "more than 30 values") {
				t.Errorf("%s: Parse(%.40q) finds %v, want a limit", tt.name, text, diags)
			}
		}
	}
}

// numbered repeats a text, with numbers for "#".
func numbered(s string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(s, "#", string(rune('A'+i/26))+string(rune('a'+i%26))))
	}
	return b.String()
}

// TestMaxDocuments: documents count while they are read.
func TestMaxDocuments(t *testing.T) {
	tests := []struct{ name, text string }{
		{"our parser", strings.Repeat("---\n", 100_001)},
		{"the library", "%YAML 1.2\n" + strings.Repeat("---\n", 100_001)},
	}
	for _, tt := range tests {
		_, diags := yaml.Parse(source.NewFile("t.yaml", tt.text), yaml.ParseOptions{})
		if len(diags) != 1 || diags[0].Code != source.Limit || !strings.Contains(diags[0].Message, "more than 100000 documents") {
			t.Errorf("%s: Parse finds %v, want a limit", tt.name, diags)
		}
	}
	_, diags := yaml.ParseJSON(source.NewFile("t.json", strings.Repeat("1\n", 100_001)), yaml.ParseOptions{})
	if len(diags) != 1 || diags[0].Code != source.Limit {
		t.Errorf("ParseJSON finds %v, want a limit", diags)
	}
}

// TestOutlineOfManyValues: what an outline leaves out does not count against the values of
// a text, so that a place in a big one is found.
func TestOutlineOfManyValues(t *testing.T) {
	deep := "a:\n  b:\n" + numbered("    k#: {c: [1, 2, 3]}\n", 10)
	if _, ok := yaml.ParseOutline(source.NewFile("t.yaml", deep), yaml.ParseOptions{MaxValues: 25}); !ok {
		t.Error("the outline of a text with many values deep in it is not made")
	}
	wide := numbered("k#: 1\n", 26)
	if _, ok := yaml.ParseOutline(source.NewFile("t.yaml", wide), yaml.ParseOptions{MaxValues: 25}); ok {
		t.Error("the outline of a text with many values is made")
	}
}
