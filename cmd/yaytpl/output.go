package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"syscall"

	"github.com/yaytpl/yaytpl/source"
)

// An output is standard output, buffered. It remembers that it failed, because some
// writers of results do not look.
type output struct {
	*bufio.Writer
	failed error
	under  io.Writer
}

func newOutput(w io.Writer) *output {
	o := &output{under: w}
	o.Writer = bufio.NewWriterSize(writerFunc(o.write), 64<<10)
	return o
}

func (o *output) write(p []byte) (int, error) {
	n, err := o.under.Write(p)
	if err != nil && o.failed == nil {
		o.failed = err
	}
	return n, err
}

// finish writes what is left. The error is errReaderGone, or a finding of code
// access.
func (o *output) finish() error {
	if err := o.Flush(); err != nil && o.failed == nil {
		o.failed = err
	}
	switch {
	case o.failed == nil:
		return nil
	case isReaderGone(runtime.GOOS, o.failed):
		return errReaderGone
	}
	cause := o.failed
	if at := (*fs.PathError)(nil); errors.As(cause, &at) {
		cause = at.Err // the system's name of the stream says nothing
	}
	d := source.Errorf(source.Span{}, source.Access, "cannot write to standard output: %v", cause)
	d.Cause = o.failed
	return d
}

// errReaderGone says that whoever read standard output has seen enough.
var errReaderGone = fmt.Errorf("standard output is closed")

// What Windows says of a pipe that nobody reads any more (Win32, winerror.h).
const (
	brokenPipe       = syscall.Errno(109)
	closingPipe      = syscall.Errno(232)
	disconnectedPipe = syscall.Errno(233)
)

func isReaderGone(system string, err error) bool {
	gone := []error{syscall.EPIPE, io.ErrClosedPipe}
	if system == "windows" {
		gone = append(gone, brokenPipe, closingPipe, disconnectedPipe)
	}
	return slices.ContainsFunc(gone, func(e error) bool { return errors.Is(err, e) })
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
