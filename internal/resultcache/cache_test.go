package resultcache

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// opened returns a cache in a new directory.
func opened(t *testing.T) *Cache {
	t.Helper()
	c, err := Open(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func all([]load.Record) bool { return true }

// of returns records that hold if the state is the one that they have.
func of(state string) []load.Record {
	return []load.Record{{Kind: load.EnvInput, Name: "X", State: state}}
}

func is(state string) func([]load.Record) bool {
	return func(list []load.Record) bool { return list[0].State == state }
}

func TestKeepFind(t *testing.T) {
	c := opened(t)
	k := keyOf("render", "a.yaml")
	for _, state := range []string{"1", "2"} {
		if err := c.keep(k, of(state), Result{[]byte("result " + state), []byte("message")}); err != nil {
			t.Fatal(err)
		}
	}
	for _, state := range []string{"1", "2"} {
		r, ok := c.find(k, is(state))
		if !ok || string(r.Output) != "result "+state || string(r.Messages) != "message" {
			t.Errorf("of state %s: %q, %v", state, r, ok)
		}
	}
	if _, ok := c.find(k, is("3")); ok {
		t.Error("found a result whose input has another state")
	}
	if _, ok := c.find(keyOf("render", "b.yaml"), all); ok {
		t.Error("found the result of another run")
	}
}

func TestKeyOf(t *testing.T) {
	keys := map[key][]string{}
	for _, words := range [][]string{{}, {""}, {"a"}, {"a", ""}, {"", "a"}, {"ab"}, {"a", "b"}, {"1:a"}, {"a1:b"}} {
		if other, known := keys[keyOf(words...)]; known {
			t.Errorf("%q and %q have the same key", words, other)
		}
		keys[keyOf(words...)] = words
	}
}

// A damaged entry, or one that was cut off at any byte, is not found.
func TestDamagedEntry(t *testing.T) {
	c := opened(t)
	k := keyOf("x")
	if err := c.keep(k, of("1"), Result{[]byte("result"), []byte("message")}); err != nil {
		t.Fatal(err)
	}
	path := entriesOf(c.entries(k))[0].path
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(text []byte, what string, i int) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if r, ok := c.find(k, all); ok {
			t.Errorf("%s %d: found %q", what, i, r)
		}
	}
	for i := range whole {
		try(whole[:i], "cut off at", i)
		damaged := slices.Clone(whole)
		damaged[i] ^= 1
		try(damaged, "damaged at", i)
	}
	head, rest, _ := bytes.Cut(whole, []byte(`"Output":6`))
	try(slices.Concat(head, []byte(`"Output":9223372036854775807`), rest), "sizes that add up to a negative one", 0)
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.find(k, all); !ok {
		t.Error("the whole entry is not found")
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine.txt")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	made := func(names ...string) string {
		dir := t.TempDir()
		for _, name := range names {
			if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	for name, code := range map[string]source.Code{
		dir: source.Usage, mine: source.Access, filepath.Join(mine, "x"): source.Access,
		made(tagName): source.Access, made("ab/cd"): source.Usage, made("ab/" + strings.Repeat("c", 64)): source.Usage, made("objects/ab"): source.Usage,
	} {
		_, err := Open(name)
		if found := source.Findings(err); len(found) != 1 || found[0].Code != code {
			t.Errorf("%s: %v, want %s", name, err, code)
		}
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("a refused directory has %v", names)
	}
}

// A run that is at work while the cache is removed makes a directory that the next run takes.
func TestRemovedMeanwhile(t *testing.T) {
	c := opened(t)
	if err := os.RemoveAll(c.dir); err != nil {
		t.Fatal(err)
	}
	if err := c.keep(keyOf("x"), of("1"), Result{Output: []byte("r")}); err != nil {
		t.Fatal(err)
	}
	again, err := Open(c.dir)
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := again.find(keyOf("x"), is("1")); !ok || string(r.Output) != "r" {
		t.Errorf("got %q, %v", r.Output, ok)
	}
	if text, err := readTag(filepath.Join(c.dir, tagName)); err != nil || text != tagText {
		t.Errorf("the tag is %q, %v", text, err)
	}
}

func TestLimits(t *testing.T) {
	c := opened(t)
	k := keyOf("x")
	for i := range maxVariants + 3 {
		if err := c.keep(k, of(fmt.Sprint(i)), Result{Output: []byte("r")}); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-100) * time.Second)
		for _, e := range entriesOf(c.entries(k)) {
			if text, err := os.ReadFile(e.path); err == nil && bytes.Contains(text, fmt.Appendf(nil, `"state":"%d"`, i)) {
				_ = os.Chtimes(e.path, at, at)
			}
		}
	}
	if list := entriesOf(c.entries(k)); len(list) != maxVariants {
		t.Errorf("%d entries of one key", len(list))
	}
	if _, ok := c.find(k, is("0")); ok {
		t.Error("the oldest entry is still there")
	}
	if _, ok := c.find(k, is(fmt.Sprint(maxVariants+2))); !ok {
		t.Error("the latest entry was removed")
	}
}

// The cache exceeds its size by the few entries that were stored since the last look at all.
func TestTotal(t *testing.T) {
	c := opened(t)
	c.most = 10_000
	sizes := func() (total int64) {
		for _, group := range directories(c.dir) {
			for _, key := range directories(group) {
				for _, e := range entriesOf(key) {
					total += e.size
				}
			}
		}
		return total
	}
	const entries = 600
	for i := range entries {
		if err := c.keep(keyOf(fmt.Sprint(i)), of(fmt.Sprint(i)), Result{Output: make([]byte, 1000)}); err != nil {
			t.Fatal(err)
		}
	}
	if total := sizes(); total > entries*1000/2 {
		t.Errorf("%d bytes are left", total)
	}
	if _, ok := c.find(keyOf(fmt.Sprint(entries-1)), is(fmt.Sprint(entries-1))); !ok {
		t.Error("the latest entry was removed")
	}
	if err := c.keep(keyOf("big"), of("big"), Result{Output: make([]byte, 2<<20)}); err != nil {
		t.Fatal(err)
	}
	if total := sizes(); total > c.most { // the last small entry may have the same time as the big one, and stay
		t.Errorf("after an entry that is bigger than the limit %d bytes are left", total)
	}
}

// A process that is killed leaves an unfinished entry, which later entries remove.
func TestLeftovers(t *testing.T) {
	c := opened(t)
	fresh, old := filepath.Join(c.dir, newPrefix+"1"), filepath.Join(c.dir, newPrefix+"2")
	for _, name := range []string{fresh, old} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Now().Add(-2 * leftover)
	if err := os.Chtimes(old, at, at); err != nil {
		t.Fatal(err)
	}
	if err := c.keep(keyOf("x"), of("1"), Result{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("the file of a process that may be at work was removed")
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the old file is still there")
	}
	if _, err := Open(c.dir); err != nil {
		t.Error(err)
	}
}

func TestPrivate(t *testing.T) {
	c := opened(t)
	if err := c.keep(keyOf("x"), of("1"), Result{}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(c.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Of many goroutines that keep and find, each finds a complete result or none.
func TestConcurrent(t *testing.T) {
	c := opened(t)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 60 {
				k := keyOf(fmt.Sprint(i % 3))
				state := fmt.Sprint((g + i) % 12)
				want := strings.Repeat(state, 5000)
				if r, ok := c.find(k, is(state)); ok && string(r.Output) != want {
					t.Errorf("found %d bytes, not %d", len(r.Output), len(want))
				}
				if err := c.keep(k, of(state), Result{Output: []byte(want)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// A result is kept with what its run has read, and found as long as that is the same.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	main := strings.Join([]string{
		"+?include: local.yaml", "x: {get_env: X}", "globs: \"{{ lookup('fileglob', 'g/*.txt', wantlist=true) | length }}\"",
		"has: \"{{ 'flag' is exists }}\"", "text: \"{{ lookup('file', 't.txt') }}\"",
	}, "\n")
	env := map[string]string{"X": "1"}
	render := func() (string, *Run, *yaytpl.Inputs) {
		t.Helper()
		inputs := &yaytpl.Inputs{}
		o := yaytpl.Options{Dir: dir, Inputs: inputs, Getenv: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
		run := open(t, filepath.Join(dir, "../cache")).Run(t.Context(), o, []string{"main.yaml"}, "render")
		p, err := yaytpl.Open(t.Context(), []string{"main.yaml"}, o)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := p.Render(&out, yaytpl.RenderOptions{}); err != nil {
			t.Fatal(err)
		}
		return out.String(), run, inputs
	}
	write("main.yaml", main)
	write("t.txt", "one")
	steps := []struct {
		what string
		do   func()
	}{
		{"the first run", func() {}},
		{"the main file changes", func() { write("main.yaml", main+"\ny: 1\n") }},
		{"a file that was missing appears", func() { write("local.yaml", "z: 1\n") }},
		{"an included file changes, with the same size and time", func() { write("local.yaml", "z: 2\n") }},
		{"a variable changes", func() { env["X"] = "2" }},
		{"a variable is unset", func() { env["X"] = "" }},
		{"a pattern matches a file more", func() { write("g/a.txt", "") }},
		{"a file whose existence is asked appears", func() { write("flag", "") }},
		{"a text changes", func() { write("t.txt", "two") }},
	}
	for _, step := range steps {
		step.do()
		want, run, inputs := render()
		if r, ok := run.Find(); ok {
			t.Errorf("%s: found the result of the run before it:\n%s", step.what, r.Output)
		}
		if why, err := run.Keep(inputs, Result{Output: []byte(want)}); why != "" || err != nil {
			t.Errorf("%s: not kept: %s, %v", step.what, why, err)
		}
		_, again, _ := render()
		if r, ok := again.Find(); !ok || string(r.Output) != want {
			t.Errorf("%s: found %q, %v, not\n%s", step.what, r.Output, ok, want)
		}
	}
	write("main.yaml", main)
	write("t.txt", "one")
	env["X"] = "1"
	for _, name := range []string{"local.yaml", "flag", "g"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	want, run, _ := render()
	if r, ok := run.Find(); !ok || string(r.Output) != want {
		t.Errorf("the state of the first run: found %q, %v, not\n%s", r.Output, ok, want)
	}
}

func open(t *testing.T, dir string) *Cache {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
