package load

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

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
