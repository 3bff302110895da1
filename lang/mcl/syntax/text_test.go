package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
)

// parts returns the parts of a string as text: quoted text, and the shape of references with their
// places in the file.
func parts(x syntax.Expr) string {
	var all []string
	for _, part := range x.(*syntax.Str).Parts {
		if part.Ref == nil {
			all = append(all, fmt.Sprintf("%q", part.Text))
			continue
		}
		switch ref := part.Ref.(type) {
		case *syntax.Var:
			all = append(all, "$"+ref.Name+"@"+ref.At.Text())
		case *syntax.Call:
			text := ref.Name.Text + "("
			for _, a := range ref.Args.List {
				if _, ok := a.(*syntax.Str); ok {
					text += parts(a) + "@"
				}
				text += a.Span().Text() + fmt.Sprintf(":%T ", a)
			}
			all = append(all, text+")@"+ref.At.Text())
		}
	}
	return strings.Join(all, " ")
}

func TestStrings(t *testing.T) {
	tests := []struct{ text, want string }{
		{``, ``},
		{`plain`, `"plain"`},
		{`a\tb\n\\\"`, `"a\tb\n\\\""`},
		{`\a\b\f\r\v`, `"\a\b\f\r\v"`},
		{`\x41\u20ac\U0001F600\101`, `"A€😀A"`},
		{`\xe2\x82\xac`, `"€"`},
		{"one\n\ttwo\r\n", `"one\n\ttwo\r\n"`},
		{`$`, `"$"`},
		{`$5 $a $`, `"$5 $a $"`},
		{`\$a \${b}`, `"$a ${b}"`},
		{`$${b}`, `"${b}"`},
		{`$$$${b}`, `"$$${b}"`},
		{`$$b`, `"$$b"`},
		{`${x}`, `$x@x`},
		{`a ${x_1}${ y.z } b`, `"a " $x_1@x_1 $y.z@y.z " b"`},
		{`${map}`, `$map@map`},
		{`${f(x)}`, `f(x:*syntax.Var )@f(x)`},
		{`${a.f( x, -1,2.5 ,true,truer,\"q\\n,)\" )}!`, `a.f(x:*syntax.Var -1:*syntax.Int 2.5:*syntax.Float true:*syntax.Bool truer:*syntax.Var "q\\n,)"@\"q\\n,)\":*syntax.Str )@a.f( x, -1,2.5 ,true,truer,\"q\\n,)\" ) "!"`},
		{`${f()}`, `f()@f()`},
	}
	for _, test := range tests {
		p := parse(t, `$r = "`+test.text+`"`)
		if got := parts(p.Body.Stmts[0].(*syntax.Bind).Value); got != test.want || len(p.Problems) > 0 {
			t.Errorf("%s:\ngot  %s\nwant %s\n%v", test.text, got, test.want, p.Problems)
		}
	}
	for _, text := range []string{
		`\q`, `\8`, `\400`, `\ud800`, `\U00110000`, `\x4`, `\u12`, `\'`, `\0`, `${`, `${a`, `${}`, `${A}`, `${a_}`, `${in}`, `${1}`, `${a b}`, `${$a}`, `${a.}`, `${f(}`, `${f(x y)}`,
		`${f(g(x))}`, `${f(1.)}`, `${f(\"\q\")}`, `${f(99999999999999999999)}`, `${f(x)`, `\xc3`, `\xe2a`, `${f(\"a)}`,
	} {
		p := parse(t, `$r = "ok `+text+`"`)
		s := p.Body.Stmts[0].(*syntax.Bind).Value.(*syntax.Str)
		if len(p.Problems) != 1 || s.Parts != nil || !s.At.Contains(p.Problems[0].At) {
			t.Errorf("%s: %d problems %v, %d parts", text, len(p.Problems), p.Problems, len(s.Parts))
		}
	}
}
