package system_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
)

// The benchmarks run whole documents through the façade. Beside other programs they
// are measured by the program in bench.

// inventory is a text of n services, about 450 bytes each.
func inventory(n int) string {
	var b strings.Builder
	b.WriteString("# all services\nservices:\n")
	for i := range n {
		fmt.Fprintf(&b, `  # service number %[1]d
  service-%[1]d:
    image: "registry.example.com/team/service:%[1]d.2"
    replicas: %[1]d
    enabled: true
    ports: [80, 443, %[1]d]
    env:
      - name: MODE   # how it runs
        value: production
      - name: URL
        value: https://service-%[1]d.example.com/path?x=y
    limits: {cpu: 500m, memory: 1Gi}
    command: |
      set -e
      exec serve --port 80
`, i)
	}
	return b.String()
}

// benchmarkText renders the first of the files, or asks it a query.
func benchmarkText(b *testing.B, query string, files ...string) {
	b.Helper()
	dir := b.TempDir()
	var names []string
	size := 0
	for i := 0; i+1 < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			b.Fatal(err)
		}
		if !strings.HasPrefix(files[i], "part") {
			names = append(names, name)
		}
		size += len(files[i+1])
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if err := runOnce(names, query); err != nil {
			b.Fatal(err)
		}
	}
}

func runOnce(names []string, query string) error {
	p, err := yaytpl.Open(context.Background(), names, yaytpl.Options{})
	if err != nil {
		return err
	}
	if query == "" {
		return p.Render(io.Discard, yaytpl.RenderOptions{})
	}
	found, err := p.Documents()[0].Query(query)
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%d matches", len(found))
	}
	return err
}

func BenchmarkRender(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprintf("services=%d", n), func(b *testing.B) {
			benchmarkText(b, "", "a.yaml", inventory(n))
		})
	}
}

func BenchmarkMerge(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		var over strings.Builder
		over.WriteString("services:\n")
		for i := range n {
			fmt.Fprintf(&over, "  service-%d:\n    replicas: 2\n    limits: {cpu: 1}\n", i)
			if i%2 == 0 {
				over.WriteString("    command: {+%: whiteout}\n")
			}
		}
		b.Run(fmt.Sprintf("services=%d", n), func(b *testing.B) {
			benchmarkText(b, "", "a.yaml", inventory(n), "b.yaml", over.String())
		})
	}
}

func BenchmarkQuery(b *testing.B) {
	const n = 2000
	path := fmt.Sprintf("::services::service-%d::limits::memory", n-1)
	b.Run("yaml", func(b *testing.B) { benchmarkText(b, path, "a.yaml", inventory(n)) })
	var json strings.Builder
	json.WriteString(`{"services": {`)
	for i := range n {
		if i > 0 {
			json.WriteString(",\n")
		}
		fmt.Fprintf(&json, `"service-%d": {"image": "registry.example.com/team/service:%d", "ports": [80, 443], "limits": {"cpu": "500m", "memory": "1Gi"}}`, i, i)
	}
	json.WriteString("}}\n")
	b.Run("json", func(b *testing.B) { benchmarkText(b, path, "a.json", json.String()) })
}

// BenchmarkIncludes merges n files into one map: the time of each must not grow with
// their number.
func BenchmarkIncludes(b *testing.B) {
	for _, n := range []int{100, 1000, 4000} {
		var main strings.Builder
		files := []string{"main.yaml", ""}
		for i := range n {
			fmt.Fprintf(&main, "+include-%d: part-%d.yaml\n", i, i)
			files = append(files, fmt.Sprintf("part-%d.yaml", i), fmt.Sprintf("services:\n  service-%d: {port: %d}\n", i, i))
		}
		files[1] = main.String()
		b.Run(fmt.Sprintf("files=%d", n), func(b *testing.B) { benchmarkText(b, "", files...) })
	}
}

func BenchmarkForeach(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		var text strings.Builder
		text.WriteString("out:\n  eval: ::items\n  foreach: {name: \"{{ item.name }}\", spec: {port: \"{{ item.port }}\", labels: {app: \"app-{{ item.name }}\"}}}\nitems:\n")
		for i := range n {
			fmt.Fprintf(&text, "  - {name: app-%d, port: %d}\n", i, 8000+i%1000)
		}
		b.Run(fmt.Sprintf("items=%d", n), func(b *testing.B) { benchmarkText(b, "", "a.yaml", text.String()) })
	}
}

// The documents of Yay that the language was slow with (design: front ends).

func BenchmarkYayLoop(b *testing.B) {
	benchmarkText(b, "", "loop.yay", "l:\n  for i in range(2000):\n    - a: {{ i }}\n      b: {{ i * 2 + 1 }}\n")
}

func BenchmarkYayKeys(b *testing.B) {
	var t strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&t, "key%d: value %d\n", i, i)
	}
	benchmarkText(b, "", "keys.yay", t.String())
}

func BenchmarkYayChain(b *testing.B) {
	var t strings.Builder
	t.WriteString("k0: 1\n")
	for i := range 9_999 {
		fmt.Fprintf(&t, "k%d: {{ k%d + 1 }}\n", i+1, i)
	}
	benchmarkText(b, "", "chain.yay", t.String())
}

func BenchmarkYayExtend(b *testing.B) {
	benchmarkText(b, "", "extend.yay", strings.Repeat("extend l:\n  - 1\n", 10_000))
}

func BenchmarkYayIncludes(b *testing.B) {
	var files []string
	for i := range 1_000 {
		text := fmt.Sprintf("k%d: {{ last else 0 }}\n", i)
		if i < 999 {
			text = fmt.Sprintf("include \"part%d.yay\"\n", i+1) + text
		}
		name := fmt.Sprintf("part%d.yay", i)
		if i == 0 {
			name = "main.yay"
		}
		files = append(files, name, text)
	}
	benchmarkText(b, "", files...)
}

// stream is a text of n objects, a document each.
func stream(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `---
# object %[1]d
apiVersion: apps/v1
kind: Deployment
metadata: {name: web-%[1]d, namespace: ns-%[2]d, labels: {app: web-%[1]d}}
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: main
          image: registry.example.org/web:%[1]d
          ports: [{containerPort: 8080}]
          env: [{name: A, value: "%[1]d"}, {name: B, value: b}]
`, i, i%7)
	}
	return b.String()
}

// BenchmarkMatch puts 50 layers, each with +match, over a stream of 3,000 objects; the last of them matches
// all objects of a namespace.
func BenchmarkMatch(b *testing.B) {
	var over strings.Builder
	for i := range 49 {
		fmt.Fprintf(&over, "---\n+match: {kind: Deployment, metadata: {name: web-%d}}\nspec: {replicas: %d}\n", i*61, i)
	}
	over.WriteString("---\n+match: {metadata: {namespace: ns-3}}\nspec: {paused: true}\n")
	benchmarkText(b, "", "base.yaml", stream(3000), "over.yaml", over.String())
}

// BenchmarkOut writes a stream of 3,000 objects: as one stream, and to a directory of files that is new, or
// has the files already. The goal is 1.3 times the first.
func BenchmarkOut(b *testing.B) {
	dir := b.TempDir()
	name := filepath.Join(dir, "all.yaml")
	if err := os.WriteFile(name, []byte(stream(3000)), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("stream", func(b *testing.B) {
		for b.Loop() {
			if err := runOnce([]string{name}, ""); err != nil {
				b.Fatal(err)
			}
		}
	})
	write := func(b *testing.B, to string) {
		p, err := yaytpl.Open(context.Background(), []string{name}, yaytpl.Options{})
		if err != nil {
			b.Fatal(err)
		}
		out := yaytpl.NewOutput(context.Background(), yaytpl.OutputOptions{Dir: dir})
		defer out.Close()
		if err := p.RenderFiles(out, yaytpl.Destination{Path: to}, yaytpl.RenderOptions{}); err != nil {
			b.Fatal(err)
		}
		if err := out.Commit(); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("new", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			write(b, fmt.Sprintf("new%d", i))
		}
	})
	b.Run("same", func(b *testing.B) {
		for b.Loop() {
			write(b, "same")
		}
	})
}
