package load

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// WriteFile writes a file below the directories that allow it, makes the
// directories that it needs there, and returns its absolute path. The file is
// replaced as a whole: no reader sees half of it, and a link is replaced and not
// followed. Codes: forbidden, access.
func (h *Host) WriteFile(name, base string, data []byte) (string, error) {
	path, err := h.files.resolve(name, h.base(base))
	if err != nil {
		return "", err
	}
	if isURL(path) {
		return "", source.Errorf(source.Span{}, source.Access, "cannot write %s: only files can be written", withoutSecrets(path))
	}
	return path, h.files.writeFile(path, data)
}

func (f *Files) writeFile(path string, data []byte) error {
	name := f.display(path)
	if err := f.makeWriteDirs(path); err != nil {
		return accessError("write", name, err)
	}
	_, err := within(f.write, path, func(p place) (struct{}, error) {
		if err := p.root.MkdirAll(filepath.Dir(p.rel), 0o777); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, p.replace(data)
	})
	f.forget(path, nil)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errOutside):
		return mustNotWrite(name, filepath.Dir(path))
	}
	return accessError("write", name, err)
}

// makeWriteDirs makes the allowed directories themselves: the user named them.
func (f *Files) makeWriteDirs(path string) error {
	for _, w := range places(f.write, path) {
		if err := os.MkdirAll(w.dir, 0o777); err != nil {
			return err
		}
	}
	return nil
}

func mustNotWrite(name, dir string) error {
	return source.Errorf(source.Span{}, source.Forbidden, "%s must not be written: it is not below a directory of --allow-write", name).
		WithHint("--allow-write %s would allow it", dir)
}

// TempFile writes a new file whose name ends in suffix, in the first directory that
// may be written to, or in the system's for temporary files if that is one of them.
// Codes: forbidden, bad-value (a suffix with a path in it), access.
func (h *Host) TempFile(suffix string, data []byte) (string, error) {
	f := h.files
	if len(f.write) == 0 {
		return "", mustNotWrite("a temporary file", os.TempDir())
	}
	if strings.ContainsAny(suffix, "/\\\x00") {
		return "", source.Errorf(source.Span{}, source.BadValue, "the suffix %q of a temporary file has a path in it", suffix)
	}
	dir := f.tempDir()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", accessError("write", "a temporary file", err)
	}
	path := filepath.Join(dir, "yaytpl-"+randomName()+suffix)
	_, err := within([]string{dir}, path, func(p place) (struct{}, error) {
		return struct{}{}, p.create(data, 0o600)
	})
	if err != nil {
		return "", accessError("write", "a temporary file", err)
	}
	return path, nil
}

// tempDir returns the directory for temporary files.
func (f *Files) tempDir() string {
	system := os.TempDir()
	if len(f.write) == 0 || len(places(f.write, system)) > 0 {
		return system
	}
	return f.write[0]
}

// create writes a new file; it is an error if there is one.
func (p place) create(data []byte, mode fs.FileMode) error {
	file, err := p.root.OpenFile(p.rel, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err != nil {
		return errors.Join(err, p.root.Remove(p.rel))
	}
	return nil
}
