package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"
)

// command runs the command with the environment of the process.
func command(ctx context.Context, in io.Reader, out io.Writer, args ...string) (stderr string, status int) {
	var errs bytes.Buffer
	status = run(ctx, args, streams{in: in, out: out, err: &errs})
	return errs.String(), status
}

func TestBrokenPipeIsQuiet(t *testing.T) {
	out := writerFunc(func([]byte) (int, error) { return 0, syscall.EPIPE })
	stderr, status := command(t.Context(), strings.NewReader("a: 1\n"), out, "render", "-")
	if stderr != "" || status != exitDone {
		t.Errorf("status %d, standard error %q", status, stderr)
	}
}

func TestIsReaderGone(t *testing.T) {
	for _, tt := range []struct {
		system string
		err    error
		want   bool
	}{
		{"linux", &fs.PathError{Op: "write", Err: syscall.EPIPE}, true},
		{"linux", io.ErrClosedPipe, true},
		{"linux", syscall.Errno(232), false},
		{"linux", syscall.ENOSPC, false},
		{"windows", &fs.PathError{Op: "write", Err: syscall.Errno(232)}, true},
		{"windows", syscall.Errno(109), true},
		{"windows", syscall.Errno(233), true},
		{"windows", syscall.Errno(112), false}, // the disk is full
	} {
		if got := isReaderGone(tt.system, tt.err); got != tt.want {
			t.Errorf("on %s after %v: %v", tt.system, tt.err, got)
		}
	}
}

func TestFullDiskIsAccess(t *testing.T) {
	out := writerFunc(func([]byte) (int, error) { return 0, syscall.ENOSPC })
	stderr, status := command(t.Context(), strings.NewReader("a: 1\n"), out, "render", "-")
	if !strings.Contains(stderr, "cannot write to standard output") || status != exitAccess {
		t.Errorf("status %d, standard error %q", status, stderr)
	}
}

func TestUnreadableInputIsAccess(t *testing.T) {
	in := iotest.ErrReader(errors.New("the line is dead"))
	stderr, status := command(t.Context(), in, io.Discard, "render", "-")
	if !strings.Contains(stderr, "the line is dead") || status != exitAccess {
		t.Errorf("status %d, standard error %q", status, stderr)
	}
}

// blocked is an input that blocks.
type blocked struct{ until <-chan struct{} }

func (b blocked) Read([]byte) (int, error) { <-b.until; return 0, io.EOF }

func TestInterruptWhileWaitingForInput(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in := blocked{t.Context().Done()}
	time.AfterFunc(20*time.Millisecond, stop)
	stderr, status := command(ctx, in, io.Discard, "render", "-")
	if stderr != "" || status != exitInterrupted {
		t.Errorf("status %d, standard error %q", status, stderr)
	}
}

func TestTimeoutWhileWaitingForInput(t *testing.T) {
	in := blocked{t.Context().Done()}
	stderr, status := command(t.Context(), in, io.Discard, "render", "--timeout", "20ms", "-")
	if !strings.Contains(stderr, "[timeout]") || status != exitLimit {
		t.Errorf("status %d, standard error %q", status, stderr)
	}
}

func TestPanicIsAFinding(t *testing.T) {
	in := readerFunc(func([]byte) (int, error) { panic("boom") })
	stderr, status := command(t.Context(), in, io.Discard, "render", "-")
	if !strings.Contains(stderr, "boom") || !strings.Contains(stderr, "[internal]") || strings.Contains(stderr, "goroutine") || status != exitInput {
		t.Errorf("status %d, standard error %q", status, stderr)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
