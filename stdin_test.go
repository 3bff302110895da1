package yaytpl_test

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// A reader that blocks does not keep Open from returning, and one that panics is an error.
func TestBlockedStdin(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	_, err = yaytpl.Open(ctx, []string{"-"}, yaytpl.Options{Stdin: struct{ io.Reader }{r}})
	if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, source.ErrLimit) {
		t.Errorf("blocked: %v", err)
	}
	_, err = yaytpl.Open(t.Context(), []string{"-"}, yaytpl.Options{Stdin: panicking{}})
	var d *source.Diagnostic
	if !errors.As(err, &d) || d.Code != source.Internal {
		t.Errorf("panics: %v", err)
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("boom") }
