package template

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A rootStatement holds the whole of a template. It is never run as a statement.
type rootStatement struct{}

func (rootStatement) exec(*run, []body) error { return nil }

// A textOp writes text.
type textOp string

func (t textOp) exec(r *run) error { return r.writeText(string(t)) }

// An outputOp writes the value of an expression.
type outputOp struct {
	node       expr.Node
	source     string // as written, for lenient rendering
	exempt     bool   // the result stays text
	at         expr.Placer
	start, end int
}

func (o *outputOp) exec(r *run) error {
	if r.out.silent {
		return nil
	}
	before := r.out.watch()
	v, err := o.value(r.frame.scope, r.lenient)
	v = r.out.attribute(before, v)
	if err != nil {
		return err
	}
	if err := r.write(v, o.exempt); err != nil {
		return placed(err, o.at.TextSpan(o.start, o.end))
	}
	return nil
}

// value evaluates the expression. If it is undefined in a lenient rendering, its
// source is its value.
func (o *outputOp) value(s *expr.Scope, lenient bool) (value.Value, error) {
	v, err := expr.Eval(o.node, s)
	if err == nil && expr.Soft(v) {
		return value.String("").Mark(v.Marks()), nil
	}
	if err == nil {
		err = expr.Raise(v)
	}
	if err == nil {
		return v, nil
	}
	span := o.at.TextSpan(o.start, o.end)
	d := source.AsDiagnostic(placed(err, span), span, source.BadValue)
	if !lenient || d.Code != source.Undefined {
		return value.Null, d
	}
	warning := *source.AsDiagnostic(expr.Conceal(d), span, source.Undefined)
	warning.Severity = source.Warning
	s.Env.Warn(&warning)
	return value.String("{{ " + strings.Trim(o.source, blanks) + " }}"), nil
}

// staysText reports whether the text of an expression is never read as a literal:
// its outermost filter makes text on purpose.
func staysText(n expr.Node) bool {
	switch n := n.(type) {
	case *expr.Filter:
		switch n.Name {
		case "string", "to_json", "to_nice_json", "to_yaml", "to_nice_yaml", "ppretty":
			return true
		}
	case *expr.Cond:
		return staysText(n.Then) && (n.Else == nil || staysText(n.Else))
	}
	return false
}

// An ifStatement runs the first body whose test holds, or the one behind the tests.
type ifStatement struct{ tests []expr.Node }

func (h *head) ifHead() error {
	n, err := h.Tuple()
	if err != nil {
		return err
	}
	return h.open(&ifStatement{tests: []expr.Node{n}})
}

func (s *ifStatement) exec(r *run, bodies []body) error {
	for i, test := range s.tests {
		holds, err := r.test(test)
		if err != nil {
			return err
		}
		if holds {
			return bodies[i].exec(r)
		}
	}
	if len(bodies) > len(s.tests) {
		return bodies[len(s.tests)].exec(r)
	}
	return nil
}

// A withStatement runs its body with variables of its own.
type withStatement struct{ vars []expr.Assignment }

func (h *head) withHead() error {
	vars, err := h.Assignments()
	if err != nil {
		return err
	}
	for i := range vars {
		vars[i].Value = namespaceCall(vars[i].Value)
	}
	return h.open(&withStatement{vars})
}

func (s *withStatement) exec(r *run, bodies []body) error {
	scope := r.frame.scope
	for _, a := range s.vars {
		v, err := r.bound(a.Value)
		if err != nil {
			return err
		}
		if scope, err = assignTo(scope, a.Target, v, r); err != nil {
			return err
		}
	}
	return r.scoped(scope, func() error { return bodies[0].exec(r) })
}

// bodyVar is the name of the text of a body for the filters that it goes through.
// No template can say it.
const bodyVar = "the body"

// A filterStatement writes its body as filters change it.
type filterStatement struct{ filters expr.Node }

func (h *head) filterHead() error {
	n, err := h.Filters(&expr.Name{Name: bodyVar})
	if err != nil {
		return err
	}
	return h.open(&filterStatement{n})
}

func (s *filterStatement) exec(r *run, bodies []body) error {
	v, err := filtered(r, bodies[0], s.filters)
	if err != nil {
		return err
	}
	return placed(r.write(v, staysText(s.filters)), s.filters.Span())
}

// filtered returns the text of a body after filters.
func filtered(r *run, b body, filters expr.Node) (value.Value, error) {
	v, err := r.capture(r.frame.scope, func() error { return b.exec(r) })
	if err != nil {
		return v, err
	}
	v, err = r.look(filters, r.frame.scope.With(bodyVar, v))
	if err == nil {
		err = expr.Raise(v)
	}
	return v, err
}

// An autoescapeStatement only runs its body: nothing is escaped here.
type autoescapeStatement struct{}

func (h *head) autoescapeHead() error {
	if _, err := h.Expr(); err != nil {
		return err
	}
	return h.open(autoescapeStatement{})
}

func (autoescapeStatement) exec(r *run, bodies []body) error {
	return r.scoped(r.frame.scope, func() error { return bodies[0].exec(r) })
}

// A doOp evaluates an expression for what it changes.
type doOp struct{ node expr.Node }

func (h *head) doHead() error {
	n, err := h.Tuple()
	if err != nil {
		return err
	}
	h.c.add(doOp{n})
	return nil
}

func (o doOp) exec(r *run) error {
	_, err := r.eval(o.node)
	return err
}
