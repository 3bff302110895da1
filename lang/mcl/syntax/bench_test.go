package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// BenchmarkParse reads 5,000 binds, each with a resource.
func BenchmarkParse(b *testing.B) {
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "$v%d = $w%d + 1 # c\nnote \"x${v%d}\" {\n\ta => [1, $v%d],\n\tBefore => Note[\"y\"],\n}\n", i, i, i, i)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := syntax.Parse(source.NewFile("a.mcl", text.String())); err != nil {
			b.Fatal(err)
		}
	}
}
