package lint_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/lint"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"pgregory.net/rapid"
)

// A plain is a map of maps and scalars, for the model of unknown keys.
type plain map[string]any

// drawPlain draws a map. The keys are few, so that layers meet, and each has values of one kind.
func drawPlain(t *rapid.T, depth int) plain {
	m := plain{}
	for range rapid.IntRange(0, 5).Draw(t, "keys") {
		switch key := rapid.SampledFrom([]string{"a", "ab", "b", "c", "cd", "d", "e", "E"}).Draw(t, "key"); key {
		case "a", "ab", "b":
			m[key] = plain{}
			if depth < 3 {
				m[key] = drawPlain(t, depth+1)
			}
		case "c", "cd", "d":
			m[key] = "text"
		default:
			m[key] = 1
		}
	}
	return m
}

// written returns a map as JSON.
func (m plain) written() string {
	var parts []string
	for k, v := range m {
		text := fmt.Sprintf("%q", v)
		switch v := v.(type) {
		case plain:
			text = v.written()
		case int:
			text = fmt.Sprint(v)
		}
		parts = append(parts, fmt.Sprintf("%q: %s", k, text))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

// over returns m with newer entries.
func (m plain) over(older plain) plain {
	out := plain{}
	for k, v := range older {
		out[k] = v
	}
	for k, v := range m {
		below, both := out[k].(plain)
		if mine, ok := v.(plain); ok && both {
			v = mine.over(below)
		}
		out[k] = v
	}
	return out
}

var programKey = regexp.MustCompile(`^[a-z][A-Za-z0-9_-]*$`)

// closed is the rule of everyday, B8, word by word: beside are the maps beside m.
func (m plain) closed(beside []plain) bool {
	maps, texts := 0, 0
	for k, v := range m {
		if !programKey.MatchString(k) {
			return false
		}
		switch v.(type) {
		case plain:
			maps++
		case string:
			texts++
		}
	}
	if len(m) == 0 || len(m) >= 3 && (maps == len(m) || texts == len(m)) {
		return false
	}
	for _, b := range beside {
		shares, others := false, false
		for k := range b {
			_, both := m[k]
			shares, others = shares || both, others || !both
		}
		if shares && others {
			return false
		}
	}
	return true
}

// unknown appends the paths of the keys that newer adds to the closed maps of older.
func unknown(found []string, at string, newer, older plain, beside []plain) []string {
	closed := older.closed(beside)
	for k, v := range newer {
		was, there := older[k]
		if !there {
			if closed {
				found = append(found, at+k)
			}
			continue
		}
		mine, ok := v.(plain)
		below, both := was.(plain)
		if !ok || !both {
			continue
		}
		var others []plain
		for other, v := range older {
			if m, isMap := v.(plain); isMap && other != k {
				others = append(others, m)
			}
		}
		found = unknown(found, at+k+".", mine, below, others)
	}
	return found
}

// New keys are those of a model that has the whole documents.
func TestUnknownKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []string
		var roots []graph.RootLayer
		var layers []*graph.Doc
		older := plain{}
		for i := range rapid.IntRange(1, 4).Draw(t, "layers") {
			layer := drawPlain(t, 0)
			if i > 0 {
				want = unknown(want, "", layer, older, nil)
			}
			older = layer.over(older)
			docs, _ := merge.Parse(source.NewFile(fmt.Sprint(i), layer.written()), merge.Options{})
			roots = append(roots, graph.RootLayer{Doc: docs[0], Name: fmt.Sprint(i), Rule: graph.MergeRule})
			layers = append(layers, docs[0])
		}
		e := graph.New(context.Background(), roots, graph.Options{Forms: merge.Forms})
		var got []string
		if err := e.Joins(func(j graph.Join) bool {
			if j.Kind == graph.NewKey {
				got = append(got, j.Path.String())
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			for _, l := range layers {
				t.Log(l.Root.Span().File.Text)
			}
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

// A near key is reported unasked, others on demand, and none that something reads.
func TestNearKeys(t *testing.T) {
	older := parsed(t, "base.yaml", "{server: {port: 80, host: a, url: '{{ SELF.proto }}'}}")
	newer := parsed(t, "prod.yaml", "{server: {prot: 1, proto: 2, timeout: 3}}")
	layers := []*graph.Doc{older, newer}
	for _, test := range []struct {
		all  bool
		want string
	}{{false, "prot:port"}, {true, "prot:port timeout:"}} {
		e := graph.New(context.Background(), []graph.RootLayer{{Doc: older, Rule: graph.MergeRule}, {Doc: newer, Rule: graph.MergeRule}}, graph.Options{Forms: merge.Forms})
		found, err := lint.Joins(e, layers, nil, test.all)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range found {
			hint := strings.TrimSuffix(strings.TrimPrefix(d.Hint, `did you mean "`), `"?`)
			got = append(got, d.At.Text()+":"+hint)
		}
		if words := strings.Join(got, " "); words != test.want {
			t.Errorf("all %t: %s, want %s", test.all, words, test.want)
		}
	}
}
