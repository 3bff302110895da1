package template

import (
	"fmt"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A setOp is "set x = EXPR".
type setOp struct {
	target expr.Target
	node   expr.Node
}

// A setStatement is "set x" with a body: the text of the body, after filters.
type setStatement struct {
	target  expr.Target
	filters expr.Node // nil for none
}

func (h *head) setHead() error {
	target, err := h.Target()
	if err != nil {
		return err
	}
	if h.Accept("=") {
		n, err := h.Tuple()
		if err != nil {
			return err
		}
		h.c.add(&setOp{target, namespaceCall(n)})
		return nil
	}
	s := &setStatement{target: target}
	if h.Accept("|") {
		if s.filters, err = h.Filters(&expr.Name{Name: bodyVar}); err != nil {
			return err
		}
	}
	if target.Items != nil {
		return source.Errorf(target.At, source.Syntax, "template error: the text of a \"set\" block goes to one name")
	}
	if !h.AtEnd() {
		return h.Errorf(`expected "=" after the name`)
	}
	return h.open(s)
}

func (o *setOp) exec(r *run) error {
	v, err := r.bound(o.node)
	if err != nil {
		return err
	}
	return r.assign(o.target, v)
}

func (s *setStatement) exec(r *run, bodies []body) error {
	v, err := s.text(r, bodies[0])
	if err != nil {
		return err
	}
	return r.assign(s.target, v)
}

func (s *setStatement) text(r *run, b body) (value.Value, error) {
	if s.filters != nil {
		return filtered(r, b, s.filters)
	}
	return r.captureValue(r.frame.scope, func() error { return b.exec(r) })
}

// bound evaluates an expression for a variable. Lists and maps that the expression
// made may be changed by the template from now on; undefined stays undefined and is
// an error when it is used.
func (r *run) bound(n expr.Node) (value.Value, error) {
	v, err := r.look(n, r.frame.scope)
	if err != nil {
		return v, err
	}
	return r.changeable(n, v), nil
}

// assign sets the variables of a target in the current frame.
func (r *run) assign(t expr.Target, v value.Value) error {
	if t.Items == nil && t.Attr == "" {
		r.bind(t.Name, v)
		return nil
	}
	before := r.frame.scope
	scope, err := assignTo(before, t, v, r)
	if err != nil {
		return err
	}
	r.frame.scope = scope
	for _, name := range t.Names() {
		r.export(name)
	}
	return nil
}

// assignTo returns a scope in which a target has the value v, or its items have the
// items of v. An attribute of a namespace is set for all who see the namespace.
func assignTo(s *expr.Scope, t expr.Target, v value.Value, r *run) (*expr.Scope, error) {
	switch {
	case t.Items != nil:
		return unpack(s, t, v, r)
	case t.Attr != "":
		return s, setAttr(s, t, v)
	}
	return s.With(t.Name, v), nil
}

func unpack(s *expr.Scope, t expr.Target, v value.Value, r *run) (*expr.Scope, error) {
	items, err := r.items(v, t.At)
	if err != nil {
		return nil, err
	}
	if items.Len() != len(t.Items) {
		return nil, source.Errorf(t.At, source.BadValue, "cannot unpack %s into %d names", countOf(items.Len()), len(t.Items))
	}
	for i, inner := range t.Items {
		item, err := items.At(i)
		if err != nil {
			return nil, placed(err, inner.At)
		}
		if s, err = assignTo(s, inner, item, r); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func countOf(n int) string {
	if n == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", n)
}

func setAttr(s *expr.Scope, t expr.Target, v value.Value) error {
	holder, ok, err := s.Var(t.Name)
	if err != nil {
		return placed(err, t.At)
	}
	ns, isNamespace := holder.Map().(*namespace)
	if !ok || !isNamespace {
		return source.Errorf(t.At, source.BadType, "cannot set %q: %q is not a namespace; begin with {%% set %s = namespace() %%}", t.Name+"."+t.Attr, t.Name, t.Name)
	}
	ns.Set(value.K(t.Attr), v)
	return nil
}
