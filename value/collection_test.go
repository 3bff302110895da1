package value

import (
	"slices"
	"testing"
)

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
