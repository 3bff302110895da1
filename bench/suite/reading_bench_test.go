package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/parser"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	yaml4 "go.yaml.in/yaml/v4"
	yaml3 "gopkg.in/yaml.v3"
)

// BenchmarkReading reads 500 KB of commented YAML into the nodes of each library, with positions and
// comments.
func BenchmarkReading(b *testing.B) {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "# service %d\nservice-%d:\n  image: \"registry.example.com/app:%d\" # pinned\n  ports: [80, %d]\n  env:\n    - name: LEVEL\n      value: info\n    - {name: ZONE, value: 'eu'}\n  command: |\n    exec app \\\n      --fast\n", i, i, i, 1000+i)
	}
	readers := []struct {
		name string
		read func(text string) error
	}{
		{"yaytpl", func(text string) error {
			if _, diags := yaml.Parse(source.NewFile("t.yaml", text), yaml.ParseOptions{}); len(diags) > 0 {
				return diags[0]
			}
			return nil
		}},
		{"yaml.v3", func(text string) error { return yaml3.Unmarshal([]byte(text), new(yaml3.Node)) }},
		{"yaml.v4", func(text string) error { return yaml4.Unmarshal([]byte(text), new(yaml4.Node)) }},
		{"goccy", func(text string) error {
			_, err := parser.ParseBytes([]byte(text), parser.ParseComments)
			return err
		}},
	}
	for _, r := range readers {
		b.Run(r.name, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if err := r.read(text.String()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
