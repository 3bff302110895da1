package bindings_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bindings"
)

func ExampleOpen() {
	b, err := bindings.Open(context.Background(), "../fixtures/hiera/hiera.yaml", yaytpl.Options{}, yaytpl.NodeOptions{
		Facts: []string{"../fixtures/hiera/nodes/db1.yaml"},
	})
	if err != nil {
		log.Fatal(err)
	}
	found, err := b.Lookup(bindings.Request{Keys: []string{"ntp::servers"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Found)
	if err := b.WriteValue(os.Stdout, found.Value, yaytpl.RenderOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// true
	// - 10.0.0.1
	// - pool.example.net
}

func ExampleBindings_Lookup() {
	b, err := bindings.Open(context.Background(), "../fixtures/hiera", yaytpl.Options{}, yaytpl.NodeOptions{
		FactValues: []string{"role=db"},
	})
	if err != nil {
		log.Fatal(err)
	}
	found, err := b.Lookup(bindings.Request{Keys: []string{"port"}, Type: "Integer"})
	if err != nil {
		log.Fatal(err)
	}
	_, text := found.Explanation()
	fmt.Print(text)

	missing, err := b.Lookup(bindings.Request{Keys: []string{"ports"}})
	fmt.Println(missing.Found, err)
	fmt.Println(missing.NotFound())
	// Output:
	// port = 5432 (Integer)
	//   categories  environment="production" common
	//   set      data/role/db.yaml:1:1  5432  layer "hiera", level "role"
	//   over     data/common.yaml:3:1  80  layer "hiera", level "common": lower level
	// false <nil>
	// nothing binds ports [not-found]
}

func ExampleBindings_All() {
	b, err := bindings.Open(context.Background(), "../fixtures/hiera", yaytpl.Options{}, yaytpl.NodeOptions{
		FactValues: []string{"role=web"},
	})
	if err != nil {
		log.Fatal(err)
	}
	all, err := b.All()
	if err != nil {
		log.Fatal(err)
	}
	if err := b.WriteValue(os.Stdout, all, yaytpl.RenderOptions{Form: "jsonl"}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"port":80,"ntp::servers":["pool.example.net"]}
}

func ExampleBindings_Check() {
	b, err := bindings.Open(context.Background(), "site.yaml", yaytpl.Options{
		Overlay: map[string]string{"site.yaml": "bindings: {default: [{bind: size, to: 1}, {bind: url, to: 'http://${inject(host)}'}]}"},
	}, yaytpl.NodeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, finding := range b.Check() {
		fmt.Println(finding)
	}
	// Output:
	// site.yaml:1:69: nothing binds 'host' [not-found]
}

func ExampleNodes_Lookup() {
	nodes, err := bindings.OpenNodes(context.Background(), "../fixtures/hiera/hiera.yaml", []string{"../fixtures/hiera/nodes/*.yaml"},
		yaytpl.Options{}, yaytpl.NodeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for answer := range nodes.Lookup(bindings.Request{Keys: []string{"port"}}) {
		if answer.Err != nil {
			fmt.Println(answer.Node, answer.Err)
			continue
		}
		port, _ := answer.Value.Int()
		fmt.Println(answer.Node, port)
	}
	// Output:
	// db1 5432
	// web1 80
}
