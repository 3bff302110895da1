//go:build linux

package main

import (
	"syscall"
	"testing"
	"time"
)

// TestEndings checks how exit statuses and messages are classified.
func TestEndings(t *testing.T) {
	exited := func(status int) syscall.WaitStatus { return syscall.WaitStatus(status << 8) }
	killed := syscall.WaitStatus(syscall.SIGKILL)
	tests := []struct {
		name   string
		status syscall.WaitStatus
		cpu    time.Duration
		late   bool
		errs   string
		want   ending
	}{
		{"a result", exited(0), time.Second, false, "", finished},
		{"an error", exited(1), time.Second, false, "error: no [limit]", refused},
		{"over the CPU time", killed, 25 * time.Second, false, "", unended},
		{"over the wall time", killed, time.Second, true, "", unended},
		{"killed for another reason", killed, time.Second, false, "", crashed},
		{"a panic", exited(2), time.Second, false, "panic: x\n\ngoroutine 1 [running]:", crashed},
		{"a stack overflow", exited(2), time.Second, false, "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow", crashed},
		{"no memory", exited(2), time.Second, false, "fatal error: runtime: out of memory\n\ngoroutine 1 [running]:", outOfMemory},
	}
	for _, tt := range tests {
		if got := endingOf(tt.status, tt.cpu, tt.late, tt.errs); got != tt.want {
			t.Errorf("%s: ending %d, want %d", tt.name, got, tt.want)
		}
	}
}
