package yaml_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// typed returns the value of a text in a form as JSON, or the code of its error.
func typed(form yaml.Form, text string) (string, *source.Diagnostic) {
	doc, found := form.Parse(source.NewFile("value", text), yaml.ParseOptions{})
	for _, d := range found {
		if d.Severity == source.Error {
			return string(d.Code), d
		}
	}
	v, err := doc.Root.ToValue()
	var b strings.Builder
	if err == nil {
		err = yaml.EncodeJSON(&b, v, yaml.EncodeOptions{Compact: true, Reveal: true, DropTags: true})
	}
	if err != nil {
		return err.Error(), source.AsDiagnostic(err, source.Span{}, source.Internal)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// jsonText returns a text in JSON.
func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), `\u2028`, "\u2028")
}

// Rule 3: everything that does not begin as YAML is text, byte for byte.
func TestTypedText(t *testing.T) {
	for _, text := range []string{
		"", " ", "a", "abc # def", "a: b # c", "a: b", "- a", "? a", "---", "--- a", "...", "%YAML 1.2", "# c", "#", "@x", "`x`",
		"!x", "!", "! x", "!\tx", "&x", "&", "& x", "*x", "*", "|", "|-", ">", "> x", ">=1.2", "|x\ny", "|--\na", "|12\na", "|-+\na", ">0\na",
		" 5", "5 ", "5\n", "\t[a]", " [a]", "x [a", "{{ x }}", "{{x}} [", "{% if x %}", "{%", "{{",
		"yes", "no", "on", "22:22", "1_000", "0o8", "1,5", "1.2.3", "2024-01-02", "=", "<<", "NULL ", "nUll", "tRue", "--", "-", "+", ".", "-x",
		"a\nb\n\n", "a\r\nb", "\r\n", "\u2028", "\ufeffa", "\x00", "-----BEGIN KEY-----\nabc\n-----END KEY-----\n", "https://a.b/?c=d#e", `\n`,
		"!Ref\nx", "&a\nx", "é: ö", "a\x00: b",
	} {
		if got, err := typed(yaml.TypedForm, text); got != jsonText(text) {
			t.Errorf("%q is %s (%v), want the text", text, got, err)
		}
	}
}

// Rules 1 and 2.
func TestTypedData(t *testing.T) {
	tests := []struct{ text, want string }{
		{"null", "null"}, {"~", "null"}, {"Null", "null"}, {"NULL", "null"},
		{"true", "true"}, {"False", "false"}, {"TRUE", "true"},
		{"5", "5"}, {"-5", "-5"}, {"+5", "5"}, {"0644", "644"}, {"0o17", "15"}, {"0x1F", "31"}, {"1e3", "1e3"}, {".5", "0.5"}, {"1.10", "1.10"},
		{"[]", "[]"}, {"[a, b]", `["a","b"]`}, {"[a]  \n", `["a"]`}, {"{a: 1}", `{"a":1}`}, {"{}", "{}"}, {"{\na: 1 # c\n}", `{"a":1}`},
		{`"a\tb"`, `"a\tb"`}, {`"5"`, `"5"`}, {"''", `""`}, {"'it''s'", `"it's"`}, {`"{{ x }}"`, `"{{ x }}"`}, {"[{{ x }}]", `["{{ x }}"]`},
		{"!Ref x", `"x"`}, {"!!str 5", `"5"`}, {"!!int 5", "5"}, {"!t [a]", `["a"]`}, {"!t {a: b}", `{"a":"b"}`}, {`!t "a"`, `"a"`}, {"!a!b x", "usage"},
		{"&a 5", "5"}, {"&a !t x", `"x"`}, {"&a [1]", "[1]"}, {"[&a 1, *a]", "[1,1]"}, {"!t  ", `""`},
		{"|\n  a\n  b\n", `"a\nb\n"`}, {"|-\n  a\n", `"a"`}, {">\n  a\n  b\n", `"a b\n"`}, {"|+\n  a\n\n", `"a\n\n"`}, {"|2-\n   a\n", `" a"`}, {"|- \n a", `"a"`}, {"|\r\n  a\r\n", `"a\n"`},
		{"!t |\n  a\n", `"a\n"`},
		{"&a k: hunter2\n  b: c", "usage"}, {"&a k: hunter2 x\n  b c: d", "usage"}, {"[*hunter2]", "usage"}, {"!hunter2!x y", "usage"}, {"{a: hunter2 b: c}", "usage"},
		{"[link](url)", "usage"}, {"[a", "usage"}, {"{a", "usage"}, {"{a: 1}x", "usage"}, {"{a: 1} # c", "usage"}, {"[a] b", "usage"}, {"[a]: b", "usage"},
		{`"a": b`, "usage"}, {`'a' b`, "usage"}, {`"a`, "usage"}, {`"\q"`, "usage"}, {"!Ref a: b", "usage"}, {"!Ref a # b", "usage"}, {"&a b: c", "usage"},
		{"[a]\n---\nb", "usage"}, {"[a]\n...\n", "usage"}, {"|\n  a\n# c\n", "usage"}, {"|\n  a\nb: c\n", "usage"}, {"[*x]", "usage"}, {"{<<: *x}", "usage"},
		{"!Ref [a", "usage"}, {"!<x y", "usage"}, {"&a &b x", "usage"}, {"&a *b", "usage"}, {"[a, b]]", "usage"}, {"!t @x", "usage"}, {"{\"a\": 1}{\"b\": 2}", "usage"},
		{"{a: 1, a: 2}", "duplicate-key"}, {"!!int x", "bad-value"}, {"a\xffb", "usage"}, {"[\xff]", "usage"}, {"\xff", "usage"},
	}
	for _, test := range tests {
		got, d := typed(yaml.TypedForm, test.text)
		if got != test.want {
			t.Errorf("%q is %s (%v), want %s", test.text, got, d, test.want)
		}
		if got == "usage" && (!d.At.IsZero() || strings.Contains(d.Message+d.Hint, "link") || strings.Contains(d.Message+d.Hint, "hunter2")) {
			t.Errorf("%q: the message quotes it: %v", test.text, d)
		}
	}
}

func TestOneJSON(t *testing.T) {
	for text, want := range map[string]source.Code{`{"a": 1}`: "", "{a: 1}": source.Syntax, "1\xff": source.Usage} {
		_, found := yaml.Parser(yaml.ParseJSON).One(source.NewFile("value", text), yaml.ParseOptions{})
		if d := source.FirstError(found); d == nil && want != "" || d != nil && d.Code != want {
			t.Errorf("%q: %v, want %q", text, d, want)
		}
	}
}

func TestForms(t *testing.T) {
	tests := []struct {
		form       yaml.Form
		text, want string
	}{
		{yaml.TextForm, "5", `"5"`}, {yaml.TextForm, "[a", `"[a"`}, {yaml.TextForm, "", `""`}, {yaml.TextForm, "a\xff", "usage"},
		{yaml.YAMLForm, "a: b # c", `{"a":"b"}`}, {yaml.YAMLForm, "", "null"}, {yaml.YAMLForm, "# c", "null"}, {yaml.YAMLForm, "- 1\n- 2\n", "[1,2]"},
		{yaml.YAMLForm, "1\n---\n2", "bad-document"}, {yaml.YAMLForm, "[a", "syntax"}, {yaml.YAMLForm, "\xff", "usage"},
	}
	for _, test := range tests {
		if got, d := typed(test.form, test.text); got != test.want {
			t.Errorf("form %d of %q is %s (%v), want %s", test.form, test.text, got, d, test.want)
		}
	}
}

// A scalar keeps its spelling, and the place of a part of a text is its offset.
func TestTypedSource(t *testing.T) {
	f := source.NewFile("value", "0644")
	doc, _ := yaml.TypedForm.Parse(f, yaml.ParseOptions{})
	if s := doc.Root.Value.Source(); s == nil || s.Spelling != "0644" {
		t.Errorf("0644 has the source %v", s)
	}
	text := "  a  b\n\n c: {{ x }} # \\"
	f = source.NewFile("value", text)
	doc, _ = yaml.TypedForm.Parse(f, yaml.ParseOptions{})
	if at := strings.Index(text, "x"); doc.Root.TextSpan(at, at+1).Text() != "x" {
		t.Errorf("the place of x is %v", doc.Root.TextSpan(at, at+1))
	}
}

// A typed value is YAML or the text itself, whatever it is; as a text it is the text.
func FuzzTyped(f *testing.F) {
	for _, text := range []string{"", "a: b # c", "[a, b]", "[link](url)", "{a: 1} # c", "!Ref x", "&a 5", "|-\n  a\n", "0644", "~", "\xff", "{{ x }}", `"a": b`, "'it''s'", "&a *a", "[&a [*a]]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if doc, found := yaml.TextForm.Parse(source.NewFile("value", text), yaml.ParseOptions{}); len(found) == 0 && doc.Root.Value.Str() != text {
			t.Errorf("as text %q is %q", text, doc.Root.Value.Str())
		}
		doc, found := yaml.TypedForm.Parse(source.NewFile("value", text), yaml.ParseOptions{})
		for _, d := range found {
			if d.Severity == source.Error {
				return
			}
		}
		v := doc.Root.Value
		if begins := strings.IndexAny(text+" ", "{[\"'!&|>"); begins != 0 && v.Is(value.StringKind) && v.Str() != text {
			t.Errorf("%q is the text %q", text, v.Str())
		}
	})
}
