package lookup

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// write writes files into a new directory.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// open opens a source in a directory.
func open(t testing.TB, dir, name string) *Bindings {
	t.Helper()
	source := filepath.Join(dir, name)
	b, err := Open(context.Background(), Options{Engine: engine.Options{Load: load.Config{Dir: dir, Files: []string{source}}}, Source: source})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// facts makes facts of JSON.
func facts(t testing.TB, text string) value.Map {
	t.Helper()
	dir := write(t, map[string]string{"facts.json": text})
	m, err := Facts(engine.Options{Load: load.Config{Dir: dir, Files: []string{filepath.Join(dir, "facts.json")}}}, []string{filepath.Join(dir, "facts.json")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ask returns the answer for a key as JSON, "missing", or "fails".
func ask(t testing.TB, table *bind.Table, key, merge string) string {
	t.Helper()
	r := request(t, key)
	if merge != "" {
		r.Merge, _ = bind.NewStrategy(merge)
	}
	return answer(table, r)
}

// request returns a request for a key.
func request(t testing.TB, key string) bind.Request {
	t.Helper()
	k, err := bind.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return bind.Request{Keys: []bind.KeyPath{k}}
}

// answer returns the answer to a request as JSON, "missing", or "fails".
func answer(table *bind.Table, r bind.Request) string {
	a, err := table.Lookup(r)
	switch {
	case err != nil:
		return "fails"
	case !a.Found:
		return "missing"
	}
	return written(a.Value)
}

// written returns a value as JSON, "fails" if it has no spelling.
func written(v value.Value) string {
	var out bytes.Buffer
	if err := yaml.EncodeJSON(&out, v, yaml.EncodeOptions{Compact: true}); err != nil {
		return "fails"
	}
	return strings.TrimSpace(out.String())
}

// TestManyNodes: the tables of many nodes, composed side by side, share files and differ by
// facts alone.
func TestManyNodes(t *testing.T) {
	b := open(t, write(t, map[string]string{
		"hiera.yaml":        "version: 5\nhierarchy: [{name: all, paths: [\"node/%{name}.yaml\", common.yaml]}]\n",
		"data/common.yaml":  "port: 80\nurl: \"http://%{name}:%{lookup('port')}\"\n",
		"data/node/n1.yaml": "port: 81\n",
	}), "hiera.yaml")
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			table, err := b.Compose(facts(t, fmt.Sprintf(`{"name": "n%d"}`, i)))
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf(`"http://n%d:80"`, i)
			if i == 1 {
				want = `"http://n1:81"`
			}
			if got := ask(t, table, "url", ""); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// site returns a .pp file with n bindings.
func site(n int) string {
	var b strings.Builder
	b.WriteString("bindings default {\n")
	for i := range n {
		fmt.Fprintf(&b, "  bind \"app%d::port\" to %d\n", i, i)
	}
	b.WriteString("}\n")
	return b.String()
}

// BenchmarkCompose composes 100,000 operations.
func BenchmarkCompose(b *testing.B) {
	open := open(b, write(b, map[string]string{"site.pp": site(100_000)}), "site.pp")
	for b.Loop() {
		if _, err := open.Compose(nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWarm looks up a key whose value is known.
func BenchmarkWarm(b *testing.B) {
	table, err := open(b, write(b, map[string]string{"site.pp": site(1000)}), "site.pp").Compose(nil)
	if err != nil {
		b.Fatal(err)
	}
	k, err := bind.ParseKey("app7::port")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if a, err := table.Lookup(bind.Request{Keys: []bind.KeyPath{k}}); err != nil || !a.Found {
			b.Fatal(err)
		}
	}
}

// BenchmarkWarmHiera looks up keys of data whose values are known: one of the first level that has
// it, one that is merged, and a part of a map. The options of keys have 20 patterns.
func BenchmarkWarmHiera(b *testing.B) {
	var patterns strings.Builder
	for i := range 20 {
		fmt.Fprintf(&patterns, "\"^profile::p%d::\": {merge: hash}, ", i)
	}
	table, err := open(b, write(b, map[string]string{
		"hiera.yaml":       "version: 5\nhierarchy: [{name: all, paths: [\"%{role}.yaml\", common.yaml]}]\n",
		"data/web.yaml":    "ntp: [a, \"%{role}\"]\nurl: \"http://%{lookup('host')}\"\nlimits: {soft: 1}\n",
		"data/common.yaml": "lookup_options: {ntp: {merge: unique}, " + patterns.String() + "\"^limits\": {merge: deep}}\nntp: [b]\nhost: quay\nlimits: {hard: 2}\n",
	}), "hiera.yaml").Compose(facts(b, `{"role": "web"}`))
	if err != nil {
		b.Fatal(err)
	}
	for _, key := range []string{"url", "ntp", "limits.hard"} {
		b.Run(key, func(b *testing.B) {
			r := request(b, key)
			for b.Loop() {
				if a, err := table.Lookup(r); err != nil || !a.Found {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkNode composes a node over a tree of 200 files and looks up one key.
func BenchmarkNode(b *testing.B) {
	files := map[string]string{
		"hiera.yaml":       "version: 5\nhierarchy: [{name: all, paths: [\"node/%{name}.yaml\", \"role/%{facts.role}.yaml\", \"rack/%{facts.rack}.yaml\", common.yaml]}]\n",
		"data/common.yaml": "lookup_options: {ntp: {merge: unique}}\nntp: [c]\nport: 1\n",
	}
	for i := range 100 {
		files[fmt.Sprintf("data/node/n%d.yaml", i)] = fmt.Sprintf("ntp: [n%d]\nport: %d\n", i, i)
		files[fmt.Sprintf("data/role/r%d.yaml", i)] = fmt.Sprintf("ntp: [\"r%%{name}\"]\nport: %d\n", i)
	}
	open := open(b, write(b, files), "hiera.yaml")
	nodes := make([]value.Map, 100)
	for i := range nodes {
		nodes[i] = facts(b, fmt.Sprintf(`{"name": "n%d", "role": "r%d", "rack": 7}`, i, i%10))
	}
	k, err := bind.ParseKey("ntp")
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		n++
		table, err := open.Compose(nodes[n%len(nodes)])
		if err != nil {
			b.Fatal(err)
		}
		if a, err := table.Lookup(bind.Request{Keys: []bind.KeyPath{k}}); err != nil || !a.Found {
			b.Fatal(err)
		}
	}
}

// TestAliasBomb: a value with 2^40 places is looked up, typed, merged and explained by its 40 lists.
func TestAliasBomb(t *testing.T) {
	var text strings.Builder
	text.WriteString("b0: &b0 [x]\n")
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&text, "b%d: &b%d [*b%d, *b%d]\n", i, i, i-1, i-1)
	}
	table, err := open(t, write(t, map[string]string{"hiera.yaml": "version: 5\n", "data/common.yaml": text.String()}), "hiera.yaml").Compose(nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := bind.ParseKey("b40")
	if err != nil {
		t.Fatal(err)
	}
	a, err := table.Lookup(bind.Request{Keys: []bind.KeyPath{k}, Type: types.DataType})
	if err != nil || !a.Found {
		t.Fatalf("got %v, %v", a.Found, err)
	}
	if _, err := Plain(table, a.Value); err != nil {
		t.Error(err)
	}
	if got := Explain(table, a, false).Text(); !strings.Contains(got, "[...]") {
		t.Errorf("got %s", got)
	}
	if got := ask(t, table, "b40", "unique"); got != "fails" {
		t.Errorf("a merge of all places: got %s", got)
	}
}
