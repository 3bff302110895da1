package load_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// tree creates files below a new directory: "a/b" is a file, "a/" a directory, and
// "l -> x" a link. If the system does not permit links, a link skips the test.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, text := range files {
		link, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(dir, link)
		must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		switch {
		case isLink:
			symlink(t, strings.ReplaceAll(target, "DIR", dir), path)
		case strings.HasSuffix(name, "/"):
			must(t, os.MkdirAll(path, 0o777))
		default:
			must(t, os.WriteFile(path, []byte(text), 0o666))
		}
	}
	return dir
}

// symlink creates a link. Windows permits that to some users only.
func symlink(t testing.TB, target, path string) {
	t.Helper()
	err := os.Symlink(target, path)
	if _, unread := os.Readlink(path); runtime.GOOS == "windows" && errors.Join(err, unread) != nil {
		t.Skip("links cannot be made here")
	}
	must(t, err)
}

// fileURL returns the URL of a path.
func fileURL(host, path string) string {
	return "file://" + host + "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wants checks that err is a Diagnostic with that code, and that its message and hint contain
// the words.
func wants(t *testing.T, rule string, err error, code source.Code, words ...string) {
	t.Helper()
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		t.Errorf("%s: error is %v, want a Diagnostic with code %s", rule, err, code)
		return
	}
	if d.Code != code {
		t.Errorf("%s: error is %v, want code %s", rule, err, code)
	}
	for _, word := range words {
		if !strings.Contains(d.Message+"\n"+d.Hint, word) {
			t.Errorf("%s: error is %q (%s), want it to contain %q", rule, d.Message, d.Hint, word)
		}
	}
}

func TestOpen(t *testing.T) {
	dir := tree(t, map[string]string{
		"repo/main.yaml": "m", "repo/sub/a.yaml": "a", "repo/sub/b c.yaml": "bc", "repo/z#1.yaml": "z",
		"inc/only.yaml": "only", "inc/main.yaml": "shadowed", "other/x.yaml": "o",
	})
	repo := filepath.Join(dir, "repo")
	tests := []openTest{
		{"relative to the working directory", "main.yaml", "", "m", "main.yaml"},
		{"relative to base", "a.yaml", filepath.Join(repo, "sub"), "a", "sub/a.yaml"},
		{"base may be relative", "a.yaml", "sub", "a", "sub/a.yaml"},
		{"dots are worked out", "../main.yaml", filepath.Join(repo, "sub"), "m", "main.yaml"},
		{"absolute", filepath.Join(repo, "main.yaml"), filepath.Join(repo, "sub"), "m", "main.yaml"},
		{"file URL", fileURL("", repo) + "/sub/b%20c.yaml", "", "bc", "sub/b c.yaml"},
		{"file URL with localhost", fileURL("localhost", repo) + "/main.yaml", "", "m", "main.yaml"},
		{"relative file URL", "file:sub/a.yaml", "", "a", "sub/a.yaml"},
		{"a name is no URL", "z#1.yaml", repo, "z", "z#1.yaml"},
		{"without its drive", repo[len(filepath.VolumeName(repo)):] + "/main.yaml", "", "m", "main.yaml"},
		{"base wins over the search path", "main.yaml", repo, "m", "main.yaml"},
		{"the search path", "only.yaml", repo, "only", filepath.Join(dir, "inc/only.yaml")},
		{"a named repository is a root", filepath.Join(dir, "other/x.yaml"), repo, "o", filepath.Join(dir, "other/x.yaml")},
	}
	f := load.New(load.Config{
		Dir: repo, Roots: []string{"."}, Search: []string{"../inc"},
		Repositories: map[string]string{"o": "../other", "web": "https://example.invalid/"},
	})
	for _, tt := range tests {
		tt.try(t, f)
	}
}

func TestOpenLinks(t *testing.T) {
	dir := tree(t, map[string]string{
		"repo/main.yaml": "m", "repo/sub/a.yaml": "a",
		"repo/inner -> sub/a.yaml": "", "repo/absolute -> DIR/repo/sub/a.yaml": "", "repo/dir -> sub": "",
		"repo/..data/x": "x", "repo/x -> ..data/x": "", "alias -> repo": "",
	})
	repo := filepath.Join(dir, "repo")
	f := load.New(load.Config{Dir: repo, Roots: []string{"."}})
	for _, tt := range []openTest{
		{"a link inside", "inner", repo, "a", "inner"},
		{"an absolute link inside", "absolute", repo, "a", "absolute"},
		{"a directory link inside", "dir/a.yaml", repo, "a", "dir/a.yaml"},
		{"two dots may begin a name", "x", repo, "x", "x"},
		{"a root by its other name", filepath.Join(dir, "alias/main.yaml"), "", "m", filepath.Join(dir, "alias/main.yaml")},
	} {
		tt.try(t, f)
	}
}

// An openTest is a file that can be opened.
type openTest struct {
	rule, name, base string
	want, display    string
}

func (tt openTest) try(t *testing.T, f *load.Files) {
	t.Helper()
	got, err := f.Open(tt.name, tt.base)
	if err != nil {
		t.Errorf("%s: Open(%q, %q) = %v", tt.rule, tt.name, tt.base, err)
		return
	}
	if got.Text != tt.want || filepath.ToSlash(got.Name) != filepath.ToSlash(tt.display) || !filepath.IsAbs(got.Path) {
		t.Errorf("%s: Open(%q, %q) = %q named %q at %q, want %q named %q", tt.rule, tt.name, tt.base, got.Text, got.Name, got.Path, tt.want, tt.display)
	}
}

func TestOpenRefusals(t *testing.T) {
	dir := tree(t, map[string]string{
		"repo/main.yaml": "m", "repo/sub/": "", "secret.yaml": "s", "repo/bad.yaml": "a: 1\nb: é\xff\n", "repo/big.yaml": strings.Repeat("x", 100),
		"inc/": "",
	})
	repo := filepath.Join(dir, "repo")
	tests := []struct {
		rule, name, base string
		code             source.Code
		words            []string
	}{
		{"above the root", "../secret.yaml", repo, source.Forbidden, []string{"secret.yaml", "--root", dir}},
		{"above the root, not existing", "../ghost.yaml", repo, source.Forbidden, []string{"--root"}},
		{"absolute", filepath.Join(dir, "secret.yaml"), "", source.Forbidden, []string{"--root"}},
		{"file URL", fileURL("", dir) + "/secret.yaml", "", source.Forbidden, []string{"--root"}},
		{"out of the search path", "../secret.yaml", filepath.Join(dir, "inc"), source.Forbidden, []string{"--root"}},
		{"a directory", "sub", repo, source.Access, []string{"directory"}},
		{"the root itself", ".", repo, source.Access, []string{"directory"}},
		{"no name", "", repo, source.Access, []string{"empty"}},
		{"NUL in a name", "a\x00b", repo, source.Access, nil},
		{"an endless name", strings.Repeat("x", 5000), repo, source.Access, nil},
		{"file URL of another machine", "file://host/x", repo, source.Access, []string{"localhost"}},
		{"file URL with a fragment", "file:main.yaml#x", repo, source.Access, []string{"fragment"}},
		{"another scheme", "ftp://user:pw@host/x", repo, source.Access, []string{"ftp://host/x", "http"}},
		{"not UTF-8", "bad.yaml", repo, source.Syntax, []string{"UTF-8", "0xff"}},
		{"the network is closed", "https://user:pw@host/x", repo, source.Forbidden, []string{"https://host/x", "--allow-url"}},
	}
	f := load.New(load.Config{Dir: repo, Roots: []string{repo}, Search: []string{filepath.Join(dir, "inc")}})
	for _, tt := range tests {
		_, err := f.Open(tt.name, tt.base)
		wants(t, tt.rule, err, tt.code, tt.words...)
		if err != nil && strings.Contains(err.Error(), "pw") {
			t.Errorf("%s: the password is shown: %v", tt.rule, err)
		}
	}
}

func TestOpenRefusesLinks(t *testing.T) {
	dir := tree(t, map[string]string{
		"repo/main.yaml": "m", "secret.yaml": "s",
		"repo/out -> ../secret.yaml": "", "repo/outdir -> ..": "", "repo/abs -> DIR/secret.yaml": "", "repo/loop -> loop": "", "repo/gone -> nowhere": "",
	})
	repo := filepath.Join(dir, "repo")
	f := load.New(load.Config{Dir: repo, Roots: []string{repo}})
	for _, tt := range []struct {
		rule, name string
		code       source.Code
		words      []string
	}{
		{"out", "out", source.Forbidden, []string{"out ", "link", "--root"}},
		{"absolute", "abs", source.Forbidden, []string{"link", "--root"}},
		{"a directory out", "outdir/secret.yaml", source.Forbidden, []string{"link", "--root"}},
		{"to itself", "loop", source.Access, []string{"loop", "links"}},
		{"to nothing", "gone", source.Access, []string{"no such file: gone"}},
	} {
		_, err := f.Open(tt.name, repo)
		wants(t, tt.rule, err, tt.code, tt.words...)
	}
	if got, err := f.Open("outdir/repo/main.yaml", repo); err != nil || got.Text != "m" {
		t.Errorf("out and in again: %v, %v", got, err)
	}
}

func TestOpenMissing(t *testing.T) {
	dir := tree(t, map[string]string{"repo/a.yaml": "", "inc/found.yaml": "f"})
	repo := filepath.Join(dir, "repo")
	f := load.New(load.Config{Dir: repo, Roots: []string{repo}, Search: []string{filepath.Join(dir, "inc")}})
	for _, tt := range []struct{ rule, name, base string }{
		{"a file", "ghost.yaml", repo},
		{"a directory", "ghost/x.yaml", repo},
		{"below a file", "a.yaml/x", repo},
		{"the user's files are not searched for", "found.yaml", ""},
		{"absolute names are not searched for", filepath.Join(repo, "found.yaml"), repo},
	} {
		_, err := f.Open(tt.name, tt.base)
		if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, source.ErrAccess) {
			t.Errorf("%s: Open(%q, %q) = %v, want fs.ErrNotExist with code access", tt.rule, tt.name, tt.base, err)
		}
	}
}

func TestOpenSyntaxPlace(t *testing.T) {
	dir := tree(t, map[string]string{"bad.yaml": "a: 1\nb: é\xff\n"})
	_, err := load.New(load.Config{Dir: dir}).Open("bad.yaml", "")
	if err == nil || !strings.HasPrefix(err.Error(), "bad.yaml:2:5: ") {
		t.Errorf("Open of bad UTF-8 = %v, want it at bad.yaml:2:5", err)
	}
}

func TestOpenEncodings(t *testing.T) {
	tests := []struct{ rule, bytes, want string }{
		{"UTF-8", "a: é", "a: é"},
		{"the mark of UTF-8 stays", "\xef\xbb\xbfa", "\uFEFFa"},
		{"UTF-16, little end first", "\xff\xfea\x00\xe9\x00\x3d\xd8\x00\xde", "aé😀"},
		{"UTF-16, big end first", "\xfe\xff\x00a\x00\xe9\xd8\x3d\xde\x00", "aé😀"},
		{"UTF-32, little end first", "\xff\xfe\x00\x00a\x00\x00\x00\x00\xf6\x01\x00", "a😀"},
		{"UTF-32, big end first", "\x00\x00\xfe\xff\x00\x00\x00a\x00\x01\xf6\x00", "a😀"},
		{"U+FFFD is a character", "a\uFFFDb", "a\uFFFDb"},
		{"nothing", "", ""},
		{"UTF-16 of nothing", "\xff\xfe", ""},
		{"half a unit", "\xff\xfea\x00b", "error"},
		{"half a pair", "\xff\xfe\x3d\xd8", "error"},
		{"a pair the wrong way round", "\xff\xfe\x00\xde\x3d\xd8", "error"},
		{"beyond Unicode", "\x00\x00\xfe\xff\x00\x11\x00\x00", "error"},
	}
	for _, tt := range tests {
		dir := tree(t, map[string]string{"f": tt.bytes})
		f, err := load.New(load.Config{Dir: dir}).Open("f", "")
		if tt.want == "error" {
			wants(t, tt.rule, err, source.Syntax, "UTF-16")
		} else if err != nil || f.Text != tt.want {
			t.Errorf("%s: Open = %v, %v, want %q", tt.rule, f, err, tt.want)
		}
	}
}

func TestOpenSpecialFiles(t *testing.T) {
	for _, path := range []string{"/dev/zero", "/dev/null", "/dev/stdin", "/proc/self/fd/0"} {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		done := make(chan error, 1)
		go func() {
			_, err := load.New(load.Config{Roots: []string{"/"}}).Open(path, "")
			done <- err
		}()
		select {
		case err := <-done:
			wants(t, path, err, source.Access)
		case <-time.After(2 * time.Second):
			t.Fatalf("Open(%s) hangs", path)
		}
	}
}

func TestOpenCaches(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a", "sub/": ""})
	f := load.New(load.Config{Dir: dir, MaxFiles: 1, MaxBytes: 1})
	first, err := f.Open("a.yaml", "")
	must(t, err)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			again, err := f.Open("../a.yaml", filepath.Join(dir, "sub"))
			if again != first || err != nil {
				t.Errorf("second Open = %p, %v, want the same file %p", again, err, first)
			}
		})
	}
	all.Wait()
}

func TestOpenLimits(t *testing.T) {
	dir := tree(t, map[string]string{"a": "12345", "b": "12345", "c": "12345"})
	open := func(f *load.Files, names ...string) (err error) {
		for _, name := range names {
			if _, err = f.Open(name, ""); err != nil {
				return err
			}
		}
		return nil
	}
	must(t, open(load.New(load.Config{Dir: dir, MaxFiles: 2, MaxBytes: 10}), "a", "b", "a", "b"))
	wants(t, "files", open(load.New(load.Config{Dir: dir, MaxFiles: 2}), "a", "b", "c"), source.Limit, "--max-files", "2")
	wants(t, "bytes", open(load.New(load.Config{Dir: dir, MaxBytes: 14}), "a", "b", "c"), source.Limit, "--max-bytes", "14", "c")
	overlay := load.Config{Dir: dir, MaxBytes: 4, Overlay: map[string]string{filepath.Join(dir, "a"): "12345"}}
	wants(t, "overlay", open(load.New(overlay), "a"), source.Limit, "--max-bytes")
}

func TestOverlay(t *testing.T) {
	dir := tree(t, map[string]string{"repo/a": "disk"})
	repo := filepath.Join(dir, "repo")
	f := load.New(load.Config{Dir: repo, Roots: []string{repo}, Overlay: map[string]string{
		filepath.Join(repo, "a"): "buffer", filepath.Join(repo, "new"): "unsaved", filepath.Join(dir, "x"): "outside",
	}})
	for name, want := range map[string]string{"a": "buffer", "new": "unsaved"} {
		if got, err := f.Open(name, repo); err != nil || got.Text != want {
			t.Errorf("Open(%q) = %v, %v, want %q", name, got, err, want)
		}
	}
	_, err := f.Open("../x", repo)
	wants(t, "an overlay outside of the roots", err, source.Forbidden, "--root")
}

func TestOpenStdin(t *testing.T) {
	f := load.New(load.Config{Stdin: strings.NewReader("a: 1")})
	first, err := f.OpenStdin()
	if err != nil || first.Text != "a: 1" || first.Name != "-" || first.Path != "" {
		t.Fatalf("OpenStdin = %v, %v", first, err)
	}
	if again, err := f.OpenStdin(); again != first || err != nil {
		t.Errorf("second OpenStdin = %v, %v, want the same file", again, err)
	}
	zeros, err := os.Open("/dev/zero")
	if err != nil {
		t.Skip(err)
	}
	defer zeros.Close()
	_, err = load.New(load.Config{Stdin: zeros, MaxBytes: 1000}).OpenStdin()
	wants(t, "endless", err, source.Limit, "--max-bytes")
}

func TestDefaultRoots(t *testing.T) {
	dir := tree(t, map[string]string{
		"repo/.git/": "", "repo/a/b/f.yaml": "", "repo/module/.git": "gitdir: x", "repo/module/f": "",
		"work/in/f": "", "elsewhere/deep/f": "",
	})
	tests := []struct {
		rule, dir string
		files     []string
		want      []string
	}{
		{"the enclosing repository", "work", []string{"../repo/a/b/f.yaml"}, []string{"repo"}},
		{"from inside", "repo/a", []string{"b/f.yaml"}, []string{"repo"}},
		{"the nearest; .git may be a file", "work", []string{"../repo/module/f"}, []string{"repo/module"}},
		{"the working directory", "work", []string{"in/f"}, []string{"work"}},
		{"the directory of the file", "work", []string{"../elsewhere/deep/f"}, []string{"elsewhere/deep"}},
		{"each file", "work", []string{"in/f", "../repo/module/f", "in/g"}, []string{"work", "repo/module"}},
		{"standard input", "repo/a", []string{"-"}, []string{"repo"}},
		{"standard input without a repository", "work", []string{"-"}, []string{"work"}},
		{"URLs add nothing", "work", []string{"https://example.invalid/x"}, nil},
	}
	for _, tt := range tests {
		f := load.New(load.Config{Dir: filepath.Join(dir, tt.dir)})
		got := load.DefaultRoots(f, tt.files)
		for i, root := range got {
			got[i], _ = filepath.Rel(dir, root)
		}
		if strings.Join(got, " ") != filepath.FromSlash(strings.Join(tt.want, " ")) {
			t.Errorf("%s: DefaultRoots(%q) = %q, want %q", tt.rule, tt.files, got, tt.want)
		}
	}
}

func TestRootsFollowTheFiles(t *testing.T) {
	dir := tree(t, map[string]string{"repo/.git/": "", "repo/a/f": "f", "repo/b/g": "g", "h": "h"})
	f := load.New(load.Config{Dir: filepath.Join(dir, "repo/a"), Files: []string{"f"}})
	if g, err := f.Open("../b/g", filepath.Join(dir, "repo/a")); err != nil || g.Text != "g" {
		t.Errorf("Open in the repository = %v, %v", g, err)
	}
	_, err := f.Open("../../h", filepath.Join(dir, "repo/a"))
	wants(t, "outside of the repository", err, source.Forbidden, "--root")
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() <= 0 || runtime.GOOS == "windows" {
		t.Skip("root reads everything")
	}
	dir := tree(t, map[string]string{"f": "x"})
	must(t, os.Chmod(filepath.Join(dir, "f"), 0))
	_, err := load.New(load.Config{Dir: dir}).Open("f", "")
	wants(t, "no permission", err, source.Access, "cannot read f: permission denied")
}
