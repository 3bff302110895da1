package system_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/testing/long"
)

// A revision of a project has the result of a run that knows nothing, in each form, whatever its files were
// before. Files get times in the past, so that those that stay are not read again.
func TestRevisions(t *testing.T) {
	forms := []yaytpl.RenderOptions{
		{}, {NoComments: true}, {Form: "json"}, {Form: "json", Compact: true}, {Form: "kyaml"}, {DropTags: true}, {Form: "yaml", Each: "services"}, {ExpandOnly: true}, {Form: "toml"},
	}
	for seed := range long.Scale(uint64(60)) {
		r := rand.New(rand.NewPCG(seed, 7))
		dir := t.TempDir()
		age := time.Now().Add(-24 * time.Hour)
		var changed []yaytpl.Input // since the last revision
		write := func(name, text string) {
			t.Helper()
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			age = age.Add(time.Minute)
			if err := os.Chtimes(path, age, age); err != nil {
				t.Fatal(err)
			}
			changed = append(changed, yaytpl.Input{Kind: yaytpl.FileInput, Name: path})
		}
		const parts = 6
		var main strings.Builder
		for i := range parts {
			fmt.Fprintf(&main, "+include-%d: part-%d.yaml\n", i, i)
		}
		main.WriteString("top: {keep: [1, 2, 3], text: \"a text that is long enough to be kept in the memo of texts\"}\n")
		write("main.yaml", main.String())
		for i := range parts {
			write(fmt.Sprintf("part-%d.yaml", i), randomPart(r, i))
		}
		cache := (*yaytpl.Cache)(nil).Next()
		for revision := range 12 {
			o := forms[r.IntN(len(forms))]
			open := func(cache *yaytpl.Cache) string {
				p, err := yaytpl.Open(t.Context(), []string{"main.yaml"}, yaytpl.Options{Dir: dir, Cache: cache})
				if err != nil {
					return err.Error()
				}
				var out bytes.Buffer
				if err := p.Render(&out, o); err != nil {
					return err.Error()
				}
				return out.String()
			}
			if got, want := open(cache), open(nil); got != want {
				t.Fatalf("seed %d, revision %d, %+v:\n%s\nnot\n%s", seed, revision, o, got, want)
			}
			changed = nil
			for range r.IntN(3) {
				i := r.IntN(parts)
				write(fmt.Sprintf("part-%d.yaml", i), randomPart(r, i))
			}
			if seed%2 == 0 {
				changed = nil // the files are looked at
			}
			cache = cache.Next(changed...)
		}
	}
}

// randomPart returns a file that adds to maps of others, with comments, tags, templates and secrets.
func randomPart(r *rand.Rand, i int) string {
	var b strings.Builder
	if r.IntN(3) == 0 {
		b.WriteString("# a comment above\n")
	}
	b.WriteString("services:\n")
	for j := range 1 + r.IntN(3) {
		fmt.Fprintf(&b, "  service-%d-%d:\n    name: a name that is long enough for the memo of texts, %d\n", i, j, r.IntN(3))
		switch r.IntN(8) {
		case 0:
			b.WriteString("    port: \"{{ 80 + 1 }}\"\n")
		case 1:
			b.WriteString("    # above the list\n    list: # beside\n      - 1\n      - {a: 1, b: [x, y]}\n    # below\n")
		case 2:
			b.WriteString("    secret: {eval: {sensitive: hunter2}}\n")
		case 3:
			b.WriteString("    tagged: !Ref x\n    flow: {a: {b: {c: [1, 2, {d: e}]}}}\n")
		case 4:
			b.WriteString("    1: number\n    \"1\": text\n")
		case 5:
			b.WriteString("    text: |\n      several\n      lines\n    empty: {}\n    none:\n")
		}
	}
	if r.IntN(3) == 0 {
		b.WriteString("shared:\n  common: {a: 1, text: \"the same key in several files, long enough to be kept\"}\n")
		fmt.Fprintf(&b, "  own-%d: 1\n", i)
	}
	return b.String()
}

// BenchmarkRevision renders 1,000 included files after one of them has changed.
func BenchmarkRevision(b *testing.B) {
	dir := b.TempDir()
	old := time.Now().Add(-time.Hour)
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		old = old.Add(time.Millisecond)
		if err := os.Chtimes(path, old, old); err != nil {
			b.Fatal(err)
		}
	}
	part := func(i, port int) string {
		return fmt.Sprintf("# part %d\nservices:\n  service-%05d:\n    image: registry.example.com/service:%d\n    replicas: 8\n    enabled: true\n    ports:\n      http: %d\n      metrics: 9090\n"+
			"    environment:\n      MODE: production\n      NAME: \"service %d\"\n    labels:\n      team: team-8\n      part: part-%d\n    volumes:\n      - name: data\n        path: /var/lib/%d\n"+
			"groups:\n  group-%05d:\n    size: 8\n", i, i, i, port, i, i, i, i)
	}
	var main strings.Builder
	const n = 1000
	for i := range n {
		fmt.Fprintf(&main, "+include-%d: part-%d.yaml\n", i, i)
		write(fmt.Sprintf("part-%d.yaml", i), part(i, 80))
	}
	write("main.yaml", main.String())
	render := func(cache *yaytpl.Cache) {
		p, err := yaytpl.Open(b.Context(), []string{"main.yaml"}, yaytpl.Options{Dir: dir, Cache: cache})
		if err != nil {
			b.Fatal(err)
		}
		var out bytes.Buffer
		if err := p.Render(&out, yaytpl.RenderOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("fresh", func(b *testing.B) {
		for b.Loop() {
			render(nil)
		}
	})
	b.Run("one changed", func(b *testing.B) {
		cache := (*yaytpl.Cache)(nil).Next()
		render(cache)
		i := 0
		for b.Loop() {
			i++
			write("part-500.yaml", part(500, i))
			cache = cache.Next()
			render(cache)
		}
	})
}
