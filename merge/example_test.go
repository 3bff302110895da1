package merge_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// Parse returns nodes; the graph evaluates them.
func ExampleParse() {
	f := source.NewFile("site.yaml", "base: {port: 80, tags: [a]}\nweb:\n  +/base:\n  tags: [b]\n")
	docs, findings := merge.Parse(f, merge.Options{})
	if len(findings) > 0 {
		log.Fatal(findings[0])
	}
	e := graph.New(context.Background(), []graph.RootLayer{{Doc: docs[0], Name: f.Name}}, graph.Options{Forms: merge.Forms})
	v, _, err := e.Root().Value()
	if err != nil {
		log.Fatal(err)
	}
	if err := yaml.Encode(os.Stdout, v, yaml.EncodeOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// base: {port: 80, tags: [a]}
	// web:
	//   port: 80
	//   tags: [a, b]
}

// Only keys that say the whole of a directive are directives.
func ExampleIsDirective() {
	for _, key := range []string{"+include", "+include-other", "+*base", "+/a/b", "+?../x", "+%", "+word", "+1"} {
		fmt.Println(key, merge.IsDirective(key))
	}
	// Output:
	// +include true
	// +include-other true
	// +*base true
	// +/a/b true
	// +?../x true
	// +% true
	// +word false
	// +1 false
}
