package load

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/yaytpl/yaytpl/source"
)

// The limits of a glob.
const (
	globSteps        = 2_000_000 // one for each name listed, globLook for each access to the system
	globLook         = 50        // once more for each globDepth directories above it, which the system opens
	globDepth        = 8
	globAlternatives = 1_000 // patterns after the braces are expanded
)

// Glob returns the absolute paths of the regular files below the roots that match a pattern,
// sorted. The pattern may have * ? [a-z] {a,b} and **, which matches any number of
// directories. As in a shell, a name that begins with a dot is matched only by a part that
// begins with one: *.yaml does not match .a.yaml, and .*.yaml does. ** does not follow links
// to directories. A relative pattern is below base, or below the directory of the document
// if base is empty. Codes: forbidden, bad-value, access, limit.
func (h *Host) Glob(pattern, base string) ([]string, error) {
	if err := h.work(fileSteps, pattern); err != nil {
		return nil, err
	}
	if !doublestar.ValidatePattern(pattern) || strings.ContainsRune(pattern, 0) {
		return nil, source.Errorf(source.Span{}, source.BadValue, "%q is not a valid file pattern", pattern)
	}
	if alternatives(pattern) > globAlternatives {
		return nil, source.Errorf(source.Span{}, source.Limit, "the braces of the pattern %q expand to more than %d patterns", pattern, globAlternatives)
	}
	fixed, rest := doublestar.SplitPattern(filepath.ToSlash(pattern))
	dir, err := h.files.resolve(fixed, h.base(base))
	if err != nil {
		return nil, err
	}
	if isURL(dir) || slices.Contains(strings.Split(rest, "/"), "..") {
		return nil, source.Errorf(source.Span{}, source.BadValue, `%q is not a file pattern: it has a URL, or ".." after a wildcard`, pattern)
	}
	g := glob{pattern, dir, path.Clean(rest)}
	paths, err := h.paths(g)
	quiet := *h
	quiet.charge = nil
	h.files.inputs.note(Input{Kind: GlobInput, Name: g.name(), answer: answer{
		sum:   func() string { return sumOfPaths(paths, err) },
		again: func() string { return sumOfPaths(quiet.paths(g)) },
		glob:  &g,
	}}, h.by)
	return paths, err
}

// sumOfPaths returns the hash of the result of a glob. All errors have one.
func sumOfPaths(paths []string, err error) string {
	if err != nil {
		paths = []string{"\x00"}
	}
	return sumOf([]byte(strings.Join(paths, "\x00")))()
}

// A glob is a question for the files that match a pattern.
type glob struct {
	pattern string // as it was written
	dir     string // absolute: the part without wildcards
	rest    string // the other part, clean
}

// name returns the absolute pattern, for people. That of * in the directory a* is also a pattern of other directories.
func (g glob) name() string { return path.Join(filepath.ToSlash(g.dir), g.rest) }

// paths returns the result of [Host.Glob].
func (h *Host) paths(g glob) ([]string, error) {
	f := h.files
	var names []string
	var err, over error // over is of counting the work
	if fsys, name, ok := f.mounted(filepath.Join(g.dir, "x")); ok {
		if names, err = h.globIn(fsys, path.Dir(name), g.rest); err == nil {
			names, over = h.regular(g.dir, names, func(name string) error { return f.regular(filepath.Join(g.dir, name)) })
		}
	} else {
		err = within(f.roots, g.dir, func(p sandboxFile) (err error) {
			if names, err = h.glob(p, g.rest); err == nil {
				names, over = h.regular(g.dir, names, func(name string) error { return f.regularIn(p, g.dir, name) })
			}
			return err
		})
	}
	switch {
	case errors.Is(err, errOutside):
		return nil, outside(g.pattern, filepath.Join(g.dir, "x"), err)
	case errors.Is(err, errGlob):
		return nil, source.Errorf(source.Span{}, source.Limit, "the pattern %q looks at too many files", g.pattern)
	case over != nil:
		return nil, over
	case err != nil && !missing(err):
		return nil, accessError("search", f.display(g.dir), err)
	}
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = filepath.Join(g.dir, filepath.FromSlash(name))
	}
	if len(paths) > f.config.MaxFiles {
		return nil, source.Errorf(source.Span{}, source.Limit, "the pattern %q matches more than %d files (--max-files)", g.pattern, f.config.MaxFiles)
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// maxDirs is the number of directories of a pattern that dirs returns.
const maxDirs = 100_000

// dirs returns the directories whose names decide what the pattern matches, links to directories
// included: for lib/*/x.yaml these are lib and the directories in it.
func (g glob) dirs() []string {
	parts := strings.Split(g.rest, "/")
	if strings.ContainsAny(g.rest, `{\`) {
		parts = []string{"**"} // parts of an alternative may have slashes
	}
	type step struct {
		dir  string
		left int // parts
	}
	var all []string
	known := map[step]bool{}
	listed := map[string]bool{}
	var visit func(dir string, parts []string)
	visit = func(dir string, parts []string) {
		at := step{dir, len(parts)}
		if known[at] || len(all) >= maxDirs {
			return
		}
		known[at] = true
		if !listed[dir] {
			listed[dir] = true
			all = append(all, dir)
		}
		deep := parts[0] == "**"
		if deep && len(parts) > 1 {
			visit(dir, parts[1:])
		}
		if !deep && len(parts) == 1 {
			return
		}
		entries, _ := os.ReadDir(dir) // one that cannot be read has no names
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			switch {
			case deep && e.IsDir():
				visit(path, parts)
			case !deep && (e.IsDir() || e.Type()&fs.ModeSymlink != 0) && doublestar.MatchUnvalidated(parts[0], e.Name()):
				visit(path, parts[1:])
			}
		}
	}
	visit(g.dir, parts)
	return all
}

// regular returns nil for a path that a glob found if it is a regular file, and an error that is errOutside outside of the roots.
func (f *Files) regular(path string) error {
	info, err := f.stat(path, true)
	if err == nil && !info.Mode().IsRegular() {
		return specialError{info.Mode()}
	}
	return err
}

// alternatives returns an upper bound of the number of patterns that the braces of a pattern
// expand to: 4 for {a,b}/{c,d}. It stops counting above globAlternatives.
func alternatives(pattern string) int {
	n := 1
	for _, group := range strings.Split(pattern, "{")[1:] {
		n *= 1 + max(1, strings.Count(group, ","))
		if n > globAlternatives {
			break
		}
	}
	return n
}

// glob returns the paths below the directory p that match a pattern, relative to p.
func (h *Host) glob(p sandboxFile, pattern string) ([]string, error) {
	info, err := p.root.Stat(p.rel)
	if err != nil || !info.IsDir() {
		return nil, err
	}
	return h.globIn(p.root.FS(), filepath.ToSlash(p.rel), pattern)
}

// regular drops the names of a glob in dir that are no regular files, which regular reports by an error. A link that
// leads out of the roots is an error, as for an include that names it: without it files would be missing.
func (h *Host) regular(dir string, names []string, regular func(name string) error) ([]string, error) {
	if err := h.work(fileSteps*len(names), ""); err != nil {
		return nil, err
	}
	kept := names[:0]
	for _, name := range names {
		switch err := regular(filepath.FromSlash(name)); {
		case err == nil:
			kept = append(kept, name)
		case errors.Is(err, linkError{}):
			full := filepath.Join(dir, filepath.FromSlash(name))
			return nil, outside(h.files.display(full), full, err)
		}
	}
	return kept, nil
}

// regularIn is regular for a name below the directory p, whose path is dir. After a link that leads
// out of the root of p there may be a file of another root.
func (f *Files) regularIn(p sandboxFile, dir, name string) error {
	_, err := sandboxFile{p.root, filepath.Join(p.rel, name)}.regular()
	if escapes(err) {
		err = f.regular(filepath.Join(dir, name))
	}
	return err
}

// globIn returns the names in a directory of files that match a pattern.
func (h *Host) globIn(files fs.FS, dir, pattern string) ([]string, error) {
	options := []doublestar.GlobOption{doublestar.WithFailOnIOErrors(), doublestar.WithNoHidden()}
	if strings.Contains(pattern, "**") {
		options = append(options, doublestar.WithNoFollow())
	}
	d := &globDir{host: h, files: files, dir: dir, hidden: asksForHidden(pattern), left: globSteps}
	names, err := doublestar.Glob(d, pattern, options...)
	return names, cmp.Or(d.over, err)
}

// asksForHidden reports whether a part of a pattern may begin with a dot, as in .git/* or
// {.a,b}. If none does, names that begin with a dot are left out of the listings. The library
// does the same on Unix, but on Windows it tests the hidden attribute of files, and a
// repository would give other results there.
func asksForHidden(pattern string) bool {
	for i := range len(pattern) {
		if pattern[i] == '[' || pattern[i] == '.' && (i == 0 || strings.IndexByte(`/{,\`, pattern[i-1]) >= 0) {
			return true
		}
	}
	return false
}

var errGlob = errors.New("too many files")

// A globDir is the directory of a glob, and counts the steps. It has the files of the root
// and not only of the directory, since links in it may lead to other parts of the root. A
// file that cannot be accessed does not exist for the glob, so errGlob is the only error.
type globDir struct {
	files  fs.FS  // of the root
	dir    string // the directory in files
	hidden bool   // list names that begin with a dot
	left   int    // steps
	host   *Host  // counts their work
	over   error  // of its counter
}

// look returns the steps of an access to a name.
func (*globDir) look(name string) int { return globLook * (1 + strings.Count(name, "/")/globDepth) }

func (s *globDir) count(n int) error {
	if s.left -= n; s.left < 0 {
		return errGlob
	}
	if s.over = s.host.work(globbedSteps*n, ""); s.over != nil {
		return errGlob
	}
	return nil
}

// absent turns any error into fs.ErrNotExist.
func absent(err error) error {
	if err != nil {
		return fs.ErrNotExist
	}
	return nil
}

// Open implements [fs.FS]. It always fails: a glob only lists directories.
func (s *globDir) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Stat implements [fs.StatFS].
func (s *globDir) Stat(name string) (fs.FileInfo, error) {
	if err := s.count(s.look(name)); err != nil {
		return nil, err
	}
	info, err := fs.Stat(s.files, path.Join(s.dir, name))
	return info, absent(err)
}

// ReadDir implements [fs.ReadDirFS].
func (s *globDir) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(s.files, path.Join(s.dir, name))
	if counted := s.count(s.look(name) + len(list)); counted != nil {
		return nil, counted
	}
	if !s.hidden {
		list = slices.DeleteFunc(list, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	}
	return list, absent(err)
}
