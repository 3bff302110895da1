package config_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
)

const inYay = `network:
    proxy:
        type: socks
        port: 007
    allowed:
      - 127.0.0.1
      - {{ missing }}
alias: {{ network.nothing }}
text: http://{{ nope }}/
sum: {{ nope + 1 }}
made: {{ [1, network.proxy.port] }}
loop:
  for i in range(3):
    - {{ i * 2 }}
yes: {{ 1 == 1 }}
`

// TestGettersInYay: a getter returns its default where "else" in Yay would (spec: yay, sections
// 4.3, 10.3).
func TestGettersInYay(t *testing.T) {
	c := config.New(context.Background(), yaytpl.Options{NoEnv: true})
	if err := c.LoadText("example.yay", inYay); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(m{"network": m{"proxy": m{"host": "h{{x}}"}}, "l": []int{1}}); err != nil {
		t.Fatal(err)
	}
	if err := c.LoadText("more.yay", "extend l:\n  - 2\nv: {{ l }}\n"); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		keys     []any
		want, at string
	}{
		{[]any{"network", "proxy", "type"}, "socks", "example.yay:3:15"},
		{[]any{"network", "proxy", "port"}, "007", "example.yay:4:15"},
		{[]any{"network", "proxy", "host"}, "h{{x}}", ""},
		{[]any{"network", "allowed", 0}, "127.0.0.1", "example.yay:6:9"},
		{[]any{"network", "allowed", 1}, "default", "example.yay:7:9"},
		{[]any{"network", "allowed", 2}, "default", ""},
		{[]any{"alias"}, "default", "example.yay:8:8"},
		{[]any{"alias", "x"}, "default", "example.yay:8:8"},
		{[]any{"text"}, "no-matching", "example.yay:9:7"},
		{[]any{"sum"}, "no-matching", "example.yay:10:6"},
		{[]any{"made", 1}, "007", "example.yay:11:14"},
		{[]any{"loop", 2}, "4", "example.yay:14:7"},
		{[]any{"yes"}, "true", "example.yay:15:6"},
		{[]any{"l"}, "type", "more.yay:1:1"},
		{[]any{"v", 1}, "2", "more.yay:2:5"},
	}
	for _, test := range tests {
		n := c.Get(test.keys...)
		got, err := n.Text("default")
		if err != nil {
			got = string(source.Findings(err)[0].Code)
		}
		if got != test.want {
			t.Errorf("%v = %q, %v; want %q", n, got, err, test.want)
		}
		_, err = n.Text()
		if missing := test.want == "default"; errors.Is(err, config.NoMatching) != missing {
			t.Errorf("%v: errors.Is(%v, NoMatching) = %t", n, err, !missing)
		}
		if at := n.At().String(); at != test.at && !strings.HasPrefix(test.want, "default") {
			t.Errorf("%v is at %s, want %s", n, at, test.at)
		}
	}
	if got, err := c.Get("v").List(); fmt.Sprint(got) != "[1 2]" || err != nil {
		t.Errorf("v = %v, %v", got, err)
	}
	if _, err := c.Resolve(); len(source.Findings(err)) != 4 {
		t.Errorf("Resolve: %v, want 4 findings", err)
	}
}

// TestHostileConfig: every getter stops at the limits for data that is small in the source and
// huge when written out.
func TestHostileConfig(t *testing.T) {
	laughs := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for i := range 8 {
		laughs += fmt.Sprintf("%c: &%c [*%[3]c, *%[3]c, *%[3]c, *%[3]c, *%[3]c, *%[3]c, *%[3]c, *%[3]c]\n", 'b'+i, 'b'+i, 'a'+i)
	}
	ways := map[string]func(*config.Config) error{
		"Resolve": func(c *config.Config) error { _, err := c.Resolve(); return err },
		"Value":   func(c *config.Config) error { _, err := c.Value(); return err },
		"Decode":  func(c *config.Config) error { var into any; return c.Decode(&into) },
		"typed":   func(c *config.Config) error { var into map[string][]any; return c.Decode(&into) },
		"List":    func(c *config.Config) error { _, err := c.Get("i").List(nil); return err },
	}
	for name, get := range ways {
		c := config.New(t.Context(), yaytpl.Options{Limits: graph.Limits{Steps: 200_000}})
		if err := c.LoadText("laughs.yaml", laughs); err != nil {
			t.Fatal(err)
		}
		class := func(context.Context, config.Node) (map[string]any, error) { return nil, nil }
		c.Register("C", class)
		if err := get(c); !errors.Is(err, source.ErrLimit) {
			t.Errorf("%s: error %v, want a limit", name, err)
		}
	}
}

// TestValuesThatContainThemselves: the search for instances ends in values that contain themselves.
func TestValuesThatContainThemselves(t *testing.T) {
	for _, text := range []string{"a: {b: '{{ a }}', c: '{{ a }}'}\n", "a: {x: '{{ b }}', y: '{{ b }}'}\nb: {x: '{{ a }}', y: '{{ a }}'}\n"} {
		c := layered(t, text)
		c.Register("C", func(context.Context, config.Node) (map[string]any, error) { return nil, nil })
		if _, err := c.Resolve(); !errors.Is(err, source.ErrCycle) {
			t.Errorf("%q: error %v, want a cycle", text, err)
		}
	}
}

func TestEvalInYay(t *testing.T) {
	c := config.New(context.Background(), yaytpl.Options{NoEnv: true, Defines: []string{"d=4"}})
	if err := c.LoadText("site.yay", "set hidden = 5\nnet:\n  ports:\n    - 80\n    - 443\ni: 2\n"); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(m{"host": "web"}); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ expression, want string }{
		{"net.ports[i - 1]", "443"}, {"host + i", "web2"}, {"hidden * d", "20"}, {"here.i", "2"}, {"sum(net.ports)", "523"},
		{"nothing", "default"}, {"net.nothing.more", "default"}, {"nothing else 1", "1"}, {"nothing + 1", "no-matching"},
		{"net.ports", "type"}, {"1 / 0", "zero-division"}, {"net.", "syntax"}, {"", "syntax"},
	}
	for _, test := range tests {
		got, err := c.Eval(test.expression).Text("default")
		if err != nil {
			got = string(source.Findings(err)[0].Code)
		}
		if got != test.want {
			t.Errorf("Eval(%q) = %q, %v; want %q", test.expression, got, err, test.want)
		}
	}
	if n := c.Eval("net").Get("ports", 0); n.At().String() != "site.yay:4:7" {
		t.Errorf("%v is at %v", n, n.At())
	}
	if err := c.LoadText("over.yaml", "i: 1\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Eval("::net::ports::0").Int(); got != 80 || err != nil {
		t.Errorf("a path over a layer in YAML: %d, %v", got, err)
	}
}
