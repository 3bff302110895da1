//go:build !unix

package system_test

import "testing"

func makeFIFO(t *testing.T, _ string) {
	t.Helper()
	t.Skip("this system has no FIFOs in its file system")
}
