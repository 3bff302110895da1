package load

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// defaultRoots returns the directories that files may be read below if the user
// does not say: for each file the nearest enclosing directory that holds .git, else
// the working directory if the file is below it, else the directory of the file.
// Standard input ("-") counts as a file in the working directory; URLs add nothing.
func (f *Files) defaultRoots(files []string) []string {
	var roots []string
	for _, name := range files {
		path := f.Absolute(name)
		switch {
		case isURL(path):
			continue
		case name == "-":
			path = filepath.Join(f.dir, "-")
		}
		root := filepath.Dir(path)
		if repository := enclosing(root, ".git"); repository != "" {
			root = repository
		} else if len(places([]string{f.dir}, path)) > 0 {
			root = f.dir
		}
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// enclosing returns the nearest directory at or above dir that holds an entry of
// that name, or "". In a worktree or a submodule .git is a file.
func enclosing(dir, name string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// allRoots returns the roots of this run: those given or the default ones, the
// search directories and the named repositories.
func (f *Files) allRoots() []string {
	roots := f.config.Roots
	if len(roots) == 0 {
		files := f.config.Files
		if len(files) == 0 {
			files = []string{"-"}
		}
		roots = f.defaultRoots(files)
	}
	roots = append(slices.Clone(roots), f.config.Search...)
	for _, name := range slices.Sorted(maps.Keys(f.config.Repositories)) {
		roots = append(roots, f.config.Repositories[name])
	}
	return f.absolutes(roots)
}

// A place is a file by its way from a directory that it must not leave.
type place struct {
	root *os.Root
	rel  string
}

// A way is a place whose directory is not open yet.
type way struct{ dir, rel string }

// places returns the ways to path from those directories that it is below of.
func places(dirs []string, path string) []way {
	var out []way
	for _, dir := range dirs {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			out = append(out, way{dir, rel})
		}
	}
	return out
}

// within calls do with the place of path below one of the directories. Links are
// followed as long as they stay below the directories; whether they do is decided
// by the system while it opens the file, so no race gets past it. If path leads out
// of them, within returns an error that is errOutside.
func within[T any](dirs []string, path string, do func(place) (T, error)) (T, error) {
	refused := error(errOutside)
	for _, w := range places(dirs, path) {
		v, err := enter(w, do)
		if !escapes(err) {
			return v, err
		}
		refused = errLink
	}
	// An absolute link, a link from one directory into another, or a directory that
	// has two names may still lead to an allowed place.
	dirs = slices.Clone(dirs)
	for i, dir := range dirs {
		dirs[i] = resolved(dir)
	}
	for _, w := range places(dirs, resolved(path)) {
		if v, err := enter(w, do); !escapes(err) {
			return v, err
		}
	}
	var none T
	return none, refused
}

// anywhere calls do with the place that path leads to, whatever the roots are.
func anywhere[T any](path string, do func(place) (T, error)) (T, error) {
	path = resolved(path)
	return enter(way{filepath.Dir(path), filepath.Base(path)}, do)
}

func enter[T any](w way, do func(place) (T, error)) (T, error) {
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		var none T
		if escapes(err) { // what os.OpenRoot says of a file
			err = &fs.PathError{Op: "open", Path: w.dir, Err: syscall.ENOTDIR}
		}
		return none, err
	}
	defer root.Close()
	return do(place{root, w.rel})
}

// escapes reports whether err is os.Root's refusal to leave its directory. That
// error has no name: it is what neither the system nor package fs defines.
func escapes(err error) bool {
	var pe *fs.PathError
	var errno syscall.Errno
	if !errors.As(err, &pe) || errors.As(err, &errno) {
		return false
	}
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrExist)
}

// resolved returns path with its links followed. The file itself need not exist.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// regular returns the properties of the file if it is a regular one.
func (p place) regular() (fs.FileInfo, error) {
	info, err := p.root.Stat(p.rel)
	if err == nil && !info.Mode().IsRegular() {
		return nil, specialError{info.Mode()}
	}
	return info, err
}

// read returns the bytes of a regular file. It looks before it opens, since opening
// a device can have effects, and again afterwards.
func (p place) read(limit int) ([]byte, error) {
	if _, err := p.regular(); err != nil {
		return nil, err
	}
	file, err := p.root.OpenFile(p.rel, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, specialError{info.Mode()}
	case info.Size() > int64(limit):
		return nil, errTooBig
	}
	return readSized(file, int(info.Size()), limit)
}

// maxText is the longest text whose offsets fit in a span, even after its encoding
// was changed.
const maxText = math.MaxInt32

// readLimited reads everything, or fails once it is more than limit bytes.
func readLimited(r io.Reader, limit int) ([]byte, error) { return readSized(r, 0, limit) }

// readSized is readLimited for what is probably of a known size: it has room for
// that from the start.
func readSized(r io.Reader, size, limit int) ([]byte, error) {
	limit = min(limit, maxText)
	var b bytes.Buffer
	if size > 0 {
		b.Grow(min(size, limit) + bytes.MinRead) // the room that the buffer wants at the end
	}
	if _, err := b.ReadFrom(io.LimitReader(r, int64(limit)+1)); err != nil {
		return nil, err
	}
	if b.Len() > limit {
		return nil, errTooBig
	}
	return b.Bytes(), nil
}
