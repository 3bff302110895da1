// Package run has what the kinds of encrypted data share in one run: the files that the user names, the notes of what
// was read, errors.
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Files reads the files that the user names on the command line, and notes them. It is safe for concurrent use.
type Files struct {
	Dir string // the base of relative names; "" is the working directory

	mu    sync.Mutex
	reads []Read // each once
}

// A Read is a file, program or environment variable that a decrypter has used.
type Read struct {
	Kind string // file, absent, program or env
	Name string // the absolute path of a file
}

// Note notes that something was used.
func (f *Files) Note(kind, name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if read := (Read{kind, name}); !slices.Contains(f.reads, read) {
		f.reads = append(f.reads, read)
	}
}

// Reads returns the inputs that were noted so far.
func (f *Files) Reads() []Read {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.reads)
}

// Path returns the path of a file.
func (f *Files) Path(name string) string {
	if f.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(f.Dir, name)
}

// Read reads a file of at most limit bytes. The
// sandbox does not apply. Pipes such as <(command) are files as well. If ctx is done, it returns its
// error, also while it waits for the other end of a pipe: then it leaves the read to its goroutine.
func (f *Files) Read(ctx context.Context, name string, limit int) ([]byte, error) {
	name = f.Path(name)
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := readFile(name, limit)
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		f.noteFile(name)
		return r.data, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// noteFile notes that a file was read, or looked for in vain.
func (f *Files) noteFile(name string) {
	path, err := filepath.Abs(name)
	if err != nil {
		return
	}
	kind := "file"
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		kind = "absent"
	}
	f.Note(kind, path)
}

func readFile(name string, limit int) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, PlainCause(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	switch {
	case err != nil:
		return nil, PlainCause(err)
	case len(data) > limit:
		return nil, fmt.Errorf("it has more than %d bytes", limit)
	}
	return data, nil
}

// PlainCause returns an error without the name of the file, since the message has that, and
// without wrapped errors.
func PlainCause(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		err = pe.Err
	}
	return errors.New(err.Error())
}
