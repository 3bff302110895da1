package load_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

func environment(vars ...string) (func(string) (string, bool), func() []string) {
	get := func(name string) (string, bool) {
		for _, v := range vars {
			if key, value, _ := strings.Cut(v, "="); key == name {
				return value, true
			}
		}
		return "", false
	}
	return get, func() []string { return vars }
}

func TestEnvironment(t *testing.T) {
	tests := []struct {
		rule   string
		config load.Config
		want   string
	}{
		{"open", load.Config{}, "APP_A APP_B HOME"},
		{"closed", load.Config{NoEnv: true}, ""},
		{"closed wins", load.Config{NoEnv: true, AllowEnv: []string{"*"}}, ""},
		{"limited to names", load.Config{AllowEnv: []string{"HOME", "GHOST"}}, "HOME"},
		{"limited by a pattern", load.Config{AllowEnv: []string{"APP_?"}}, "APP_A APP_B"},
		{"a bad pattern matches nothing", load.Config{AllowEnv: []string{"[", "HO"}}, ""},
		{"closed with the network", load.Config{AllowURL: true}, ""},
		{"opened with the network", load.Config{AllowURL: true, AllowEnv: []string{"APP_*"}}, "APP_A APP_B"},
	}
	for _, tt := range tests {
		tt.config.Getenv, tt.config.Environ = environment("HOME=/h", "APP_B=", "APP_A=1", "=C:=x")
		h := load.New(tt.config).Host("", "")
		if got := strings.Join(h.Environ(), " "); got != tt.want {
			t.Errorf("%s: Environ = %q, want %q", tt.rule, got, tt.want)
		}
		for _, name := range []string{"HOME", "APP_A", "APP_B"} {
			if _, ok := h.Getenv(name); ok != strings.Contains(tt.want, name) {
				t.Errorf("%s: Getenv(%q) is %v", tt.rule, name, ok)
			}
		}
	}
	t.Setenv("YAYTPL_TEST_ENV", "v")
	h := load.New(load.Config{}).Host("", "")
	if v, ok := h.Getenv("YAYTPL_TEST_ENV"); v != "v" || !ok || !slices.Contains(h.Environ(), "YAYTPL_TEST_ENV") {
		t.Errorf("the environment of the process is not read: %q, %v", v, ok)
	}
}

func TestVariable(t *testing.T) {
	for _, tt := range []struct{ system, name, want string }{
		{"linux", "Path", "Path"}, {"darwin", "path", "path"}, {"windows", "Path", "PATH"}, {"windows", "App_*", "APP_*"},
	} {
		if got := load.Variable(tt.system, tt.name); got != tt.want {
			t.Errorf("on %s %s is %s, want %s", tt.system, tt.name, got, tt.want)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := tree(t, map[string]string{"doc/f": "doc", "src/f": "src", "secret": "s"})
	f := load.New(load.Config{Dir: dir, Roots: []string{"doc", "src"}})
	h := f.Host("doc", filepath.Join(dir, "src"))
	for base, want := range map[string]string{"": "doc", filepath.Join(dir, "src"): "src"} {
		if got, err := h.ReadFile("f", base); err != nil || got.Text != want {
			t.Errorf("ReadFile at %q = %v, %v, want %q", base, got, err, want)
		}
	}
	_, err := h.ReadFile("../secret", "")
	wants(t, "outside", err, source.Forbidden, "--root")
	_, err = h.Get("https://example.invalid/x")
	wants(t, "network", err, source.Forbidden, "--allow-url")
	_, err = h.Get("f")
	wants(t, "no URL", err, source.Access, "valid URL")
	if got, err := h.Get("file:f"); err == nil || got != nil {
		t.Errorf("Get of a file below the working directory, which is no root = %v, %v", got, err)
	}
}

func TestAbs(t *testing.T) {
	dir := tree(t, nil)
	drive := filepath.VolumeName(dir)
	h := load.New(load.Config{Dir: dir}).Host("doc", "src")
	tests := []struct{ name, base, want string }{
		{"x", "", dir + "/doc/x"},
		{"../x/./y", "", dir + "/x/y"},
		{"x", "/b", drive + "/b/x"},
		{"x", "b", dir + "/b/x"},
		{"", "", dir + "/doc"},
		{"/a/../b", "", drive + "/b"},
		{"../y", "https://h/a/b/", "https://h/a/y"},
		{"file:///q", "", drive + "/q"},
		{fileURL("", dir) + "/q", "", dir + "/q"},
	}
	for _, tt := range tests {
		if got, err := h.Abs(tt.name, tt.base); err != nil || filepath.ToSlash(got) != filepath.ToSlash(tt.want) {
			t.Errorf("Abs(%q, %q) = %q, %v, want %q", tt.name, tt.base, got, err, tt.want)
		}
	}
}

func TestDir(t *testing.T) {
	dir := tree(t, nil)
	h := load.New(load.Config{Dir: dir, AllowWrite: []string{"out"}}).Host("", "src")
	for name, want := range map[string]string{".": dir, "src": filepath.Join(dir, "src")} {
		if got, ok := h.Dir(name); got != want || !ok {
			t.Errorf("Dir(%q) = %q, %v, want %q", name, got, ok, want)
		}
	}
	if got, ok := h.Dir("tmp"); !ok || !filepath.IsAbs(got) {
		t.Errorf("Dir(tmp) = %q, %v", got, ok)
	}
	if _, ok := h.Dir("home"); ok {
		t.Error("Dir(home) exists")
	}
}

func TestGlob(t *testing.T) {
	dir := tree(t, map[string]string{
		"repo/a.yaml": "", "repo/b.yaml": "", "repo/.hidden.yaml": "", "repo/d/c.yaml": "", "repo/d/e/f.yaml": "", "repo/.git/g.yaml": "",
		"repo/[x].yaml": "", "secret.yaml": "", "repo/dir.yaml/": "",
	})
	repo := filepath.Join(dir, "repo")
	h := load.New(load.Config{Dir: dir, Roots: []string{repo}}).Host(repo, repo)
	for _, tt := range []globTest{
		{"sorted; no hidden files, no directories", "*.yaml", "", "[x].yaml a.yaml b.yaml"},
		{"below base", "*.yaml", filepath.Join(repo, "d"), "d/c.yaml"},
		{"absolute", repo + "/d/*.yaml", "", "d/c.yaml"},
		{"dots before the wildcard", "../*.yaml", filepath.Join(repo, "d"), "[x].yaml a.yaml b.yaml"},
		{"any depth", "**/*.yaml", "", "[x].yaml a.yaml b.yaml d/c.yaml d/e/f.yaml"},
		{"hidden when asked for", ".*.yaml", "", ".hidden.yaml"},
		{"no wildcard", "a.yaml", "", "a.yaml"},
		{"escaped", "[[]x].yaml", "", "[x].yaml"},
		{"no match", "*.json", "", ""},
		{"no directory", "ghost/*.yaml", "", ""},
		{"a file as a directory", "a.yaml/*", "", ""},
		{"nothing", "", "", ""},
	} {
		tt.try(t, h, repo)
	}
	if filepath.Separator == '/' {
		globTest{"escaped by a backslash", `\[x].yaml`, "", "[x].yaml"}.try(t, h, repo)
	}
}

func TestGlobLinks(t *testing.T) {
	dir := tree(t, map[string]string{
		"repo/a.yaml": "", "repo/d/c.yaml": "", "secret.yaml": "", "repo/out/o.yaml -> ../../secret.yaml": "", "repo/gone.yaml -> nowhere": "",
		"repo/link -> d": "", "repo/d/up -> ..": "", "repo/in.yml -> DIR/repo/a.yaml": "",
	})
	repo := filepath.Join(dir, "repo")
	h := load.New(load.Config{Dir: dir, Roots: []string{repo}}).Host(repo, repo)
	for _, tt := range []globTest{
		{"no links to nothing", "*.yaml", "", "a.yaml"},
		{"any depth, links to directories apart", "**/{a,c}.yaml", "", "a.yaml d/c.yaml"},
		{"links to directories by name and by star", "{link,d}/c.yaml", "", "d/c.yaml link/c.yaml"},
		{"star follows links", "li*/c.yaml", "", "link/c.yaml"},
		{"a link inside", "*.yml", "", "in.yml"},
	} {
		tt.try(t, h, repo)
	}
	for _, pattern := range []string{"out/*.yaml", "**/*.yaml"} { // a link that is named is an error as well
		_, err := h.Glob(pattern, "")
		wants(t, pattern, err, source.Forbidden, "o.yaml", "link", "--root")
	}
}

// A globTest is a pattern with the files that match it, as paths below a directory.
type globTest struct{ rule, pattern, base, want string }

func (tt globTest) try(t *testing.T, h *load.Host, dir string) {
	t.Helper()
	got, err := h.Glob(tt.pattern, tt.base)
	for i, path := range got {
		got[i], _ = filepath.Rel(dir, path)
	}
	if err != nil || filepath.ToSlash(strings.Join(got, " ")) != tt.want {
		t.Errorf("%s: Glob(%q) = %q, %v, want %q", tt.rule, tt.pattern, got, err, tt.want)
	}
}

func TestGlobRefusals(t *testing.T) {
	files := map[string]string{"repo/d/up -> ..": "", "repo/d/up2 -> ..": "", "repo/d/f": "", "repo/out -> ..": ""}
	dir := tree(t, files)
	repo := filepath.Join(dir, "repo")
	h := load.New(load.Config{Dir: repo, Roots: []string{repo}, MaxFiles: 3}).Host("", "")
	tests := []struct {
		pattern string
		code    source.Code
		words   []string
	}{
		{"../*", source.Forbidden, []string{"--root", dir}},
		{"/**", source.Forbidden, []string{"--root"}},
		{"out/*", source.Forbidden, []string{"link", "--root"}},
		{"*/../../*", source.BadValue, []string{".."}},
		{"[", source.BadValue, []string{"pattern"}},
		{"a\x00*", source.BadValue, nil},
		{"https://h/*", source.BadValue, []string{"URL"}},
		{strings.Repeat("{a,b}", 30), source.Limit, []string{"1000"}},
		{"d/up*/d/up*/d/f", source.Limit, []string{"--max-files"}},
	}
	for _, tt := range tests {
		_, err := h.Glob(tt.pattern, "")
		wants(t, tt.pattern, err, tt.code, tt.words...)
	}
}

func TestGlobEndsInLoops(t *testing.T) {
	t.Parallel()
	files := map[string]string{"file": ""}
	for c := 'a'; c <= 'p'; c++ {
		files[string(c)+" -> ."] = ""
	}
	h := load.New(load.Config{Dir: tree(t, files)}).Host("", "")
	_, err := h.Glob(strings.Repeat("*/", 20)+"ghost", "")
	wants(t, "links that loop", err, source.Limit, "too many")
}

func TestWriteFile(t *testing.T) {
	dir := tree(t, map[string]string{"out/old": "old", "secret": "s", "out/link -> ../secret": "", "out/up -> ..": "", "out/d/": ""})
	must(t, os.Chmod(filepath.Join(dir, "out/old"), 0o640))
	f := load.New(load.Config{Dir: dir, Roots: []string{dir}, AllowWrite: []string{"out", "made/by/us"}})
	h := f.Host("out", "")
	if got, err := h.ReadFile("old", ""); err != nil || got.Text != "old" {
		t.Fatal(got, err)
	}
	for _, name := range []string{"old", "new", "deep/er/new", "link", "../made/by/us/x"} {
		path, err := h.WriteFile(name, "", []byte("text"))
		if err != nil || path != filepath.Join(dir, "out", name) {
			t.Errorf("WriteFile(%q) = %q, %v", name, path, err)
			continue
		}
		if got, err := h.ReadFile(name, ""); err != nil || got.Text != "text" {
			t.Errorf("ReadFile(%q) after WriteFile = %v, %v", name, got, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "out/old")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("mode after WriteFile = %v, %v, want 0640", info.Mode(), err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "secret")); string(text) != "s" {
		t.Errorf("WriteFile went through a link: %q", text)
	}
	tests := []struct {
		name  string
		code  source.Code
		words []string
	}{
		{"../secret", source.Forbidden, []string{"secret", "--allow-write", dir}},
		{"up/secret", source.Forbidden, []string{"--allow-write"}},
		{"up/new/secret", source.Forbidden, []string{"--allow-write"}},
		{"/x/y", source.Forbidden, []string{"--allow-write " + filepath.Join(filepath.VolumeName(dir)+"/", "x")}},
		{"d", source.Access, []string{"directory"}},
		{"old/x", source.Access, []string{"old"}},
		{"https://h/x", source.Access, []string{"only files"}},
	}
	for _, tt := range tests {
		_, err := h.WriteFile(tt.name, "", []byte("bad"))
		wants(t, tt.name, err, tt.code, tt.words...)
	}
	leftovers, _ := filepath.Glob(filepath.Join(dir, "out", ".yaytpl-*"))
	if len(leftovers) > 0 {
		t.Errorf("temporary files are left: %q", leftovers)
	}
	_, err := load.New(load.Config{Dir: dir}).Host("", "").WriteFile("x", "", nil)
	wants(t, "closed by default", err, source.Forbidden, "--allow-write")
}

func TestTempFile(t *testing.T) {
	dir := tree(t, nil)
	h := load.New(load.Config{Dir: dir, AllowWrite: []string{"out"}}).Host("", "")
	seen := map[string]bool{}
	for range 3 {
		path, err := h.TempFile(".json", []byte("{}"))
		text, readErr := os.ReadFile(path)
		if err != nil || readErr != nil || string(text) != "{}" || seen[path] || !strings.HasSuffix(path, ".json") || filepath.Dir(path) != filepath.Join(dir, "out") {
			t.Errorf("TempFile = %q, %v (%v)", path, err, readErr)
		}
		seen[path] = true
	}
	_, err := h.TempFile("/../x", nil)
	wants(t, "a path as a suffix", err, source.BadValue, "suffix")
	_, err = load.New(load.Config{Dir: dir}).Host("", "").TempFile("", nil)
	wants(t, "closed by default", err, source.Forbidden, "--allow-write")
}

func TestLookPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs are told by their names")
	}
	dir := tree(t, map[string]string{"bin/tool": "", "bin/data": "", "bin/dir/": "", "first/": ""})
	must(t, os.Chmod(filepath.Join(dir, "bin/tool"), 0o755))
	get, names := environment("PATH=relative:" + dir + "/first:" + dir + "/bin")
	h := load.New(load.Config{Dir: dir, Getenv: get, Environ: names, NoEnv: true}).Host("", "")
	for name, want := range map[string]string{"tool": dir + "/bin/tool", "data": "", "dir": "", "ghost": "", "": "", "../bin/tool": "", dir + "/bin/tool": "", "a\x00": ""} {
		if got := h.LookPath(name); got != want {
			t.Errorf("LookPath(%q) = %q, want %q", name, got, want)
		}
	}
}

// needsShell skips a test on systems without a Unix shell.
func needsShell(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
}

func TestRun(t *testing.T) {
	needsShell(t)
	dir := tree(t, map[string]string{"doc/f": "x"})
	get, names := environment("PATH="+os.Getenv("PATH"), "SHOWN=1", "HIDDEN=2")
	config := load.Config{Dir: dir, AllowExec: true, AllowEnv: []string{"SHOWN"}, Getenv: get, Environ: names, MaxBytes: 1 << 16}
	h := load.New(config).Host("doc", "")
	sh := func(script string) []string { return []string{"/bin/sh", "-c", script} }
	good := []struct {
		rule string
		args []string
		want string
	}{
		{"no shell reads the arguments", []string{"echo", "$HOME", "*", "a  b"}, "$HOME * a  b\n"},
		{"in the directory of the document", sh("ls"), "f\n"},
		{"with the visible environment", sh(`echo "$SHOWN-$HIDDEN"`), "1-\n"},
		{"without input", sh("cat"), ""},
		{"standard error is not output", sh("echo no >&2; echo yes"), "yes\n"},
	}
	for _, tt := range good {
		if got, err := h.Run(tt.args); err != nil || got != tt.want {
			t.Errorf("%s: Run(%q) = %q, %v, want %q", tt.rule, tt.args, got, err, tt.want)
		}
	}
	bad := []struct {
		rule  string
		args  []string
		code  source.Code
		words []string
	}{
		{"failure", sh("echo why >&2; exit 3"), source.Access, []string{"/bin/sh", "3", "why"}},
		{"no such program", []string{"no-such-program"}, source.Access, []string{"no-such-program", "PATH"}},
		{"no such file", []string{"./ghost"}, source.Access, []string{"ghost"}},
		{"nothing", nil, source.BadValue, nil},
		{"binary", sh(`printf '\377'`), source.Access, []string{"UTF-8"}},
		{"endless", sh("yes"), source.Limit, []string{"--max-bytes"}},
	}
	for _, tt := range bad {
		_, err := h.Run(tt.args)
		wants(t, tt.rule, err, tt.code, tt.words...)
	}
	config.AllowExec = false
	_, err := load.New(config).Host("", "").Run([]string{"echo"})
	wants(t, "closed by default", err, source.Forbidden, "echo", "--allow-exec")
}

func TestRunTimeout(t *testing.T) {
	t.Parallel()
	needsShell(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := load.New(load.Config{Dir: t.TempDir(), AllowExec: true, Context: ctx}).Host("", "").Run([]string{"/bin/sh", "-c", "sleep 60"})
	wants(t, "time-out", err, source.Timeout, "/bin/sh")
}

func TestNowRandomExecutable(t *testing.T) {
	f := load.New(load.Config{})
	now := f.Host("", "").Now()
	time.Sleep(time.Millisecond)
	if again := f.Host("", "").Now(); !again.Equal(now) {
		t.Errorf("Now changes within a run: %v, %v", now, again)
	}
	fixed := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	h := load.New(load.Config{Now: func() time.Time { return fixed }}).Host("", "")
	if !h.Now().Equal(fixed) {
		t.Errorf("Now = %v, want %v", h.Now(), fixed)
	}
	if a, b := h.Random(), h.Random(); a == b {
		t.Errorf("Random = %d twice", a)
	}
	if !filepath.IsAbs(h.Executable()) {
		t.Errorf("Executable = %q", h.Executable())
	}
}

func ExampleFiles_Open() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	f := load.New(load.Config{Dir: dir, Roots: []string{dir}, Overlay: map[string]string{filepath.Join(dir, "site.yaml"): "port: 80\n"}})
	file, err := f.Open("site.yaml", "")
	fmt.Println(file.Name, err)
	_, err = f.Open("/etc/passwd", dir)
	var refused *source.Diagnostic
	fmt.Println(errors.As(err, &refused), refused.Code, refused.Hint != "")
	// Output:
	// site.yaml <nil>
	// true forbidden true
}

func FuzzText(f *testing.F) {
	for _, text := range []string{"a: 1", "\xff", "\xff\xfea\x00", "\xfe\xff\xd8\x3d", "\xff\xfe\x00\x00a", "é\xc3", "\x00\xff"} {
		f.Add(text)
	}
	path := filepath.Join(f.TempDir(), "f")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := load.New(load.Config{Dir: filepath.Dir(path), Overlay: map[string]string{path: text}}).Open("f", "")
		if err != nil {
			words := "UTF-8"
			if strings.Contains(text, "\x00") && strings.Contains(err.Error(), "not text") {
				words = "NUL bytes"
			}
			wants(t, text, err, source.Syntax, words)
		} else if !utf8.ValidString(file.Text) || utf8.ValidString(text) && file.Text != text {
			t.Errorf("the text of %q is %q", text, file.Text)
		}
	})
}

func FuzzOpen(f *testing.F) {
	dir := tree(f, map[string]string{"repo/a": "inside", "repo/d/b": "inside", "secret": "outside", "repo/out -> ../secret": "", "repo/up -> ..": ""})
	for _, name := range []string{"a", "../secret", "up/secret", "out", "file:../secret", "file:///etc/passwd", "d/../../secret", "http://[::", "//x", "a/./b", "x:y"} {
		f.Add(name, "d")
		f.Add(name, "https://127.0.0.1:1/x/")
	}
	files := load.New(load.Config{Dir: filepath.Join(dir, "repo"), Roots: []string{"."}})
	f.Fuzz(func(t *testing.T, name, base string) {
		file, err := files.Open(name, base)
		if err == nil && file.Text != "inside" {
			t.Errorf("Open(%q, %q) reads %q at %q", name, base, file.Text, file.Path)
		}
		if _, err := files.Host(base, base).Glob(name, ""); err != nil {
			var d *source.Diagnostic
			if d = source.AsDiagnostic(err, source.Span{}, ""); d.Code == "" {
				t.Errorf("Glob(%q, %q) = %v, want a Diagnostic", name, base, err)
			}
		}
	})
}
