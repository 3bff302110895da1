package load

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
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
func (f *Files) RewriteAll(list []Rewrite) error {
	return f.rewriteAll(list, time.Now().Add(lockWait), noFaults)
}

// rewriteAll is RewriteAll with the time until which locks are waited for.
func (f *Files) rewriteAll(list []Rewrite, deadline time.Time, step stepper) error {
	job := &rewriting{ctx: f.config.Context, deadline: deadline, step: step}
	defer job.close()
	for _, r := range list {
		defer f.forget(f.Absolute(r.Name), nil)
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
		switch {
		case same || err != nil:
			return err
		case time.Now().After(job.deadline):
			return errLocked
		}
	}
}

// prepare writes the new texts beside the files.
func (job *rewriting) prepare() error {
	for _, t := range job.targets {
		var err error
		if t.tmp, err = t.prepared(t.New, 0o600, t.info, job.step); err == nil {
			continue
		}
		failed := t.failed(err)
		var d *source.Diagnostic
		if errors.As(failed, &d) && errors.Is(err, fs.ErrPermission) {
			d.WithHint("the new text is written beside the file before it takes its place, so the directory must be writable")
		}
		return failed
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
		if err := t.tmp.moveOver(t.place, t.old); err != nil {
			return job.undo(job.targets[:i], t.failed(err))
		}
		t.written = true
	}
	return nil
}

// undo gives files that have their new text already the old one back, since another
// one could not be written, and adds to the error what became of them.
func (job *rewriting) undo(written []*target, failed error) error {
	var d *source.Diagnostic
	if len(written) == 0 || !errors.As(failed, &d) {
		return failed
	}
	var back, kept []string
	for _, t := range written {
		if err := t.putBack(job.step); err != nil {
			d.Note(source.Span{}, "%s", accessError("put back", t.shown, err).Message)
			kept = append(kept, t.shown)
		} else {
			back = append(back, t.shown)
		}
	}
	if len(back) > 0 {
		d.Message += "; put back: " + strings.Join(back, ", ")
	}
	if len(kept) > 0 {
		d.Message += "; written already: " + strings.Join(kept, ", ")
	}
	return d
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

// errNotOurs says that somebody else wrote a file after us.
var errNotOurs = errors.New("it is another file by now")

// putBack writes the old text again. The file that is there is ours, and locked, so
// nobody of us has built on it; what somebody else put there stays.
func (t *target) putBack(step stepper) error {
	ours, err := t.tmp.file.Stat()
	if err != nil {
		return err
	}
	there, err := t.root.Lstat(t.rel)
	if err != nil {
		return err
	}
	if same, err := holds(t.tmp.file, t.New); err != nil || !same || !os.SameFile(there, ours) {
		return errors.Join(err, errNotOurs)
	}
	old, err := t.prepared(t.Old, 0o600, t.info, step)
	if err != nil {
		return err
	}
	if err := old.moveOver(t.place, t.tmp.file); err != nil {
		return errors.Join(err, old.discard())
	}
	t.syncDir()
	_ = old.file.Close()
	return nil
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

// changed says that a file is not written because of what became of it.
func (t *target) changed(what string) error {
	return source.Errorf(source.Span{}, source.Access, "%s %s while it was edited; it was not written", t.shown, what).
		WithHint("edit it again, as it is now")
}

// Locks keep processes of this program from writing one file at the same time. Each is
// on an open file, so the system takes it back when its process ends, however it ends.
// Other programs need not care for them.

// errLocked says that somebody else has the lock of a file.
var errLocked = errors.New("it is locked by another program")

// lockWait is how long a lock is waited for. Nobody of us holds one for longer than it
// takes to write some files.
const lockWait = 10 * time.Second

// lock takes the lock of a file and waits for it until the deadline. Where the system
// has no locks for the file there is none to wait for.
func lock(ctx context.Context, file *os.File, deadline time.Time) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := tryLock(file)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return nil
		case !errors.Is(err, errLocked):
			return err
		case time.Now().After(deadline):
			return errLocked
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// staleAge is how old a temporary file is at least before it is taken for one that was
// left behind.
const staleAge = 10 * time.Minute

var tempName = regexp.MustCompile(`^\.yaytpl-[a-z2-7]{16}$`)

// sweep removes temporary files from the directory of a file that was just written,
// whose makers ended before they could: files with such a name that are old by the clock
// of the file system, and of which nobody has the lock. Where there are no locks they
// stay.
func (t *target) sweep(step stepper) {
	now, err := t.tmp.file.Stat()
	if err != nil {
		return
	}
	dir, err := t.root.Open(".")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if !tempName.MatchString(name) {
			continue
		}
		at := place{t.root, filepath.Join(filepath.Dir(t.rel), name)}
		info, err := t.root.Lstat(at.rel)
		if err == nil && info.Mode().IsRegular() && now.ModTime().Sub(info.ModTime()) > staleAge {
			at.removeStale(info, step)
		}
	}
}

// removeStale removes a temporary file that nobody has the lock of.
func (p place) removeStale(info fs.FileInfo, step stepper) {
	file, err := p.root.OpenFile(p.rel, os.O_RDWR|nonBlocking, 0)
	if err != nil {
		return
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil || !os.SameFile(info, opened) || tryLock(file) != nil || step("remove what was left behind") != nil {
		return
	}
	_ = p.root.Remove(p.rel)
}
