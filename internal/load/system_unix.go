//go:build unix

package load

import (
	"io/fs"
	"os"
	"syscall"
)

// nonBlocking keeps an open from waiting for the other end of a pipe, in case a pipe has
// replaced a regular file since that was checked.
const nonBlocking = syscall.O_NONBLOCK

// keepOwner tries to give p the owner and the group of old.
func (p sandboxFile) keepOwner(old fs.FileInfo) {
	if stat, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = p.root.Lchown(p.rel, int(stat.Uid), int(stat.Gid))
	}
}

// permissions returns the mode for the file p, which replaces old: the mode of old, with its
// setuid and setgid bits if p has the same owner and group. If the system refuses to set the group
// of old, the group of p gets the permissions of others only: 0640 becomes 0600, and 0664 becomes
// 0644.
func (p sandboxFile) permissions(old fs.FileInfo) fs.FileMode {
	mode := old.Mode() & (fs.ModePerm | specialBits)
	was, known := old.Sys().(*syscall.Stat_t)
	if !known {
		return mode.Perm()
	}
	if !p.has(func(is *syscall.Stat_t) bool { return is.Uid == was.Uid }) {
		mode &^= fs.ModeSetuid
	}
	sameGroup := func(is *syscall.Stat_t) bool { return is.Gid == was.Gid }
	if p.has(sameGroup) || p.root.Lchown(p.rel, -1, int(was.Gid)) == nil {
		return mode
	}
	return mode&^(0o070|fs.ModeSetgid) | mode&0o007<<3
}

// has reports whether the properties of the file p are as is says.
func (p sandboxFile) has(is func(*syscall.Stat_t) bool) bool {
	info, err := p.root.Lstat(p.rel)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && is(stat)
}

// linksOf returns the number of hard links of an open file.
func linksOf(_ *os.File, info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 1
}

// sameDevice reports whether two files are on the same device.
func sameDevice(a, b fs.FileInfo) bool {
	x, ok1 := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return !ok1 || !ok2 || x.Dev == y.Dev
}

// sameOwner reports whether two files belong to one user.
func sameOwner(a, b fs.FileInfo) bool {
	x, ok1 := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && x.Uid == y.Uid
}

// isSuperusers reports whether a file belongs to the superuser.
func isSuperusers(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0
}

// isForeign reports whether a file belongs to another user than the process.
func isForeign(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) != os.Geteuid()
}
