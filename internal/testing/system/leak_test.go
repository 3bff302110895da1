package system_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/testing/long"
)

// keeps fails the test if calls of f leave goroutines behind, or more than a few bytes
// each. The first calls may fill caches.
func keeps(t *testing.T, calls int, f func() error) {
	t.Helper()
	repeat := func(n int) {
		for range n {
			if err := f(); err != nil {
				t.Fatal(err)
			}
		}
	}
	repeat(calls / 10)
	goroutines, bytes := runtime.NumGoroutine(), liveBytes()
	repeat(calls)
	for range 100 {
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(20 * time.Millisecond) // they may be about to end
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		stacks := make([]byte, 1<<16)
		t.Errorf("%d goroutines are left:\n%s", n-goroutines, stacks[:runtime.Stack(stacks, true)])
	}
	const most = 40 // for each call; the runtime itself needs some
	if now := liveBytes(); now > bytes+uint64(max(most*calls, 200<<10)) {
		t.Errorf("%d calls left %d bytes behind", calls, now-bytes)
	}
}

// liveBytes returns the number of bytes in reachable memory.
func liveBytes() uint64 {
	for range 3 { // finalizers, and what they let go
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestNothingIsLeftBehind renders again and again.
func TestNothingIsLeftBehind(t *testing.T) {
	calls := long.Scale(10_000)
	dir := tree(t, map[string]string{
		"main.yaml": "+include: base.yaml\na: \"{{ b ~ c }}\"\nx: {eval: ::b}\nf: \"{{ lookup('file', 'text.txt') }}\"\n" +
			"m: \"{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1) }}\"\nl: {eval: $item, foreach: [1, 2]}\n",
		"base.yaml": "b: 1\nc: {+include: more.yaml}\nd: {+include: site.yay}\n",
		"more.yaml": "k: v\n", "site.yay": "a: {{ 1 + 2 }}\n", "text.txt": "text\n", "page.j2": "{{ a }}{% include 'text.txt' %}",
		"broken.yaml": strings.Repeat("# a comment\n", 6000) + "a: [", "big.yaml": strings.Repeat("- a: 1\n", 20_000),
		"bad.yaml": "+include: base.yaml\na: \"{{ nope }}\"\n", "loop.yaml": "a: \"{% for i in range(10000000) %}{% endfor %}\"\n",
	})
	o := yaytpl.Options{Dir: dir, NoEnv: true}
	name := func(file string) []string { return []string{filepath.Join(dir, file)} }
	shared, err := yaytpl.Open(t.Context(), name("main.yaml"), o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(t.Context(), name("main.yaml"), o)
	if err != nil {
		t.Fatal(err)
	}
	yayConfig, err := config.Load(t.Context(), name("site.yay"), o)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		rule  string
		calls int
		call  func() error
	}{
		{"one project", calls, func() error { return shared.Render(io.Discard, yaytpl.RenderOptions{}) }},
		{"questions to one project", calls, func() error {
			_, err := shared.Documents()[0].Query("{{ a ~ l }}")
			if err == nil {
				_, err = shared.Documents()[0].Explain("a")
			}
			return err
		}},
		{"pages", calls, func() error {
			return shared.Documents()[0].Template(filepath.Join(dir, "page.j2"), io.Discard, yaytpl.RenderOptions{})
		}},
		{"many projects", calls / 10, func() error {
			p, err := yaytpl.Open(t.Context(), name("main.yaml"), o)
			if err == nil {
				err = p.Render(io.Discard, yaytpl.RenderOptions{Form: "json"})
			}
			return err
		}},
		{"checks", calls / 10, func() error { shared.Check(); return nil }},
		{"failures", calls / 10, func() error {
			p, err := yaytpl.Open(t.Context(), name("bad.yaml"), o)
			if err == nil && p.Render(&bytes.Buffer{}, yaytpl.RenderOptions{}) == nil {
				t.Error("no error")
			}
			return err
		}},
		{"failures while another file is parsed", calls / 100, func() error {
			if _, err := yaytpl.Open(t.Context(), append(name("broken.yaml"), name("big.yaml")...), o); err == nil {
				t.Error("no error")
			}
			return nil
		}},
		{"time-outs", calls / 500, func() error {
			ctx, stop := context.WithTimeout(t.Context(), time.Millisecond)
			defer stop()
			p, err := yaytpl.Open(ctx, name("loop.yaml"), o)
			if err == nil && p.Render(io.Discard, yaytpl.RenderOptions{}) == nil {
				t.Error("no error")
			}
			return nil
		}},
		{"a configuration", calls, func() error { _, err := c.Get("a").Text(); return err }},
		{"expressions in Yay", calls, func() error { _, err := yayConfig.Eval("a + [x for x in range(3)][1]").Int(); return err }},
		{"a configuration that is read again", calls / 10, func() error {
			if err := c.Reload(); err != nil {
				return err
			}
			_, err := c.Resolve()
			return err
		}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) { keeps(t, tt.calls, tt.call) })
	}
}

// TestStepsOfEachQuestion: the limit of steps is for each question, not for all questions of a
// project.
func TestStepsOfEachQuestion(t *testing.T) {
	dir := tree(t, map[string]string{"main.yaml": "a: 1\n"})
	o := yaytpl.Options{Dir: dir}
	o.Limits.Steps = 20_000
	p, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, "main.yaml")}, o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(t.Context(), []string{filepath.Join(dir, "main.yaml")}, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if _, err := p.Documents()[0].Query("{% for i in range(100) %}{{ i }}{% endfor %}"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Eval("{% for i in range(100) %}{{ i }}{% endfor %}").Text(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Documents()[0].Query("{% for i in range(100000) %}{{ i }}{% endfor %}"); err == nil {
		t.Error("one question with more steps has an answer")
	}
}

// TestInstancesInExpressionsEnd checks that the results of macros and prototypes in an expression are not
// kept longer than the expression needs them: 21,891 instances of 5 kB.
func TestInstancesInExpressionsEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yay")
	text := `prototype Fibonacci:
  n: 1
  sum: {{ 1 if self.n < 2 else of(n=self.n - 1).it.sum + of(n=self.n - 2).it.sum }}
macro of:
  it:
    new Fibonacci:
      n: {{ n }}
out: {{ of(n=20).it.sum }}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := yaytpl.Open(context.Background(), []string{file}, yaytpl.Options{Limits: graph.Limits{Memory: 24 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := p.Render(&out, yaytpl.RenderOptions{}); err != nil || out.String() != "out: 10946\n" {
		t.Errorf("%s and %v", &out, err)
	}
}

// TestRevisionsAreForgotten renders a project again and again with the cache of the time before, after a file has
// changed or others are included.
func TestRevisionsAreForgotten(t *testing.T) {
	dir := t.TempDir()
	age := time.Now().Add(-24 * time.Hour)
	save := func(name, text string) yaytpl.Input {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		age = age.Add(time.Second)
		if err := os.Chtimes(path, age, age); err != nil {
			t.Fatal(err)
		}
		return yaytpl.Input{Kind: yaytpl.FileInput, Name: path}
	}
	const parts = 40
	part := func(i, n int) string {
		return fmt.Sprintf("services:\n  service-%d:\n    note: a text that is long enough for the memo of texts, %d\n    replicas: \"{{ %d + 1 }}\"\n", i, n, n)
	}
	main := func(n int) string {
		var b strings.Builder
		for i := range parts {
			if (i+n)%5 > 0 {
				fmt.Fprintf(&b, "+include-%d: part-%d.yaml\n", i, i)
			}
		}
		return b.String()
	}
	for i := range parts {
		save(fmt.Sprintf("part-%d.yaml", i), part(i, 0))
	}
	save("main.yaml", main(0))
	var cache *yaytpl.Cache
	var changed []yaytpl.Input
	n := 0
	keeps(t, long.Scale(800), func() error {
		cache = cache.Next(changed...)
		var inputs yaytpl.Inputs
		p, err := yaytpl.Open(t.Context(), []string{"main.yaml"}, yaytpl.Options{Dir: dir, Cache: cache, Inputs: &inputs})
		if err != nil {
			return err
		}
		if err := p.Render(io.Discard, yaytpl.RenderOptions{}); err != nil {
			return err
		}
		if all := inputs.All(); len(all) != 1+parts*4/5 {
			t.Fatalf("%d inputs", len(all))
		}
		n++
		if changed = []yaytpl.Input{save(fmt.Sprintf("part-%d.yaml", n%parts), part(n%parts, n))}; n%7 == 0 {
			changed = append(changed, save("main.yaml", main(n)))
		}
		return nil
	})
}
