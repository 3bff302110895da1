//go:build unix

package load

import (
	"io/fs"
	"syscall"
)

// keepOwner tries to give the file the owner of another.
func (p place) keepOwner(old fs.FileInfo) {
	if stat, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = p.root.Lchown(p.rel, int(stat.Uid), int(stat.Gid))
	}
}
