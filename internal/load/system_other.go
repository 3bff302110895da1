//go:build !unix

package load

import "io/fs"

// nonBlocking is 0: named pipes are not files of a directory here.
const nonBlocking = 0

// keepOwner does nothing: a new file inherits its owner from the directory.
func (p sandboxFile) keepOwner(fs.FileInfo) {}

// permissions returns the mode for a file that replaces old.
func (p sandboxFile) permissions(old fs.FileInfo) fs.FileMode { return old.Mode().Perm() }

// sameDevice reports true: the devices of files are not known here.
func sameDevice(_, _ fs.FileInfo) bool { return true }

// sameOwner reports true: the owners of files are not known here.
func sameOwner(_, _ fs.FileInfo) bool { return true }

// isSuperusers reports false: the owners of files are not known here.
func isSuperusers(fs.FileInfo) bool { return false }

// isForeign reports false: the owners of files are not known here.
func isForeign(fs.FileInfo) bool { return false }
