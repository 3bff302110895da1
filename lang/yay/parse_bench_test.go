package yay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

// manyKeys is a mapping of texts, numbers and expressions.
func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "key_%d: %d\n", i, i)
		case 1:
			fmt.Fprintf(&b, "key_%d: some plain text %d\n", i, i)
		case 2:
			fmt.Fprintf(&b, "key_%d: {{ key_%d + 1 }}\n", i, i-2)
		case 3:
			fmt.Fprintf(&b, "key_%d:\n  a: x{{ key_%d }}/y\n  b: \"quoted\"\n", i, i-3)
		}
	}
	return b.String()
}

// manyItems is a list of mappings with directives in them.
func manyItems(n int) string {
	var b strings.Builder
	b.WriteString("resources:\n")
	for i := range n {
		fmt.Fprintf(&b, "  # number %d\n  - File:\n      name: /etc/{{ name }}/%d\n      mode: 644\n    when: later\n  if a == %d:\n    - Link\n", i, i, i)
	}
	return b.String()
}

func benchmarkParse(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if tree, findings := Parse(source.NewFile("main.yay", text), Options{}); tree == nil {
			b.Fatal(findings)
		}
	}
}

func BenchmarkParseKeys(b *testing.B)  { benchmarkParse(b, manyKeys(10_000)) }
func BenchmarkParseItems(b *testing.B) { benchmarkParse(b, manyItems(2_000)) }
