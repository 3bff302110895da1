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
	names         expr.Node
	ignoreMissing bool
	noContext     bool
}

func (h *head) includeHead() error {
	n, err := h.Expr()
	if err != nil {
		return err
	}
	o := &includeOp{at: h.at, names: n}
	if h.Accept("ignore") {
		if err := h.Expect("missing"); err != nil {
			return err
		}
		o.ignoreMissing = true
	}
	withContext, given, err := h.context()
	if err != nil {
		return err
	}
	o.noContext = given && !withContext
	h.c.add(o)
	return nil
}

// context reads "with context" or "without context".
func (h *head) context() (with, given bool, err error) {
	with = h.Accept("with")
	if !with && !h.Accept("without") {
		return false, false, nil
	}
	return with, true, h.Expect("context")
}

func (o *includeOp) exec(r *run) error {
	if r.out.silent {
		return nil
	}
	names, err := r.names(o.names)
	if err != nil {
		return err
	}
	t, err := r.first(names, o.at, o.ignoreMissing)
	if t == nil || err != nil {
		return err
	}
	_, err = r.inside(t, r.scopeFor(!o.noContext), o.at)
	return err
}

// scopeFor returns what a file sees: all that is visible here, or only what is
// visible everywhere. Both collect marks.
func (r *run) scopeFor(context bool) *expr.Scope {
	if context {
		return r.frame.scope
	}
	plain := expr.NewScope(r.base.Env, r.base.Self)
	plain.Base = r.base.Base
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
	if o.context, _, err = h.context(); err != nil {
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
	for {
		if o.context, _, err = h.contextAhead(); err != nil {
			return err
		}
		if h.AtEnd() {
			break
		}
		name, err := h.importedName()
		if err != nil {
			return err
		}
		o.names = append(o.names, name)
		h.Accept(",")
	}
	if len(o.names) == 0 {
		return h.Errorf("expected the names to import")
	}
	h.c.add(o)
	return nil
}

// contextAhead is context where a name "with" may be meant as well: it is the
// beginning of "with context" only if "context" follows.
func (h *head) contextAhead() (with, given bool, err error) {
	if !h.Peek("with") && !h.Peek("without") {
		return false, false, nil
	}
	return h.context()
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
	names, err := r.names(o.file)
	if err != nil {
		return err
	}
	t, err := r.first(names, o.at, false)
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
	var u *unit
	outer := r.out
	r.out = &output{}
	marks := &r.out.marks
	var err error
	u, err = r.inside(t, r.scopeFor(o.context).Tainted(marks), o.at)
	outer.marks |= *marks
	outer.decidedBy(r.out.control)
	r.out = outer
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
