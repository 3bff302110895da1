package docpath_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/source"
)

// spelled writes steps: exact keys in quotes, indexes in brackets.
func spelled(steps []docpath.Step) string {
	var all []string
	for _, s := range steps {
		switch {
		case s.Match != "":
			all = append(all, "["+s.Match+"="+s.Text+"]")
		case s.Index:
			all = append(all, fmt.Sprintf("[%d %s]", s.Number, s.Key))
		case s.Exact:
			all = append(all, fmt.Sprintf("%q", s.Key))
		default:
			all = append(all, s.Key)
		}
	}
	return strings.Join(all, " ")
}

func TestParse(t *testing.T) {
	tests := []struct{ path, want string }{
		{"", ""}, {".", ""}, {"::", ""},
		{"a", "a"},
		{"a.b.c", "a b c"},
		{"a[0][-1].b", "a [0 0] [-1 -1] b"},
		{"[0]", "[0 0]"},
		{"a.0", "a 0"},
		{`"x.y".'z'`, `"x.y" "z"`},
		{`a["x.y"]['z']`, `a "x.y" "z"`},
		{`"a\"b"`, `"a\"b"`},
		{`a\.b.c`, `"a.b" c`},
		{`it's`, "it's"},
		{`a\`, `a\`},
		{"a[name=web].b", "a [name=web] b"},
		{"a[ name = web ]", "a [name=web]"},
		{"a[name=x=y]", "a [name=x=y]"},
		{"::a::b.c::0", `"a" "b.c" [0 0]`},
		{"a:: b ::c[1]", `"a" "b" "c" [1 1]`},
		{"/a/b.c/0/-", `"a" "b.c" [0 0] "-"`},
		{"/a~1b~0c", `"a/b~c"`},
		{"/", `""`},
	}
	for _, test := range tests {
		steps, err := docpath.Parse(test.path)
		if got := spelled(steps); err != nil || got != test.want {
			t.Errorf("Parse(%q) = %s, %v, want %s", test.path, got, err, test.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ path, words string }{
		{"a.", "ends in a dot"},
		{"a..b", "key is missing"},
		{".a", "does not begin with a dot"},
		{`"a`, "quote is not closed"},
		{`a["b`, "quote is not closed"},
		{`a["b"`, `the "[" is never closed`},
		{"a[0", `the "[" is never closed`},
		{"a[0]b", "expected a dot or a bracket"},
		{"a[x]", "brackets take"},
		{"a[]", "brackets take"},
		{"a[=x]", "brackets take"},
		{"a[ =x]", "brackets take"},
		{"a::b[x]", "brackets take"},
		{"/a~2", "~ is written ~0"},
		{"/a~", "~ is written ~0"},
	}
	for _, test := range tests {
		_, err := docpath.Parse(test.path)
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.Code != source.Syntax || d.At.IsZero() || !strings.Contains(d.Message, test.words) {
			t.Errorf("Parse(%q): %v, want %q with a place", test.path, err, test.words)
		}
	}
}

// A path has no more steps than documents have levels.
func TestLongPaths(t *testing.T) {
	for _, test := range []struct{ first, next string }{{"a", ".a"}, {"/a", "/a"}, {"::a", "::a"}, {"a", "::a"}, {"[0]", "[0]"}} {
		path := test.first + strings.Repeat(test.next, 9_999)
		if steps, err := docpath.Parse(path); err != nil || len(steps) != 10_000 {
			t.Errorf("%s and so on: %d parts, %v", test.first, len(steps), err)
		}
		_, err := docpath.Parse(path + test.next)
		if d := source.AsDiagnostic(err, source.Span{}, source.Internal); d.Code != source.Limit || d.At.IsZero() {
			t.Errorf("%s and so on, and one more: %v, want a limit with a place", test.first, err)
		}
	}
}

func TestCutAssignment(t *testing.T) {
	tests := []struct {
		assignment, path, text string
		ok                     bool
	}{
		{"a.b=1", "a.b", "1", true},
		{"a=b=c", "a", "b=c", true},
		{"a=", "a", "", true},
		{"a[name=web].b=1", "a[name=web].b", "1", true},
		{`"a=b".c=1`, `"a=b".c`, "1", true},
		{`a["x=]"]=1`, `a["x=]"]`, "1", true},
		{`"a\"=b"=1`, `"a\"=b"`, "1", true},
		{`a['\'='].b=1`, `a['\'='].b`, "1", true},
		{`a\=b=1`, `a\=b`, "1", true},
		{"it's=1", "it's", "1", true},
		{`a.it's="x"`, "a.it's", `"x"`, true},
		{"a", "", "", false},
		{"=1", "", "1", false},
		{`"a=1`, "", "", false},
	}
	for _, test := range tests {
		path, text, ok := docpath.CutAssignment(test.assignment)
		if path != test.path || text != test.text || ok != test.ok {
			t.Errorf("CutAssignment(%q) = %q, %q, %v, want %q, %q, %v", test.assignment, path, text, ok, test.path, test.text, test.ok)
		}
	}
}

// A path means the same with each of its keys quoted.
func FuzzParse(f *testing.F) {
	for _, path := range []string{"a.b[0]", `"x.y"[k=v].c\.d`, "a::b::0[1]", "/a~1b/0", "a[", "."} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		steps, err := docpath.Parse(path)
		if err != nil {
			var d *source.Diagnostic
			if !errors.As(err, &d) || d.At.IsZero() {
				t.Fatalf("Parse(%q): %v has no place", path, err)
			}
			return
		}
		steps = docpath.Whole(steps) // in a path of segments, "a.b" is one key
		if keys, ok := docpath.Constant(steps); ok && len(keys) != len(steps) {
			t.Fatalf("Parse(%q): %d steps and %d keys", path, len(steps), len(keys))
		}
		var quoted strings.Builder
		for _, s := range steps {
			if s.Match != "" || s.Index {
				return
			}
			quoted.WriteString("[\"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s.Key) + "\"]")
		}
		again, err := docpath.Parse(quoted.String())
		if strings.Contains(quoted.String(), "::") { // this is a path of segments
			return
		}
		if err != nil || !slices.Equal(docpath.Literal(again), docpath.Literal(steps)) {
			t.Fatalf("Parse(%q) = %v, quoted %v, %v", path, steps, again, err)
		}
	})
}
