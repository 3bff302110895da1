package load_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// many is the number of texts of [putMany].
const many = 70

// putMany puts texts into directories of seven files each.
func putMany(t *load.Tree, text string) error {
	for i := range many {
		if err := t.Put(fmt.Sprintf("d%d/f%d.yaml", i/7, i), text, i%5 == 0); err != nil {
			return err
		}
	}
	return nil
}

// writeMany writes the files of putMany, and a list of them before.
func writeMany(dir, text string, step func(string) error) error {
	t := load.TreeSteps(load.New(load.Config{Dir: filepath.Dir(dir)}), filepath.Base(dir), step)
	defer t.Close()
	if err := putMany(t, text); err != nil {
		return err
	}
	if err := t.PutFirst("list", text); err != nil {
		return err
	}
	return load.CommitTrees([]*load.Tree{t})
}

// texts returns how many files below a directory have each text.
func texts(t testing.TB, dir string) map[string]int {
	n := map[string]int{}
	for _, name := range below(t, dir) {
		n[contents(filepath.Join(dir, name))]++
	}
	return n
}

// A step fails, or the process ends at it: in a directory that is new, and in one whose files get other texts.
func TestTreeManyStepFails(t *testing.T) {
	for _, first := range []string{"", "old"} {
		var steps []string
		prepared := func() string {
			dir := filepath.Join(t.TempDir(), "out")
			if first != "" {
				must(t, writeMany(dir, first, func(string) error { return nil }))
			}
			return dir
		}
		must(t, writeMany(prepared(), "new", func(step string) error { steps = append(steps, step); return nil }))
		for n := 0; n < len(steps); n += 1 + n/2 {
			dies := n%2 == 1
			dir, at := prepared(), 0
			err := writeMany(dir, "new", func(string) error {
				at++
				if at == n+1 || dies && at > n {
					return syscall.ENOSPC
				}
				return nil
			})
			got := texts(t, dir)
			switch {
			case err == nil && got["new"] != many+1, err != nil && !dies && (got["new"] > 0 || got["old"] != (many+1)*len(first)/3):
				t.Errorf("%q, step %d, %s: %v after %v", first, n, steps[n], got, err)
			case err == nil && steps[n] == "create", err != nil && !strings.Contains(err.Error(), "no space left"):
				t.Errorf("%q, step %d, %s: the error is %v", first, n, steps[n], err)
			}
			must(t, writeMany(dir, "new", func(string) error { return nil }))
			if got := texts(t, dir); got["new"] != many+1 || len(got) != 1 {
				t.Errorf("%q, step %d, %s: the next run leaves %v", first, n, steps[n], got)
			}
		}
	}
}

// The error of a text is the error of its call, and of all later ones. Nothing is written after it, and
// nothing stays.
func TestTreeWriteFails(t *testing.T) {
	dir := t.TempDir()
	created := 0
	w := load.TreeSteps(load.New(load.Config{Dir: dir}), "out", func(step string) error {
		if step != "create" {
			return nil
		}
		if created++; created == 5 {
			return syscall.ENOSPC
		}
		return nil
	})
	defer w.Close()
	for i := range many {
		err := w.Put(fmt.Sprint("f", i), "text", false)
		if i < 4 {
			must(t, err)
			continue
		}
		wants(t, "Put", err, source.Access, "cannot write "+filepath.Join("out", "f4")+": no space left on device")
	}
	wants(t, "CommitTrees", load.CommitTrees([]*load.Tree{w}), source.Access, "f4")
	if created != 5 {
		t.Errorf("%d files were created", created)
	}
	w.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Error("left behind:", left, err)
	}
}

// A job that is given up while its texts are written leaves nothing.
func TestTreeGivenUp(t *testing.T) {
	for _, n := range []int{0, 1, many} {
		dir := t.TempDir()
		w := load.New(load.Config{Dir: dir}).Tree("up/out")
		for i := range n {
			must(t, w.Put(fmt.Sprintf("d%d/f", i), "text", false))
		}
		w.Close()
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%d texts: left behind: %v, %v", n, left, err)
		}
	}
}

// Warnings about a file come from the call that writes it.
func TestTreeWarns(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "old", "b.yaml": "old"})
	for _, name := range []string{"a", "b"} {
		must(t, os.Link(filepath.Join(dir, name+".yaml"), filepath.Join(dir, name+".link")))
	}
	var warnings []string
	w := load.New(load.Config{Dir: dir, Warn: func(d *source.Diagnostic) { warnings = append(warnings, d.Message) }}).Tree(".")
	defer w.Close()
	must(t, putMany(w, "text"))
	must(t, w.Put("a.yaml", "new", false))
	if len(warnings) != 1 {
		t.Errorf("Put warns: %q", warnings)
	}
	must(t, w.Put("b.yaml", "new", false))
	must(t, load.CommitTrees([]*load.Tree{w}))
	if got := strings.Join(warnings, "\n"); len(warnings) != 2 || !strings.HasPrefix(got, "a.yaml had 2 hard links") || !strings.Contains(got, "\nb.yaml had") {
		t.Errorf("the warnings are %q", warnings)
	}
	if contents(filepath.Join(dir, "b.yaml")) != "new" || texts(t, dir)["text"] != many {
		t.Errorf("the files are %v", texts(t, dir))
	}
}
