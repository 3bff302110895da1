package load

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/yaytpl/yaytpl/source"
)

// A Rewrite is a file that the user named, with what it held when it was read and what
// it is to hold.
type Rewrite struct {
	Name     string
	Old, New string
}

// RewriteAll writes files that were read before: all of them, or none if one cannot be
// written or holds something else now. A reader of one file sees the old text or the
// new one, whole, and so does who looks after a crash. Owner and permissions stay as
// for [Files.Replace], and links are followed.
//
// All that can fail without a trace is done first: the files are locked, compared with
// what they were read as, and the new texts written beside them. What is left is to
// compare again and to rename one after the other. If that fails in the middle, those
// that have their new text already get the old one back. Who else rewrites one of the
// files waits for the end.
//
// Code: access; the error of the context if that ends.
func (f *Files) RewriteAll(list []Rewrite) error { return f.rewriteAll(list, noFaults) }

func (f *Files) rewriteAll(list []Rewrite, step stepper) error {
	job := &rewriting{ctx: f.config.Context, deadline: time.Now().Add(lockWait), step: step}
	defer job.close()
	for _, r := range list {
		t, err := f.openTarget(r)
		if err != nil {
			return err
		}
		job.targets = append(job.targets, t)
	}
	for _, do := range []func() error{job.acquire, job.prepare, job.compare, job.rename} {
		if err := do(); err != nil {
			return err
		}
	}
	for _, t := range job.targets {
		f.forget(f.Absolute(t.Name), nil)
	}
	job.settle()
	return nil
}

// A rewriting is files that are being rewritten.
type rewriting struct {
	ctx      context.Context
	deadline time.Time // for locks
	step     stepper
	targets  []*target
}

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

var errURL = errors.New("it is a URL, and a file is needed")

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

// acquire locks all files, in the same order as everybody else: nobody waits for
// somebody who waits for him.
func (job *rewriting) acquire() error {
	ordered := slices.SortedFunc(slices.Values(job.targets), func(a, b *target) int { return cmp.Compare(a.path, b.path) })
	for i, t := range ordered {
		if err := job.lock(t, ordered[:i]); err != nil {
			return t.failed(err)
		}
		if err := t.compare(job.step); err != nil {
			return err
		}
	}
	return nil
}

// lock opens a file and locks it. Who had the lock may have put another file in its
// place; then it is that one which must be locked.
func (job *rewriting) lock(t *target, others []*target) error {
	for {
		if err := t.open(job.step); err != nil {
			return err
		}
		for _, other := range others {
			if os.SameFile(t.info, other.info) {
				return sameFileError{other.shown}
			}
		}
		if err := job.step("lock"); err != nil {
			return err
		}
		if err := lock(job.ctx, t.old, job.deadline); err != nil {
			return err
		}
		same, err := t.isThere()
		if same || err != nil {
			return err
		}
	}
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
	return os.SameFile(info, t.info) && resolved(t.linked) == t.path, nil
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
	case !same:
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

// prepare writes the new texts beside the files.
func (job *rewriting) prepare() error {
	for _, t := range job.targets {
		var err error
		if t.tmp, err = t.prepared(t.New, 0o600, t.info, job.step); err != nil {
			return t.failed(err)
		}
	}
	return nil
}

// compare looks at all files again.
func (job *rewriting) compare() error {
	for _, t := range job.targets {
		if err := t.compare(job.step); err != nil {
			return err
		}
	}
	return nil
}

// rename puts the new files in the place of the old ones.
func (job *rewriting) rename() error {
	for i, t := range job.targets {
		if err := t.tmp.moveTo(t.place); err != nil {
			return job.undo(job.targets[:i], t.failed(err))
		}
		t.written = true
	}
	return nil
}

// settle makes the new names last, and removes what was left behind by others. That the
// files are written does not depend on it.
func (job *rewriting) settle() {
	done := map[string]bool{}
	for _, t := range job.targets {
		if dir := filepath.Dir(t.path); !done[dir] && job.step("sync the directory") == nil {
			done[dir] = true
			t.syncDir()
			t.sweep(job.step)
		}
	}
}

// close removes the files that did not take the place of others, and gives the locks
// back.
func (job *rewriting) close() {
	for _, t := range job.targets {
		switch {
		case t.tmp == nil:
		case t.written:
			_ = t.tmp.file.Close()
		default:
			_ = t.tmp.discard() // why it is not needed is known
		}
		t.closeOld()
		_ = t.root.Close()
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
	if errors.Is(err, errLocked) {
		d.WithHint("who has the lock must end first, as another run of yaytpl does by itself")
	}
	return d
}

// changed says that a file is not written because of what became of it.
func (t *target) changed(what string) error {
	return source.Errorf(source.Span{}, source.Access, "%s %s while it was edited; it was not written", t.shown, what).
		WithHint("edit it again, as it is now")
}
