package load

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"github.com/yaytpl/yaytpl/source"
)

// WriteFile writes a file below the directories of Config.AllowWrite and returns its absolute
// path. It creates missing directories. The file is replaced atomically: a reader sees the
// old text or the new one. If name is a link, the link itself is replaced. Codes: forbidden,
// access.
func (h *Host) WriteFile(name, base string, data []byte) (string, error) {
	return h.write(name, base, data, 0o777, func(p sandboxFile, shown string) error { return h.files.replace(p, shown, data) })
}

// CreatePrivate writes a new file below the directories of Config.AllowWrite that only the user can
// read, as well as the directories that are missing, and returns its absolute path. A reader sees the whole
// file or none. Codes: forbidden, access. If there is a file of this name, errors.Is reports
// fs.ErrExist.
func (h *Host) CreatePrivate(name, base string, data []byte) (string, error) {
	return h.write(name, base, data, 0o700, func(p sandboxFile, _ string) error { return p.createWhole(data) })
}

// write calls do with the place of a file for data that a document names, below the directories of
// Config.AllowWrite, and returns its absolute path. It creates missing directories, with a mode.
func (h *Host) write(name, base string, data []byte, mode fs.FileMode, do func(p sandboxFile, shown string) error) (string, error) {
	if err := h.work(writeSteps+len(data), name); err != nil {
		return "", err
	}
	f := h.files
	path, err := f.resolve(name, h.base(base))
	if err != nil {
		return "", err
	}
	if isURL(path) {
		return "", source.Errorf(source.Span{}, source.Access, "cannot write %s: only files can be written", withoutSecrets(path))
	}
	shown := f.display(path)
	for _, w := range places(f.write, path) { // the user named these directories, so they are created as well
		if err := os.MkdirAll(w.dir, 0o777); err != nil {
			return path, accessError("write", shown, err)
		}
	}
	err = within(f.write, path, func(p sandboxFile) error {
		if err := p.root.MkdirAll(filepath.Dir(p.rel), mode); err != nil {
			return err
		}
		return do(p, shown)
	})
	f.cache.forget(path, nil)
	switch {
	case err == nil:
		return path, nil
	case errors.Is(err, errOutside):
		return path, mustNotWrite(shown, filepath.Dir(path))
	}
	return path, accessError("write", shown, err)
}

// mustNotWrite reports that a file is not below a directory of Config.AllowWrite.
func mustNotWrite(name, dir string) error {
	return source.Errorf(source.Span{}, source.Forbidden, "%s must not be written: it is not below a directory of --allow-write", name).
		WithHint("--allow-write %s would allow it", dir)
}

// TempFile writes a new file whose name ends in suffix and returns its absolute path. The
// file is in the system's directory for temporary files if that may be written to, else in
// the first directory that may. Codes: forbidden, bad-value (a separator in the suffix),
// access.
func (h *Host) TempFile(suffix string, data []byte) (string, error) {
	f := h.files
	if err := h.work(writeSteps+len(data), suffix); err != nil {
		return "", err
	}
	if len(f.write) == 0 {
		return "", mustNotWrite("a temporary file", os.TempDir())
	}
	if strings.ContainsAny(suffix, "/\\\x00") {
		return "", source.Errorf(source.Span{}, source.BadValue, "the suffix %q of a temporary file has a path separator", suffix)
	}
	dir := f.tempDir()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", accessError("write", "a temporary file", err)
	}
	h.Dir("tmp") // whose name is a part of the result, as are the letters by chance
	f.inputs.note(Input{Kind: RandomInput, Name: ""}, h.by)
	path := filepath.Join(dir, "yaytpl-"+randomName()+suffix)
	err := within([]string{dir}, path, func(p sandboxFile) error { return p.create(data) })
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

// create writes a new file that only the user can read. It is an error if the file exists.
func (p sandboxFile) create(data []byte) error {
	file, err := p.root.OpenFile(p.rel, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
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

// createWhole is create for a file that other processes wait for: it gets its name when it has its text. Without hard
// links in the file system it is create.
func (p sandboxFile) createWhole(data []byte) error {
	tmp, err := p.writeTemp(asText(data), 0o600, nil, noFaults)
	if err != nil {
		return err
	}
	err = p.root.Link(tmp.rel, p.rel)
	_ = tmp.file.Close()
	_ = tmp.root.Remove(tmp.rel) // if this fails, a later RewriteAll removes it
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = p.create(data)
	}
	if err == nil {
		p.syncDir()
	}
	return err
}

// Replace writes a file that the user named, atomically: a reader sees the old text or the new
// one. An existing file keeps its permissions; a link is followed, and its target replaced. A link that leads
// nowhere is an error. Code: access.
func (f *Files) Replace(name string, data []byte) error {
	path := f.Absolute(name)
	err := deadLink(path)
	if err == nil {
		err = anywhere(path, func(p sandboxFile) error { return f.replace(p, f.Shown(name), data) })
	}
	f.cache.forget(path, nil)
	if err != nil {
		return accessError("write", f.Shown(name), err)
	}
	return nil
}

// Backup writes the text that a file had when it was read to a new file with ".bak" appended
// to its name, or to the next free name: a.yaml.bak, a.yaml.bak.1, a.yaml.bak.2. No existing file
// is overwritten; a link that has the name is replaced and not followed. The backup gets the
// owner and the permissions of the file, so that it is readable for the same users. Code: access.
func (f *Files) Backup(name, text string) error {
	var like *attributes
	err := anywhere(f.Absolute(name), func(p sandboxFile) (err error) { like, err = p.openAttributes(); return err })
	path := f.Absolute(name + ".bak")
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = enter(way{filepath.Dir(path), filepath.Base(path)}, func(p sandboxFile) error { return f.putNew(p, text, like) })
	}
	if err != nil {
		return accessError("write", f.Shown(name+".bak"), err)
	}
	return nil
}

// replace writes the file p atomically: a reader sees the old text or the new one, also after
// a crash. An existing file keeps its attributes as far as the system permits; warnings about the
// others call it shown.
func (f *Files) replace(p sandboxFile, shown string, data []byte) error {
	mode, old, err := p.writable()
	if err != nil {
		return err
	}
	tmp, err := p.writeTemp(asText(data), mode, old, noFaults)
	if err != nil {
		return err
	}
	if err := tmp.moveTo(p); err != nil {
		return errors.Join(err, tmp.discard())
	}
	p.syncDir()
	_ = tmp.file.Close()
	f.tellLost(shown, tmp, old)
	return nil
}

// putNew writes a new file p, or one with the next free name, and replaces only links. It has the
// attributes of like, or is readable by the user only if like is nil.
func (f *Files) putNew(p sandboxFile, text string, like *attributes) error {
	tmp, err := p.writeTemp(text, 0o600, like, noFaults)
	if err != nil {
		return err
	}
	free, err := p.reserve()
	if err == nil {
		if err = tmp.moveTo(free); err != nil {
			err = errors.Join(err, p.root.Remove(free.rel))
		}
	}
	if err != nil {
		return errors.Join(err, tmp.discard())
	}
	p.syncDir()
	_ = tmp.file.Close()
	f.tellLost(filepath.Join(f.display(p.root.Name()), free.rel), tmp, nil)
	return nil
}

// reserve creates an empty file with the first free name of p, p with ".1", p with ".2". Of two
// processes each gets a name of its own. A link counts as free: it is removed.
func (p sandboxFile) reserve() (sandboxFile, error) {
	for n := 0; ; n++ {
		free := p
		if n > 0 {
			free.rel += "." + strconv.Itoa(n)
		}
		info, err := p.root.Lstat(free.rel)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return free, err
		case err == nil && info.Mode()&fs.ModeSymlink == 0:
			continue
		case err == nil:
			if err := p.root.Remove(free.rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return free, err
			}
		}
		file, err := p.root.OpenFile(free.rel, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue // another process was faster
		}
		if err != nil {
			return free, err
		}
		return free, file.Close()
	}
}

// writable returns the mode for the new file and the attributes of the old one, which are nil
// for a missing file and for a link. It is an error if the old file is not regular or may not
// be written.
func (p sandboxFile) writable() (fs.FileMode, *attributes, error) {
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
	// Renaming would replace a file without write permission, too. Opening it checks that.
	file, err := p.root.OpenFile(p.rel, os.O_WRONLY, 0)
	if err != nil {
		return 0, nil, err
	}
	old, err := attributesOf(file)
	return 0o600, old, errors.Join(err, file.Close())
}

// syncDir flushes the directory, so that the new name survives a crash. Not every system can
// do that, so errors are ignored.
func (p sandboxFile) syncDir() {
	if dir, err := p.root.Open(filepath.Dir(p.rel)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

// A stepper is called before each step of writing a file. If it returns an error, the step
// fails with that error; tests use this to make any step fail.
type stepper func(step string) error

// noFaults lets all steps happen.
func noFaults(string) error { return nil }

// tempPrefix begins the names of temporary files: new files before they are renamed.
const tempPrefix = ".yaytpl-"

// A tempFile is a new file in the directory of the file that it will replace. The process
// that creates it holds a lock on it. The lock tells other processes that the file is in use,
// and not left over from a crash; after the rename it makes them wait for the end of the job.
type tempFile struct {
	sandboxFile
	file *os.File
	step stepper
	lost []string // formats of warnings, with %s for the name of the file
}

// writeTemp returns a temporary file in the directory of p with a text. It has the
// attributes of old, or mode if old is nil.
func (p sandboxFile) writeTemp(text string, mode fs.FileMode, old *attributes, step stepper) (*tempFile, error) {
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

// newTemp creates and locks a temporary file in the directory of p.
func (p sandboxFile) newTemp(mode fs.FileMode, step stepper) (*tempFile, error) {
	if err := step("create"); err != nil {
		return nil, err
	}
	at := sandboxFile{p.root, filepath.Join(filepath.Dir(p.rel), tempPrefix+randomName())}
	file, err := at.root.OpenFile(at.rel, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	t := &tempFile{sandboxFile: at, file: file, step: step}
	if err = step("lock the new file"); err == nil {
		err = tryLock(file)
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, errors.Join(err, t.discard())
	}
	return t, nil
}

// writeSize is the number of bytes written in one step.
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

// sync flushes the text, so that it survives a crash.
func (t *tempFile) sync() error {
	if err := t.step("sync"); err != nil {
		return err
	}
	return t.file.Sync()
}

// moveTo renames the file to p and so replaces the file there.
func (t *tempFile) moveTo(p sandboxFile) error {
	if err := t.step("rename"); err != nil {
		return err
	}
	return t.root.Rename(t.rel, p.rel)
}

// moveOver is moveTo for a file that this process has open. Windows can rename over an open
// file on NTFS, but not on network drives; there the file is closed first, which gives up its
// lock. Processes that waited for that lock notice the new file and wait for its lock.
func (t *tempFile) moveOver(p sandboxFile, open *os.File) error {
	err := t.moveTo(p)
	if runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) {
		_ = open.Close()
		err = t.root.Rename(t.rel, p.rel)
	}
	return err
}

// discard removes and closes the file.
func (t *tempFile) discard() error {
	err := t.step("remove")
	if err == nil {
		err = t.root.Remove(t.rel)
	}
	return errors.Join(err, t.file.Close())
}

func randomName() string { return strings.ToLower(rand.Text()[:16]) }

// asText converts data to a string without copying. The caller must not change data
// afterwards.
func asText(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }
