//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package load

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks an open file until it is closed. The error is errLocked if another process
// holds the lock, and errors.ErrUnsupported if the file system has no locks.
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
	return locked // ENOSYS, EOPNOTSUPP and ENOTSUP are errors.ErrUnsupported themselves
}
