package yaml_test

import (
	"encoding/json"
	"io"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	toml "github.com/pelletier/go-toml/v2"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var seeds = []string{
	"", "a: &x [1, {b: *x}] # end\r\n", "{+?/x: , eval: ::a}", "name: {{ a }}-{{ b }}\nx: [{{ f(1, 2) }}]",
	"%YAML 1.2\n---\na: |+\n  b\n\n---\n- - x\n  - >-\n    f\n    g\n", "? a\n: b\n", "# yaytpl: templates=off\n\n# head\na: 1 # line\n# foot\n\nb: 2\n",
	"a: 'it''s'\nb: \"\\u00e9\\x41\\\n  z\"\nc: !Ref x\nd: !!binary aGk=\n<<: {e: 1}\n", "\ufeffé: 日本\u2028x: y\n", "a: {{{{ x", "- |2\n   x\n- >\n\n a\n  b\n\n c\n",
	"017: 0x1F\n~: 1e3\ny: yes\n.inf: -.Inf\n1_000: 1:30\n", "a:\n\t- b", "[a: b, {c}, \"d\":e]", "a: b: c", "'x", "&a [*a]",
	`{"a": [1, -0.5e+3, "\ud83d\ude00\/", null, true], "b": {}}`, "![[!/[[%00", "!!!!Y%08d!A$", "a: \"\t\"\nb: \" \\t x \\n\"\n",
}

// checkSpans requires that the span of every node is inside that of its parent.
func checkSpans(t *testing.T, n *yaml.Node, in source.Span) {
	if n == nil {
		return
	}
	if n.At.Start < in.Start || n.At.End > in.End {
		t.Errorf("span %d-%d is not inside %d-%d of %q", n.At.Start, n.At.End, in.Start, in.End, in.File.Text)
	}
	for _, item := range n.Items {
		checkSpans(t, item, n.At)
	}
	for _, e := range n.Entries {
		checkSpans(t, e.KeyNode(), n.At)
		checkSpans(t, e.Value, n.At)
	}
	if text := n.Value.Str(); n.Kind == yaml.ScalarNode && text != "" {
		at := n.TextSpan(0, len(text))
		if at.Start < n.At.Start || at.End > n.At.End {
			t.Errorf("TextSpan %d-%d is not inside %d-%d of %q", at.Start, at.End, n.At.Start, n.At.End, in.File.Text)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("fuzz.yaml", text)
		docs, diags := yaml.Parse(file, yaml.ParseOptions{})
		for _, d := range diags {
			if d.At.IsZero() || d.Message == "" || d.Code == "" {
				t.Errorf("Parse(%q): a finding without place, text or code: %v", text, d)
			}
		}
		if len(diags) > 0 {
			return // refusing is fine
		}
		var values []value.Value
		for _, d := range docs {
			checkSpans(t, d.Root, file.Span(0, len(text)))
			v, err := d.Root.ToValue()
			if err != nil {
				return
			}
			values = append(values, v)
		}
		for _, opts := range []yaml.EncodeOptions{{}, {NoComments: true}} {
			checkEncoding(t, text, values, opts)
		}
	})
}

// checkEncoding requires that encoding and parsing a value gives the same value.
func checkEncoding(t *testing.T, text string, values []value.Value, opts yaml.EncodeOptions) {
	var b strings.Builder
	opts.MaxBytes = 1 << 20
	if err := yaml.EncodeDocuments(&b, values, opts); err != nil {
		return
	}
	again, diags := yaml.Parse(source.NewFile("again.yaml", b.String()), yaml.ParseOptions{})
	if len(diags) > 0 || len(again) != len(values) {
		t.Fatalf("%q was written as %q, which does not parse: %d documents, %v", text, b.String(), len(again), diags)
	}
	for i, d := range again {
		v, err := d.Root.ToValue()
		if err != nil {
			t.Fatalf("%q was written as %q: %v", text, b.String(), err)
		}
		if want, got := data(t, values[i]), data(t, v); want != got {
			t.Errorf("%q was written as %q: %s became %s", text, b.String(), want, got)
		}
	}
}

// data returns a text that is equal for equal data, NaN included.
func data(t *testing.T, v value.Value) string {
	s, err := value.Repr(v)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func FuzzParseJSON(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("fuzz.json", text)
		docs, diags := yaml.ParseJSON(file, yaml.ParseOptions{Lenient: true})
		failed := false
		for _, d := range diags {
			failed = failed || d.Severity == source.Error
		}
		if valid := json.Valid([]byte(text)) && utf8.ValidString(text); valid && failed {
			t.Fatalf("ParseJSON(%q) refuses: %v", text, diags[0])
		} else if !valid && !failed && len(docs) == 1 && docs[0].Root != nil && !strings.HasPrefix(text, "\ufeff") {
			t.Fatalf("ParseJSON(%q) accepts a text that is not JSON", text)
		}
		if failed || docs[0].Root == nil {
			return
		}
		for _, d := range docs {
			checkSpans(t, d.Root, file.Span(0, len(text)))
		}
		v, err := docs[0].Root.ToValue()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := yaml.EncodeJSON(&b, v, yaml.EncodeOptions{}); err != nil {
			return
		}
		again, diags := yaml.ParseJSON(source.NewFile("again.json", b.String()), yaml.ParseOptions{})
		if len(diags) > 0 {
			t.Fatalf("%q was written as %q: %v", text, b.String(), diags[0])
		}
		got, err := again[0].Root.ToValue()
		if err != nil || data(t, got) != data(t, v) {
			t.Errorf("%q was written as %q, %v", text, b.String(), err)
		}
	})
}

func FuzzEncodeTOML(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		docs, diags := yaml.Parse(source.NewFile("fuzz.yaml", text), yaml.ParseOptions{})
		if len(diags) > 0 {
			return
		}
		v, err := docs[0].Root.ToValue()
		var b strings.Builder
		if err != nil || yaml.EncodeTOML(&b, v, yaml.EncodeOptions{DropTags: true, MaxBytes: 1 << 16}) != nil {
			return
		}
		var got map[string]any
		if err := toml.Unmarshal([]byte(b.String()), &got); err != nil {
			t.Fatalf("%q was written as %q: %v", text, b.String(), err)
		}
		if eq, err := value.Equal(fromGo(got), textKeys(v)); err != nil || !eq && !strings.Contains(b.String(), "nan") {
			t.Errorf("%q was written as %q", text, b.String())
		}
	})
}

// fromGo returns the value of data that a TOML library decoded.
func fromGo(x any) value.Value {
	switch x := x.(type) {
	case string:
		return value.String(x)
	case bool:
		return value.Bool(x)
	case int64:
		return value.BigInt(big.NewInt(x))
	case float64:
		return value.Float(x)
	case []any:
		var items value.Slice
		for _, item := range x {
			items = append(items, fromGo(item))
		}
		return value.FromList(items)
	case map[string]any:
		m := value.NewMap(len(x))
		for k, item := range x {
			m.Set(value.K(k), fromGo(item))
		}
		return value.FromMap(m)
	}
	return value.Null
}

// textKeys returns v with all keys as text.
func textKeys(v value.Value) value.Value {
	switch v.Kind() {
	case value.ListKind:
		var items value.Slice
		for item := range value.Items(v.List()) {
			items = append(items, textKeys(item))
		}
		return value.FromList(items)
	case value.MapKind:
		m := value.NewMap(v.Map().Len())
		for k := range v.Map().Keys() {
			item, _, _ := v.Map().Get(k)
			m.Set(value.K(k.Text), textKeys(item))
		}
		return value.FromMap(m)
	}
	return v
}

func FuzzEncodeText(f *testing.F) {
	for _, s := range append(seeds, "yes", "1:30", "2024-01-02", "a b: c", "- x", "a\n\n b \n", "\n x\n", "key\u0085", "0x", "{{ x }}", "a {{", "b {% c }}") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		m := value.NewMap(1)
		m.Set(value.K(text), value.ListOf(value.String(text), value.ListOf(value.String(text))))
		m.Set(value.K(text+" {{"), value.String(text+" %} }}"))
		for _, v := range []value.Value{value.String(text), value.ListOf(value.String(text)), value.FromMap(m)} {
			checkEncoding(t, text, []value.Value{v}, yaml.EncodeOptions{})
		}
		v := value.ListOf(value.String(text))
		for _, f := range []encodeFunc{yaml.EncodeJSON, yaml.EncodeText, yaml.EncodeEnv} {
			_ = f(io.Discard, v, yaml.EncodeOptions{})
		}
	})
}
