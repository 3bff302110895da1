package load

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// replace puts a new file in the place of the old one, if there is one: a reader
// sees the old text or the new one, whole, and so does who looks after a crash. The
// permissions stay, and the owner where the system lets them.
func (p place) replace(data []byte) error {
	mode, old, err := p.writable()
	if err != nil {
		return err
	}
	tmp := place{p.root, filepath.Join(filepath.Dir(p.rel), ".yaytpl-"+randomName())}
	if err := tmp.create(data, mode); err != nil {
		return err
	}
	if old != nil {
		err = tmp.takeOver(old)
	}
	if err == nil {
		err = p.root.Rename(tmp.rel, p.rel)
	}
	if err != nil {
		return errors.Join(err, p.root.Remove(tmp.rel))
	}
	p.syncDir()
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
	return 0o600, info, p.mayWrite()
}

// mayWrite returns an error if the file is protected from being written. Renaming
// another over it would not mind.
func (p place) mayWrite() error {
	f, err := p.root.OpenFile(p.rel, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// takeOver gives the file the owner and the permissions of another. Only root can
// give files away, so that may fail.
func (p place) takeOver(old fs.FileInfo) error {
	p.keepOwner(old)
	return p.root.Chmod(p.rel, old.Mode().Perm())
}

// syncDir makes the new name of a file last. Not every system can do that.
func (p place) syncDir() {
	if dir, err := p.root.Open(filepath.Dir(p.rel)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

func randomName() string { return strings.ToLower(rand.Text()[:16]) }
