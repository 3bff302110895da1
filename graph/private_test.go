package graph

import "testing"

func TestPrivateName(t *testing.T) {
	for _, c := range []struct {
		name, key string
		want      bool
	}{
		{"a", "a", true},
		{"a", "A", false},
		{"", "", true},
		{"x-*", "x-", true},
		{"x-*", "x-a/b", true},
		{"x-?", "x-/", true},
		{"[/]", "/", true},
		{"*", "any thing", true},
		{"*", "", true},
		{`\*`, "*", true},
		{`\*`, "a", false},
		{`\*`, `\*`, true},
		{"[a-c]", "b", true},
		{"[^a]", "a", false},
		{"a?", "a", false},
		{"ä?", "äß", true},
	} {
		n := PrivateName{Text: c.name}
		if got := n.Matches(c.key); got != c.want || n.Check() != nil {
			t.Errorf("%q matches %q: %v, %v", c.name, c.key, got, n.Check())
		}
	}
	for _, bad := range []string{"[", "a[", "[a-", `\`, "[]"} {
		if (PrivateName{Text: bad}).Check() == nil {
			t.Errorf("%q is a pattern", bad)
		}
	}
}
