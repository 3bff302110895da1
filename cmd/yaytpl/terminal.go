package main

import (
	"io"

	"golang.org/x/term"
)

// isTerminal reports whether w is a terminal that understands escape sequences.
func (a *app) isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false
	}
	kind, _ := a.getenv("TERM")
	return kind != "dumb"
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
