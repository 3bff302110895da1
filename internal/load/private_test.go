package load_test

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

func TestCreatePrivate(t *testing.T) {
	dir := tree(t, map[string]string{"out/old": "old", "secret": "s", "out/link -> ../secret": "", "out/up -> ..": ""})
	h := load.New(load.Config{Dir: dir, Roots: []string{dir}, AllowWrite: []string{"out"}}).Host("out", "")
	path, err := h.CreatePrivate("keys/db", "", []byte("pw\n"))
	if want := filepath.Join(dir, "out/keys/db"); path != want || err != nil {
		t.Fatalf("CreatePrivate = %q, %v, want %q", path, err, want)
	}
	for name, mode := range map[string]fs.FileMode{"out/keys": 0o700, "out/keys/db": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v, want mode %o", name, info.Mode(), err, mode)
		}
	}
	if got, err := h.ReadFile("keys/db", ""); err != nil || got.Text != "pw\n" {
		t.Errorf("read back %v, %v", got, err)
	}
	if left := leftovers(t, filepath.Join(dir, "out/keys")); left != nil {
		t.Errorf("left: %v", left)
	}
	for _, name := range []string{"old", "link", "keys/db"} {
		if _, err := h.CreatePrivate(name, "", []byte("new")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("CreatePrivate(%q) of a file that exists: %v", name, err)
		}
	}
	for name, code := range map[string]source.Code{"../new": source.Forbidden, "up/new": source.Forbidden, "old/x": source.Access, "https://h/x": source.Access} {
		_, err := h.CreatePrivate(name, "", []byte("new"))
		wants(t, name, err, code)
	}
	for name, want := range map[string]string{"secret": "s", "out/old": "old"} {
		if text, _ := os.ReadFile(filepath.Join(dir, name)); string(text) != want {
			t.Errorf("%s is %q", name, text)
		}
	}
}

// Processes that look for a private file meanwhile see all of it, or none.
func TestCreatePrivateIsWhole(t *testing.T) {
	dir, text := t.TempDir(), strings.Repeat("x", 100_000)
	for i := range 20 {
		name := filepath.Join(dir, fmt.Sprint(i))
		created := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := load.New(load.Config{Dir: dir, AllowWrite: []string{dir}}).Host("", "").CreatePrivate(name, "", []byte(text))
				created <- err
			}()
		}
		for seen := ""; seen == ""; {
			data, err := os.ReadFile(name)
			if seen = string(data); err == nil && seen != text {
				t.Fatalf("a file of %d bytes has %d", len(text), len(seen))
			}
		}
		if first, second := <-created, <-created; (first == nil) == (second == nil) || !errors.Is(cmp.Or(first, second), fs.ErrExist) {
			t.Fatalf("two processes created one file: %v, %v", first, second)
		}
	}
	if names, err := os.ReadDir(dir); len(names) != 20 {
		t.Errorf("%d files, %v", len(names), err)
	}
}
