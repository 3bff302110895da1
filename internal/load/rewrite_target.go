package load

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/yaytpl/yaytpl/source"
)

// A target is one of the files.
type target struct {
	Rewrite
	place
	path   string // where the place is
	linked string // what leads there: path itself, or a link
	shown  string // what messages call it

	old     *os.File    // what is to be replaced, locked
	info    fs.FileInfo // of old
	tmp     *tempFile   // what is to take its place
	written bool        // it has
}

// openTarget finds where a file is.
func (f *Files) openTarget(r Rewrite) (*target, error) {
	t := &target{Rewrite: r, linked: f.Absolute(r.Name), shown: f.Shown(r.Name)}
	switch {
	case isURL(t.linked):
		return nil, accessError("write", t.shown, errURL)
	case isPipe(t.linked):
		return nil, accessError("write", t.shown, specialError{fs.ModeNamedPipe})
	}
	t.path = resolved(t.linked)
	root, err := os.OpenRoot(filepath.Dir(t.path))
	if err != nil {
		return nil, t.failed(err)
	}
	t.place = place{root, filepath.Base(t.path)}
	return t, nil
}

// open opens the file as it is now. Only a regular file that may be written is opened.
func (t *target) open(step stepper) error {
	t.closeOld()
	info, err := t.root.Lstat(t.rel)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return specialError{info.Mode()}
	}
	if err := step("open"); err != nil {
		return err
	}
	if t.old, err = t.root.OpenFile(t.rel, os.O_RDWR|nonBlocking, 0); err != nil {
		return err
	}
	if t.info, err = t.old.Stat(); err == nil && !t.info.Mode().IsRegular() {
		err = specialError{t.info.Mode()}
	}
	return err
}

// isThere reports whether the name still means the file that was opened.
func (t *target) isThere() (bool, error) {
	info, err := t.root.Lstat(t.rel)
	if err != nil {
		return false, err
	}
	return os.SameFile(info, t.info), nil
}

// compare returns an error if the file is not what it was when it was read.
func (t *target) compare(step stepper) error {
	if err := step("compare"); err != nil {
		return t.failed(err)
	}
	same, err := t.isThere()
	if err == nil && same {
		same, err = holds(t.old, t.Old)
	}
	switch {
	case err != nil:
		return t.failed(err)
	case !same, resolved(t.linked) != t.path:
		return t.changed("changed")
	}
	return nil
}

// holds reports whether a file holds that text and no more.
func holds(file *os.File, text string) (bool, error) {
	info, err := file.Stat()
	if err != nil || info.Size() != int64(len(text)) {
		return false, err
	}
	buf := make([]byte, 64<<10)
	for at := 0; ; {
		n, err := file.ReadAt(buf, int64(at))
		if n > len(text)-at || string(buf[:n]) != text[at:at+n] {
			return false, nil
		}
		at += n
		if errors.Is(err, io.EOF) {
			return at == len(text), nil
		}
		if err != nil {
			return false, err
		}
	}
}

func (t *target) closeOld() {
	if t.old != nil {
		_ = t.old.Close()
		t.old = nil
	}
}

// A sameFileError says that a file has two names among those to write.
type sameFileError struct{ other string }

func (e sameFileError) Error() string { return "it is the same file as " + e.other }

// failed says why a file cannot be written.
func (t *target) failed(err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case missing(err):
		return t.changed("was deleted")
	}
	d := accessError("write", t.shown, err)
	switch {
	case errors.Is(err, errLocked):
		d.WithHint("who has the lock must end first, as another run of yaytpl does by itself")
	case errors.Is(err, syscall.EBUSY):
		d.WithHint("a file that is mounted by itself, as in containers, cannot be replaced: edit it where it comes from")
	}
	return d
}

// failedBeside says why the new text cannot be written beside a file.
func (t *target) failedBeside(err error) error {
	failed := t.failed(err)
	var d *source.Diagnostic
	if errors.As(failed, &d) && errors.Is(err, fs.ErrPermission) {
		d.WithHint("the new text is written beside the file before it takes its place, so the directory must be writable")
	}
	return failed
}

// changed says that a file is not written because of what became of it.
func (t *target) changed(what string) error {
	return source.Errorf(source.Span{}, source.Access, "%s %s while it was edited; it was not written", t.shown, what).
		WithHint("edit it again, as it is now")
}
