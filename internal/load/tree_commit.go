package load

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/yaytpl/yaytpl/source"
)

// CommitTrees makes the changes of all trees, or none.
//
// Code: access.
func CommitTrees(trees []*Tree) error {
	for _, t := range trees {
		if t.broken != nil {
			return t.broken
		}
	}
	for _, t := range trees {
		t.sweep()
		if err := t.flush(); err != nil {
			return err
		}
	}
	for _, t := range trees {
		for _, c := range t.changes {
			t.keep(c)
		}
	}
	for i, t := range trees {
		if err := t.publish(); err != nil {
			return undoTrees(trees[:i+1], t.failed("", err))
		}
		for _, c := range t.changes {
			if c.done {
				continue
			}
			if err := t.make(c); err != nil {
				return undoTrees(trees[:i+1], t.failed(c.name, err))
			}
		}
	}
	for _, t := range trees {
		t.done = true
		t.settle()
	}
	return nil
}

// sweep removes the stages that a crashed process left, in the directory and beside it. The one in the
// directory is locked, so that Close removes it.
func (t *Tree) sweep() {
	if t.root == nil || t.area.apart {
		return
	}
	if t.area.in == nil {
		if _, err := t.root.Lstat(stageName); err == nil {
			t.area = stage{in: t.root, name: stageName}
			_, _ = t.area.tryLock(t, time.Now())
		}
	}
	parent, base := filepath.Split(t.dir)
	if _, err := os.Lstat(filepath.Join(parent, stageBeside(base))); err != nil {
		return
	}
	in, err := openDir(parent)
	if err != nil {
		return
	}
	defer in.Close()
	left := stage{in: in, name: stageBeside(base)}
	if locked, err := left.tryLock(t, time.Now()); err == nil && locked {
		left.remove()
	}
}

// flush flushes the new files: kill -9 does not lose them, but a loss of power may. It is for the sake of the files
// that they replace. The files of a stage that is apart replace none and can be made again, and flushing some
// thousand takes as long as making them.
func (t *Tree) flush() error {
	if t.area.apart {
		return nil
	}
	if len(t.changes) > flushedAlone && t.flushAll() == nil {
		return nil
	}
	for _, c := range t.changes {
		if c.staged == "" {
			continue
		}
		err := t.step("sync")
		var file *os.File
		if err == nil {
			at := t.area.at(c.staged)
			file, err = at.root.OpenFile(at.rel, os.O_RDWR, 0)
		}
		if err == nil {
			err = errors.Join(file.Sync(), file.Close())
		}
		if err != nil {
			return t.failed(c.name, err)
		}
	}
	return nil
}

func (t *Tree) flushAll() error {
	dir, err := t.area.in.Open(t.area.name)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := t.step("flush"); err != nil {
		return err
	}
	return flushAll(dir)
}

// keep links the old file of a change to the stage, for undo. Where the file system has no hard links,
// a later failure cannot be undone.
func (t *Tree) keep(c *treeChange) {
	if !c.was || c.staged == "" || t.step("keep") != nil {
		return
	}
	if kept := t.area.old(); t.root.Link(filepath.FromSlash(c.name), t.area.at(kept).rel) == nil {
		c.kept = kept
	}
}

// make makes one change.
func (t *Tree) make(c *treeChange) error {
	if err := t.step("rename"); err != nil {
		return err
	}
	name := filepath.FromSlash(c.name)
	var err error
	if c.staged == "" {
		c.kept = t.area.old()
		err = t.root.Rename(name, t.area.at(c.kept).rel)
	} else {
		err = t.root.Rename(t.area.at(c.staged).rel, name)
	}
	c.done = err == nil
	return err
}

// undoTrees undoes the changes that were made, the last first. It returns the error that failed, with
// the names of the files that could not be restored.
func undoTrees(trees []*Tree, failed error) error {
	var written []string
	for i := len(trees) - 1; i >= 0; i-- {
		t := trees[i]
		for j := len(t.changes) - 1; j >= 0; j-- {
			c := t.changes[j]
			if c.done && t.undo(c) != nil {
				written = append(written, t.Shown(c.name))
			}
		}
	}
	var d *source.Diagnostic
	if len(written) > 0 && errors.As(failed, &d) {
		d.Message += "; written already: " + strings.Join(written, ", ")
	}
	return failed
}

func (t *Tree) undo(c *treeChange) error {
	err := t.step("undo")
	name := filepath.FromSlash(c.name)
	switch {
	case err != nil:
	case c.kept != "":
		err = t.root.Rename(t.area.at(c.kept).rel, name)
	case c.was:
		err = errors.ErrUnsupported
	default:
		err = t.root.Remove(name)
	}
	c.done = err != nil
	return err
}

// settle flushes the directories, so that the new names survive a loss of power, as the new files do. It removes
// directories that are empty. The files are written already, so errors are ignored.
func (t *Tree) settle() {
	if t.area.apart {
		return
	}
	synced := map[string]bool{}
	for _, c := range t.changes {
		dir := path.Dir(c.name)
		if !synced[dir] && t.step("sync the directory") == nil {
			synced[dir] = true
			sandboxFile{t.root, filepath.FromSlash(c.name)}.syncDir()
		}
		for c.staged == "" && dir != "." && t.root.Remove(filepath.FromSlash(dir)) == nil {
			dir = path.Dir(dir)
		}
	}
}

// Close removes the files that were not renamed, and the directories that were created for them, and
// releases the lock. What cannot be removed is left to the next run.
func (t *Tree) Close() {
	ends := t.step("close") == nil
	switch {
	case t.area.lock == nil:
	case ends:
		t.area.remove()
	default:
		_ = t.area.lock.Close()
	}
	for _, dir := range t.made {
		if ends && !t.done {
			_ = os.Remove(dir)
		}
	}
	if t.area.in != nil {
		_ = t.area.in.Close()
	}
	if t.root != nil {
		_ = t.root.Close()
	}
	t.root, t.area = nil, stage{}
}

// failed returns the error for a file that cannot be written. The error of a context is returned
// unchanged.
func (t *Tree) failed(name string, err error) error {
	var d *source.Diagnostic
	switch {
	case t.files.config.Context.Err() != nil && errors.Is(err, t.files.config.Context.Err()), errors.As(err, &d):
		return err
	}
	d = accessError("write", t.Shown(name), err)
	switch {
	case errors.Is(err, errLocked):
		d.WithHint("wait until the program that holds the lock ends; another run of yaytpl ends by itself")
	case errors.As(err, &foreignError{}):
		d.WithHint("remove it: its owner could replace the files that are made in it")
	case errors.Is(err, syscall.EBUSY), errors.Is(err, syscall.EXDEV):
		d.WithHint("a mount point below the directory cannot be written to: name it as the directory")
	}
	return d
}
