//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package load

import (
	"errors"
	"os"
)

// tryLock reports that the system has no locks that belong to an open file.
func tryLock(*os.File) error { return errors.ErrUnsupported }
