package format

import (
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// statements writes statements, each on lines of its own.
func (f *printer) statements(all []syntax.Stmt, level int) {
	for _, s := range all {
		f.begin(f.first(s.Span()), level)
		f.statement(s, level)
		f.endLine(f.end(s.Span()))
	}
}

// statement writes a statement (spec: mcl-format, section 5). Its first line has been indented.
func (f *printer) statement(s syntax.Stmt, level int) {
	switch s := s.(type) {
	case *syntax.Bind:
		f.write("$", s.Name.Text)
		f.typeAfter(s.Type)
		f.write(" = ")
		f.expr(s.Value, level)
	case *syntax.Resource:
		f.resource(s, level)
	case *syntax.Edge:
		f.edge(s, level)
	case *syntax.IfStmt:
		f.write("if ")
		f.expr(s.Cond, level)
		f.block(s.Then, level)
		if s.Else != nil {
			f.write(" else")
			f.block(s.Else, level)
		}
	case *syntax.For:
		word := "for "
		if s.Map {
			word = "forkv "
		}
		f.write(word, "$", s.Key.Text, ", $", s.Value.Text, " in ")
		f.expr(s.Over, level)
		f.block(s.Body, level)
	case *syntax.FuncStmt:
		f.write("func ", s.Name.Text)
		f.function(s.Func, level)
	case *syntax.Class:
		f.write("class ", s.Name.Text)
		if s.Params != nil {
			f.params(s.Params, s.Body.Open, level)
		}
		f.block(s.Body, level)
	case *syntax.Include:
		f.write("include ", s.Name.Text)
		if s.Args != nil {
			f.args(s.Args, level)
		}
		f.alias(s.As)
	case *syntax.Import:
		f.write("import \"", s.Path.Text, "\"")
		f.alias(s.As)
	case *syntax.Panic:
		f.write("panic")
		f.args(s.Args, level)
	}
}

func (f *printer) alias(as syntax.Word) {
	if as.Text != "" {
		f.write(" as ", as.Text)
	}
}

// typeAfter writes a type and the blank before it, nothing without a type.
func (f *printer) typeAfter(t *syntax.Type) {
	if t != nil {
		f.write(" ", t.String())
	}
}

// block writes the statements between braces, and the blank before them.
func (f *printer) block(b *syntax.Block, level int) {
	f.body(b.Open, b.Close, len(b.Stmts) == 0, level, func() { f.statements(b.Stmts, level+1) })
}

// body writes braces with lines between them, and a blank before them.
func (f *printer) body(open, closing source.Span, empty bool, level int, lines func()) {
	if empty && !f.pending(f.first(closing)) {
		f.write(" {}")
		f.closed(closing)
		return
	}
	f.write(" {")
	f.endLine(f.first(open))
	lines()
	f.close(closing, level, "}")
}

func (f *printer) resource(r *syntax.Resource, level int) {
	if r.Collect {
		f.write("collect ")
	}
	f.write(r.Kind.Text, " ")
	f.expr(r.Name, level)
	f.body(r.Open, r.Close, len(r.Lines) == 0, level, func() {
		for _, l := range r.Lines {
			f.begin(f.first(l.At), level+1)
			f.line(l, level+1)
			f.write(",")
			f.endLine(f.endWithComma(l.At))
		}
	})
}

// line writes a line of a resource without its comma.
func (f *printer) line(l *syntax.Line, level int) {
	switch l.Kind {
	case syntax.FieldLine:
		f.write(l.Name.Text)
	case syntax.EdgeLine:
		f.write(syntax.Capitalised(l.Name.Text))
	case syntax.MetaLine:
		f.write("Meta:", l.Name.Text)
	case syntax.MetaAll:
		f.write("Meta")
	}
	f.write(" => ")
	if l.Cond != nil {
		f.expr(l.Cond, level)
		f.write(" ?: ")
	}
	if l.Half != nil {
		f.half(l.Half, level)
	} else {
		f.expr(l.Value, level)
	}
}

func (f *printer) edge(e *syntax.Edge, level int) {
	for i, h := range e.Halves {
		if i > 0 {
			f.write(" -> ")
		}
		f.half(h, level)
		switch {
		case e.Send.Text == "":
		case i == 0:
			f.write(".", e.Send.Text)
		default:
			f.write(".", e.Recv.Text)
		}
	}
}

func (f *printer) half(h *syntax.Half, level int) {
	f.write(syntax.Capitalised(h.Kind.Text), "[")
	f.expr(h.Name, level)
	f.write("]")
}
