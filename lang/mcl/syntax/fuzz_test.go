package syntax_test

import (
	"testing"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// seeds are programs with everything that the grammar has.
var seeds = []string{
	"import \"fmt\"\nimport \"a.mcl\" as *\n$x int = 1 + 2 * -3 # c\nnote \"n ${x}\" {\n\ta => $b ?: [1, 2,],\n\tMeta:noop => true,\n\tMeta => struct{noop => true},\n\tNotify => $c ?: Note[\"y\"],\n}\n",
	"$m map{str: []int} = {\"a\" => [1], \"b\" => []}\n$s {str: int} = {}\n$f = func($a, $b func(int, $c str) struct{a int; b []str}) int { $a->x <|> $b[0] }\n$g = func() { 1.50 }()\n",
	"if $a == 1 { A[\"x\"] -> B:C[\"y\"] -> D[$z] } else { A[\"x\"].out -> B[\"y\"].inp }\nfor $i, $v in [1, 2] {}\nforkv $k, $v in {1 => 2} { collect note [\"x\"] {} }\n",
	"func f($a, $b int,) str { if $a && !$b || not $c in [1] { \"x\" } else { f(1, $x{2}) } }\nclass a:b($c) { include d.e(1) as g panic(true, \"x\") }\n",
	"$s = \"\\t\\x41\\u20ac\\101 ${a.b} $${c} \\${d} ${f(x, 1, \\\"y\\\")}\n\"\n",
	"$a = 8 -3", "$size_ = 1", "'", "\"", "${", "\"${\"", "$a = (((", "\uFEFF", "# \r\n\r", "{}}", "$a{1}{2}", "note \"x\" { a => 1 }",
}

// FuzzParse: no text makes the parser panic; an error has a place; the parts of a tree lie in it, one
// after the other.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("a.mcl", text)
		p, err := syntax.Parse(file)
		for _, d := range source.Findings(err) {
			if d.At.File != file || d.Message == "" {
				t.Fatalf("an error without a place: %v", d)
			}
		}
		if err != nil {
			return
		}
		checkBlock(t, &p.Body, p.Body.Open.Start, p.Body.Close.End)
		last := uint32(0)
		for _, c := range p.Comments {
			if c.At.Start < last || c.At.Text()[0] != '#' {
				t.Fatalf("comments out of order: %q", c.At.Text())
			}
			last = c.At.End
		}
	})
}

// checkBlock requires that statements lie in [start, end), one after the other.
func checkBlock(t *testing.T, b *syntax.Block, start, end uint32) {
	for _, s := range b.Stmts {
		at := s.Span()
		if at.Start < start || at.End > end || at.Start >= at.End {
			t.Fatalf("the statement %q is out of place", at.Text())
		}
		start = at.Start
		for x := range syntax.Exprs(s) {
			start = checkExpr(t, x, start, at.End)
		}
		inner := at.Start
		for _, b := range syntax.Blocks(s) {
			if b.Open.Text() != "{" || b.Close.Text() != "}" || b.Open.Start < inner || b.Close.End > at.End {
				t.Fatalf("the block of %q is out of place", at.Text())
			}
			inner = b.Close.End
			checkBlock(t, b, b.Open.End, b.Close.Start)
		}
		start = at.End
	}
}

// checkExpr requires that an expression and its parts lie in [start, end), and returns its end.
func checkExpr(t *testing.T, x syntax.Expr, start, end uint32) uint32 {
	at := x.Span()
	if at.Start < start || at.End > end || at.Start >= at.End {
		t.Fatalf("the expression %q is out of place", at.Text())
	}
	inner := at.Start
	for child := range syntax.Children(x) {
		inner = checkExpr(t, child, inner, at.End)
	}
	return at.End
}
