package load_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// large rewrites two files whose texts are written in several steps.
func large() []load.Rewrite {
	return []load.Rewrite{
		{Name: "a.yaml", Old: strings.Repeat("a: 1\n", 500_000), New: strings.Repeat("a: 2\n", 500_000)},
		{Name: "b.yaml", Old: "b: 1\n", New: "b: 2\n"},
	}
}

// written creates files with the old texts.
func written(t testing.TB, list []load.Rewrite) string {
	files := map[string]string{}
	for _, r := range list {
		files[r.Name] = r.Old
	}
	return tree(t, files)
}

// state reports for each file whether it has the old or the new text.
func state(t testing.TB, dir string, list []load.Rewrite) string {
	t.Helper()
	var s []string
	for _, r := range list {
		switch got := contents(filepath.Join(dir, r.Name)); got {
		case r.Old:
			s = append(s, "old")
		case r.New:
			s = append(s, "new")
		default:
			t.Errorf("%s has a mixture of %d bytes: %.40q", r.Name, len(got), got)
		}
	}
	return strings.Join(s, " ")
}

// steps returns the steps of a rewrite that succeeds.
func steps(t testing.TB, list []load.Rewrite) []string {
	t.Helper()
	var all []string
	err := load.RewriteSteps(load.New(load.Config{Dir: written(t, list)}), list, func(step string) error {
		all = append(all, step)
		return nil
	})
	must(t, err)
	for _, step := range []string{"open", "lock", "compare", "create", "lock the new file", "write", "take over the owner", "take over the extended attributes", "take over the permissions", "sync", "rename", "sync the directory"} {
		if !slices.Contains(all, step) {
			t.Fatalf("the steps %v have no %q", all, step)
		}
	}
	return all
}

// Errors of the system that need an explanation have a hint.
func TestRewriteHints(t *testing.T) {
	tests := []struct {
		step string
		err  error
		hint string
	}{
		{"create", syscall.EACCES, "the directory must be writable"},
		{"rename", syscall.EBUSY, "mount point"},
		{"open", syscall.EACCES, ""},
	}
	for _, tt := range tests {
		err := load.RewriteSteps(load.New(load.Config{Dir: written(t, both())}), both(), func(step string) error {
			if step == tt.step {
				return tt.err
			}
			return nil
		})
		var d *source.Diagnostic
		if !errors.As(err, &d) || !strings.Contains(d.Hint, tt.hint) || tt.hint == "" && d.Hint != "" {
			t.Errorf("%s: %v, want a hint with %q", tt.step, err, tt.hint)
		}
	}
}

// One step fails: all files have the old texts, or all have the new ones.
func TestRewriteStepFails(t *testing.T) {
	list := large()
	for n, name := range steps(t, list) {
		dir, at := written(t, list), 0
		err := load.RewriteSteps(load.New(load.Config{Dir: dir}), list, func(string) error {
			at++
			if at == n+1 {
				return syscall.ENOSPC
			}
			return nil
		})
		want := "old old"
		if err == nil {
			want = "new new"
		} else {
			wants(t, name, err, source.Access, "cannot write", syscall.ENOSPC.Error())
		}
		if got := state(t, dir, list); got != want {
			t.Errorf("step %d, %s: %s after %v", n, name, got, err)
		}
		if (err == nil) != (name == "sync the directory") {
			t.Errorf("step %d, %s: %v", n, name, err)
		}
		if left := leftovers(t, dir); left != nil {
			t.Errorf("step %d, %s: left behind: %v", n, name, left)
		}
	}
}

// All steps fail from one on: no file has a mixed text, and the error names the files that
// have the new one.
func TestRewriteDiskFails(t *testing.T) {
	list := large()
	seen := map[string]bool{}
	for n, name := range steps(t, list) {
		dir, at := written(t, list), 0
		err := load.RewriteSteps(load.New(load.Config{Dir: dir}), list, func(string) error {
			if at++; at > n {
				return syscall.EIO
			}
			return nil
		})
		got := state(t, dir, list)
		seen[got] = true
		said := err != nil && strings.Contains(err.Error(), "written already: a.yaml")
		if said != (got == "new old") || (err == nil) != (got == "new new") {
			t.Errorf("step %d, %s: %s after %v", n, name, got, err)
		}
		var d *source.Diagnostic
		if said && (!errors.As(err, &d) || len(d.Notes) != 1 || !strings.Contains(d.Notes[0].Message, "cannot put back a.yaml: input/output error")) {
			t.Errorf("step %d, %s: %+v", n, name, d)
		}
	}
	if len(seen) != 3 {
		t.Errorf("came to %v, want all three ends", seen)
	}
}

// A program that ignores locks changes a file between two steps: its text is kept, unless
// it is written between the last comparison and the rename.
func TestRewriteIntruder(t *testing.T) {
	list := both()
	all := steps(t, list)
	last := slices.Index(all, "rename")
	for n, name := range all {
		for _, victim := range list {
			dir, at := written(t, list), 0
			err := load.RewriteSteps(load.New(load.Config{Dir: dir}), list, func(string) error {
				if at++; at == n+1 {
					must(t, os.WriteFile(filepath.Join(dir, victim.Name), []byte("theirs"), 0o666))
				}
				return nil
			})
			// Only the comparison of a is left before that of b.
			seen := n < last-1 || n < last && victim.Name == "b.yaml"
			got := contents(filepath.Join(dir, victim.Name))
			if seen && (err == nil || got != "theirs") {
				t.Errorf("step %d, %s, %s: %q, %v", n, name, victim.Name, got, err)
			}
			if err != nil {
				wants(t, name, err, source.Access, victim.Name+" changed")
				other := list[0]
				if victim == other {
					other = list[1]
				}
				if contents(filepath.Join(dir, other.Name)) != other.Old {
					t.Errorf("step %d, %s: %s was written: %v", n, name, other.Name, err)
				}
			}
			if left := leftovers(t, dir); left != nil {
				t.Errorf("step %d, %s: left behind: %v", n, name, left)
			}
		}
	}
}

// If another program replaces the new file, undo does not overwrite that.
func TestRewritePutsBackOwn(t *testing.T) {
	list := both()
	dir := written(t, list)
	renames := 0
	err := load.RewriteSteps(load.New(load.Config{Dir: dir}), list, func(step string) error {
		if step != "rename" {
			return nil
		}
		if renames++; renames == 2 {
			must(t, os.WriteFile(filepath.Join(dir, "a.yaml"), []byte("theirs"), 0o666))
			return syscall.EIO
		}
		return nil
	})
	wants(t, "second rename", err, source.Access, "cannot write b.yaml", "written already: a.yaml")
	if a, b := contents(filepath.Join(dir, "a.yaml")), contents(filepath.Join(dir, "b.yaml")); a != "theirs" || b != "b: 1\n" {
		t.Errorf("%q and %q", a, b)
	}
}

// childVariable is the environment variable with the task of a child process.
const childVariable = "YAYTPL_LOAD_TEST"

// child returns a run of one test of this program in another process.
func child(t testing.TB, task string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	c := exec.Command(program, "-test.run=^"+t.Name()+"$", "-test.count=1")
	c.Env = append(os.Environ(), childVariable+"="+task)
	return c
}

// killed is the exit status of a process that ended before a step.
const killed = 9

// A process ends before each of the steps, without cleaning up: no file has a mixed text, and
// a later rewrite removes the temporary files.
func TestRewriteKilled(t *testing.T) {
	list := large()
	if task := os.Getenv(childVariable); task != "" {
		rewriteUntilKilled(t, task, list)
		return
	}
	behind := 0
	for n, name := range steps(t, list) {
		dir := written(t, list)
		c := child(t, strconv.Itoa(n)+" "+dir)
		out, _ := c.CombinedOutput()
		if c.ProcessState.ExitCode() != killed {
			t.Fatalf("step %d, %s: %v\n%s", n, name, c.ProcessState, out)
		}
		got := state(t, dir, list)
		if got == "old new" {
			t.Errorf("step %d, %s: the second file is written before the first", n, name)
		}
		left := leftovers(t, dir)
		behind += len(left)
		long := time.Now().Add(-time.Hour)
		for _, file := range left {
			must(t, os.Chtimes(file, long, long))
		}
		must(t, os.WriteFile(filepath.Join(dir, "c.yaml"), nil, 0o666))
		must(t, load.New(load.Config{Dir: dir}).RewriteAll([]load.Rewrite{{Name: "c.yaml", New: "c"}}))
		if left := leftovers(t, dir); left != nil {
			t.Errorf("step %d, %s: left behind: %v", n, name, left)
		}
	}
	if behind == 0 {
		t.Error("no process left a temporary file behind, so that was not tested")
	}
}

func rewriteUntilKilled(t *testing.T, task string, list []load.Rewrite) {
	step, dir, _ := strings.Cut(task, " ")
	n, err := strconv.Atoi(step)
	must(t, err)
	at := 0
	err = load.RewriteSteps(load.New(load.Config{Dir: dir}), list, func(string) error {
		if at++; at > n {
			os.Exit(killed)
		}
		return nil
	})
	t.Errorf("not killed before step %d: %v", n, err)
}
