package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

func parse(t *testing.T, text string) *syntax.Program {
	t.Helper()
	p, err := syntax.Parse(source.NewFile("a.mcl", text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p
}

// shape returns the tree of an expression as text: all that is nested has brackets of its own.
func shape(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.Bool, *syntax.Int, *syntax.Float, *syntax.Var:
		return x.Span().Text()
	case *syntax.History:
		return fmt.Sprintf("(history $%s %d)", x.Name, x.Back)
	case *syntax.Unary:
		return "(" + x.Op.Text + " " + shape(x.X) + ")"
	case *syntax.Binary:
		return "(" + shape(x.X) + " " + x.Op.Text + " " + shape(x.Y) + ")"
	case *syntax.Index:
		return "(" + shape(x.X) + " [] " + shape(x.Key) + ")"
	case *syntax.Field:
		if x.Default != nil {
			return "(" + shape(x.X) + " ->" + x.Name.Text + " or " + shape(x.Default) + ")"
		}
		return "(" + shape(x.X) + " ->" + x.Name.Text + ")"
	}
	name := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", x), "*syntax."))
	if c, ok := x.(*syntax.Call); ok && c.Fn == nil {
		name += " " + c.Name.Text
	}
	for child := range syntax.Children(x) {
		name += " " + shape(child)
	}
	return "(" + name + ")"
}

func TestOperators(t *testing.T) {
	tests := []struct{ text, want string }{
		{"1 + 2 * 3", "(1 + (2 * 3))"},
		{"1 * 2 + 3", "((1 * 2) + 3)"},
		{"8 - 3 - 2", "((8 - 3) - 2)"},
		{"8 - -3", "(8 - -3)"},
		{"8--3", "(8 - -3)"},
		{"not $a == $b", "((not $a) == $b)"},
		{"!$a&&$b", "((! $a) && $b)"},
		{"not not $a", "(not (not $a))"},
		{"! 1 in [2]", "(! (1 in (list 2)))"},
		{"not $a in $b and $c", "((not ($a in $b)) and $c)"},
		{"true || false && true", "(true || (false && true))"},
		{"true and false or true", "((true and false) or true)"},
		{"1 < 2 and 3 >= 4", "((1 < 2) and (3 >= 4))"},
		{"1 + 2 < 4 * 5", "((1 + 2) < (4 * 5))"},
		{"$a <|> $b <|> 0", "(($a <|> $b) <|> 0)"},
		{"$a or $b <|> true", "(($a or $b) <|> true)"},
		{"1 + $s->n <|> 2 + 3", "(1 + ($s ->n or (2 + 3)))"},
		{"$s->a <|> $s->b <|> 0", "($s ->a or ($s ->b or 0))"},
		{"($s->n) <|> 2", "((paren ($s ->n)) <|> 2)"},
		{"$s->a->b[0]", "((($s ->a) ->b) [] 0)"},
		{"$l[0][1] <|> 2", "((($l [] 0) [] 1) <|> 2)"},
		{"$m[\"k\"] + 1", "(($m [] (str)) + 1)"},
		{"f(1, $x,)", "(call f 1 $x)"},
		{"iter.map([1], func($x) { $x + 1 })", "(call iter.map (list 1) (lambda ($x + 1)))"},
		{"map . lookup ( {1 => 2} , 1 )", "(call map.lookup (map 1 2) 1)"},
		{"collect.f()", "(call collect.f)"},
		{"$f (1)", "(call $f 1)"},
		{"func($x) { $x }(3)", "(call (lambda $x) 3)"},
		{"struct{and => 1, b => {}}", "(struct 1 (map))"},
		{"$x{3}", "(history $x 3)"},
		{"if $b{1}else{2}", "(if $b 1 2)"},
		{"if $b{1} == 2 {1} else {$b{2}}", "(if ((history $b 1) == 2) 1 (history $b 2))"},
		{"if $b { [] } else { [1,] }", "(if $b (list) (list 1))"},
		{"$map", "$map"},
		{"$a.b . c", "$a.b . c"},
	}
	for _, test := range tests {
		p := parse(t, "$r = "+test.text)
		if got := shape(p.Body.Stmts[0].(*syntax.Bind).Value); got != test.want {
			t.Errorf("%s: got %s, want %s", test.text, got, test.want)
		}
		if len(p.Body.Stmts) != 1 || len(p.Problems) > 0 {
			t.Errorf("%s: %d statements, problems %v", test.text, len(p.Body.Stmts), p.Problems)
		}
	}
}
