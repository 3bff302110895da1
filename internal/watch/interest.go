package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An interest says what a change of a name in a watched directory means for a set.
type interest struct {
	names  map[string]map[string][]int // directory, name: indices of Set.Files whose file, or a link to it, has the name
	dirs   map[string]map[string]bool  // directory, name: a directory on the way to a file
	listed map[string]bool             // directories of Set.Dirs
	ways   map[string][]place          // the links on the way to a directory
}

// A place is a name in a directory.
type place struct{ dir, name string }

// maxLinks is the number of links that are followed on the way to one file, as Linux does.
const maxLinks = 40

// follow returns the interest in the files of the set, and watches the directories that it needs.
func (w *Watcher) follow(set Set) *interest {
	in := &interest{
		names: map[string]map[string][]int{}, dirs: map[string]map[string]bool{},
		listed: map[string]bool{}, ways: map[string][]place{},
	}
	for i, f := range set.Files {
		in.addFile(f.Path, i)
	}
	for _, d := range set.Dirs {
		in.listed[d.Path] = true
		in.way(d.Path, 0)
	}
	w.watch(in)
	return in
}

// addFile adds a file, the links that lead to it, and the directories on the way.
func (in *interest) addFile(path string, i int) {
	for range maxLinks {
		at := split(path)
		in.addName(at, i)
		for _, link := range in.way(at.dir, 0) {
			in.addName(link, i)
		}
		target, err := os.Readlink(path)
		if err != nil {
			return
		}
		path = from(at.dir, target)
	}
}

// way adds the directories on the way to dir, and returns the links among them.
func (in *interest) way(dir string, depth int) []place {
	if links, known := in.ways[dir]; known {
		return links
	}
	at := split(dir)
	if at.dir == dir {
		return nil
	}
	in.ways[dir] = nil // for links in a circle
	links := slices.Clone(in.way(at.dir, depth))
	if in.dirs[at.dir] == nil {
		in.dirs[at.dir] = map[string]bool{}
	}
	in.dirs[at.dir][at.name] = true
	if target, err := os.Readlink(dir); err == nil {
		links = append(links, at)
		if depth < maxLinks {
			links = append(links, in.way(from(at.dir, target), depth+1)...)
		}
	}
	in.ways[dir] = links
	return links
}

// addName adds that the file i of the set depends on a name.
func (in *interest) addName(at place, i int) {
	if in.names[at.dir] == nil {
		in.names[at.dir] = map[string][]int{}
	}
	in.names[at.dir][at.name] = append(in.names[at.dir][at.name], i)
}

func split(path string) place {
	dir, name := filepath.Split(path)
	return place{filepath.Clean(dir), name}
}

// from returns the place that a link in dir leads to.
func from(dir, target string) string {
	if filepath.IsAbs(target) {
		return filepath.Clean(target)
	}
	return filepath.Join(dir, target)
}

// watch watches the directories of the interest and no others. Directories that only lie on the way to a file
// are watched on Linux alone: kqueue opens every file of a directory, and Windows refuses to rename
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

// forget ends the watches of a directory and of those below it. It was made, renamed or removed, so
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
func (in *interest) affected(e event, set Set) (paths []string, moved bool) {
	at := split(e.path)
	moved = in.dirs[at.dir][at.name] && e.named
	if e.named && (in.listed[at.dir] || in.listed[e.path]) {
		for _, d := range set.Dirs {
			if (d.Path == at.dir || d.Path == e.path) && !slices.Equal(Names(d.Path), d.Names) {
				paths = append(paths, d.Path)
			}
		}
	}
	for _, i := range in.names[at.dir][at.name] {
		if f := set.Files[i]; e.named || e.written && !f.Look || !isAs(f) {
			paths = append(paths, f.Path)
		}
	}
	return paths, moved
}
