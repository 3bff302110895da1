package roundtrip_test

import (
	"testing"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// TestSetTag sets maps and lists with a tag over others of their kind: comments of what stays stay.
func TestSetTag(t *testing.T) {
	tests := []struct{ name, text, path, v, want string }{
		{"another tag", "u: !T # u\n  a: 1 # a\n  # b\n  b: 2\n", "u", "{a: 1, b: 2}", "u: !U # u\n  a: 1 # a\n  # b\n  b: 2\n"},
		{"and another value", "u: !T\n  a: 1 # a\n  b: 2\n", "u", "{a: 1, b: 3, c: 4}", "u: !U\n  a: 1 # a\n  b: 3\n  c: 4\n"},
		{"a first tag", "u: # u\n  a: 1 # a\n", "u", "{a: 2}", "u: !U # u\n  a: 2 # a\n"},
		{"before an anchor", "u: &x\n  a: 1 # a\n", "u", "{a: 1}", "u: !U &x\n  a: 1 # a\n"},
		{"behind an anchor", "u: &x !T\n  a: 1 # a\n", "u", "{a: 1}", "u: &x !U\n  a: 1 # a\n"},
		{"the same tag", "u: !U\n  a: 1 # a\n", "u", "{a: 2}", "u: !U\n  a: 2 # a\n"},
		{"braces", "u: {a: 1, # a\n  b: 2}\n", "u", "{a: 1, b: 3}", "u: !U {a: 1, # a\n  b: 3}\n"},
		{"inside of brackets", "[x, {a: 1}]\n", "[1]", "{a: 1}", "[x, !U {a: 1}]\n"},
		{"a map without braces", "[x, a: 1]\n", "[1]", "{a: 1}", "[x, !U {a: 1}]\n"},
		{"list", "l:\n- 1 # one\n- 2\n", "l", "[1, 3]", "l: !U\n- 1 # one\n- 3\n"},
		{"list in a list", "- - 1 # one\n  - 2\n", "[0]", "[1, 2]", "- !U\n  - 1 # one\n  - 2\n"},
		{"on the line of a dash", "l:\n-  a: 1 # a\n   b: 2\n", "l[0]", "{a: 1, b: 2}", "l:\n- !U\n   a: 1 # a\n   b: 2\n"},
		{"root", "# head\n---\na: 1 # a\nb: 2\n", ".", "{a: 1, b: 3}", "# head\n---\n!U\na: 1 # a\nb: 3\n"},
		{"root with CRLF", "a: 1 # a\r\n", ".", "{a: 1}", "!U\r\na: 1 # a\r\n"},
		{"emptied", "u: !T\n  a: 1 # a\nv: 1\n", "u", "{}", "u: !U {}\nv: 1\n"},
		{"another kind", "u: !T\n  a: 1 # a\nv: 1\n", "u", "[1]", "u: !U\n  - 1\nv: 1\n"},
		{"quoted keys over several lines", "u: {\"a\"\n   : 1} # u\n", "u", "{a: 1}", "u: !U {\"a\"\n   : 1} # u\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			at := path(tt.path)
			if tt.path == "." {
				at = nil
			}
			e := roundtrip.Edit{Op: roundtrip.Set, Path: at, Value: mustValue(t, tt.v), Note: &value.Annotation{Tag: "!U"}}
			r, err := apply(tt.text, yamlSyntax, 0, []roundtrip.Edit{e})
			if err != nil || r.Text != tt.want {
				t.Errorf("%v\n%s\nwant\n%s", err, r.Text, tt.want)
			}
		})
	}
}
