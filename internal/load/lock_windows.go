package load

import (
	"errors"
	"os"
	"syscall"
	"unsafe"

	"github.com/yaytpl/yaytpl/internal/lazy"
)

var lockFileEx = lazy.Value[*syscall.LazyProc]{Make: func() *syscall.LazyProc {
	return syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
}}

// The flags and the errors of LockFileEx (Win32, fileapi.h and winerror.h).
const (
	failImmediately = 1
	exclusiveLock   = 2
	invalidFunction = syscall.Errno(1) // the file system has no locks
	lockViolation   = syscall.Errno(33)
)

// tryLock locks an open file until it is closed. The error is errLocked if another process
// holds the lock, and errors.ErrUnsupported if the file system has no locks. Windows lets no
// other process read locked bytes, so tryLock locks one byte far after the end of the file.
func tryLock(file *os.File) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	err = conn.Control(func(fd uintptr) {
		at := syscall.Overlapped{Offset: 0xfffffffe, OffsetHigh: 0x7fffffff}
		ok, _, errno := lockFileEx.Get().Call(fd, exclusiveLock|failImmediately, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
		if ok == 0 {
			locked = errno
		}
	})
	switch {
	case err != nil:
		return err
	case errors.Is(locked, lockViolation):
		return errLocked
	case errors.Is(locked, invalidFunction):
		return errors.ErrUnsupported
	}
	return locked // ERROR_NOT_SUPPORTED and the like are errors.ErrUnsupported themselves
}
