package graph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// entries writes an entry n times.
func entries(n int, entry string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, entry+"\n", i)
	}
	return b.String()
}

func BenchmarkFold(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"wide", entries(10_000, "k%d: 1")},
		{"wide, two layers", entries(10_000, "k%d: 1") + "---\n" + entries(10_000, "k%d: 2")},
		{"wide, computed", "one: 1\n" + entries(10_000, "k%d: =one")},
		{"deep", strings.Repeat("a: {b: 1 ", 500) + strings.Repeat("}", 500)},
		{"deep, two layers", strings.Repeat("a: {b: 1 ", 500) + strings.Repeat("}", 500) + "\n---\n" + strings.Repeat("a: {c: 1 ", 500) + strings.Repeat("}", 500)},
		{"many layers", entries(1000, "---\nm: {k%d: 1, same: 2}")},
		{"append unique", "l: [" + entries(10_000, "%d") + "]\n---\nl: [" + entries(10_000, "%d") + "]"},
		{"extend chain", "l: []\n" + entries(10_000, "---\nextend l: [%d]")},
		{"references", "x: {a: 1, b: {c: 2}}\nm: {" + entries(5_000, "k%d: {on /x, v: 1}") + "}"},
		{"guards", "foo: 1\n" + entries(200, "---\ninclude foo {1: {k%d: 1}}")},
	} {
		b.Run(bb.name, func(b *testing.B) {
			c := notation(bb.text, MergeRule)
			b.ReportAllocs()
			for b.Loop() {
				v, _, err := New(b.Context(), c.layers, Options{}).Root().Value()
				if err == nil {
					_, err = value.Plain(v)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
