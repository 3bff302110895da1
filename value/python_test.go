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

func TestTextKeepsSpelling(t *testing.T) {
	version := Float(1.1).WithSource(Scalar{Spelling: "1.10"})
	mode := Int(420).WithSource(Scalar{Spelling: "0644", Foreign: true})
	m := NewMap(1)
	m.Set(K("v"), version)
	for want, v := range map[string]Value{
		"1.10": version, "0644": mode, "1.1": version.WithoutSource(), "[1.10, 0644]": ListOf(version, mode),
		"{'v': 1.10}": FromMap(m),
	} {
		if got, err := Text(v); err != nil || got != want {
			t.Errorf("Text is %s, %v, want %s", got, err, want)
		}
	}
	computed, _ := Mul(version, Int(1))
	if got, _ := Text(computed); got != "1.1" {
		t.Errorf("a product is %s, want 1.1", got)
	}
}

func TestSpellsNumber(t *testing.T) {
	for _, text := range []string{"0", "-12", "1.5", "1e3", "+.5E-2"} {
		if !SpellsNumber(text) {
			t.Errorf("%q is no number, want one", text)
		}
	}
	for _, text := range []string{"", "-", "e", "1_000", "0x1F", "nan", "infinity", "1 ", "1.2.3"} {
		if SpellsNumber(text) {
			t.Errorf("%q is a number, want none", text)
		}
	}
}
