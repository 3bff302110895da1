package template

import (
	"iter"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An includeOp writes what another file renders to.
type includeOp struct {
	at            source.Span
	file          expr.Node
	ignoreMissing bool
	context       bool // the file sees the variables of the template
}

func (h *head) includeHead() error {
	n, err := h.Expr()
	if err != nil {
		return err
	}
	o := &includeOp{at: h.at, file: n}
	if h.Accept("ignore") {
		if err := h.Expect("missing"); err != nil {
			return err
		}
		o.ignoreMissing = true
	}
	if o.context, err = h.contextOr(true); err != nil {
		return err
	}
	h.c.add(o)
	return nil
}

// contextOr reads "with context" or "without context", and returns otherwise if
// nothing is said.
func (h *head) contextOr(otherwise bool) (with bool, err error) {
	with = h.Accept("with")
	if !with && !h.Accept("without") {
		return otherwise, nil
	}
	return with, h.Expect("context")
}

func (o *includeOp) exec(r *run) error {
	if r.out.silent {
		return nil
	}
	t, missing, err := r.fileIfAny(o.file, o.at)
	switch {
	case err != nil:
		return err
	case t == nil && o.ignoreMissing:
		return nil
	case t == nil:
		return missing
	}
	_, err = r.inside(t, r.scopeFor(o.context), o.at)
	return err
}

// scopeFor returns what a file sees: all that is visible here, or only what is
// visible everywhere. Both collect marks.
func (r *run) scopeFor(context bool) *expr.Scope {
	if context {
		return r.frame.scope
	}
	plain := expr.NewScope(r.base.Env, r.base.Self)
	plain.Base, plain.BaseMarks = r.base.Base, r.base.BaseMarks
	return plain.Tainted(&r.out.marks)
}

// An importOp binds the names that a file sets at its top: as one map, or some of
// them by name.
type importOp struct {
	at      source.Span
	file    expr.Node
	as      string         // for import
	names   []importedName // for from
	context bool
}

type importedName struct {
	name, as string
	at       source.Span
}

func (h *head) importHead() error {
	n, err := h.Expr()
	if err != nil {
		return err
	}
	o := &importOp{at: h.at, file: n}
	if err := h.Expect("as"); err != nil {
		return err
	}
	if o.as, _, err = h.Name(); err != nil {
		return err
	}
	if o.context, err = h.contextOr(false); err != nil {
		return err
	}
	h.c.add(o)
	return nil
}

func (h *head) fromHead() error {
	n, err := h.Expr()
	if err != nil {
		return err
	}
	o := &importOp{at: h.at, file: n}
	if err := h.Expect("import"); err != nil {
		return err
	}
	for more := true; more && !h.AtEnd() && !h.Peek("with") && !h.Peek("without"); more = h.Accept(",") {
		name, err := h.importedName()
		if err != nil {
			return err
		}
		o.names = append(o.names, name)
	}
	if len(o.names) == 0 {
		return h.Errorf("expected the names to import")
	}
	if o.context, err = h.contextOr(false); err != nil {
		return err
	}
	h.c.add(o)
	return nil
}

func (h *head) importedName() (importedName, error) {
	name, at, err := h.Name()
	if err != nil {
		return importedName{}, err
	}
	n := importedName{name, name, at}
	if h.Accept("as") {
		n.as, _, err = h.Name()
	}
	return n, err
}

func (o *importOp) exec(r *run) error {
	t, err := r.file(o.file, o.at)
	if err != nil {
		return err
	}
	m, err := o.module(r, t)
	if err != nil {
		return err
	}
	if o.as != "" {
		r.bind(o.as, value.FromMap(m))
		return nil
	}
	for _, n := range o.names {
		v, ok, err := m.Get(value.K(n.name))
		if err != nil {
			return placed(err, n.at)
		}
		if !ok {
			v = value.Undefined(source.Errorf(n.at, source.Undefined, "template %q has no name %q to import%s", t.opts.Name, n.name, didYouMean(n.name, m.names)))
		}
		r.bind(n.as, v)
	}
	return nil
}

// module runs a file for the names that it sets, and drops its text.
func (o *importOp) module(r *run, t *Template) (*module, error) {
	outer, dropped := r.out, &output{}
	r.out = dropped
	u, err := r.inside(t, r.scopeFor(o.context).Tainted(&dropped.marks), o.at)
	r.out = outer
	outer.marks |= dropped.marks
	outer.decidedBy(dropped.control)
	if err != nil {
		return nil, err
	}
	names := slices.Clone(u.names)
	slices.Sort(names)
	return &module{t.opts.Name, slices.Compact(names), u.top.scope}, nil
}

// A module is an imported file: a map of the names that it set.
type module struct {
	name  string
	names []string
	scope *expr.Scope
}

// Len returns the number of names.
func (m *module) Len() int { return len(m.names) }

// Keys yields the names in order.
func (m *module) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) {
		for _, n := range m.names {
			if !yield(value.K(n)) {
				return
			}
		}
	}
}

// Get returns the value of a name.
func (m *module) Get(k value.Key) (value.Value, bool, error) {
	if _, ok := slices.BinarySearch(m.names, k.Text); !ok || k.Kind != value.StringKind {
		return value.Null, false, nil
	}
	return m.scope.Var(k.Text)
}
