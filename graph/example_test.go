package graph_test

import (
	"context"
	"fmt"
	"log"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Two layers on one document: the newer port hides the older one, and the graph can
// still say what it was.
func Example() {
	layer := func(name, text string, port int64) graph.RootLayer {
		f := source.NewFile(name, text)
		entry := graph.Entry{Key: value.K("port"), Node: &graph.Scalar{At: f.Span(6, len(text)), Val: value.Int(port)}}
		root := graph.NewMap(graph.Map{At: f.Span(0, len(text)), Entries: []graph.Entry{entry}})
		return graph.RootLayer{Doc: &graph.Doc{File: f, Root: root}, Name: name}
	}
	e := graph.New(context.Background(), []graph.RootLayer{
		layer("base.yaml", "port: 80", 80),
		layer("prod.yaml", "port: 8080", 8080),
	}, graph.Options{})

	port := e.Root().At(value.Path{value.K("port")})
	facts, err := port.Explain()
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Role, f.At)
	}
	// Output:
	// set prod.yaml:1:7
	// over base.yaml:1:7
}
