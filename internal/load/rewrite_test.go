package load_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// contents returns the text of a file, or the text of the error.
func contents(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// leftovers returns the temporary files in a directory.
func leftovers(t testing.TB, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".yaytpl-*"))
	must(t, err)
	return found
}

// both rewrites a.yaml and b.yaml.
func both() []load.Rewrite {
	return []load.Rewrite{{Name: "a.yaml", Old: "a: 1\n", New: "a: 2\n"}, {Name: "b.yaml", Old: "b: 1\n", New: "b: 2\n"}}
}

func TestRewriteAll(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "sub/real.yaml": "b: 1\n", "b.yaml -> sub/real.yaml": "", "c.yaml": ""})
	must(t, os.Chmod(filepath.Join(dir, "a.yaml"), 0o640))
	must(t, os.Chmod(filepath.Join(dir, "sub/real.yaml"), 0o604))
	f := load.New(load.Config{Dir: dir})
	list := append(both(), load.Rewrite{Name: filepath.Join(dir, "c.yaml"), New: strings.Repeat("long ", 1<<20)})
	must(t, f.RewriteAll(list))
	for name, want := range map[string]string{"a.yaml": "a: 2\n", "sub/real.yaml": "b: 2\n", "c.yaml": list[2].New} {
		if contents(filepath.Join(dir, name)) != want {
			t.Errorf("%s has not the new text", name)
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, "b.yaml")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	for name, want := range map[string]fs.FileMode{"a.yaml": 0o640, "sub/real.yaml": 0o604} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want && runtime.GOOS != "windows" {
			t.Errorf("mode of %s: %v, %v, want %v", name, info.Mode(), err, want)
		}
	}
	if left := append(leftovers(t, dir), leftovers(t, filepath.Join(dir, "sub"))...); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// A rewritten file is read again: the cache drops it.
func TestRewriteForgets(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "b.yaml": "b: 1\n"})
	f := load.New(load.Config{Dir: dir})
	for _, want := range []string{"a: 1\n", "a: 2\n"} {
		if file, err := f.Open("a.yaml", ""); err != nil || file.Text != want {
			t.Fatalf("%v, %v, want %q", file, err, want)
		}
		if want == "a: 1\n" {
			must(t, f.RewriteAll(both()))
		}
	}
}

// If the second of two files cannot be written the first is not either.
func TestRewriteRefuses(t *testing.T) {
	tests := []struct {
		rule  string
		spoil func(t *testing.T, b string)
		words []string
	}{
		{"other text", func(t *testing.T, b string) { must(t, os.WriteFile(b, []byte("b: 9\n"), 0o666)) }, []string{"b.yaml changed while it was edited; it was not written"}},
		{"longer text", func(t *testing.T, b string) { must(t, os.WriteFile(b, []byte("b: 1\nc: 2\n"), 0o666)) }, []string{"changed"}},
		{"shorter text", func(t *testing.T, b string) { must(t, os.WriteFile(b, []byte("b: "), 0o666)) }, []string{"changed"}},
		{"empty", func(t *testing.T, b string) { must(t, os.Truncate(b, 0)) }, []string{"changed"}},
		{"deleted", func(t *testing.T, b string) { must(t, os.Remove(b)) }, []string{"b.yaml was deleted while it was edited"}},
		{"a directory", func(t *testing.T, b string) { must(t, os.Remove(b)); must(t, os.Mkdir(b, 0o777)) }, []string{"cannot write b.yaml: it is a directory"}},
		{"a link to another text", func(t *testing.T, b string) {
			must(t, os.Remove(b))
			must(t, os.WriteFile(b+"2", []byte("other"), 0o666))
			symlink(t, "b.yaml2", b)
		}, []string{"b.yaml changed"}},
		{"a link to nothing", func(t *testing.T, b string) { must(t, os.Remove(b)); symlink(t, "gone", b) }, []string{"b.yaml"}},
		{"a link to the first", func(t *testing.T, b string) { must(t, os.Remove(b)); symlink(t, "a.yaml", b) }, []string{"b.yaml"}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "b.yaml": "b: 1\n"})
			tt.spoil(t, filepath.Join(dir, "b.yaml"))
			before := contents(filepath.Join(dir, "b.yaml"))
			err := load.New(load.Config{Dir: dir}).RewriteAll(both())
			wants(t, tt.rule, err, source.Access, tt.words...)
			if a, b := contents(filepath.Join(dir, "a.yaml")), contents(filepath.Join(dir, "b.yaml")); a != "a: 1\n" || b != before {
				t.Errorf("wrote %q and %q", a, b)
			}
			if left := leftovers(t, dir); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Two names of the same file are refused.
func TestRewriteSameFileTwice(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "link -> a.yaml": ""})
	must(t, os.Link(filepath.Join(dir, "a.yaml"), filepath.Join(dir, "hard")))
	for _, name := range []string{"a.yaml", "link", "hard", filepath.Join(dir, ".", "a.yaml")} {
		list := append(both()[:1], load.Rewrite{Name: name, Old: "a: 1\n", New: "a: 3\n"})
		err := load.New(load.Config{Dir: dir}).RewriteAll(list)
		wants(t, name, err, source.Access, "it is the same file as")
		if got := contents(filepath.Join(dir, "a.yaml")); got != "a: 1\n" {
			t.Errorf("%s: wrote %q", name, got)
		}
	}
}

func TestRewriteNoFile(t *testing.T) {
	dir := tree(t, nil)
	for name, words := range map[string][]string{
		"https://user:password@example.org/a": {"cannot write https://", "URL"},
		"none/a.yaml":                         {filepath.FromSlash("none/a.yaml") + " was deleted"},
		".":                                   {"directory"},
	} {
		err := load.New(load.Config{Dir: dir}).RewriteAll([]load.Rewrite{{Name: name, Old: "a", New: "b"}})
		wants(t, name, err, source.Access, words...)
		if err != nil && strings.Contains(err.Error(), "password") {
			t.Errorf("%v tells the password", err)
		}
	}
}

// A rewrite waits until another rewrite of the file has ended, also if the file has its new
// text already, since that may be undone.
func TestRewriteWaits(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "b.yaml": "b: 1\n"})
	var waited []error
	first := load.RewriteSteps(load.New(load.Config{Dir: dir}), both(), func(step string) error {
		if step == "rename" {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			a := load.Rewrite{Name: "a.yaml", Old: contents(filepath.Join(dir, "a.yaml")), New: "a: 3\n"}
			waited = append(waited, load.New(load.Config{Dir: dir, Context: ctx}).RewriteAll([]load.Rewrite{a}))
		}
		return nil
	})
	must(t, first)
	for i, err := range waited {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("before rename %d another rewrite did not wait: %v", i, err)
		}
	}
	err := load.New(load.Config{Dir: dir}).RewriteAll(both()[:1])
	wants(t, "after the first", err, source.Access, "a.yaml changed")
	if len(waited) != 2 || contents(filepath.Join(dir, "a.yaml")) != "a: 2\n" {
		t.Errorf("%d waited; %q", len(waited), contents(filepath.Join(dir, "a.yaml")))
	}
}

// While the rewrite waits for the lock, the opened file is replaced. The new file has the
// same text, so it is rewritten.
func TestRewriteSameTextInAnotherFile(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "other": "a: 1\n"})
	locks := 0
	must(t, load.RewriteSteps(load.New(load.Config{Dir: dir}), both()[:1], func(step string) error {
		if step == "lock" {
			if locks++; locks == 1 {
				return os.Rename(filepath.Join(dir, "other"), filepath.Join(dir, "a.yaml"))
			}
		}
		return nil
	}))
	if got := contents(filepath.Join(dir, "a.yaml")); got != "a: 2\n" || locks != 2 {
		t.Errorf("%q after %d locks", got, locks)
	}
}

// The named link leads to another file than before: neither file is written.
func TestRewriteLinkMoved(t *testing.T) {
	for _, when := range []string{"open", "lock", "compare", "create", "sync"} {
		dir := tree(t, map[string]string{"one": "a: 1\n", "two": "a: 1\n", "a.yaml -> one": ""})
		link := filepath.Join(dir, "a.yaml")
		moved := false
		err := load.RewriteSteps(load.New(load.Config{Dir: dir}), both()[:1], func(step string) error {
			if step != when || moved {
				return nil
			}
			moved = true
			return errors.Join(os.Remove(link), os.Symlink("two", link))
		})
		wants(t, when, err, source.Access, "a.yaml changed while it was edited")
		if one, two := contents(filepath.Join(dir, "one")), contents(filepath.Join(dir, "two")); one != "a: 1\n" || two != one {
			t.Errorf("%s: wrote %q and %q", when, one, two)
		}
	}
}

// While the rewrite waits for the lock, the opened file is replaced again and again: that
// ends at the deadline for locks.
func TestRewriteNeverThere(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n"})
	path := filepath.Join(dir, "a.yaml")
	err := load.RewriteUntil(load.New(load.Config{Dir: dir}), both()[:1], time.Time{}, func(step string) error {
		if step != "lock" {
			return nil
		}
		return errors.Join(os.WriteFile(path+"2", []byte("a: 1\n"), 0o666), os.Rename(path+"2", path))
	})
	wants(t, "never there", err, source.Access, "locked by another program")
}

func TestLockHeld(t *testing.T) {
	path := filepath.Join(tree(t, map[string]string{"a.yaml": ""}), "a.yaml")
	open := func() *os.File {
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		must(t, err)
		t.Cleanup(func() { _ = file.Close() })
		return file
	}
	first := open()
	must(t, load.Lock(t.Context(), first, time.Time{}))
	if err := load.Lock(t.Context(), open(), time.Time{}); err == nil || !strings.Contains(err.Error(), "locked by another program") {
		t.Errorf("a lock that another process holds: %v", err)
	}
	must(t, first.Close())
	must(t, load.Lock(t.Context(), open(), time.Time{}))
}

// A backup is a new file with the permissions of the file. It overwrites no other file, and
// replaces a link without following it.
func TestBackup(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		files map[string]string
		want  string // the name of the backup
	}{
		{"new", map[string]string{"a.yaml": "now"}, "a.yaml.bak"},
		{"old backup", map[string]string{"a.yaml": "now", "a.yaml.bak": "kept"}, "a.yaml.bak.1"},
		{"two old backups", map[string]string{"a.yaml": "now", "a.yaml.bak": "kept", "a.yaml.bak.1": "kept", "a.yaml.bak.3": "kept"}, "a.yaml.bak.2"},
		{"a directory", map[string]string{"a.yaml": "now", "a.yaml.bak/x": "kept"}, "a.yaml.bak.1"},
		{"link", map[string]string{"a.yaml": "now", "victim": "kept", "a.yaml.bak -> victim": ""}, "a.yaml.bak"},
		{"link to nothing", map[string]string{"a.yaml": "now", "a.yaml.bak -> gone": ""}, "a.yaml.bak"},
		{"link after a backup", map[string]string{"a.yaml": "now", "victim": "kept", "a.yaml.bak": "kept", "a.yaml.bak.1 -> victim": ""}, "a.yaml.bak.1"},
		{"link to the file", map[string]string{"a.yaml": "now", "a.yaml.bak -> a.yaml": ""}, "a.yaml.bak"},
		{"file deleted", map[string]string{}, "a.yaml.bak"},
	} {
		dir := tree(t, tt.files)
		want := fs.FileMode(0o600)
		if _, ok := tt.files["a.yaml"]; ok {
			want = 0o640
			must(t, os.Chmod(filepath.Join(dir, "a.yaml"), want))
		}
		must(t, load.New(load.Config{Dir: dir}).Backup("a.yaml", "old"))
		backup := filepath.Join(dir, tt.want)
		if info, err := os.Lstat(backup); err != nil || info.Mode() != want && runtime.GOOS != "windows" || contents(backup) != "old" {
			t.Errorf("%s: %v, %v, want mode %v", tt.rule, info, err, want)
		}
		for name, text := range tt.files {
			if text != "" && contents(filepath.Join(dir, name)) != text {
				t.Errorf("%s: %s has the text %q", tt.rule, name, contents(filepath.Join(dir, name)))
			}
		}
		if _, err := os.Lstat(filepath.Join(dir, "gone")); err == nil {
			t.Errorf("%s: the link was followed", tt.rule)
		}
		if left := leftovers(t, dir); left != nil {
			t.Errorf("%s: left behind: %v", tt.rule, left)
		}
	}
}

// Backups that are made at the same time get different names.
func TestBackupConcurrent(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "now"})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := load.New(load.Config{Dir: dir}).Backup("a.yaml", "old"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	found, err := filepath.Glob(filepath.Join(dir, "a.yaml.bak*"))
	must(t, err)
	for _, name := range found {
		if contents(name) != "old" {
			t.Errorf("%s has the text %q", name, contents(name))
		}
	}
	if len(found) != 20 {
		t.Errorf("%d backups", len(found))
	}
}

// Only the temporary files of processes that have ended are removed.
func TestSweep(t *testing.T) {
	old := time.Now().Add(-time.Hour)
	const stale, fresh, locked = ".yaytpl-aaaaaaaaaaaaaaaa", ".yaytpl-bbbbbbbbbbbbbbbb", ".yaytpl-cccccccccccccccc"
	keep := []string{fresh, locked, ".yaytpl-dddddddddddddddd/x", ".yaytpl-notes", ".yaytpl-aaaaaaaaaaaaaaaa.txt", "x.yaytpl-aaaaaaaaaaaaaaaa"}
	files := map[string]string{"a.yaml": "a: 1\n", "b.yaml": "b: 1\n", stale: "half", ".yaytpl-eeeeeeeeeeeeeeee -> a.yaml": ""}
	for _, name := range keep {
		files[name] = "x"
	}
	dir := tree(t, files)
	for name := range files {
		if name, _, link := strings.Cut(name, " "); !link && name != fresh {
			must(t, os.Chtimes(filepath.Join(dir, name), old, old))
		}
	}
	file, err := os.OpenFile(filepath.Join(dir, locked), os.O_RDWR, 0)
	must(t, err)
	defer file.Close()
	must(t, load.Lock(t.Context(), file, time.Time{}))
	must(t, load.New(load.Config{Dir: dir}).RewriteAll(both()))
	for _, name := range append(keep, ".yaytpl-eeeeeeeeeeeeeeee") {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, stale)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is still there: %v", stale, err)
	}
}

func ExampleFiles_RewriteAll() {
	dir, err := os.MkdirTemp("", "rewrite")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "a.yaml")
	if err := os.WriteFile(name, []byte("a: 1\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	files := load.New(load.Config{Dir: dir})
	change := load.Rewrite{Name: "a.yaml", Old: "a: 1\n", New: "a: 2\n"}
	fmt.Println(files.RewriteAll([]load.Rewrite{change}))
	fmt.Println(files.RewriteAll([]load.Rewrite{change}))
	// Output:
	// <nil>
	// a.yaml changed while it was edited; it was not written [access]
}

// page is a text that repeats a number, so that a mixture of two pages is detected.
func page(n int) string { return strings.Repeat(strconv.Itoa(n)+"\n", 20_000) }

// number returns the number of a page.
func number(data string) (int, error) {
	first, _, _ := strings.Cut(data, "\n")
	n, err := strconv.Atoi(first)
	if err == nil && data != page(n) {
		err = fmt.Errorf("a mixture: it begins with %d", n)
	}
	return n, err
}

// count adds one to each of the files, n times. It repeats an addition if the files have
// changed since they were read.
func count(dir string, names []string, n int) error {
	for n > 0 {
		f := load.New(load.Config{Dir: dir})
		var list []load.Rewrite
		for _, name := range names {
			data, err := f.Bytes(name)
			if err != nil {
				return err
			}
			was, err := number(string(data))
			if err != nil {
				return err
			}
			list = append(list, load.Rewrite{Name: name, Old: string(data), New: page(was + 1)})
		}
		err := f.RewriteAll(list)
		switch {
		case err == nil:
			n--
		case !strings.Contains(err.Error(), "changed while it was edited"):
			return err
		}
	}
	return nil
}

// Goroutines and processes count in the same two files at once, and name them in different
// orders: no addition is lost, no text is mixed, and there is no deadlock.
func TestRewriteTogether(t *testing.T) {
	const processes, times = 2, 40
	names := []string{"a.yaml", "b.yaml"}
	opposite := []string{"b.yaml", "a.yaml"}
	if dir := os.Getenv(childVariable); dir != "" {
		must(t, count(dir, opposite, times))
		return
	}
	dir := tree(t, map[string]string{"a.yaml": page(0), "b.yaml": page(0)})
	var children []*exec.Cmd
	var said bytes.Buffer
	for range processes {
		c := child(t, dir)
		c.Stdout, c.Stderr = &said, &said
		if len(children) > 0 {
			c.Stdout, c.Stderr = nil, nil
		}
		must(t, c.Start())
		children = append(children, c)
	}
	var all sync.WaitGroup
	for _, order := range [][]string{names, opposite} {
		all.Go(func() {
			if err := count(dir, order, times); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, c := range children {
		if err := c.Wait(); err != nil {
			t.Errorf("a process: %v\n%s", err, said.String())
		}
	}
	for _, name := range names {
		got, err := number(contents(filepath.Join(dir, name)))
		if want := (processes + 2) * times; err != nil || got != want {
			t.Errorf("%s has %d, %v, want %d", name, got, err, want)
		}
	}
	if left := leftovers(t, dir); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// A reader never sees a mixed text while the file is rewritten.
func TestRewriteRead(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": page(0)})
	done := make(chan error, 1)
	go func() { done <- count(dir, []string{"a.yaml"}, 50) }()
	var seen []int
	for running := true; running; {
		select {
		case err := <-done:
			must(t, err)
			running = false
		default:
		}
		n, err := number(contents(filepath.Join(dir, "a.yaml")))
		must(t, err)
		seen = append(seen, n)
	}
	if !slices.IsSorted(seen) || seen[len(seen)-1] != 50 {
		t.Errorf("read the numbers %v", seen)
	}
}
