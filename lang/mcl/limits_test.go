package mcl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	_ "github.com/yaytpl/yaytpl/config/gotemplate"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
)

// TestGraphLimits: many resources and products of edges end with an error, before memory does.
func TestGraphLimits(t *testing.T) {
	const names = "import \"iter\"\nimport \"fmt\"\n$l = iter.map(iter.range(2000), func($i) { fmt.printf(\"%d\", $i) })\na $l {}\nb $l {}\n"
	for _, program := range []string{
		names + `A[$l] -> B[$l]`,
		names + `c "c" {} C["c"] -> A[$l] -> B[$l]`,
		names + `for $i, $x in $l { for $j, $y in $l { c "${x} ${y}" {} } }`,
		names + `for $i, $x in $l { d $x { Before => B[$l], } }`,
	} {
		_, err := render(t, program, yaytpl.Options{})
		if !errors.Is(err, source.ErrLimit) {
			t.Errorf("%s: %v, want a limit", program, err)
		}
	}
}

// TestNesting: expressions that are nested through the definitions that they use end with an error, before
// the stack does.
func TestNesting(t *testing.T) {
	ones := strings.Repeat(" + 1", 15_000)
	chain := func(n int, first, format, last string) string {
		var b strings.Builder
		b.WriteString(first)
		for i := range n {
			fmt.Fprintf(&b, format, i, i+1)
		}
		return b.String() + fmt.Sprintf(last, n)
	}
	const output = "note \"n\" { v => %s, }\n"
	for _, tt := range []struct{ name, text string }{
		{"functions", chain(150_000, fmt.Sprintf(output, "f0(1)"), "func f%d($x) { f%d($x) }\n", "func f%d($x) { $x }\n")},
		{"high functions", chain(20, fmt.Sprintf(output, "f0(1)"), "func f%d($x) { f%d($x)"+ones+" }\n", "func f%d($x) { $x }\n")},
		{"high binds", chain(20, fmt.Sprintf(output, "$a0"), "$a%d = $a%d"+ones+"\n", "$a%d = 1\n")},
		{"classes", chain(150_000, "include c0\n", "class c%d { include c%d }\n", "class c%d { }\n")},
		{"functions as values", "func h($f) { $f(0)" + ones + " }\n" + fmt.Sprintf(output, strings.Repeat("h(func($x) { ", 10)+"1"+strings.Repeat(" })", 10))},
	} {
		if _, err := render(t, tt.text, yaytpl.Options{}); !errors.Is(err, source.ErrLimit) {
			t.Errorf("%s: %.300v, want a limit", tt.name, err)
		}
	}
	if _, err := render(t, chain(4, fmt.Sprintf(output, "f0(1)"), "func f%d($x) { f%d($x)"+ones+" }\n", "func f%d($x) { $x }\n"), yaytpl.Options{}); err != nil {
		t.Errorf("four high functions: %.300v", err)
	}
}

// TestStarLimit: a file has the names of so many files at most that pass them on, one after the other.
func TestStarLimit(t *testing.T) {
	dir := t.TempDir()
	for files, want := range map[int]error{1000: nil, 1001: source.ErrLimit} {
		texts := map[string]string{}
		for i := range files + 1 {
			texts[filepath.Join(dir, fmt.Sprintf("f%d.mcl", i))] = fmt.Sprintf("import \"f%d.mcl\" as *\n", i+1)
		}
		texts[filepath.Join(dir, fmt.Sprintf("f%d.mcl", files))] = "$x = 1\n"
		main := filepath.Join(dir, "f0.mcl")
		texts[main] += "note \"n\" { x => $x, }\n"
		p, err := yaytpl.Open(context.Background(), []string{main}, yaytpl.Options{Dir: dir, Overlay: texts})
		if err == nil {
			err = p.Render(io.Discard, yaytpl.RenderOptions{})
		}
		if !errors.Is(err, want) {
			t.Errorf("%d files: %v, want %v", files, err, want)
		}
	}
}

// TestLinear: what a program allocates grows with its size, and no faster.
func TestLinear(t *testing.T) {
	for _, s := range shapes {
		small, large := allocated(t, s.text(500)), allocated(t, s.text(4*500))
		if large > 5*small {
			t.Errorf("%s: %d bytes for 500, %d for 2000", s.name, small, large)
		}
	}
}

// allocated returns the bytes that opening and printing a program allocates.
func allocated(t *testing.T, text string) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := render(t, text, yaytpl.Options{})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	return after.TotalAlloc - before.TotalAlloc
}

// TestLimitPlaces: an error of a limit has the place of what was too much, whenever the limit is reached. The first
// steps are those of the document, before the program.
func TestLimitPlaces(t *testing.T) {
	const program = `import "fmt"
import "iter"
import "golang"
$text = "a" + "b" + "c"
$hosts = iter.map(["x", "y"], func($h) { "${h}.${text}" })
$ports = {"web" => 80, "db" => 5432}
func sum($a, $b) { $a + $b }
class web($host str, $port int) {
	file "/srv/${host}" {
		content => fmt.printf("%d", sum($port, 1)),
		mode => $port == 81 ?: golang.template("{{ .a }}", struct{a => $port}),
		Before => Svc["web"],
		Meta => struct{noop => "c" in $hosts},
	}
}
svc ["web", "web2"] {
	list => [$ports["web"], len($hosts)],
}
svc "web" {
	list => [$ports["web"], len($hosts)],
}
for $i, $h in $hosts {
	include web($h, $i) as w
	panic($w.host == "z")
}
forkv $name, $port in $ports {
	if $port > 80 {
		note $name {}
	}
}
Svc["web"] -> Svc["web2"] -> Note["db"]
`
	for _, limit := range []func(n int) graph.Limits{
		func(n int) graph.Limits { return graph.Limits{Steps: n} },
		func(n int) graph.Limits { return graph.Limits{Depth: n} },
	} {
		reached := 0
		for n := 1; ; n += 1 + n/64 {
			_, err := render(t, program, yaytpl.Options{NoEnv: true, Limits: limit(n)})
			if err == nil {
				break
			}
			reached++
			for _, d := range source.Findings(err) {
				if !errors.Is(d, source.ErrLimit) || d.At.IsZero() && n > 3 {
					t.Errorf("%+v: %s want a limit with a place", limit(n), report(err))
				}
			}
		}
		if reached < 5 {
			t.Errorf("%+v was reached %d times", limit(1), reached)
		}
	}
}
