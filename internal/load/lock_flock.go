//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package load

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the lock of an open file, which goes with it when it is closed. It is
// errLocked if somebody else has it, and errors.ErrUnsupported if the file system has
// none.
func tryLock(file *os.File) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	err = conn.Control(func(fd uintptr) {
		for locked = syscall.EINTR; errors.Is(locked, syscall.EINTR); {
			locked = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB)
		}
	})
	switch {
	case err != nil:
		return err
	case errors.Is(locked, syscall.EWOULDBLOCK):
		return errLocked
	case errors.Is(locked, syscall.ENOLCK), errors.Is(locked, syscall.EINVAL):
		return errors.ErrUnsupported
	}
	return locked // others that mean that there are no locks are errors.ErrUnsupported
}
