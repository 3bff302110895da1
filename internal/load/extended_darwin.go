package load

import "golang.org/x/sys/unix"

// noAttribute reports that a file has no such extended attribute.
const noAttribute = unix.ENOATTR
