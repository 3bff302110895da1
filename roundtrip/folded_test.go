package roundtrip_test

import "testing"

// TestFolds sets folded scalars: lines whose text is as before keep their breaks.
func TestFolds(t *testing.T) {
	const text = "a: >\n  one\n  two and three\n\n  four\n  five\nb: 1\n"
	check(t, yamlSyntax, []example{
		{"another end", text, `set a "one two and three\nfour fivex\n"`, "a: >\n  one\n  two and three\n\n  four\n  fivex\nb: 1\n"},
		{"another beginning", text, `set a "oh, one two and three\nfour five\n"`, "a: >\n  oh, one\n  two and three\n\n  four\n  five\nb: 1\n"},
		{"more in the middle", text, `set a "one two and not three\nfour five\n"`, "a: >\n  one\n  two and not\n  three\n\n  four\n  five\nb: 1\n"},
		{"less in the middle", text, `set a "one three\nfour five\n"`, "a: >\n  one\n  three\n\n  four\n  five\nb: 1\n"},
		{"a paragraph is gone", text, `set a "one two and three five\n"`, "a: >\n  one\n  two and three\n  five\nb: 1\n"},
		{"another paragraph", text, `set a "one two and three\nnew\nfour five\n"`, "a: >\n  one\n  two and three\n\n  new\n\n  four\n  five\nb: 1\n"},
		{"no word is as before", text, `set a "six seven\n"`, "a: >\n  six seven\nb: 1\n"},
		{"a line that is not folded", "a: >\n  x\n    y\n  z\n", `set a "x\n  y\nz z\n"`, "a: |\n  x\n    y\n  z z\n"},
		{"an end without break", "a: >-\n  one\n  two", `set a "one twox"`, "a: >-\n  one\n  twox"},
		{"CRLF", "a: >\r\n  one\r\n  two\r\n", `set a "one twox\n"`, "a: >\r\n  one\r\n  twox\r\n"},
	})
}
