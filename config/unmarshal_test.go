package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"gopkg.in/yaml.v3"
)

// A level decodes itself, by the interface of yaml.v3.
type level int

func (l *level) UnmarshalYAML(n *yaml.Node) error {
	switch n.Value {
	case "low":
		*l = 1
	case "high":
		*l = 2
	default:
		return fmt.Errorf("line %d: no level", n.Line)
	}
	return nil
}

// A size decodes itself, by the interface of yaml.v2.
type size struct{ bytes int }

func (s *size) UnmarshalYAML(unmarshal func(any) error) error { return unmarshal(&s.bytes) }

func TestUnmarshaler(t *testing.T) {
	cfg := config.New(t.Context(), yaytpl.Options{})
	text := "levels: [low, \"{{ 'hi' ~ 'gh' }}\"]\nsize: 0644\nraw: {a: yes, b: 0644}\nnone: null\nbad: middle\npw: !vault x\n"
	if err := cfg.LoadText("a.yaml", text); err != nil {
		t.Fatal(err)
	}
	var into struct {
		Levels []level
		Size   *size
		Raw    yaml.Node
		None   level
	}
	if err := cfg.Decode(&into); err != nil {
		t.Fatal(err)
	}
	raw := map[string]any{}
	if err := into.Raw.Decode(&raw); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(into.Levels, into.Size.bytes, raw, into.None, into.Raw.Line)
	if want := "[1 2] 644 map[a:yes b:644] 0 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var bad struct{ Bad level }
	err := cfg.Decode(&bad)
	if err == nil || !strings.Contains(err.Error(), "a.yaml:5:6") || !strings.Contains(err.Error(), "line 5: no level (for Bad)") {
		t.Errorf("%v", err)
	}
}

// TestAddNode adds the nodes of a YAML text that the library read, and looks at data and places.
func TestAddNode(t *testing.T) {
	text := "# c\nserver: &s\n  port: 0644\n  date: 2026-11-28\n  big: 123456789012345678901\n  on: yes\n" +
		"copy:\n  <<: *s\n  port: 1\nlist: [1, {x: '2'}, *s]\ntext: |\n  {{ no }}\n  template\nnone: ~\nname: !!str 5\n"
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err != nil {
		t.Fatal(err)
	}
	cfg := config.New(t.Context(), yaytpl.Options{})
	if err := cfg.Add(map[string]any{"server": map[string]any{"host": "h"}, "list": []int{7}}); err != nil {
		t.Fatal(err)
	}
	if err := cfg.Add(&n); err != nil {
		t.Fatal(err)
	}
	data, err := cfg.Get().Resolve()
	if err != nil {
		t.Fatal(err)
	}
	want := "map[copy:map[big:123456789012345678901 date:2026-11-28 on:yes port:1] list:[1 map[x:2] map[big:123456789012345678901 date:2026-11-28 on:yes port:644]] " +
		"name:5 none:<nil> server:map[big:123456789012345678901 date:2026-11-28 host:h on:yes port:644] text:{{ no }}\ntemplate\n]"
	if got := fmt.Sprint(data); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for path, place := range map[string]string{
		"server.port": "the program:3:9", "list[1].x": "the program:10:15", "copy.date": "the program:4:9", "name": "the program:15:7", "server": "",
	} {
		if got := fmt.Sprint(cfg.Get(path).At()); place != "" && got != place {
			t.Errorf("%s is at %s, want %s", path, got, place)
		}
	}
	var into struct{ Text int }
	if err := cfg.Decode(&into); err == nil || !strings.Contains(err.Error(), "the program:11:7") {
		t.Errorf("%v", err)
	}
}

// TestAddBadNodes adds nodes that are no YAML, or never end.
func TestAddBadNodes(t *testing.T) {
	loop := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "a"}}}
	loop.Content = append(loop.Content, loop)
	bomb := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "x"}}}
	for range 30 {
		bomb = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{bomb, bomb}}
	}
	scalar := func(v string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: v} }
	pair := func(key, v *yaml.Node) *yaml.Node {
		return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, v}}
	}
	for words, n := range map[string]*yaml.Node{
		"contains itself":  loop,
		"more than":        pair(scalar("a"), bomb),
		"is no YAML":       {Kind: yaml.MappingNode, Content: []*yaml.Node{scalar("a")}},
		"cannot be a key":  pair(pair(scalar("a"), scalar("b")), scalar("c")),
		"needs a map":      pair(scalar("<<"), scalar("b")),
		"only a map":       scalar("x"),
		"kind 32":          pair(scalar("a"), &yaml.Node{Kind: 32}),
		"!!int":            pair(scalar("a"), &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "x"}),
		"without a target": pair(scalar("a"), &yaml.Node{Kind: yaml.AliasNode, Value: "x"}),
	} {
		err := config.New(t.Context(), yaytpl.Options{}).Add(n)
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %q", err, words)
		}
	}
	far := scalar("x")
	far.Line, far.Column = 1<<40, 1<<40
	if err := config.New(t.Context(), yaytpl.Options{}).Add(pair(scalar("a"), far)); err != nil {
		t.Error(err)
	}
}
