package workspace_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/workspace"
)

// BenchmarkAll renders targets of the size of the quickstart, each with a file of its own. The goal is
// 0.5 ms of CPU time for one, and memory that does not grow with their number.
func BenchmarkAll(b *testing.B) {
	dir := b.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "fixtures", "quickstart"))); err != nil {
		b.Fatal(err)
	}
	const targets = 1000
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "nodes"), 0o700); err != nil {
		b.Fatal(err)
	}
	for i := range targets {
		write(fmt.Sprintf("nodes/n%d.yaml", i), fmt.Sprintf("services: {orders: {replicas: %d}}\n", i))
	}
	write("yaytpl.yaml", "yaytpl: 1\ntargets:\n  '{n}': {for: 'nodes/{n}.yaml', files: [site.yaml, 'nodes/{n}.yaml'], define: {host: '{n}.example.org'}}\n")
	b.ResetTimer()
	for b.Loop() {
		w, err := workspace.Open("yaytpl.yaml", dir)
		if err != nil {
			b.Fatal(err)
		}
		list, err := w.Targets()
		if err != nil || len(list) != targets {
			b.Fatal(len(list), err)
		}
		var stacks []workspace.Stack
		for i := range list {
			stacks = append(stacks, list[i].Stack(nil, nil))
		}
		render := func(_ workspace.Stack, p *yaytpl.Project) (int, error) {
			var out bytes.Buffer
			err := p.Render(&out, yaytpl.RenderOptions{})
			return out.Len(), err
		}
		for r := range workspace.All(context.Background(), stacks, w.Options(yaytpl.Options{Dir: dir}), render) {
			if r.Err != nil || r.Value < 1000 {
				b.Fatal(r.Value, r.Err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/targets, "us/target")
}
