// Package watch waits until files change.
//
// A program that read some files describes them as a [Set] and calls [Watcher.Wait], which returns when a
// file is no longer as it was read, and the file system was quiet for a moment. Three sources tell of
// changes, because each of them misses some:
//
//   - The set itself. Wait begins by comparing it with the file system, so that what changed between the
//     read and the call is found.
//   - Notifications of directories (inotify, kqueue, ReadDirectoryChangesW). Editors and deployments
//     replace files, which ends a watch of the file but not one of its directory.
//   - A slow poll. Network file systems notify nobody of changes made elsewhere, directories may exceed
//     the number that the system watches, and queues overflow.
//
// For example, Kubernetes mounts a file of a ConfigMap as two links:
//
//	/etc/app/site.yaml -> ..data/site.yaml
//	/etc/app/..data    -> ..2026_11_23/
//
// An update makes a directory and renames a new link over ..data. No name that was read is touched. So the
// links are followed as the system follows them, and a set that has /etc/app/site.yaml is interested in the
// names site.yaml and ..data of /etc/app, in site.yaml of the directory that the links lead to, and in the
// names of all directories on the way, which may be renamed.
package watch

import (
	"cmp"
	"context"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"time"
)

// A File is a file as it was when it was read.
type File struct {
	Path string      // absolute
	Info fs.FileInfo // of the file that links lead to; nil if it was missing

	// Look says that only the presence and the type of the file matter, not its content, and whether it is
	// a link.
	Look bool

	// Entry has, with Look or without Info, the properties of the link, or else of the file; nil if
	// there was neither. A link that leads nowhere is no file, but is there.
	Entry fs.FileInfo
}

// Renew notes how the file is now.
func (f *File) Renew() {
	f.Info, f.Entry = nil, nil
	if info, err := os.Stat(f.Path); err == nil {
		f.Info = info
	}
	if entry, err := os.Lstat(f.Path); err == nil {
		f.Entry = entry
	}
}

// A Dir is a directory whose names were listed.
type Dir struct {
	Path  string   // absolute
	Names []string // sorted; nil if it was missing
}

// A Set is what a program read.
type Set struct {
	Files []File
	Dirs  []Dir
	Stale []string // absolute paths that are known to have changed
}

// Options of a watcher. The zero value has the defaults.
type Options struct {
	Quiet   time.Duration // a change is reported after this time without another; 0 is 50 ms
	Longest time.Duration // and after this time in any case; 0 is 1 s
	Poll    time.Duration // time between two comparisons of the set with the file system; 0 is 2 s
	NoNotes bool          // poll only, without notifications of the system
}

// A Watcher waits for changes of one set after the other. It is used by one goroutine at a time.
type Watcher struct {
	options  Options
	notifier notifier
	watched  map[string]bool // directories that the notifier watches
	interest *interest       // in the set of the last call of Wait
	files    map[string]File // of that set by path; empty for files that were reported since then
	degraded error
	system   string
}

// New returns a watcher, which the caller closes. It polls if the system has no notifications:
// [Watcher.Degraded].
func New(o Options) *Watcher {
	start := startNotifier
	if o.NoNotes {
		start = func() (notifier, error) { return silent{}, nil }
	}
	return newWatcher(o, start, runtime.GOOS)
}

func newWatcher(o Options, start func() (notifier, error), system string) *Watcher {
	w := &Watcher{options: o, watched: map[string]bool{}, system: system}
	w.options.Quiet = cmp.Or(o.Quiet, 50*time.Millisecond)
	w.options.Longest = cmp.Or(o.Longest, time.Second)
	w.options.Poll = cmp.Or(o.Poll, 2*time.Second)
	n, err := start()
	if err != nil {
		w.degraded = err
		n = silent{}
	}
	w.notifier = n
	return w
}

// Degraded returns the reason why some changes are found by polling only, nil if no changes are.
func (w *Watcher) Degraded() error { return w.degraded }

// Close ends the notifications.
func (w *Watcher) Close() error { return w.notifier.close() }

// Wait returns the paths of the set whose files changed after they were read, sorted, once no other
// file of the set changes for [Options.Quiet]. It reports a write to a file even if size and time of the
// file stay the same, because two writes may happen within one tick of a file system's clock. If ctx ends
// before a change, it returns the error of ctx.
func (w *Watcher) Wait(ctx context.Context, set Set) ([]string, error) {
	unsure := w.resume(set)
	poll := time.NewTimer(w.options.Poll)
	defer poll.Stop()
	changed := map[string]bool{}
	var first time.Time          // when the first change was found
	var settled <-chan time.Time // fires when the changes are to be reported
	note := func(paths []string) {
		fresh := len(paths) > 0
		for _, p := range paths {
			changed[p] = true
		}
		if !fresh {
			return
		}
		if first.IsZero() {
			first = time.Now()
		}
		settled = time.After(min(w.options.Quiet, w.options.Longest-time.Since(first)))
	}
	note(Changed(unsure))
	for {
		select {
		case <-ctx.Done():
			if len(changed) == 0 {
				return nil, ctx.Err()
			}
			return w.report(changed), nil
		case <-settled:
			return w.report(changed), nil
		case e := <-w.notifier.events():
			paths, moved := w.affected(e, set)
			if moved {
				// Directories were made or removed: other ones are to be watched.
				w.forget(e.path)
				w.follow(set)
				paths = append(paths, Changed(set)...)
			}
			note(paths)
		case <-w.notifier.lost():
			note(Changed(set))
		case <-poll.C:
			began := time.Now()
			note(fresh(Changed(set), changed))
			poll.Reset(max(w.options.Poll, pollShare*time.Since(began)))
		}
	}
}

// report returns changed paths. The next call of Wait compares their files with the file system, whatever it is
// told of them.
func (w *Watcher) report(changed map[string]bool) []string {
	for path := range changed {
		if _, ok := w.files[path]; ok {
			w.files[path] = File{}
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// pollShare is how much longer the time between two polls is than a poll, so that polling a hundred
// thousand files takes 2% of the time of a processor.
const pollShare = 50

// fresh returns the paths that are not known to have changed. A poll finds known ones again and again,
// and must not put off the report.
func fresh(paths []string, known map[string]bool) []string {
	return slices.DeleteFunc(paths, func(p string) bool { return known[p] })
}

// Changed returns the paths of the set that the file system has in another state.
func Changed(set Set) []string {
	paths := slices.Clone(set.Stale)
	for _, f := range set.Files {
		if !isAs(f) {
			paths = append(paths, f.Path)
		}
	}
	for _, d := range set.Dirs {
		if !slices.Equal(Names(d.Path), d.Names) {
			paths = append(paths, d.Path)
		}
	}
	return paths
}

// isAs reports whether f is as it was read, as far as the system's records of it tell.
func isAs(f File) bool {
	if f.Look || f.Info == nil {
		entry, err := os.Lstat(f.Path)
		if (err == nil) != (f.Entry != nil) || err == nil && entry.Mode().Type() != f.Entry.Mode().Type() {
			return false
		}
	}
	info, err := os.Stat(f.Path)
	switch {
	case err != nil || f.Info == nil:
		return err != nil && f.Info == nil
	case !os.SameFile(info, f.Info):
		return false
	case f.Look:
		return info.Mode().Type() == f.Info.Mode().Type()
	}
	return info.Size() == f.Info.Size() && info.ModTime().Equal(f.Info.ModTime()) && info.Mode() == f.Info.Mode()
}

// Names returns the sorted names in a directory, nil if it is missing.
func Names(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}
