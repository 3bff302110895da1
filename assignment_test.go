package yaytpl_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleAssignment() {
	hosts := value.ListOf(value.String("a"), value.String("{{ b }}"))
	p, err := yaytpl.Open(context.Background(), []string{"site.yaml"}, yaytpl.Options{
		Dir:     "/site",
		Overlay: map[string]string{"/site/site.yaml": "web: {port: 80, tag: x}\n"},
		Assignments: []yaytpl.Assignment{
			{Path: "web.port", Text: "0644"},                               // a number, with its spelling
			{Path: "web.tag", Form: yaytpl.TextForm, Text: "1.10"},         // text
			{Path: "web.url", Text: "http://a:{{ web.port }}/"},            // a template
			{Path: "web.tls", Form: yaytpl.YAMLForm, Text: "version: 1.3"}, // any YAML
			{Path: "web.hosts", Data: &hosts},                              // data
		},
	})
	if err == nil {
		err = p.Render(os.Stdout, yaytpl.RenderOptions{})
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// web:
	//   port: 0644
	//   tag: "1.10"
	//   url: http://a:0644/
	//   tls:
	//     version: 1.3
	//   hosts:
	//     - a
	//     - "{{ b }}"
}

func TestAssignmentValue(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "v.json"), []byte(`{"q": [1e2, "x"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	o := yaytpl.Options{Dir: dir, Roots: []string{t.TempDir()}, Stdin: strings.NewReader("a: b\n")}
	for text, want := range map[string]string{
		"a=0644": "644", "a=b: c": "b: c", "a:=b: c": `{"b":"c"}`, "a=@v.json": `{\"q\": [1e2, \"x\"]}`, "a:=@v.json": `{"q":[1e2,"x"]}`, "a:=@-": `{"a":"b"}`,
		"a=[b": "usage", "a=@w": "access", "a=@": "usage", "a-=1": "usage",
	} {
		a, err := yaytpl.ParseAssignment(text)
		var v value.Value
		if err == nil {
			v, err = a.Value(t.Context(), o)
		}
		var b strings.Builder
		if err == nil {
			err = yaml.EncodeJSON(&b, v, yaml.EncodeOptions{Compact: true})
		}
		got := strings.Trim(strings.TrimSpace(b.String()), `"`)
		if err != nil {
			got = string(source.AsDiagnostic(err, source.Span{}, source.Internal).Code)
		}
		if got != want {
			t.Errorf("%s is %s (%v), want %s", text, got, err, want)
		}
	}
}

// A program's texts name no files, wherever they come from.
func TestDefinesReadNoFile(t *testing.T) {
	o := yaytpl.Options{Dir: "/site", Overlay: map[string]string{"/site/site.yaml": "a: 1\n", "/site/key": "s3cret\n"}, Defines: []string{"a=@key"}}
	p, err := yaytpl.Open(t.Context(), []string{"site.yaml"}, o)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := p.Documents()[0].Get("a"); err != nil || v.Str() != "@key" {
		t.Errorf("%q, %v", v.Str(), err)
	}
}
