package roundtrip_test

import "testing"

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
		{"an anchor behind its alias", "a: &n 1\nb: *n\nc: {}\n", "move a last c.a", "not-verified"},
		{"an alias behind another anchor", "a: &n 1\nb: *n\nc: &n 2\nd: {}\n", "move b last d.b", "not-verified"},
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
