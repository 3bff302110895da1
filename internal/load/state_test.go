package load

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

func TestStat(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(dir, "sub", "f"), filepath.Join(other, "x")} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if runtime.GOOS != "windows" {
		for link, to := range map[string]string{"good": "sub/f", "bad": "nowhere", "out": filepath.Join(other, "x")} {
			if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	h := New(Config{Roots: []string{dir}, Dir: dir}).Host(dir, dir)
	for _, c := range []struct {
		name   string
		follow bool
		want   string
	}{
		{"sub", true, "dir"}, {"sub/f", true, "file"}, {"nope", true, "none"}, {"sub/f/x", true, "none"}, {".", true, "dir"},
		{filepath.Join(other, "x"), true, "forbidden"}, {"../x", true, "forbidden"}, {"http://h/x", true, "access"},
		{"good", true, "file"}, {"good", false, "link"}, {"bad", true, "none"}, {"bad", false, "link"}, {"out", true, "forbidden"}, {"out", false, "link"},
	} {
		if runtime.GOOS == "windows" && (c.name == "good" || c.name == "bad" || c.name == "out") {
			continue
		}
		info, err := h.Stat(c.name, "", c.follow)
		got := "none"
		switch {
		case err != nil:
			got = string(source.AsDiagnostic(err, source.Span{}, source.Internal).Code)
		case info == nil:
		case info.IsDir():
			got = "dir"
		case info.Mode().IsRegular():
			got = "file"
		default:
			got = "link"
		}
		if got != c.want {
			t.Errorf("Stat(%q, follow %v) = %s, %v, want %s", c.name, c.follow, got, err, c.want)
		}
	}
	if is, err := h.IsMount("sub", ""); is || err != nil {
		t.Errorf("a directory is a mount: %v, %v", is, err)
	}
}

func TestRealPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs symbolic links")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"l": "sub", "out": "/"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	h := New(Config{Roots: []string{dir}, Dir: dir}).Host(dir, dir)
	for name, want := range map[string]string{
		"l": "sub", "l/x": "sub/x", "l/x/y": "sub/x/y", "nope/../sub": "sub", "sub": "sub",
	} {
		got, err := h.RealPath(name, "")
		if err != nil || got != filepath.Join(dir, want) {
			t.Errorf("RealPath(%q) = %q, %v, want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"/etc", "out", "out/etc"} {
		if _, err := h.RealPath(name, ""); source.AsDiagnostic(err, source.Span{}, source.Internal).Code != source.Forbidden {
			t.Errorf("RealPath(%q) gives %v", name, err)
		}
	}
}
