package bigfile_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/yaytpl/yaytpl/internal/bigfile"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// bigYAML returns YAML that is long enough for a Text.
func bigYAML(entries string) string {
	return "padding: " + strings.Repeat("x", 300<<10) + "\n" + entries
}

func TestYAML(t *testing.T) {
	tests := []struct {
		name string
		file *source.File
		want bool
	}{
		{"big", &source.File{Text: bigYAML("a: 1\n")}, true},
		{"a syntax error", &source.File{Text: bigYAML("a: [\n")}, false},
		{"small", &source.File{Text: "a: 1\n"}, false},
		{"two documents", &source.File{Text: bigYAML("---\na: 1\n")}, false},
		{"two documents, lines of an old Mac", &source.File{Text: strings.ReplaceAll(bigYAML("---\na: 1\n"), "\n", "\r")}, false},
		{"two documents after a line separator", &source.File{Text: bigYAML("a: 1\u2028---\na: 1\n")}, false},
		{"the end of a document", &source.File{Text: bigYAML("...\n")}, true},
		{"secret", &source.File{Text: bigYAML("a: 1\n"), Secret: true}, false},
	}
	for _, test := range tests {
		if got := bigfile.YAML(test.file, yaml.ParseOptions{}) != nil; got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestLookupYAML(t *testing.T) {
	const plain = `
a:
  n:
  - 1
  - c: x
    d: {e: {f: [7, {g: 8}]}}
  b: 1
  b.d: 2
  l: [[3]]
  80: 4
  "90": 5
  t: ["{{ a }}", 6]
  e: {eval: '::a', x: 1}
  deep: {r: {s: {eval: '::a'}, t: "\x7b{ a }}", u: {v: 9}}}
  '{{ k }}': 1
m: # comment
  n: 1
  o: [1, 2]
unicode: {ключ: 10}
none:
last: {}
`
	tests := []struct {
		text string
		path string // keys, with "/" between them
		want string // "-" if the parsed document has to decide
	}{
		{plain, "a/n/0", "-"}, // another key of a is a template
		{plain, "m/n", "1"},
		{plain, "m", "-"}, // an outline drops comments
		{plain, "m/o/1", "2"},
		{plain, "unicode/ключ", "10"},
		{plain, "none", "null"},
		{plain, "last", "{}"},
		{plain, "nowhere", "-"},
		{plain, "none/x", "-"},
		{"x:\n  n: [1, {c: x, d: {e: {f: [7, {g: 8}]}}}]\n", "x/n/1/d/e/f/1/g", "8"},
		{"x:\n  n: [1, {c: x, d: {e: {f: [7, {g: 8}]}}}]\n", "x/n/1/c", "x"},
		{"x:\n  n: [1, {c: x, d: {e: {f: [7, {g: 8}]}}}]\n", "x/n", `[1, {"c": "x", "d": {"e": {"f": [7, {"g": 8}]}}}]`},
		{"x: [1]\n", "x/1", "-"},
		{"x: [1]\n", "x/-1", "-"},
		{"x: [1]\n", "x/y", "-"},
		{"x: {80: 1}\n", "x/80", "-"}, // the key is a number
		{"x: {'80': 1}\n", "x/80", "1"},
		{"x: {b: 1, b.d: 2}\n", "x/b.d", "2"},
		{"x: {b: 1, b.d: 2}\n", "x/b", "-"}, // a dotted path may mean b.d
		{"x: {y: ['{{ a }}', 1]}\n", "x/y/1", "1"},
		{"x: {y: ['{{ a }}', 1]}\n", "x/y/0", "-"},
		{"x: {y: ['{{ a }}', 1]}\n", "x", "-"},
		{`x: {y: ["\x7b{ a }}"]}` + "\n", "x/y", "-"},
		{"x: {y: {eval: '::a'}}\n", "x/y/eval", "-"},
		{"x: {y: {eval: '::a'}}\n", "x", "-"},
		{"x: {y: 1}\nz: {+include: other}\n", "x/y", "-"}, // the include may fail
		{"x: {y: 1}\nz: &anchor 1\n", "x/y", "-"},
		{"x: {y: 1}\nz: !tag 1\n", "x/y", "-"},
		{"x: {y: 1}\nz: [\n", "x/y", "-"},
		{"x: {y: 1}\nx: 1\n", "x/y", "-"},
	}
	for _, test := range tests {
		text := bigfile.YAML(source.NewFile("big.yaml", bigYAML(test.text)), yaml.ParseOptions{})
		got := "-"
		var v value.Value
		ok := false
		if text != nil {
			v, ok = text.Lookup(keysOf(test.path))
		}
		if ok {
			var b strings.Builder
			if err := yaml.EncodeJSON(&b, v, yaml.EncodeOptions{}); err != nil {
				t.Fatal(err)
			}
			got = strings.Join(strings.Fields(b.String()), " ")
			got = strings.NewReplacer("[ ", "[", " ]", "]", "{ ", "{", " }", "}").Replace(got)
			if v.Is(value.StringKind) {
				got = v.Str()
			}
		}
		if got != test.want {
			t.Errorf("%s of %q: %s, want %s", test.path, test.text, got, test.want)
		}
	}
}

func keysOf(path string) []value.Key {
	var keys []value.Key
	for _, k := range strings.Split(path, "/") {
		keys = append(keys, value.K(k))
	}
	return keys
}

// big returns JSON that is long enough for a Text.
func big(entries string) string {
	return `{"padding": "` + strings.Repeat("x", 300<<10) + `", ` + entries + "}"
}

func TestJSON(t *testing.T) {
	tests := []struct {
		name string
		file *source.File
		want bool
	}{
		{"big", &source.File{Text: big(`"a": 1`)}, true},
		{"small", &source.File{Text: `{"a": 1}`}, false},
		{"invalid", &source.File{Text: big(`"a": 1,`)}, false},
		{"two values", &source.File{Text: big(`"a": 1`) + " 2"}, false},
		{"secret", &source.File{Text: big(`"a": 1`), Secret: true}, false},
	}
	for _, test := range tests {
		if got := bigfile.JSON(test.file, yaml.ParseOptions{}) != nil; got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestLookupJSON(t *testing.T) {
	text := bigfile.JSON(source.NewFile("big.json", big(`"a": {"n": [1, {"c": "x"}], "b": 1, "b.d": 2, "plain": "a"}, "l": [[3]],
		"twice": 1, "twice": 2, "m": {"+include": "x", "y": 1}, "e": {"eval": {"ref": "::a"}}, "t": ["{{ a }}"],
		"u": "\u0041", "r": {"x": 1, "y": {"z": 2}}, "r::x": 3, "unicode": {"ключ": 5}, "last": null`)), yaml.ParseOptions{})
	if text == nil {
		t.Fatal("no Text")
	}
	tests := []struct {
		path string // keys, with "/" between them
		want string // "-" if the parsed document has to decide
	}{
		{"a/n/0", "1"},
		{"a/n/1/c", "x"},
		{"a/plain", "a"},
		{"l/0/0", "3"},
		{"unicode/ключ", "5"},
		{"last", "null"},
		{"a/n/2", "-"},
		{"a/n/-1", "-"},
		{"a/n/x", "-"},
		{"a/b.d", "2"},
		{"a/b", "-"},   // a dotted path may mean b.d
		{"r/y/z", "-"}, // the path r::x may mean another key
		{"r::x", "3"},
		{"twice", "-"},
		{"m/y", "-"},
		{"e", "-"},
		{"e/eval", "-"},
		{"t", "-"},
		{"t/0", "-"},
		{"u", "-"},
		{"nowhere", "-"},
		{"last/x", "-"},
	}
	for _, test := range tests {
		got := "-"
		var v value.Value
		ok := false
		if text != nil {
			v, ok = text.Lookup(keysOf(test.path))
		}
		if ok {
			k, _ := value.KeyOf(v)
			got = k.Text
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.path, got, test.want)
		}
	}
	if _, ok := text.Lookup(nil); ok {
		t.Error("the root is found")
	}
}

// gjson accepts the texts that encoding/json accepts. It is several times as fast.
func FuzzValid(f *testing.F) {
	for _, text := range []string{
		`{"a": [1, -2.5e+7, "b\u00e9\"\\", true, false, null, {}]}`, "", " ", "01", "-", "1.", "1e", "+1", ".5", "[1,]", "{,}", `{"a" 1}`, `{"a": 1,}`, `{1: 2}`, "[1 2]", "nul", "nulll",
		`"\x"`, `"\u12"`, "\"\t\"", "\"\x7f\xff\"", "[", "]", "{", "\"", "1 2", "\ufeff1", "\v1", "[1]\x00", "'a'", "NaN", `{"a":{"b":[[[]]]}}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 5000 { // encoding/json has a limit of its own for nesting
			return
		}
		if got, want := gjson.Valid(text), json.Valid([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	})
}

// Nesting of any depth ends with an answer, also where brackets are in texts.
func TestNesting(t *testing.T) {
	for _, test := range []struct {
		text string
		want bool
	}{
		{strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), true},
		{strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), false},
		{strings.Repeat(`{"a":`, 20_000_000), false},
		{`["` + strings.Repeat("[", 20_000) + `"]`, true},
		{`["\"", "` + strings.Repeat(`\"[`, 20_000) + `"]`, true},
	} {
		text := strings.Repeat(" ", 300<<10) + test.text
		if got := bigfile.JSON(source.NewFile("big.json", text), yaml.ParseOptions{}) != nil; got != test.want {
			t.Errorf("%.40q: %v, want %v", test.text, got, test.want)
		}
	}
}
