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

// TestKeyTexts: the mark of keys that cannot be known is no key.
func TestKeyTexts(t *testing.T) {
	m := NewMap(3)
	m.Set(K("a"), Null)
	m.Set(Index(7), Null)
	m.Set(UnknownKey, Null)
	if got := slices.Collect(KeyTexts(m)); !slices.Equal(got, []string{"a", "7"}) {
		t.Errorf("KeyTexts = %q, want a and 7", got)
	}
	if keys, err := KeysOf(m); keys != nil || err != nil {
		t.Errorf("KeysOf = %v, %v, want what Get says of the unknown key", keys, err)
	}
	if keys, err := KeysOf(NewMap(0)); len(keys) != 0 || err != nil {
		t.Errorf("KeysOf of an empty map = %v, %v", keys, err)
	}
}
