package expr

import (
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestInference(t *testing.T) {
	for _, c := range []struct {
		text string
		want kindInfo
		says string // the warnings
	}{
		{"1 + 2", known(value.IntKind), ""},
		{"1 + 2.5", known(value.FloatKind), ""},
		{"1 / 2", known(value.FloatKind), ""},
		{"2 ** -1", kindInfo{}, ""},
		{"'a12'", known(value.StringKind), ""},
		{"'a' * 2 + 'b'", known(value.StringKind), ""},
		{"[1] + [2]", known(value.ListKind), ""},
		{"'%d' % 1", known(value.StringKind), ""},
		{"1 if x else 2", known(value.IntKind), ""},
		{"1 if x else 'a'", kindInfo{}, ""},
		{"x + 1", kindInfo{}, ""},
		{"not x", known(value.BoolKind), ""},
		{"'a' - 1", kindInfo{}, `"-" does not apply to a string and an integer`},
		{"-'a'", kindInfo{}, `"-" does not apply to a string`},
		{"[1 + [2]]", known(value.ListKind), `"+" does not apply to an integer and a list`},
		{"f(-'a', {'k': -[]}) ~ x", known(value.StringKind), `"-" does not apply to a string; "-" does not apply to a list`},
	} {
		n, err := ParseJinja(c.text, Nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		var in inference
		got := in.of(n)
		if says := messages(in.found); got != c.want || says != c.says {
			t.Errorf("%s: %v, %q, want %v, %q", c.text, got, says, c.want, c.says)
		}
	}
}

func messages(found []*source.Diagnostic) string {
	all := make([]string, len(found))
	for i, d := range found {
		all[i] = d.Message
	}
	return strings.Join(all, "; ")
}

func TestCheck(t *testing.T) {
	n, err := ParseJinja("a | uper and b is defind and (1 | upper) + {} == 1 - 'x'", Nowhere{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range Check(n, testLibrary{}) {
		if d.Severity != source.Warning {
			t.Errorf("%v is not a warning", d)
		}
		got = append(got, d.Message)
	}
	want := []string{`"-" does not apply to an integer and a string`, `unknown filter "uper"`, `unknown test "defind"`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
