package merge_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

func TestDocumentsWithoutNumber(t *testing.T) {
	_, findings := merge.Parse(source.NewFile("f.yaml", strings.Repeat("---\n", 100_001)), merge.Options{})
	if len(findings) != 1 || findings[0].Code != source.Limit || !strings.Contains(findings[0].Message, "100001 documents") {
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
