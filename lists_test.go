package yaytpl_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// TestOptionsLists checks that the rules of the options apply to lists without a rule in a file,
// and not to definitions.
func TestOptionsLists(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	files := []string{
		write("base.yaml", "{args: [a], env: [a], own: [a], web: {hosts: [a]}, hosts: [a], defs: {p: {hosts: [a]}}}"),
		write("prod.yaml", "+lists: {own: append}\nargs: [b]\nenv: [a]\nown: [a]\nweb: {hosts: [b]}\nhosts: [b]\n"+
			"defs: {x: {+include: part.yaml, hosts: [q]}}\ny: {+/defs/x: }\n"),
	}
	write("part.yaml", "hosts: [p]")
	for _, c := range []struct {
		name    string
		lists   []string
		defines []string
		want    string
	}{
		{
			"none", nil, nil,
			`{"args":["a","b"],"env":["a"],"own":["a","a"],"web":{"hosts":["a","b"]},"hosts":["a","b"],"defs":{"p":{"hosts":["a"]},"x":{"hosts":["p","q"]}},"y":{"hosts":["p","q"]}}`,
		},
		{
			"policies", []string{"args=replace", "env=append", "own=replace", "web.hosts=replace"}, nil,
			`{"args":["b"],"env":["a","a"],"own":["a","a"],"web":{"hosts":["b"]},"hosts":["a","b"],"defs":{"p":{"hosts":["a"]},"x":{"hosts":["p","q"]}},"y":{"hosts":["p","q"]}}`,
		},
		{
			"path of a pointer's target", []string{"defs.x.hosts=replace", "y.hosts=append"}, []string{"args+=[z]", "args+=[z]"},
			`{"args":["a","b","z","z"],"env":["a"],"own":["a","a"],"web":{"hosts":["a","b"]},"hosts":["a","b"],"defs":{"p":{"hosts":["a"]},"x":{"hosts":["q"]}},"y":{"hosts":["p","q"]}}`,
		},
		{
			"definitions", []string{"*=replace"}, []string{"args[0]=x", "env+=[z]"},
			`{"args":["x"],"env":["a","z"],"own":["a","a"],"web":{"hosts":["b"]},"hosts":["b"],"defs":{"p":{"hosts":["a"]},"x":{"hosts":["q"]}},"y":{"hosts":["q"]}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := yaytpl.Open(context.Background(), files, yaytpl.Options{Lists: c.lists, Defines: c.defines})
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := p.Render(&b, yaytpl.RenderOptions{Form: "json"}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(strings.Fields(b.String()), ""); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	_, err := yaytpl.Open(context.Background(), files, yaytpl.Options{Lists: []string{"args=repalce"}})
	if d := source.AsDiagnostic(err, source.Span{}, ""); err == nil || d.Code != source.Usage || !strings.Contains(d.Message, "repalce") {
		t.Errorf("an unknown policy: %v", err)
	}
}
