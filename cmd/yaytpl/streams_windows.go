package main

import (
	"os"
	"syscall"

	"github.com/yaytpl/yaytpl/internal/lazy"
)

var setConsoleMode = lazy.Value[*syscall.LazyProc]{Make: func() *syscall.LazyProc {
	return syscall.NewLazyDLL("kernel32.dll").NewProc("SetConsoleMode")
}}

// processEscapes is the mode of a console in which it understands escape sequences
// (Win32, consoleapi.h: ENABLE_VIRTUAL_TERMINAL_PROCESSING).
const processEscapes = 4

// takesEscapes enables escape sequences on a console and reports whether it understands them.
// Before Windows 10 it does not.
func takesEscapes(console uintptr) bool {
	var mode uint32
	if syscall.GetConsoleMode(syscall.Handle(console), &mode) != nil {
		return false
	}
	if mode&processEscapes != 0 {
		return true
	}
	ok, _, _ := setConsoleMode.Get().Call(console, uintptr(mode|processEscapes))
	return ok != 0
}

// withoutSignal returns f: a pipe without a reader is an error of writing.
func withoutSignal(f *os.File, _ int) *os.File { return f }
