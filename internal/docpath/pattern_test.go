package docpath_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/source"
)

// TestExact: the paths that a pattern stands for.
func TestExact(t *testing.T) {
	const text = `{s: {web: {n: 1}, db: {n: 2}, t: x}, l: [{c: x}, {c: y}, {c: x}], "*.org": {n: 3}, none: {}}`
	tests := []struct{ path, want string }{
		{"s.web.n", "s.web.n"}, // no pattern: not looked up
		{"nope.n", "nope.n"},
		{"s.*", "s.web s.db s.t"},
		{"s.*.n", "s.web.n s.db.n s.t.n"}, // what is behind the last "*" is not looked up
		{"*.*.n", `s.web.n s.db.n s.t.n l[0].n l[1].n l[2].n "*.org".n.n`},
		{"l.*.c", "l[0].c l[1].c l[2].c"},
		{"l[c=x].d", "l[0].d l[2].d"},
		{"::l::*", "l[0] l[1] l[2]"},
		{"*.org.n", `"*.org".n`}, // the key with the dot wins
		{`s."*"`, `s."*"`},
		{`s.\*`, `s."*"`},
		{`s["*"]`, `s."*"`},
		{"/s/*", `s."*"`},
	}
	for _, test := range tests {
		steps, err := docpath.Parse(test.path)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := docpath.Exact(data(t, text), steps)
		var got []string
		for _, steps := range exact {
			got = append(got, docpath.Literal(steps).String())
		}
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, %v, want %q", test.path, got, err, test.want)
		}
	}
	for path, message := range map[string]string{
		"nope.*": `no "nope" in the document`, "none.*": "none is empty", "s.t.*.n": "s.t is a string", "l[c=z].n": `no "[c=z]" in l`,
		"s[c=x].n": `no "[c=x]" in s`,
	} {
		steps, _ := docpath.Parse(path)
		_, err := docpath.Exact(data(t, text), steps)
		if d := source.AsDiagnostic(err, source.Span{}, source.Internal); d == nil || d.Code != source.NotFound || d.Message != message {
			t.Errorf("%s: %v, want %q", path, err, message)
		}
	}
}
