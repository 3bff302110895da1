package value

import (
	"slices"
	"testing"
)

func TestKeysSpelt(t *testing.T) {
	for _, c := range []struct {
		rule, word string
		want       []Kind
	}{
		{"a word is a text", "port", []Kind{StringKind}},
		{"a number is a text first", "80", []Kind{StringKind, IntKind}},
		{"a fraction", "1.5", []Kind{StringKind, FloatKind}},
		{"a fraction without its digits", ".5", []Kind{StringKind, FloatKind}},
		{"an exponent", "+1e3", []Kind{StringKind, FloatKind}},
		{"no number", "NaN", []Kind{StringKind, FloatKind}},
		{"an infinite number", "inf", []Kind{StringKind, FloatKind}},
		{"a word that begins as a number", "infra", []Kind{StringKind}},
		{"an integer beyond 64 bits", "99999999999999999999", []Kind{StringKind, IntKind}},
		{"a negative number", "-1", []Kind{StringKind, IntKind}},
		{"a sign alone", "-", []Kind{StringKind}},
		{"a truth value", "true", []Kind{StringKind, BoolKind}},
		{"null", "null", []Kind{StringKind, NullKind}},
		{"nothing", "", []Kind{StringKind}},
	} {
		var got []Kind
		for _, k := range KeysSpelt(c.word) {
			got = append(got, k.Kind)
			if k.Text != c.word {
				t.Errorf("%s: a key of %q has the text %q", c.rule, c.word, k.Text)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: KeysSpelt(%q) has kinds %v, want %v", c.rule, c.word, got, c.want)
		}
	}
}
