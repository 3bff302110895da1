package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// read describes files as a program would that reads them now.
func read(paths ...string) Set {
	var set Set
	for _, p := range paths {
		f := File{Path: p}
		f.Renew()
		set.Files = append(set.Files, f)
	}
	return set
}

// list describes directories as a program would that lists them now.
func list(dirs ...string) Set {
	var set Set
	for _, d := range dirs {
		set.Dirs = append(set.Dirs, Dir{d, Names(d)})
	}
	return set
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// start returns a watcher with notifications and one that polls.
func start(t *testing.T) map[string]*Watcher {
	failing := func() (notifier, error) { return nil, errors.New("too many watches") }
	watchers := map[string]*Watcher{
		"notified":  New(Options{Poll: time.Hour}),
		"polled":    newWatcher(Options{Poll: 20 * time.Millisecond}, failing, runtime.GOOS),
		"elsewhere": newWatcher(Options{Poll: 20 * time.Millisecond}, startNotifier, "darwin"),
	}
	for _, w := range watchers {
		t.Cleanup(func() { do(t, w.Close()) })
	}
	return watchers
}

// A change is something that happens to files below a directory, and what is said to have changed.
var changes = []struct {
	name   string
	before func(t *testing.T, dir string)
	set    func(dir string) Set
	during func(t *testing.T, dir string)
	want   []string
}{
	{"a write", nil, files("a"), func(t *testing.T, dir string) { write(t, dir+"/a", "22") }, []string{"a"}},
	{"a rename over the file, as editors save", nil, files("a"), func(t *testing.T, dir string) {
		write(t, dir+"/.a.swp", "22")
		do(t, os.Rename(dir+"/.a.swp", dir+"/a"))
	}, []string{"a"}},
	{"the file is moved to a backup and written again", nil, files("a"), func(t *testing.T, dir string) {
		do(t, os.Rename(dir+"/a", dir+"/a~"))
		write(t, dir+"/a", "1")
	}, []string{"a"}},
	{"a removal", nil, files("a"), func(t *testing.T, dir string) { do(t, os.Remove(dir+"/a")) }, []string{"a"}},
	{"a missing file appears", nil, files("new"), func(t *testing.T, dir string) { write(t, dir+"/new", "") }, []string{"new"}},
	{"a missing file appears in a missing directory", nil, files("x/y/new"), func(t *testing.T, dir string) {
		write(t, dir+"/x/y/new", "1")
	}, []string{"x/y/new"}},
	{"a directory goes away", nil, files("d/b"), func(t *testing.T, dir string) { do(t, os.RemoveAll(dir+"/d")) }, []string{"d/b"}},
	{"a directory is replaced by another", nil, files("d/b"), func(t *testing.T, dir string) {
		do(t, os.Rename(dir+"/d", dir+"/old"))
		write(t, dir+"/d/b", "other")
	}, []string{"d/b"}},
	{"a link is swapped", func(t *testing.T, dir string) {
		write(t, dir+"/v1/site", "1")
		write(t, dir+"/v2/site", "2")
		link(t, "v1", dir+"/..data")
		link(t, "..data/site", dir+"/site")
	}, files("site"), func(t *testing.T, dir string) {
		link(t, "v2", dir+"/..tmp")
		do(t, os.Rename(dir+"/..tmp", dir+"/..data"))
	}, []string{"site"}},
	{"the target of a link is written", func(t *testing.T, dir string) {
		write(t, dir+"/far/away", "1")
		link(t, "far", dir+"/near")
	}, files("near/away"), func(t *testing.T, dir string) { write(t, dir+"/far/away", "22") }, []string{"near/away"}},
	{"a name appears in a listed directory", nil, func(dir string) Set { return list(dir + "/d") }, func(t *testing.T, dir string) {
		write(t, dir+"/d/c", "")
	}, []string{"d"}},
	{"a listed directory appears", nil, func(dir string) Set { return list(dir + "/later") }, func(t *testing.T, dir string) {
		write(t, dir+"/later/c", "")
	}, []string{"later"}},
	{"two files change together", nil, files("a", "d/b"), func(t *testing.T, dir string) {
		write(t, dir+"/d/b", "22")
		write(t, dir+"/a", "22")
	}, []string{"a", "d/b"}},
	{"a link to itself appears", nil, files("loop"), func(t *testing.T, dir string) { link(t, "loop", dir+"/loop") }, []string{"loop"}},
	{"a file that was looked for goes", nil, look("a"), func(t *testing.T, dir string) { do(t, os.Remove(dir+"/a")) }, []string{"a"}},
	{"a directory that was looked for becomes a file", nil, look("d"), func(t *testing.T, dir string) {
		do(t, os.RemoveAll(dir+"/d"))
		write(t, dir+"/d", "")
	}, []string{"d"}},
	{"rights are taken away", nil, files("a"), func(t *testing.T, dir string) { do(t, os.Chmod(dir+"/a", 0)) }, []string{"a"}},
}

func files(names ...string) func(dir string) Set {
	return func(dir string) Set {
		var paths []string
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return read(paths...)
	}
}

// look describes files whose presence was asked for.
func look(names ...string) func(dir string) Set {
	return func(dir string) Set {
		set := files(names...)(dir)
		for i := range set.Files {
			set.Files[i].Look = true
		}
		return set
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skip("the system has no links:", err)
	}
}

func TestChanges(t *testing.T) {
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			for kind, w := range start(t) {
				for _, when := range []string{"before the call", "during the call", "between two calls"} {
					dir, err := filepath.EvalSymlinks(t.TempDir())
					do(t, err)
					write(t, dir+"/a", "1")
					write(t, dir+"/d/b", "1")
					if c.before != nil {
						c.before(t, dir)
					}
					set := c.set(dir)
					switch when {
					case "before the call":
						c.during(t, dir)
					case "during the call":
						go func() {
							time.Sleep(30 * time.Millisecond)
							c.during(t, dir)
						}()
					default:
						done, cancel := context.WithCancel(context.Background())
						cancel()
						if got, err := w.Wait(done, set); !errors.Is(err, context.Canceled) {
							t.Fatalf("%s: nothing has changed: %v, %v", kind, got, err)
						}
						c.during(t, dir)
					}
					ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
					defer cancel()
					got, err := w.Wait(ctx, set)
					if err != nil {
						t.Fatalf("%s, change %s: %v", kind, when, err)
					}
					for i := range got {
						got[i], err = filepath.Rel(dir, got[i])
						do(t, err)
						got[i] = filepath.ToSlash(got[i])
					}
					if !slices.Equal(got, c.want) {
						t.Errorf("%s, change %s: got %v, want %v", kind, when, got, c.want)
					}
				}
			}
		})
	}
}

// A set with the paths of the one before is compared where it differs from that, and reported files are compared
// in any case.
func TestSameSet(t *testing.T) {
	for kind, w := range start(t) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		do(t, err)
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		write(t, a, "1")
		write(t, b, "1")
		set := read(a, b)
		wait := func(what string, want ...string) {
			t.Helper()
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			if got, err := w.Wait(ctx, set); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s: %s: %v, %v", kind, what, got, err)
			}
		}
		write(t, b, "22")
		wait("a file changes", b)
		wait("the caller has still read the text before", b)
		set.Files[1].Renew()
		write(t, a, "22")
		wait("another file changes", a)
		set.Files[0].Renew()
		do(t, os.Remove(b))
		do(t, os.Symlink(a, b))
		wait("a file becomes a link", b)
		set.Files[1].Renew()
		write(t, a, "333")
		wait("the file of the link changes", a, b)
	}
}

// After a change that was reported, the next set is watched: links and directories that only the first one
// needed are not.
func TestNextSet(t *testing.T) {
	for kind, w := range start(t) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		do(t, err)
		for i := range 5 {
			path := filepath.Join(dir, fmt.Sprint("d", i), "f")
			write(t, path, "1")
			set := read(path)
			go func() {
				time.Sleep(5 * time.Millisecond)
				write(t, path, "22")
			}()
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			if got, err := w.Wait(ctx, set); err != nil || len(got) != 1 {
				t.Fatalf("%s: %v, %v", kind, got, err)
			}
			for d := range w.watched {
				if d == filepath.Join(dir, fmt.Sprint("d", i-1)) {
					t.Errorf("%s: %s is watched although nothing in it was read", kind, d)
				}
			}
		}
	}
}

// Files beside the set do not end a wait, and do not put off its report.
func TestOtherFiles(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	do(t, err)
	write(t, dir+"/a", "1")
	w := New(Options{Quiet: 100 * time.Millisecond})
	defer w.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				_ = os.WriteFile(fmt.Sprint(dir, "/other", i%10), nil, 0o644) // the directory may be gone at the end
			}
		}
	}()
	set := read(dir + "/a")
	if got, err := w.Wait(ctx, set); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%v, %v", got, err)
	}
	write(t, dir+"/a", "22")
	if got, err := w.Wait(context.Background(), set); err != nil || len(got) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
}

// A storm of writes is reported once a second at most, and the state after it is never missed.
func TestStorm(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	do(t, err)
	path := dir + "/a"
	write(t, path, "0")
	w := New(Options{Quiet: time.Hour, Longest: 50 * time.Millisecond, Poll: time.Hour})
	defer w.Close()
	const last = 10_000
	go func() {
		for i := range last + 1 {
			_ = os.WriteFile(path, fmt.Append(nil, i), 0o644) // the loop below fails if it does not
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	for waits := 0; ; waits++ {
		set := read(path)
		text, err := os.ReadFile(path)
		do(t, err)
		if string(text) == fmt.Sprint(last) {
			return
		}
		if waits > last/2 {
			t.Fatal("the storm is not joined")
		}
		if _, err := w.Wait(ctx, set); err != nil {
			t.Fatal(err)
		}
	}
}

// A directory that cannot be watched is polled, and the caller can say so.
func TestDegraded(t *testing.T) {
	w := newWatcher(Options{Poll: 10 * time.Millisecond}, func() (notifier, error) { return full{}, nil }, "linux")
	dir := t.TempDir()
	write(t, dir+"/a", "1")
	set := read(dir + "/a")
	write(t, dir+"/a", "22")
	if got, err := w.Wait(context.Background(), set); err != nil || len(got) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	if w.Degraded() == nil {
		t.Error("the watcher does not say that it polls")
	}
}

// full is a notifier without room for a directory.
type full struct{ silent }

func (full) add(string) error {
	return &fs.PathError{Op: "watch", Err: errors.New("no space left on device")}
}

// Links in a circle end.
func TestLinkCircle(t *testing.T) {
	dir := t.TempDir()
	link(t, "b", dir+"/a")
	link(t, "a", dir+"/b")
	w := New(Options{})
	defer w.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if got, err := w.Wait(ctx, read(dir+"/a", dir+"/b/c")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, %v", got, err)
	}
}

// On systems other than Linux directories that only lie on the way to a file are not watched: the poll
// finds that they were replaced.
func TestOtherSystems(t *testing.T) {
	for _, system := range []string{"linux", "windows", "darwin"} {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		do(t, err)
		write(t, dir+"/a/b/c", "1")
		var added recorder
		w := newWatcher(Options{Poll: 5 * time.Millisecond, Quiet: time.Millisecond}, func() (notifier, error) { return &added, nil }, system)
		set := read(filepath.Join(dir, "a", "b", "c"))
		do(t, os.Rename(dir+"/a", dir+"/old"))
		if got, err := w.Wait(context.Background(), set); err != nil || len(got) != 1 {
			t.Errorf("%s: %v, %v", system, got, err)
		}
		if want := system == "linux"; slices.Contains(added.dirs, dir) != want || !slices.Contains(added.dirs, filepath.Join(dir, "a", "b")) {
			t.Errorf("%s: watched %q", system, added.dirs)
		}
	}
}

// A recorder is a notifier that notes which directories are watched, and tells of nothing.
type recorder struct {
	silent
	dirs []string
}

func (r *recorder) add(dir string) error {
	r.dirs = append(r.dirs, dir)
	return nil
}
