//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
)

// A text is an input file that is being written.
type text struct {
	file *os.File
	*bufio.Writer
}

// write writes the file name in dir with what fill prints.
func write(dir, name string, fill func(t *text)) error {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	t := &text{f, bufio.NewWriter(f)}
	fill(t)
	if err := t.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func (t *text) printf(format string, args ...any) { fmt.Fprintf(t, format, args...) }

// writeAll writes several files.
func writeAll(dir string, files map[string]func(t *text)) error {
	for name, fill := range files {
		if err := write(dir, name, fill); err != nil {
			return err
		}
	}
	return nil
}

// content prints a constant text.
func content(s string) func(t *text) { return func(t *text) { t.printf("%s", s) } }
