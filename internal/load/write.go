package load

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

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
	f := h.files
	shown := f.display(path)
	for _, w := range places(f.write, path) { // the user named these directories, so they are made as well
		if err := os.MkdirAll(w.dir, 0o777); err != nil {
			return path, accessError("write", shown, err)
		}
	}
	_, err = within(f.write, path, func(p place) (struct{}, error) {
		if err := p.root.MkdirAll(filepath.Dir(p.rel), 0o777); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, p.replace(data)
	})
	f.forget(path, nil)
	switch {
	case err == nil:
		return path, nil
	case errors.Is(err, errOutside):
		return path, mustNotWrite(shown, filepath.Dir(path))
	}
	return path, accessError("write", shown, err)
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

// Replace writes a file that the user named, as a whole: no reader sees half of it. If
// there is one, its permissions stay; if it is a link, what it leads to is replaced.
// Code: access.
func (f *Files) Replace(name string, data []byte) error {
	path := f.Absolute(name)
	_, err := anywhere(path, func(p place) (struct{}, error) { return struct{}{}, p.replace(data) })
	f.forget(path, nil)
	if err != nil {
		return accessError("write", f.Shown(name), err)
	}
	return nil
}

// Backup writes what a file that the user named held when it was read, under its name
// with ".bak". Nobody can read the backup who could not read the file: it gets the
// file's owner and permissions. Code: access.
func (f *Files) Backup(name, text string) error {
	info, err := anywhere(f.Absolute(name), place.regular)
	backup := name + ".bak"
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		_, err = anywhere(f.Absolute(backup), func(p place) (struct{}, error) {
			if _, _, err := p.writable(); err != nil {
				return struct{}{}, err
			}
			return struct{}{}, p.put(text, 0o600, info)
		})
	}
	f.forget(f.Absolute(backup), nil)
	if err != nil {
		return accessError("write", f.Shown(backup), err)
	}
	return nil
}

// replace puts a new file in the place of the old one, if there is one: a reader
// sees the old text or the new one, whole, and so does who looks after a crash. The
// permissions stay, and the owner where the system lets them.
func (p place) replace(data []byte) error {
	mode, old, err := p.writable()
	if err != nil {
		return err
	}
	return p.put(asText(data), mode, old)
}

// put is replace for a file that may be replaced. The new one has the owner and the
// permissions of another file, or that mode if like is nil.
func (p place) put(text string, mode fs.FileMode, like fs.FileInfo) error {
	tmp, err := p.prepared(text, mode, like, noFaults)
	if err != nil {
		return err
	}
	if err := tmp.moveTo(p); err != nil {
		return errors.Join(err, tmp.discard())
	}
	p.syncDir()
	_ = tmp.file.Close()
	return nil
}

// writable returns the mode for a new file and the properties of the old one, nil
// if there is none. Only files that may be written and links can be replaced.
func (p place) writable() (fs.FileMode, fs.FileInfo, error) {
	info, err := p.root.Lstat(p.rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0o666, nil, nil
	case err != nil:
		return 0, nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return 0o666, nil, nil
	case !info.Mode().IsRegular():
		return 0, nil, specialError{info.Mode()}
	}
	// A rename would replace a file that is protected from being written as well.
	file, err := p.root.OpenFile(p.rel, os.O_WRONLY, 0)
	if err != nil {
		return 0, nil, err
	}
	return 0o600, info, file.Close()
}

// syncDir makes the new name of a file last. Not every system can do that.
func (p place) syncDir() {
	if dir, err := p.root.Open(filepath.Dir(p.rel)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

// A stepper is told of each step of writing a file before it is taken. What it returns
// stands for what the system would have said: so tests make any step fail.
type stepper func(step string) error

// noFaults lets everything happen.
func noFaults(string) error { return nil }

// tempPrefix is what the names of files begin with that are to take the place of others
// and have not yet.
const tempPrefix = ".yaytpl-"

// A tempFile is a new file beside the one whose place it is to take. As long as its
// maker lives it is locked: so others can tell that it was not left behind, and wait for
// the end once it has its name.
type tempFile struct {
	place
	file *os.File
	step stepper
}

// prepared returns a temporary file in the directory of p that holds a text, with the
// owner and permissions of another file, or with that mode if old is nil.
func (p place) prepared(text string, mode fs.FileMode, old fs.FileInfo, step stepper) (*tempFile, error) {
	t, err := p.newTemp(mode, step)
	if err != nil {
		return nil, err
	}
	if err = t.fill(text); err == nil && old != nil {
		err = t.takeOver(old)
	}
	if err == nil {
		err = t.sync()
	}
	if err != nil {
		return nil, errors.Join(err, t.discard())
	}
	return t, nil
}

// newTemp makes a temporary file in the directory of p.
func (p place) newTemp(mode fs.FileMode, step stepper) (*tempFile, error) {
	if err := step("create"); err != nil {
		return nil, err
	}
	at := place{p.root, filepath.Join(filepath.Dir(p.rel), tempPrefix+randomName())}
	file, err := at.root.OpenFile(at.rel, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	t := &tempFile{at, file, step}
	if err = step("lock the new file"); err == nil {
		err = tryLock(file)
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, errors.Join(err, t.discard())
	}
	return t, nil
}

// writeSize is how much is written in one step.
const writeSize = 1 << 20

// fill writes the text.
func (t *tempFile) fill(text string) error {
	for len(text) > 0 {
		n := min(len(text), writeSize)
		if err := t.step("write"); err != nil {
			return err
		}
		if _, err := t.file.WriteString(text[:n]); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

// takeOver gives the file the owner and the permissions of another. Only root can give
// files away, so the owner may stay what it is.
func (t *tempFile) takeOver(old fs.FileInfo) error {
	if err := t.step("take over the owner"); err != nil {
		return err
	}
	t.keepOwner(old)
	if err := t.step("take over the permissions"); err != nil {
		return err
	}
	return t.root.Chmod(t.rel, t.permissions(old))
}

// sync makes the text last.
func (t *tempFile) sync() error {
	if err := t.step("sync"); err != nil {
		return err
	}
	return t.file.Sync()
}

// moveTo gives the file the name of another, which is gone then.
func (t *tempFile) moveTo(p place) error {
	if err := t.step("rename"); err != nil {
		return err
	}
	return t.root.Rename(t.rel, p.rel)
}

// moveOver gives the file the name of another, which is gone then and was open. Windows
// renames over an open file on its own file systems only: for others, such as drives of
// the network, the file is closed first. Who waited for its lock finds the new one then.
func (t *tempFile) moveOver(p place, open *os.File) error {
	err := t.moveTo(p)
	if runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) {
		_ = open.Close()
		err = t.root.Rename(t.rel, p.rel)
	}
	return err
}

// discard removes the file.
func (t *tempFile) discard() error {
	err := t.step("remove")
	if err == nil {
		err = t.root.Remove(t.rel)
	}
	return errors.Join(err, t.file.Close())
}

func randomName() string { return strings.ToLower(rand.Text()[:16]) }

// asText returns bytes that nobody changes any more as a text, without a copy.
func asText(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }
