//go:build !linux

package load

import (
	"errors"
	"os"
)

// flushAll reports that the system cannot flush all files of a file system at once.
func flushAll(*os.File) error { return errors.ErrUnsupported }
