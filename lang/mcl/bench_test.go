package mcl_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
)

// A shape is a program that grows with n.
type shape struct {
	name  string
	sizes []int
	text  func(n int) string
}

// shapes are the programs whose time must grow with their size and no faster (design: front ends,
// "Speed").
var shapes = []shape{
	{"chain", []int{1000, 5000}, chain},
	{"binds", []int{5000}, binds},
	{"additions", []int{12, 1200}, additions},
	{"graph", []int{10_000}, resourceGraph},
	{"functions", []int{1000}, functions},
	{"loop", []int{5000}, loop},
	{"numbered", []int{5000}, numbered},
}

// numbered has a map with n keys that are numbers.
func numbered(n int) string {
	var b strings.Builder
	b.WriteString("note \"n\" {\n\tv => {")
	for i := range n {
		fmt.Fprintf(&b, "%d => %d, ", i, i)
	}
	b.WriteString("},\n}\n")
	return b.String()
}

// chain has n binds that each need the one before.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("$v0 = 0\n")
	for i := range n - 1 {
		fmt.Fprintf(&b, "$v%d = $v%d + 1\n", i+1, i)
	}
	fmt.Fprintf(&b, "note \"n\" {\n\tv => $v%d,\n}\n", n-1)
	return b.String()
}

// binds has n binds that do not need each other, each with a resource.
func binds(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "$v%d = %d + 1\nnote \"n%d\" {\n\tv => $v%d,\n}\n", i, i, i, i)
	}
	return b.String()
}

// additions has an expression of n additions whose type only its use decides.
func additions(n int) string {
	return "func sum($x) { $x" + strings.Repeat(" + $x", n) + " }\nnote \"n\" {\n\ti => sum(1),\n\ts => sum(\"a\"),\n\tf => sum(1.5),\n}\n"
}

// resourceGraph has n resources, each with two edges to later ones.
func resourceGraph(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "note \"n%d\" {\n", (i*7919)%n)
		for _, next := range []int{(i*7919)%n + 1, (i*7919)%n + 10} {
			if next < n {
				fmt.Fprintf(&b, "\tBefore => Note[\"n%d\"],\n", next)
			}
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// functions has n functions that each call the one before twice.
func functions(n int) string {
	var b strings.Builder
	b.WriteString("func f0($x) { $x }\n")
	for i := range n - 1 {
		fmt.Fprintf(&b, "func f%d($x) { if $x == f%d($x) { $x } else { f%d($x) } }\n", i+1, i, i)
	}
	fmt.Fprintf(&b, "note \"n\" {\n\tv => if false { f%d(1) } else { 1 },\n}\n", n-1)
	return b.String()
}

// loop has a class that is included n times in a loop.
func loop(n int) string {
	return fmt.Sprintf(`import "fmt"
import "iter"
class web($i, $name) {
	file "/srv/${name}" {
		content => fmt.printf("%%d %%s", $i, $name),
		Before => Svc["web"],
	}
}
svc "web" {}
for $i, $n in iter.range(%d) {
	include web($n + 1, fmt.printf("n%%d", $n))
}
`, n)
}

// BenchmarkProgram opens programs and prints their graphs.
func BenchmarkProgram(b *testing.B) {
	for _, s := range shapes {
		for _, n := range s.sizes {
			b.Run(fmt.Sprintf("%s=%d", s.name, n), func(b *testing.B) {
				text := s.text(n)
				o := yaytpl.Options{Dir: b.TempDir()}
				o.Overlay = map[string]string{filepath.Join(o.Dir, "m.mcl"): text}
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					p, err := yaytpl.Open(context.Background(), []string{"m.mcl"}, o)
					if err == nil {
						err = p.Render(io.Discard, yaytpl.RenderOptions{Form: "json"})
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
