package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

func TestDocumentsWithoutNumber(t *testing.T) {
	_, findings := merge.Parse(source.NewFile("f.yaml", strings.Repeat("---\n", 100_001)), merge.Options{})
	if len(findings) != 1 || findings[0].Code != source.Limit || !strings.Contains(findings[0].Message, "more than 100000 documents") {
		t.Errorf("Parse finds %v, want a limit", findings)
	}
}

// TestMergeKeysInCycles: "<<" that leads back to the map that it stands in is named,
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

// TestMergeKeysBounded: what "<<" looks at counts, even if nothing is copied.
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
