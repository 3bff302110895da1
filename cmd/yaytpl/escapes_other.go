//go:build !windows

package main

// takesEscapes reports that a terminal understands escape sequences.
func takesEscapes(uintptr) bool { return true }
