package yaml_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// TestMistakes: each usual mistake has a message with its place, its cause and its correction (spec:
// everyday, A7).
func TestMistakes(t *testing.T) {
	tests := []struct{ text, want, hint string }{
		// Quotes.
		{"a: 'it's'\n", "1:7: this inner quote ends the value", "'it''s'"},
		{"a: \"{{ x[\"y\"] }}\"\n", "1:10: this inner quote ends the value", `"{{ x['y'] }}"`},
		{"a: '{{ x['y'] }}'\n", "1:10: this inner quote ends the value", `'{{ x["y"] }}'`},
		{"a: \"say \"hello\" now\"\n", "1:9: this inner quote ends the value", `'say "hello" now'`},
		{"- \"{{ x[\"y\"] }}: {{ x[\"z\"] }}\"\n", "1:9: this inner quote ends the value", `"{{ x['y'] }}: {{ x['z'] }}"`},
		{"a: [\"{{ x[\"y\"] }}\", 2]\n", "1:11: this inner quote ends the value", "use the other quotes inside"},
		{"a: {b: 'it's'}\n", "1:11: this inner quote ends the value", "'it''s'"},
		{"a: \"{{ x }}\"/y\n", "1:13: text after the end of a value", `"{{ x }}/y"`},
		{"\":k #1\":|", "1:8: text after the end of a value", "quote the whole value"}, {"'- >3 # 'q\n", "1:10: text after the end of a value", "quote the whole value"},
		{"a: \"x\" y\n", "1:8: text after the end of a value", `'"x" y'`},
		{"a: \"x\nb: 1\nc: \"y\"\n", "1:4: this quote is closed lines below, before other text", "closing quote"},
		{"a: 'x\nb: 1\nc: 2\n", "1:4: the quote is never closed", "add the closing '"},
		{"\"a: 1\nb: 2\n", "1:1: the quote is never closed", `add the closing "`},
		{"b: [\"a\", \"b]\nc: d\n", "1:10: the quote is never closed", `add the closing "`},
		{"a: \"x\u201d\nb: 2\n", "1:4: the quote is never closed", "typographic"},

		// Brackets.
		{"a: 1\nl: [1,\n  2\nb: 3\n", `2:4: the "[" is never closed`, `add the closing "]"`},
		{"a:\n  l: {x: 1,\n    y: 2\n  m: 3\nc: 4\n", `2:6: the "{" is never closed`, `add the closing "}" before line 4`},
		{"a:\n  l: {x: 1, y: front\n  image: z\nb:\n  c: 1\n", `2:6: the "{" is never closed`, "before line 3"},
		{"a: {b: {c: 1}\nd: 2\n", `1:4: the "{" is never closed`, "before line 2"},
		{"args: [\"x\", \"y\"\nimage: z\n", `1:7: the "[" is never closed`, "before line 2"},
		{"a: {b: [1, 2}\n", `1:8: the "[" is never closed`, `add the closing "]"`},
		{"a:\n  l: [\n    {x: 1},\n    {y: 2\n  ]\nc: 4\n", `4:5: the "{" is never closed`, "before line 5"},
		{"a: [1, 2}\n", `1:9: "}" cannot close "["`, ""},
		{"a: [1, 2]]\n", `1:10: "]" closes nothing`, "remove it"},
		{"a: [1, 2],\nb: 2\n", "1:10: a comma after the end of a value", "remove it"},
		{"b: {a: 1 b: 2}\n", "1:8: missing comma in this", `write "," before b`},
		{"a: [\n  - 1\n]\n", `2:3: "-" is not allowed in brackets`, `","`},

		// Indentation.
		{"a: 1\n  b: 2\n", `2:3: a key below "a", which has the value "1" already`, `indent it by 0 to put it next to "a"`},
		{"a:\n  b:\n    c: 1\n     d: 2\n", `4:6: a key below "c", which has the value "1" already`, "indent it by 4"},
		{"m:\n  name: x\n    labels:\n      a: b\n", `3:5: a key below "name", which has the value "x" already`, "indent it by 2"},
		{"a:\n    b: 1\n  c: 2\n", "3:3: the indentation matches no line above", "indent by 0 or by 4"},
		{"a:\n\tb: 1\n", "2:1: a tab in the indentation", "only spaces"},
		{"a: 1\n- b\n", "2:1: an item of a list among the keys of a map", `"a" has a value already`},
		{"a:\n  - b\n  c: 1\n", "3:3: a key among the items of a list", `write "- " before it`},
		{"l:\n  - a\n  -b\n", `3:3: missing space after the "-" of this item`, `"- b"`},
		{"l:\n  - a: 1\n  b\n  - c\n", "3:3: a text among the items of a list", `"- b"`},

		// Block texts.
		{"a: |\n   foo\n  bar\nb: 1\n", "3:3: the block text that begins in line 1 ends too early: this line is indented by 2, its first by 3", "indent it by 3"},
		{"a: |\r\n   foo\r\n  bar\r\n", "3:3: the block text that begins in line 1 ends too early: this line is indented by 2, its first by 3", "indent it by 3"},
		{"a:\n  b: >-\n      x\n   y\n", "4:4: the block text that begins in line 2 ends too early: this line is indented by 3, its first by 6", "indent it by 6"},
		{"a: |\n  foo\nbar\nb: 1\n", "3:1: this line ends the block text of line 1 and is no key", "indent it by 2 or more"},
		{"s:\n  - run: |\n      echo a\n    echo b\n  - x\n", "4:5: this line ends the block text of line 2 and is no key", "indent it by 6 or more"},
		{"a: >=1.2\n", "1:4: the text must begin on the next line", `">=1.2"`},
		{"a: | x\n  y\n", "1:4: the text must begin on the next line", "begin it there"},

		// Colons and keys.
		{"a:1\nb: 2\n", `1:1: missing ":" after this key`, `"a: 1"`},
		{"a: 1\nb:2\nc: 3\n", `2:1: missing ":" after this key`, `"b: 2"`},
		{"server:\n  port:80\n  host: x\n", `2:3: missing ":" after this key`, `"port: 80"`},
		{"a: 1\nb = 2\n", `2:1: missing ":" after this key`, `"b: 2"`},
		{"a: foo\nbar\nb: 1\n", `2:1: missing ":" after this key`, "indent it"},
		{"a:\u00a01\nb: 2\n", `1:1: missing ":" after this key`, "no-break space"},
		{"a: [: b\nc: 1\n", `1:4: the "[" is never closed`, "before line 2"},
		{"\" #\"0\n", "1:5: text after the end of a value", "quote the whole value"},
		{"a: b: c\n", `1:5: a second ":" on the line`, "quote the value"},
		{"d: this is a text\n  that goes on: and on\n", `2:3: a key in the middle of the text of "d"`, "quote the whole of it"},

		// Indicators.
		{"a: @x\n", `1:4: a plain text cannot begin with "@"`, `"@x"`},
		{"a: `x` # y\n", "1:4: a plain text cannot begin with \"`\"", "\"`x`\""},
		{"a: %x\n", `1:4: a plain text cannot begin with "%"`, `"%x"`},
		{"a: *.txt\n", "1:4: no anchor &.txt comes before this alias", `"*.txt"`},
		{"web: &web 1\nb: *wbe\n", "2:4: no anchor &wbe comes before this alias", "did you mean *web?"},
		{"a: *x\nb: &x 1\n", "1:4: no anchor &x comes before this alias", "move the anchor above"},
		{"a: !<x\n", "1:4: the tag is never closed", `add ">"`},
		{"a: !foo!bar x\n", `1:4: unknown prefix "!foo!" of a tag`, "!bar"},
		{"%YAML 2.0\n---\na: 1\n", "1:1: unknown version of YAML", "%YAML 1.2"},
	}
	for _, tt := range tests {
		_, diags := yaml.Parse(source.NewFile("t.yaml", tt.text), yaml.ParseOptions{})
		if len(diags) == 0 {
			t.Errorf("Parse(%q) finds nothing, want %s", tt.text, tt.want)
			continue
		}
		if got := diags[0].Error(); got != "t.yaml:"+tt.want+" [syntax]" || !strings.Contains(diags[0].Hint, tt.hint) {
			t.Errorf("Parse(%q) = %s (%s), want %s (%s)", tt.text, got, diags[0].Hint, tt.want, tt.hint)
		}
	}
}
