package watch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/watch"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func render(p *yaytpl.Project) string {
	var b bytes.Buffer
	if err := p.Render(&b, yaytpl.RenderOptions{Form: "json", Compact: true}); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

// A project is yielded for each state of the files, and errors between. What the caller asks of a project
// counts as read.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	main, lib := filepath.Join(dir, "main.yaml"), filepath.Join(dir, "lib.yaml")
	write(t, main, "+?include: lib.yaml\na: 1\n")
	steps := []struct {
		do   func()
		want string
	}{
		{func() { write(t, lib, "b: 1\n") }, `{"b":1,"a":1}`},
		{func() { write(t, lib, "b: [\n") }, "lib.yaml:1:4"},
		{func() { write(t, lib, "b: 22\n") }, `{"b":22,"a":1}`},
		{func() { write(t, main, "a: [") }, "main.yaml:1:4"},
		{func() { write(t, main, "a: 3") }, `{"a":3}`},
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	before := resources(t)
	want := `{"a":1}`
	for p, err := range watch.Files(ctx, []string{"main.yaml"}, yaytpl.Options{Dir: dir}) {
		got := fmt.Sprint(err)
		if err == nil {
			got = render(p)
		}
		if !strings.Contains(got, want) {
			continue // a state between
		}
		if len(steps) == 0 {
			break
		}
		want = steps[0].want
		steps[0].do()
		steps = steps[1:]
	}
	if ctx.Err() != nil {
		t.Errorf("%s does not appear", want)
	}
	for resources(t) > before && ctx.Err() == nil {
		time.Sleep(time.Millisecond) // goroutines end after their last statement
	}
	if after := resources(t); after > before {
		t.Errorf("%d goroutines and open files, %d before", after, before)
	}
}

// resources returns the number of goroutines and, on Linux, open files.
func resources(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		files = nil // another system
	}
	return runtime.NumGoroutine() + len(files)
}

// A cancelled loop returns the error of its context, at once and also during an evaluation.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if err := watch.Run(ctx, watch.Options{}, func(*watch.Revision) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for range watch.Files(ctx, []string{"main.yaml"}, yaytpl.Options{Dir: t.TempDir()}) {
		t.Error("a project of a cancelled loop")
	}
}

// Each revision has one time, reads what the one before left, and says why it is there. A file that is
// written with the same text is no reason.
func TestRevisions(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "main.yaml")
	write(t, path, "a: 1\n")
	later := time.Now()
	steps := []func(){
		func() {
			later = later.Add(time.Hour)
			if err := os.Chtimes(path, later, later); err != nil {
				t.Error(err)
			}
		},
		func() { write(t, filepath.Join(dir, "other.yaml"), "") },
		func() { write(t, path, "a: {{{\n") },
		func() { write(t, path, "a: {get_env: HOME}\n") },
		func() { write(t, path, "\"{{ __now }}\": 1\n") },
	}
	var why []string
	step := func() bool {
		if len(steps) == 0 {
			return false
		}
		steps[0]()
		steps = steps[1:]
		return true
	}
	err := watch.Run(t.Context(), watch.Options{Step: step}, func(r *watch.Revision) error {
		var changed []string
		for _, in := range r.Changed {
			changed = append(changed, string(in.Kind)+" "+filepath.Base(in.Name))
		}
		why = append(why, fmt.Sprintf("%d%v", r.Number, changed))
		p, err := yaytpl.Open(t.Context(), []string{"main.yaml"}, r.Options(yaytpl.Options{Dir: dir}))
		if err == nil {
			render(p)
		}
		return err
	})
	if got, want := fmt.Sprint(why), "[1[] 2[file main.yaml] 3[file main.yaml] 4[file main.yaml]]"; err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// The clock makes a revision, and each has one reading of it.
func TestClock(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.yaml"), "a: \"{{ '%s' | strftime(__now) }}\"\nb: \"{{ '%s' | strftime(__now) }}\"\n")
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	seen := map[string]bool{}
	for p, err := range watch.Files(ctx, []string{"main.yaml"}, yaytpl.Options{Dir: dir}) {
		if err != nil {
			t.Fatal(err)
		}
		result := render(p)
		if a, b, _ := strings.Cut(strings.Trim(result, "{}"), ","); strings.TrimPrefix(a, `"a":`) != strings.TrimPrefix(b, `"b":`) {
			t.Errorf("two times in one revision: %s", result)
		}
		if seen[result] = true; len(seen) == 2 {
			return
		}
	}
	t.Error("the time does not go on")
}

// A slow evaluation under a storm of changes never makes a queue: the revision after the storm has its last
// state, and there are far fewer revisions than changes.
func TestStorm(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "main.yaml")
	write(t, path, "n: 0\n")
	const changes = 10_000
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	go func() {
		for i := range changes + 1 {
			_ = os.WriteFile(path, fmt.Appendf(nil, "n: %d\n", i), 0o644) // the loop below waits for the last one
		}
	}()
	revisions := 0
	err := watch.Run(ctx, watch.Options{}, func(r *watch.Revision) error {
		revisions = r.Number
		p, err := yaytpl.Open(ctx, []string{"main.yaml"}, r.Options(yaytpl.Options{Dir: dir}))
		if err == nil && render(p) == fmt.Sprintf(`{"n":%d}`, changes) {
			return watch.ErrStop
		}
		return err
	})
	if err != nil || revisions > changes/20 {
		t.Errorf("%d revisions, %v", revisions, err)
	}
}

// Without notifications the files are polled.
func TestPoll(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.yaml"), "a: 1\n")
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	o := watch.Options{Poll: time.Millisecond, Quiet: time.Millisecond}
	err := watch.Run(ctx, o, func(r *watch.Revision) error {
		p, err := yaytpl.Open(ctx, []string{"main.yaml"}, r.Options(yaytpl.Options{Dir: dir}))
		switch {
		case err == nil && render(p) == `{"a":3}`:
			return watch.ErrStop
		case r.Number == 1:
			write(t, filepath.Join(dir, "main.yaml"), "a: 3\n")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// BenchmarkRun renders 1,000 included files after one of them has changed, and looks at all of them for changes.
func BenchmarkRun(b *testing.B) {
	dir := b.TempDir()
	save := func(name, text string, age time.Duration) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			b.Fatal(err)
		}
	}
	part := func(i, port int) string {
		return fmt.Sprintf("services:\n  service-%05d:\n    image: registry.example.com/service:%d\n    replicas: 8\n    ports: {http: %d, metrics: 9090}\n"+
			"    environment: {MODE: production, NAME: \"service %d\"}\ngroups:\n  group-%05d: {size: 8}\n", i, i, port, i, i)
	}
	var main strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&main, "+include-%d: part-%d.yaml\n", i, i)
		save(fmt.Sprintf("part-%d.yaml", i), part(i, 80), time.Hour)
	}
	save("main.yaml", main.String(), time.Hour)
	changes := 0
	step := func() bool {
		changes++
		save("part-500.yaml", part(500, changes), time.Hour-time.Duration(changes)*time.Millisecond)
		return b.Loop()
	}
	err := watch.Run(b.Context(), watch.Options{Step: step}, func(r *watch.Revision) error {
		p, err := yaytpl.Open(b.Context(), []string{"main.yaml"}, r.Options(yaytpl.Options{Dir: dir}))
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := p.Render(&out, yaytpl.RenderOptions{}); err != nil {
			b.Error(err)
		}
		return nil
	})
	if err != nil {
		b.Error(err)
	}
}
