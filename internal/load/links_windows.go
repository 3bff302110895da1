package load

import (
	"io/fs"
	"os"
	"syscall"
)

// linksOf returns the number of hard links of an open file.
func linksOf(file *os.File, _ fs.FileInfo) int {
	conn, err := file.SyscallConn()
	if err != nil {
		return 1
	}
	var data syscall.ByHandleFileInformation
	failed := conn.Control(func(fd uintptr) { err = syscall.GetFileInformationByHandle(syscall.Handle(fd), &data) })
	if failed != nil || err != nil {
		return 1
	}
	return int(data.NumberOfLinks)
}
