package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// typeText returns a type in one form, with brackets around the parts.
func typeText(t *syntax.Type) string {
	var fields []string
	for _, f := range t.Fields {
		fields = append(fields, f.Name+" "+typeText(f.Type))
	}
	switch t.Kind {
	case syntax.ListType:
		return "list(" + typeText(t.Elem) + ")"
	case syntax.MapType:
		return fmt.Sprintf("map%v(%s, %s)", t.Short, typeText(t.Key), typeText(t.Elem))
	case syntax.StructType:
		return "struct(" + strings.Join(fields, ", ") + ")"
	case syntax.FuncType:
		return fmt.Sprintf("func%v(%s: %s)", t.Variadic, strings.Join(fields, ", "), typeText(t.Elem))
	case syntax.VarType:
		return fmt.Sprint("?", t.Var)
	}
	return t.At.Text()
}

func TestTypes(t *testing.T) {
	tests := []struct{ text, want string }{
		{"int", "int"},
		{"[ ] []str", "list(list(str))"},
		{"map{str: []int}", "mapfalse(str, list(int))"},
		{"{str:bool}", "maptrue(str, bool)"},
		{"struct{}", "struct()"},
		{"struct{a int; map float}", "struct(a int, map float)"},
		{"func() variant", "funcfalse(: variant)"},
		{"func(int, $s str,) bool", "funcfalse( int, $s str: bool)"},
		{"func(s str, map map{?1: ?2}, struct struct{a int}, func func() int) int", "funcfalse(s str, map mapfalse(?1, ?2), struct struct(a int), func funcfalse(: int): int)"},
		{"func(format str, a ?1, ...) str", "functrue(format str, a ?1: str)"},
		{"func(struct ?1, ?12) ?1", "funcfalse(struct ?1,  ?12: ?1)"},
	}
	for _, test := range tests {
		got, err := syntax.ParseType(test.text)
		if err != nil || typeText(got) != test.want || got.At.Text() != test.text {
			t.Errorf("%s: got %v, %v, want %s", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{"", "in", "[]", "[int]", "map{str}", "map{str: }", "map", "struct{a}", "struct{a int, b int}", "struct{a int;}", "struct{in int}",
		"func()", "func(...) int", "func(..., int) int", "func(int", "int int", "?", "?0", "?x", "list"} {
		if got, err := syntax.ParseType(text); err == nil {
			t.Errorf("%q: got %s, want an error", text, typeText(got))
		}
	}
	if _, err := syntax.Parse(source.NewFile("a", "$a ?1 = 1")); err == nil {
		t.Error("a program has a type variable")
	}
}

// outline returns the statements of a block, with what is in them.
func outline(b *syntax.Block) string {
	var all []string
	for _, s := range b.Stmts {
		name := strings.TrimPrefix(fmt.Sprintf("%T", s), "*syntax.")
		switch s := s.(type) {
		case *syntax.Resource:
			name += fmt.Sprintf(" %v %s %s", s.Collect, s.Kind.Text, shape(s.Name))
			for _, l := range s.Lines {
				name += fmt.Sprintf(" [%d %s %v]", l.Kind, l.Name.Text, l.Cond != nil)
			}
		case *syntax.Edge:
			for _, h := range s.Halves {
				name += " " + h.Kind.Text
			}
			name += " " + s.Send.Text + " " + s.Recv.Text
		case *syntax.For:
			name += fmt.Sprintf(" %v %s %s", s.Map, s.Key.Text, s.Value.Text)
		case *syntax.FuncStmt:
			name += fmt.Sprintf(" %s %d", s.Name.Text, len(s.Func.Params.List))
		case *syntax.Class:
			name += fmt.Sprintf(" %s %v", s.Name.Text, s.Params != nil)
		case *syntax.Include:
			name += fmt.Sprintf(" %s %v %s", s.Name.Text, s.Args != nil, s.As.Text)
		case *syntax.Import:
			name += fmt.Sprintf(" %s %s", s.Path.Text, s.As.Text)
		}
		for _, inner := range syntax.Blocks(s) {
			name += " {" + outline(inner) + "}"
		}
		all = append(all, name)
	}
	return strings.Join(all, "; ")
}

func TestStatements(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"\uFEFF# only a comment", ""},
		{"$a = 1 $b int = 2", "Bind; Bind"},
		{"note \"x\" {}", "Resource false note (str)"},
		{"aws : ec2 [\"x\"] {}", "Resource false aws:ec2 (list (str))"},
		{"note f(1) + \"x\" {}", "Resource false note ((call f 1) + (str))"},
		{"note $x { a => 1, b => true ?: 2, map => 3, Meta:noop => true, Meta => struct{}, Meta:not => true ?: 1, Before => Note[\"y\"], Listen => $b ?: A:B[\"y\"], }",
			"Resource false note $x [0 a false] [0 b true] [0 map false] [2 noop false] [3  false] [2 not true] [1 before false] [1 listen true]"},
		{"collect note \"x\" {}", "Resource true note (str)"},
		{"collect \"x\" {} class \"x\" {} for \"x\" {} map \"x\" {} import \"x\" {}",
			"Resource false collect (str); Resource false class (str); Resource false for (str); Resource false map (str); Resource false import (str)"},
		{"A[\"x\"] -> B:C[$y] -> D[[\"z\"]]", "Edge a b:c d  "},
		{"A[\"x\"] . out -> B[\"y\"].inp", "Edge a b out inp"},
		{"if $a { $b = 1 } else { }", "IfStmt {Bind} {}"},
		{"if true {} $a = 1", "IfStmt {}; Bind"},
		{"for $i, $v in [1] { note $v {} }", "For false i v {Resource false note $v}"},
		{"forkv $k,$v in {} {}", "For true k v {}"},
		{"func f($x, $y int,) int { $x }", "FuncStmt f 2"},
		{"class a:b { class c() {} }", "Class a:b false {Class c true {}}"},
		{"include a.b include c() as d include e(1)", "Include a.b false ; Include c true d; Include e true "},
		{"import \"fmt\" import \"a\\q\" as * import \"b\" as c as \"x\" {}", "Import fmt ; Import a\\q *; Import b c; Resource false as (str)"},
		{"panic(true, \"x\")", "Panic"},
	}
	for _, test := range tests {
		p := parse(t, test.text)
		if got := outline(&p.Body); got != test.want || len(p.Problems) > 0 {
			t.Errorf("%s:\ngot  %s\nwant %s\n%v", test.text, got, test.want, p.Problems)
		}
	}
}

// The expressions of functions and classes have numbers of their own, without gaps.
func TestNumbers(t *testing.T) {
	p := parse(t, "$a = 1\nclass c($p) {\n\tfunc f() { \"x${a}\" }\n\t$b = func($x) { $x + 1 }\n}\n$c = [func() { 2 }, 3]\n")
	seen := map[int]int{}
	var within func(b *syntax.Block, first, last int)
	var check func(x syntax.Expr, first, last int)
	check = func(x syntax.Expr, first, last int) {
		if seen[x.ID()]++; x.ID() < first || x.ID() >= last {
			t.Errorf("%s has the number %d, want one from %d below %d", x.Span().Text(), x.ID(), first, last)
		}
		if l, ok := x.(*syntax.Lambda); ok {
			first, last = l.Func.First, l.Func.Last
		}
		for child := range syntax.Children(x) {
			check(child, first, last)
		}
	}
	within = func(b *syntax.Block, first, last int) {
		for _, s := range b.Stmts {
			from, to := first, last
			switch s := s.(type) {
			case *syntax.FuncStmt:
				from, to = s.Func.First, s.Func.Last
			case *syntax.Class:
				from, to = s.First, s.Last
			}
			for x := range syntax.Exprs(s) {
				check(x, from, to)
			}
			for _, inner := range syntax.Blocks(s) {
				within(inner, from, to)
			}
		}
	}
	within(&p.Body, 0, p.Exprs)
	for id := range p.Exprs {
		if seen[id] != 1 {
			t.Errorf("%d expressions have the number %d", seen[id], id)
		}
	}
}

func TestComments(t *testing.T) {
	p := parse(t, "#a\r\n$x = [ # b  \n\t1, #\n]#c")
	var got []string
	for _, c := range p.Comments {
		got = append(got, c.At.Text())
	}
	if strings.Join(got, "|") != "#a|# b  |#|#c" {
		t.Errorf("%q", got)
	}
}

// Walk leaves out the parts of what visit refuses.
func TestWalk(t *testing.T) {
	p := parse(t, "$a = f([1, 2], if $b { (3) } else { {4 => 5} }, $s->a <|> \"${c}\", struct{x => not $d}, $l[6] + 7)\nclass c { note 8 { x => 9, y => true ?: 10, Before => 11 ?: A[12], } }\nif 13 { panic(14) } else { include x(15) A[16] -> B[17] }\nforkv $k, $v in 18 { func f() { 19 } }")
	var got []string
	syntax.WalkBlock(&p.Body, func(s syntax.Stmt) bool {
		for x := range syntax.Exprs(s) {
			syntax.Walk(x, func(x syntax.Expr) bool {
				if len(x.Span().Text()) < 6 {
					got = append(got, x.Span().Text())
				}
				_, list := x.(*syntax.List)
				return !list
			})
		}
		return true
	})
	want := "$b (3) 3 4 5 $s c $d $l[6] $l 6 7 8 9 true 10 11 12 13 14 15 16 17 18 19"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}
