package yaml_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestScalarText(t *testing.T) {
	spelled := mustValue(t, "0x1F")
	plainYes := mustValue(t, "yes")
	tests := []struct {
		v     value.Value
		style yaml.Style
		flow  bool
		want  string // "" if the style cannot hold it
	}{
		{value.Int(5), yaml.Plain, false, "5"},
		{value.Int(5), yaml.DoubleQuoted, false, ""},
		{spelled, yaml.Plain, false, "0x1F"},
		{value.Null, yaml.Plain, true, "null"},
		{value.String("a b"), yaml.Plain, false, "a b"},
		{value.String("5"), yaml.Plain, false, ""},
		{value.String("yes"), yaml.Plain, false, ""},
		{plainYes, yaml.Plain, false, "yes"},
		{value.String("a, b"), yaml.Plain, false, "a, b"},
		{value.String("a, b"), yaml.Plain, true, ""},
		{value.String("it's"), yaml.SingleQuoted, false, "'it''s'"},
		{value.String("a\nb"), yaml.SingleQuoted, false, ""},
		{value.String(`a"b`), yaml.DoubleQuoted, false, `"a\"b"`},
		{value.String("a\nb"), yaml.DoubleQuoted, false, `"a\nb"`},
		{value.String("\xff"), yaml.Plain, false, ""},
		{value.String("\xff"), yaml.DoubleQuoted, false, `"/w=="`},
		{value.String("x"), yaml.Literal, false, ""},
		{value.ListOf(), yaml.Plain, false, ""},
	}
	for _, tt := range tests {
		got, ok := yaml.ScalarText(tt.v, tt.style, tt.flow)
		if ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("ScalarText(%s, %v, %v) = %q, %v, want %q", repr(t, tt.v), tt.style, tt.flow, got, ok, tt.want)
		}
	}
}

// TestBlockTextOf writes texts as block scalars and reads them back.
func TestBlockTextOf(t *testing.T) {
	for _, text := range []string{
		"a", "a\n", "a\nb", "a\nb\n", "a\n\nb\n\n\n", "\na\n", "one two three four five six seven\n", "  a\nb\n", "a  b c d e f g\n", "\n\n  a\n\n\nb",
	} {
		for _, style := range []yaml.Style{yaml.Literal, yaml.Folded} {
			b, ok := yaml.BlockTextOf(text, style, 12)
			if !ok {
				if style == yaml.Literal || !b.Blank {
					t.Errorf("BlockTextOf(%q, %v) is refused", text, style)
				}
				continue
			}
			written := blockScalar(b, style)
			if got := mustValue(t, written).Map(); repr(t, value.FromMap(got)) != repr(t, value.FromMap(dict("k", text))) {
				t.Errorf("BlockTextOf(%q, %v) reads as %s:\n%s", text, style, repr(t, value.FromMap(got)), written)
			}
		}
	}
	for _, text := range []string{"", "\n", "a\n \nb", "a\x01", "\xff"} {
		if _, ok := yaml.BlockTextOf(text, yaml.Literal, 0); ok {
			t.Errorf("BlockTextOf(%q) is not refused", text)
		}
	}
}

func dict(key, text string) *value.Dict {
	m := value.NewMap(1)
	m.Set(value.K(key), value.String(text))
	return m
}

// blockScalar returns a block text as the value of a key.
func blockScalar(b yaml.BlockText, style yaml.Style) string {
	out := "k: |"
	if style == yaml.Folded {
		out = "k: >"
	}
	if b.Blank {
		out += "2"
	}
	out += []string{"-", "", "+"}[min(b.Breaks, 2)] + "\n"
	for _, line := range b.Lines {
		if line != "" {
			line = "  " + line
		}
		out += line + "\n"
	}
	return out + strings.Repeat("\n", max(b.Breaks-1, 0))
}

// TestLongTexts: a text that is escaped in pieces is read as the same text.
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
