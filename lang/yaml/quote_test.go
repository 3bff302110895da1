package yaml_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TestLongTexts: a text that is escaped piece by piece reads as the same text.
func TestLongTexts(t *testing.T) {
	for _, part := range []string{"\x00", "\u00e9\x01", "a\U0001f600\t\"\\", "x\u2028\n"} {
		text := "z" + strings.Repeat(part, 70_000)
		var out strings.Builder
		if err := yaml.Encode(&out, value.String(text), yaml.EncodeOptions{}); err != nil {
			t.Fatal(err)
		}
		docs, diags := yaml.Parse(source.NewFile("t.yaml", out.String()), yaml.ParseOptions{})
		if len(diags) > 0 || docs[0].Root.Value.Str() != text {
			t.Errorf("a long text of %q is not read as itself: %v", part, diags)
		}
	}
}
