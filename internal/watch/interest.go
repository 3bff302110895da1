package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An interest tells which paths of a set a change of a name in a watched directory is about.
type interest struct {
	names  map[string]map[string][]string // directory, name: paths whose file, or a link to it, has the name
	dirs   map[string]map[string]bool     // directory, name: a directory on the way to a file
	listed map[string]bool                // directories of Set.Dirs
	ways   map[string][]entry             // the links on the way to a directory
	linked bool                           // there are links
}

// An entry is a name in a directory.
type entry struct{ dir, name string }

// maxLinks is the number of links that are followed on the way to one file, as Linux does.
const maxLinks = 40

// follow makes the interest in the files of the set, and watches the directories that it needs.
func (w *Watcher) follow(set Set) {
	in := &interest{
		names: map[string]map[string][]string{}, dirs: map[string]map[string]bool{},
		listed: map[string]bool{}, ways: map[string][]entry{},
	}
	for _, f := range set.Files {
		in.addFile(f.Path)
	}
	for _, d := range set.Dirs {
		in.listed[d.Path] = true
		in.way(d.Path, 0)
	}
	w.watch(in)
	w.interest = in
}

// resume is follow for the set of a call of Wait. It returns the files that have to be compared with the
// file system. If the set has the paths of the one before and no links, the interest stays, and the queue of
// notifications tells of changes of the files that were not read again.
func (w *Watcher) resume(set Set) (unsure Set) {
	last := w.files
	w.files = make(map[string]File, len(set.Files))
	unsure = Set{Dirs: set.Dirs, Stale: set.Stale}
	known := true
	for _, f := range set.Files {
		was, asked := last[f.Path]
		known = known && asked
		if was != f {
			unsure.Files = append(unsure.Files, f)
		}
		w.files[f.Path] = f
	}
	known = known && len(w.files) == len(last) && w.interest != nil && w.interest.suits(set, unsure)
	if !known || !w.told() {
		w.follow(set)
		return set
	}
	return unsure
}

// told reports whether notifications tell of all changes, but for those in other places: see watch.
func (w *Watcher) told() bool { return w.degraded == nil && !w.options.NoNotes && w.system == "linux" }

// suits reports whether the interest is also that in a set with the same files, of which some have changed.
func (in *interest) suits(set, changed Set) bool {
	return !in.linked && len(in.listed) == len(set.Dirs) &&
		!slices.ContainsFunc(set.Dirs, func(d Dir) bool { return !in.listed[d.Path] }) &&
		!slices.ContainsFunc(changed.Files, func(f File) bool { _, err := os.Readlink(f.Path); return err == nil })
}

// addFile adds a file, the links that lead to it, and the directories on the way.
func (in *interest) addFile(file string) {
	path := file
	for range maxLinks {
		at := split(path)
		in.addName(at, file)
		for _, link := range in.way(at.dir, 0) {
			in.addName(link, file)
		}
		target, err := os.Readlink(path)
		if err != nil {
			return
		}
		in.linked = true
		path = from(at.dir, target)
	}
}

// way adds the directories on the way to dir, and returns the links among them.
func (in *interest) way(dir string, depth int) []entry {
	if links, known := in.ways[dir]; known {
		return links
	}
	at := split(dir)
	if at.dir == dir {
		return nil
	}
	in.ways[dir] = nil // for links in a cycle
	links := slices.Clone(in.way(at.dir, depth))
	if in.dirs[at.dir] == nil {
		in.dirs[at.dir] = map[string]bool{}
	}
	in.dirs[at.dir][at.name] = true
	if target, err := os.Readlink(dir); err == nil {
		in.linked = true
		links = append(links, at)
		if depth < maxLinks {
			links = append(links, in.way(from(at.dir, target), depth+1)...)
		}
	}
	in.ways[dir] = links
	return links
}

// addName adds that a file of the set depends on a name.
func (in *interest) addName(at entry, file string) {
	if in.names[at.dir] == nil {
		in.names[at.dir] = map[string][]string{}
	}
	in.names[at.dir][at.name] = append(in.names[at.dir][at.name], file)
}

func split(path string) entry {
	dir, name := filepath.Split(path)
	return entry{filepath.Clean(dir), name}
}

// from returns the place that a link in dir leads to.
func from(dir, target string) string {
	if filepath.IsAbs(target) {
		return filepath.Clean(target)
	}
	return filepath.Join(dir, target)
}

// watch watches the directories of the interest and no others. Directories that are only on the way to a file
// are watched on Linux only: kqueue opens every file of a directory, and Windows refuses to rename
// directories that are watched. There the poll finds them.
func (w *Watcher) watch(in *interest) {
	wanted := map[string]bool{}
	for dir := range in.names {
		wanted[dir] = true
	}
	for dir := range in.listed {
		wanted[dir] = true
	}
	if w.system == "linux" {
		for dir := range in.dirs {
			wanted[dir] = true
		}
	}
	for dir := range w.watched {
		if !wanted[dir] {
			w.notifier.remove(dir)
			delete(w.watched, dir)
		}
	}
	for dir := range wanted {
		if w.watched[dir] {
			continue
		}
		err := w.notifier.add(dir)
		if err == nil {
			w.watched[dir] = true
		} else if w.degraded == nil && !isUnreachable(err) {
			w.degraded = err
		}
	}
}

// forget ends the watches of a directory and of the directories below it. It was made, renamed or removed, so
// that the system may watch another directory than the one that has the name now.
func (w *Watcher) forget(dir string) {
	for d := range w.watched {
		if d == dir || strings.HasPrefix(d, dir+string(filepath.Separator)) {
			w.notifier.remove(d)
			delete(w.watched, d)
		}
	}
}

// affected returns the paths of the set that changed by an event, and whether directories on the way to
// files were made or removed.
func (w *Watcher) affected(e event, set Set) (paths []string, moved bool) {
	in := w.interest
	at := split(e.path)
	moved = in.dirs[at.dir][at.name] && e.named
	if e.named && (in.listed[at.dir] || in.listed[e.path]) {
		for _, d := range set.Dirs {
			if (d.Path == at.dir || d.Path == e.path) && !slices.Equal(Names(d.Path), d.Names) {
				paths = append(paths, d.Path)
			}
		}
	}
	for _, path := range in.names[at.dir][at.name] {
		if f := w.files[path]; e.named || e.written && !f.Look || !isAs(f) {
			paths = append(paths, f.Path)
		}
	}
	return paths, moved
}
