package roundtrip_test

import "testing"

// TestBareKeys edits beside entries that have no key or no value.
func TestBareKeys(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"beside a set", "# s\n? a\n? b  # two\n\nc:   1\n", "set c 2", "# s\n? a\n? b  # two\n\nc:   2\n"},
		{"into a set", "? a # one\n? b", "set c 1", "? a # one\n? b\nc: 1"},
		{"out of a set", "? a # one\n? b\n? c\n", "delete b", "? a # one\n? c\n"},
		{"the last of a set", "? a # one\n? b\n", "delete b", "? a # one\n"},
		{"a set with a value", "? a\n? b\n: 1\n? c\n", "set b 2", "? a\n? b\n: 2\n? c\n"},
		{"a value in a set", "? a # one\n? b\n&n c: 3\n", "set b 2", "? a # one\n? b\n: 2\n&n c: 3\n"},
		{"a value in a set, with a comment", "m:\n  ? a # one\n  ? b\n", "set m.a 2", "m:\n  ? a\n  : 2 # one\n  ? b\n"},
		{"another key in a set", "? a # one\n? b\n", "rename a c", "? c # one\n? b\n"},
		{"below an anchor with a colon", "- &a:\n  b:   1 # c\n", "set [0].b 2", "- &a:\n  b:   2 # c\n"},
		{"below a tag", "!!str : x\nb:   1 # c\n", "set b 2", "!!str : x\nb:   2 # c\n"},
		{"behind a key without a value on its line", "a: {\n  x: 1,  y:\n}\n", "insert a.z last 2", "a: {\n  x: 1,  y: ,  z: 2\n}\n"},
		{"below a key without a value", "a: {\n\n  x:   1,\n  y:\n} # c\n", "insert a.z last 2", "a: {\n\n  x:   1,\n  y: ,\n  z: 2\n} # c\n"},
		{"a key without a value that moves", "a: {\n  x:   1,\n  y:\n}\n", "move a.y first", "a: {\n  y: ,\n  x:   1\n}\n"},
		{"a value for the last key, and one below", "a: {\n  x:   1,\n  y:\n}\n", "set a.y 3\ninsert a.z last 2", "a: {\n  x:   1,\n  y: 3,\n  z: 2\n}\n"},
		{"beside a value with a tag only", "a: !!str # c\nb:   1\n", "set b 2", "a: !!str # c\nb:   2\n"},
	})
}
