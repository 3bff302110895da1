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

// defaultRoots returns the roots for files that the user named, if there are no others: for
// each file the nearest enclosing directory that [isRepository], else the directory of the
// project or the working directory if the file is below it, else the directory of the file. Standard input ("-") counts as a
// file in the working directory; URLs have no root.
//
// For example, if only /home/u/repo contains .git and the working directory is /home/u/x,
// the root of /home/u/repo/sub/a.yaml is /home/u/repo, of /home/u/x/y/b.yaml it is
// /home/u/x, and of /etc/app/c.yaml it is /etc/app.
func (f *Files) defaultRoots(files []string) []string {
	var roots []string
	known := repositories{}
	for _, name := range files {
		path := f.Absolute(name)
		switch {
		case isURL(path):
			continue
		case name == "-":
			path = filepath.Join(f.dir, "-")
		}
		root := filepath.Dir(path)
		if repository := f.config.Store.repository(root, known); repository != "" {
			root = repository
		} else if f.config.Project != "" && len(places([]string{f.config.Project}, path)) > 0 {
			root = f.config.Project
		} else if len(places([]string{f.dir}, path)) > 0 {
			root = f.dir
		}
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// repositoryAround returns the nearest directory at or above dir that [isRepository], or "".
func repositoryAround(dir string) string {
	start, err := os.Stat(dir)
	if err != nil {
		start = nil
	}
	for {
		if isRepository(dir, start) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// isRepository reports whether a directory has a .git, which may be a file as well, in a worktree or a submodule. One
// that anybody else may have put there does not count: it belongs to the user, the superuser, or the owner of the
// directory at which the search begins.
//
//	/tmp/.git of mallory    for /tmp/ann/site.yaml of ann: no repository, else all of /tmp were its root
//	/repo/.git of ann       for /repo/site.yaml of ann, read by another user in a container: a repository
func isRepository(dir string, start fs.FileInfo) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && (!isForeign(info) || isSuperusers(info) || start != nil && sameOwner(info, start))
}

// allRoots returns the roots of the run: the configured or the default ones, the search
// directories and the named repositories.
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

// A sandboxFile is a file: a relative path below an open directory. The system refuses to follow
// the path out of the directory.
type sandboxFile struct {
	root *os.Root
	rel  string
}

// A way is a place whose directory is not yet open.
type way struct{ dir, rel string }

// places returns the ways to path from the directories that it is below.
func places(dirs []string, path string) []way {
	var out []way
	for _, dir := range dirs {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			out = append(out, way{dir, rel})
		}
	}
	return out
}

// within calls do with the place of path below one of the directories. Symbolic links are
// followed as long as they stay below the directories. The system checks this while it opens
// the file, so there is no race between check and use. If path is not below the
// directories, or a link leads out of them, within returns an error that is errOutside.
func within(dirs []string, path string, do func(sandboxFile) error) error {
	refused := error(errOutside)
	for _, w := range places(dirs, path) {
		err := enter(w, do)
		if !escapes(err) {
			return err
		}
		refused = linkError{}
	}
	// An absolute link, a link from one directory into another, or a directory with two
	// names may still lead to an allowed place: follow the links and try again.
	dirs = slices.Clone(dirs)
	for i, dir := range dirs {
		dirs[i] = followLinks(dir)
	}
	for _, w := range places(dirs, followLinks(path)) {
		if err := enter(w, do); !escapes(err) {
			return err
		}
	}
	return refused
}

// anywhere calls do with the place of path. The roots do not apply.
func anywhere(path string, do func(sandboxFile) error) error {
	path = followLinks(path)
	return enter(way{filepath.Dir(path), filepath.Base(path)}, do)
}

// enter opens the directory of w and calls do with the place.
func enter(w way, do func(sandboxFile) error) error {
	root, err := openDir(w.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if _, err := os.Lstat(filepath.Join(w.dir, w.rel)); errors.Is(err, syscall.ENOTDIR) {
		if err := throughDirs(root, w.rel); err != nil {
			return err
		}
	}
	return do(sandboxFile{root, w.rel})
}

// throughDirs returns an error if the way to rel leads through something other than directories.
// Methods of os.Root would open a pipe there, and wait for a writer.
func throughDirs(root *os.Root, rel string) error {
	for i, r := range rel {
		if i == 0 || r > 127 || !os.IsPathSeparator(uint8(r)) {
			continue
		}
		info, err := root.Stat(rel[:i])
		switch {
		case err != nil:
			return err
		case !info.IsDir():
			return &fs.PathError{Op: "open", Path: rel, Err: syscall.ENOTDIR}
		}
	}
	return nil
}

// openDir opens a directory. The dot at the end of the name makes it fail for a pipe, where
// os.OpenRoot would wait for a writer.
func openDir(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir + string(filepath.Separator) + ".")
	if err != nil && escapes(err) { // dir is a file: os.OpenRoot has no errno for that
		err = syscall.ENOTDIR
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	return root, nil
}

// escapes reports whether err is the refusal of os.Root to leave its directory. Package os
// does not export that error, so escapes recognizes it as a PathError that wraps neither an
// errno nor an error of package fs.
func escapes(err error) bool {
	var pe *fs.PathError
	var errno syscall.Errno
	if !errors.As(err, &pe) || errors.As(err, &errno) {
		return false
	}
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrExist)
}

// followLinks returns path with all symbolic links resolved. The file need not exist.
func followLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// regular returns the properties of the file, or a specialError if it is not regular.
func (p sandboxFile) regular() (fs.FileInfo, error) {
	info, err := p.root.Stat(p.rel)
	if err == nil && !info.Mode().IsRegular() {
		return nil, specialError{info.Mode()}
	}
	return info, err
}

// read returns the bytes of a regular file, and its properties before they were read. It checks the type of the file before opening
// it, since opening a device can have effects, and once more afterwards, since the file may
// have been replaced in between.
func (p sandboxFile) read(limit int) ([]byte, fs.FileInfo, error) {
	if _, err := p.regular(); err != nil {
		return nil, nil, err
	}
	file, err := p.root.OpenFile(p.rel, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, specialError{info.Mode()}
	case info.Size() > int64(limit):
		return nil, nil, errTooBig
	}
	data, err := readSized(file, int(info.Size()), limit)
	return data, info, err
}

// maxText is the length of the longest text whose offsets fit in a span.
const maxText = math.MaxInt32

// readLimited reads r to its end. More than limit bytes are errTooBig.
func readLimited(r io.Reader, limit int) ([]byte, error) { return readSized(r, 0, limit) }

// readSized is readLimited for an expected size: it allocates that much at once.
func readSized(r io.Reader, size, limit int) ([]byte, error) {
	limit = min(limit, maxText)
	var b bytes.Buffer
	if size > 0 {
		b.Grow(min(size, limit) + bytes.MinRead) // else the buffer grows again to see the end
	}
	if _, err := b.ReadFrom(io.LimitReader(r, int64(limit)+1)); err != nil {
		return nil, err
	}
	if b.Len() > limit {
		return nil, errTooBig
	}
	return b.Bytes(), nil
}
