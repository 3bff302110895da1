package load

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// flushAll flushes all files of the file system of an open directory.
func flushAll(dir *os.File) error { return unix.Syncfs(int(dir.Fd())) }

// openDirs are directories of a tree that stay open, so that creating and renaming a file are one call
// of the system each. Methods of os.Root open the directories each time: for thousands of small files
// that takes longer than writing them.
type openDirs struct {
	stage, last *os.File
	lastName    string
}

// create creates a file in the stage, and fails if it exists.
func (t *Tree) create(staged string, mode fs.FileMode) (*os.File, error) {
	fd, err := t.createPlain(staged, mode)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), staged), nil
}

// createPlain is create for a file that only gets a text: an os.File takes one more call of the system and memory.
func (t *Tree) createPlain(staged string, mode fs.FileMode) (descriptor, error) {
	if err := t.openStage(); err != nil {
		return 0, err
	}
	const flags = unix.O_RDWR | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	var fd int
	err := uninterrupted(func() (err error) {
		fd, err = unix.Openat(int(t.dirs.stage.Fd()), staged, flags, uint32(mode.Perm()))
		return err
	})
	if err != nil {
		return 0, &fs.PathError{Op: "open", Path: staged, Err: err}
	}
	return descriptor(fd), nil
}

// A descriptor is an open regular file that is written by one goroutine.
type descriptor int

// WriteString implements [io.StringWriter].
func (d descriptor) WriteString(text string) (written int, err error) {
	for data := unsafe.Slice(unsafe.StringData(text), len(text)); written < len(data) && err == nil; {
		var n int
		err = uninterrupted(func() (err error) {
			n, err = unix.Write(int(d), data[written:])
			return err
		})
		if written += max(n, 0); n == 0 && err == nil {
			err = io.ErrUnexpectedEOF
		}
	}
	return written, err
}

// Close implements [io.Closer].
func (d descriptor) Close() error { return unix.Close(int(d)) }

func (t *Tree) openStage() (err error) {
	if t.dirs.stage == nil {
		t.dirs.stage, err = t.area.in.Open(t.area.name)
	}
	return err
}

// rename moves a file of the stage to its name in the tree.
func (t *Tree) rename(staged, name string) error {
	if err := t.openStage(); err != nil {
		return err
	}
	if dir := path.Dir(name); t.dirs.last == nil || t.dirs.lastName != dir {
		file, err := t.root.Open(filepath.FromSlash(dir))
		if err != nil {
			return err
		}
		if t.dirs.last != nil {
			_ = t.dirs.last.Close()
		}
		t.dirs.last, t.dirs.lastName = file, dir
	}
	err := uninterrupted(func() error {
		return unix.Renameat(int(t.dirs.stage.Fd()), staged, int(t.dirs.last.Fd()), path.Base(name))
	})
	if err != nil {
		return &os.LinkError{Op: "rename", Old: staged, New: name, Err: err}
	}
	return nil
}

func (d *openDirs) close() error {
	var err error
	for _, file := range []*os.File{d.stage, d.last} {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	*d = openDirs{}
	return err
}

// uninterrupted repeats a call of the system that a signal interrupts.
func uninterrupted(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}
