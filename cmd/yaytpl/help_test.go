package main

import (
	"encoding/json"
	"path/filepath"
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
					t.Errorf("only a bug has no example")
				}
				return
			}
			c := conformanceCase{dir: filepath.Join(t.TempDir(), "site")}
			for _, f := range info.Files {
				writeFile(t, filepath.Join(c.dir, f.Name), f.Text)
			}
			_, stderr, status := c.run(append([]string{"--errors", "json"}, info.Args...)...)
			if status == 0 {
				t.Fatalf("yaytpl %q succeeded", info.Args)
			}
			lines := strings.Split(strings.TrimSpace(stderr), "\n")
			var last struct{ Kind source.Code }
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Kind != info.Code {
				t.Errorf("yaytpl %q gives %q (%v)\n%s", info.Args, last.Kind, err, stderr)
			}
		})
	}
}

// TestFilterExamples renders the example of every filter, test and function and
// compares with what its help says.
func TestFilterExamples(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "empty.yaml"), "{}\n")
	for _, d := range yaytpl.FilterHelp() {
		t.Run(d.Kind+"/"+d.Name, func(t *testing.T) {
			t.Parallel()
			if d.Doc == "" || d.Example == "" {
				t.Fatalf("doc %q, example %q: both are needed", d.Doc, d.Example)
			}
			if !d.Fixed {
				return
			}
			c := conformanceCase{dir: dir}
			stdout, stderr, status := c.run("query", "--one", "-o", "json", "empty.yaml", d.Example)
			if status != 0 {
				t.Fatalf("%s\n%s", d.Example, stderr)
			}
			if err := sameYAML(stdout, d.Result); err != nil {
				t.Errorf("%s: %v\ngot  %swant %s", d.Example, err, stdout, d.Result)
			}
		})
	}
}
