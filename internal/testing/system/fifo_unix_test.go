//go:build unix

package system_test

import (
	"syscall"
	"testing"
)

// makeFIFO makes a file whose opening waits for somebody at its other end.
func makeFIFO(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
