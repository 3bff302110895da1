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
	"strings"
	"syscall"
	"time"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
)

// A Rewrite is a file that the user named, with the text that was read from it and its new
// text.
type Rewrite struct {
	Name     string
	Old, New string
}

// RewriteAll writes files that were read before: all of them, or none if one cannot be
// written or has changed since. A reader of one file sees the old text or the new one, also
// after a crash. Owner, permissions and extended attributes are kept as by [Files.Replace],
// and links are followed.
//
// The steps that leave no trace when they fail come first. For a.yaml and b.yaml:
//
//	acquire   lock both files and compare them with their old texts
//	prepare   write the new texts to .yaytpl-* in the same directories
//	compare   compare both files with their old texts again
//	rename    rename the first new file to a.yaml, then the second to b.yaml
//	settle    flush the directories, remove .yaytpl-* that others left behind
//
// If the second rename fails, undo puts the old text back into a.yaml. Another process that
// rewrites one of the files waits until the locks are released.
//
// Code: access; if the context is done, its error.
func (f *Files) RewriteAll(list []Rewrite) error {
	return f.rewriteAll(list, time.Now().Add(lockWait), noFaults)
}

// rewriteAll is RewriteAll with a deadline for waiting for locks.
func (f *Files) rewriteAll(list []Rewrite, deadline time.Time, step stepper) error {
	job := &rewriteJob{ctx: f.config.Context, deadline: deadline, step: step}
	defer job.close()
	for _, r := range list {
		defer f.cache.forget(f.Absolute(r.Name), nil)
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
	for _, t := range job.targets {
		f.tellLost(t.shown, t.tmp, t.was)
	}
	return nil
}

// A rewriteJob is one call of RewriteAll.
type rewriteJob struct {
	ctx      context.Context
	deadline time.Time // for locks
	step     stepper
	targets  []*target
}

// acquire locks all files. All processes lock in the order of the paths, so no two of them
// wait for each other.
func (job *rewriteJob) acquire() error {
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

// lock opens a file and locks it. The previous holder of the lock may have replaced the file
// meanwhile; then lock starts again with the new file. Two names of one file are an error,
// since the lock of the second would wait for the first.
func (job *rewriteJob) lock(t *target, others []*target) error {
	for {
		if err := t.open(job.step); err != nil {
			return err
		}
		for _, other := range others {
			if os.SameFile(t.was.info, other.was.info) {
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

// prepare writes the new texts to temporary files.
func (job *rewriteJob) prepare() error {
	for _, t := range job.targets {
		var err error
		if t.tmp, err = t.writeTemp(t.New, 0o600, t.was, job.step); err == nil {
			continue
		}
		failed := t.failed(err)
		var d *source.Diagnostic
		if errors.As(failed, &d) && errors.Is(err, fs.ErrPermission) {
			d.WithHint("the new text is written to a new file, which then replaces the old one, so the directory must be writable")
		}
		return failed
	}
	return nil
}

// compare checks that no file has changed while the new texts were written.
func (job *rewriteJob) compare() error {
	for _, t := range job.targets {
		if err := t.compare(job.step); err != nil {
			return err
		}
	}
	return nil
}

// rename replaces the files with the new ones.
func (job *rewriteJob) rename() error {
	for i, t := range job.targets {
		if err := t.tmp.moveOver(t.sandboxFile, t.old); err != nil {
			return job.undo(job.targets[:i], t.failed(err))
		}
		t.renamed = true
	}
	return nil
}

// undo puts the old texts back into the files that were written before a rename failed. It
// returns the error of that rename and adds the names of the files that have their old text
// again, and of those that could not be restored.
func (job *rewriteJob) undo(written []*target, failed error) error {
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

// settle flushes the directories, so that the new names survive a crash, and removes
// temporary files that other processes left behind. The files are written already, so errors
// are ignored.
func (job *rewriteJob) settle() {
	done := map[string]bool{}
	for _, t := range job.targets {
		if dir := filepath.Dir(t.path); !done[dir] && job.step("sync the directory") == nil {
			done[dir] = true
			t.syncDir()
			t.sweep(job.step)
		}
	}
}

// close removes the temporary files that were not renamed, and releases the locks.
func (job *rewriteJob) close() {
	for _, t := range job.targets {
		switch {
		case t.tmp == nil:
		case t.renamed:
			_ = t.tmp.file.Close()
		default:
			_ = t.tmp.discard() // the caller reports the error that made it useless
		}
		t.closeOld()
		_ = t.root.Close()
	}
}

// A target is one of the files to rewrite.
type target struct {
	Rewrite
	sandboxFile
	path   string // of the place
	linked string // the path that the user named: path itself, or a link to it
	shown  string // the name for messages

	old     *os.File    // the file to replace, locked
	was     *attributes // of old
	tmp     *tempFile   // the new file
	renamed bool        // tmp has replaced old
}

// openTarget finds the file of a rewrite and opens its directory.
func (f *Files) openTarget(r Rewrite) (*target, error) {
	t := &target{Rewrite: r, linked: f.Absolute(r.Name), shown: f.Shown(r.Name)}
	switch {
	case isURL(t.linked):
		return nil, accessError("write", t.shown, errURL)
	case isPipe(t.linked):
		return nil, accessError("write", t.shown, specialError{fs.ModeNamedPipe})
	}
	t.path = followLinks(t.linked)
	root, err := openDir(filepath.Dir(t.path))
	if err != nil {
		return nil, t.failed(err)
	}
	t.sandboxFile = sandboxFile{root, filepath.Base(t.path)}
	return t, nil
}

// open opens the file that has the name now. It is an error if that is not regular or may not
// be written.
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
	if t.was, err = attributesOf(t.old); err == nil && !t.was.info.Mode().IsRegular() {
		err = specialError{t.was.info.Mode()}
	}
	return err
}

// isThere reports whether the opened file still has the name.
func (t *target) isThere() (bool, error) {
	info, err := t.root.Lstat(t.rel)
	if err != nil {
		return false, err
	}
	return os.SameFile(info, t.was.info), nil
}

// compare returns an error if the file has changed since it was read: its text, or the file
// that the name leads to.
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
	case !same, followLinks(t.linked) != t.path:
		return t.changed("changed")
	}
	return nil
}

// holds reports whether the content of a file is text.
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

// errNotOurs reports that another program has written a file after the rename.
var errNotOurs = errors.New("another program has changed it")

// putBack writes the old text again. The renamed file is still locked, so no other run of
// this program has changed it. A change by another program is kept, and reported as
// errNotOurs.
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
	old, err := t.writeTemp(t.Old, 0o600, t.was, step)
	if err != nil {
		return err
	}
	if err := old.moveOver(t.sandboxFile, t.tmp.file); err != nil {
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

// A sameFileError reports that two names in the list are the same file.
type sameFileError struct{ other string }

func (e sameFileError) Error() string { return "it is the same file as " + e.other }

// failed returns the error for a file that cannot be written. The error of a context is
// returned unchanged.
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
		d.WithHint("wait until the program that holds the lock ends; another run of yaytpl ends by itself")
	case errors.Is(err, syscall.EBUSY):
		d.WithHint("a file that is a mount point, as in containers, cannot be replaced: edit the original on the host")
	}
	return d
}

// changed reports that a file was not written because it was changed or deleted.
func (t *target) changed(what string) error {
	return source.Errorf(source.Span{}, source.Access, "%s %s while it was edited; it was not written", t.shown, what).
		WithHint("repeat the edit on the current file")
}

// Locks keep two processes of this program from writing a file at the same time. A lock
// belongs to an open file, so the system releases it when the process ends, also after a
// crash. Locks are advisory on Unix: other programs ignore them.

// errLocked reports that another process holds the lock of a file.
var errLocked = errors.New("it is locked by another program")

// lockWait is the longest time to wait for a lock. Processes of this program hold one no
// longer than writing a few files takes.
const lockWait = 10 * time.Second

// lock locks a file. It waits for the lock until the deadline. If the file system has no
// locks, lock does nothing.
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

// staleAge is the age from which a temporary file may be left over from a crash.
const staleAge = 10 * time.Minute

var tempName = lazy.Regexp{Text: `^\.yaytpl-[a-z2-7]{16}$`}

// sweep removes temporary files that crashed processes left in the directory of t: files with
// the name of a temporary file, older than staleAge by the clock of the file system, that no
// process has locked. Without locks in the file system they are kept.
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
		if !tempName.Get().MatchString(name) {
			continue
		}
		at := sandboxFile{t.root, filepath.Join(filepath.Dir(t.rel), name)}
		info, err := t.root.Lstat(at.rel)
		if err == nil && info.Mode().IsRegular() && now.ModTime().Sub(info.ModTime()) > staleAge {
			at.removeStale(info, step)
		}
	}
}

// removeStale removes the temporary file p unless it is locked or is not the file of info.
func (p sandboxFile) removeStale(info fs.FileInfo, step stepper) {
	file, err := p.root.OpenFile(p.rel, os.O_RDWR|nonBlocking, 0)
	if err != nil {
		return
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil || !os.SameFile(info, opened) || tryLock(file) != nil || step("remove a stale file") != nil {
		return
	}
	_ = p.root.Remove(p.rel)
}
