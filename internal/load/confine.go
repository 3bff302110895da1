package load

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"
)

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
	for _, w := range places(resolvedAll(dirs), resolved(path)) {
		if v, err := enter(w, do); !escapes(err) {
			return v, err
		}
	}
	var none T
	return none, refused
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

func resolvedAll(paths []string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = resolved(path)
	}
	return out
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
