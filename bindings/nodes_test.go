package bindings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// writeHiera writes a hierarchy and the facts of n nodes into a directory.
func writeHiera(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"hiera.yaml":                   "version: 5\nhierarchy: [{name: all, paths: [\"role/%{role}.yaml\", common.yaml]}]\n",
		"data/common.yaml":             "lookup_options: {list: {merge: unique}}\nlist: [common]\nname: \"%{name} %{nothing}\"\ndeep: {a: {b: [1, \"%{lookup('name')}\"]}}\n",
		"modules/ntp/hiera.yaml":       "version: 5\n",
		"modules/ntp/data/common.yaml": "ntp::port: 123\n",
	}
	for i := range 7 {
		files[fmt.Sprintf("data/role/r%d.yaml", i)] = fmt.Sprintf("list: [r%d]\nonly%d: true\n", i, i)
	}
	for i := range n {
		files[fmt.Sprintf("nodes/n%03d.json", i)] = fmt.Sprintf(`{"name": "n%d", "role": "r%d"}`, i, i%7)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestNodes: what many nodes get side by side is what each gets alone, in the order of names.
func TestNodes(t *testing.T) {
	dir := writeHiera(t, 200)
	var warnings []string
	o := yaytpl.Options{Dir: dir, Warn: func(d *source.Diagnostic) { warnings = append(warnings, d.Error()) }}
	nodes, err := OpenNodes(context.Background(), "hiera.yaml", []string{"nodes/*.json"}, o, yaytpl.NodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for a := range nodes.All() {
		if want := fmt.Sprintf("n%03d", i); a.Node != want {
			t.Fatalf("node %d is %s, want %s", i, a.Node, want)
		}
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		alone, err := Open(context.Background(), "hiera.yaml", yaytpl.Options{Dir: dir}, yaytpl.NodeOptions{Facts: []string{"nodes/" + a.Node + ".json"}})
		if err != nil {
			t.Fatal(err)
		}
		want, err := alone.All()
		if err != nil {
			t.Fatal(err)
		}
		changes, err := value.Diff(want, a.Value)
		if err != nil || len(changes) > 0 {
			t.Fatalf("%s: %v, %v", a.Node, changes, err)
		}
		i++
	}
	if i != 200 {
		t.Errorf("%d nodes, want 200", i)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "nothing") {
		t.Errorf("warnings: %q, want one", warnings)
	}
}

// TestNodesStop: a loop that ends early, or a context that is done, ends the work.
func TestNodesStop(t *testing.T) {
	dir := writeHiera(t, 300)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	nodes, err := OpenNodes(ctx, "hiera.yaml", []string{"nodes/*.json"}, yaytpl.Options{Dir: dir}, yaytpl.NodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	request := Request{Keys: []string{"only3"}}
	for a := range nodes.Lookup(request) {
		if missing := errors.Is(a.Err, source.ErrMissing); missing != (a.Node != "n003") {
			t.Errorf("%s: %v", a.Node, a.Err)
		}
		if a.Node == "n003" {
			break
		}
	}
	seen := 0
	for range nodes.Lookup(request) {
		if seen++; seen == 10 {
			cancel()
		}
	}
	if seen != 10 {
		t.Errorf("%d nodes after the context was done", seen-10)
	}
	if _, err := nodes.Node("n4"); !errors.Is(err, source.ErrMissing) {
		t.Errorf("unknown node: %v", err)
	}
}

// BenchmarkNodes looks one key up for 1,000 nodes.
func BenchmarkNodes(b *testing.B) {
	dir := writeHiera(b, 1000)
	for b.Loop() {
		nodes, err := OpenNodes(context.Background(), "hiera.yaml", []string{"nodes/*.json"}, yaytpl.Options{Dir: dir}, yaytpl.NodeOptions{})
		if err != nil {
			b.Fatal(err)
		}
		for a := range nodes.Lookup(Request{Keys: []string{"list"}}) {
			if a.Err != nil {
				b.Fatal(a.Err)
			}
		}
	}
}
