package load_test

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// inputs are the ways to read standard input.
var inputs = map[string]func(*load.Files) error{
	"OpenStdin": func(f *load.Files) error { _, err := f.OpenStdin(); return err },
	"Bytes":     func(f *load.Files) error { _, err := f.Bytes("-"); return err },
}

// Reads of an input that never ends return the error of the context when that is done.
func TestBlockedStdin(t *testing.T) {
	for rule, read := range inputs {
		for _, want := range []error{context.Canceled, context.DeadlineExceeded} {
			r, w, err := os.Pipe()
			must(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			if want == context.DeadlineExceeded {
				ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
			} else {
				time.AfterFunc(20*time.Millisecond, cancel)
			}
			in := &noted{Reader: r}
			f := load.New(load.Config{Dir: t.TempDir(), Stdin: in, Context: ctx})
			if err := read(f); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", rule, err, want)
			}
			must(t, w.Close()) // the blocked read returns, and no other one follows
			must(t, r.Close())
			cancel()
		}
	}
}

// noted is a reader that is hidden from type assertions.
type noted struct{ io.Reader }

// A context that is done ends reading between two reads.
func TestEndlessStdin(t *testing.T) {
	for rule, read := range inputs {
		ctx, cancel := context.WithCancel(t.Context())
		reads := 0
		in := readerFunc(func(p []byte) (int, error) {
			if reads++; reads == 10 {
				cancel()
			}
			return copy(p, "a"), nil
		})
		done := make(chan error)
		go func() { done <- read(load.New(load.Config{Dir: t.TempDir(), Stdin: in, Context: ctx})) }()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

// A reader that panics or ends its goroutine is an error.
func TestPanickingStdin(t *testing.T) {
	for rule, read := range inputs {
		in := readerFunc(func([]byte) (int, error) { panic("boom") })
		wants(t, rule, read(load.New(load.Config{Stdin: in})), source.Internal, "the reader of the input panicked: boom")
		in = func([]byte) (int, error) { runtime.Goexit(); return 0, nil }
		wants(t, rule, read(load.New(load.Config{Stdin: in})), source.Access, "cannot read standard input: the reader ended its goroutine")
		in = strings.NewReader("a: 1\n").Read
		must(t, read(load.New(load.Config{Stdin: in})))
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
