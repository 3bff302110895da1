package load

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/yaytpl/yaytpl/source"
)

// The errors of files that the system does not report.
var (
	errOutside = errors.New("outside of the roots")
	errTooBig  = errors.New("too big")
	errURL     = errors.New("it is a URL, not a file")
)

// A linkError is errOutside for a path that leads there by a link.
type linkError struct{}

func (linkError) Error() string { return "outside of the roots, by a link" }

// Unwrap makes errors.Is find errOutside.
func (linkError) Unwrap() error { return errOutside }

// errNoName reports an empty name.
func errNoName() error {
	return source.Errorf(source.Span{}, source.Access, "a file name is empty")
}

// A specialError reports that a path is not a regular file.
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

// outside reports that a file is not below the roots, or that a link leads out of them.
func outside(name, path string, cause error) *source.Diagnostic {
	if path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0" {
		return source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: it leads out of the roots (--root)", name).
			WithHint(stdinHint)
	}
	if errors.Is(cause, linkError{}) {
		return source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: a link in its path leads out of the roots (--root)", name).
			WithHint("--root DIR would allow it, with a directory above the target of the link")
	}
	return source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: it is outside of the roots (--root)", name).
		WithHint("--root %s would allow it", filepath.Dir(path))
}

const stdinHint = `the name "-" reads standard input`

// readError returns the error for a file that cannot be read.
func (f *Files) readError(name string, err error) error {
	var d *source.Diagnostic
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
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

// accessError reports that a file cannot be read or written. Errors of package os repeat the
// name, so only the cause in them is quoted.
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

// A deadLinkError is the error of writing to a link that leads nowhere: neither to replace the link nor to make a file
// elsewhere is certain to be what the user wants.
type deadLinkError struct{ target string }

func (e deadLinkError) Error() string {
	return "it is a link to " + e.target + ", which does not exist"
}

// deadLink returns the error if path is a symbolic link that leads nowhere, nil otherwise.
func deadLink(path string) error {
	target, err := os.Readlink(path)
	if err != nil {
		return nil
	}
	if _, err := os.Stat(path); !missing(err) {
		return nil
	}
	return deadLinkError{target}
}

// hintDeadLink adds to the error of reading a file that does not exist that it is a link.
func hintDeadLink(err error, path string) error {
	if d, ok := err.(*source.Diagnostic); ok && d.Cause == fs.ErrNotExist {
		if dead := deadLink(path); dead != nil {
			return d.WithHint("%s", dead)
		}
	}
	return err
}

// missing reports whether err says that a file does not exist. A path below a regular file
// does not exist either.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
