package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
)

var cacheSeeds = flag.Int("law.cache", 0, "random projects of TestCacheLaw, by default 2, and 25 with YAYTPL_LONG=1")

// The law of the cache: what a run prints with it is what a run without it prints, whatever was kept before. The
// projects and their edits are those of TestWatchLaw, so that all notations and all kinds of inputs occur. Steps that
// undo others, and a second run after each, make that results are found.
func TestCacheLaw(t *testing.T) {
	kept, found, seeds := 0, 0, *cacheSeeds
	if seeds == 0 {
		seeds = long.Scale(25)
	}
	for seed := range uint64(seeds) {
		k, f := checkCacheLaw(t, seed+1)
		kept, found = kept+k, found+f
		if t.Failed() {
			return
		}
	}
	t.Logf("%d results were kept, and %d found", kept, found)
	if kept < seeds || found < kept {
		t.Errorf("the projects are no test: %d results were kept, and %d found", kept, found)
	}
}

func checkCacheLaw(t *testing.T, seed uint64) (kept, found int) {
	p := newLawProject(rand.New(rand.NewPCG(seed, 6)))
	r := lawRun{t: t, dir: t.TempDir()}
	cache := filepath.Join(t.TempDir(), "cache")
	out, errs, status := p.begin(r)
	steps := &script{app: newApp(nil, streams{dir: r.dir})}
	for {
		want := fmt.Sprintf("status %d\n%s\n%s", status, out, errs)
		for range 2 {
			out, errs, status := r.run(append([]string{"render", "-v", "-o", "jsonl", "--errors", "json", "--cache", cache}, p.args...)...)
			switch {
			case strings.Contains(errs, "that of an earlier run"):
				found++
			case status == 0 && !strings.Contains(errs, "not kept"):
				kept++
			}
			lines := slices.DeleteFunc(strings.SplitAfter(errs, "\n"), func(line string) bool { return strings.HasPrefix(line, `{"severity":"info"`) })
			errs = strings.Join(lines, "")
			if got := fmt.Sprintf("status %d\n%s\n%s", status, out, errs); got != want {
				t.Errorf("seed %d, %q: with the cache\n%s\nand without\n%s\n%s", seed, p.args, got, want, p)
				return kept, found
			}
		}
		if p.left == 0 {
			return kept, found
		}
		for done := false; !done && p.left > 0; p.left-- {
			next, err := parseStep(p.step(status != 0), source.Span{})
			if err != nil {
				t.Fatal(err)
			}
			p.stage(r)
			done = steps.do(next) == nil
		}
		out, errs, status = r.render(p.args)
	}
}
