//go:build unix

package load_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

func TestOpenPipe(t *testing.T) {
	dir := tree(t, nil)
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666))
	done := make(chan error, 1)
	go func() {
		_, err := load.New(load.Config{Dir: dir}).Open("pipe", "")
		done <- err
	}()
	select {
	case err := <-done:
		wants(t, "pipe", err, source.Access, "pipe", `"-"`)
	case <-time.After(2 * time.Second):
		t.Fatal("Open of a pipe hangs")
	}
}
