package load_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// before and after are the files of a directory before and after [writeTree]; "" is a missing file.
var (
	before = map[string]string{"list": "old.yaml\n", "a.yaml": "a: 1\n", "sub/b.yaml": "b: 1\n", "old.yaml": "o: 1\n", "empty/x.yaml": "x: 1\n"}
	after  = map[string]string{"list": "c.yaml\n", "a.yaml": "a: 2\n", "sub/b.yaml": "b: 2\n", "new/c.yaml": strings.Repeat("c: 1\n", 200_000)}
)

// writeTree writes the files of after to a directory that has those of before.
func writeTree(dir string, step func(string) error) error {
	t := load.TreeSteps(load.New(load.Config{Dir: dir}), ".", step)
	defer t.Close()
	for _, name := range []string{"a.yaml", "sub/b.yaml", "new/c.yaml"} {
		if err := t.Put(name, after[name], name == "new/c.yaml"); err != nil {
			return err
		}
	}
	for _, name := range []string{"old.yaml", "empty/x.yaml"} {
		if err := t.Delete(name); err != nil {
			return err
		}
	}
	if err := t.PutFirst("list", "c.yaml\nold.yaml\n"); err != nil {
		return err
	}
	if err := t.Put("list", after["list"], false); err != nil {
		return err
	}
	return load.CommitTrees([]*load.Tree{t})
}

// all returns the names of before and after, without the list.
var all = []string{"a.yaml", "sub/b.yaml", "new/c.yaml", "old.yaml", "empty/x.yaml"}

// treeState says of each file whether it is as before or as after.
func treeState(t testing.TB, dir string) string {
	t.Helper()
	var s []string
	for _, name := range all {
		data, err := os.ReadFile(filepath.Join(dir, name))
		got := string(data)
		switch {
		case err != nil && !errors.Is(err, os.ErrNotExist):
			t.Error(err)
		case got == before[name]:
			s = append(s, "old")
		case got == after[name]:
			s = append(s, "new")
		default:
			t.Errorf("%s has a mixture of %d bytes: %.40q", name, len(got), got)
		}
	}
	return strings.Join(s, " ")
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

const allOld, allNew = "old old old old old", "new new new new new"

// One step fails, or the process ends at it: a step that fails leaves all files as they were, and after
// a crash each file is old or new and the next run ends the work.
func TestTreeStepFails(t *testing.T) {
	var steps []string
	must(t, writeTree(tree(t, before), func(step string) error { steps = append(steps, step); return nil }))
	for n, name := range steps {
		for _, dies := range []bool{false, true} {
			dir, at := tree(t, before), 0
			err := writeTree(dir, func(string) error {
				at++
				if at == n+1 || dies && at > n {
					return syscall.ENOSPC
				}
				return nil
			})
			got := treeState(t, dir)
			if err == nil && got != allNew || err != nil && !dies && got != allOld {
				t.Errorf("step %d, %s: %s after %v", n, name, got, err)
			}
			if !dies && name != "close" && (len(leftovers(t, dir)) > 0 || err != nil && exists(filepath.Join(dir, "new"))) {
				t.Errorf("step %d, %s: left behind: %v", n, name, leftovers(t, dir))
			}
			if got := contents(filepath.Join(dir, "list")); !strings.Contains(got, "c.yaml") && exists(filepath.Join(dir, "new/c.yaml")) {
				t.Errorf("step %d, %s: the list %q misses a file", n, name, got)
			}
			must(t, writeTree(dir, func(string) error { return nil }))
			if got := treeState(t, dir); got != allNew || len(leftovers(t, dir)) > 0 {
				t.Errorf("step %d, %s: the next run leaves %s, %v", n, name, got, leftovers(t, dir))
			}
		}
	}
}

// Modes: a private file is for the user alone, an existing one keeps its mode otherwise.
func TestTreeModes(t *testing.T) {
	dir := tree(t, map[string]string{"open.yaml": "a", "group.yaml": "a", "same.yaml": "b"})
	must(t, os.Chmod(filepath.Join(dir, "group.yaml"), 0o640))
	must(t, os.Chmod(filepath.Join(dir, "open.yaml"), 0o644))
	must(t, os.Chmod(filepath.Join(dir, "same.yaml"), 0o604))
	w := load.New(load.Config{Dir: dir}).Tree(".")
	if state, err := w.State("same.yaml", "b", true); err != nil || state != load.Different {
		t.Error("a private file that others can read is", state, err)
	}
	for name, private := range map[string]bool{"open.yaml": true, "group.yaml": false, "same.yaml": true, "new.yaml": true} {
		must(t, w.Put(name, "b", private))
	}
	must(t, load.CommitTrees([]*load.Tree{w}))
	w.Close()
	for name, want := range map[string]os.FileMode{"open.yaml": 0o600, "group.yaml": 0o640, "same.yaml": 0o600, "new.yaml": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has the mode %o, want %o", name, got, want)
		}
	}
}

// Links and directories are never written through or replaced.
func TestTreeRefuses(t *testing.T) {
	dir := tree(t, map[string]string{"outside/x.yaml": "x", "in/file": "f", "in/dir/a": "a"})
	must(t, os.Symlink("../outside", filepath.Join(dir, "in/link")))
	must(t, os.Symlink("../outside/x.yaml", filepath.Join(dir, "in/x.yaml")))
	w := load.New(load.Config{Dir: dir}).Tree("in")
	defer w.Close()
	for name, want := range map[string]string{"link/x.yaml": "link", "x.yaml": "link", "dir": "directory", "file/y": "it is a file"} {
		wants(t, name, w.Put(name, "new", false), source.Output, want)
		wants(t, name, w.Delete(name), source.Output, want)
	}
	if got := contents(filepath.Join(dir, "outside/x.yaml")); got != "x" {
		t.Errorf("the text outside is %q", got)
	}
}

// The stage of a directory that another job has is waited for; a job that is given up frees it.
func TestTreeWaits(t *testing.T) {
	dir := tree(t, nil)
	one, two := load.New(load.Config{Dir: dir}).Tree("new"), load.New(load.Config{Dir: dir}).Tree("new")
	must(t, one.Put("a", "1", false))
	done := make(chan error)
	go func() { done <- two.Put("a", "2", false) }()
	select {
	case err := <-done:
		t.Error("the second job did not wait", err)
	default:
	}
	one.Close()
	must(t, <-done)
	must(t, load.CommitTrees([]*load.Tree{two}))
	two.Close()
	if got := contents(filepath.Join(dir, "new/a")); got != "2" {
		t.Errorf("the text is %q", got)
	}
}

// BenchmarkTree writes 3,000 new files of 400 bytes.
func BenchmarkTree(b *testing.B) {
	text := strings.Repeat("key: value\n", 36)
	for range b.N {
		t := load.New(load.Config{Dir: b.TempDir()}).Tree("out")
		for i := range 3000 {
			name := fmt.Sprintf("file-%d.yaml", i)
			if s, err := t.State(name, text, false); s != load.Absent || err != nil {
				b.Fatal(s, err)
			}
			if err := t.Put(name, text, false); err != nil {
				b.Fatal(err)
			}
		}
		if err := load.CommitTrees([]*load.Tree{t}); err != nil {
			b.Fatal(err)
		}
		t.Close()
	}
}
