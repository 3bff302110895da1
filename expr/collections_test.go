package expr

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

func TestCollections(t *testing.T) {
	for _, c := range []struct{ text, hint string }{
		{"'a' | macaddr", "a filter of ansible.utils"}, {"'a' | community.general.counter", "a filter of community.general"},
		{"1 is in_network(2)", "a test of ansible.utils"}, {"1 is failed", "Ansible's tasks"},
		{"lookup('sops', 'x')", "a lookup of community.sops"},
	} {
		n, err := ParseJinja(c.text, Nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = Eval(n, newEnv(t, "{}").scope()); !strings.Contains(hintOf(err), c.hint) {
			t.Errorf("%s: the hint of %v is %q, want %q", c.text, err, hintOf(err), c.hint)
		}
	}
	for _, c := range collections {
		for _, name := range strings.Fields(c.names) {
			if c.kind == "lookup" && slices.Contains(slices.Collect(lookups().names), name) {
				t.Errorf("the lookup %s is here", name)
			}
		}
	}
}

func hintOf(err error) string {
	var d *source.Diagnostic
	if errors.As(err, &d) {
		return d.Hint
	}
	return ""
}
