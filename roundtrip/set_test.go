package roundtrip_test

import (
	"testing"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

func TestSetScalar(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"plain", "a: 1\nb: 2\n", "set a 5", "a: 5\nb: 2\n"},
		{"comment and blanks", "a:   1   # one\nb: 2\n", "set a 5", "a:   5   # one\nb: 2\n"},
		{"text that reads as a number", "a: x\n", "set a '5'", "a: \"5\"\n"},
		{"text that older readers take for a truth value", "a: x\n", "set a 'no'", "a: \"no\"\n"},
		{"text with a colon", "a: x\n", "set a 'b: c'", "a: \"b: c\"\n"},
		{"text with quotes", "a: x\n", `set a '"b": c'`, "a: '\"b\": c'\n"},
		{"empty text", "a: x\n", "set a ''", "a: \"\"\n"},
		{"null", "a: x\n", "set a null", "a: null\n"},
		{"single quotes stay", "a: 'x'\n", "set a it's", "a: 'it''s'\n"},
		{"single quotes cannot hold it", "a: 'x'\n", `set a "a\nb"`, "a: \"a\\nb\"\n"},
		{"double quotes stay", "a: \"x\"\n", "set a y", "a: \"y\"\n"},
		{"double quotes with lines", "a: \"x\"\n", `set a "y\nz"`, "a: \"y\\nz\"\n"},
		{"quotes go for a number", "a: 'x' # c\n", "set a 5", "a: 5 # c\n"},
		{"spelling of the new value", "a: 1\n", "set a 0x1F", "a: 0x1F\n"},
		{"another spelling of the same", "a: 31\n", "set a 0x1F", "a: 0x1F\n"},
		{"integer and float", "a: 1\n", "set a 1.0", "a: 1.0\n"},
		{"nothing there", "a:\nb: 2\n", "set a 5", "a: 5\nb: 2\n"},
		{"nothing there, with a comment", "a: # c\nb: 2\n", "set a 5", "a: 5 # c\nb: 2\n"},
		{"nothing there, at the end", "b: 2\na:", "set a x", "b: 2\na: x"},
		{"nothing in a list", "- \n- # c\n-\n", "set [0] 1\nset [1] 2\nset [2] 3", "- 1\n- 2 # c\n- 3\n"},
		{"value on its own line", "a:\n  x # c\nb: 1\n", "set a y", "a:\n  y # c\nb: 1\n"},
		{"plain on many lines", "a: x\n  y\n  z # c\nb: 1\n", "set a new", "a: new # c\nb: 1\n"},
		{"quoted on many lines", "a: \"x\n  y\"   # c\nb: 1\n", "set a new", "a: \"new\"   # c\nb: 1\n"},
		{"anchor", "a: &x 1 # c\nb: 2\n", "set a 5", "a: &x 5 # c\nb: 2\n"},
		{"anchor without value", "a: &x\nb: *x\n", "set a 5", "a: &x 5\nb: *x\n"},
		{"tag that fits", "a: !!str 1\n", "set a '5'", "a: !!str \"5\"\n"},
		{"tag that does not fit", "a: !!str 1\n", "set a 5", "a: 5\n"},
		{"tag with quotes", "a: !!int \"1\"\n", "set a 5", "a: !!int 5\n"},
		{"own tag", "a: !Ref 'x' # c\n", "set a y", "a: !Ref 'y' # c\n"},
		{"own tag before a number", "a: !Ref x\n", "set a 5", "a: 5\n"},
		{"new tag", "a: x # c\n", "set a !Ref y", "a: !Ref y # c\n"},
		{"tag instead of a tag", "a: !Sub x\n", "set a !Ref y", "a: !Ref y\n"},
		{"tag and anchor, new tag", "a: !Sub &n x\nb: *n\n", "set a !Ref y", "a: &n !Ref y\nb: *n\n"},
		{"alias becomes data", "b: &x 1\na: *x # c\n", "set a 2", "b: &x 1\na: 2 # c\n"},
		{"in a flow map", "a: {x: 1, y: 2} # c\n", "set a.x 5", "a: {x: 5, y: 2} # c\n"},
		{"in a flow map without value", "a: {x: , y}\n", "set a.x 1\nset a.y 2", "a: {x: 1 , y: 2}\n"},
		{"text that flow style must quote", "a: [x, y]\n", "set a[0] 'b, c'", "a: [\"b, c\", y]\n"},
		{"lines in flow style", "a: [x, y]\n", `set a[0] "b\nc"`, "a: [\"b\\nc\", y]\n"},
		{"tab in flow style", "a: {x:\t1,\ty:\t2}\n", "set a.y 5", "a: {x:\t1,\ty:\t5}\n"},
		{"flow with quoted keys", "{\"a\":1,\"b\":[1,2]}\n", "set b[1] x", "{\"a\":1,\"b\":[1,x]}\n"},
		{"list item", "- a\n- b # c\n- d\n", "set [1] x", "- a\n- x # c\n- d\n"},
		{"compact list", "- - a\n  - b\n- - c\n", "set [0][1] x", "- - a\n  - x\n- - c\n"},
		{"first of a compact map", "- k: v\n  l: w\n", "set [0].k x", "- k: x\n  l: w\n"},
		{"after a marker", "---\na: 1\n...\n", "set a 2", "---\na: 2\n...\n"},
		{"the root", "--- 5 # c\n", "set . 6", "--- 6 # c\n"},
		{"the root of an empty document with an end", "---\n# c\n...\n---\nb: 1\n", "set . 6", "---\n# c\n6\n...\n---\nb: 1\n"},
		{"CRLF", "a: 1\r\nb: 2\r\n", "set b 3", "a: 1\r\nb: 3\r\n"},
		{"byte order mark", "\ufeffa: 1\n", "set a 2", "\ufeffa: 2\n"},
		{"no last line break", "a: 1\nb: 2", "set b 3", "a: 1\nb: 3"},
		{"characters of other scripts", "ключ: значение # ☃\n", "set ключ ж", "ключ: ж # ☃\n"},
		{"key with a number", "80: a\n\"80\": b\n", "set #80 x", "80: x\n\"80\": b\n"},
		{"explicit key", "? a\n: 1 # c\n? b\n: 2\n", "set a 5", "? a\n: 5 # c\n? b\n: 2\n"},
		{"directive", "a:\n  +include: x.yaml # c\n", "set a.+include y.yaml", "a:\n  +include: y.yaml # c\n"},
		{"unquoted template", "a: {{ x }}\n", "set a y", "a: y\n"},
		{"tag that fits: integer", "a: !!int 1\n", "set a 5", "a: !!int 5\n"},
		{"tag that fits: float", "a: !!float 1.5\n", "set a 2.5", "a: !!float 2.5\n"},
		{"tag that fits: truth value", "a: !!bool true\n", "set a false", "a: !!bool false\n"},
		{"tag that does not fit", "a: !!int 1\n", "set a x", "a: x\n"},
	})
}

func TestSetBlockScalar(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"literal stays", "a: | # c\n    x\n    y\nb: 1\n", `set a "p\nq\n"`, "a: | # c\n    p\n    q\nb: 1\n"},
		{"literal, one line", "a: |\n  x\n", "set a y", "a: |-\n  y\n"},
		{"literal, breaks at the end", "a: |\n  x\nb: 1\n", `set a "y\n\n\n"`, "a: |+\n  y\n\n\nb: 1\n"},
		{"blank lines would join it", "a: |\n  x\n\nb: 1\n", `set a "y\n\n\n"`, "a: \"y\\n\\n\\n\"\n\nb: 1\n"},
		{"literal that begins with blanks", "a: |\n  x\n", `set a "  y\nz\n"`, "a: |2\n    y\n  z\n"},
		{"literal with a control character", "a: |\n  x\nb: 1\n", `set a "y\x01\n"`, "a: \"y\\x01\\n\"\nb: 1\n"},
		{"literal becomes a number", "a: | # c\n  x\n  y\nb: 1\n", "set a 5", "a: 5 # c\nb: 1\n"},
		{"literal that is empty", "a: |\n  x\nb: 1\n", "set a ''", "a: \"\"\nb: 1\n"},
		{"kept breaks", "a: |+\n  x\n\n\nb: 1\n", `set a "y\n"`, "a: |\n  y\nb: 1\n"},
		{"folded stays", "a: >\n  some words here\n  and more\nb: 1\n", `set a "other words that are longer than it\n"`,
			"a: >\n  other words\n  that are longer\n  than it\nb: 1\n"},
		{"folded on one line", "a: >\n  some text\nb: 1\n", `set a "some longer text\n"`, "a: >\n  some longer text\nb: 1\n"},
		{"folded, paragraphs", "a: >-\n  x\n", `set a "y\nz"`, "a: >-\n  y\n\n  z\n"},
		{"folded cannot hold it", "a: >\n  x\nb: 1\n", `set a "x\n  y\n"`, "a: |\n  x\n    y\nb: 1\n"},
		{"plain becomes literal", "a: x # c\nb: 1\n", `set a "y\nz\n"`, "a: | # c\n  y\n  z\nb: 1\n"},
		{"indentation of the text", "k:\n    l: 1\na: x\n", `set a "y\nz\n"`, "k:\n    l: 1\na: |\n    y\n    z\n"},
		{"in a list", "- x\n- b\n", `set [0] "y\nz\n"`, "- |\n  y\n  z\n- b\n"},
		{"no last line break", "a: x", `set a "y\nz\n"`, "a: \"y\\nz\\n\""},
		{"deeper comment below", "a: x\n    # c\nb: 1\n", `set a "y\nz\n"`, "a: \"y\\nz\\n\"\n    # c\nb: 1\n"},
		{"comment below that ends it", "a:\n  x: 1\n # c\nb: 1\n", `set a.x "y\nz\n"`, "a:\n  x: |\n    y\n    z\n # c\nb: 1\n"},
		{"CRLF", "a: |\r\n  x\r\nb: 1\r\n", `set a "y\nz\n"`, "a: |\r\n  y\r\n  z\r\nb: 1\r\n"},
	})
}

func TestSetCollection(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"scalar to map", "a: 1 # c\nb: 2\n", "set a {x: 1, z: [1, 2]}", "a: # c\n  x: 1\n  z:\n    - 1\n    - 2\nb: 2\n"},
		{"indentation of the text", "k:\n    l:\n    - 1\na: 1\n", "set a {x: {z: [1]}}", "k:\n    l:\n    - 1\na:\n    x:\n        z:\n        - 1\n"},
		{"list like the neighbours", "a:\n  - 1\nb:\n  - 1\nc:\n  d:\n  - 1\n  e: 1\n", "set c.e [1]", "a:\n  - 1\nb:\n  - 1\nc:\n  d:\n  - 1\n  e:\n  - 1\n"},
		{"flow like the neighbours", "a: [1]\nb: # c\n", "set b [1, 2]", "a: [1]\nb: [1, 2] # c\n"},
		{"nothing to list", "a:\nb: 2\n", "set a [1, {x: 2, z: 3}]", "a:\n  - 1\n  - x: 2\n    z: 3\nb: 2\n"},
		{"map to scalar", "a: # c\n  x: 1\n  z: 2 # d\n  # e\n# f\nb: 2\n", "set a 5", "a: 5 # c\n  # e\n# f\nb: 2\n"},
		{"list to scalar, items that are commented out", "a:\n  - 1\n  # - 2\n  - 3 # c\n  # - 4\n\n  # e\nb: 1\n", "set a 5", "a: 5\n  # - 2\n  # - 4\n\n  # e\nb: 1\n"},
		{"list to a text of lines, items that are commented out", "a:\n  - 1\n  # - 2\n\n  # e\nb: 1\n", `set a "x\ny\n"`, "a: |\n  x\n  y\n# - 2\n\n# e\nb: 1\n"},
		{"list to map, items that are commented out", "a:\n- 1\n# - 2\n- 3\nb: 1\n", "set a {x: 1}", "a:\n  x: 1\n# - 2\nb: 1\n"},
		{"list in a list to scalar", "- - 1\n  # - 2\n  - 3\n- 4\n", "set [0] 5", "- 5\n  # - 2\n- 4\n"},
		{"root list to scalar", "- 1\r\n# - 2\r\n- 3\r\n", "set . 5", "5\r\n# - 2\r\n"},
		{"pair in a list", "[a: 1 # c\n, 2]\n", "set [0].a 5", "[a: 5 # c\n, 2]\n"},
		{"explicit key in a flow map", "{? a : 1, ? b # c\n}\n", "set b 5", "{? a : 1, ? b: 5 # c\n}\n"},
		{"map to list", "a: # c\n  x: 1\n# f\nb: 2\n", "set a [1]", "a: # c\n  - 1\n# f\nb: 2\n"},
		{"list at the column of its key to scalar", "a:\n- 1\n- 2\nb: 2\n", "set a x", "a: x\nb: 2\n"},
		{"map to nothing", "a:\n  x: 1\nb: 2\n", "set a {}", "a: {}\nb: 2\n"},
		{"item to map", "- 1 # c\n- 2\n", "set [0] {x: 1, z: 2}", "- # c\n  x: 1\n  z: 2\n- 2\n"},
		{"item to map, compact", "-   1\n- 2\n", "set [0] {x: 1, z: 2}", "-   x: 1\n    z: 2\n- 2\n"},
		{"compact map to scalar", "- x: 1\n  z: 2\n- 2\n", "set [0] 5", "- 5\n- 2\n"},
		{"flow map to scalar", "a: {x: 1} # c\n", "set a 5", "a: 5 # c\n"},
		{"flow list to map", "a: [1] # c\n", "set a {x: 1}", "a: {x: 1} # c\n"},
		{"empty map to map", "a: {} # c\n", "set a {x: 1}", "a: # c\n  x: 1\n"},
		{"anchor", "a: &n 1\nb: *n\n", "set a {x: 1}", "a: &n\n  x: 1\nb: *n\n"},
		{"root scalar to map", "5 # c\n", "set . {a: 1}", "# c\na: 1\n"},
		{"root map to list", "# h\na: 1\nb: 2\n# f\n", "set . [1, 2]", "# h\n- 1\n- 2\n# f\n"},
		{"empty text", "", "set . {a: 1}", "a: 1\n"},
		{"text of comments", "# c\n", "set . {a: 1}", "# c\na: 1\n"},
		{"in a flow map", "{a: 1, b: 2}\n", "set a {x: [1], z: }", "{a: {x: [1], z: null}, b: 2}\n"},
	})
}

// TestReconcile sets maps and lists over others: only differences are written.
func TestReconcile(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"a list of maps in <<", "a: &a {x: 1}\nb: &b {y: 2}\nc:   {<<: [*a, *b], z: 3}\n", "set c {x: 1, y: 2, z: 3}", "a: &a {x: 1}\nb: &b {y: 2}\nc:   {<<: [*a, *b], z: 3}\n"},
		{"one scalar", "a: # c\n  x: 1 # d\n  z: 2\n", "set a {x: 1, z: 3}", "a: # c\n  x: 1 # d\n  z: 3\n"},
		{"another order", "a:\n  x: 1\n  z: 2\n", "set a {z: 2, x: 1}", "a:\n  x: 1\n  z: 2\n"},
		{"keys go and come", "a:\n  x: 1\n  # c\n  z: 2\n  k: 0x3\n", "set a {k: 3, m: 4, x: 1}", "a:\n  x: 1\n  k: 0x3\n  m: 4\n"},
		{"items align", "a:\n- x: 1 # one\n- x: 2 # two\n- x: 3 # three\n", "set a [{x: 0}, {x: 1}, {x: 3}]", "a:\n- x: 0\n- x: 1 # one\n- x: 3 # three\n"},
		{"items that are paired", "a:\n- x: 1 # one\n  k: v\n- x: 2 # two\n", "set a [{x: 5, k: v}, {x: 2}]", "a:\n- x: 5 # one\n  k: v\n- x: 2 # two\n"},
		{"an alias that is the same", "a: &n {x: 1}\nb: {c: *n, d: 1}\n", "set b {c: {x: 1}, d: 2}", "a: &n {x: 1}\nb: {c: *n, d: 2}\n"},
		{"entries from <<", "a: &n {x: 1}\nb:\n  <<: *n\n  k: 1\n", "set b {x: 1, k: 1}", "a: &n {x: 1}\nb:\n  <<: *n\n  k: 1\n"},
		{"a map with << that changes", "a: &n {x: 1}\nb:\n  <<: *n\n  k: 1\n", "set b {x: 2, k: 1}", "a: &n {x: 1}\nb:\n  x: 2\n  k: 1\n"},
		{"the root", "a: 1 # c\nb: 2\n", "set . {a: 1, b: 3, c: 4}", "a: 1 # c\nb: 3\nc: 4\n"},
	})
}

// TestSetAlias checks that an alias stays only if its anchor did not change.
func TestSetAlias(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"the anchor is set to what it is", "a: &n 1\nb: *n\n", "set a 1\nset b 1", "a: &n 1\nb: *n\n"},
		{"the anchor has changed", "a: &n 1\nb: *n\n", "set a 2\nset b 1", "a: &n 2\nb: 1\n"},
		{"something at the anchor has changed", "a: &n {x: 1}\nb: *n\n", "set a.x 2\nset b {x: 1}", "a: &n {x: 2}\nb: {x: 1}\n"},
		{"the anchor changes later", "a: &n 1\nb: *n\n", "set b 1\nset a 2", "a: &n 2\nb: *n\n"},
		{"both at once", "a: &n 1\nb: {c: *n}\n", "set . {b: {c: 1}, a: 2}", "a: &n 2\nb: {c: 1}\n"},
		{"both in a list", "- &n 1\n- *n\n", "set . [2, 1]", "- &n 2\n- 1\n"},
		{"an alias of an alias", "a: &n 1\nb: &m [*n]\nc: *m\n", "set a 2\nset c [1]", "a: &n 2\nb: &m [*n]\nc: [1]\n"},
		{"changed entries from <<", "a: &n {x: 1}\nb:\n  <<: *n\n  k: 1\n", "set a.x 2\nset b {x: 1, k: 1}", "a: &n {x: 2}\nb:\n  x: 1\n  k: 1\n"},
		{"the anchor went", "a: &n 1\nb: *n\n", "delete a\nset b 1", "b: 1\n"},
		{"the anchor went with others", "a: {c: &n 1}\nb: *n\n", "set . {b: 1}", "b: 1\n"},
		{"the anchor of a key went", "a: {&n c: 1}\nb: *n\n", "set a 2\nset b c", "a: 2\nb: c\n"},
		{"the anchor moved", "a: {c: &n 1}\nb: *n\n", "move a.c first d\nset b 1", "d: &n 1\na: {}\nb: *n\n"},
	})
}

// A sparse map names keys that it does not have.
type sparse struct{ *value.Dict }

func (m sparse) Get(k value.Key) (value.Value, bool, error) {
	if k.Text == "gone" {
		return value.Null, false, nil
	}
	return m.Dict.Get(k)
}

func TestSetSparseMap(t *testing.T) {
	v := value.FromMap(sparse{mustValue(t, "{gone: 1, a: 2, new: 3}").Map().(*value.Dict)})
	r, err := apply("a: 1\ngone: 1\n", yamlSyntax, 0, []roundtrip.Edit{{Op: roundtrip.Set, Value: v}})
	if want := "a: 2\nnew: 3\n"; err != nil || r.Text != want {
		t.Errorf("%v, %q, want %q", err, r.Text, want)
	}
}

func TestCreate(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"parents", "a: 1\n", "+set b.c.d x", "a: 1\nb:\n  c:\n    d: x\n"},
		{"below null", "a: # c\nb: 1\n", "+set a.x 1", "a: # c\n  x: 1\nb: 1\n"},
		{"empty document", "", "+set a.b 1", "a:\n  b: 1\n"},
		{"comments alone", "# a\n\n# b", "+set a 1", "# a\n\n# b\na: 1"},
		{"marker alone", "---\n", "+set a 1", "---\na: 1\n"},
		{"below an empty map", "a: {}\n", "+set a.b.c 1", "a:\n  b:\n    c: 1\n"},
		{"list", "a: 1\n", "+append b.c x", "a: 1\nb:\n  c:\n    - x\n"},
		{"list below null", "a:\n", "+append a x\nappend a z", "a:\n  - x\n  - z\n"},
		{"on something new", "a: 1\n", "+set b.c 1\nset b.d [2]\nappend b.d 3\ndelete b.c", "a: 1\nb:\n  d:\n    - 2\n    - 3\n"},
	})
}

func TestSetErrors(t *testing.T) {
	checkErrors(t, yamlSyntax, []example{
		{"no parent", "a: 1\n", "set b.c 1", "not-found"},
		{"through a scalar", "a: 1\n", "+set a.b 1", "bad-type"},
		{"index past the end", "a: [1]\n", "set a[2] 1", "not-found"},
		{"key of a list", "a: [1]\n", "set a.x 1", "not-found"},
		{"through an alias", "a: &n {x: 1}\nb: *n\n", "set b.x 2", "through-alias"},
		{"through <<", "a: &n {x: 1}\nb:\n  <<: *n\n", "set b.<<.x 2", "through-merge"},
		{"<< itself", "a: &n {x: 1}\nb:\n  <<: *n\n", "set b.<< 2", "through-merge"},
		{"anchor that is used", "a:\n  x: &n 1\nb: *n\n", "set a 2", "anchor-in-use"},
		{"text that is not read", "a: [1\n", "set a 2", "syntax"},
		{"all or nothing", "a: 1\nb: 2\n", "set a 2\nset c.d 1", "not-found"},
	})
}

func TestJSON(t *testing.T) {
	const indented = "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {}\n}\n"
	check(t, jsonSyntax, []example{
		{"compact", `{"a":1,"b":[1,2]}`, "set a x", `{"a":"x","b":[1,2]}`},
		{"compact, new map", `{"a":1,"b":[1,2]}`, "set c {x: [1, 2], z: y}", `{"a":1,"b":[1,2],"c":{"x":[1,2],"z":"y"}}`},
		{"one line", `{"a": 1, "b": [1, 2]}`, "set a {x: [1, 2]}", `{"a": {"x": [1, 2]}, "b": [1, 2]}`},
		{"indented", indented, "set a {x: [1]}", "{\n  \"a\": {\n    \"x\": [\n      1\n    ]\n  },\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {}\n}\n"},
		{"append", indented, "append b 3", "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2,\n    3\n  ],\n  \"c\": {}\n}\n"},
		{"into an empty map", indented, "set c.x 1", "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {\n    \"x\": 1\n  }\n}\n"},
		{"delete the last", indented, "delete c", "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ]\n}\n"},
		{"delete the first", indented, "delete a", "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {}\n}\n"},
		{"delete the only item", "{\n  \"b\": [\n    1\n  ]\n}", "delete b[0]", "{\n  \"b\": []\n}"},
		{"insert first", "[\n\t1\n]\n", "insert [0] first {a: 0}", "[\n\t{\n\t\t\"a\": 0\n\t},\n\t1\n]\n"},
		{"rename", indented, `rename a 'x"'`, "{\n  \"x\\\"\": 1,\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {}\n}\n"},
		{"move", `{"a":1,"b":2,"c":3}`, "move c before:a", `{"c":3,"a":1,"b":2}`},
		{"key that is a number", `{"a":1}`, "set . {80: x}", `{"80":"x"}`},
		{"characters", `{"é":"☃"}`, `set é "\u0001\""`, `{"é":"\u0001\""}`},
		{"short lists stay on a line", "{\n  \"a\": [1, 2],\n  \"b\": 1\n}", "set b [3, 4]", "{\n  \"a\": [1, 2],\n  \"b\": [3, 4]\n}"},
		{"empty text", "", "set . {a: 1}", "{\n  \"a\": 1\n}\n"},
	})
	checkErrors(t, jsonSyntax, []example{
		{"infinite", `{"a":1}`, "set a .inf", "no-spelling"},
		{"bytes", `{"a":1}`, "set a !!binary /w==", "no-spelling"},
		{"two keys with one text", `{"a":1}`, "set . {80: x, '80': z}", "not-verified"},
	})
}

// TestBareKeys edits next to entries without a key or a value.
func TestBareKeys(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"next to a set", "# s\n? a\n? b  # two\n\nc:   1\n", "set c 2", "# s\n? a\n? b  # two\n\nc:   2\n"},
		{"into a set", "? a # one\n? b", "set c 1", "? a # one\n? b\nc: 1"},
		{"out of a set", "? a # one\n? b\n? c\n", "delete b", "? a # one\n? c\n"},
		{"the last of a set", "? a # one\n? b\n", "delete b", "? a # one\n"},
		{"a set with a value", "? a\n? b\n: 1\n? c\n", "set b 2", "? a\n? b\n: 2\n? c\n"},
		{"explicit keys in braces", "{? a : 1 , ?  b, c: 3}\n", "set a 5\nset c 6", "{? a : 5 , ?  b, c: 6}\n"},
		{"next to an empty key", "a: 1\n:  2 # c\n", "set a 5", "a: 5\n:  2 # c\n"},
		{"next to an empty explicit key", "?\n:  2\n? a\n: 1\n", "set a 5", "?\n:  2\n? a\n: 5\n"},
		{"tagged empty items", "[!!str , &x ,  a]\n", "set [2] 5", "[!!str , &x ,  5]\n"},
		{"keys of several lines in braces", "{ a\n  : 1, \"c\"\n  :2 }\n", "set a 5\nset c 6", "{ a\n  : 5, \"c\"\n  :6 }\n"},
		{"a document behind an end", "a: 1\n...\n# c\nb: 2\n...\n", "set a 5", "a: 5\n...\n# c\nb: 2\n...\n"},
		{"directives", "%YAML 1.2\n%TAG !e! tag:e:\n--- # c\na:\t1\t# d\nb: !e!x 2\n", "set a 5", "%YAML 1.2\n%TAG !e! tag:e:\n--- # c\na:\t5\t# d\nb: !e!x 2\n"},
		{"tabs", "a:\t\n \tb\n\t\nc:\t[\t1,\n \t2]\n", "set a x\nset c[1] 5", "a:\t\n \tx\n\t\nc:\t[\t1,\n \t5]\n"},
		{"a value in a set", "? a # one\n? b\n&n c: 3\n", "set b 2", "? a # one\n? b\n: 2\n&n c: 3\n"},
		{"a value in a set, with a comment", "m:\n  ? a # one\n  ? b\n", "set m.a 2", "m:\n  ? a\n  : 2 # one\n  ? b\n"},
		{"another key in a set", "? a # one\n? b\n", "rename a c", "? c # one\n? b\n"},
		{"below an anchor with a colon", "- &a:\n  b:   1 # c\n", "set [0].b 2", "- &a:\n  b:   2 # c\n"},
		{"below a tag", "!!str : x\nb:   1 # c\n", "set b 2", "!!str : x\nb:   2 # c\n"},
		{"after a key without a value on its line", "a: {\n  x: 1,  y:\n}\n", "insert a.z last 2", "a: {\n  x: 1,  y: ,  z: 2\n}\n"},
		{"below a key without a value", "a: {\n\n  x:   1,\n  y:\n} # c\n", "insert a.z last 2", "a: {\n\n  x:   1,\n  y: ,\n  z: 2\n} # c\n"},
		{"a key without a value that moves", "a: {\n  x:   1,\n  y:\n}\n", "move a.y first", "a: {\n  y: ,\n  x:   1\n}\n"},
		{"a value for the last key, and one below", "a: {\n  x:   1,\n  y:\n}\n", "set a.y 3\ninsert a.z last 2", "a: {\n  x:   1,\n  y: 3,\n  z: 2\n}\n"},
		{"next to a value with a tag only", "a: !!str # c\nb:   1\n", "set b 2", "a: !!str # c\nb:   2\n"},
	})
}

// TestFolds sets folded scalars: lines whose text did not change keep their breaks.
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
