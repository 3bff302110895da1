//go:build !linux

package load

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// flushAll reports that the system cannot flush all files of a file system at once.
func flushAll(*os.File) error { return errors.ErrUnsupported }

// openDirs has nothing here: os.Root opens the directories of each file.
type openDirs struct{}

func (*openDirs) close() error { return nil }

// create creates a file in the stage, and fails if it exists.
func (t *Tree) create(staged string, mode fs.FileMode) (*os.File, error) {
	return t.area.in.OpenFile(t.area.at(staged).rel, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
}

// createPlain is create.
func (t *Tree) createPlain(staged string, mode fs.FileMode) (*os.File, error) {
	return t.create(staged, mode)
}

// rename moves a file of the stage to its name in the tree.
func (t *Tree) rename(staged, name string) error {
	return t.root.Rename(t.area.at(staged).rel, filepath.FromSlash(name))
}
