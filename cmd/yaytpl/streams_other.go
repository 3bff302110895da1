//go:build !windows

package main

import (
	"os"
	"syscall"
)

// takesEscapes reports that a terminal understands escape sequences.
func takesEscapes(uintptr) bool { return true }

// withoutSignal returns a file for the same output as f, which has a descriptor. If a reader of a pipe is gone,
// writing returns an error; with descriptors 1 and 2 the Go runtime ends the process.
func withoutSignal(f *os.File, descriptor int) *os.File {
	again, err := syscall.Dup(descriptor)
	if err != nil {
		return f
	}
	syscall.CloseOnExec(again)
	return os.NewFile(uintptr(again), f.Name())
}
