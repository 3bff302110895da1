package pattern_test

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/yaytpl/yaytpl/internal/pattern"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern    string
		yes, other []string
	}{
		{"envs/*.yaml", []string{"envs/dev.yaml", "envs/.yaml"}, []string{"envs/eu/dev.yaml", "dev.yaml", "envs/dev.yml", "x/envs/dev.yaml"}},
		{"app-?.yaml", []string{"app-1.yaml", "app-é.yaml"}, []string{"app-10.yaml", "app-/.yaml", "app-.yaml"}},
		{"[ab]x", []string{"ax", "bx"}, []string{"cx", "abx", "x"}},
		{"[!a-c]", []string{"d", "é"}, []string{"a", "b", "/", "de"}},
		{"[a-]", []string{"a", "-"}, []string{"b"}},
		{"charts/**", []string{"charts/a", "charts/a/b.yaml", "charts/.hidden/x"}, []string{"charts", "chart/a"}},
		{"**/site.yaml", []string{"site.yaml", "a/site.yaml", "a/b/site.yaml"}, []string{"xsite.yaml", "site.yaml/a"}},
		{"a/**/b", []string{"a/b", "a/x/b", "a/x/y/b"}, []string{"ab", "a/xb"}},
		{"a.b+c(1)", []string{"a.b+c(1)"}, []string{"aXb+c(1)", "a.bb+c(1)"}},
		{"{a}.yaml", []string{"{a}.yaml"}, []string{"x.yaml"}},
	} {
		p, err := pattern.Parse(c.pattern)
		if err != nil {
			t.Fatalf("%s: %v", c.pattern, err)
		}
		for _, path := range c.yes {
			if !p.Match(path) {
				t.Errorf("%s does not match %s", c.pattern, path)
			}
		}
		for _, path := range c.other {
			if p.Match(path) {
				t.Errorf("%s matches %s", c.pattern, path)
			}
		}
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          map[string]string // nil for no match
	}{
		{"nodes/{node}.yaml", "nodes/a.yaml", map[string]string{"node": "a"}},
		{"nodes/{node}.yaml", "nodes/a.b.yaml", map[string]string{"node": "a.b"}},
		{"nodes/{node}.yaml", "nodes/.yaml", nil},
		{"{env}/{app}-{no}.yaml", "eu/a-b-c.yaml", map[string]string{"env": "eu", "app": "a", "no": "b-c"}},
		{"**/{env}/site.yaml", "a/b/eu/site.yaml", map[string]string{"env": "eu"}},
		{"{env}/{env}.yaml", "eu/eu.yaml", map[string]string{"env": "eu"}},
		{"{env}/{env}.yaml", "eu/us.yaml", nil},
	} {
		p, err := pattern.ParseNamed(c.pattern)
		if err != nil {
			t.Fatalf("%s: %v", c.pattern, err)
		}
		got, ok := p.Values(c.path)
		if ok != (c.want != nil) || !maps.Equal(got, c.want) {
			t.Errorf("%s of %s: %v, %v; want %v", c.pattern, c.path, got, ok, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, why := range map[string]string{
		"": "empty", "/a": "absolute", "C:/a": "absolute", "../a": `".."`, "a/../b": `".."`, "a//b": "empty or a dot", "./a": "empty or a dot",
		"[a": `no "]"`, "[]": `no "]"`, "[z-a]": "class", "[!]": "class", "a\x00": "zero byte", "\xff": "UTF-8", strings.Repeat("a", 2000): "longer",
		"{a}{b}": "between", "{}": "braces", "{a b}": "braces", "{1}": "braces", "{a}}": "braces",
	} {
		if _, err := pattern.ParseNamed(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.20q: %v, want %q in it", text, err, why)
		}
	}
}

func TestFiles(t *testing.T) {
	tree := fstest.MapFS{}
	for _, name := range []string{"site.yaml", "nodes/b.yaml", "nodes/a.yaml", "nodes/.c.yaml", "nodes/x/d.yaml", "nodes/.y/e.yaml", "nodes/z.txt", ".ci/f.yaml"} {
		tree[name] = &fstest.MapFile{}
	}
	for text, want := range map[string]string{
		"nodes/{n}.yaml": "nodes/a.yaml nodes/b.yaml",
		"nodes/*":        "nodes/a.yaml nodes/b.yaml nodes/z.txt",
		"nodes/.*":       "nodes/.c.yaml",
		"**/*.yaml":      "nodes/a.yaml nodes/b.yaml nodes/x/d.yaml site.yaml",
		"**/x/**":        "nodes/x/d.yaml",
		"nodes/**":       "nodes/a.yaml nodes/b.yaml nodes/x/d.yaml nodes/z.txt",
		".ci/*":          ".ci/f.yaml",
		"*/x/*":          "nodes/x/d.yaml",
		"site.yaml":      "site.yaml",
		"nodes":          "",
		"none/*":         "",
		"site.yaml/*":    "",
	} {
		p, err := pattern.ParseNamed(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Files(tree)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v, %v; want %s", text, got, err, want)
		}
	}
}

// An endless is a directory of any number of directories, each of which is one too.
type endless struct{ fs.FileInfo }

func (endless) Open(string) (fs.File, error) { return endless{}, nil }
func (endless) Stat() (fs.FileInfo, error)   { return endless{}, nil }
func (endless) Read([]byte) (int, error)     { return 0, io.EOF }
func (endless) Close() error                 { return nil }
func (endless) IsDir() bool                  { return true }
func (endless) Type() fs.FileMode            { return fs.ModeDir }
func (endless) Mode() fs.FileMode            { return fs.ModeDir }
func (endless) Name() string                 { return "d" }
func (endless) Info() (fs.FileInfo, error)   { return endless{}, nil }
func (e endless) ReadDir(n int) (list []fs.DirEntry, err error) {
	return slices.Repeat([]fs.DirEntry{e}, n), nil
}

func TestFilesLimit(t *testing.T) {
	for _, text := range []string{"*.yaml", "*/x", "**", "**/a", "**/a/**/b"} {
		p, err := pattern.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Files(endless{}); !errors.Is(err, pattern.ErrTooMany) {
			t.Errorf("%s: %d files, %v", text, len(got), err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a/**/{b}-{c}.yaml", "[!a-z]?*", "**", "{a}/{a}", "{{a}}", "[\\]]", "a\\b"} {
		f.Add(s, "a/b/c-d.yaml")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		p, err := pattern.ParseNamed(text)
		if err != nil {
			return
		}
		if values, ok := p.Values(path); ok && !p.Match(path) || ok && len(values) != len(p.Words()) {
			t.Errorf("%q of %q: %v", text, path, values)
		}
		if _, err := p.Files(fstest.MapFS{"a/b.yaml": {}, "c": {}}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if !slices.IsSorted(p.Words()) {
			t.Errorf("%q: %v", text, p.Words())
		}
	})
}

// FuzzMatch compares the matching of a pattern without placeholders with a regular expression. "*" in front of
// the pattern, in a directory that all paths have, does not change it, but makes it one with a placeholder.
func FuzzMatch(f *testing.F) {
	for _, s := range []string{"a/**/b*c/?", "**/a/**/b/**", "*a*b*c*", "[!a-c]*[x-]", "a/**", "**", "*", "a*a*a*b", "[a-b-c]", "**/*/x", "[--a]"} {
		f.Add(s, "a/b/c-d.yaml")
		f.Add(s, "a/x/a/bc/é")
		f.Add(s, "aaaaaaaaab//\xff")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		p, err := pattern.Parse(text)
		if err != nil || len(text) > 200 || strings.ContainsAny(text, "{}") {
			return
		}
		same, err := pattern.ParseNamed("{dir}x/" + text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got, want := p.Match(path), same.Match("dx/"+path); got != want {
			t.Errorf("%q of %q: %v, but %v by a regular expression", text, path, got, want)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	for _, text := range []string{"services/*.yaml", "**/charts/**", "manifests/prod/site.yaml", "**/a*b*c*.yaml"} {
		p, err := pattern.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(strings.ReplaceAll(text, "/", ":"), func(b *testing.B) {
			for b.Loop() {
				p.Match("environments/eu/services/abcabc.yaml")
			}
		})
	}
}
