package load

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"
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
		if t.tmp, err = t.prepared(t.New, 0o600, t.info, job.step); err != nil {
			return t.failedBeside(err)
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
		if err := t.tmp.moveOver(t.place, t.old); err != nil {
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
