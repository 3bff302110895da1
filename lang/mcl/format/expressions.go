package format

import (
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// expr writes an expression. Lines that it begins have the level of its first line, or one
// more: a level is an open line, not a bracket.
func (f *printer) expr(x syntax.Expr, level int) {
	switch x := x.(type) {
	case *syntax.Bool:
		f.write(strconv.FormatBool(x.Value))
	case *syntax.Int:
		f.write(strconv.FormatInt(x.Value, 10))
	case *syntax.Float:
		f.write(floatText(x.Value))
	case *syntax.Str:
		f.write(x.At.Text())
	case *syntax.Var:
		f.write("$", x.Name)
	case *syntax.History:
		f.write("$", x.Name, "{", strconv.Itoa(x.Back), "}")
	case *syntax.List:
		f.elements("[", x.At.Sub(0, 1), lastByte(x.At), len(x.Items), func(i int) (first, end source.Span) {
			return x.Items[i].Span(), x.Items[i].Span()
		}, func(i, level int) { f.expr(x.Items[i], level) }, level)
	case *syntax.Map:
		f.elements("{", x.At.Sub(0, 1), lastByte(x.At), len(x.Entries), func(i int) (first, end source.Span) {
			return x.Entries[i].Key.Span(), x.Entries[i].Value.Span()
		}, func(i, level int) {
			f.expr(x.Entries[i].Key, level)
			f.write(" => ")
			f.expr(x.Entries[i].Value, level)
		}, level)
	case *syntax.Struct:
		f.elements("struct{", x.Open, lastByte(x.At), len(x.Fields), func(i int) (first, end source.Span) {
			return x.Fields[i].Name.At, x.Fields[i].Value.Span()
		}, func(i, level int) {
			f.write(x.Fields[i].Name.Text, " => ")
			f.expr(x.Fields[i].Value, level)
		}, level)
	case *syntax.Call:
		if x.Fn != nil {
			f.expr(x.Fn, level)
		} else {
			f.write(x.Name.Text)
		}
		f.args(x.Args, level)
	case *syntax.If:
		f.ifExpr(x, level)
	case *syntax.Lambda:
		f.write("func")
		f.function(x.Func, level)
	default:
		f.operator(x, level)
	}
}

// operator writes parentheses, operators and lookups.
func (f *printer) operator(x syntax.Expr, level int) {
	switch x := x.(type) {
	case *syntax.Paren:
		f.write("(")
		f.expr(x.X, level)
		f.write(")")
	case *syntax.Unary:
		f.write(x.Op.Text)
		if x.Op.Text == "not" {
			f.write(" ")
		}
		f.expr(x.X, level)
	case *syntax.Binary:
		f.expr(x.X, level)
		f.write(" ", x.Op.Text, " ")
		f.expr(x.Y, level)
	case *syntax.Index:
		f.expr(x.X, level)
		f.write("[")
		f.expr(x.Key, level)
		f.write("]")
	case *syntax.Field:
		f.expr(x.X, level)
		f.write("->", x.Name.Text)
		if x.Default != nil {
			f.write(" <|> ")
			f.expr(x.Default, level)
		}
	}
}

// floatText returns the shortest digits that read back as x, without an exponent and with a point.
func floatText(x float64) string {
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// lastByte returns the place of the closing bracket of a place.
func lastByte(at source.Span) source.Span {
	n := int(at.End - at.Start)
	return at.Sub(n-1, n)
}

// elements writes n elements of a literal between brackets, which has many lines if [printer.open]
// says so. place returns the first and the last part of an element, write writes it.
func (f *printer) elements(head string, open, closing source.Span, n int, place func(i int) (first, end source.Span), write func(i, level int), level int) {
	var first source.Span
	if n > 0 {
		first, _ = place(0)
	}
	f.bracketed(head, open, closing, n, f.open(open, first, closing), place, write, level)
}

// bracketed writes elements between brackets: on one line, or each on lines of its own.
func (f *printer) bracketed(head string, open, closing source.Span, n int, many bool, place func(i int) (first, end source.Span), write func(i, level int), level int) {
	f.write(head)
	if !many {
		for i := range n {
			if i > 0 {
				f.write(", ")
			}
			write(i, level)
		}
		f.write(closing.Text())
		f.closed(closing)
		return
	}
	f.endLine(f.first(open))
	for i := range n {
		first, end := place(i)
		f.begin(f.first(first), level+1)
		write(i, level+1)
		f.write(",")
		f.endLine(f.endWithComma(end))
	}
	f.close(closing, level, closing.Text())
}

// args writes arguments. Comments do not make them have many lines.
func (f *printer) args(a *syntax.Args, level int) {
	many := len(a.List) > 0 && f.first(a.List[0].Span()) > f.first(a.Open)
	f.bracketed("(", a.Open, a.Close, len(a.List), many, func(i int) (first, end source.Span) {
		return a.List[i].Span(), a.List[i].Span()
	}, func(i, level int) { f.expr(a.List[i], level) }, level)
}

// params writes parameters. A comment before the brace of the body makes them have many lines; if there
// are none, a comment between the parentheses.
func (f *printer) params(p *syntax.Params, body source.Span, level int) {
	many := f.pending(f.first(p.Close))
	if len(p.List) > 0 {
		many = f.open(p.Open, p.List[0].At, body)
	}
	f.bracketed("(", p.Open, p.Close, len(p.List), many, func(i int) (first, end source.Span) {
		return p.List[i].At, p.List[i].At
	}, func(i, level int) {
		f.write("$", p.List[i].Name.Text)
		f.typeAfter(p.List[i].Type)
	}, level)
}

// function writes parameters, the type of the result, and the body.
func (f *printer) function(fn *syntax.Func, level int) {
	f.params(fn.Params, fn.Open, level)
	f.typeAfter(fn.Result)
	if !f.open(fn.Open, fn.Body.Span(), fn.Close) {
		f.write(" { ")
		f.expr(fn.Body, level)
		f.write(" }")
		f.closed(fn.Close)
		return
	}
	f.write(" {")
	f.lines(fn.Open, fn.Body, level)
	f.close(fn.Close, level, "}")
}

// lines writes an expression on lines of its own, after the brace that opens them.
func (f *printer) lines(open source.Span, x syntax.Expr, level int) {
	f.endLine(f.first(open))
	f.begin(f.first(x.Span()), level+1)
	f.expr(x, level+1)
	f.endLine(f.end(x.Span()))
}

// ifExpr writes an if expression: both branches on one line, or both on lines of their own.
func (f *printer) ifExpr(x *syntax.If, level int) {
	f.write("if ")
	f.expr(x.Cond, level)
	if !f.open(x.ThenOpen, x.Then.Span(), x.ElseClose) {
		f.write(" { ")
		f.expr(x.Then, level)
		f.write(" } else { ")
		f.expr(x.Else, level)
		f.write(" }")
		f.closed(x.ElseClose)
		return
	}
	f.write(" {")
	f.lines(x.ThenOpen, x.Then, level)
	f.close(x.ThenClose, level, "} else {")
	f.lines(x.ElseOpen, x.Else, level)
	f.close(x.ElseClose, level, "}")
}
