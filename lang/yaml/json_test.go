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

func TestParseJSONErrors(t *testing.T) {
	tests := []struct{ rule, text, want string }{
		{"comma at the end", `{"a": 1,}`, `1:8: JSON has no comma before "}" [syntax]`},
		{"missing comma", `[1 2]`, `1:4: missing comma or "]" before this [syntax]`},
		{"missing colon", `{"a" 1}`, `1:2: missing ":" after this key [syntax]`},
		{"plain key", `{a: 1}`, `1:2: JSON needs a key in double quotes here [syntax]`},
		{"unclosed", "{\"a\": [1,\n", `1:7: the "[" is never closed [syntax]`},
		{"unclosed text", `["a`, `1:2: the quote is never closed [syntax]`},
		{"line break in a text", "[\"a\nb\"]", `1:4: a text cannot hold the control character U+000A: write it as an escape [syntax]`},
		{"leading zero", `[01]`, `1:2: "01" is not a number in JSON [syntax]`},
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
