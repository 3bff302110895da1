package load

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unsafe"
)

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

// syncDir makes the new name of a file last. Not every system can do that.
func (p place) syncDir() {
	if dir, err := p.root.Open(filepath.Dir(p.rel)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

func randomName() string { return strings.ToLower(rand.Text()[:16]) }

// asText returns bytes that nobody changes any more as a text, without a copy.
func asText(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }
