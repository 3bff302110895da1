package yaml_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleParse() {
	f := source.NewFile("site.yaml", "web:\n  port: 0x50 # http\n")
	docs, _ := yaml.Parse(f, yaml.ParseOptions{})
	web := docs[0].Root.Entries[0]
	port := web.Value.Entries[0]
	n, _ := port.Value.Value.Int()
	fmt.Println(port.Value.At, n, port.Value.At.Text(), port.Line)
	// Output: site.yaml:2:9 80 0x50 # http
}

func TestPlainScalars(t *testing.T) {
	tests := []struct {
		text string
		kind value.Kind
		repr string
	}{
		{"~", value.NullKind, "None"}, {"Null", value.NullKind, "None"}, {"nUll", value.StringKind, "'nUll'"},
		{"true", value.BoolKind, "True"}, {"FALSE", value.BoolKind, "False"},
		{"yes", value.StringKind, "'yes'"}, {"on", value.StringKind, "'on'"}, {"y", value.StringKind, "'y'"},
		{"017", value.IntKind, "17"}, {"08", value.IntKind, "8"}, {"+5", value.IntKind, "5"}, {"-0", value.IntKind, "0"},
		{"0x1F", value.IntKind, "31"}, {"0o17", value.IntKind, "15"}, {"0b101", value.IntKind, "5"}, {"0x", value.StringKind, "'0x'"},
		{"-0x10", value.IntKind, "-16"}, {"0x-1", value.StringKind, "'0x-1'"}, {"0b2", value.StringKind, "'0b2'"},
		{"123456789012345678901234567890", value.IntKind, "123456789012345678901234567890"},
		{"1_000", value.StringKind, "'1_000'"}, {"1:30", value.StringKind, "'1:30'"}, {"2024-01-02", value.StringKind, "'2024-01-02'"},
		{"1e3", value.FloatKind, "1000.0"}, {"1.", value.FloatKind, "1.0"}, {".5", value.FloatKind, "0.5"}, {".", value.StringKind, "'.'"},
		{"1e", value.StringKind, "'1e'"}, {"1.2.3", value.StringKind, "'1.2.3'"}, {"-", value.ListKind, "[None]"}, {"+", value.StringKind, "'+'"},
		{".inf", value.FloatKind, "inf"}, {"-.INF", value.FloatKind, "-inf"}, {".NaN", value.FloatKind, "nan"}, {"+.nan", value.StringKind, "'+.nan'"},
		{"infinity", value.StringKind, "'infinity'"}, {"0x1p4", value.StringKind, "'0x1p4'"},
		{"!!str 1", value.StringKind, "'1'"}, {"!!int '0x10'", value.IntKind, "16"}, {"!!float 3", value.FloatKind, "3.0"},
		{"!!bool yes", value.BoolKind, "True"}, {"!!null ''", value.NullKind, "None"}, {"!!binary aGk=", value.StringKind, "'hi'"},
		{"! 12", value.StringKind, "'12'"}, {"!Ref 12", value.StringKind, "'12'"}, {"!<tag:yaml.org,2002:str> 1", value.StringKind, "'1'"},
	}
	for _, tt := range tests {
		v := mustValue(t, tt.text).WithoutSource() // else the text is the spelling
		if v.Kind() != tt.kind || repr(t, v) != tt.repr {
			t.Errorf("%q is %s %s, want %s %s", tt.text, v.Kind(), repr(t, v), tt.kind, tt.repr)
		}
	}
}

func TestParseData(t *testing.T) {
	tests := []struct{ rule, text, want string }{
		{"question mark in a flow key", "{+?/x: }", "{'+?/x': None}"},
		{"question mark in a block key", "+?/x:", "{'+?/x': None}"},
		{"colons in flow style", "{eval: ::a}", "{'eval': '::a'}"},
		{"colons after another list", "- {k: 1}\n- [ ::v ]\n", "[{'k': 1}, ['::v']]"},
		{"colons in block style", "eval: ::a", "{'eval': '::a'}"},
		{"whiteout in flow style", "a: {+%: whiteout}", "{'a': {'+%': 'whiteout'}}"},
		{"anchor directive in flow style", "{+*A: , k: v}", "{'+*A': None, 'k': 'v'}"},
		{"named template in flow style", "{+&: T}", "{'+&': 'T'}"},
		{"question marks and colons in a flow list", "[?a, :b, c?d, e?, ::]", "['?a', ':b', 'c?d', 'e?', '::']"},
		{"an explicit key in flow style stays one", "{? a : b}", "{'a': 'b'}"},
		{"a colon after a quoted key", `{"a":b}`, "{'a': 'b'}"},
		{"quotes and comments are left alone", "{a: '?:', b: \"{{ :\"} # {? :x", "{'a': '?:', 'b': '{{ :'}"},
		{"a template as a value", "a: {{ x }}", "{'a': '{{ x }}'}"},
		{"a template with a string", "a: {{ x | default('d, }}') }}", `{'a': "{{ x | default('d, }}') }}"}`},
		{"a template with a map", "a: {{ {'k': {'l': 1}} }}", `{'a': "{{ {'k': {'l': 1}} }}"}`},
		{"templates in a text", "a: {{ x }}-{{ f(1, 2) }}:y", "{'a': '{{ x }}-{{ f(1, 2) }}:y'}"},
		{"a template with a colon inside a text", "a: see {{ m['x: y'] }}", `{'a': "see {{ m['x: y'] }}"}`},
		{"templates in flow style", "a: [{{ f(1, 2) }}, {b: {{ y }}}]", "{'a': ['{{ f(1, 2) }}', {'b': '{{ y }}'}]}"},
		{"a statement", "a: {% if x %}1{% endif %} # c", "{'a': '{% if x %}1{% endif %}'}"},
		{"a template as a key is text", "{{ x }}: 1", "{'{{ x }}': 1}"},
		{"a template with letters beyond ASCII", "é: {{ 'ü' }} ñ\nb: 1", `{'é': "{{ 'ü' }} ñ", 'b': 1}`},
		{"a folded text with a template", "a: {{ x }}\n  b\n\n  c", "{'a': '{{ x }} b\\nc'}"},
		{"JSON's surrogate pairs", `a: "\u00e9 \\ \ud83d\ude00x\/"`, `{'a': 'é \\ 😀x/'}`},
		{"a version directive", "%YAML 1.2\n---\na: 1", "{'a': 1}"},
		{"a carriage return alone is a line break", "a: 1\rb:\r- x\r- |\r y\r z\r", "{'a': 1, 'b': ['x', 'y\\nz\\n']}"},
		{"a last line of blanks is a line of a block text", "a: |\n  x\n   ", "{'a': 'x\\n \\n'}"},
		{"blanks below an empty line are none", "- |+\n\n   ", "['\\n']"},
		{"blanks below a text are no empty line", "- |+\n  x\n  ", "['x\\n']"},
		{"a last empty line without a line break is kept", "- |+\n   ", "['\\n']"},
		{"a last line of text without a line break has none", "- |+\n   x", "['x']"},
		{"a byte order mark in front of the second document", "a: 1\n...\n\ufeffb: 2\n", "{'a': 1}"},
		{"empty lines of a block text before an end marker", "|-\n \n \n...\n", "''"},
		{"empty lines of a block text before a start marker", "|+\n  \n\n---\nb\n", "'\\n\\n'"},
		{"a last line of blanks is a line of a folded text", "a: >\n  x\n   ", "{'a': 'x\\n \\n'}"},
		{"blanks alone are a text without a line break", ">2\n   ", "' '"},
		{"blanks alone with a line break are a text with one", "- |2\n    \n", "['  \\n']"},
		{"a tag and a line break before a quoted key in braces", "{!\n 'x': 1}", "{'x': 1}"},
		{"an anchor and a comment before a key in braces", "{ &a # c\n k: v, l: *a}", "{'k': 'v', 'l': 'k'}"},
		{"properties and a line break before an explicit key", "[? &a !t\n k: v, *a]", "[{'k': 'v'}, 'k']"},
		{"properties on lines of their own", "{&a\n !t\n\n k : v, &b\n : *a}", "{'k': 'v', None: 'k'}"},
		{"properties of an empty key", "{ !!str\n : v, &b\n # c\n : w}", "{'': 'v', None: 'w'}"},
		{"a text that ends like the path of the root", "{? foo ::, b: c}", "{'foo :': None, 'b': 'c'}"},
		{"a line that ends like the path of the root", "{a\n ::, b: c}", "{'a :': None, 'b': 'c'}"},
		{"the path of the root after an anchor", "{eval: &a ::, b: [!t ::]}", "{'eval': '::', 'b': ['::']}"},
		{"the path of the root in brackets", "[{eval: ::}, ::, a::b]", "[{'eval': '::'}, '::', 'a::b']"},
		{"a byte order mark and CRLF", "\ufeffa: 1\r\nb: |\r\n  x\r\n", "{'a': 1, 'b': 'x\\n'}"},
		{"YAML merge", "a: &a {x: 1, y: 1}\nb: {<<: *a, y: 2}", "{'a': {'x': 1, 'y': 1}, 'b': {'x': 1, 'y': 2}}"},
		{"the first of merged maps wins", "<<: [{x: 1}, {x: 2, y: 2}]", "{'x': 1, 'y': 2}"},
		{"a quoted << is text", "'<<': 1", "{'<<': 1}"},
		{"a block of empty lines ends before other text", "a: |+\n\nb: {{ c }}", "{'a': '\\n', 'b': '{{ c }}'}"},
		{"a tag after an anchor alone is the next key's", "a: &x\n!!str 1: b\nc: *x", "{'a': None, '1': 'b', 'c': None}"},
		{"an alias as a key", "- &a k\n- {*a : 1}", "['k', {'k': 1}]"},
		{"anchors of all characters", "a: &a.b 1\nb: &a:b/c# 2\nc: &é 3\nd: [*a.b, *a:b/c#, *é]", "{'a': 1, 'b': 2, 'c': 3, 'd': [1, 2, 3]}"},
		{"anchors that look alike to the library", "? a\n: [&a.b 1, &a/b 2, &axb 3, &é 4, &xx 5, &é 6]\n? b\n: [*a.b, *a/b, *axb, *xx, *é]", "{'a': [1, 2, 3, 4, 5, 6], 'b': [1, 2, 3, 5, 6]}"},
		{"a colon after an alias", "- &a.b k\n- *a.b: 1\n- {*a.b: 2}", "['k', {'k': 1}, {'k': 2}]"},
		{"keys of other kinds", "80: a\n'80': b\ntrue: c\n~: d", "{80: 'a', '80': 'b', True: 'c', None: 'd'}"},
	}
	for _, tt := range tests {
		if got := repr(t, mustValue(t, tt.text)); got != tt.want {
			t.Errorf("%s: Parse(%q) = %s, want %s", tt.rule, tt.text, got, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ rule, text, want, hint string }{
		{"tab", "a:\n\tb: 1", "2:1: a tab in the indentation [syntax]", "only spaces"},
		{"unclosed quote", "a: 1\nb: 'x\nc: 2\n", "2:4: the quote is never closed [syntax]", ""},
		{"unclosed bracket", "a: [1, 2\n", `1:4: the "[" is never closed [syntax]`, ""},
		{"missing comma in a map", "a: {b: 1 c: 2}", "1:8: missing comma in this [syntax]", ""},
		{"missing comma in a list", "a: ['b' 'c']", "1:9: missing comma before this [syntax]", ""},
		{"second colon", "a: b: c", `1:5: a second ":" on the line [syntax]`, "quote the value"},
		{"missing blank", "a: 1\nb:2\nc: 3", `2:1: missing ":" after this key [syntax]`, "add a space after the colon"},
		{"dedent to nowhere", "a:\n    b: 1\n  c: 2", "3:3: the indentation matches no line above [syntax]", "indent by 0 or by 4"},
		{"quote closed too late", "a: \"x\nb: \"y\"", "1:4: this quote is closed lines below, before other text [syntax]", "closing quote"},
		{"key without colon at the end", "a: 1\nkey\n", `2:1: missing ":" after this key [syntax]`, ""},
		{"a word alone below a key", "a:\nkey\n", "2:1: this does not fit into the map around it [syntax]", "indentation"},
		{"alias without a name", "a: *\n", "1:4: an anchor or alias needs a name without spaces and ,[]{} [syntax]", "quote"},
		{"a character that no name has", "a: &b\ufeff c\n", "1:4: an anchor or alias needs a name without spaces and ,[]{} [syntax]", "quote"},
		{"a control character in a name", "a: &b\x01 c\n", "1:6: the control character U+0001 is not allowed [syntax]", "escape"},
		{"a brace after an anchor in brackets", "[a, !t &b{c: d}]", "1:8: missing space after the name [syntax]", ""},
		{"a bracket after an anchor", "a: &b[c]\n", "1:4: missing space after the name [syntax]", ""},
		{"an alias that only looks like an anchor", "a: &b.c 1\nd: *b/c\n", "2:4: no anchor &b/c comes before this alias [syntax]", "did you mean *b.c?"},
		{"the same in a text that the library reads", "? a\n: &b.c 1\n? d\n: *b/c\n", "4:3: no anchor &b/c comes before this alias [syntax]", "did you mean *b.c?"},
		{"an alias in a template that is text", "a: {{ *b }}\nc: *b\n", "2:4: no anchor &b comes before this alias [syntax]", "quote"},
		{"an anchor below", "a: *b\nc: &b 1\n", "1:4: no anchor &b comes before this alias [syntax]", "move the anchor"},
		{"an anchor in the next document", "a: *b\n---\nc: &b 1\n", "1:4: no anchor &b comes before this alias [syntax]", "quote"},
		{"a pattern", "a: *.txt\n", "1:4: no anchor &.txt comes before this alias [syntax]", "quote"},
		{"brackets of two kinds", "a: [b, c}", `1:9: "}" cannot close "[" [syntax]`, ""},
		{"a key of two lines in a list in brackets", "[&a\n k: v]", "2:3: a key of several lines [syntax]", "? "},
		{"an anchor and an alias on two lines", "{a: &b 1, &c\n *b : 2}", "1:11: an alias has no anchor and no tag of its own [syntax]", "remove"},
		{"list after a key", "a: - b", "1:4: a list cannot begin on the line of its key [syntax]", "next line"},
		{"item among keys", "a: 1\n- b\n", "2:1: an item of a list among the keys of a map [syntax]", `"a" has a value already`},
		{"item after a list that ended", "a:\n- b\nc: 1\n- d\n", "4:1: an item of a list among the keys of a map [syntax]", `"c" has a value already`},
		{"key among items", "- a\n- b: 1\n  c: 2\nd: 3\n", "4:1: a key among the items of a list [syntax]", `write "- " before it`},
		{"comma after a comma", "a: [1,,2]", "1:7: nothing before this comma [syntax]", "remove it"},
		{"comma after a bracket", "{, a: 1}", "1:2: nothing before this comma [syntax]", "remove it"},
		{"two texts", "a # b\nc\n", "2:1: a second value after the end of the document [syntax]", "---"},
		{"text after a block indicator", "a: | x\n  y", "1:4: the text must begin on the next line [syntax]", ""},
		{"indent to nowhere", "a: 1\n  b: 2", `2:3: a key below "a", which has the value "1" already [syntax]`, `indent it by 0 to put it next to "a"`},
		{"reserved character", "a: @x", `1:4: a plain text cannot begin with "@" [syntax]`, "quote"},
		{"stray bracket", "a: ]", `1:4: "]" closes nothing [syntax]`, ""},
		{"text after a quote", `a: "x" y`, "1:8: text after the end of a value [syntax]", "quote the whole"},
		{"unknown escape", `a: "\d"`, "1:5: double quotes have no such escape [syntax]", "backslash"},
		{"unknown alias", "a: &x 1\n---\nb: *x", "3:4: no anchor &x comes before this alias [syntax]", ""},
		{"two values", "{}\n{}\n", "2:1: a second value after the end of the document [syntax]", "---"},
		{"control character", "a: \x01", "1:4: the control character U+0001 is not allowed [syntax]", "escape"},
		{"not UTF-8", "a: \xff", "1:4: the text is not UTF-8: byte 0xff [syntax]", ""},
		{"open template", "a: {{ x", `1:5: the "{" is never closed [syntax]`, "quote the template"},
		{"statement of a Go template", "{{- if .x }}\na: {{ .y }}-z\n{{- end }}\n", `1:1: missing ":" after this key [syntax]`, "render it with its own tool"},
		{"statement of Jinja", "a: 1\n{% if x %}\nb: 2\n{% endif %}\n", `2:1: missing ":" after this key [syntax]`, "render it with its own tool"},
		{"list as a key", "? [a]\n: b", "1:3: a list cannot be a key [bad-key]", "write a list of maps"},
		{"map as a key", "{a: 1}: b", "1:1: a map cannot be a key [bad-key]", ""},
		{"duplicate key", "a: 1\nb: 2\na: 3", `3:1: duplicate key "a"; first at t.yaml:1:1 [duplicate-key]`, ""},
		{"two empty keys", ": a\n: b", `2:1: duplicate key "null"; first at t.yaml:1:1 [duplicate-key]`, "no key"},
		{"duplicate include", "+include: a\n+include: b", `2:1: duplicate key "+include"; first at t.yaml:1:1 [duplicate-key]`, "+include-2"},
		{"brackets with quotes in a plain text as a key", "{ a:' b, c: d }: e", "1:1: a map cannot be a key [bad-key]", ""},
		{"brackets with quotes after a text as a key", "[it's, a 'b, c d'e]: f", "1:1: a list cannot be a key [bad-key]", ""},
		{"brackets with all kinds of values as a key", "[!t ']', &a \"]\", ? ']' : ']', {']':']'}, ' ] ', {{ ']' }}]: f", "1:1: a list cannot be a key [bad-key]", ""},
		{"a directive of another document", "%TAG !m! !my-\n---\na\n...\n!m!light b\n", `5:1: unknown prefix of a tag [syntax]`, ""},
		{"a bad tag after a tag", "- !!int 2\n- !!!int 3\n", "2:3: a bad tag [syntax]", "!Ref"},
		{"wrong tag", "a: !!int x", `1:10: "x" does not match the tag !!int [bad-value]`, ""},
		{"a list with the tag of a text", "a: !!str [x]", `1:4: a list does not match the tag !!str [bad-value]`, ""},
		{"a list with the tag of a map", "a: !!map\n- x", `1:4: a list does not match the tag !!map [bad-value]`, ""},
		{"a map with the tag of a list", "!!seq\na: x", `1:1: a map does not match the tag !!seq [bad-value]`, ""},
		{"a text with the tag of a map", "a: !!map x", `1:10: "x" does not match the tag !!map [bad-value]`, ""},
		{"nothing with the tag of a list", "a: !!seq\nb: 1", `1:9: "" does not match the tag !!seq [bad-value]`, ""},
		{"not base64", "a: !!binary '%'", "1:13: !!binary needs base64: byte 1 is not a character of it [bad-value]", "A-Z"},
	}
	for _, tt := range tests {
		_, diags := yaml.Parse(source.NewFile("t.yaml", tt.text), yaml.ParseOptions{})
		if len(diags) == 0 {
			t.Errorf("%s: Parse(%q) finds nothing, want %s", tt.rule, tt.text, tt.want)
			continue
		}
		if got := diags[0].Error(); got != "t.yaml:"+tt.want || !strings.Contains(diags[0].Hint, tt.hint) {
			t.Errorf("%s: Parse(%q) = %s (%s), want %s (%s)", tt.rule, tt.text, got, diags[0].Hint, tt.want, tt.hint)
		}
	}
}

func TestTemplatesOff(t *testing.T) {
	for _, text := range []string{"a: {{ x }}", "# yaytpl: templates=off\na: {{ x }}-1"} {
		_, diags := yaml.Parse(source.NewFile("t.yaml", text), yaml.ParseOptions{NoTemplates: true})
		if len(diags) == 0 || !strings.Contains(diags[0].Hint, "quote the template") {
			t.Errorf("Parse(%q) without templates = %v, want an error that says to quote it", text, diags)
		}
	}
}

func TestLenientDuplicates(t *testing.T) {
	f := source.NewFile("t.yaml", "a: 1\nb: 2\na: 3")
	docs, diags := yaml.Parse(f, yaml.ParseOptions{Lenient: true})
	if len(diags) != 1 || diags[0].Severity != source.Warning || len(diags[0].Notes) != 1 {
		t.Fatalf("Parse = %v, want one warning with a note", diags)
	}
	v, err := docs[0].Root.ToValue()
	if err != nil || repr(t, v) != "{'a': 3, 'b': 2}" {
		t.Errorf("data = %s, %v, want the last value at the first place", repr(t, v), err)
	}
}

// TestManyFindings: a limited number of findings is reported, with the number of the
// others, and warnings hide no error.
func TestManyFindings(t *testing.T) {
	duplicates := func(n int) string { return "m:\n" + strings.Repeat("  a: 1\n", 1+n) }
	for _, tt := range []struct {
		rule, text string
		lenient    bool
		reported   int
		more       string // "severity: note" of each finding that has the last word
	}{
		{"as many as are reported", duplicates(100), false, 100, ""},
		{"one more", duplicates(101), false, 100, "error: t.yaml:103:3: one more error is not reported"},
		{"many more", duplicates(150), false, 100, "error: t.yaml:103:3: 50 more errors from here on are not reported"},
		{"warnings and an error", duplicates(150) + "l: {[a]: 1}\n", true, 101, "warning: t.yaml:103:3: 50 more warnings from here on are not reported"},
	} {
		_, diags := yaml.Parse(source.NewFile("t.yaml", tt.text), yaml.ParseOptions{Lenient: tt.lenient})
		var more []string
		for _, d := range diags {
			for _, n := range d.Notes {
				if strings.Contains(n.Message, " more ") {
					more = append(more, fmt.Sprintf("%s: %s: %s", d.Severity, n.At, n.Message))
				}
			}
		}
		if got := strings.Join(more, "\n"); len(diags) != tt.reported || got != tt.more {
			t.Errorf("%s: %d findings, %q, want %d, %q", tt.rule, len(diags), got, tt.reported, tt.more)
		}
	}
}

func TestFileOptions(t *testing.T) {
	tests := []struct {
		text string
		want map[string]bool
	}{
		{"# yaytpl: templates=off expressions=on\na: 1", map[string]bool{"templates": false, "expressions": true}},
		{"\ufeff\n# licence\n# yaytpl: literals=off, directives=off\r\n\na: 1", map[string]bool{"literals": false, "directives": false}},
		{"%YAML 1.2\n---\n# yaytpl: templates=off\n", map[string]bool{"templates": false}},
		{"# first\n\n# yaytpl: templates=off\n", nil},
		{"a: 1\n# yaytpl: templates=off\n", nil},
		{"# yaytpl: templates=maybe\n", nil},
	}
	for _, tt := range tests {
		got := parse(t, tt.text)[0].Options
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("options of %q = %v, want %v", tt.text, got, tt.want)
		}
	}
}

func TestDocuments(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", []string{"None"}}, {"# nothing\n", []string{"None"}}, {"---\n---\na\n", []string{"None", "'a'"}},
		{"a: 1\n...\n---\nb: 2\n", []string{"{'a': 1}", "{'b': 2}"}},
	}
	for _, tt := range tests {
		var got []string
		for _, d := range parse(t, tt.text) {
			v, err := d.Root.ToValue()
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, repr(t, v))
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("documents of %q = %v, want %v", tt.text, got, tt.want)
		}
	}
	if root := parse(t, "# nothing\n")[0].Root; root != nil {
		t.Errorf("root of an empty document = %v, want nil", root)
	}
}

func TestSpans(t *testing.T) {
	text := "\ufeffé: &a !t [x, 'y', {z: *a}] # c\nb: |\n  l1\n   l2\n\nc:\n- >+\n  f\n\n-\nd: \"q\n  r\" \n"
	root := parse(t, text)[0].Root
	var got []string
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		got = append(got, n.At.Text())
		for _, item := range n.Items {
			walk(item)
		}
		for _, e := range n.Entries {
			walk(e.KeyNode())
			walk(e.Value)
		}
	}
	walk(root)
	want := []string{strings.TrimSuffix(strings.TrimPrefix(text, "\ufeff"), " \n"),
		"é", "[x, 'y', {z: *a}]", "x", "'y'", "{z: *a}", "z", "*a",
		"b", "|\n  l1\n   l2", "c", "- >+\n  f\n\n-", ">+\n  f\n", "", "d", "\"q\n  r\""}
	if strings.Join(got, "§") != strings.Join(want, "§") {
		t.Errorf("spans\n got %q\nwant %q", got, want)
	}
	list := root.Entries[0].Value
	if list.AnchorAt.Text() != "&a" || list.TagAt.Text() != "!t" || root.Entries[0].Line != "# c" {
		t.Errorf("anchor %q, tag %q, comment %q", list.AnchorAt.Text(), list.TagAt.Text(), root.Entries[0].Line)
	}
}

func TestTextSpan(t *testing.T) {
	tests := []struct{ rule, text, part, want string }{
		{"plain", "a: foo bar", "bar", "bar"},
		{"plain folded", "a: foo\n   bar\n   baz", "bar baz", "bar\n   baz"},
		{"single quotes", "a: 'it''s x'", "'s x", "''s x"},
		{"escapes", `a: "\u00e9\tx \"y\""`, "x \"y", `x \"y`},
		{"half an escape is the whole", `a: "\u00e9z"`, "z", "z"},
		{"an escaped line break", "a: \"one\\\n   two\"", "etw", "e\\\n   tw"},
		{"an escaped line break before empty lines", "a: \"one\\\n\n\n\n   two three\"", "two", "two"},
		{"a literal that begins with a line of blanks", "a: |1\n   \n  two\n", "two", "two"},
		{"double quotes folded", "a: \"foo\n\n   bar\"", "bar", "bar"},
		{"literal", "a: |\n  one\n   two\n  three\n", "two\nthree", "two\n  three"},
		{"literal with an indicator", "a: |1\n   one\n  two\n", "two", "two"},
		{"folded", "a: >-\n  one\n  two\n\n  three\n    four\n", "three\n  four", "three\n    four"},
		{"a surrogate pair", `a: "\ud83d\ude00x"`, "x", "x"},
	}
	for _, tt := range tests {
		docs, diags := yaml.Parse(source.NewFile("t.yaml", tt.text), yaml.ParseOptions{})
		if strings.Contains(tt.text, `\ud8`) {
			docs, diags = yaml.ParseJSON(source.NewFile("t.json", "{"+strings.Replace(tt.text, "a", `"a"`, 1)+"}"), yaml.ParseOptions{})
		}
		if len(diags) > 0 {
			t.Fatalf("%s: %v", tt.rule, diags[0])
		}
		n := docs[0].Root.Entries[0].Value
		i := strings.Index(n.Value.Str(), tt.part)
		if got := n.TextSpan(i, i+len(tt.part)).Text(); i < 0 || got != tt.want {
			t.Errorf("%s: the source of %q in %q = %q, want %q", tt.rule, tt.part, tt.text, got, tt.want)
		}
	}
}

// Hostile texts take little time, and end in an error or in shared data.
func TestHostileText(t *testing.T) {
	laughs := "a0: &a0 [lol]\n"
	for i := range 40 {
		laughs += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	big := manyKeys(2_000)
	tests := []struct {
		rule, text string
		code       source.Code // of the first finding, or of ToValue; "" for none
	}{
		{"deep flow style", strings.Repeat("[", 100_000), source.Limit},
		{"deep flow maps", strings.Repeat("{a: ", 100_000), source.Limit},
		{"deep block style", strings.Repeat("- ", 100_000), source.Limit},
		{"braces that look like templates", strings.Repeat("{{ ", 100_000) + "}}", source.Limit},
		{"templates without end in a text", "a: x " + strings.Repeat("{{ ", 100_000), ""},
		{"billion laughs", laughs, ""},
		{"an anchor in itself", "&a [*a]", source.Cycle},
		{"<< to itself", "a: &a\n  <<: *a", source.Cycle},
		{"<< to a list", "a: {<<: 1}", source.BadType},
		{"a big map merged often", "base: &b\n  " + strings.ReplaceAll(big, "\n", "\n  ") + "\n" + mergeOften(1000), source.Limit},
		{"100,000 keys", manyKeys(100_000), ""},
		{"100,000 duplicates on a line", "[{" + strings.Repeat("a: 1, ", 100_000) + "}]", source.DuplicateKey},
		{"comments that no value takes", strings.Repeat("-\n# c\n\n", 100_000), ""},
		{"comments in turns of two columns", "a:\n    b: 1\n" + strings.Repeat("  # c\n # d\n", 100_000), ""},
		{"comments after many lists", strings.Repeat("- ", 9_000) + "a\n" + strings.Repeat("#\n #\n", 400_000), ""},
		{"a long prefix of tags", "%TAG !e! " + strings.Repeat("%20", 100_000) + "\n---\n" + strings.Repeat("- !e!a x\n", 3_000), source.Limit},
		{"tags whose prefix is at the end", strings.Repeat("- !a!b x\n", 400_000) + "# %TAG !a!", source.Syntax},
		{"keys after many indicators", "a: @\n" + strings.Repeat("- ", 200_000) + strings.Repeat("a: ", 200_000), source.Syntax},
		{"aliases as keys after many blanks", "a: @\n" + strings.Repeat(" ", 200_000) + strings.Repeat("*a : ", 200_000), source.Syntax},
		{"colons after many blanks", "a: @\n" + strings.Repeat(" ", 200_000) + strings.Repeat(": ", 200_000), source.Syntax},
		{"small maps after a big one", big + "z:\n" + strings.Repeat("- {a: , b: , c: , d: , e: , f: , g: , h: , i: }\n", 20_000), ""},
		{"documents after many anchors", strings.Repeat("- &a [&b x, &c y]\n", 20_000) + strings.Repeat("---\n- &b x\n", 50_000), ""},
		{"a long line", "[" + strings.Repeat("é, ", 100_000) + "]", ""},
	}
	for _, tt := range tests {
		start := time.Now()
		docs, diags := yaml.Parse(source.NewFile("t.yaml", tt.text), yaml.ParseOptions{})
		var code source.Code
		if len(diags) > 0 {
			code = diags[0].Code
		} else if _, err := docs[0].Root.ToValue(); err != nil {
			code = source.AsDiagnostic(err, source.Span{}, "").Code
		}
		if code != tt.code {
			t.Errorf("%s: code %q, want %q (%v)", tt.rule, code, tt.code, diags)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: took %v", tt.rule, took)
		}
	}
}

func mergeOften(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "m%d: {<<: *b}\n", i)
	}
	return b.String()
}

func TestLimits(t *testing.T) {
	tests := []struct {
		text string
		opts yaml.ParseOptions
	}{
		{"a: {b: [c]}", yaml.ParseOptions{MaxDepth: 1}},
		{"a:\n  b:\n    c: 1", yaml.ParseOptions{MaxDepth: 2}},
		{"a: 1234567", yaml.ParseOptions{MaxBytes: 5}},
	}
	for _, tt := range tests {
		for name, parse := range map[string]func(*source.File, yaml.ParseOptions) ([]*yaml.Document, []*source.Diagnostic){"YAML": yaml.Parse, "JSON": yaml.ParseJSON} {
			if name == "JSON" && !strings.HasSuffix(tt.text, "67") {
				continue
			}
			_, diags := parse(source.NewFile("t", tt.text), tt.opts)
			if len(diags) == 0 || diags[0].Code != source.Limit {
				t.Errorf("%s %q with %+v = %v, want a limit", name, tt.text, tt.opts, diags)
			}
		}
	}
}

// TestMaxValues: a text with too many values is rejected by both parsers; one with just as
// many as allowed is parsed.
func TestMaxValues(t *testing.T) {
	const most = 30
	repeat := func(s string) func(int) string { return func(n int) string { return strings.Repeat(s, n) } }
	lines := func(s string) func(int) string { return func(n int) string { return numbered(s, n) } }
	flow := func(open, item, end string) func(int) string {
		return func(n int) string { return open + strings.TrimSuffix(numbered(item, n), ",") + end }
	}
	tests := []struct {
		name string
		text func(n int) string // of n values
		json bool
	}{
		{"items", repeat("- a\n"), false},
		{"items without anything", repeat("-\n"), false},
		{"lists in lists", func(n int) string { return strings.Repeat("- ", n) + "a" }, false},
		{"entries", lines("k#: a\n"), false},
		{"a list in brackets", flow("[", "1,", "]"), false},
		{"a map in braces", flow("{", "k#: 1,", "}"), false},
		{"empty lists", flow("[", "[],", "]"), false},
		{"documents", func(n int) string { return strings.Repeat("---\n- a\n- b\n", n/2) + strings.Repeat("---\n- a\n", n%2) }, false},
		{"JSON", flow("[", "1,", "]"), true},
		{"members", flow("{", `"k#":1,`, "}"), true},
	}
	parse := func(text string, json bool) []*source.Diagnostic {
		p := yaml.Parse
		if json {
			p = yaml.ParseJSON
		}
		_, diags := p(source.NewFile("t.yaml", text), yaml.ParseOptions{MaxValues: most})
		return diags
	}
	for _, tt := range tests {
		if diags := parse(tt.text(most), tt.json); len(diags) > 0 {
			t.Errorf("%s: %d values: %v", tt.name, most, diags[0])
		}
		texts := []string{tt.text(most + 1)}
		if !tt.json {
			texts = append(texts, "%YAML 1.2\n---\n"+tt.text(2*most+2)) // the library reads it
		}
		for _, text := range texts {
			diags := parse(text, tt.json)
			if len(diags) != 1 || diags[0].Code != source.Limit || !strings.Contains(diags[0].Message, "more than 30 values") {
				t.Errorf("%s: Parse(%.40q) finds %v, want a limit", tt.name, text, diags)
			}
		}
	}
}

// numbered repeats a text, replacing "#" by a number.
func numbered(s string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(s, "#", string(rune('A'+i/26))+string(rune('a'+i%26))))
	}
	return b.String()
}

// TestMaxDocuments: the limit of documents applies while they are parsed.
func TestMaxDocuments(t *testing.T) {
	tests := []struct{ name, text string }{
		{"our parser", strings.Repeat("---\n", 100_001)},
		{"the library", "%YAML 1.2\n" + strings.Repeat("---\n", 100_001)},
	}
	for _, tt := range tests {
		_, diags := yaml.Parse(source.NewFile("t.yaml", tt.text), yaml.ParseOptions{})
		if len(diags) != 1 || diags[0].Code != source.Limit || !strings.Contains(diags[0].Message, "more than 100000 documents") {
			t.Errorf("%s: Parse finds %v, want a limit", tt.name, diags)
		}
	}
	_, diags := yaml.ParseJSON(source.NewFile("t.json", strings.Repeat("1\n", 100_001)), yaml.ParseOptions{})
	if len(diags) != 1 || diags[0].Code != source.Limit {
		t.Errorf("ParseJSON finds %v, want a limit", diags)
	}
}

// TestOutlineOfManyValues: values that an outline omits do not count against MaxValues, so
// that lookups in a big text work.
func TestOutlineOfManyValues(t *testing.T) {
	deep := "a:\n  b:\n" + numbered("    k#: {c: [1, 2, 3]}\n", 10)
	if _, ok := yaml.ParseOutline(source.NewFile("t.yaml", deep), yaml.ParseOptions{MaxValues: 25}); !ok {
		t.Error("the outline of a text with many values deep in it is not made")
	}
	wide := numbered("k#: 1\n", 26)
	if _, ok := yaml.ParseOutline(source.NewFile("t.yaml", wide), yaml.ParseOptions{MaxValues: 25}); ok {
		t.Error("the outline of a text with many values is made")
	}
}

type encodeFunc func(io.Writer, value.Value, yaml.EncodeOptions) error

// parse parses a text and fails the test on an error.
func parse(t testing.TB, text string) []*yaml.Document {
	t.Helper()
	docs, diags := yaml.Parse(source.NewFile("t.yaml", text), yaml.ParseOptions{})
	if len(diags) > 0 {
		t.Fatalf("Parse(%q): %v", text, diags[0])
	}
	return docs
}

func mustValue(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := parse(t, text)[0].Root.ToValue()
	if err != nil {
		t.Fatalf("ToValue(%q): %v", text, err)
	}
	return v
}

func encode(t testing.TB, f encodeFunc, v value.Value, opts yaml.EncodeOptions) string {
	t.Helper()
	var b strings.Builder
	if err := f(&b, v, opts); err != nil {
		t.Fatalf("encode: %v", err)
	}
	return b.String()
}

func repr(t testing.TB, v value.Value) string {
	t.Helper()
	s, err := value.Repr(v)
	if err != nil {
		t.Fatalf("Repr: %v", err)
	}
	return s
}
