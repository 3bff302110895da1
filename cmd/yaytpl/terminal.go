package main

import (
	"io"
	"os"
	"runtime"

	"golang.org/x/term"
)

// isTerminal reports whether w is a terminal that understands escape sequences.
func (a *app) isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false
	}
	kind, _ := a.getenv("TERM")
	return kind != "dumb" && takesEscapes(f.Fd())
}

// openTerminal returns an input or output as a file if it is a terminal.
func openTerminal(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// processTerminal returns the name of the terminal that a process was started at, as
// the system calls it.
func processTerminal() string {
	if runtime.GOOS == "windows" {
		return "CONIN$"
	}
	return "/dev/tty"
}

// colored reports whether to write colours to w (https://no-color.org).
func (a *app) colored(w io.Writer) bool {
	switch a.general.color.value {
	case "always":
		return true
	case "never":
		return false
	}
	if no, _ := a.getenv("NO_COLOR"); no != "" {
		return false
	}
	return a.isTerminal(w)
}
