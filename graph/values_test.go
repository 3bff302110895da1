package graph

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var cycleRows = []row{
	{"hard, one", "a: =a", "a", "!cycle layer1:1:4: a needs its own value"},
	{"hard, three", "a: =b, b: =c, c: =a", "b", "!cycle a needs its own value"},
	{"hard, through a list", "a: [=b], b: =a.0", "b", "!cycle"},
	{"hard, through a map", "a: {x: =b}, b: =a.x", "b", "!cycle"},
	{"a map may hold a reference to itself", "a: {x: 1, y: =a.x}", "a", "{'x': 1, 'y': 1}"},
	{"hard and soft", "a: ~b, b: =a", "a", "!cycle"},
	{"soft, one", "a: ~a", "a", "None"},
	{"soft, two", "a: ~b, b: ~a", "", "{'a': None, 'b': None}"},
	{"soft with another answer", "a: ~or(b 1), b: ~or(a 1)", "a", "1"},
	{"soft with another answer, the other", "a: ~or(b 1), b: ~or(a 1)", "b", "1"},
	{"soft with another answer, both", "a: ~or(b 1), b: ~or(a 1)", "", "{'a': 1, 'b': 1}"},
	{"soft, asked from outside", "x: =a, a: ~or(b 1), b: ~or(a 2)", "", "{'x': 2, 'a': 2, 'b': 1}"},
	{"soft, missing is null", "a: ~nope", "a", "None"},
	{"overridden before it is a cycle", "a: =a\n---\na: 1", "a", "1"},
}

func TestCycles(t *testing.T) { runRows(t, MergeRule, cycleRows) }

// Every step of a cycle is named with its place.
func TestCycleNamesItsSteps(t *testing.T) {
	f := load(t, "a: =b\nb: {c: =d}\nd: =b.c\n", MergeRule, Options{})
	_, err := f.get("d")
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		t.Fatal(err)
	}
	var got []string
	for _, n := range d.Notes {
		got = append(got, n.At.String()+" "+n.Message)
	}
	want := "layer1:2:8 b.c needs d; layer1:3:4 d needs b.c"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if !errors.Is(err, source.ErrCycle) {
		t.Errorf("%v is no cycle", err)
	}
}

// A soft cycle is reported once, from whatever member it is seen, and is an error if
// that is asked for.
func TestSoftCyclesWarn(t *testing.T) {
	const text = "a: ~or(b 1), b: ~or(a 1)"
	f := load(t, text, MergeRule, Options{})
	for range 2 {
		if _, err := f.get(""); err != nil {
			t.Fatal(err)
		}
	}
	if len(f.warnings) != 1 {
		t.Errorf("%d warnings, want one: %v", len(f.warnings), f.warnings)
	}
	for _, w := range f.warnings {
		if w.Severity != source.Warning || w.Code != source.Cycle {
			t.Errorf("warning is %v %s", w.Severity, w.Code)
		}
	}
	if _, err := load(t, text, MergeRule, Options{StrictCycles: true}).get("a"); !errors.Is(err, source.ErrCycle) {
		t.Errorf("strict: %v", err)
	}
}

// A value in a soft cycle does not depend on earlier questions.
func TestSoftCyclesInAnyOrder(t *testing.T) {
	const text = "a: ~or(b 1), b: ~or(c 2), c: ~or(a 3), d: ~or(a 4), e: ~add(1 b)"
	paths := []string{"a", "b", "c", "d", "e"}
	want := map[string]string{}
	for _, p := range paths {
		want[p], _ = load(t, text, MergeRule, Options{}).get(p)
	}
	for i := range paths {
		for j := range paths {
			f := load(t, text, MergeRule, Options{})
			for _, p := range []string{paths[i], paths[j], "a", "b", "c", "d", "e"} {
				if got, err := f.get(p); got != want[p] || err != nil {
					t.Fatalf("after %s, %s: %s is %s (%v), want %s", paths[i], paths[j], p, got, err, want[p])
				}
			}
		}
	}
}

// One cause is one diagnostic, whoever meets it.
func TestFailuresAreRemembered(t *testing.T) {
	f := load(t, "a: =nope, b: =a, c: =b, m: {on /x}", MergeRule, Options{})
	for _, path := range []string{"c", "m"} {
		_, first := f.get(path)
		_, second := f.get(path)
		if first == nil || first != second {
			t.Errorf("%s: %v and %v are not the same", path, first, second)
		}
	}
	_, a := f.get("a")
	_, c := f.get("c")
	if a != c {
		t.Errorf("a fails with %v, c, which needs it, with %v", a, c)
	}
}

func chain(n int, cell string) string {
	var b strings.Builder
	b.WriteString("k0: 1\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "k%d: "+cell+"\n", i, i-1)
	}
	return b.String()
}

func TestChains(t *testing.T) {
	for _, tt := range []struct{ cell, want string }{
		{"=k%d", "1"}, {"~k%d", "1"}, {"{on /k%d}", "1"}, {"[... {on /k%d}]", "[1]"},
	} {
		got, err := load(t, chain(150, tt.cell), MergeRule, Options{}).get("k150")
		check(t, got, err, tt.want)
	}
}

// A long chain of references is evaluated once for all maps that use it.
func TestLongChainOfReferences(t *testing.T) {
	got, err := load(t, chain(5000, "{on /k%d}"), MergeRule, Options{Limits: Limits{Steps: 1_000_000}}).get("k5000")
	check(t, got, err, "1")
}

func TestDeepChainsOfValues(t *testing.T) {
	f := load(t, chain(50_000, "=k%d"), MergeRule, Options{})
	if got, err := f.get("k50000"); !errors.Is(err, source.ErrLimit) {
		check(t, got, err, "1")
	}
}

func TestLimits(t *testing.T) {
	deep := chain(100, "=k%d")
	for _, tt := range []struct {
		name   string
		limits Limits
		text   string
		want   string
	}{
		{"depth", Limits{Depth: 50}, deep, "!limit --max-depth"},
		{"steps", Limits{Steps: 50}, deep, "!limit --max-steps"},
		{"steps, a list", Limits{Steps: 60}, "k100: [each i in x: $i]\nx: [" + strings.Repeat("1 ", 100) + "]", "!limit --max-steps"},
		{"includes", Limits{Includes: 2}, "k100: {on \"a\"}\n--- a\nx: {on \"b\"}\n--- b\nx: {on \"c\"}\n--- c\nx: {on \"d\"}\n--- d\ny: 1\n", "!limit includes are nested"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := load(t, tt.text, MergeRule, Options{Limits: tt.limits}).get("k100")
			check(t, got, err, tt.want)
		})
	}
}

func TestCancelled(t *testing.T) {
	c := notation(chain(5000, "=k%d"), MergeRule)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := New(ctx, c.layers, Options{}).Root().At(value.Path{value.K("k5000")}).Value()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 0)
	defer cancel()
	_, _, err = New(ctx, c.layers, Options{}).Root().At(value.Path{value.K("k5000")}).Value()
	if !errors.Is(err, source.ErrLimit) {
		t.Errorf("got %v, want a time-out", err)
	}
}

// Work grows with the size of the result, not with its square.
func TestWideAndLong(t *testing.T) {
	wide := func(n int, entry string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, entry+"\n", i)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name, text, path string
		n                int
	}{
		{"wide map", wide(100_000, "k%d: 1"), "", 100_000},
		{"wide layers", wide(100_000, "k%d: 1") + "---\n" + wide(100_000, "k%d: =one") + "one: 1", "", 100_001},
		{"extend chain", "l: [0]\n" + wide(10_000, "---\nextend l: [%d]"), "l", 10_001},
		{"append unique", "l: [" + wide(10_000, "%d ") + "]\n---\nl: [" + wide(12_000, "%d ") + "]", "l", 12_000},
		{"append unique, maps", "l: [" + wide(5_000, "{n: %d, v: 1} ") + "]\n---\nl: [" + wide(6_000, "{n: %d, v: 1} ") + "]", "l", 6_000},
		{"many layers of a list", "l: [0]\n" + wide(1000, "---\nl: [%d]"), "l", 1000},
		{"one reference for many", "x: {a: 1}, m: {" + wide(5_000, "k%d: {on /x}") + "}", "m", 5_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := load(t, tt.text, MergeRule, Options{Limits: Limits{Steps: 5_000_000}})
			v, _, err := f.at(tt.path).Value()
			if err == nil {
				v, err = value.Plain(v)
			}
			if err != nil {
				t.Fatal(err)
			}
			n := v.List().Len() + v.Map().Len()
			if n != tt.n {
				t.Errorf("%d entries, want %d", n, tt.n)
			}
		})
	}
}
