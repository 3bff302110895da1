package main

import (
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// TestCodeExamples runs the example of every code and expects exactly that code.
func TestCodeExamples(t *testing.T) {
	for _, info := range source.Codes() {
		t.Run(string(info.Code), func(t *testing.T) {
			t.Parallel()
			if len(info.Args) == 0 {
				if info.Code != source.Internal {
					t.Errorf("only the kind of bugs has no example")
				}
				return
			}
			c := conformanceCase{dir: filepath.Join(t.TempDir(), "site")}
			for _, f := range info.Files {
				writeFile(t, filepath.Join(c.dir, f.Name), f.Text)
			}
			_, stderr, status := c.run(append([]string{"--errors", "json"}, info.Args...)...)
			lines := strings.Split(strings.TrimSpace(stderr), "\n")
			var last struct {
				Kind     source.Code
				Severity string
			}
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Kind != info.Code {
				t.Errorf("yaytpl %q gives %q (%v)\n%s", info.Args, last.Kind, err, stderr)
			}
			if status == 0 && last.Severity != source.Warning.String() {
				t.Errorf("yaytpl %q succeeded", info.Args)
			}
		})
	}
}

// untried are the examples that need the network, a random name or a place in a document.
var untried = []string{"lookup/url", "function/tempfile", "function/foreach", "filter/which"}

// exampleFiles are the files of the examples, in /srv/site.
var exampleFiles = map[string]string{
	"main.yaml":     "a: {b: 7}\ndb_host: h\n",
	"data.txt":      "line\n",
	"part.j2":       "{{ 'text' }}\n",
	"x.ini":         "[s]\nk = v\n",
	"t.csv":         "k,v\n",
	"conf.d/a.yaml": "a: 1\n",
}

// TestFilterExamples runs the example of every filter, test and function and compares the
// result with that of the help.
func TestFilterExamples(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range exampleFiles {
		writeFile(t, filepath.Join(dir, name), text)
	}
	c := conformanceCase{dir: dir, env: map[string]string{"HOME": "/home/me"}}
	for _, d := range yaytpl.FilterHelp() {
		t.Run(d.Kind+"/"+d.Name, func(t *testing.T) {
			t.Parallel()
			if d.Doc == "" || d.Example == "" {
				t.Fatalf("doc %q, example %q: one of them is missing", d.Doc, d.Example)
			}
			if !slices.Contains(untried, d.Kind+"/"+d.Name) {
				c.tryExample(t, d)
			}
		})
	}
}

func (c *conformanceCase) tryExample(t *testing.T, d yaytpl.FilterDoc) {
	example := d.Example
	if d.Kind == "function" && !strings.HasPrefix(example, "{eval") {
		example = "{eval: " + example + "}"
	}
	stdout, stderr, status := c.run("query", "--one", "-o", "json", "--allow-exec", "main.yaml", example)
	if status != 0 {
		t.Fatalf("%s\n%s", example, stderr)
	}
	if err := sameYAML(strings.ReplaceAll(stdout, c.dir, "/srv/site"), d.Result); err != nil {
		t.Errorf("%s: %v\ngot  %swant %s", example, err, stdout, d.Result)
	}
}

// The help and the man page of a flag whose value may be missing say so, and no page has control characters.
func TestHelpOfFlags(t *testing.T) {
	dir := t.TempDir()
	c := conformanceCase{dir: dir}
	a := newApp(nil, streams{out: io.Discard, err: io.Discard})
	root := a.rootCommand()
	wants := map[string]string{"set": "      --report[=text|json] ", "restore": "      --report[=text|json] ", "explain": "  -o, --output text|json ", "schema": "      --project[=FILE] ", "render": "      --project FILE "}
	for _, command := range root.Commands() {
		if command.Name() == "help" {
			continue
		}
		page, stderr, status := c.run(command.Name(), "--help")
		if status != 0 || strings.ContainsFunc(page, func(r rune) bool { return r < ' ' && r != '\n' }) {
			t.Errorf("%s --help: status %d, %q%s", command.Name(), status, page, stderr)
		}
		if want := wants[command.Name()]; want != "" && !strings.Contains(page, want) {
			t.Errorf("%s --help has no %q:\n%s", command.Name(), want, page)
		}
		if command.Name() == "schema" {
			if man, want := (manual{app: a}).page(command), `\-\-project\fR[=\fIFILE\fR]`; !strings.Contains(man, want) {
				t.Errorf("the man page has no %s:\n%s", want, man)
			}
		}
	}
}
