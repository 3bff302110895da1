package main

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
)

// # Large pages
//
// Linux makes a page of memory when it is used first. With pages of 4 kB that is a third of the time of setting a
// value in a file of 5 MB, and a sixth of the time of a merge. The heap begins with pages of 2 MB instead:
// largeFactor times the size of the files, and mostLarge at most. They are not made before the heap grows into them.
//
//	files of 5 MB    a block of 120 MB is allocated, large pages are requested for it, and it is collected
//	parsing          takes the lowest free memory first, as the runtime always does: the 120 MB
const (
	largeFactor = 24
	mostLarge   = 256 << 20
)

var largePages sync.Once

// useLargePages makes the heap begin with large pages for files of a size, and returns their bytes. Only the first
// call has an effect. Where all memory has large pages, or none has, it returns 0.
func useLargePages(size int64) (heap int64) {
	largePages.Do(func() {
		setting, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
		if err != nil || !bytes.Contains(setting, []byte("[madvise]")) {
			return
		}
		heap = min(largeFactor*size, mostLarge)
		debug.SetGCPercent(-1) // the block does not begin a collection, after which it would still be there
		_ = syscall.Madvise(make([]byte, heap), syscall.MADV_HUGEPAGE)
		runtime.GC()
	})
	return heap
}
