//go:build unix

package load

import "syscall"

// nonBlocking keeps an open from waiting for the other end of a pipe that took the
// place of a regular file.
const nonBlocking = syscall.O_NONBLOCK
