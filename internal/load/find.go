package load

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/yaytpl/yaytpl/source"
)

// Find returns the absolute path of a file or directory by its name, relative to base or, if base is
// empty, to the directory of the document; it is looked for in the search directories like a file that
// is opened. It returns "" if there is none. Codes: forbidden, access.
func (h *Host) Find(name, base string) (string, error) {
	f := h.files
	if err := h.work(fileSteps*(1+len(f.search)), name); err != nil {
		return "", err
	}
	location, err := f.resolve(name, h.base(base))
	if err != nil {
		return "", err
	}
	if isURL(location) {
		return "", source.Errorf(source.Span{}, source.Access, "cannot look for %s: %s", withoutSecrets(name), errURL)
	}
	ok, err := f.exists(location, h.by)
	if ok || err != nil || isRooted(name) || hasScheme(name) {
		return foundAt(location, ok), err
	}
	for _, dir := range f.search {
		location = filepath.Join(dir, name)
		if ok, err = f.exists(location, h.by); ok || err != nil {
			return foundAt(location, ok), err
		}
	}
	return "", nil
}

func foundAt(path string, ok bool) string {
	if !ok {
		return ""
	}
	return path
}

// exists reports whether there is a file or directory at an absolute path.
func (f *Files) exists(path string, by Asker) (is bool, err error) {
	defer func() { f.looked(path, !is && err == nil, by) }()
	if _, ok := f.overlay[path]; ok && len(places(f.roots, path)) > 0 {
		return true, nil
	}
	switch _, err = f.stat(path, true); {
	case err == nil:
		return true, nil
	case missing(err), errors.Is(err, fs.ErrInvalid):
		return false, nil
	case errors.Is(err, errOutside):
		return false, outside(f.display(path), path, err)
	}
	return false, accessError("look for", f.display(path), err)
}

// stat returns the properties of a file at an absolute path, below the roots or in a mounted file system; with follow
// the properties of the file that a link leads to.
func (f *Files) stat(path string, follow bool) (info fs.FileInfo, err error) {
	if fsys, name, ok := f.mounted(path); ok {
		return fs.Stat(fsys, name)
	}
	err = within(f.roots, path, func(p sandboxFile) (err error) { info, err = p.stat(follow); return err })
	return info, err
}
