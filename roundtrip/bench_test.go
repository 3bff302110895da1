package roundtrip_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// services returns a commented text of some 5 MB.
func services() string {
	var b strings.Builder
	for i := range 2200 {
		fmt.Fprintf(&b, "# service %d\nservice-%d:\n", i, i)
		for j := range 40 {
			fmt.Fprintf(&b, "  # about container %d\n  container-%d:\n    image: \"registry/app:%d\"  # pinned\n    ports: [80, 443]\n", j, j, i)
		}
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	text := services()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := roundtrip.Parse(source.NewFile("t", text), yamlSyntax); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkApply sets a scalar, or makes a thousand edits at once.
func BenchmarkApply(b *testing.B) {
	text := services()
	var many []roundtrip.Edit
	for i := range 1000 {
		p := value.Path{value.K(fmt.Sprint("service-", 2*i)), value.K("container-7"), value.K("image")}
		many = append(many, roundtrip.Edit{Op: roundtrip.Set, Path: p, Value: value.String("new")})
	}
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r, err := apply(text, yamlSyntax, 0, many[len(many)-n:])
				if err != nil || len(r.Patches) != n {
					b.Fatal(err, len(r.Patches))
				}
			}
		})
	}
}
