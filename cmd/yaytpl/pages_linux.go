package main

import (
	"bytes"
	"os"
	"syscall"
)

// hugeOnRequest reports whether the system has huge pages for memory for which they are requested, and
// only for that.
func hugeOnRequest() bool {
	setting, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && bytes.Contains(setting, []byte("[madvise]"))
}

// requestHuge requests huge pages for a block. It is a hint: an error changes nothing.
func requestHuge(block []byte) { _ = syscall.Madvise(block, syscall.MADV_HUGEPAGE) }
