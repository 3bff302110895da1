package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/schema"
	"github.com/yaytpl/yaytpl/value"
	"pgregory.net/rapid"
)

// opened opens texts as the layers of a document.
func opened(t rapid.TB, texts ...string) *engine.Document {
	dir := string(filepath.Separator) + "srv"
	o := engine.Options{Load: load.Config{Dir: dir, Overlay: map[string]string{}}}
	var files []string
	for i, text := range texts {
		name := fmt.Sprintf("%d.yaml", i)
		files = append(files, name)
		o.Load.Overlay[filepath.Join(dir, name)] = text
	}
	p, err := engine.Open(context.Background(), files, o)
	if err != nil {
		t.Fatal(err)
	}
	return p.Documents()[0]
}

func TestImpliedSchema(t *testing.T) {
	for _, test := range []struct {
		layers []string
		want   string
	}{
		{[]string{"a: 1\nb: 1.5\nc: x\nd: null\ne: true\n"},
			`a: integer, b: number, c: string, d: null, e: boolean`},
		{[]string{"a: {b: {}}\nl: []\n"}, `a: object{b: object}, l: array`},
		{[]string{"l: [1, a, {x: 1}, {x: b, y: 2}, [null]]\n"},
			`l: array[array/integer/object/string{x: integer/string, y: integer}[null]]`},
		{[]string{"# the\n# port\na: 1 # no\nb: 2 # behind\n"}, `a: integer "the\nport", b: integer "behind"`},
		{[]string{"a: 1\nb: {x: 1}\nc: 1\n", "a: x\nb: {+%: replace, y: 1}\nc: {+%: whiteout}\n"},
			`a: integer/string, b: object{y: integer}`},
		{[]string{"a: \"{{ 1 + 1 }}\"\nb: {eval: ::c}\nc: [x]\n"}, `a: integer, b: array[string], c: array[string]`},
		{[]string{"+private: [v]\nv: 1\na: \"{{ v }}\"\n"}, `a: integer`},
	} {
		s, err := opened(t, test.layers...).ImpliedSchema()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.TrimSuffix(strings.TrimPrefix(short(t, s), "object{"), "}")
		if got != test.want {
			t.Errorf("%q: %s, want %s", test.layers, got, test.want)
		}
	}
}

// short returns a schema as one line.
func short(t *testing.T, s value.Value) string {
	field := func(name string) (value.Value, bool) {
		v, ok, err := s.Map().Get(value.K(name))
		if err != nil {
			t.Fatal(err)
		}
		return v, ok
	}
	kind, _ := field("type")
	text := kind.Str()
	if kind.Is(value.ListKind) {
		var names []string
		for v := range value.Items(kind.List()) {
			names = append(names, v.Str())
		}
		if text = strings.Join(names, "/"); !slices.IsSorted(names) {
			t.Errorf("types %s", text)
		}
	}
	if below, ok := field("properties"); ok {
		var all []string
		for k := range below.Map().Keys() {
			v, _, _ := below.Map().Get(k)
			all = append(all, k.Text+": "+short(t, v))
		}
		text += "{" + strings.Join(all, ", ") + "}"
	}
	if items, ok := field("items"); ok {
		text += "[" + short(t, items) + "]"
	}
	if about, ok := field("description"); ok {
		text += fmt.Sprintf(" %q", about.Str())
	}
	return text
}

// The schema that a document implies accepts it.
func TestImpliedSchemaAccepts(t *testing.T) {
	keys := []string{"a", "b", "1", "c d", "true"}
	var draw func(t *rapid.T, depth int) string
	draw = func(t *rapid.T, depth int) string {
		kinds := []string{"1", "1.5", "x", "'2'", "null", "true", "{}", "[]", "map", "list"}
		if depth > 3 {
			kinds = kinds[:8]
		}
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		var parts []string
		switch kind {
		case "map":
			for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 1, 4, rapid.ID).Draw(t, "keys") {
				parts = append(parts, k+": "+draw(t, depth+1))
			}
			return "{" + strings.Join(parts, ", ") + "}"
		case "list":
			for range rapid.IntRange(1, 3).Draw(t, "items") {
				parts = append(parts, draw(t, depth+1))
			}
			return "[" + strings.Join(parts, ", ") + "]"
		}
		return kind
	}
	rapid.Check(t, func(t *rapid.T) {
		var layers []string
		for range rapid.IntRange(1, 3).Draw(t, "layers") {
			var entries []string
			for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 1, 4, rapid.ID).Draw(t, "keys") {
				entries = append(entries, k+": "+draw(t, 0)+"\n")
			}
			layers = append(layers, strings.Join(entries, ""))
		}
		d := opened(t, layers...)
		implied, err := d.ImpliedSchema()
		if err != nil {
			t.Fatal(err)
		}
		s, err := schema.Compile(&schema.Document{Data: implied}, schema.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.Value()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v, func(x schema.Violation) bool { t.Errorf("%q: %s", layers, x.Message); return true }); err != nil {
			t.Fatal(err)
		}
	})
}

// A line of a printed document is the value on it.
func TestLines(t *testing.T) {
	const text = "# head\nweb:\n  hosts: [{ip: 1},\n\n    {ip: 2}]\n  text: |\n    a\n    b\nlist:\n  - name: x\n    port: 80\n  -\n    - y\n---\nz: 1\n"
	lines := engine.NewLines(text)
	for _, test := range []struct {
		line, col int
		want      string
	}{
		{1, 0, "0 ."}, {2, 0, "0 web"}, {3, 0, "0 web.hosts"}, {3, 13, "0 web.hosts[0].ip"}, {4, 0, "0 web.hosts[0].ip"}, {5, 0, "0 web.hosts[1]"},
		{7, 0, "0 web.text"}, {8, 3, "0 web.text"}, {10, 0, "0 list[0]"}, {10, 5, "0 list[0].name"}, {11, 0, "0 list[0].port"},
		{13, 0, "0 list[1]"}, {15, 0, "1 z"}, {17, 0, ""},
	} {
		got := ""
		if i, path, ok := lines.At(test.line, test.col); ok {
			got = fmt.Sprint(i, " ", path.String())
		}
		if got != test.want {
			t.Errorf("%d:%d: %q, want %q", test.line, test.col, got, test.want)
		}
	}
}
