package yay_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/source"
)

// TestMaxParts: a text with too many stanzas or words is refused, wherever they stand.
func TestMaxParts(t *testing.T) {
	const most = 40
	tests := []struct{ name, before, part, after string }{
		{"items", "l:\n", "  - a\n", ""},
		{"items with keys", "l:\n", "  - a: b\n", ""},
		{"a list in an expression", "l: {{ [", "1, ", "1] }}\n"},
		{"expressions in a text", "t: ", "{{ a }}", "\n"},
		{"expressions in a block", "t: |\n", "  {{ a }}\n", ""},
		{"names of a set", "set ", "a, ", "b = c\n"},
		{"a chain", "x: {{ a", ".b", " }}\n"},
		{"a condition", "if a", " and b", ":\n  c: 1\n"},
	}
	for _, tt := range tests {
		parse := func(n int) []*source.Diagnostic {
			text := tt.before + strings.Repeat(tt.part, n) + tt.after
			_, findings := yay.Parse(source.NewFile("t.yay", text), yay.Options{MaxParts: most})
			return findings
		}
		if findings := parse(10); len(findings) > 0 {
			t.Errorf("%s: few parts: %v", tt.name, findings[0])
		}
		findings := parse(most + 10)
		if len(findings) != 1 || findings[0].Code != source.Limit || !strings.Contains(findings[0].Message, "more than 40 stanzas") {
			t.Errorf("%s: many parts: %v, want a limit", tt.name, findings)
		}
	}
}
