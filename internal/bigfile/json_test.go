package bigfile_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/bigfile"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// big returns JSON that is long enough to be left as text.
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
		"u": "\u0041", "unicode": {"ключ": 5}, "last": null`)), yaml.ParseOptions{})
	if text == nil {
		t.Fatal("not left as text")
	}
	tests := []struct {
		path string // keys, with "/" between them
		want string // "-" where the parsed document has to decide
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
		{"a/b", "-"}, // a dotted path may mean b.d
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
		if v, ok := text.Lookup(keysOf(test.path)); ok {
			k, _ := value.KeyOf(v)
			got = k.Text
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.path, got, test.want)
		}
	}
	if _, ok := text.Lookup(nil); ok {
		t.Error("the root is not to be looked up")
	}
}
