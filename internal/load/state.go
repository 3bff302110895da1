package load

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/yaytpl/yaytpl/source"
)

// Stat returns the properties of a file or directory below the roots, nil if there is none of this
// name: the properties of the file that a link leads to if follow is true, else of the link. A
// relative name is below base, or below the directory of the document if base is empty.
// Codes: forbidden, access.
func (h *Host) Stat(name, base string, follow bool) (info fs.FileInfo, err error) {
	f := h.files
	if err := h.work(fileSteps, name); err != nil {
		return nil, err
	}
	path, err := h.path(name, base)
	if err != nil {
		return nil, err
	}
	f.stated(path)
	defer func() { f.looked(path, info == nil && err == nil, h.by) }()
	info, err = f.stat(path, follow)
	switch {
	case errors.Is(err, errOutside):
		return nil, outside(f.display(path), path, err)
	case err == nil:
		return info, nil
	case !missing(err):
		return nil, accessError("look at", f.display(path), err)
	}
	if _, ok := f.overlay[path]; ok {
		return unsaved{filepath.Base(path)}, nil
	}
	return nil, nil
}

// stat returns the properties of the file p, or of the link p.
func (p sandboxFile) stat(follow bool) (fs.FileInfo, error) {
	if follow {
		return p.root.Stat(p.rel)
	}
	return p.root.Lstat(p.rel)
}

// IsMount reports whether a directory below the roots is the root of a file system: its parent is on
// another device, or is itself. Codes: as [Host.Stat].
func (h *Host) IsMount(name, base string) (bool, error) {
	info, err := h.Stat(name, base, false)
	if err != nil || info == nil || !info.IsDir() {
		return false, err
	}
	path, err := h.path(name, base)
	if err != nil {
		return false, err
	}
	parent, err := os.Lstat(filepath.Dir(followLinks(path)))
	return err == nil && (os.SameFile(info, parent) || !sameDevice(info, parent)), nil
}

// An unsaved is a text that is not a file yet.
type unsaved struct{ name string }

// Name returns the last part of the path.
func (u unsaved) Name() string { return u.name }

// The other methods describe an empty file.
func (unsaved) Size() int64        { return 0 }
func (unsaved) Mode() fs.FileMode  { return 0o600 }
func (unsaved) ModTime() time.Time { return time.Time{} }
func (unsaved) IsDir() bool        { return false }
func (unsaved) Sys() any           { return nil }

// path returns the absolute path of a file that a document names.
func (h *Host) path(name, base string) (string, error) {
	path, err := h.files.resolve(name, h.base(base))
	if err == nil && isURL(path) {
		err = source.Errorf(source.Span{}, source.Access, "%s: %s", withoutSecrets(path), errURL)
	}
	return path, err
}

// RealPath returns the absolute path of a file without links. A relative name is below base, or
// below the directory of the document if base is empty. The file need not exist: then the links
// of the directories above it are followed. Codes: forbidden, access.
func (h *Host) RealPath(name, base string) (string, error) {
	f := h.files
	path, err := h.path(name, base)
	if err != nil {
		return "", err
	}
	if _, _, ok := f.mounted(path); ok {
		return path, nil
	}
	if _, err := h.Stat(name, base, true); err != nil {
		return "", err
	}
	rest := ""
	for {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest), nil
		}
		if err := h.work(fileSteps, path); err != nil { // a long path is read again for each of its parts
			return "", err
		}
		dir := filepath.Dir(path)
		if dir == path {
			return filepath.Join(path, rest), nil
		}
		path, rest = dir, filepath.Join(filepath.Base(path), rest)
	}
}
