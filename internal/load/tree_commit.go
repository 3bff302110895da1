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
		for _, c := range t.changes {
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

// sweep locks the stage that another process left, if there is one and no process uses it, so that
// Close removes it.
func (t *Tree) sweep() {
	if t.root == nil || t.lock != nil {
		return
	}
	if _, err := t.root.Lstat(stageName); err == nil {
		t.lock, _ = t.tryStage(time.Now())
	}
}

// flush flushes the new files: kill -9 does not lose them, but a loss of power may.
func (t *Tree) flush() error {
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
			file, err = t.root.OpenFile(c.staged, os.O_RDWR, 0)
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
	dir, err := t.root.Open(stageName)
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
	if kept := c.staged + ".old"; t.root.Link(filepath.FromSlash(c.name), kept) == nil {
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
		c.kept = stageName + "/" + randomName()
		err = t.root.Rename(name, c.kept)
	} else {
		err = t.rename(c.staged, c.name)
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
		err = t.root.Rename(c.kept, name)
	case c.was:
		err = errors.ErrUnsupported
	default:
		err = t.root.Remove(name)
	}
	c.done = err != nil
	return err
}

// settle flushes the directories, so that the new names survive a crash, and removes directories
// that are empty. The files are written already, so errors are ignored.
func (t *Tree) settle() {
	synced := map[string]bool{}
	for _, c := range t.changes {
		dir := path.Dir(c.name)
		if !synced[dir] && t.step("sync the directory") == nil {
			synced[dir] = true
			place{t.root, filepath.FromSlash(c.name)}.syncDir()
		}
		for c.staged == "" && dir != "." && t.root.Remove(filepath.FromSlash(dir)) == nil {
			dir = path.Dir(dir)
		}
	}
}

// Close removes the files that were not renamed, and the directories that were created for them, and
// releases the lock.
func (t *Tree) Close() {
	if t.root == nil {
		return
	}
	_ = t.dirs.close()
	if t.lock != nil && t.step("close") == nil {
		t.clean()
	}
	if t.lock != nil {
		_ = t.lock.Close()
	}
	_ = t.root.Close()
	t.root, t.lock = nil, nil
}

// clean removes the stage, and without a commit the directories that were created. What cannot be
// removed is left to the next run.
func (t *Tree) clean() {
	names, _ := t.staged()
	for _, name := range names {
		_ = t.root.Remove(stageName + "/" + name)
	}
	if !modesCount { // an open file cannot be removed there
		_ = t.lock.Close()
	}
	_ = t.root.Remove(stageLock)
	_ = t.root.Remove(stageName)
	for _, dir := range t.made {
		if !t.done {
			_ = os.Remove(dir)
		}
	}
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
	case errors.Is(err, syscall.EBUSY), errors.Is(err, syscall.EXDEV):
		d.WithHint("a mount point below the directory cannot be written to: name it as the directory")
	}
	return d
}
