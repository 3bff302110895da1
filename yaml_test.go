package yaytpl_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/graph"
	"gopkg.in/yaml.v3"
)

// TestDocumentYAML requires that the node of each document of the cases, written by the library, is the
// document that is rendered.
func TestDocumentYAML(t *testing.T) {
	read := 0
	for _, group := range []string{"merge", "expressions", "lists", "numbers", "private", "streams", "templates", "values", "yaml"} {
		cases, err := filepath.Glob("fixtures/cases/" + group + "/*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range cases {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts := map[string]string{}
			for _, f := range archive.Files {
				texts["/srv/"+f.Name] = string(f.Data)
			}
			for path := range texts {
				p, err := yaytpl.Open(t.Context(), []string{path}, yaytpl.Options{Dir: "/srv", NoEnv: true, Overlay: texts, Limits: graph.Limits{Output: 1 << 16}})
				if err == nil && filepath.Ext(path) == ".yaml" {
					read += checkNodes(t, file+path, p)
				}
			}
		}
	}
	if read < 300 {
		t.Errorf("%d documents were read", read)
	}
}

// checkNodes checks the nodes of the documents that can be rendered, and returns their number.
func checkNodes(t *testing.T, name string, p *yaytpl.Project) (read int) {
	for i, d := range p.Documents() {
		var want, written strings.Builder
		if p.Render(&want, yaytpl.RenderOptions{Doc: i + 1, Form: "json", DropTags: true}) != nil {
			continue
		}
		n, err := d.YAML()
		if err == nil {
			err = yaml.NewEncoder(&written).Encode(n)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		read++
		var got strings.Builder
		again := openText(t, "# yaytpl: templates=off literals=off directives=off\n\n"+written.String())
		if err := again.Render(&got, yaytpl.RenderOptions{Form: "json", DropTags: true}); err != nil || got.String() != want.String() {
			t.Errorf("%s: %v\n%s\nis read as\n%s\nwant\n%s", name, err, written.String(), got.String(), want.String())
		}
	}
	return read
}

// openText returns a project of one text.
func openText(t *testing.T, text string) *yaytpl.Project {
	t.Helper()
	p, err := yaytpl.Open(t.Context(), []string{"t.yaml"}, yaytpl.Options{Dir: "/srv", Overlay: map[string]string{"/srv/t.yaml": text}})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// TestDocumentYAMLMasks requires that the node has no secret, and that each document has its own.
func TestDocumentYAMLMasks(t *testing.T) {
	p := openText(t, "a: \"{{ 'hunter2' | sensitive }}\"\nb: [x]\n---\nc: 1\n---\n")
	var all []string
	for _, d := range p.Documents() {
		n, err := d.YAML()
		if err != nil {
			t.Fatal(err)
		}
		var data any
		if err := n.Decode(&data); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(data))
	}
	if got, want := strings.Join(all, " "), "map[a:<<REDACTED>> b:[x]] map[c:1] <nil>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
