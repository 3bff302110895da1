//go:build !windows

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// takesEscapes reports that a terminal understands escape sequences.
func takesEscapes(uintptr) bool { return true }

// withoutSignal returns a file for the same output as f, which has a descriptor. If a reader of a pipe is gone,
// writing returns an error; with descriptors 1 and 2 the Go runtime ends the process.
func withoutSignal(f *os.File, descriptor int) *os.File {
	again, err := unix.FcntlInt(uintptr(descriptor), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return f
	}
	return os.NewFile(uintptr(again), f.Name())
}
