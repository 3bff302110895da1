package system_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// jail makes a repository with files that may be read, a secret file next to it, and a link to that.
func jail(t *testing.T) (inside, outside string) {
	t.Helper()
	dir := tree(t, map[string]string{
		"secret.yaml": "password: hunter2\n", "in/.git/config": "", "in/ok.yaml": "fine: yes it is\n", "in/sub/x.yaml": "x: 1\n",
	})
	inside, outside = filepath.Join(dir, "in"), filepath.Join(dir, "secret.yaml")
	for link, target := range map[string]string{"link.yaml": outside, "up": ".."} {
		if err := os.Symlink(target, filepath.Join(inside, link)); err != nil {
			t.Skip(err)
		}
	}
	return inside, outside
}

// readers are all ways in which a document can read a file; the verb is its name.
var readers = map[string]string{
	"include":                          "a: {+include: '%s'}",
	"include, optional":                "a: {+?include: '%s'}",
	"include, map":                     "a: {+include: {file: '%s'}}",
	"include, raw":                     "a: {+include: {file: '%s', merge: raw}}",
	"include, fragment":                "a: {+include: '%s#/password'}",
	"include, template":                "a: {+include: \"{{ '%s' }}\"}",
	"include, expression":              "a: {+include: {file: {eval: {concat: ['%s']}}}}",
	"lookup file":                      "a: \"{{ lookup('file', '%s') }}\"",
	"query file":                       "a: \"{{ query('file', '%s') }}\"",
	"lookup first_found":               "a: \"{{ lookup('file', lookup('first_found', ['%s'])) }}\"",
	"lookup fileglob":                  "a: \"{{ query('fileglob', '%s') | map('basename') | list or 1 / 0 }}\"",
	"lookup template":                  "a: \"{{ lookup('template', '%s') }}\"",
	"lookup expression":                "a: {eval: {lookup: {file: '%s'}}}",
	"file":                             "a: {eval: {file: '%s'}, select: contents}",
	"file in a template":               "a: \"{{ {'eval': {'file': '%s'}, 'select': 'contents'} | eval }}\"",
	"template path":                    "a: {eval: {template: {path: '%s'}}}",
	"template include":                 "a: \"{%% include '%s' %%}\"",
	"template import":                  "a: \"{%% import '%s' as i %%}{{ i.x }}\"",
	"template extends":                 "a: \"{%% extends '%s' %%}\"",
	"template include, ignore missing": "a: \"{%% include '%s' ignore missing %%}\"",
}

func TestFilesOutsideTheRoots(t *testing.T) {
	inside, outside := jail(t)
	ways := map[string]string{
		"absolute": outside, "up": "../secret.yaml", "through a directory": "sub/../../secret.yaml",
		"link": "link.yaml", "linked directory": "up/secret.yaml", "system": "/etc/passwd",
	}
	for reader, format := range readers {
		for way, name := range ways {
			t.Run(reader+", "+way, func(t *testing.T) {
				text := fmt.Sprintf(format, name) + "\n"
				if err := os.WriteFile(filepath.Join(inside, "main.yaml"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				out, err := renderIn(t, yaytpl.Options{Dir: inside}, yaytpl.RenderOptions{Partial: true})
				if strings.Contains(out+fmt.Sprint(err), "hunter2") || strings.Contains(out, "root:") {
					t.Fatalf("%s got out: %s %v", text, out, err)
				}
				if err == nil {
					t.Fatalf("%s is not refused: %s", text, out)
				}
				if strings.Contains(reader, "fileglob") {
					return // finds nothing there, and so fails
				}
				if d := decisive(t, err); !strings.Contains(d.Message+d.Hint, "--root") {
					t.Errorf("%s: %v, hint %q, want one that names --root", text, d, d.Hint)
				}
			})
		}
	}
}

// TestFilesInsideTheRoots: reads that are refused outside of the roots are allowed inside, and
// outside with another root.
func TestFilesInsideTheRoots(t *testing.T) {
	inside, outside := jail(t)
	for _, text := range []string{"a: {+include: sub/../ok.yaml}\n", "a: \"{{ lookup('file', 'ok.yaml') | from_yaml }}\"\n"} {
		if err := os.WriteFile(filepath.Join(inside, "main.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := renderIn(t, yaytpl.Options{Dir: inside}, yaytpl.RenderOptions{}); err != nil || !strings.Contains(out, "yes it is") {
			t.Errorf("%s: %s, %v", text, out, err)
		}
	}
	text := "a: {+include: " + outside + "}\n"
	if err := os.WriteFile(filepath.Join(inside, "main.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []yaytpl.Options{{Roots: []string{filepath.Dir(outside)}}, {Search: []string{filepath.Dir(outside)}}} {
		o.Dir = inside
		if out, err := renderIn(t, o, yaytpl.RenderOptions{}); err != nil || !strings.Contains(out, "hunter2") {
			t.Errorf("with %v and %v: %s, %v", o.Roots, o.Search, out, err)
		}
	}
}

// refused lists documents that need a right that is not granted by default.
var refused = []struct{ what, text, flag string }{
	{"download", "a: {+include: 'http://127.0.0.1:1/x.yaml'}", "--allow-url"},
	{"download, map", "a: {+include: {file: 'https://127.0.0.1:1/x.yaml'}}", "--allow-url"},
	{"download, template", "a: {+include: \"{{ 'http' ~ '://127.0.0.1:1/x.yaml' }}\"}", "--allow-url"},
	{"lookup url", "a: \"{{ lookup('url', 'http://127.0.0.1:1/x') }}\"", "--allow-url"},
	{"lookup pipe", "a: \"{{ lookup('pipe', 'echo out > written') }}\"", "--allow-exec"},
	{"lookup lines", "a: \"{{ query('lines', 'echo out > written') }}\"", "--allow-exec"},
	{"file with contents", "a: {eval: {file: written, contents: out}}", "--allow-write"},
	{"tempfile", "a: {eval: {tempfile: out}}", "--allow-write"},
	{"directory", "a: {eval: {abspath: [written, '.', true]}}", ""},
}

func TestClosedByDefault(t *testing.T) {
	for _, tt := range refused {
		dir := tree(t, map[string]string{"main.yaml": tt.text + "\n"})
		_, err := renderIn(t, yaytpl.Options{Dir: dir}, yaytpl.RenderOptions{})
		if err == nil {
			t.Errorf("%s is not refused", tt.what)
			continue
		}
		d := decisive(t, err)
		if d.Code != source.Forbidden || !strings.Contains(d.Message+d.Hint, tt.flag) {
			t.Errorf("%s: %v, hint %q, want forbidden and %s", tt.what, d, d.Hint, tt.flag)
		}
		if _, err := os.Lstat(filepath.Join(dir, "written")); err == nil {
			t.Errorf("%s has written a file", tt.what)
		}
	}
}

func TestAllowed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/x.yaml":
			fmt.Fprintln(w, "x: from afar")
		case "/file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	url := yaytpl.Options{AllowURL: true}
	tests := []struct {
		what, text string
		o          yaytpl.Options
		want       string // in the result, or "" for an error
	}{
		{"download", "a: {+include: '" + server.URL + "/x.yaml'}", url, "from afar"},
		{"lookup url", "a: \"{{ lookup('url', '" + server.URL + "/x.yaml') }}\"", url, "from afar"},
		{"redirect to a file", "a: {+include: '" + server.URL + "/file'}", url, ""},
		{"lookup redirect to a file", "a: \"{{ lookup('url', '" + server.URL + "/file') }}\"", url, ""},
		{"redirect without end", "a: {+include: '" + server.URL + "/loop'}", url, ""},
		{"file URL", "a: {+include: 'file:///etc/passwd'}", url, ""},
		{"lookup of a file URL", "a: \"{{ lookup('url', 'file:///etc/passwd') }}\"", url, ""},
		{"program", "a: \"{{ lookup('pipe', 'echo ran') }}\"", yaytpl.Options{AllowExec: true}, "ran"},
		{"write outside of the directory", "a: {eval: {file: ../written, contents: x}}", yaytpl.Options{AllowWrite: []string{"."}}, ""},
		{"write outside by an absolute name", "a: {eval: {file: /written, contents: x}}", yaytpl.Options{AllowWrite: []string{"."}}, ""},
		{"write", "a: {eval: {file: written, contents: x}}", yaytpl.Options{AllowWrite: []string{"."}}, "written"},
	}
	for _, tt := range tests {
		out, err := renderTree(t, map[string]string{"main.yaml": tt.text + "\n"}, tt.o, yaytpl.RenderOptions{})
		switch {
		case strings.Contains(out, "root:"):
			t.Errorf("%s: %s", tt.what, out)
		case tt.want == "" && err == nil, tt.want != "" && (err != nil || !strings.Contains(out, tt.want)):
			t.Errorf("%s: %q, %v, want %q", tt.what, out, err, tt.want)
		}
	}
}

// A file: URL in a document of a server is a file of this machine, inside of the roots, and no document of the
// server; and an include that is missing shows no login.
func TestIncludesOfServers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/outside.yaml":
			fmt.Fprintln(w, "x: {+include: 'file:///etc/passwd'}")
		case "/inside.yaml":
			fmt.Fprintln(w, "x: {+include: 'file://here.yaml'}")
		default:
			if strings.HasPrefix(r.URL.Path, "/etc/") || strings.HasSuffix(r.URL.Path, "here.yaml") {
				t.Errorf("the server is asked for %s", r.URL)
			}
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for _, tt := range []struct{ name, want string }{
		{server.URL + "/outside.yaml", "outside of the roots"},
		{server.URL + "/inside.yaml", "x: here"},
		{strings.Replace(server.URL, "://", "://ann:hunter2@", 1) + "/gone.yaml?token=hunter2", "unable to load document include: " + server.URL + "/gone.yaml?token=*****"},
	} {
		files := map[string]string{"main.yaml": "a: {+include: '" + tt.name + "'}\n", "here.yaml": "x: here\n"}
		out, err := renderTree(t, files, yaytpl.Options{AllowURL: true}, yaytpl.RenderOptions{})
		if got := out + fmt.Sprint(err); !strings.Contains(got, tt.want) || strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// TestEnvironment: readable by default, limited by name, closed where it could leave
// (design: decisions, "Files, environment, programs").
func TestEnvironment(t *testing.T) {
	env := map[string]string{"PET": "cat", "OTHER": "dog"}
	getenv := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	environ := func() []string { return []string{"PET=cat", "OTHER=dog"} }
	reads := []string{
		"a: {get_env: PET}", "a: {eval: {get_env: [PET, none]}}", "a: \"{{ lookup('env', 'PET') }}\"", "a: {eval: {lookup: {env: PET}}}",
		"a: {eval: {if: {has_env: PET}, then: {q: cat}}}", "a: {+include: {file: cat.yaml, when: PET}}", "a: \"{{ {'get_env': 'PET'} | eval }}\"",
		"a: {eval: {get_env: ''}}", "a: {eval: {get_env: }}",
	}
	tests := []struct {
		what string
		o    yaytpl.Options
		open bool
	}{
		{"by default", yaytpl.Options{}, true},
		{"by name", yaytpl.Options{AllowEnv: []string{"PET"}}, true},
		{"by pattern", yaytpl.Options{AllowEnv: []string{"P*"}}, true},
		{"other names", yaytpl.Options{AllowEnv: []string{"OTHER_*"}}, false},
		{"closed", yaytpl.Options{NoEnv: true}, false},
		{"with the network", yaytpl.Options{AllowURL: true}, false},
		{"with the network, by name", yaytpl.Options{AllowURL: true, AllowEnv: []string{"PET"}}, true},
	}
	for _, tt := range tests {
		for _, text := range reads {
			tt.o.Getenv, tt.o.Environ = getenv, environ
			out, err := renderTree(t, map[string]string{"main.yaml": text + "\n", "cat.yaml": "it: cat\n"}, tt.o, yaytpl.RenderOptions{})
			if got := strings.Contains(out, "cat"); got != tt.open || tt.open && err != nil {
				t.Errorf("%s: %s gives %q, %v", tt.what, text, out, err)
			}
			if !tt.open && strings.Contains(out+fmt.Sprint(err), "dog") {
				t.Errorf("%s: %s shows the environment: %q, %v", tt.what, text, out, err)
			}
		}
	}
}
