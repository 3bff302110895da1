package program

import (
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
