package yamlnode_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/testing/yamltexts"
	"github.com/yaytpl/yaytpl/internal/yamlnode"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// TestDiffer shows which differences of the readers refuse an edit: those that are new.
func TestDiffer(t *testing.T) {
	tests := []struct {
		name, old, now string
		differ         bool
	}{
		{"alike", "a: 1\n", "a: {b: [x, 'y', \"z\", 0644, yes, ~], c: !t &n q, d: *n}\ne: |\n  f\n--- >-\n g\n", false},
		{"empty", "a: 1\n", "", false},
		{"comment alone", "a: 1\n", "# c\n", false},
		{"templates", "a: 1\n", "a: {{ x }}\nb: [{{ y }}, z]\n{{ c }}: d\n", false},
		{"a key without a blank after the colon", "a: {+/base: , x: 1}\n", "a: {+/base:}\n", true},
		{"such a key that was there", "a: {b:, x: 1}\nc: 1\n", "a: {b:, x: 2}\nc: [3]\n", false},
		{"another such key", "a: {b:, x: 1}\n", "a: {b:, c:, x: 2}\n", true},
		{"a line break of older YAML", "a: x\n", "a: 'x\u0085y'\n", true},
		{"the library cannot read it", "a: 1\n", "a: {{ x }} y\nb: {c:}\n", false},
		{"the library could not read the old text", ": 1\nb: 1\n", "b: {c:}\n", false},
		{"an anchor with a colon", "a: &b:c {}\n", "a: &b:c new\n", false},
		{"tags", "a: 1\n", "a: !!str 1\nb: !Ref {x: 1}\nc: !<tag:yaml.org,2002:int> 5\nd: ! e\n", false},
	}
	for _, tt := range tests {
		if at, differ := yamlnode.Differ(tt.old, tt.now, yaml.ParseOptions{}); differ != tt.differ || differ == at.IsZero() {
			t.Errorf("%s: %q to %q: %v, at %v", tt.name, tt.old, tt.now, differ, at)
		}
	}
}

// TestRendered requires that both readers agree about all that the encoder writes: the random data of
// texts by the productions of YAML.
func TestRendered(t *testing.T) {
	read := 0
	for seed := range uint64(1500) {
		text, _ := yamltexts.Stream(seed)
		docs, diags := yaml.Parse(source.NewFile("t", text), yaml.ParseOptions{})
		if len(diags) > 0 {
			continue
		}
		for _, d := range docs {
			v, err := d.Root.ToValue()
			var out strings.Builder
			if err != nil || yaml.Encode(&out, v, yaml.EncodeOptions{}) != nil {
				continue
			}
			read++
			if at, differ := yamlnode.Differ("", out.String(), yaml.ParseOptions{}); differ {
				t.Errorf("seed %d: %v\n%s", seed, at, out.String())
			}
		}
	}
	if read < 500 {
		t.Errorf("%d documents were written", read)
	}
}

// TestHostile reads texts that make parsers recurse or look back, up to the size that edits have read.
func TestHostile(t *testing.T) {
	for _, unit := range []string{"[", "{a: ", "- ", "? ", "- #\n", "a:\n #\n", "--- #\n", "- &a *a\n", "!t ", "\"", "- |\n", "%\n", "\xff"} {
		text := strings.Repeat(unit, 1<<16/len(unit))
		if at, differ := yamlnode.Differ("a: 1\n", text, yaml.ParseOptions{}); differ {
			t.Errorf("%q repeated: differ at %v", unit, at)
		}
	}
}
