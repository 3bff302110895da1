package config_test

import (
	"context"
	"fmt"
	"log"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
)

// Register a class that a configuration instantiates, and use its result.
func ExampleConfig_Register() {
	cfg := config.New(context.Background(), yaytpl.Options{})
	cfg.Register("Compute", func(ctx context.Context, params config.Node) (map[string]any, error) {
		image, err := params.Get("image").Text()
		if err != nil {
			return nil, err
		}
		size, err := params.Get("size").Int(1)
		fmt.Println("starting", image, "of size", size)
		return map[string]any{"ip": fmt.Sprintf("10.0.0.%d", size)}, err
	})
	err := cfg.LoadText("site.yay", `
web:
    new Compute:
        image: debian
        size: {{ size }}
size: 7
url: http://{{ web.ip }}/
`)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cfg.Get("web", "image").Text())
	fmt.Println(cfg.Get("url").Text())
	fmt.Println(cfg.Get("web", "ip").Text())
	// Output:
	// debian <nil>
	// starting debian of size 7
	// http://10.0.0.7/ <nil>
	// 10.0.0.7 <nil>
}
