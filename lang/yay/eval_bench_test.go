package yay

import (
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func benchmarkEval(b *testing.B, text string) {
	w := newWorld(b)
	w.maxSteps = 1 << 60
	n := parsed(b, text)
	vars := (*variables)(nil).with("i", value.Int(7))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := eval(n, w, vars); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkArithmetic(b *testing.B)    { benchmarkEval(b, "i * i + 1") }
func BenchmarkAttribute(b *testing.B)     { benchmarkEval(b, "m.inner.deep") }
func BenchmarkFallback(b *testing.B)      { benchmarkEval(b, "m.nil else i") }
func BenchmarkComparison(b *testing.B)    { benchmarkEval(b, "i < 10 and i == 7") }
func BenchmarkPlusText(b *testing.B)      { benchmarkEval(b, "w + 'x'") }
func BenchmarkComprehension(b *testing.B) { benchmarkEval(b, "[x * x for x in range(100)]") }

func BenchmarkJoinText(b *testing.B) {
	w := newWorld(b)
	w.maxSteps = 1 << 60
	p := parts(b, "server-{n}.{w}.example.org")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := joinText(p, w); err != nil {
			b.Fatal(err)
		}
	}
}
