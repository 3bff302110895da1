package yay

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// treeOf returns the tree of a text and its meaning.
func treeOf(t *testing.T, text string) (*Tree, string) {
	t.Helper()
	tree, findings := Parse(source.NewFile("main.yay", text), Options{})
	if tree == nil {
		t.Fatalf("Parse(%q): %v", text, findings)
	}
	return tree, dump(tree)
}

// TestValues covers the values of a key: that of the key k.
func TestValues(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// Typing.
		{"12", "12"}, {"-12", "-12"}, {"+5", "5 <+5>"}, {"007", "7 <007>"},
		{"1.50", "1.5 <1.50>"}, {".5", "0.5 <.5>"}, {"5.", "5.0 <5.>"}, {"1e3", "1000.0 <1e3>"}, {"-1.5e-3", "-0.0015 <-1.5e-3>"},
		{"99999999999999999999", "99999999999999999999"},
		{"1_000", `"1_000"`}, {"0x1F", `"0x1F"`}, {"1.2.3", `"1.2.3"`}, {"inf", `"inf"`}, {"nan", `"nan"`}, {".", `"."`},
		{"1e", `"1e"`}, {"1e+", `"1e+"`}, {"-", `"-"`}, {"1e999", `"1e999"`}, {"2024-01-01", `"2024-01-01"`}, {"true", `"true"`}, {"~", `"~"`},
		// Plain texts.
		{"  wide   gap  ", `"wide   gap"`}, {"a#b # c", `"a#b # c"`}, {"a:b", `"a:b"`}, {":a", `":a"`}, {`5" pipe`, `"5\" pipe"`},
		{`'a'`, `"'a'"`}, {"- x", `"- x"`}, {"[1, 2]", `"[1, 2]"`}, {"{ }", `"{ }"`}, {`a\nb`, `"a\\nb"`}, {"a } }} { b", `"a } }} { b"`},
		{"| x", `"| x"`}, {"if a:b", `"if a:b"`}, {"é", `"é"`},
		// Quotes.
		{`""`, `quoted ""`}, {`"12"`, `quoted "12"`}, {`" a: b # c "`, `quoted " a: b # c "`}, {`"a" b`, `quoted "a b"`}, {`"a"b # c`, `quoted "ab # c"`},
		{`"a { b"`, `quoted "a { b"`},
		// Empty and blank.
		{"{}", "empty {}"}, {"[]", "empty []"}, {"", "blank"}, {"  # note", "blank"},
		// Expressions.
		{"{{ a }}", "a"}, {"{{a}}  ", "a"}, {"{{ a }}  # note", "a"}, {"{{ a }}#b", `text a . "#b"`}, {"{{ a }}b", `text a . "b"`},
		{"{{ a }} b # c", `text a . " b # c"`}, {"x{{ a }} # c", `text "x" . a . " # c"`}, {"{{ a }}{{ b }}", "text a . b"},
		{"{{ a }}: b", `text a . ": b"`}, {`{{ a }} "b"`, `text a . " \"b\""`},
		{`"{{ a }}: {{ "x" }}" y`, `text a . ": " . "x" . " y"`}, {`"{{ a }}"`, "a"}, {"{{{1: 2}}}", "{1: 2}"},
	} {
		_, got := treeOf(t, "k: "+c.text)
		if want := `key "k": ` + c.want + "\n"; got != want {
			t.Errorf("k: %s gives\n%s, want\n%s", c.text, got, want)
		}
	}
}

func TestYAMLScalars(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"true", "true"}, {"FALSE", "false <FALSE>"}, {"null", "null"}, {"~", "null <~>"}, {"0x1F", "31 <0x1F>"}, {"0o17", "15 <0o17>"}, {"0b11", "3 <0b11>"},
		{".inf", ".inf"}, {"-.INF", "-.inf <-.INF>"}, {".nan", ".nan"}, {"+.nan", `"+.nan"`}, {"+-.inf", `"+-.inf"`}, {"0x-1", `"0x-1"`}, {"0x1_0", `"0x1_0"`},
		{"yes", `"yes"`}, {"12", "12"}, {`"true"`, `quoted "true"`},
	} {
		tree, findings := Parse(source.NewFile("main.yay", "k: "+c.text), Options{YAMLScalars: true})
		if tree == nil {
			t.Fatal(findings)
		}
		if got, want := dump(tree), `key "k": `+c.want+"\n"; got != want {
			t.Errorf("k: %s gives %s, want %s", c.text, got, want)
		}
	}
}

// TestBlockTexts covers values below "|" and ">".
func TestBlockTexts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"k: |\n  a\n  b\n", `| "a\nb\n"`},
		{"k: |\n  a\n  b", `| "a\nb\n"`},
		{"k: |   \r\n  a\r\n  b\r\n", `| "a\nb\n"`},
		{"k: |\n    a\n      b\n\n    c\n\n\n", `| "a\n  b\n\nc\n"`},
		{"k: |\n  a\n    \n  b\n", `| "a\n  \nb\n"`},
		{"k: |-\n  a\n\n", `|- "a"`},
		{"k: |+\n  a\n\n \n", `|+ "a\n\n\n"`},
		{"k: |+\n  a", `|+ "a\n"`},
		{"k: |+\n  a\n\n ", `|+ "a\n\n"`},
		{"k: >\n  a\n  b\n\n  c  \n\n", `> "a b  c"`},
		{"k: >-\n  a\n  b\n", `>- "a b"`},
		{"k: >+\n  a\n\n", `>+ "a"`},
		{"k: |\n", `quoted ""`},
		{"k: |\n\n\n", `quoted ""`},
		{"k: |-\n  12\n", `|- "12"`},
		{"k: |\n  a: b\n  - c # d\n  # e\n  \"f\" {g} if x:\n\ti\n", ""},
		{"k: |\n  a: b\n  - c # d\n  # e\n  \"f\" {g} if x:\n  \ti\n", `| "a: b\n- c # d\n# e\n\"f\" {g} if x:\n\ti\n"`},
		{"k: |\n  {{ a }}\n  x{{ b }}\n", `| text a . "\nx" . b . "\n"`},
		{"k: >\n  {{ a }}\n\n", `> text a`},
		{"k: |-\n  {{ a }}\n", `|- text a`},
		{"k: |\n\n  a\n", `| "\na\n"`},
	} {
		tree, _ := Parse(source.NewFile("main.yay", c.text), Options{})
		got := ""
		if tree != nil {
			got = strings.TrimSuffix(strings.TrimPrefix(dump(tree), `key "k": `), "\n")
		}
		if got != c.want {
			t.Errorf("%q gives %s, want %s", c.text, got, c.want)
		}
	}
}

// TestExpressions covers how operators group.
func TestExpressions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2 + 3 * 4", "(2 + (3 * 4))"}, {"20 - 5 - 3", "((20 - 5) - 3)"}, {"2 ** 3 ** 2", "(2 ** (3 ** 2))"},
		{"-2 ** 2", "(- (2 ** 2))"}, {"2 ** -1", "(2 ** (- 1))"}, {"--~x", "(- (- (~ x)))"}, {"1 | 2 == 3", "((1 | 2) == 3)"},
		{"a | b ^ c & d << e + f", "(a | (b ^ (c & (d << (e + f)))))"}, {"a // b % c", "((a // b) % c)"}, {"a >> 1", "(a >> 1)"},
		{"not a == b", "(not (a == b))"}, {"not not a", "(not (not a))"}, {"a or b and not c", "(a or (b and (not c)))"}, {"a or b or c", "((a or b) or c)"},
		{"a in b", "(a in b)"}, {"a not in b", "(a not in b)"}, {"a <> b", "(a != b)"},
		{"a else b else c", "(a else (b else c))"}, {"a else b if c else d", "(a else (b if c else d))"}, {"a if c else b else d", "(a if c else (b else d))"},
		{"a if b else c if d else e", "(a if b else (c if d else e))"}, {"1 + x else 2", "((1 + x) else 2)"}, {"(a else b).c", "(a else b).c"},
		{"a, b", "[a, b]"}, {"a,", "a"}, {"(a, b,)", "[a, b]"}, {"()", "[]"}, {"(a)", "a"}, {"[a]", "[a]"}, {"[]", "[]"}, {"[a, b,]", "[a, b]"},
		{"{}", "{}"}, {`{"a": 1, b: {"c": 2},}`, `{"a": 1, b: {"c": 2}}`},
		{"a.b[0](c).d", "a.b[0](c).d"}, {"a.include.in.if", "a.include.in.if"}, {"a[b, c]", "a[[b, c]]"},
		{"l[1:2]", "l[1:2:-]"}, {"l[:]", "l[-:-:-]"}, {"l[::s]", "l[-:-:s]"}, {"l[a:]", "l[a:-:-]"}, {"l[-1]", "l[(- 1)]"},
		{"f()", "f()"}, {"f(a, b, c=d, in=e,)", "f(a, b, c=d, in=e)"}, {"f(a == b)", "f((a == b))"}, {"f(i for i in l)", "f([i for i in l])"},
		{"[i for i in l if i if j]", "[i for i in l if i if j]"}, {"[i for a, b in l for c in a else b]", "[i for a,b in l for c in (a else b)]"},
		{"{k: v for k in l}", "[k: v for k in l]"}, {"(i for i in l)", "[i for i in l]"},
		{"0", "0"}, {"0x1F + 0XfF", "(31 + 255)"}, {"0b101 + 0O17", "(5 + 15)"}, {".5 + 1e3 + 5. + 2E-1", "(((0.5 + 1000.0) + 5.0) + 0.2)"},
		{"123456789012345678901", "123456789012345678901"},
		{`"a\tb\\\"\x41\101\q"`, `"a\tb\\\"AA\\q"`}, {`'\u00e9\U0001F600\ud83d\ude00'`, `"é😀😀"`}, {`r"\n" + R'\''`, `("\\n" + "\\'")`}, {`u"x"`, `"x"`},
		{`"""a"b""" + '''c'd'''`, `("a\"b" + "c'd")`}, {`""`, `""`}, {`"}} # {{"`, `"}} # {{"`}, {"a # b", "a"},
		{"let + import + configure + create + here + self", "(((((let + import) + configure) + create) + here) + self)"},
	} {
		f := source.NewFile("-", c.text)
		n, err := parseExpression(f, f.Span(0, len(c.text)))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := node(n); got != c.want {
			t.Errorf("%s is %s, want %s", c.text, got, c.want)
		}
	}
}

// TestExpressionErrors gives the offset of the error and words of its message.
func TestExpressionErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		want   string
	}{
		{"", 0, "expected an expression"}, {"1 +", 3, `unexpected end of line: expected an expression after "+"`}, {"a b", 2, `unexpected "b"`},
		{"lambda x: 1", 0, "lambda is not supported"}, {"`a`", 0, "backticks are not supported"}, {"a < b < c", 6, "a chain of comparisons is not supported"},
		{"a == b not in c", 7, "chain"}, {"{a, b}", 0, "a set display is not supported"}, {"{a}", 0, "set display"}, {"a is b", 2, `"is" is not supported`},
		{"a not b", 6, `expected "in"`}, {"a if b", 6, `expected "else"`}, {"(a", 0, `the "(" is never closed`}, {"f([1], a", 1, `the "(" is never closed`}, {"a[1", 1, `the "[" is never closed`}, {"[a b]", 3, `expected "," or "]"`}, {"{a: 1", 0, `the "{" is never closed`},
		{"007", 0, "cannot begin with 0"}, {"1a", 0, "1a"}, {"1_000", 0, "1_000"}, {"0x1G", 0, "not a number"}, {"1L", 0, "1L"}, {"1e999", 0, "too large"},
		{`"a`, 0, "end of line"}, {`"a\`, 0, "end of line"}, {`"""a"`, 0, "closing"}, {`"\x4"`, 1, "bad escape"}, {`"\ud83d"`, 1, "bad escape"}, {`"\ud83dx\u0041"`, 1, "bad escape"},
		{`"a" "b"`, 4, "unexpected"}, {"$x", 0, `"$"`}, {"é", 0, `"é"`}, {"a.1", 1, `".1"`}, {"a.", 2, "expected a name"}, {"a[]", 2, "expected an expression"},
		{"a[1:2:3:4]", 7, `expected "]"`}, {"f(a=1, b)", 7, "without a name"}, {"f(a=1, a=2)", 7, "twice"}, {"f(*a)", 2, `"*"`}, {"set", 0, `"set"`},
		{"a = b", 2, `unexpected "="`}, {"a && b", 3, `"&"`}, {"a }", 2, `"}"`}, {"[i for if in l]", 7, `"if"`}, {"[i for i of l]", 9, `expected "in"`},
		{strings.Repeat("1", scan.MaxDigits+1), 0, "more than 5000 digits"},
	} {
		f := source.NewFile("-", c.text)
		_, err := parseExpression(f, f.Span(0, len(c.text)))
		d := source.AsDiagnostic(err, source.Span{}, "")
		if d == nil {
			t.Errorf("%s: no error", c.text)
			continue
		}
		if d.Code != source.Syntax || int(d.At.Start) != c.offset || !strings.Contains(d.Message, c.want) {
			t.Errorf("%s: %s at %d: %s; want %q at %d", c.text, d.Code, d.At.Start, d.Message, c.want, c.offset)
		}
	}
}

// TestErrors gives all findings of a text: place, code and words of the message.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"a: 1\n\tb: 2\n", []string{"2:1 indent tab"}},
		{"a:\n  b: 1\n \tc: 2\nd e\n", []string{"3:2 indent tab"}},
		{"q:\n      c:\n          r: 30\n        w: 4\n", []string{"4:9 indent inconsistent"}},
		{"k: |\n    a\n  b\n", []string{"3:3 indent inconsistent"}},
		{"- k:\n    x: 1\n   y: 2\n", []string{"3:4 indent inconsistent"}},
		{"  a: 1\nb: 2\n  c: 3\n", []string{"2:1 indent inconsistent"}},
		{"select a:\n    b:\n      c: 1\n   d: 2\n", []string{"4:4 indent inconsistent"}},
		{"a: 1\n  b: 2\nc: 3\n", []string{"2:3 syntax indentation"}},
		{"- a\n    b\n", []string{"2:5 syntax indentation"}},
		{"select a:\n  b: 1\n    c: 2\n", []string{"3:5 syntax indentation"}},
		{"set a = 1\n  b: 1\n", []string{"2:3 syntax indentation"}},
		{"a: 1\nif 1:\n", []string{"3:1 syntax end of file"}},
		{"if 1:\nb: 1\n", []string{`2:1 syntax unexpected "b"`}},
		{"extend a:\nb: 1\n", []string{`2:1 syntax extends "a"`}},
		{"extend a:", []string{"1:10 syntax end of file"}},
		{"extend\n", []string{"1:7 syntax extend needs a key"}},
		{"else:\n  a: 1\nelif b:\n  c: 1\n", []string{`1:1 syntax "else"`}},
		{"if a:\n  b: 1\nelse:\n  c: 1\nelse:\n  d: 1\n", []string{`5:1 syntax "else"`}},
		{"if a\n  b: 1\nelif c:\n  d: 1\nelse:\n  e: 1\nf g\n", []string{`1:5 syntax "if" needs a colon`, `7:3 syntax "g"`}},
		{"if a: b\n", []string{"1:7 syntax next line"}},
		{"if a: b: 1\n", []string{"1:7 syntax next line"}},
		{"in: 4\n", []string{`1:1 syntax "in": it is a reserved word and cannot be a key`}},
		{"set : 4\ninclude:\nand b\n", []string{"1:1 syntax reserved", "2:1 syntax reserved", "3:1 syntax reserved"}},
		{"deck plan: a\n", []string{`1:6 syntax "plan": a key cannot contain blanks`}},
		{"\"a b\": 1\n", []string{"1:4 syntax blanks"}},
		{"x:\n  - a\n  b\n  - c\n", []string{"3:3 syntax end of line"}},
		{"b", []string{"1:1 syntax colon"}},
		{": a\n", []string{`1:1 syntax ":"`}},
		{"a: b: c\n", []string{`1:5 syntax ":"`}},
		{"a: b:\n", []string{`1:5 syntax ":"`}},
		{"- a b: c\n", []string{`1:6 syntax ":"`}},
		{"a: \"b\" c: d\n", []string{`1:9 syntax ":"`}},
		{"a: \"b\n", []string{"1:4 syntax end of line"}},
		{"a: {{ 1 +\nb: {{ $x }}\nc: {{ }}\n", []string{"1:10 syntax end of line", `2:7 syntax "$"`, `3:7 syntax "}}"`}},
		{"a: {{ b # c }}\n", []string{"1:15 syntax end of line"}},
		{"k: |\n  a {{ b\n  c\nd e\n", []string{"2:9 syntax end of line", `4:3 syntax "e"`}},
		{"- \n", []string{"1:1 syntax item needs a value"}},
		{"- # a\n", []string{"1:1 syntax item needs a value"}},
		{"- - a\n-\n", []string{`1:3 syntax list directly in a list`, "2:1 syntax value"}},
		{"x:\n  - - 1\n    - 2\n", []string{`2:5 syntax "-"`}},
		{"{{ a }}\n", []string{`1:1 syntax only allowed in the body of a loop`}},
		{"{{ a }}: 1\n", []string{`1:1 syntax a key cannot be an expression`}},
		{"for a in b:\n  {{ a }} c\n", []string{`2:11 syntax "c"`}},
		{"for a in b:\n  c:\n    {{ a }}\n", []string{"3:5 syntax loop"}},
		{"for a b:\n  - 1\n", []string{`1:7 syntax expected "in"`}},
		{"for a.b in c:\n  - 1\n", []string{`1:6 syntax expected "in"`}},
		{"for a in b if c if d:\n  - 1\n", []string{`1:21 syntax expected "else"`}},
		{"set a.b = 1\nset a[0] = 1\nset a\nset = 1\nset a = 1:\n", []string{`1:6 syntax only a name`, "2:6 syntax only a name", `3:6 syntax expected "="`, "4:5 syntax a name", `5:10 syntax ":"`}},
		{"set a =", []string{"1:8 syntax end of file"}},
		{"set a = 1 + \\\n\nb c\n", []string{"2:1 syntax end of line", `3:3 syntax "c"`}},
		{"macro a, b:\n  c: 1\n", []string{`1:8 syntax ","`}},
		{"macro a:\n", []string{"2:1 syntax end of file"}},
		{"new :\n  a: 1\nnew P as :\n  a: 1\nnew P\n", []string{"1:1 syntax reserved", "3:10 syntax a key", "5:6 syntax colon"}},
		{"select a:\n  - 1\n", []string{`2:3 syntax case of select`}},
		{"select a:\n  in: 1\n  b c: 1\n", []string{`2:3 syntax "in"`, `3:5 syntax "c"`}},
		{"select a:\nb: 1\n", []string{`2:1 syntax "b"`}},
		{"% foo a\n% import\n", []string{`1:3 syntax "foo"`, "2:9 syntax the name of a file"}},
		{"a: 1\nb: \x00\n", []string{"2:4 syntax NUL"}},
		{"a: 1\nb: é\xff\n", []string{"2:5 syntax 0xff"}},
		{"a: {{ \"\\x\" }}\nb: {{ 1 }\n", []string{"1:8 syntax bad escape", `2:9 syntax "}"`}},
		{"a:\r  b c: 1\r\nd e: 2", []string{`2:5 syntax "c"`, `3:3 syntax "e"`}},
		{"a: 1\n\uFEFFb: 1\n", []string{"2:1 syntax byte order mark"}},
		{"\uFEFFa b: 1\n", []string{`1:3 syntax "b"`}},
		{"é ü: 1\n", []string{`1:3 syntax "ü"`}},
	} {
		tree, findings := Parse(source.NewFile("main.yay", c.text), Options{})
		if tree != nil {
			t.Errorf("%q: no error, but\n%s", c.text, dump(tree))
			continue
		}
		if len(findings) != len(c.want) {
			t.Errorf("%q: %d findings, want %d: %v", c.text, len(findings), len(c.want), findings)
			continue
		}
		for i, d := range findings {
			checkFinding(t, c.text, d, c.want[i])
		}
	}
}

// checkFinding compares a finding with "line:col code words".
func checkFinding(t *testing.T, text string, d *source.Diagnostic, want string) {
	t.Helper()
	place, rest, _ := strings.Cut(want, " ")
	code, words, _ := strings.Cut(rest, " ")
	line, col := d.At.File.Position(int(d.At.Start))
	if fmt.Sprintf("%d:%d", line, col) != place || string(d.Code) != code || !strings.Contains(d.Message, words) {
		t.Errorf("%q: %v, want %s", text, d, want)
	}
}

func TestParseManyErrors(t *testing.T) {
	_, findings := Parse(source.NewFile("main.yay", strings.Repeat("a b\n", 1000)), Options{})
	if len(findings) != maxFindings {
		t.Fatalf("%d findings, want %d", len(findings), maxFindings)
	}
	if notes := findings[maxFindings-1].Notes; len(notes) != 1 || notes[0].Message != "there may be more: only the first 20 are reported" {
		t.Errorf("the last finding has the notes %v, want one that there may be more", notes)
	}
}

func TestParseDeep(t *testing.T) {
	blocks := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%*sk:\n", i, "")
		}
		return b.String() + strings.Repeat(" ", n) + "k: 1\n"
	}
	for _, c := range []struct {
		name, text string
		depth      int
		ok         bool
	}{
		{"blocks", blocks(900), 0, true},
		{"blocks", blocks(1001), 0, false},
		{"blocks", blocks(5), 5, false},
		{"blocks", blocks(4), 5, true},
		{"brackets", "k: {{ " + strings.Repeat("(", 900) + "1" + strings.Repeat(")", 900) + " }}", 0, true},
		{"brackets", "k: {{ " + strings.Repeat("(", 1100) + "1" + strings.Repeat(")", 1100) + " }}", 0, false},
		{"signs", "k: {{ " + strings.Repeat("-", 5000) + "1 }}", 0, false},
		{"nots", "k: {{ " + strings.Repeat("not ", 5000) + "1 }}", 0, false},
		{"powers", "k: {{ 1" + strings.Repeat(" ** 1", 5000) + " }}", 0, false},
		{"fallbacks", "k: {{ 1" + strings.Repeat(" else 1", 5000) + " }}", 0, false},
		{"fallbacks of a loop", "for a in 1" + strings.Repeat(" else 1", 5000) + ":\n  - 1", 0, false},
		{"sums", "k: {{ 1" + strings.Repeat("+1", 30_000) + " }}", 0, false},
		{"attributes", "k: {{ a" + strings.Repeat(".a", 30_000) + " }}", 0, false},
		{"unclosed", "k: {{ " + strings.Repeat("[", 100_000), 0, false},
	} {
		tree, findings := Parse(source.NewFile("main.yay", c.text), Options{MaxDepth: c.depth})
		switch {
		case c.ok != (tree != nil):
			t.Errorf("%s: %v, want success %v", c.name, findings, c.ok)
		case !c.ok && findings[0].Code != source.Limit:
			t.Errorf("%s: %v, want a limit", c.name, findings[0])
		}
	}
}

// TestSecretErrors makes sure that messages show nothing of an encrypted file.
func TestSecretErrors(t *testing.T) {
	for _, text := range []string{"hunter2 x: 1", "hunter2", "a: {{ hunter2 hunter2 }}", "a: {{ 1hunter2 }}", "a: {{ f(hunter=1, hunter=2) }}", "a: {{ \"\\xhunter2\" }}", "set hunter2 hunter2 = 1", "if 1:\nhunter2: 1", "extend hunter2:\n", "% hunter2\n", "for a in b:\n  {{ a }} hunter2"} {
		f := source.NewFile("main.yay.gpg", text)
		f.Secret = true
		_, findings := Parse(f, Options{})
		if len(findings) == 0 {
			t.Errorf("%q: no error", text)
		}
		for _, d := range findings {
			if strings.Contains(d.Message+d.Hint, "hunter") {
				t.Errorf("%q: %s (%s)", text, d.Message, d.Hint)
			}
		}
	}
}

func TestNumbersKeepTheirSpelling(t *testing.T) {
	tree, _ := treeOf(t, "a: 007\n")
	v := tree.Root.Stanzas[0].(*Pair).Value.(*Scalar).Val
	if i, ok := v.Int(); !ok || i != 7 || v.Source() == nil || v.Source().Spelling != "007" {
		t.Errorf("007 is %v with %+v", v, v.Source())
	}
	if !v.Is(value.IntKind) {
		t.Errorf("007 is of kind %s", v.Kind())
	}
}

// manyKeys is a mapping of texts, numbers and expressions.
func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "key_%d: %d\n", i, i)
		case 1:
			fmt.Fprintf(&b, "key_%d: some plain text %d\n", i, i)
		case 2:
			fmt.Fprintf(&b, "key_%d: {{ key_%d + 1 }}\n", i, i-2)
		case 3:
			fmt.Fprintf(&b, "key_%d:\n  a: x{{ key_%d }}/y\n  b: \"quoted\"\n", i, i-3)
		}
	}
	return b.String()
}

// manyItems is a list of mappings with directives in them.
func manyItems(n int) string {
	var b strings.Builder
	b.WriteString("resources:\n")
	for i := range n {
		fmt.Fprintf(&b, "  # number %d\n  - File:\n      name: /etc/{{ name }}/%d\n      mode: 644\n    when: later\n  if a == %d:\n    - Link\n", i, i, i)
	}
	return b.String()
}

func benchmarkParse(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if tree, findings := Parse(source.NewFile("main.yay", text), Options{}); tree == nil {
			b.Fatal(findings)
		}
	}
}

func BenchmarkParseKeys(b *testing.B)  { benchmarkParse(b, manyKeys(10_000)) }
func BenchmarkParseItems(b *testing.B) { benchmarkParse(b, manyItems(2_000)) }

// seeds are texts with something of everything.
var seeds = []string{
	"",
	"a: 1\nb:\n  - x\n  - y: 2\n    z: {{ a + 1 }}\n",
	"if a == 1 and \\\n   b:\n  c: d\nelif e:\n  - 1\nelse:\n  {{ x }}\n",
	"x:\n  for a, b in c else [] if d:\n    {{ a }}\n    set e = a\n    - {{ e }}x\n",
	"select a else \"b\":\n  a: 1\n  else:\n    - 2\n",
	"macro m:\n  k: {{ p }}\ncall m:\n  p: 1\nnew P as q:\n  r: 1\nprototype P:\n  s: {}\n",
	"% import {{ a }}.yay\n% for i in b\n  - 1\n% let c = 4\n",
	"a: |\n  x {{ y }}\n\n   z\nb: >\n  c\n  d\ne: |+\n\n",
	"extend k:\n- 1\n- if a:\n    b: 1\n  else:\n    c: 2\n- new X: {}\n",
	"a: \"q {{ 'x' }}: # y\" z\nb: {{ [i for i in {1: 2} if i] }} # c\n",
	"\uFEFFa: 1\r\nb: 2\rc:\n  \n   # d\n",
	"configure x:\n  y: z\ncreate \"p:C\":\n  a: 1\nsearch \"l\"\ninclude a, b\n",
	"a:\n\tb: 1\n", "a: {{ 1 +\n", "- - a\n", "a b: c\n  d: e\n f: g\n",
}

// addSeeds adds the texts above and the documents of testdata.
func addSeeds(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(a.Files[0].Data))
	}
}

// FuzzParse looks for a panic, and for places outside of the text.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("f.yay", text)
		tree, findings := Parse(file, Options{})
		if (tree == nil) != (len(findings) > 0) {
			t.Fatalf("tree %v with findings %v", tree != nil, findings)
		}
		for i, d := range findings {
			if d.At.File != file || d.At.End < d.At.Start || d.Message == "" {
				t.Errorf("finding %d has the place %v and the message %q", i, d.At, d.Message)
			}
			if i > 0 && d.At.Start < findings[i-1].At.Start {
				t.Errorf("finding %d is not after the one before it", i)
			}
		}
		if tree != nil {
			dump(tree)
		}
	})
}
