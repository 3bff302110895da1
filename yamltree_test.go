package yaytpl

import (
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TestKindsAndStyles checks that the numbers of lang/yaml and roundtrip agree.
func TestKindsAndStyles(t *testing.T) {
	kinds := map[yaml.Kind]roundtrip.Kind{
		yaml.ScalarNode: roundtrip.Scalar, yaml.MapNode: roundtrip.Map, yaml.SeqNode: roundtrip.List, yaml.AliasNode: roundtrip.Alias,
	}
	for from, to := range kinds {
		if roundtrip.Kind(from) != to {
			t.Errorf("the kind %d is %v, want %v", from, roundtrip.Kind(from), to)
		}
	}
	styles := map[yaml.Style]roundtrip.Style{
		yaml.Plain: roundtrip.Plain, yaml.SingleQuoted: roundtrip.SingleQuoted, yaml.DoubleQuoted: roundtrip.DoubleQuoted,
		yaml.Literal: roundtrip.Literal, yaml.Folded: roundtrip.Folded, yaml.Block: roundtrip.Block, yaml.Flow: roundtrip.Flow,
	}
	for from, to := range styles {
		if roundtrip.Style(from) != to {
			t.Errorf("the style %d is %d, want %d", from, roundtrip.Style(from), to)
		}
	}
}

func TestSyntaxes(t *testing.T) {
	tests := []struct {
		syntax     roundtrip.Syntax
		text, want string
	}{
		{YAMLSyntax(yaml.ParseOptions{}), "a:\n  b: 1 # c\n", "a:\n  b: x # c\n"},
		{JSONSyntax(yaml.ParseOptions{}), `{"a": {"b": 1}}`, `{"a": {"b": "x"}}`},
	}
	edit := roundtrip.Edit{Op: roundtrip.Set, Path: value.Path{value.K("a"), value.K("b")}, Value: value.String("x")}
	for _, tt := range tests {
		r, err := roundtrip.Apply(source.NewFile("t", tt.text), tt.syntax, 0, []roundtrip.Edit{edit})
		if err != nil || r.Text != tt.want {
			t.Errorf("%q becomes %q, %v", tt.text, r.Text, err)
		}
	}
}

// TestFragment reads lines with the switches of their file.
func TestFragment(t *testing.T) {
	docs, err := YAMLSyntax(yaml.ParseOptions{}).Parse(source.NewFile("t", "# yaytpl: templates=off\na: 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := docs[0].Fragment("  b: [1]\n  c: 2\n"); err != nil || n.Len() != 2 {
		t.Errorf("two entries are %v, %v", n, err)
	}
	for _, text := range []string{"a: {{ x }}\n", "a: [\n", "a: 1\n---\nb: 2\n"} {
		if _, err := docs[0].Fragment(text); err == nil {
			t.Errorf("no error for %q", text)
		}
	}
}
