package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

func ExampleParseJSON() {
	f := source.NewFile("site.json", `{"port": 8.0e3}`)
	docs, _ := yaml.ParseJSON(f, yaml.ParseOptions{})
	port := docs[0].Root.Entries[0].Value
	fmt.Println(port.At, port.Value.Float(), port.Value.Source().Spelling)
	// Output: site.json:1:10 8000 8.0e3
}

func TestParseJSON(t *testing.T) {
	tests := []struct{ rule, text, want string }{
		{"every kind", `{"a": [1, -2.5, true, false, null, "x"], "b": {}, "c": []}`, "{'a': [1, -2.5, True, False, None, 'x'], 'b': {}, 'c': []}"},
		{"escapes", `"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"`, `'"\\/` + `\x08\x0c\n\r\té😀'`},
		{"a lone surrogate is replaced", `"\ud83dx"`, "'\uFFFDx'"},
		{"what YAML takes for line breaks is text", "\"\\\"\u0085 \u2028\u2029\"", `'"\x85 \u2028\u2029'`},
		{"big integers are exact", `123456789012345678901234567890`, "123456789012345678901234567890"},
		{"a byte order mark", "\ufeff{}", "{}"},
		{"a long key", `{"` + strings.Repeat("k", 2000) + `": 1}`, "{'" + strings.Repeat("k", 2000) + "': 1}"},
	}
	for _, tt := range tests {
		docs, diags := yaml.ParseJSON(source.NewFile("t.json", tt.text), yaml.ParseOptions{})
		if len(diags) > 0 {
			t.Errorf("%s: %v", tt.rule, diags[0])
			continue
		}
		v, err := docs[0].Root.ToValue()
		if got := repr(t, v); err != nil || got != tt.want {
			t.Errorf("%s: ParseJSON(%s) = %s, %v, want %s", tt.rule, tt.text, got, err, tt.want)
		}
	}
}

func TestParseJSONDocuments(t *testing.T) {
	for text, want := range map[string]int{"": 1, "{}\n{}\n[]": 3, " 1 ": 1} {
		docs, diags := yaml.ParseJSON(source.NewFile("t.json", text), yaml.ParseOptions{})
		if len(docs) != want || len(diags) > 0 {
			t.Errorf("ParseJSON(%q) = %d documents, %v, want %d", text, len(docs), diags, want)
		}
	}
}

func TestJSONMistakes(t *testing.T) {
	tests := []struct{ text, want, hint string }{
		{"{\"a\": [1, 2,\n \"b\": 3}", `1:7: the "[" is never closed`, `add the closing "]"`},
		{`{"a": [1, "b": 3]}`, "1:14: a list has no keys", "in braces"},
		{`{"a": [1, 2}`, `1:7: the "[" is never closed`, `add the closing "]"`},
		{`[1, 2}`, `1:6: "}" cannot close "["`, ""},
		{`{"a": 1 "b": 2}`, `1:9: missing comma or "}" before this`, `write ","`},
		{`{"a": 1, b: 2}`, "1:10: JSON needs a key in double quotes here", `write "b"`},
		{`{'a': 1}`, "1:2: JSON needs a key in double quotes here", `write "a"`},
		{"{\n// x\n\"a\": 1}", "2:1: JSON has no comments", "#"},
		{`{"a": 1 /* x */}`, "1:9: JSON has no comments", "#"},
		{`{"a": "{{ x["y"] }}"}`, "1:13: this inner quote ends the value", "single quotes inside of the template"},
		{`{"a": "say "x" now"}`, "1:12: this inner quote ends the value", `\"`},
		{`{"a": 'x'}`, "1:7: no JSON value begins like this", "double quotes"},
		{`{"a": {{ x }}}`, "1:8: JSON needs a key in double quotes here", "quote the template"},
		{`[None]`, "1:2: no JSON value begins like this", "write null"},
		{`[True]`, "1:2: no JSON value begins like this", "write true"},
		{`[abc]`, "1:2: no JSON value begins like this", `"abc"`},
		{`[+1]`, "1:2: no JSON value begins like this", "digit"},
		{`[010]`, `1:2: "010" is not a number in JSON`, "zeros"},
		{`[1.2.3]`, `1:2: "1.2.3" is not a number in JSON`, `"1.2.3"`},
		{`[,1]`, "1:2: nothing before this comma", "remove"},
		{`{"a":,}`, "1:6: nothing before this comma", "remove"},
		{`{"a":}`, `1:6: a value is missing before this "}"`, ""},
		{`["C:\dir"]`, "1:5: JSON has no such escape", "backslash twice"},
	}
	for _, tt := range tests {
		_, diags := yaml.ParseJSON(source.NewFile("t.json", tt.text), yaml.ParseOptions{})
		if len(diags) == 0 {
			t.Errorf("ParseJSON(%q) finds nothing, want %s", tt.text, tt.want)
			continue
		}
		if got := diags[0].Error(); got != "t.json:"+tt.want+" [syntax]" || !strings.Contains(diags[0].Hint, tt.hint) {
			t.Errorf("ParseJSON(%q) = %s (%s), want %s (%s)", tt.text, got, diags[0].Hint, tt.want, tt.hint)
		}
	}
}

func TestParseJSONErrors(t *testing.T) {
	tests := []struct{ rule, text, want string }{
		{"comma at the end", `{"a": 1,}`, `1:8: JSON has no comma before "}" [syntax]`},
		{"missing comma", `[1 2]`, `1:4: missing comma or "]" before this [syntax]`},
		{"missing colon", `{"a" 1}`, `1:2: missing ":" after this key [syntax]`},
		{"plain key", `{a: 1}`, `1:2: JSON needs a key in double quotes here [syntax]`},
		{"unclosed", "{\"a\": [1,\n", `1:7: the "[" is never closed [syntax]`},
		{"unclosed text", `["a`, `1:2: the quote is never closed [syntax]`},
		{"line break in a text", "[\"a\nb\"]", `1:2: the quote is not closed on its line [syntax]`},
		{"tab in a text", "[\"a\tb\"]", `1:4: a text cannot hold the control character U+0009: write it as an escape [syntax]`},
		{"leading zero", `[01]`, `1:2: "01" is not a number in JSON [syntax]`},
		{"words without a blank", `truefalse`, `1:1: no JSON value begins like this [syntax]`},
		{"no digits", `[-]`, `1:2: "-" is not a number in JSON [syntax]`},
		{"not JSON", `[NaN]`, `1:2: no JSON value begins like this [syntax]`},
		{"unknown escape", `["\x"]`, `1:3: JSON has no such escape [syntax]`},
		{"short escape", `["\u12"]`, `1:3: \u needs four hexadecimal digits [syntax]`},
		{"missing value", `{"a":`, `1:6: the text ends where a value is expected [syntax]`},
		{"duplicate key", "{\"a\": 1,\n \"a\": 2}", `2:2: duplicate key "a"; first at t.json:1:2 [duplicate-key]`},
		{"too deep", strings.Repeat("[", 100_000), `1:10001: nested more than 10000 deep [limit]`},
	}
	for _, tt := range tests {
		_, diags := yaml.ParseJSON(source.NewFile("t.json", tt.text), yaml.ParseOptions{})
		if len(diags) == 0 || diags[0].Error() != "t.json:"+tt.want {
			t.Errorf("%s: ParseJSON = %v, want %s", tt.rule, diags, tt.want)
		}
	}
}
