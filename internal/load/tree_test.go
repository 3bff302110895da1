package load_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// writeTree writes the files of after to a directory, which has those of before or does not exist.
func writeTree(dir string, step func(string) error) error {
	t := load.TreeSteps(load.New(load.Config{Dir: filepath.Dir(dir)}), filepath.Base(dir), step)
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

// A directory that does not exist is made whole or not at all: after a failed step there is nothing, and
// after a crash the next run ends the work.
func TestTreeAbsent(t *testing.T) {
	want := slices.Sorted(maps.Keys(after))
	var steps []string
	must(t, writeTree(filepath.Join(t.TempDir(), "up/out"), func(step string) error { steps = append(steps, step); return nil }))
	if !slices.Contains(steps, "rename the directory") || slices.Contains(steps, "rename") {
		t.Fatalf("the steps are %q", steps)
	}
	for n, name := range steps {
		for _, dies := range []bool{false, true} {
			up, at := t.TempDir(), 0
			dir := filepath.Join(up, "up/out")
			err := writeTree(dir, func(string) error {
				at++
				if at == n+1 || dies && at > n {
					return syscall.ENOSPC
				}
				return nil
			})
			got := below(t, dir)
			if err == nil && !slices.Equal(got, want) || err != nil && len(got) > 0 {
				t.Errorf("step %d, %s: %q after %v", n, name, got, err)
			}
			if all := below(t, up); !dies && name != "close" && len(all) != len(got) || err != nil && !dies && exists(filepath.Join(up, "up")) {
				t.Errorf("step %d, %s: left behind: %q", n, name, all)
			}
			must(t, writeTree(dir, func(string) error { return nil }))
			if got := below(t, dir); !slices.Equal(got, want) || len(below(t, up)) != len(want) || len(leftovers(t, filepath.Dir(dir))) > 0 {
				t.Errorf("step %d, %s: the next run leaves %q", n, name, below(t, up))
			}
		}
	}
}

// below returns the names of the files below a directory, sorted.
func below(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return names
}

// Another process creates the directory while the files for it are written: its files stay, and those
// of the tree are added, or none.
func TestTreeAppears(t *testing.T) {
	for n := range 100 {
		dir, at := filepath.Join(t.TempDir(), "out"), 0
		err := writeTree(dir, func(string) error {
			if at++; at != n+1 {
				return nil
			}
			must(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o777))
			return os.WriteFile(filepath.Join(dir, "sub/other"), []byte("theirs"), 0o666)
		})
		if at <= n {
			return
		}
		got := below(t, dir)
		if !slices.Contains(got, "sub/other") || err == nil && len(got) != len(after)+1 || err != nil && len(got) != 1 {
			t.Errorf("at step %d: %q after %v", n+1, got, err)
		}
		if left := leftovers(t, filepath.Dir(dir)); len(left) > 0 {
			t.Errorf("at step %d: left behind: %q", n+1, left)
		}
	}
	t.Error("more than 100 steps")
}

// Of two new directories one is in the other, in either order.
func TestTreesNested(t *testing.T) {
	for _, dirs := range [][]string{{"out", "out/sub"}, {"out/sub", "out"}} {
		up := t.TempDir()
		var trees []*load.Tree
		for _, dir := range dirs {
			w := load.New(load.Config{Dir: up}).Tree(dir)
			must(t, w.Put("a.yaml", dir, false))
			must(t, w.Put("sub/sub/b.yaml", dir, false))
			trees = append(trees, w)
		}
		must(t, load.CommitTrees(trees))
		for _, w := range trees {
			w.Close()
		}
		if got, want := below(t, up), []string{"out/a.yaml", "out/sub/a.yaml", "out/sub/sub/b.yaml", "out/sub/sub/sub/b.yaml"}; !slices.Equal(got, want) {
			t.Errorf("%q: the files are %q", dirs, got)
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
