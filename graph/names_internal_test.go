package graph

import (
	"fmt"
	"testing"
)

// TestNameSet: the set has the keys that one of the names matches, and looks at few patterns.
func TestNameSet(t *testing.T) {
	var p Private
	for i := range 3000 {
		p.Names = append(p.Names, PrivateName{Text: fmt.Sprintf("x%d-*", i)}, PrivateName{Text: fmt.Sprintf("k%d", i)})
	}
	for _, n := range []string{"", "*-end", "a?c", "[xyz]/z", `\*`, "é*", "x5*"} {
		p.Names = append(p.Names, PrivateName{Text: n})
	}
	set := newNameSet(&p)
	for _, key := range []string{"", "x", "x17-", "x17-a", "x17a", "x5", "k17", "k3000", "abc", "a/c", "ac", "the-end", "x/z", "*", "**", "été", "x2999-é", "x3000-"} {
		want := false
		for _, n := range p.Names {
			want = want || n.Matches(key)
		}
		for range 2 { // the second answer is remembered
			if got, steps := set.has(key); got != want || steps > 100 {
				t.Errorf("%q: %t in %d steps, want %t", key, got, steps, want)
			}
		}
	}
}
