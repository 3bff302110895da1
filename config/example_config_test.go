package config_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"testing/fstest"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/source"
	"gopkg.in/yaml.v3"
)

const network = `network:
  proxy:
    type: socks
    host: 127.0.0.1
  allowed:
    - 127.0.0.1
    - 10.0.0.1
`

// example is a configuration of one file.
func example() *config.Config {
	cfg, err := config.Load(context.Background(), []string{"example.yay"}, yaytpl.Options{
		Dir:     "/srv",
		Overlay: map[string]string{"/srv/example.yay": network},
	})
	if err != nil {
		log.Fatal(err)
	}
	return cfg
}

// Read values, with a default for optional ones.
func ExampleLoad() {
	cfg := example()
	proxy := cfg.Get("network.proxy")

	kind, err := proxy.Get("type").Text()
	fmt.Println(kind, err)

	port, err := proxy.Get("port").Int(8000)
	fmt.Println(port, err)

	_, err = proxy.Int(8000)
	fmt.Println(err)
	// Output:
	// socks <nil>
	// 8000 <nil>
	// example.yay:3:5: expected integer, but network.proxy is a mapping [type]
}

// Add layers above others.
func ExampleConfig_Add() {
	cfg := config.New(context.Background(), yaytpl.Options{})
	if err := cfg.LoadText("defaults.yaml", "region: eu\nsize: 1\nurl: https://{{ region }}.example.org\n"); err != nil {
		log.Fatal(err)
	}
	if err := cfg.LoadReader("override.json", strings.NewReader(`{"size": 3}`)); err != nil {
		log.Fatal(err)
	}
	if err := cfg.Add(map[string]any{"region": "us"}); err != nil {
		log.Fatal(err)
	}
	all, err := cfg.Resolve()
	fmt.Println(all, err)
	// Output:
	// map[region:us size:3 url:https://us.example.org] <nil>
}

// A missing place is an error of the method that needs its value.
func ExampleNode_Get() {
	cfg := example()
	n := cfg.Get("network.allowed[0]")
	fmt.Println(n.Text())

	n = cfg.Get("network").Get("denied").Get(0)
	_, err := n.Text()
	fmt.Println(err)
	fmt.Println(errors.Is(err, config.NoMatching))
	// Output:
	// 127.0.0.1 <nil>
	// example.yay:2:3: no "denied" in network [no-matching]
	// true
}

// Read values as Go types.
func ExampleGet() {
	cfg := config.New(context.Background(), yaytpl.Options{})
	if err := cfg.LoadText("site.yaml", "server:\n  port: 8080\n  hosts: [a, b]\n  timeout: soon\n"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(config.Get(cfg, "server.port", 80))
	fmt.Println(config.Get[[]string](cfg, "server.hosts"))
	fmt.Println(config.Get(cfg, "server.idle", time.Minute))
	fmt.Println(config.Get(cfg, "server.timeout", time.Minute))
	// Output:
	// 8080 <nil>
	// [a b] <nil>
	// 1m0s <nil>
	// 0s site.yaml:4:12: expected duration, but server.timeout is the string "soon" [type]
}

// A text is no boolean, whatever it says.
func ExampleNode_Bool() {
	cfg := config.New(context.Background(), yaytpl.Options{})
	if err := cfg.LoadText("site.yaml", "debug: true\ncache: yes\n"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(cfg.Get("debug").Bool())
	_, err := cfg.Get("cache").Bool(true)
	fmt.Println(err)
	fmt.Println(source.Findings(err)[0].Hint)
	// Output:
	// true <nil>
	// site.yaml:2:8: expected boolean, but cache is the string "yes" [type]
	// yes is a boolean in YAML 1.1 and a text in YAML 1.2: write true
}

// Iterate over an optional list.
func ExampleNode_Items() {
	cfg := example()
	for _, key := range []string{"allowed", "denied"} {
		for ip, err := range cfg.Get("network", key).Items() {
			if errors.Is(err, config.NoMatching) {
				fmt.Println("nothing is", key)
				break
			}
			text, err := ip.Text()
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(key, text)
		}
	}
	// Output:
	// allowed 127.0.0.1
	// allowed 10.0.0.1
	// nothing is denied
}

// Iterate over a map.
func ExampleNode_Entries() {
	cfg := example()
	for n, err := range cfg.Get("network.proxy").Entries() {
		if err != nil {
			log.Fatal(err)
		}
		text, err := n.Text()
		fmt.Println(n.Key(), text, err)
	}
	// Output:
	// type socks <nil>
	// host 127.0.0.1 <nil>
}

// Report the place of a value that the program rejects.
func ExampleNode_Position() {
	cfg := example()
	n := cfg.Get("network.proxy.type")
	if kind, err := n.Text(); err == nil && kind != "http" {
		file, line, column := n.Position()
		fmt.Println("incorrect type of proxy in", file, "line", line, "column", column)
		fmt.Println(n.Path(), "in", n.At())
	}
	// Output:
	// incorrect type of proxy in example.yay line 3 column 11
	// network.proxy.type in example.yay:3:11
}

// Fill a struct.
func ExampleNode_Decode() {
	type settings struct {
		Name    string
		Timeout time.Duration
		Ports   []int             `yaml:"listen"`
		Labels  map[string]string `json:"labels"`
		MaxConn int
	}
	cfg := config.New(context.Background(), yaytpl.Options{})
	if err := cfg.LoadText("web.yaml", "name: web\nlisten: [80, '{{ 400 + 43 }}']\ntimeout: 1m30s\nlabels: {tier: front}\nmaxConn: 9\n"); err != nil {
		log.Fatal(err)
	}
	s := settings{Labels: map[string]string{"team": "a"}}
	err := cfg.Decode(&s)
	fmt.Println(s, err)

	var wrong struct{ Listen map[string]int }
	fmt.Println(cfg.Decode(&wrong))
	// Output:
	// {web 1m30s [80 443] map[team:a tier:front] 9} <nil>
	// web.yaml:2:9: expected mapping, but listen is a list (for Listen) [type]
}

// Evaluate expressions on the finished configuration.
func ExampleConfig_Eval() {
	cfg := config.New(context.Background(), yaytpl.Options{})
	if err := cfg.LoadText("site.yaml", "ports: [80, 443]\nservers:\n  web: {role: front, ip: 10.0.0.1}\n  db: {role: back, ip: 10.0.0.2}\n"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(cfg.Eval("::servers::*::[role=back]::ip").Text())
	fmt.Println(cfg.Eval("{{ ports | sum }}").Int())
	fmt.Println(cfg.Eval("::servers::cache::ip").Text("none"))
	// Output:
	// 10.0.0.2 <nil>
	// 523 <nil>
	// none <nil>
}

// Turn a whole configuration into plain data.
func ExampleConfig_Resolve() {
	data, err := example().Resolve()
	fmt.Println(data, err)
	// Output:
	// map[network:map[allowed:[127.0.0.1 10.0.0.1] proxy:map[host:127.0.0.1 type:socks]]] <nil>
}

// Let environment variables override a file.
func ExampleEnv() {
	os.Setenv("SHOP_SERVER__PORT", "8081")
	defer os.Unsetenv("SHOP_SERVER__PORT")

	cfg := config.New(context.Background(), yaytpl.Options{})
	if err := cfg.LoadText("site.yaml", "server: {port: 8080, host: localhost}\n"); err != nil {
		log.Fatal(err)
	}
	if err := cfg.Add(config.Env("SHOP_")); err != nil {
		log.Fatal(err)
	}
	port := cfg.Get("server.port")
	n, err := port.Int()
	fmt.Println(n, err, "from", port.At())
	// Output:
	// 8081 <nil> from SHOP_SERVER__PORT:1:1
}

// Put a file of the system over defaults that the program embeds.
func ExampleFS() {
	defaults := fstest.MapFS{ // or an embed.FS
		"defaults/site.yaml": {Data: []byte("+include: log.yaml\nport: 8080\n")},
		"defaults/log.yaml":  {Data: []byte("log: {level: info}\n")},
	}
	cfg := config.New(context.Background(), yaytpl.Options{})
	if err := cfg.Add(config.FS(defaults, "defaults/site.yaml")); err != nil {
		log.Fatal(err)
	}
	if err := cfg.LoadText("site.yaml", "port: 80\n"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(cfg.Resolve())
	fmt.Println(cfg.Get("log.level").At())
	// Output:
	// map[log:map[level:info] port:80] <nil>
	// defaults/log.yaml:1:14
}

// Put a YAML document that the program has read by itself over a file.
func ExampleConfig_Add_node() {
	var changes yaml.Node
	if err := yaml.Unmarshal([]byte("# of the team\nserver:\n  port: 80\n"), &changes); err != nil {
		log.Fatal(err)
	}
	cfg := config.New(context.Background(), yaytpl.Options{})
	if err := cfg.LoadText("site.yaml", "server: {host: a.example, port: 8080}\n"); err != nil {
		log.Fatal(err)
	}
	if err := cfg.Add(&changes); err != nil {
		log.Fatal(err)
	}
	fmt.Println(cfg.Resolve())
	fmt.Println(cfg.Get("server.port").At())
	// Output:
	// map[server:map[host:a.example port:80]] <nil>
	// the program:3:9
}
