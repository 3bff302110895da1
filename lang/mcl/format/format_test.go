package format_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/mcl/format"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

func formatted(t *testing.T, text string) string {
	t.Helper()
	p, err := syntax.Parse(source.NewFile("a.mcl", text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	got, err := format.Format(p)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return got
}

// Where comments and line breaks go that the cases do not show (spec: mcl-format, sections 3, 4 and 7).
func TestLayout(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"blank lines", "\n \n\t\n", ""},
		{"a comment alone", "\n\n  # a", "# a\n"},
		{"byte order mark", "\uFEFF$a=1", "$a = 1\n"},
		{"outer list opens for a comment in the inner one", "$x = [[\n1, # c\n]]", "$x = [\n\t[\n\t\t1, # c\n\t],\n]\n"},
		{"a call does not", "$x = f([\n1, # c\n])", "$x = f([\n\t1, # c\n])\n"},
		{"comment on the header of an empty block", "if true { # c\n}\n", "if true { # c\n}\n"},
		{"comment goes behind the first part of its row", "note \"x\" {\nv => [\n1,\n], w => 2, # d\n}", "note \"x\" {\n\tv => [\n\t\t1,\n\t], # d\n\tw => 2,\n}\n"},
		{"comment between lines of a type", "func e($f func(\nint, # c\n) int) int { 1 }", "func e(\n\t$f func(int) int,\n\t# c\n) int { 1 }\n"},
		{"comment before a brace", "note \"x\" # c\n{\na => 1, }", "note \"x\" {\n\t# c\n\n\ta => 1,\n}\n"},
		{"comment before else", "if true {\n$a = 1\n} # c\nelse {\n$b = 2\n}", "if true {\n\t$a = 1\n} else {\n\t# c\n\n\t$b = 2\n}\n"},
		{"comment in an operator", "$a = 1 + # c\n2\n$b = 3", "$a = 1 + 2\n# c\n\n$b = 3\n"},
		{"comment between statements of one row", "$a = 1 $b = 2 # c", "$a = 1 # c\n$b = 2\n"},
		{"comment behind an empty pair of parentheses", "class c() # c\n{\n}", "class c() {\n\t# c\n\n}\n"},
		{"commas on rows of their own", "note \"x\" {\na => 1\n,\nb => [\n1\n, # c\n2],\n}", "note \"x\" {\n\ta => 1,\n\tb => [\n\t\t1, # c\n\t\t2,\n\t],\n}\n"},
		{"only the first element decides", "$a = [1,\n2]\n$b = [\n1, 2]", "$a = [1, 2]\n$b = [\n\t1,\n\t2,\n]\n"},
		{"the first value of an if decides", "$a = if $b { 1\n} else { 2 }\n$c = if $b {\n1 } else { 2 }", "$a = if $b { 1 } else { 2 }\n$c = if $b {\n\t1\n} else {\n\t2\n}\n"},
		{"blank lines in brackets", "$a = [\n\n1,\n\n\n2,\n\n]", "$a = [\n\n\t1,\n\n\t2,\n\n]\n"},
		{"history beside a brace", "$a = if $b{1} == 2 { 1 } else { 2 }", "$a = if $b{1} == 2 { 1 } else { 2 }\n"},
		{"a branch without a blank", "$a = if $b{1}else{2}", "$a = if $b { 1 } else { 2 }\n"},
		{"fallbacks", "$a=$s->x<|>$s->y<|>0\n$b=not $l[0]<|>true", "$a = $s->x <|> $s->y <|> 0\n$b = not $l[0] <|> true\n"},
		{"signs", "$a=8--3\n$b=[-0,-0.0,-1.0]", "$a = 8 - -3\n$b = [0, -0.0, -1.0]\n"},
		{"large and small floats", "$a = [100000000000000000000000.0, 0.10]", "$a = [100000000000000000000000.0, 0.1]\n"},
		{"strings over lines", "$a = [\"x\r\n # no comment\ny\", # c\n]", "$a = [\n\t\"x\r\n # no comment\ny\", # c\n]\n"},
		{"moved into brackets", "$f = func($x) { func($y) {\n$y } } # c", "$f = func($x) {\n\tfunc($y) {\n\t\t$y # c\n\t}\n}\n"},
	}
	for _, test := range tests {
		if got := formatted(t, test.text); got != test.want {
			t.Errorf("%s:\ngot:\n%s\nwant:\n%s", test.name, got, test.want)
		}
	}
}

// Without its indentation, and with other blanks at the ends of lines, a program is formatted the same.
func TestIndentation(t *testing.T) {
	for name, text := range programs(t) {
		p, err := syntax.Parse(source.NewFile(name, text))
		if err != nil || strings.Contains(text, "\r") {
			continue
		}
		want, err := format.Format(p)
		if err != nil {
			continue
		}
		if multiline(p) {
			continue
		}
		var lines []string
		for _, line := range strings.Split(want, "\n") {
			lines = append(lines, strings.TrimLeft(line, "\t"))
		}
		if got := formatted(t, strings.Join(lines, "\n")); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// multiline reports whether a program has a string with a line break.
func multiline(p *syntax.Program) bool {
	found := false
	syntax.WalkBlock(&p.Body, func(s syntax.Stmt) bool {
		for x := range syntax.Exprs(s) {
			syntax.Walk(x, func(x syntax.Expr) bool {
				s, ok := x.(*syntax.Str)
				found = found || ok && strings.Contains(s.At.Text(), "\n")
				return true
			})
		}
		return true
	})
	return found
}

// An annotation that its literal contradicts is refused (spec: mcl-format, section 1).
func TestContradictions(t *testing.T) {
	tests := []struct{ text, want string }{
		{"$a int = 1\n$b float = 1.0\n$c str = \"${x}\"\n$d bool = true", ""},
		{"$a []int = [1, $y, f()]\n$b map{str: int} = {\"a\" => $x}\n$c struct{a int; b []str} = struct{a => 1, b => []}", ""},
		{"$a variant = 1\n$b int = $x\n$c str = if true { 1 } else { 2 }", ""},
		{"$a int = \"x\"", "a.mcl:1:10: expected int, found str [type-conflict]"},
		{"$a float = 1", "a.mcl:1:12: expected float, found int [type-conflict]"},
		{"$a str = (true)", "a.mcl:1:11: expected str, found bool [type-conflict]"},
		{"$a []int = [1, [2]]", "a.mcl:1:16: expected int, found a list [type-conflict]"},
		{"$a []int = {}", "a.mcl:1:12: expected []int, found a map [type-conflict]"},
		{"$a {str: int} = {\"a\" => \"b\"}", "a.mcl:1:25: expected int, found str [type-conflict]"},
		{"$a map{int: str} = {\"a\" => \"b\"}", "a.mcl:1:21: expected int, found str [type-conflict]"},
		{"$a struct{a int} = struct{b => 1}", "a.mcl:1:20: expected struct{a int}, found a struct with the fields b [type-conflict]"},
		{"$a struct{a int; b int} = struct{b => 1, a => 2}", "a.mcl:1:27: expected struct{a int; b int}, found a struct with the fields b, a [type-conflict]"},
		{"$a struct{a int} = struct{}", "a.mcl:1:20: expected struct{a int}, found a struct without fields [type-conflict]"},
		{"$a struct{a int} = struct{a => 1.5}", "a.mcl:1:32: expected int, found float [type-conflict]"},
		{"if true {\nclass c {\n$a int = 1.5\n}\n$b str = 1\n}", "a.mcl:3:10: expected int, found float [type-conflict]\na.mcl:5:10: expected str, found int [type-conflict]"},
	}
	for _, test := range tests {
		p, err := syntax.Parse(source.NewFile("a.mcl", test.text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = format.Format(p)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.text, got, test.want)
		}
	}
}

// Time grows with the size of a program, not with its nesting: rows are not searched in subtrees.
func TestSizes(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("note \"x\" {\n\ta => [1, 2],\n}\n", 20_000),
		strings.Repeat("if true {\n", 900) + strings.Repeat("}", 900),
		"$a = " + strings.Repeat("[", 900) + "\n1, # c\n" + strings.Repeat("]", 900),
		"$a = 1" + strings.Repeat(" +\n1", 15_000),
		strings.Repeat("# c\n\n", 50_000),
	} {
		formatted(t, text)
	}
}
