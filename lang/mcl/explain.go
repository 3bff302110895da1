package mcl

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Explain shows what a field reads, and what the conditions and loops around it read (spec: mcl, section
// 11). Binds are cells, so the graph sees them; all else that has a name is told to it. Of each resource
// and edge the run keeps the statements around it.
//
//	for $i, $host in $hosts {
//		if $i > 0 {
//			vm $host { n => double($i), }    explain resources[name=b].params.n:
//		}
//	}
//
//	set   3:18  double($i)
//	uses  1:5   $i = 1
//	uses  6:6   double() = 2
//	uses  1:9   $host = b           for the name in 3:6
//	uses  1:5   $i = 1              for the condition in 2:5
//	uses  7:10  $hosts = [...]      for the loop in 1:18

// A cause is a condition or a loop that decided that a statement is executed.
type cause struct {
	up   *cause // around it
	loop bool
	exprThunk
}

// because executes the statements that a condition or loop decided.
func (o *output) because(c *cause, stmts []syntax.Stmt, f *frame) error {
	c.up, o.why = o.why, c
	err := o.stmts(stmts, f)
	o.why = c.up
	return err
}

// causes returns the causes of a part of the resources or edges: of nothing but these, the conditions and
// loops of the program itself.
func (n nodes) causes(key string, part value.Path) []graph.Cause {
	o := n.from
	if len(part) == 0 {
		return nil
	}
	i, _ := part[0].Value().Int()
	if key == "edges" {
		e := o.edges[i]
		all := nameCauses(nil, e.first.Name, e.frame)
		if e.second != e.first {
			all = nameCauses(all, e.second.Name, e.frame)
		}
		return e.why.all(all)
	}
	r := o.resources[i]
	var all []graph.Cause
	for _, l := range r.lines {
		if len(part) > 2 && l.Cond != nil && part[2].Text == l.Name.Text {
			all = (&cause{exprThunk: exprThunk{l.Cond, r.frame}}).all(all)
		}
	}
	return r.why.all(nameCauses(all, r.node.Name, r.frame))
}

// nameCauses adds the expression of the name of a resource or half: explain reports what it reads.
func nameCauses(all []graph.Cause, name syntax.Expr, f *frame) []graph.Cause {
	return append(all, graph.Cause{Label: "name", At: name.Span(), On: &exprThunk{name, f}})
}

// all appends c and the causes around it.
func (c *cause) all(to []graph.Cause) []graph.Cause {
	for ; c != nil; c = c.up {
		label := "condition"
		if c.loop {
			label = "loop"
		}
		to = append(to, graph.Cause{Label: label, At: c.expr.Span(), On: &c.exprThunk})
	}
	return to
}

// tell tells explain about a value that is no bind: a variable of a loop, the result of a function.
func (r *run) tell(name string, at source.Span, v value.Value) {
	if r.place.Eval().OnRead != nil {
		r.place.Bind(name, &graph.Computed{At: at, Thunk: valueThunk{v}}).Value()
	}
}

// A valueThunk evaluates to a value that is known.
type valueThunk struct{ value.Value }

// Eval returns the value.
func (t valueThunk) Eval(*graph.Context) (value.Value, error) { return t.Value, nil }

// Raw returns the value.
func (t valueThunk) Raw() value.Value { return t.Value }

// Soft is false.
func (t valueThunk) Soft() bool { return false }
