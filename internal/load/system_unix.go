//go:build unix

package load

import (
	"io/fs"
	"syscall"
)

// nonBlocking keeps an open from waiting for the other end of a pipe that took the
// place of a regular file.
const nonBlocking = syscall.O_NONBLOCK

// keepOwner tries to give the file the owner of another.
func (p place) keepOwner(old fs.FileInfo) {
	if stat, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = p.root.Lchown(p.rel, int(stat.Uid), int(stat.Gid))
	}
}

// permissions returns the mode for the file at p, which takes the place of another: that
// of the other. If the system does not let it have the group of the other, its own may
// do what anybody may.
func (p place) permissions(old fs.FileInfo) fs.FileMode {
	mode := old.Mode().Perm()
	was, known := old.Sys().(*syscall.Stat_t)
	if !known || p.groupIs(was.Gid) {
		return mode
	}
	if p.root.Lchown(p.rel, -1, int(was.Gid)) == nil {
		return mode
	}
	return mode&^0o070 | mode&0o007<<3
}

func (p place) groupIs(gid uint32) bool {
	info, err := p.root.Lstat(p.rel)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Gid == gid
}
