package load

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// The flags and the errors of LockFileEx (Win32, fileapi.h and winerror.h).
const (
	failImmediately = 1
	exclusiveLock   = 2
	invalidFunction = syscall.Errno(1) // what file systems say that lack it
	lockViolation   = syscall.Errno(33)
)

// tryLock takes the lock of an open file, which goes with it when it is closed. It is
// errLocked if somebody else has it. What is locked is a byte far behind the end:
// nobody could read the others while they are.
func tryLock(file *os.File) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	err = conn.Control(func(fd uintptr) {
		at := syscall.Overlapped{Offset: 0xfffffffe, OffsetHigh: 0x7fffffff}
		ok, _, errno := lockFileEx.Call(fd, exclusiveLock|failImmediately, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
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
	return locked // others that mean that there are no locks are errors.ErrUnsupported
}
