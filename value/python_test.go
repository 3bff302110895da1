package value

import "testing"

func TestCutBase(t *testing.T) {
	for _, c := range []struct {
		text, digits string
		base         int
	}{
		{"0x1F", "1F", 16}, {"0o17", "17", 8}, {"0b1", "1", 2}, {"0x", "0x", 10}, {"0X1F", "0X1F", 10}, {"1x1", "1x1", 10}, {"017", "017", 10},
	} {
		if digits, base := CutBase(c.text); digits != c.digits || base != c.base {
			t.Errorf("%s is %s in base %d, want %s in base %d", c.text, digits, base, c.digits, c.base)
		}
	}
}

func TestAsNumberKeepsMarks(t *testing.T) {
	if n := AsNumber(True.Mark(Secret)); !n.Is(IntKind) || n.Marks() != Secret {
		t.Errorf("a secret True is %v with the marks %v", n, n.Marks())
	}
}
