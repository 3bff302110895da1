package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/yaytpl/yaytpl/source"
)

// What can be wrong with a file besides what the system reports.
var (
	errOutside = errors.New("outside of the roots")
	errLink    = fmt.Errorf("%w, by a link", errOutside)
	errTooBig  = errors.New("too big")
	errURL     = errors.New("it is a URL, and a file is needed")
)

// errNoName says that a name is no name.
func errNoName() error {
	return source.Errorf(source.Span{}, source.Access, "a file name is empty")
}

// A specialError says that a path is not a regular file.
type specialError struct{ mode fs.FileMode }

func (e specialError) Error() string {
	switch {
	case e.mode.IsDir():
		return "it is a directory"
	case e.mode&fs.ModeNamedPipe != 0:
		return "it is a pipe, not a regular file"
	case e.mode&fs.ModeSocket != 0:
		return "it is a socket, not a regular file"
	case e.mode&fs.ModeDevice != 0:
		return "it is a device, not a regular file"
	}
	return "it is not a regular file"
}

// outside says that a file is not below the roots.
func outside(name, path string, cause error) *source.Diagnostic {
	if path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0" {
		return source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: it leads out of the roots (--root)", name).
			WithHint(stdinHint)
	}
	if errors.Is(cause, errLink) {
		return source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: a link in its path leads out of the roots (--root)", name).
			WithHint("--root DIR would allow it, with a directory above what the link points to")
	}
	return source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: it is outside of the roots (--root)", name).
		WithHint("--root %s would allow it", filepath.Dir(path))
}

const stdinHint = `the name "-" reads standard input`

// readError says why a file cannot be read.
func (f *Files) readError(name string, err error) error {
	var d *source.Diagnostic
	switch {
	case errors.As(err, &d):
		return d
	case errors.Is(err, errTooBig):
		return f.tooManyBytes(name)
	case missing(err):
		d = source.Errorf(source.Span{}, source.Access, "no such file: %s", name)
		d.Cause = fs.ErrNotExist
		return d
	}
	return accessError("read", name, err)
}

// accessError says that a file cannot be read or written, without repeating its
// name.
func accessError(verb, name string, err error) *source.Diagnostic {
	why := err
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		why = pe.Err
	case errors.As(err, &le):
		why = le.Err
	}
	d := source.Errorf(source.Span{}, source.Access, "cannot %s %s: %s", verb, name, why)
	d.Cause = err
	var special specialError
	if errors.As(err, &special) && verb == "read" && special.mode&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0 {
		d.WithHint(stdinHint)
	}
	return d
}

// missing reports whether a file does not exist. A file where a directory should be
// counts: nothing is below it.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
