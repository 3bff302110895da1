package program

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs are known by their endings there")
	}
	dir, empty := t.TempDir(), t.TempDir()
	for name, mode := range map[string]os.FileMode{"tool": 0o755, "text": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	list := func(dirs ...string) string { return strings.Join(dirs, string(os.PathListSeparator)) }
	for _, tt := range []struct{ what, path, name, want string }{
		{"in the second directory", list(empty, dir), "tool", filepath.Join(dir, "tool")},
		{"not there", empty, "tool", ""},
		{"not executable", dir, "text", ""},
		{"in the working directory", list("", ".", "./"), "tool", ""},
		{"no directories", "", "tool", ""},
	} {
		if got := Find(tt.path, tt.name); got != tt.want {
			t.Errorf("%s: Find(%q, %q) = %q, want %q", tt.what, tt.path, tt.name, got, tt.want)
		}
	}
}

func TestOutput(t *testing.T) {
	full := 0
	for _, tt := range []struct {
		what, kept string
		o          Output
		over       bool
		full       int
		written    int // of the last piece
	}{
		{"as much as fits", "abcdef", Output{Limit: 6}, false, 0, 3},
		{"too much, dropped", "abcd", Output{Limit: 4}, true, 0, 3},
		{"too much, refused", "abcd", Output{Limit: 4, Full: func() { full++ }}, true, 1, 0},
		{"no room", "", Output{}, true, 0, 3},
	} {
		full = 0
		_, _ = tt.o.Write([]byte("abc"))
		n, err := tt.o.Write([]byte("def"))
		if n != tt.written || (err != nil) != (n == 0) || full != tt.full {
			t.Errorf("%s: wrote %d, %v, full %d times", tt.what, n, err, full)
		}
		if tt.o.String() != tt.kept || string(tt.o.Bytes()) != tt.kept || tt.o.Over() != tt.over {
			t.Errorf("%s: kept %q, over %v", tt.what, tt.o.String(), tt.o.Over())
		}
	}
}

// Bytes above packAbove are compressed, and Bytes returns them as they were written.
func TestOutputLarge(t *testing.T) {
	pattern := make([]byte, 1<<20)
	for i := range pattern {
		pattern[i] = byte(i * i >> 7)
	}
	for _, size := range []int{packAbove - 1, packAbove, packAbove + 1, packAbove + len(pattern), 2*packAbove + 12345} {
		o, want := Output{Limit: size}, make([]byte, 0, size)
		for len(want) < size {
			piece := pattern[:min(len(pattern), size-len(want))]
			want = append(want, piece...)
			if n, err := o.Write(piece); n != len(piece) || err != nil {
				t.Fatalf("%d bytes: wrote %d, %v", size, n, err)
			}
		}
		_, _ = o.Write([]byte("more"))
		for range 2 {
			if !bytes.Equal(o.Bytes(), want) || !o.Over() {
				t.Errorf("%d bytes: other bytes, over %v", size, o.Over())
			}
		}
	}
}

// A gigabyte of one character is stored in little memory.
func TestOutputMemory(t *testing.T) {
	const limit = 1 << 30
	full := false
	o, piece := Output{Limit: limit, Full: func() { full = true }}, make([]byte, 1<<20)
	for !full {
		_, _ = o.Write(piece)
	}
	if held := o.text.Cap() + o.packed.Cap(); held > 64<<20 || !o.Over() {
		t.Errorf("%d bytes are held in %d", o.size, held)
	}
}
