package system_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/value"
)

// A modelDoc is a document of a naive model of streams: maps of maps and numbers.
type modelDoc struct {
	match map[string]any // nil for none
	data  map[string]any
}

// text writes a map as JSON, whose order of keys does not count.
func text(m map[string]any) string {
	var parts []string
	for k, v := range m {
		if sub, ok := v.(map[string]any); ok {
			v = text(sub)
		}
		parts = append(parts, fmt.Sprintf("%q: %v", k, v))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// contains reports whether a document has all of a map.
func contains(doc, want map[string]any) bool {
	for k, w := range want {
		sub, isMap := w.(map[string]any)
		have, haveMap := doc[k].(map[string]any)
		switch {
		case isMap != haveMap:
			return false
		case isMap && !contains(have, sub), !isMap && doc[k] != w:
			return false
		}
	}
	return true
}

// joined returns the join of two maps.
func joined(old, over map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range old {
		out[k] = v
	}
	for k, v := range over {
		sub, isMap := v.(map[string]any)
		was, wasMap := out[k].(map[string]any)
		if isMap && wasMap {
			v = joined(was, sub)
		}
		out[k] = v
	}
	return out
}

// stack returns the finished documents of files, by the words of the requirement.
func stack(files [][]modelDoc) []map[string]any {
	n := 1
	plain := make([][]modelDoc, len(files))
	for i, f := range files {
		for _, d := range f {
			if d.match == nil {
				plain[i] = append(plain[i], d)
			}
		}
		n = max(n, len(plain[i]))
	}
	docs := make([]map[string]any, n)
	for i, f := range files {
		for at := range docs {
			older, now, position := docs[at], docs[at], 0
			for _, d := range f {
				applies := older != nil && contains(older, d.match)
				if d.match == nil {
					applies = len(plain[i]) == 1 || position == at
					position++
				}
				if applies {
					now = joined(now, d.data)
				}
			}
			docs[at] = now
		}
	}
	return docs
}

// TestMatchModel compares random streams with the model.
func TestMatchModel(t *testing.T) {
	for seed := range long.Scale(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 1))
		var random func(depth int) map[string]any
		random = func(depth int) map[string]any {
			m := map[string]any{}
			for range r.IntN(3) {
				k := string(rune('a' + r.IntN(3)))
				if m[k] = r.IntN(2); depth > 0 && r.IntN(3) == 0 {
					m[k] = random(depth - 1)
				}
			}
			return m
		}
		dir := t.TempDir()
		var files [][]modelDoc
		var names []string
		for i := range 1 + r.IntN(3) {
			var docs []modelDoc
			var out []string
			for range 1 + r.IntN(4) {
				d := modelDoc{data: random(2)}
				line := text(d.data)
				if r.IntN(2) == 0 {
					d.match = random(1)
					line = "{+?match: " + text(d.match) + ", " + strings.TrimPrefix(line, "{")
				}
				docs = append(docs, d)
				out = append(out, line)
			}
			name := fmt.Sprintf("%d.yaml", i)
			if err := os.WriteFile(filepath.Join(dir, name), []byte("---\n"+strings.Join(out, "\n---\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			files, names = append(files, docs), append(names, name)
		}
		p, err := yaytpl.Open(context.Background(), names, yaytpl.Options{Dir: dir})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := stack(files)
		if len(want) != len(p.Documents()) {
			t.Fatalf("seed %d: %d documents, want %d", seed, len(p.Documents()), len(want))
		}
		for i, d := range p.Documents() {
			v, err := d.Value()
			if err != nil {
				t.Fatal(err)
			}
			if got := plainData(t, v); !reflect.DeepEqual(got, any(want[i])) && (len(want[i]) > 0 || got != nil) {
				t.Errorf("seed %d: document %d is %v, want %v, of %v", seed, i, got, want[i], files)
			}
		}
	}
}

// plainData converts maps of numbers; an empty document is nil.
func plainData(t *testing.T, v value.Value) any {
	switch v.Kind() {
	case value.NullKind:
		return nil
	case value.IntKind:
		n, _ := v.Int()
		return int(n)
	}
	m := map[string]any{}
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err != nil {
			t.Fatal(err)
		}
		m[k.Text] = plainData(t, item)
	}
	return m
}
