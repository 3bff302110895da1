package load

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/yaytpl/yaytpl/source"
)

// The bounds of a glob.
const (
	globSteps        = 2_000_000 // names seen; looking at one counts as globLook
	globLook         = 50
	globAlternatives = 1_000 // patterns that the braces of one stand for
)

// Glob returns the absolute paths of the files below the roots that match a
// pattern, sorted. Besides the usual * ? [a-z] there are {a,b} and **, which is any
// number of directories. As in a shell, names that begin with a dot match only a
// pattern that begins with one; ** does not follow links to directories. Relative
// patterns are below base, or below the document's directory if base is empty.
// Codes: forbidden, bad-value, access, limit.
func (h *Host) Glob(pattern, base string) ([]string, error) {
	if !doublestar.ValidatePattern(pattern) || strings.ContainsRune(pattern, 0) {
		return nil, source.Errorf(source.Span{}, source.BadValue, "%q is no valid file pattern", pattern)
	}
	if alternatives(pattern) > globAlternatives {
		return nil, source.Errorf(source.Span{}, source.Limit, "the pattern %q stands for more than %d others", pattern, globAlternatives)
	}
	fixed, rest := doublestar.SplitPattern(filepath.ToSlash(pattern))
	dir, err := h.files.resolve(fixed, h.base(base))
	if err != nil {
		return nil, err
	}
	if isURL(dir) || slices.Contains(strings.Split(rest, "/"), "..") {
		return nil, source.Errorf(source.Span{}, source.BadValue, `%q is no file pattern: it has a URL, or ".." behind a wildcard`, pattern)
	}
	f := h.files
	names, err := within(f.roots, dir, func(p place) ([]string, error) { return p.glob(path.Clean(rest)) })
	switch {
	case errors.Is(err, errOutside):
		return nil, outside(pattern, filepath.Join(dir, "x"), err)
	case errors.Is(err, errGlob):
		return nil, source.Errorf(source.Span{}, source.Limit, "the pattern %q looks at too many files", pattern)
	case err != nil && !missing(err):
		return nil, accessError("search", f.display(dir), err)
	}
	var paths []string
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := within(f.roots, path, place.regular); err == nil {
			paths = append(paths, path)
		}
	}
	if len(paths) > f.config.MaxFiles {
		return nil, source.Errorf(source.Span{}, source.Limit, "the pattern %q matches more than %d files (--max-files)", pattern, f.config.MaxFiles)
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// alternatives returns how many patterns without braces a pattern stands for, or
// more.
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

func (p place) glob(pattern string) ([]string, error) {
	info, err := p.root.Stat(p.rel)
	if err != nil || !info.IsDir() {
		return nil, err
	}
	options := []doublestar.GlobOption{doublestar.WithFailOnIOErrors(), doublestar.WithNoHidden()}
	if strings.Contains(pattern, "**") {
		options = append(options, doublestar.WithNoFollow())
	}
	dir := &searched{files: p.root.FS(), dir: filepath.ToSlash(p.rel), hidden: asksForHidden(pattern), left: globSteps}
	return doublestar.Glob(dir, pattern, options...)
}

// asksForHidden reports whether a part of a pattern may begin with a dot. If none does,
// no name that begins with one matches. The library sees to that on Unix; on Windows it
// goes by an attribute of the files instead, and the same repository would give others.
func asksForHidden(pattern string) bool {
	for i := range len(pattern) {
		if pattern[i] == '[' || pattern[i] == '.' && (i == 0 || strings.IndexByte(`/{,\`, pattern[i-1]) >= 0) {
			return true
		}
	}
	return false
}

var errGlob = errors.New("too many files")

// A searched directory counts what a glob looks at. It is a part of its root and not
// a root itself: links may lead to what is beside it. What cannot be looked at does
// not exist, so that the only failure is errGlob.
type searched struct {
	files  fs.FS
	dir    string
	hidden bool // names that begin with a dot are there
	left   int
}

func (s *searched) count(n int) error {
	if s.left -= n; s.left < 0 {
		return errGlob
	}
	return nil
}

func absent(err error) error {
	if err != nil {
		return fs.ErrNotExist
	}
	return nil
}

// Open implements [fs.FS]. Globs list directories and need not open files.
func (s *searched) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Stat implements [fs.StatFS].
func (s *searched) Stat(name string) (fs.FileInfo, error) {
	if err := s.count(globLook); err != nil {
		return nil, err
	}
	info, err := fs.Stat(s.files, path.Join(s.dir, name))
	return info, absent(err)
}

// ReadDir implements [fs.ReadDirFS].
func (s *searched) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(s.files, path.Join(s.dir, name))
	if counted := s.count(globLook + len(list)); counted != nil {
		return nil, counted
	}
	if !s.hidden {
		list = slices.DeleteFunc(list, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	}
	return list, absent(err)
}
