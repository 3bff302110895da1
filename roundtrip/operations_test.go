package roundtrip_test

import (
	"testing"
)

func TestInsert(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"last", "a: 1 # c\nb: 2 # d\n", "insert x last 5", "a: 1 # c\nb: 2 # d\nx: 5\n"},
		{"first", "a: 1\nb: 2\n", "insert x first 5", "x: 5\na: 1\nb: 2\n"},
		{"before, with its comment", "a: 1\n\n# about b\nb: 2\n", "insert x before:b 5", "a: 1\n\nx: 5\n# about b\nb: 2\n"},
		{"after, before the blank line", "a: 1\n\n# about b\nb: 2\n", "insert x after:a 5", "a: 1\nx: 5\n\n# about b\nb: 2\n"},
		{"after a nested map and its comment", "a:\n  k: 1\n  # deep\nb: 2\n", "insert x after:a 5", "a:\n  k: 1\n  # deep\nx: 5\nb: 2\n"},
		{"below the first comment of the text", "# head\na: 1\n", "insert x first 5", "# head\nx: 5\na: 1\n"},
		{"before a comment that is no head", "# head\n\n# about a\na: 1\n", "insert x first 5", "# head\n\nx: 5\n# about a\na: 1\n"},
		{"at the end, above the last comment", "a: 1\n# end\n", "insert x last 5", "a: 1\nx: 5\n# end\n"},
		{"nested, last", "a:\n    k: 1\n\nb: 2\n", "insert a.x last 5", "a:\n    k: 1\n    x: 5\n\nb: 2\n"},
		{"nested, first", "a: # c\n  # about k\n  k: 1\nb: 2\n", "insert a.x first 5", "a: # c\n  x: 5\n  # about k\n  k: 1\nb: 2\n"},
		{"in a compact map, first", "- k: 1\n  l: 2\n", "insert [0].x first 5", "- x: 5\n  k: 1\n  l: 2\n"},
		{"in a compact map, last", "-   k: 1\n    l: 2\n- m: 3\n", "insert [0].x last {z: 1}", "-   k: 1\n    l: 2\n    x:\n      z: 1\n- m: 3\n"},
		{"item", "- a\n- b\n", "insert [1] last x", "- a\n- x\n- b\n"},
		{"item first, below a head", "# head\n- a\n", "insert [0] last x", "# head\n- x\n- a\n"},
		{"item in a list at the column of its key", "a:\n- x # c\nb: 2\n", "insert a[1] last z", "a:\n- x # c\n- z\nb: 2\n"},
		{"indented item", "a:\n    - x\n", "insert a[1] last z", "a:\n    - x\n    - z\n"},
		{"wide dash", "-   a: 1\n    b: 2\n", "insert [1] last {a: 3, b: 4}", "-   a: 1\n    b: 2\n-   a: 3\n    b: 4\n"},
		{"in a list of lists", "- - a\n- - b\n", "insert [0][0] last x", "- - x\n  - a\n- - b\n"},
		{"quotes of the neighbours", "- 'a'\n- 'b'\n", "insert [2] last c", "- 'a'\n- 'b'\n- 'c'\n"},
		{"flow like the neighbours", "- {a: 1}\n- {a: 2}\n", "insert [2] last {a: 3, b: [4]}", "- {a: 1}\n- {a: 2}\n- {a: 3, b: [4]}\n"},
		{"flow map", "{a: 1, b: 2} # c\n", "insert x before:b 5", "{a: 1, x: 5, b: 2} # c\n"},
		{"flow map with blanks", "{ a: 1 }\n", "insert x last 5", "{ a: 1, x: 5 }\n"},
		{"flow map, first", "{ a: 1, b: 2 }\n", "insert x first 5", "{ x: 5, a: 1, b: 2 }\n"},
		{"flow map with quotes", "{\"a\": 1}\n", "insert x last 5", "{\"a\": 1, \"x\": 5}\n"},
		{"flow map, no value at the end", "m: {a: }\n", "insert m.z last 5", "m: {a: , z: 5}\n"},
		{"flow map, directives", "m: {+/x: , +?/y: }\n", "insert m.z last 5", "m: {+/x: , +?/y: , z: 5}\n"},
		{"flow list without blanks", "[a,b]\n", "insert [2] last c", "[a,b,c]\n"},
		{"flow list, last comma", "[a, b,]\n", "insert [2] last c", "[a, b, c,]\n"},
		{"flow list, comments", "[\n  a, # one\n  b # two\n]\n", "insert [2] last c", "[\n  a, # one\n  b, # two\n  c\n]\n"},
		{"flow list, empty lines are not repeated", "[\n  a,\n\n  b\n]\n", "insert [2] last c", "[\n  a,\n\n  b,\n  c\n]\n"},
		{"flow map, comment behind the last of one line", "m: {a: 1, \"b\": 2 # x\n  }\n", "insert m.z last 5", "m: {a: 1, \"b\": 2, # x\n  z: 5\n  }\n"},
		{"pair in a list becomes a map", "[a: 1 # c\n, 2]\n", "insert [0].b last 5", "[{a: 1, b: 5} # c\n, 2]\n"},
		{"flow map with a tag without value", "{a: !t }\n", "insert b last 5", "{a: !t , b: 5 }\n"},
		{"flow map with an explicit key", "{? a }\n", "insert b last 5", "{? a, b: 5 }\n"},
		{"flow list with commas below comments", "[1 # c\n, 2 # d\n]\n", "insert [2] last 3", "[1 # c\n, 2, # d\n  3\n]\n"},
		{"flow list, a line each", "k: [\n  a,\n  b\n]\n", "insert k[0] last c", "k: [\n  c,\n  a,\n  b\n]\n"},
		{"empty flow list in a flow map", "{a: [], b: [ ]}\n", "insert a[0] last 1\ninsert b[0] last 2", "{a: [1], b: [ 2 ]}\n"},
		{"empty list", "a: [] # c\nb: 1\n", "insert a[0] last 1", "a: # c\n  - 1\nb: 1\n"},
		{"empty root", "{}\n", "insert a last 1", "a: 1\n"},
		{"keys that need quotes", "a: 1\n", "insert \"x:\" last 5", "a: 1\n\"x:\": 5\n"},
		{"key that is a number", "a: 1\n", "insert #8 last 5\ninsert \"8\" last 6", "a: 1\n8: 5\n\"8\": 6\n"},
		{"several lines", "a: 1\nb: 2\n", `insert x after:a "y\nz\n"`, "a: 1\nx: |\n  y\n  z\nb: 2\n"},
		{"list like the neighbours", "a:\n  - 1\nb:\n  - 1\nc:\n  d:\n  - 1\n", "insert c.x last [1, 2]", "a:\n  - 1\nb:\n  - 1\nc:\n  d:\n  - 1\n  x:\n  - 1\n  - 2\n"},
		{"map like the neighbours", "a:\n  b: 1\nc:\n  b: 1\nd:\n    e:\n        f: 1\n", "insert d.x last {z: 1}", "a:\n  b: 1\nc:\n  b: 1\nd:\n    e:\n        f: 1\n    x:\n        z: 1\n"},
		{"quoted keys", "\"a\": 1\n\"b\": 2\n", "insert x last 5", "\"a\": 1\n\"b\": 2\n\"x\": 5\n"},
		{"some quoted keys", "\"a\": 1\nb: 2\n", "insert x last 5", "\"a\": 1\nb: 2\nx: 5\n"},
		{"keys that have to be quoted", "\"on\": 1\n", "insert x last 5", "\"on\": 1\nx: 5\n"},
		{"short list, flow neighbours", "a: [1]\nb: [2]\n", "insert x last [3, 4]", "a: [1]\nb: [2]\nx: [3, 4]\n"},
		{"long list, flow neighbours", "a: [1]\n", "insert x last [aaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccccccccccc]", "a: [1]\nx:\n  - aaaaaaaaaaaaaaaaaaaaaaaaa\n  - bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n  - cccccccccccccccccccccccccccccccc\n"},
		{"spellings", "a: 1\n", "insert x last {a: 0x51, b: 1e3, c: ~, d: !t e, f: 1_0, g: Yes, h: 'Yes', i: 010}", "a: 1\nx:\n  a: 0x51\n  b: 1e3\n  c: ~\n  d: !t e\n  f: 1_0\n  g: Yes\n  h: \"Yes\"\n  i: 010\n"},
		{"spellings in flow", "{a: 1}\n", "insert x last [0x51, 1.50, ~, 'true', \"a\\nb\"]", "{a: 1, x: [0x51, 1.50, ~, \"true\", \"a\\nb\"]}\n"},
		{"several lines, kept breaks", "a: 1\n\nb: 2\n", `insert x after:a "y\n\n"`, "a: 1\nx: \"y\\n\\n\"\n\nb: 2\n"},
		{"after a literal", "a: |\n  x\n\nb: 1\n", "insert x after:a 5", "a: |\n  x\nx: 5\n\nb: 1\n"},
		{"after kept breaks", "a: |+\n  x\n\nb: 1\n", "insert x after:a 5", "a: |+\n  x\n\nx: 5\nb: 1\n"},
		{"no last line break", "a: 1", "insert x last {z: 2}", "a: 1\nx:\n  z: 2"},
		{"CRLF", "a: 1\r\nb: 2\r\n", "insert x after:a [1]", "a: 1\r\nx:\r\n  - 1\r\nb: 2\r\n"},
		{"byte order mark", "\ufeffa: 1\n", "insert x first 5", "\ufeffx: 5\na: 1\n"},
		{"before a marker", "a: 1\n...\n", "insert x last 5", "a: 1\nx: 5\n...\n"},
		{"several at one place", "a: 1\nb: 2\n", "insert x after:a 5\ninsert y after:x 6\ninsert z before:b 7", "a: 1\nx: 5\n\"y\": 6\nz: 7\nb: 2\n"},
		{"a literal without its last break", "- |\n  x", "insert [1] last z", "- |-\n  x\n- z"},
		{"a literal without its last break, with a comment", "- | # c\n  x", "insert [1] last z", "- |- # c\n  x\n- z"},
	})
	checkErrors(t, yamlSyntax, []example{
		{"is there", "a: 1\n", "insert a last 5", "duplicate-key"},
		{"next to nothing", "a: 1\n", "insert x after:b 5", "not-found"},
		{"past the end", "- a\n", "insert [2] last 5", "not-found"},
		{"into a scalar", "a: 1\n", "insert a.b last 5", "bad-type"},
		{"the root", "a: 1\n", "insert . last 5", "bad-type"},
	})
}

func TestAppend(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"block", "a:\n- 1 # c\n# d\nb: 2\n", "append a 5", "a:\n- 1 # c\n- 5\n# d\nb: 2\n"},
		{"flow", "a: [1, 2]\n", "append a {x: 5}", "a: [1, 2, {x: 5}]\n"},
		{"root", "- a\n", "append . b", "- a\n- b\n"},
	})
	checkErrors(t, yamlSyntax, []example{
		{"map", "a: {x: 1}\n", "append a 5", "bad-type"},
		{"null", "a:\n", "append a 5", "bad-type"},
		{"alias", "a: &n [1]\nb: *n\n", "append b 5", "through-alias"},
	})
}

func TestDelete(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"items that are commented out stay", "- a\n# - b\n# - c:\n#     d\n- e\n# - f\n", "delete [1]", "- a\n# - b\n# - c:\n#     d\n# - f\n"},
		{"a comment with a list in it goes", "- a\n# One of\n# - b\n- e\n", "delete [1]", "- a\n"},
		{"flow list, comments below the last item", "m: [ # x\n  # about a\n  a, # a\n  # - b\n  ] # y\n", "delete m[0]", "m: [ # x\n  # - b\n  ] # y\n"},
		{"flow map, comment behind the bracket", "m: { # x\n  a: 1\n  }\n", "delete m.a", "m: { # x\n  }\n"},
		{"flow list, comment behind the bracket", "m: [ # x\n  a ] # y\n", "delete m[0]", "m: [ # x\n  ] # y\n"},
		{"first", "a: 1 # c\nb: 2\n", "delete a", "b: 2\n"},
		{"last", "a: 1\nb: 2 # c\n", "delete b", "a: 1\n"},
		{"last without line break", "a: 1\nb: 2", "delete b", "a: 1"},
		{"two at the end without line break", "a: 1\n# c\nb: 2\n\nd: 3", "delete b\ndelete d", "a: 1"},
		{"with its comments", "a: 1\n# about b\n# and more\nb:\n  k: 1\n  # deep\n# about d\nd: 3\n", "delete b", "a: 1\n# about d\nd: 3\n"},
		{"a comment on its own", "a: 1\n# alone\n\nb: 2\nd: 3\n", "delete b", "a: 1\n# alone\n\nd: 3\n"},
		{"one of two blank lines", "a: 1\n\nb: 2\n\nd: 3\n", "delete b", "a: 1\n\nd: 3\n"},
		{"the blank line at the end", "a: 1\n\nb: 2\n", "delete b", "a: 1\n"},
		{"the first comment of the text stays", "# head\na: 1\nb: 2\n", "delete a", "# head\nb: 2\n"},
		{"the comment of the first goes", "# head\n\n# about a\na: 1\nb: 2\n", "delete a", "# head\n\nb: 2\n"},
		{"the only one", "a: # c\n  k: 1 # d\nb: 2\n", "delete a.k", "a: {} # c\nb: 2\n"},
		{"the only one, comments that stay", "a:\n  # alone\n\n  # about\n  k: 1\n  # below\nb: 2\n", "delete a.k", "a: {}\n  # alone\n\n  # below\nb: 2\n"},
		{"the only item", "a:\n- 1\nb: 2\n", "delete a[0]", "a: []\nb: 2\n"},
		{"all", "# head\na: 1\nb: 2\n", "delete a\ndelete b", "# head\n{}\n"},
		{"the only one with an anchor", "a: &n\n  k: 1\nb: *n\n", "delete a.k", "a: &n {}\nb: *n\n"},
		{"first of a compact map", "- k: 1 # c\n  l: 2\n", "delete [0].k", "- l: 2\n"},
		{"first of a compact map, with a comment next", "- k: 1\n  # about l\n  l: 2\n", "delete [0].k", "- # about l\n  l: 2\n"},
		{"only one of a compact map", "- k: 1\n- l: 2\n", "delete [0].k", "- {}\n- l: 2\n"},
		{"first of a compact list", "- - a\n  - b\n", "delete [0][0]", "- - b\n"},
		{"item", "- a\n# about b\n- b:\n    c\n- d\n", "delete [1]", "- a\n- d\n"},
		{"items one after the other", "- a\n- b\n- c\n", "delete [0]\ndelete [0]", "- c\n"},
		{"flow map, first", "{a: 1, b: 2}\n", "delete a", "{b: 2}\n"},
		{"flow map, last, after an entry without a value", "a: {+/b: , c: 1}\n", "delete a.c", "a: {+/b: }\n"},
		{"flow list, last, after a pair without a value", "[a: , c]\n", "delete [1]", "[a: ]\n"},
		{"flow map, last", "{ a: 1, b: 2 }\n", "delete b", "{ a: 1 }\n"},
		{"flow list, middle", "[a,b,c]\n", "delete [1]", "[a,c]\n"},
		{"flow list, last comma", "[a, b,]\n", "delete [1]", "[a,]\n"},
		{"flow list, only one", "[ a ]\n", "delete [0]", "[ ]\n"},
		{"flow list, a line each", "k: [\n  a, # one\n  # about b\n  b, # two\n  c # three\n]\n", "delete k[1]", "k: [\n  a, # one\n  c # three\n]\n"},
		{"flow list, last of a line each", "k: [\n  a, # one\n  b # two\n]\n", "delete k[1]", "k: [\n  a # one\n]\n"},
		{"<< itself", "a: &n {x: 1}\nb:\n  <<: *n\n  k: 1\n", "delete b.<<", "a: &n {x: 1}\nb:\n  k: 1\n"},
		{"anchor that nothing uses", "a: &n 1\nb: 2\n", "delete a", "b: 2\n"},
		{"anchor and its alias", "a: &n 1\nb: *n\nc: 3\n", "delete b\ndelete a", "c: 3\n"},
		{"literal", "a: |\n  # no comment\n  x\n\nb: 1\n", "delete a", "b: 1\n"},
		{"CRLF", "a: 1\r\n\r\nb: 2\r\n\r\nd: 3\r\n", "delete b", "a: 1\r\n\r\nd: 3\r\n"},
		{"null", "a: 1\nb:\nc: 3\n", "delete b", "a: 1\nc: 3\n"},
		{"explicit key", "? a\n: 1\n? b\n: 2\n", "delete a", "? b\n: 2\n"},
		{"after a marker", "--- # c\na: 1\nb: 2\n...\n", "delete a", "--- # c\nb: 2\n...\n"},
	})
	checkErrors(t, yamlSyntax, []example{
		{"nothing there", "a: 1\n", "delete b", "not-found"},
		{"the root", "a: 1\n", "delete .", "bad-type"},
		{"anchor that is used", "a: &n 1\nb: *n\n", "delete a", "anchor-in-use"},
		{"anchor deep inside", "a: {k: [&n 1]}\nb: *n\n", "delete a", "anchor-in-use"},
		{"anchor on the key", "&n a: 1\nb: *n\n", "delete a", "anchor-in-use"},
	})
}

func TestRename(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"plain", "a:   1 # c\nb: 2\n", "rename a x", "x:   1 # c\nb: 2\n"},
		{"quotes needed", "a: 1\n", "rename a 'x: y'", "\"x: y\": 1\n"},
		{"quotes stay", "'a': 1\n", "rename a x", "'x': 1\n"},
		{"a text that is a number", "a: 1\n", "rename a '5'", "\"5\": 1\n"},
		{"a number", "a: 1\n", "rename a 5", "5: 1\n"},
		{"the text <<", "a: {x: 1}\n", "rename a '<<'", "\"<<\": {x: 1}\n"},
		{"with a block", "a: # c\n  k: 1\n", "rename a x", "x: # c\n  k: 1\n"},
		{"in flow", "{a: 1, b: 2}\n", "rename b 'x, y'", "{a: 1, \"x, y\": 2}\n"},
		{"in flow, without a value", "{a:, b:}\n", "rename a x\nrename b z", "{x: , z: }\n"},
		{"directive", "+include: x\n", "rename +include +include-2", "+include-2: x\n"},
		{"with an anchor", "&n a: 1\nb: *n\n", "rename b x", "&n a: 1\nx: *n\n"},
		{"explicit", "? a\n: 1\n", "rename a x", "? x\n: 1\n"},
		{"to itself", "a: 1\n", "rename a a", "a: 1\n"},
		{"and set", "a: 1 # c\n", "rename a x\nset x 2", "x: 2 # c\n"},
		{"there and back", "'a': 1\n", "rename a x\nrename x a", "'a': 1\n"},
	})
	checkErrors(t, yamlSyntax, []example{
		{"is there", "a: 1\nb: 2\n", "rename a b", "duplicate-key"},
		{"nothing there", "a: 1\n", "rename b c", "not-found"},
		{"item", "- a\n", "rename [0] x", "bad-type"},
		{"<<", "a: &n {x: 1}\nb:\n  <<: *n\n", "rename b.<< x", "through-merge"},
	})
}

func TestMove(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"first, with its comment", "a: 1\n\n# about b\nb: 2 # c\nd: 3\n", "move b first", "# about b\nb: 2 # c\na: 1\n\nd: 3\n"},
		{"last", "a: 1 # c\nb: 2\nd: 3", "move a last", "b: 2\nd: 3\na: 1 # c"},
		{"after", "a: 1\nb:\n  k: 1\nd: 3\n", "move a after:b", "b:\n  k: 1\na: 1\nd: 3\n"},
		{"before", "a: 1\nb: 2\nd: 3\n", "move d before:b", "a: 1\nd: 3\nb: 2\n"},
		{"item", "- a # c\n- b\n", "move [0] last", "- b\n- a # c\n"},
		{"first of a compact map", "- k: 1\n  l: 2\n", "move [0].k last", "- l: 2\n  k: 1\n"},
		{"to the front of a compact map", "- k: 1\n  l: 2\n", "move [0].l first", "- l: 2\n  k: 1\n"},
		{"flow", "{a: 1, b: 2, c: 3}\n", "move c first", "{c: 3, a: 1, b: 2}\n"},
		{"flow, without a value", "{+/a: , b: 1}\n", "move +/a last", "{b: 1, +/a: }\n"},
		{"and set", "a: 1\nb: 2 # c\n", "move b first\nset b 5", "b: 5 # c\na: 1\n"},
		{"there and back", "a: 1\nb: 2\n", "move b first\nmove b last", "a: 1\nb: 2\n"},
		{"to where it is", "a: 1\nb: 2\n", "move b after:a", "a: 1\nb: 2\n"},
	})
	checkErrors(t, yamlSyntax, []example{
		{"nothing there", "a: 1\n", "move b first", "not-found"},
		{"an anchor after its alias", "a: &n 1\nb: *n\n", "move a last", "not-verified"},
	})
}

func TestMoveTo(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"deeper", "a:\n  b: 1\nc: 2 # d\n", "move c last a.c", "a:\n  b: 1\n  c: 2 # d\n"},
		{"less deep", "a:\n    b: 1\n    c:\n        d: e\n        f: [g,\n           h]\ni: 1\n", "move a.c first c", "c:\n    d: e\n    f: [g,\n       h]\na:\n    b: 1\ni: 1\n"},
		{"with its comments", "a:\n  # above\n  # c\n  c: # beside\n    # inside\n    d: 1\n    # below\n  e: 2\nf:\n  g: 3\n", "move a.c before:g f.c", "a:\n  e: 2\nf:\n  # above\n  # c\n  c: # beside\n    # inside\n    d: 1\n    # below\n  g: 3\n"},
		{"with blank lines", "a:\n  b:\n\n    c: 1\n\n    d: 2\n  e: 1\n", "move a.b last b", "a:\n  e: 1\nb:\n\n  c: 1\n\n  d: 2\n"},
		{"another key", "a: 1\nb:\n  c: 2\n", "move a last b.\"x: y\"", "b:\n  c: 2\n  \"x: y\": 1\n"},
		{"a quoted key", "'a': 1\nb:\n  c: 2\n", "move a last b.d", "b:\n  c: 2\n  'd': 1\n"},
		{"literal", "a:\n  b: |\n    x\n\n      y\n    z\n  c: 1\nd:\n    e: 1\n", "move a.b last d.b", "a:\n  c: 1\nd:\n    e: 1\n    b: |\n      x\n\n        y\n      z\n"},
		{"literal with an indentation", "a:\n  b: |2\n      x\n    y\n  c: 1\n", "move a.b last b", "a:\n  c: 1\nb: |2\n    x\n  y\n"},
		{"folded", "a:\n  b: >-\n     x\n     y\n  c: 1\n", "move a.b last b", "a:\n  c: 1\nb: >-\n   x\n   y\n"},
		{"plain on several lines", "a:\n  b: x\n    y\n  c: 1\n", "move a.b last b", "a:\n  c: 1\nb: x\n  y\n"},
		{"quoted on several lines", "a:\n  b: \"x\n    y\"\n  c: 1\n", "move a.b last b", "a:\n  c: 1\nb: \"x\n  y\"\n"},
		{"null", "a:\n  b:\n  c: 1\n", "move a.b last b", "a:\n  c: 1\nb:\n"},
		{"tag and anchor", "a:\n  b: !t &n {x: 1}\n  c: 1\nd: *n\n", "move a.b first b", "b: !t &n {x: 1}\na:\n  c: 1\nd: *n\n"},
		{"alias", "a: &n 1\nb: *n\nc: {}\n", "move b last c.b", "a: &n 1\nc:\n  b: *n\n"},
		{"anchor on the key", "a:\n  &n k: 1\n  c: 1\nd: *n\n", "move a.k first k", "&n k: 1\na:\n  c: 1\nd: *n\n"},
		{"list at the column of its key", "a:\n- 1\n- 2\nb:\n  c: 1\n", "move a last b.a", "b:\n  c: 1\n  a:\n  - 1\n  - 2\n"},
		{"CRLF", "a:\r\n  # c\r\n  b: |\r\n    x\r\n    y\r\n  c: 1\r\n", "move a.b last b", "a:\r\n  c: 1\r\n# c\r\nb: |\r\n  x\r\n  y\r\n"},
		{"no last line break", "a:\n  b: 1\nc:\n  d: 2", "move c.d last a.d", "a:\n  b: 1\n  d: 2\nc: {}"},
		{"the only one", "a: # x\n  b: 1\nc: 2\n", "move a.b last b", "a: {} # x\nc: 2\nb: 1\n"},
		{"into nothing", "a: 1\nb: {}\n", "move a last b.a", "b:\n  a: 1\n"},
		{"into what is made", "# head\na: 1 # c\nb: 2\n", "+move a last c.d.e", "# head\nb: 2\nc:\n  d:\n    e: 1 # c\n"},
		{"into what is made, with a comment", "a:\n  b: 1\n  # above\n  c: 1\n", "+move a.c last d.e", "a:\n  b: 1\nd:\n  # above\n  e: 1\n"},
		{"explicit key", "a:\n  ? k\n  : v\n  c: 1\n", "move a.k last k", "a:\n  c: 1\n? k\n: v\n"},
		{"first of a compact map", "- a: 1\n  b: 2\n- c: 3\n", "move [0].a last [1].a", "- b: 2\n- c: 3\n  a: 1\n"},
		{"to the front of a compact map", "- a: 1\n  b: 2\n- # x\n  c: 3\n", "move [0].b first [1].b", "- a: 1\n- # x\n  b: 2\n  c: 3\n"},
		{"there and back", "a:\n  b: 1 # c\n  d: 2\n", "move a.b last b\nmove b first a.b", "a:\n  b: 1 # c\n  d: 2\n"},
		{"there and back with another key", "a:\n  b: 1 # c\n  d: 2\n", "move a.b last x\nmove x first a.z", "a:\n  z: 1 # c\n  d: 2\n"},
		{"twice", "a: 1 # c\nb: {}\nd: {}\n", "move a last b.a\nmove b.a last d.a", "b: {}\nd:\n  a: 1 # c\n"},
		{"and set", "a:\n  b: # c\n    x: 1 # d\n    y: 2\n", "move a.b last b\nset b.x 5", "a: {}\nb: # c\n  x: 5 # d\n  y: 2\n"},
		{"set and move", "a:\n  b: # c\n    x: 1 # d\n    y: [2]\n", "set a.b.x 5\nappend a.b.y 3\nmove a.b last b", "a: {}\nb: # c\n  x: 5 # d\n  y: [2, 3]\n"},
		{"and delete", "a:\n  b: 1\nc: 2\n", "move c last a.c\ndelete a.c", "a:\n  b: 1\n"},
		{"what is new", "a: 1\n", "set b {c: 1}\nmove a last b.a\nmove b.c first c", "c: 1\nb:\n  a: 1\n"},
		{"to where it is", "a: 1\nb: 2\n", "move a first a", "a: 1\nb: 2\n"},
		{"rename and move", "a: 1 # c\nb: 2\n", "move a last x", "b: 2\nx: 1 # c\n"},
	})
	checkErrors(t, yamlSyntax, []example{
		{"into itself", "a:\n  b: 1\n", "move a last a.b.c", "bad-type"},
		{"is there", "a:\n  b: 1\nb: 2\n", "move b last a.b", "duplicate-key"},
		{"nothing there", "a: 1\n", "move b last c", "not-found"},
		{"nowhere", "a: 1\n", "move a last b.c", "not-found"},
		{"past the end", "a: 1\nb: [1]\n", "move a last b[2]", "not-found"},
		{"into a scalar", "a: 1\nb: 1\n", "move a last b.a", "bad-type"},
		{"<<", "a: &n {x: 1}\nb:\n  <<: *n\nc: {}\n", "move b.<< last c.<<", "through-merge"},
		{"an anchor after its alias", "a: &n 1\nb: *n\nc: {}\n", "move a last c.a", "not-verified"},
		{"an alias after another anchor", "a: &n 1\nb: *n\nc: &n 2\nd: {}\n", "move b last d.b", "not-verified"},
		{"through an alias", "a: &n {x: 1}\nb: *n\n", "move b.x last x", "through-alias"},
	})
}

func TestMoveItem(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"to another list", "a:\n- 1 # c\n- 2\nb:\n    - 3\n", "move a[0] last b[0]", "a:\n- 2\nb:\n    - 1 # c\n    - 3\n"},
		{"in its list", "- a # c\n- b\n- d\n", "move [0] last [2]", "- b\n- d\n- a # c\n"},
		{"a map", "a:\n  # above\n  - x: 1 # c\n    y: 2\n  - z\nb:\n- 1\n", "move a[0] last b[1]", "a:\n  - z\nb:\n- 1\n# above\n- x: 1 # c\n  y: 2\n"},
		{"becomes an entry", "- b: {}\n- a # c\n", "move [1] last [0].x", "- b: {}\n  x: a # c\n"},
		{"a map becomes an entry", "a:\n- x: 1 # c\n  y: 2\n- z\nb:\n  c: 1\n", "move a[0] last b.d", "a:\n- z\nb:\n  c: 1\n  d:\n    x: 1 # c\n    y: 2\n"},
		{"a map below a comment becomes an entry", "a:\n# above\n- # c\n  x: 1\n- z\nb:\n  c: 1\n", "move a[0] last b.d", "a:\n- z\nb:\n  c: 1\n  # above\n  d: # c\n    x: 1\n"},
		{"a list becomes an entry", "a:\n- - 1\n  - 2\n- z\nb:\n  c: 1\n", "move a[0] last b.d", "a:\n- z\nb:\n  c: 1\n  d:\n  - 1\n  - 2\n"},
		{"an entry becomes an item", "a: 1 # c\nb:\n- 2\n", "move a last b[1]", "b:\n- 2\n- 1 # c\n"},
		{"a map becomes an item", "# head\na:\n    x: 1 # c\n    y: |\n      z\nb:\n- 2\n", "move a last b[0]", "# head\nb:\n- x: 1 # c\n  y: |\n    z\n- 2\n"},
		{"a map with a comment becomes an item", "a: # c\n    x: 1\nb:\n- 2\n", "move a last b[0]", "b:\n- # c\n  x: 1\n- 2\n"},
		{"a literal becomes an item", "a: |\n  x\n  y\nb:\n  - 2\n", "move a last b[1]", "b:\n  - 2\n  - |\n    x\n    y\n"},
		{"a tagged map becomes an item", "a: !t\n    x: 1\nb:\n- 2\n", "move a last b[0]", "b:\n- !t\n  x: 1\n- 2\n"},
		{"a list becomes an item", "a:\n- x\n- y\nb:\n- 2\n", "move a last b[1]", "b:\n- 2\n- - x\n  - y\n"},
		{"a list at a distance", "l:\n  - a\nx: 1\nb:\n  - 2\n", "move l last b[1]", "x: 1\nb:\n  - 2\n  - - a\n"},
	})
	checkErrors(t, yamlSyntax, []example{
		{"no index", "- a\n- b\n", "move [0] last [2]", "not-found"},
		{"the only item into itself", "- []\n", "move [0] last [0][0]", "bad-type"},
		{"anchor on a key that goes", "a: {&n k: 1}\nb: [*n]\nc: [*n]\n", "move a.k last b[0]", "anchor-in-use"},
	})
}

func TestMoveFlow(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"in flow", "{a: {b: 1, c: 2}, d: {}}\n", "move a.b last d.b", "{a: {c: 2}, d: {b: 1}}\n"},
		{"in flow, up", "{a: {b: {x:   1}, c: 2}}\n", "move a.b last b", "{a: {c: 2}, b: {x:   1}}\n"},
		{"in flow, without a value", "{a: {+/b: , c: 2}, d: {}}\n", "move a.+/b last d.+/b", "{a: {c: 2}, d: {+/b: }}\n"},
		{"in flow lists", "a: [ 1, 'x' ]\nb: [2,3]\n", "move a[1] last b[1]", "a: [ 1 ]\nb: [2,'x',3]\n"},
		{"in its list, with comments", "a: [\n  # above\n  1, # c\n  2, # d\n  3\n]\n", "move a[0] last", "a: [\n  2, # d\n  3,\n  # above\n  1 # c\n]\n"},
		{"in its list, with a comment to the front", "a: [1, # c\n  2 # d\n]\n", "move a[1] first", "a: [2, # d\n  1 # c\n]\n"},
		{"out of flow", "a: {b: 'x', c: 2}\nd:\n  e: 1\n", "move a.b last d.b", "a: {c: 2}\nd:\n  e: 1\n  b: 'x'\n"},
		{"out of flow, no blank", "a: {\"b\":1, c: 2}\nd: 1\n", "move a.b first b", "\"b\": 1\na: {c: 2}\nd: 1\n"},
		{"out of flow, null", "a: {b, c: 2}\nd: 1\n", "move a.b first b", "b:\na: {c: 2}\nd: 1\n"},
		{"out of flow, comments", "a: [\n  x,\n  # above\n  {y: 1}, # beside\n  z\n]\nb:\n- 1\n", "move a[1] last b[1]", "a: [\n  x,\n  z\n]\nb:\n- 1\n# above\n- {y: 1} # beside\n"},
		{"out of flow, lines", "a: {b: [\n    1,\n    2\n  ], c: 2}\nd:\n  e: 1\n", "move a.b last d.b", "a: {c: 2}\nd:\n  e: 1\n  b: [\n      1,\n      2\n    ]\n"},
		{"out of flow, another key", "a: {\"b\": 1, c: 2}\n", "move a.b last 'x'", "a: {c: 2}\n\"'x'\": 1\n"},
		{"into flow", "a:\n  b: 'x'\n  c:\n    - 1\n    - z: 2\nd: {e: 1}\n", "move a.c last d.c", "a:\n  b: 'x'\nd: {e: 1, c: [1, {z: 2}]}\n"},
		{"into a flow list", "a: |\n  x\n  y\nb: []\nc: [1]\n", "move a last c[0]", "b: []\nc: [\"x\\ny\\n\", 1]\n"},
		{"into flow, anchors", "a: &n !t {x: 1}\nb: {c: 1}\n", "move a last b.a", "b: {c: 1, a: !t &n {x: 1}}\n"},
	})
	checkErrors(t, yamlSyntax, []example{
		{"into flow with a comment", "a: 1 # c\nb: {c: 1}\n", "move a last b.a", "loses-comments"},
		{"into flow with a comment above", "b: {c: 1}\n# c\na: 1\n", "move a last b.a", "loses-comments"},
		{"into flow with a comment inside", "b: {c: 1}\na:\n  - 1\n  # c\n  - 2\n", "move a last b.a", "loses-comments"},
		{"in flow with a comment", "a: [\n  1, # c\n  2\n]\nb: [3]\n", "move a[0] last b[0]", "loses-comments"},
	})
	check(t, jsonSyntax, []example{
		{"compact", `{"a":{"b":1,"c":[2]},"d":{}}`, "move a.c last d.c", `{"a":{"b":1},"d":{"c":[2]}}`},
		{"indented", "{\n  \"a\": {\n    \"b\": {\n      \"c\": 1\n    }\n  },\n  \"d\": 2\n}\n", "move a.b last b", "{\n  \"a\": {},\n  \"d\": 2,\n  \"b\": {\n    \"c\": 1\n  }\n}\n"},
		{"deeper", "{\n\t\"a\": [\n\t\t1\n\t],\n\t\"b\": {\n\t\t\"c\": 2\n\t}\n}\n", "move a first b.x", "{\n\t\"b\": {\n\t\t\"x\": [\n\t\t\t1\n\t\t],\n\t\t\"c\": 2\n\t}\n}\n"},
		{"item to entry", `{"a": [1, "x"], "b": 2}`, "move a[1] last c", `{"a": [1], "b": 2, "c": "x"}`},
		{"entry to item", `{"a": [1], "b": {"c": 3}}`, "move b last a[0]", `{"a": [{"c": 3}, 1]}`},
		{"made", `{"a": 1}`, "+move a last b.c", `{"b": {"c": 1}}`},
	})
}
