package roundtrip_test

import "testing"

// TestEnding edits texts whose last line break is missing, where a block scalar is or
// gets last.
func TestEnding(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"an entry below a literal", "a: 1\n\nb: |\n  x", "set c 2", "a: 1\n\nb: |-\n  x\nc: 2"},
		{"an entry below a folded scalar", "a: 1\n\nb: >2  # c\n    x\n   y", "set c 2", "a: 1\n\nb: >2-  # c\n    x\n   y\nc: 2"},
		{"an entry below a literal that keeps breaks", "b: |+\n  x", "set c 2", "b: |-\n  x\nc: 2"},
		{"an entry below a literal without break", "b: |-\n  x", "set c 2", "b: |-\n  x\nc: 2"},
		{"an item below a literal", "- a  # one\n\n- k: |\n    x", "append . 2", "- a  # one\n\n- k: |-\n    x\n- 2"},
		{"CRLF", "b: |\r\n  x", "set c 2", "b: |-\r\n  x\r\nc: 2"},
		{"a literal gets last", "a: |\n  x\n\nb: [ 1 ]", "delete b", "a: |\n  x\n"},
		{"a literal with a template gets last", "l: [ 1 ]\na: |\n  {{ x }}\n\nb: 1", "delete b", "l: [ 1 ]\na: |\n  {{ x }}\n"},
		{"a folded scalar gets last", "a: >\n  x\n  y\nb: 1", "delete b", "a: >\n  x\n  y\n"},
		{"a literal gets last, CRLF", "a: |\r\n  x\r\nb: 1", "delete b", "a: |\r\n  x\r\n"},
		{"a literal goes, another one gets last", "a: |2\n   x\nb: |\n  y", "delete b", "a: |2\n   x\n"},
		{"a plain scalar gets last", "a: x\nb: 1", "delete b", "a: x"},
		{"two entries below a literal", "b: |\n  x", "set c 2\nset d 3", "b: |-\n  x\nc: 2\nd: 3"},
		{"an entry above, and one below", "a: 1\nb: |\n  x", "set a 2\nset c 2", "a: 2\nb: |-\n  x\nc: 2"},
	})
}
