package workspace_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/workspace"
)

// Each target of a project is opened as a project of its own, several at a time.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"yaytpl.yaml": `
yaytpl: 1
targets:
  "nodes/{node}": {for: "{node}.node.yaml", files: [site.yaml, "{node}.node.yaml"], define: {host: "{node}.example.org"}}
`,
		"site.yaml":   "port: 80\nurl: 'http://{{ host }}:{{ port }}'\n",
		"a.node.yaml": "port: 8080\n",
		"b.node.yaml": "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	found, err := workspace.Find(dir)
	if err != nil {
		log.Fatal(err)
	}
	targets, err := found.Select("@nodes/*")
	if err != nil {
		log.Fatal(err)
	}
	var stacks []workspace.Stack
	for i := range targets {
		stacks = append(stacks, targets[i].Stack(nil, nil))
	}
	url := func(_ workspace.Stack, p *yaytpl.Project) (value.Value, error) { return p.Documents()[0].Get("url") }
	for r := range workspace.All(context.Background(), stacks, found.Workspace.Options(yaytpl.Options{Dir: dir}), url) {
		fmt.Println(r.Stack.Target.Name, r.Value.Str(), r.Err)
	}
	// Output:
	// nodes/a http://a.example.org:8080 <nil>
	// nodes/b http://b.example.org:80 <nil>
}
