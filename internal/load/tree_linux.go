package load

import (
	"os"

	"golang.org/x/sys/unix"
)

// flushAll flushes all files of the file system of an open directory.
func flushAll(dir *os.File) error { return unix.Syncfs(int(dir.Fd())) }
