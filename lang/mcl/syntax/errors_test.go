package syntax_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// failure returns "place text: message (hint)" of each error of a text.
func failure(text string) []string {
	p, err := syntax.Parse(source.NewFile("m", text))
	all := source.Findings(err)
	if err == nil {
		all = p.Problems
	}
	var lines []string
	for _, d := range all {
		line := d.At.String() + " " + d.At.Text() + ": " + d.Message
		if d.Code != source.Syntax {
			line += " [" + string(d.Code) + "]"
		}
		if d.Hint != "" {
			line += " (" + d.Hint + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		// What users of other languages write.
		{"file \"a\" { \"mode\" => 1, }", `m:1:12 "mode": unexpected "\"mode\"": expected a field, an edge such as Before, or "}" (a name has no quotes)`},
		{"File \"a\" { mode => 1, }", `m:1:6 "a": unexpected "\"a\"": expected "[" (a resource begins with a small letter: file "a" { ... })`},
		{"pkg \"a\" { before => Pkg[\"b\"], }", `m:1:21 Pkg: unexpected "Pkg": expected an expression (an edge has a capital letter: Before)`},
		{"pkg \"a\" { require => Pkg[\"b\"], }", `m:1:22 Pkg: unexpected "Pkg": expected an expression (this edge is called Depend)`},
		{"pkg \"a\" { Subscribe => Pkg[\"b\"], }", `m:1:11 Subscribe: unexpected property "Subscribe": the edges of a resource are Before, Depend, Notify and Listen (this edge is called Listen)`},
		{"pkg \"a\" { Before => pkg[\"b\"], }", `m:1:21 pkg: unexpected "pkg": expected an expression (the end of an edge has a capital letter: Pkg[...]; a variable is written $pkg)`},
		{"pkg[\"a\"] -> pkg[\"b\"]", `m:1:21 : unexpected end of text: expected "{" (the end of an edge has a capital letter: Pkg[...])`},
		{"aws:ec2[\"a\"] -> pkg[\"b\"]", `m:1:25 : unexpected end of text: expected "{" (the end of an edge has a capital letter: Aws:Ec2[...])`},
		{"A[\"a\"] ~> B[\"b\"]", `m:1:8 ~: unexpected character "~" (the arrow between edges is ->; the line "Notify => Kind["name"]," makes one that notifies)`},
		{"let $x = 3", `m:1:8 =: unexpected "=": expected "{" (to bind a variable write $x =)`},
		{"var x = 3", `m:1:5 x: unexpected "x": expected an expression (to bind a variable write $x =)`},
		{"$x: bool = true", `m:1:3 :: unexpected ":": expected "=" or a type (a type has no colon in front: $x int)`},
		{"$x: int = 3", `m:1:3 :: unexpected ":": expected "=" or a type (a type has no colon in front: $x int)`},
		{"$x += 3", `m:1:4 +: unexpected "+": expected "=" or a type (a variable is bound once: $x = value)`},
		{"$x = null", `m:1:6 null: unexpected "null": expected an expression (there is no null; a condition leaves a line out: field => c ?: value,)`},
		{"$x = True", `m:1:6 True: unexpected "True": expected an expression (write true)`},
		{"$x = 2 ** 3", `m:1:9 *: unexpected "*": expected an expression (write math.pow(a, b), of floats)`},
		{"$x = .5", `m:1:6 .: unexpected ".": expected an expression (write 0.5)`},
		{"note \"a\" { x => 1e3, }", `m:1:18 e3: unexpected "e3": expected a comma at the end of the line (a number has decimal digits and at most one point: no exponent, no other base)`},
		{"for $x in [1] { }", `m:1:8 in: unexpected "in": expected "," (a loop has two variables: for $index, $x in ..., forkv $key, $value in ...)`},
		{"func f($x) { return $x }", `m:1:14 return: unexpected "return": expected an expression (the body of a function is its result, without "return")`},
		{"func f($x) -> int { $x }", `m:1:12 ->: unexpected "->": expected the body of the function, or the type of its result (the type of the result has no mark in front: func f($x int) int { ... })`},
		{"func f($x = 1) { $x }", `m:1:11 =: unexpected "=": expected a comma, a type or ")" (a parameter has no default)`},
		{"include c { x => 1 }", `m:1:11 {: unexpected "{": expected the end of the statement (the arguments of a class are in parentheses: include c(...))`},
		{"$size_ = 10", `m:1:2 size_: unexpected "_" at the end of the name "size_" (write size)`},
		{"$a = 'x'", `m:1:6 ': unexpected character "'" (strings have double quotes: "text")`},
		{"$a = 8 -3", `m:1:8 -3: unexpected "-3": expected a statement (a minus that touches a digit is its sign; to subtract write "- 3")`},
		{"$a = f(8 -3)", `m:1:10 -3: unexpected "-3": expected a comma or ")" (a minus that touches a digit is its sign; to subtract write "- 3")`},
		{"$a = -$b", `m:1:6 -: unexpected "-": expected an expression (there is no negation; write 0 - $b)`},
		{"$a = - 3", `m:1:6 -: unexpected "-": expected an expression (a negative number has no blank after its sign)`},
		{"$a = 1 < 2 < 3", `m:1:12 <: unexpected "<": comparisons do not chain (write parentheses, or join two comparisons by "and")`},
		{"$a = 9223372036854775808", `m:1:6 9223372036854775808: overflow: the number 9223372036854775808 is too large (an int has 64 bits, from -9223372036854775808 to 9223372036854775807)`},
		{"$a = " + strings.Repeat("9", 400) + ".0", `m:1:6 ` + strings.Repeat("9", 400) + `.0: overflow: the number 99999999999999999999...99999999.0 is too large (a float has at most 309 digits before the point)`},
		{"$a = \"x", `m:1:6 ": unexpected end of text: the string has no closing quote`},
		{"$a = 1.", `m:1:7 .: unexpected ".": expected a statement`},
		{"$a = foo", `m:1:6 foo: unexpected "foo": expected an expression (a variable is written $foo, a call foo(), a text "foo")`},
		{"$a = foo{1}", `m:1:6 foo: unexpected "foo": expected an expression (a variable is written $foo, a call foo(), a text "foo")`},
		{"$a = [1, , 2]", `m:1:10 ,: unexpected ",": expected an expression`},
		{"$a = [, 2]", `m:1:7 ,: unexpected ",": expected an expression`},
		{"$a = [1 2]", `m:1:9 2: unexpected "2": expected a comma or "]"`},
		{"$a = {\"a\": 1}", `m:1:10 :: unexpected ":": expected "=>" (write => between a name and its value)`},
		{"$if = 1", `m:1:2 if: unexpected "if": expected the name of a variable ("if" is a word of the language: it cannot be a name)`},
		{"$Foo = 1", `m:1:2 Foo: unexpected "Foo": expected the name of a variable (names have small letters, digits and "_")`},
		{"$fooBar = 1", `m:1:5 Bar: unexpected "Bar": expected "=" or a type (names have small letters, digits and "_")`},
		{"$a.b = 1", `m:1:3 .: unexpected ".": expected "=" or a type`},
		{"$a = if true { 8 }", `m:1:19 : unexpected end of text: expected "else", which an if expression requires`},
		{"$a = if true { 8 } else if false { 9 } else { 1 }", `m:1:25 if: unexpected "if": expected "{" after "else" (nest it: else { if ... { } else { } })`},
		{"if true { } else if false { }", `m:1:18 if: unexpected "if": expected "{" after "else" (nest it: else { if ... { } })`},
		{"note \"x\" {\n\ta => 1\n}\n", `m:2:8 : unexpected end of the line: its comma is missing (each line of a resource ends with a comma)`},
		{"note \"x\" { a => 1 b => 2, }", `m:1:18 : unexpected end of the line: its comma is missing (each line of a resource ends with a comma)`},
		{"note \"x\" { a => 1 2, }", `m:1:19 2: unexpected "2": expected a comma at the end of the line`},
		{"note \"x\" {\n\ta => 1,", `m:2:9 : unexpected end of text: expected "}"`},
		{"note \"x\" { b = 2, }", `m:1:14 =: unexpected "=": expected "=>" (write => between a name and its value)`},
		{"note \"x\" { Before => \"y\", }", `m:1:25 ,: unexpected ",": expected "?:", since the value of Before is the end of an edge such as Kind["name"] (write Kind["y"])`},
		{"note \"x\" { Bfore => Note[\"y\"], }", `m:1:12 Bfore: unexpected property "Bfore": the edges of a resource are Before, Depend, Notify and Listen (did you mean "Before"?)`},
		{"note \"x\" { Meta => Note[\"y\"], }", `m:1:12 Meta: unexpected property "Meta": the edges of a resource are Before, Depend, Notify and Listen`},
		{"note \"x\" { Noop:x => 1, }", `m:1:16 :: unexpected ":": expected "=>" (write => between a name and its value)`},
		{"Note[\"a\"]", `m:1:1 Note["a"]: unexpected single end of an edge (an edge has two: Note[...] -> Kind["name"]; a resource begins with a small letter)`},
		{"Note[\"a\"].x", `m:1:12 : unexpected end of text: expected "->"`},
		{"x = 1", `m:1:3 =: unexpected "=": expected the name of a resource of the kind x (to bind a variable write $x =)`},
		{"import fmt", `m:1:8 fmt: unexpected "fmt": expected a string: the name of a module, or a path (write "fmt")`},
		{"}", `m:1:1 }: unexpected "}": expected a statement`},
		{"$a = f.g", `m:1:9 : unexpected end of text: expected "(" after the name of the function f.g (as a value it is written func($x) { f.g($x) })`},
		{"$a = 1e5", `m:1:7 e5: unexpected "e5": expected the end of the number (a number has decimal digits and at most one point: no exponent, no other base)`},
		{"$a = 0x1f", `m:1:7 x1f: unexpected "x1f": expected the end of the number (a number has decimal digits and at most one point: no exponent, no other base)`},
		{"$a = 1in[1]\n$b = if $c{1}else{2}", ``},
		{"file /a {}", `m:1:6 /: unexpected "/": expected an expression (a text, such as a path, is in quotes)`},
		{"note \"x\" { Before => [Note[\"y\"]], }", `m:1:23 Note: unexpected "Note": expected an expression (Note[...] is the end of an edge, and no value: an edge has one, with a name or a list of names)`},
		{"// c", `m:1:1 /: unexpected "/": expected a statement (a comment begins with #)`},
		{"$a = 1;", `m:1:7 ;: unexpected ";": expected a statement (statements need no mark between them)`},
		{"$a := 1", `m:1:4 :: unexpected ":": expected "=" or a type (a variable is bound by $x = value)`},
		{"$a string = \"x\"", `m:1:4 string: unexpected "string": expected "=" or a type (this type is called str)`},
		{"$a []text = []", `m:1:6 text: unexpected "text": expected the type of the elements (the types are bool, str, int, float, []T, map{K: V}, struct{name T} and func(T) T)`},
		{"func f(a) { $a }", `m:1:8 a: unexpected "a": expected a variable such as $x (write $a)`},
		{"class Foo {}", `m:1:7 Foo: unexpected "Foo": expected the name of a class (names have small letters, digits and "_")`},
		{"if $a {} elsif $b {}", `m:1:10 elsif: unexpected "elsif": expected "else" or the next statement (nest it: else { if ... { } })`},
		{"$a = \"\\q \\z\"", `m:1:7 \q: unexpected escape \q in a string (there are \a \b \f \n \r \t \v \\ \" \$, \xHH, \uHHHH, \UHHHHHHHH and three octal digits; a backslash is written \\)`},
		{"$a = \"\\x4\"", `m:1:7 \x: unexpected escape \x in a string: it needs 2 digits to the base 16 that are a character`},
		{"$a = \"a\\xff\"", `m:1:8 \xff: the escape \xff makes the string something else than UTF-8`},
		{"$a = \"hi ${who\"", `m:1:10 ${: unexpected end of the string: "${" is not closed (write \${ for the characters themselves)`},
		{"$a = \"${1 + 2}\"", `m:1:7 ${1 + 2}: unexpected reference ${1 + 2} in a string (the name of a variable goes between the braces; write \${ for the characters themselves)`},
		{"$a = 1\r$b = 2", "m:1:7 \r: unexpected carriage return without a line break"},
		{"# a\rb\n$b = 2", "m:1:4 \r: unexpected carriage return without a line break"},
		{"$a = 1\x00", "m:1:7 \x00: unexpected NUL character: the file is not text"},
		{"$a = \"\xff\"", "m:1:7 \xff: unexpected byte 0xff: the file is not UTF-8"},
		{"$a = " + strings.Repeat("(", 2000), "m:1:1007 (: the program is nested more than 1000 levels deep [limit]"},
		{strings.Repeat("if true {", 2000), "m:1:9009 {: the program is nested more than 1000 levels deep [limit]"},
		{"$a = " + strings.Repeat("not ", 2000) + "$b", "m:1:4006 not: the program is nested more than 1000 levels deep [limit]"},
		{"$a []" + strings.Repeat("[]", 2000) + "int = []", "m:1:2004 [: the program is nested more than 1000 levels deep [limit]"},
		{"$a = $s" + strings.Repeat("->a <|> $s", 2000), "m:1:10016 $: the program is nested more than 1000 levels deep [limit]"},
	}
	for _, test := range tests {
		if got := strings.Join(failure(test.text), "\n"); got != test.want {
			t.Errorf("%.60q:\ngot  %s\nwant %s", test.text, got, test.want)
		}
	}
}

// A bracket that is open where the next line begins is noted.
func TestOpenBracket(t *testing.T) {
	for text, want := range map[string]string{
		"$a = [1, 2\n$b = 3":        "m:1:6",
		"if true {\n\tnote \"x\" {": "m:2:11",
		"$a = f(1 2)":               "",
	} {
		_, err := syntax.Parse(source.NewFile("m", text))
		d := source.Findings(err)[0]
		got := ""
		if len(d.Notes) > 0 {
			got = d.Notes[0].At.String()
		}
		if got != want {
			t.Errorf("%q: %v with a note at %q, want %q", text, d, got, want)
		}
	}
}

// A chain of operators makes a high tree, which the passes over it walk by recursion.
func TestHighTree(t *testing.T) {
	for _, text := range []string{"1" + strings.Repeat(" + 1", 30_000), "$s" + strings.Repeat("->a", 30_000), "$l" + strings.Repeat("[0]", 30_000)} {
		if got := failure("$a = " + text); len(got) != 1 || !strings.Contains(got[0], "more than 20000 operators in a row [limit]") {
			t.Errorf("%.20s: %.300q", text, got)
		}
	}
	p := parse(t, "$a = 1"+strings.Repeat(" + 1", 19_000))
	if p.Exprs != 2*19_000+1 {
		t.Errorf("%d expressions", p.Exprs)
	}
}

// After an error the parser goes on at the next statement on the outermost level.
func TestSeveralErrors(t *testing.T) {
	text := "$a = [1, , 2]\nnote \"x\" {\n\ta => ,\n$b = = 2\n}\n$c = 3\n\n$d = $Foo\nnote \"y\" {}\n$e = (1\n$f = = 1\n"
	_, err := syntax.Parse(source.NewFile("m", text))
	var many *source.Errors
	if !errors.As(err, &many) {
		t.Fatalf("got %v, want several errors", err)
	}
	got := ""
	for _, d := range many.Diagnostics {
		got += d.At.String() + " "
	}
	if want := "m:1:10 m:3:7 m:8:7 m:11:1 "; got != want {
		t.Errorf("got errors at %s, want %s\n%v", got, want, err)
	}
	if _, err := syntax.Parse(source.NewFile("m", strings.Repeat("$a = = 1\n", 200))); len(source.Findings(err)) != source.MaxErrors {
		t.Errorf("%d errors, want at most %d", len(source.Findings(err)), source.MaxErrors)
	}
}

// Operators of 2018 whose grouping is another one today are warned about once.
func TestMixedOperators(t *testing.T) {
	for text, want := range map[string]string{
		"$a = $b || $c && $d\n$e = $b || $c && $d": "m:1:15 m:1:9",
		"$a = $b && $c || $d && $e":                "m:1:21 m:1:15",
		"$a = $b && $c || $d":                      "",
		"$a = $b || ($c && $d)":                    "",
		"$a = $b or $c && $d":                      "",
		"$a = $b or $c and $d":                     "",
	} {
		p, err := syntax.Parse(source.NewFile("m", text))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range p.Findings {
			got += d.At.String() + " " + d.Notes[0].At.String()
			if d.Severity != source.Warning || d.Code != source.Suspicious {
				t.Errorf("%s: %v", text, d)
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
