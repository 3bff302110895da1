package show_test

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestValue(t *testing.T) {
	tests := []struct {
		name   string
		v      value.Value
		reveal bool
		want   string
	}{
		{"text", value.String("a b"), false, "a b"},
		{"a text of two lines", value.String("a\nb"), false, `"a\nb"`},
		{"a text with blanks around it", value.String(" a"), false, `" a"`},
		{"a text that rings", value.String("a\a"), false, `"a\a"`},
		{"no text", value.String(""), false, `""`},
		{"number", value.Int(5), false, "5"},
		{"float", value.Float(math.Inf(1)), false, ".inf"},
		{"null", value.Null, false, "null"},
		{"map", value.FromMap(value.NewMap(0)), false, "{...}"},
		{"list", value.FromList(value.Slice{}), false, "[...]"},
		{"secret", value.String("pw").Mark(value.Secret), false, value.SecretText},
		{"sensitive", value.Int(5).Mark(value.Sensitive), false, value.SensitiveText},
		{"a secret map", value.FromMap(value.NewMap(0)).Mark(value.Secret), false, value.SecretText},
		{"revealed", value.String("pw").Mark(value.Secret), true, "pw"},
	}
	for _, test := range tests {
		if got := show.Value(test.v, test.reveal); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestCut(t *testing.T) {
	for n := range 205 {
		s := strings.Repeat("ü", n)
		got := show.Cut(s)
		if !utf8.ValidString(got) || len(got) > 103 || !strings.HasPrefix(s, strings.TrimSuffix(got, "...")) || (got == s) != (len(s) <= 100) {
			t.Errorf("%d bytes: %q", len(s), got)
		}
	}
}

func TestSensitive(t *testing.T) {
	for text, want := range map[string]bool{
		"{{ 'pw' | sensitive }}": true, "{% set x = sensitive('pw') %}": true,
		"sensitive": false, "{{ pw }}": false,
	} {
		if show.CallsSensitive(text) != want {
			t.Errorf("CallsSensitive(%q) = %v", text, !want)
		}
	}
	for path, want := range map[string]bool{
		"a eval sensitive": true, "eval concat sensitive x": true,
		"sensitive": false, "sensitive eval": false, "a eval ref": false, "": false,
	} {
		var keys value.Path
		for _, k := range strings.Fields(path) {
			keys = append(keys, value.K(k))
		}
		if show.InsideSensitive(keys) != want {
			t.Errorf("InsideSensitive(%s) = %v", path, !want)
		}
	}
}

// A finding about an encrypted file keeps its place and its code, and what it says only
// if that cannot be a part of the text.
func TestFinding(t *testing.T) {
	secret := &source.File{Name: "a.yaml.gpg", Text: "password: hunter2\n", Secret: true}
	tests := []struct {
		d    *source.Diagnostic
		kept bool
	}{
		{source.Errorf(secret.Span(0, 3), source.Syntax, "expected a colon"), true},
		{source.Errorf(secret.Span(0, 3), source.Syntax, "unexpected %q", "hunter2"), false},
		{source.Errorf(secret.Span(0, 3), source.Syntax, "expected a colon").WithHint("write `hunter2:`"), false},
		{source.Errorf(secret.Span(0, 3), source.Syntax, "expected a colon").Note(secret.Span(0, 1), "before %q", "hunter2"), false},
		{source.Errorf(secret.Span(0, 3), source.DuplicateKey, "the key %q occurs twice", "password"), true},
		{source.Errorf(secret.Span(0, 3), source.BadValue, "hunter2 is no number"), false},
	}
	for _, test := range tests {
		got := show.Finding(test.d, secret)
		if got.Code != test.d.Code || got.At != test.d.At || got.Severity != test.d.Severity {
			t.Errorf("%v became %v", test.d, got)
		}
		if (got == test.d) != test.kept || !test.kept && strings.Contains(got.Error()+got.Hint, "hunter2") {
			t.Errorf("%v became %v", test.d, got)
		}
		if open := (&source.File{Name: "a.yaml"}); show.Finding(test.d, open) != test.d {
			t.Errorf("%v is changed in a file that is no secret", test.d)
		}
	}
}
