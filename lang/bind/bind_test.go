package bind

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// data reads a value of YAML.
func data(t testing.TB, text string) value.Value {
	t.Helper()
	docs, findings := yaml.Parse(source.NewFile("x.yaml", text), yaml.ParseOptions{})
	if len(findings) > 0 {
		t.Fatal(findings[0])
	}
	v, err := docs[0].Root.ToValue()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// text writes a value as JSON.
func text(t testing.TB, v value.Value) string {
	t.Helper()
	var b strings.Builder
	if err := yaml.EncodeJSON(&b, v, yaml.EncodeOptions{Compact: true}); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// TestFold: the sources are written from the highest to the lowest. Results as of Puppet 7.23.
func TestFold(t *testing.T) {
	for _, test := range []struct {
		strategy, sources, want string
	}{
		{"first", "[1, 2]", "1"},
		{"unique", "[a, [b, a], c]", `["a","b","c"]`},
		{"unique", "[[[a, [b]]], [b]]", `["a","b"]`},
		{"unique", "[{a: 1}]", `[{"a":1}]`},
		{"unique", "[a, {b: 1}]", "error"},
		{"unique", "[1, [1.0, \"1\"]]", `[1,1.0,"1"]`},
		{"hash", "[{a: 1, b: 2}, {c: 3, a: 0}]", `{"c":3,"a":1,"b":2}`},
		{"hash", "[{a: {x: 1}}, {a: {y: 2}}]", `{"a":{"x":1}}`},
		{"hash", "[{a: 1}, [b]]", "error"},
		{"deep", "[{a: [1, 2], b: x}, {c: 3, a: [2, 0]}]", `{"c":3,"a":[2,0,1],"b":"x"}`},
		{"deep", "[{a: {x: 1}}, {a: {y: 2}}]", `{"a":{"y":2,"x":1}}`},
		{"deep", "[{a: 1}, {a: [2]}]", `{"a":1}`},
		{"deep", "[{a: null}, {a: 2}]", `{"a":2}`},
		{"deep", "[{a: 1}, {a: false}]", `{"a":1}`},
		{"deep", "[[1], [2, 1]]", "[2,1]"},
		{"deep", "[{}, 5]", "5"},
		{"{strategy: deep, knockout_prefix: '--'}", "[{l: [\"--b\", c]}, {l: [a, b]}]", `{"l":["a","c"]}`},
		{"{strategy: deep, knockout_prefix: '--'}", "[{l: [\"--b\"]}, {l: [a]}, {l: [b]}]", `{"l":["b","a"]}`},
		{"{strategy: deep, knockout_prefix: '--'}", "[{l: [\"--\", c]}, {l: [a, b]}]", `{"l":["c"]}`},
		{"{strategy: deep, knockout_prefix: '--'}", "[{k: \"--\"}, {k: v}]", `{"k":""}`},
		{"{strategy: deep, sort_merged_arrays: true}", "[{l: [c, a]}, {l: [b]}]", `{"l":["a","b","c"]}`},
		{"{strategy: deep, sort_merged_arrays: true}", "[[10, 2], [3]]", `[2,3,10]`},
		{"{strategy: deep, merge_hash_arrays: true}", "[[{a: 1}, {b: 2}], [{c: 3}]]", `[{"c":3,"a":1},{"b":2}]`},
	} {
		s, err := ParseStrategy(data(t, test.strategy))
		if err != nil {
			t.Fatal(err)
		}
		items, err := value.ItemsOf(data(t, test.sources).List())
		if err != nil {
			t.Fatal(err)
		}
		before := text(t, value.ListOf(items...))
		v, err := s.Fold(items, nil)
		got := "error"
		if err == nil {
			got = text(t, v)
		}
		if got != test.want {
			t.Errorf("%s of %s: got %s, %v, want %s", test.strategy, test.sources, got, err, test.want)
		}
		if after := text(t, value.ListOf(items...)); after != before {
			t.Errorf("%s of %s changed its sources: %s", test.strategy, test.sources, after)
		}
	}
}

// TestBadStrategies: misspelt names and options are refused.
func TestBadStrategies(t *testing.T) {
	for _, s := range []string{"widest", "{merge: deep}", "{strategy: hash, knockout_prefix: x}", "{strategy: deep, knock_out: x}", "{strategy: deep, knockout_prefix: ''}", "[deep]", "{strategy: deep, sort_merged_arrays: 1}"} {
		if _, err := ParseStrategy(data(t, s)); err == nil {
			t.Errorf("%s: no error", s)
		}
	}
}

// TestMarksOfMerges: the length of a merged list depends on a secret in it.
func TestMarksOfMerges(t *testing.T) {
	secret := value.ListOf(value.String("pw").Mark(value.Secret), value.String("a"))
	for _, name := range []string{"unique", "deep"} {
		s, _ := NewStrategy(name)
		v, err := s.Fold([]value.Value{secret, data(t, "[a, b]")}, nil)
		if err != nil || v.Marks() != value.Secret {
			t.Errorf("%s: got marks %v, %v", name, v.Marks(), err)
		}
	}
}

// TestSplitKey: segments as Puppet 7.23 splits them.
func TestSplitKey(t *testing.T) {
	for _, test := range []struct{ key, want string }{
		{"a", "a"},
		{"a.b.c", "a|b|c"},
		{"a . b", "a|b"},
		{`a."b.c".d`, "a|b.c|d"},
		{"a.0", "a|#0"},
		{"a.-1", "a|#-1"},
		{"a.+1", "a|#1"},
		{"a.007", "a|#7"},
		{"a.'0'", "a|0"},
		{"price of a cup", "price of a cup"},
		{"a..b", "error"},
		{"a.", "error"},
		{".a", "error"},
		{"'a", "error"},
		{"a'b'", "error"},
		{"'a'b", "error"},
		{"", "error"},
		{"''", "error"},
		{"a.''", "error"},
	} {
		segments, err := SplitKey(test.key)
		var parts []string
		for _, s := range segments {
			if s.IsIndex {
				parts = append(parts, "#"+text(t, value.Int(int64(s.Index))))
			} else {
				parts = append(parts, s.Text)
			}
		}
		got := strings.Join(parts, "|")
		if err != nil {
			got = "error"
		}
		if got != test.want {
			t.Errorf("%q: got %s, %v, want %s", test.key, got, err, test.want)
		}
	}
}

// TestURIs: patterns of names in layers.
func TestURIs(t *testing.T) {
	for _, test := range []struct {
		uri, name string
		want      bool
	}{
		{"confdir:/default", "default", true},
		{"confdir:/default", "Default", true},
		{"module:/*::default", "inn::default", true},
		{"module:/*::default", "inn::bar::default", false},
		{"module:/**::default", "inn::bar::default", true},
		{"module:/**", "inn", true},
		{"module:/inn::**", "inn", false},
		{"confdir:/a::*", "a::b", true},
		{"module:/**::a::**::b", "x::a::a::y::b", true},
		{"module:/**::a::**::b", "x::a::b", false},
		{"module:/**::**", "a", false},
		{"module:/**::**", "a::b", true},
		{"module:/a::**::c::*", "a::c::c::c", true},
		{"module:/" + strings.Repeat("**::", 20) + "x", strings.Repeat("a::", 60) + "a", false},
	} {
		u, bad := ParseURI(test.uri, source.Span{})
		if bad != nil || u.Matches(test.name) != test.want {
			t.Errorf("%s matches %s: want %v, %v", test.uri, test.name, test.want, bad)
		}
	}
	for _, text := range []string{"default", "confdir:default", "confdir:/../x", "confdir://x", "confdir:/a?often", ":/a", "module:/a*::default"} {
		u, bad := ParseURI(text, source.Span{})
		if bad == nil {
			bad = u.valid()
		}
		if bad == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// FuzzSplitKey: a key has segments or is refused, and no segment is empty.
func FuzzSplitKey(f *testing.F) {
	for _, s := range []string{"a.b", `a."b.c"`, "a.0", "'x' . y", "a..b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, key string) {
		segments, err := SplitKey(key)
		if err == nil && len(segments) == 0 {
			t.Error("no segments")
		}
		for _, s := range segments {
			if s.Text == "" {
				t.Error("an empty segment")
			}
		}
	})
}

// FuzzFold: no strategy changes its sources or fails in another way than it says.
func FuzzFold(f *testing.F) {
	f.Add("deep", "{a: [1, {b: 2}]}", "{a: [--1], c: x}")
	f.Add("unique", "[1, [2]]", "a")
	f.Fuzz(func(t *testing.T, strategy, higher, lower string) {
		var values []value.Value
		for _, s := range []string{higher, lower} {
			docs, findings := yaml.Parse(source.NewFile("x.yaml", s), yaml.ParseOptions{MaxDepth: 50})
			if len(findings) > 0 || len(docs) == 0 || docs[0].Root == nil {
				return
			}
			v, err := docs[0].Root.ToValue()
			if err != nil {
				return
			}
			values = append(values, v)
		}
		s, ok := NewStrategy(strategy)
		if !ok {
			s = &Strategy{Kind: Deep, Knockout: "--", Sort: true, Hashes: true}
		}
		if _, err := s.Fold(values, nil); err != nil && s.Kind == First {
			t.Error(err)
		}
	})
}
