//go:build darwin || linux

package load

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// extendedOf returns the extended attributes of an open file, none if its file system has none.
func extendedOf(file *os.File) (map[string]string, error) {
	names, err := sized(file, unix.Flistxattr)
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EPERM) {
		return nil, nil // macOS: EPERM is for files of a kind that has none
	}
	all := map[string]string{}
	for name := range strings.SplitSeq(strings.TrimRight(names, "\x00"), "\x00") {
		if name == "" || err != nil {
			continue
		}
		var text string
		text, err = sized(file, func(fd int, buf []byte) (int, error) { return unix.Fgetxattr(fd, name, buf) })
		if errors.Is(err, noAttribute) {
			err = nil // it was removed meanwhile
			continue
		}
		all[name] = text
	}
	return all, err
}

// sized returns the result of a call that returns the size of its result if buf is empty. The
// result may grow between two calls.
func sized(file *os.File, call func(fd int, buf []byte) (int, error)) (text string, err error) {
	err = control(file, func(fd int) error {
		for {
			n, err := call(fd, nil)
			if n == 0 || err != nil {
				return err
			}
			buf := make([]byte, n)
			n, err = call(fd, buf)
			if errors.Is(err, unix.ERANGE) {
				continue
			}
			if err == nil {
				text = string(buf[:n])
			}
			return err
		}
	})
	return text, err
}

func setExtended(file *os.File, name, text string) error {
	return control(file, func(fd int) error { return unix.Fsetxattr(fd, name, []byte(text), 0) })
}

func removeExtended(file *os.File, name string) error {
	return control(file, func(fd int) error { return unix.Fremovexattr(fd, name) })
}

// control calls do with the descriptor of an open file.
func control(file *os.File, do func(fd int) error) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) {
		for failed = do(int(fd)); errors.Is(failed, unix.EINTR); failed = do(int(fd)) {
		}
	})
	return errors.Join(err, failed)
}
