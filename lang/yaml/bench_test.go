package yaml_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	yamlv3 "gopkg.in/yaml.v3"
)

// services returns a text like a typical configuration, with about 450 bytes per service.
func services(n int) string {
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

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{100, 2000, 12000} {
		src := services(n)
		b.Run(fmt.Sprintf("services=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, diags := yaml.Parse(source.NewFile("bench.yaml", src), yaml.ParseOptions{}); diags != nil {
					b.Fatal(diags[0])
				}
			}
		})
	}
}

// BenchmarkParseRare parses a text whose last lines are an explicit key.
func BenchmarkParseRare(b *testing.B) {
	src := services(2000) + "? complex\n: key\n"
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := yaml.Parse(source.NewFile("bench.yaml", src), yaml.ParseOptions{}); diags != nil {
			b.Fatal(diags[0])
		}
	}
}

// BenchmarkLibrary parses with gopkg.in/yaml.v3, for comparison.
func BenchmarkLibrary(b *testing.B) {
	for _, n := range []int{100, 2000, 12000} {
		src := services(n)
		b.Run(fmt.Sprintf("services=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				var node yamlv3.Node
				if err := yamlv3.Unmarshal([]byte(src), &node); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	forms := []struct {
		name   string
		encode encodeFunc
	}{{"yaml", yaml.Encode}, {"json", yaml.EncodeJSON}}
	for _, form := range forms {
		for _, n := range []int{100, 2000} {
			v := mustValue(b, services(n))
			b.Run(fmt.Sprintf("%s/services=%d", form.name, n), func(b *testing.B) {
				b.SetBytes(int64(len(services(n))))
				b.ReportAllocs()
				for b.Loop() {
					if err := form.encode(io.Discard, v, yaml.EncodeOptions{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkParseJSON(b *testing.B) {
	for _, n := range []int{100, 2000} {
		var text strings.Builder
		if err := yaml.EncodeJSON(&text, mustValue(b, services(n)), yaml.EncodeOptions{}); err != nil {
			b.Fatal(err)
		}
		src := text.String()
		b.Run(fmt.Sprintf("services=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, diags := yaml.ParseJSON(source.NewFile("bench.json", src), yaml.ParseOptions{}); diags != nil {
					b.Fatal(diags[0])
				}
			}
		})
	}
}

// BenchmarkDuplicateKeys shows that the search for duplicate keys takes linear time.
func BenchmarkDuplicateKeys(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		src := manyKeys(n)
		b.Run(fmt.Sprintf("keys=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if _, diags := yaml.Parse(source.NewFile("bench.yaml", src), yaml.ParseOptions{}); diags != nil {
					b.Fatal(diags[0])
				}
			}
		})
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "key-%d: %d\n", i, i)
	}
	return b.String()
}
