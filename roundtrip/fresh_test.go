package roundtrip_test

import (
	"testing"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// noted is the text of a value with comments.
const noted = `# the port
port: 80 # default
# the hosts
hosts: # all of them
  # the first
  - a
  - b # the second
  # no more
sizes: [1, 2]
text: | # lines
  x
  y
y: 'no' # spelled
0x10: {a: 1}
`

func TestInsertWithComments(t *testing.T) {
	const want = `    # the port
    port: 80 # default
    # the hosts
    hosts: # all of them
    # the first
    - a
    - b # the second
    # no more
    sizes: [1, 2]
    text: | # lines
        x
        y
    y: "no" # spelled
    0x10: {a: 1}
`
	v := mustValue(t, noted)
	note := &value.Annotation{Head: "# new\n#  entry", Line: "# here", Foot: "# end"}
	tests := []struct {
		name, text string
		edit       roundtrip.Edit
		want       string
	}{
		{"last", "k:\n    l:\n    - 1\n", roundtrip.Edit{Op: roundtrip.Insert, Path: path("x"), Value: v, Note: &value.Annotation{}}, "k:\n    l:\n    - 1\nx:\n" + want},
		{"the comments of the entry", "k:\n    l:\n    - 1\n# b\nb: 1\n", roundtrip.Edit{Op: roundtrip.Insert, Path: path("x"), Place: rangeOf("after:k"), Value: v, Note: note},
			"k:\n    l:\n    - 1\n# new\n#  entry\nx: # here\n" + want + "# end\n\n# b\nb: 1\n"},
		{"scalar", "a: 1\nb: 2\n", roundtrip.Edit{Op: roundtrip.Insert, Path: path("x"), Place: rangeOf("first"), Value: value.Int(5), Note: note}, "# new\n#  entry\nx: 5 # here\n# end\n\na: 1\nb: 2\n"},
		{"before", "a: 1\n\n# b\nb: 2\n", roundtrip.Edit{Op: roundtrip.Insert, Path: path("x"), Place: rangeOf("before:b"), Value: value.Int(5), Note: note}, "a: 1\n\n# new\n#  entry\nx: 5 # here\n# end\n\n# b\nb: 2\n"},
		{"set", "a: 1\n", roundtrip.Edit{Op: roundtrip.Set, Path: path("x"), Value: value.Int(5), Note: note}, "a: 1\n# new\n#  entry\nx: 5 # here\n# end\n"},
		{"append", "- 1\n", roundtrip.Edit{Op: roundtrip.Append, Value: mustValue(t, "a: 1\n# c\nb: 2\n"), Note: note}, "- 1\n# new\n#  entry\n- # here\n  a: 1\n  # c\n  b: 2\n# end\n"},
		{"append, compact", "- 1\n", roundtrip.Edit{Op: roundtrip.Append, Value: mustValue(t, "# h\na: 1 # c\nb: 2\n")}, "- 1\n- # h\n  a: 1 # c\n  b: 2\n"},
		{"flow", "a: 1\n", roundtrip.Edit{Op: roundtrip.Set, Path: path("x"), Value: mustValue(t, "[1, 2]"), Note: &value.Annotation{Flow: true, Line: "# c"}}, "a: 1\nx: [1, 2] # c\n"},
		{"key", "a: 1\n", roundtrip.Edit{Op: roundtrip.Set, Path: path("y"), Value: value.Int(1), Note: &value.Annotation{KeySpelling: "y"}}, "a: 1\ny: 1\n"},
		{"not of what is there", "a: 1 # old\n", roundtrip.Edit{Op: roundtrip.Set, Path: path("a"), Value: value.Int(2), Note: note}, "a: 2 # old\n"},
		{"flow neighbours, but comments", "a: [1]\n", roundtrip.Edit{Op: roundtrip.Set, Path: path("x"), Value: mustValue(t, "- 1 # c\n- 2\n")}, "a: [1]\nx:\n  - 1 # c\n  - 2\n"},
		{"no place in flow style", "{a: 1}\n", roundtrip.Edit{Op: roundtrip.Set, Path: path("x"), Value: mustValue(t, "- 1 # c\n- 2\n"), Note: note}, "{a: 1, x: [1, 2]}\n"},
		{"what is no comment", "a: 1\n", roundtrip.Edit{Op: roundtrip.Set, Path: path("x"), Value: value.Int(1), Note: &value.Annotation{Head: "b: 2\r\u0085c: 3\n\n", Line: "one\ntwo"}}, "a: 1\n# b: 2c: 3\nx: 1 # one # two\n"},
		{"CRLF", "a: 1\r\n", roundtrip.Edit{Op: roundtrip.Set, Path: path("x"), Value: value.Int(1), Note: note}, "a: 1\r\n# new\r\n#  entry\r\nx: 1 # here\r\n# end\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := apply(tt.text, yamlSyntax, 0, []roundtrip.Edit{tt.edit})
			if err != nil || r.Text != tt.want {
				t.Errorf("%v\n%s\nwant\n%s", err, r.Text, tt.want)
			}
		})
	}
	r, err := apply(`{"a": 1}`, jsonSyntax, 0, []roundtrip.Edit{{Op: roundtrip.Set, Path: path("x"), Value: mustValue(t, "- 1 # c\n"), Note: note}})
	if err != nil || r.Text != `{"a": 1, "x": [1]}` {
		t.Errorf("in JSON: %v\n%s", err, r.Text)
	}
	r, err = apply(`{"a": 1}`, jsonSyntax, 0, []roundtrip.Edit{{Op: roundtrip.Set, Path: path("x"), Value: mustValue(t, "{0x10: a, true: b}")}})
	if err != nil || r.Text != `{"a": 1, "x": {"16": "a", "true": "b"}}` {
		t.Errorf("keys in JSON: %v\n%s", err, r.Text)
	}
}

// TestSetInFlow checks that a map or list that replaces another value is in flow style if
// its note says so.
func TestSetInFlow(t *testing.T) {
	tests := []struct{ name, text, path, v, want string }{
		{"scalar", "a: 1 # c\nb: 2\n", "a", "{x: 1, y: [2]}", "a: {x: 1, y: [2]} # c\nb: 2\n"},
		{"item", "- 1\n- 2\n", "[0]", "{x: 1}", "- {x: 1}\n- 2\n"},
		{"nothing", "a:\nb: 2\n", "a", "[1]", "a: [1]\nb: 2\n"},
		{"literal", "a: | # c\n  x\n  y\nb: 2\n", "a", "[1]", "a: [1] # c\nb: 2\n"},
		{"alias", "a: &n 1\nb: *n\n", "b", "{x: 1}", "a: &n 1\nb: {x: 1}\n"},
		{"tag", "a: !x 1\n", "a", "{x: 1}", "a: {x: 1}\n"},
		{"empty", "a: {}\nb: []\n", "a", "{x: 1}", "a: {x: 1}\nb: []\n"},
		{"empty of another kind", "a: []\n", "a", "{x: 1}", "a: {x: 1}\n"},
		{"the root", "1\n", ".", "{x: 1}", "{x: 1}\n"},
		{"what has something in it stays as it is", "a:\n  y: 1\n", "a", "{x: 1}", "a:\n  x: 1\n"},
		{"comments have no place", "a: 1\n", "a", "# c\nx: 1 # d\n", "a:\n  # c\n  x: 1 # d\n"},
		{"comments have no place in what is empty", "a: {}\n", "a", "x: 1 # d\n", "a:\n  x: 1 # d\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := roundtrip.Edit{Op: roundtrip.Set, Path: path(tt.path), Value: mustValue(t, tt.v), Note: &value.Annotation{Flow: true}}
			r, err := apply(tt.text, yamlSyntax, 0, []roundtrip.Edit{e})
			if err != nil || r.Text != tt.want {
				t.Errorf("%v\n%s\nwant\n%s", err, r.Text, tt.want)
			}
		})
	}
}

// TestAssignWithComments checks that new entries get their comments, and old ones keep
// theirs.
func TestAssignWithComments(t *testing.T) {
	tests := []struct{ text, v, want string }{
		{"a: 1 # old\nb: 2\n", "# new\na: 1 # new\nb: 3 # new\n# above\nc: 4 # beside\n", "a: 1 # old\nb: 3\n# above\nc: 4 # beside\n"},
		{"- 1 # old\n", "- 1 # new\n# above\n- 2 # beside\n- 3\n", "- 1 # old\n# above\n- 2 # beside\n- 3\n"},
		{"a:\n  b: 1\n", "a: # no\n  # yes\n  c: [1] # yes\n  b: 2 # no\n", "a:\n  b: 2\n  # yes\n  c: # yes\n    - 1\n"},
		{"5 # old\n", "# head\na: 1 # new\n", "# old\n# head\na: 1 # new\n"},
	}
	for _, tt := range tests {
		r, err := apply(tt.text, yamlSyntax, 0, []roundtrip.Edit{{Op: roundtrip.Set, Value: mustValue(t, tt.v)}})
		if err != nil || r.Text != tt.want {
			t.Errorf("%q to %q: %v\n%s\nwant\n%s", tt.text, tt.v, err, r.Text, tt.want)
		}
	}
}
