//go:build !unix

package load

import "io/fs"

// nonBlocking is not needed where pipes have names of their own.
const nonBlocking = 0

// keepOwner does nothing: a new file inherits its owner from the directory here.
func (p place) keepOwner(fs.FileInfo) {}

// permissions returns the mode for a file that takes the place of another.
func (p place) permissions(old fs.FileInfo) fs.FileMode { return old.Mode().Perm() }
