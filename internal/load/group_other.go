//go:build !unix

package load

import "io/fs"

// permissions returns the mode for a file that takes the place of another.
func (p place) permissions(old fs.FileInfo) fs.FileMode { return old.Mode().Perm() }
