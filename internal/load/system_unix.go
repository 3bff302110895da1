//go:build unix

package load

import (
	"io/fs"
	"syscall"
)

// nonBlocking keeps an open from waiting for the other end of a pipe, in case a pipe has
// replaced a regular file since that was checked.
const nonBlocking = syscall.O_NONBLOCK

// keepOwner tries to set the owner and the group of p to those of old.
func (p place) keepOwner(old fs.FileInfo) {
	if stat, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = p.root.Lchown(p.rel, int(stat.Uid), int(stat.Gid))
	}
}

// permissions returns the mode for the file p, which replaces old: the mode of old. If the
// system refuses to set the group of old, the group of p gets the permissions of others only:
// 0640 becomes 0600, and 0664 becomes 0644.
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

// groupIs reports whether the file p has the group gid.
func (p place) groupIs(gid uint32) bool {
	info, err := p.root.Lstat(p.rel)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Gid == gid
}
