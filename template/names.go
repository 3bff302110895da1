package template

import (
	"fmt"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A setOp is "set x = EXPR".
type setOp struct {
	target expr.Target
	node   expr.Node
}

// A setStatement is "set x" with a body: x is the text of the body, with filters applied.
type setStatement struct {
	target  expr.Target
	filters expr.Node // nil for none
}

// setHead parses "set TARGET = EXPR", and "set NAME [| FILTERS]" with a body.
func (h *head) setHead() error {
	target, err := h.Target()
	if err != nil {
		return err
	}
	if slices.Contains(target.Names(), "loop") && h.c.inFor() {
		return source.Errorf(target.At, source.Syntax, `template error: cannot assign to "loop" in a loop, which sets it itself`)
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
		return source.Errorf(target.At, source.Syntax, "template error: a \"set\" block sets one name only")
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
	var v value.Value
	var err error
	if s.filters != nil {
		v, err = filtered(r, bodies[0], s.filters)
	} else {
		v, err = r.captureValue(r.frame.scope, func() error { return bodies[0].exec(r) })
	}
	if err != nil {
		return err
	}
	return r.assign(s.target, v)
}

// bound evaluates an expression for a variable. A list or map that the expression makes
// becomes mutable. Undefined is no error until the variable is used.
func (r *run) bound(n expr.Node) (value.Value, error) {
	v, err := r.look(n, r.frame.scope)
	if err != nil {
		return v, err
	}
	if makes(n) {
		const itemSteps, entrySteps = 3, 12
		if err := r.base.Env.Step(1 + itemSteps*v.List().Len() + entrySteps*v.Map().Len()); err != nil {
			return value.Null, err
		}
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

// assignTo returns s with the variables of the target t set to v, or to the items of v:
// "a, (b, c)" unpacks [1, [2, 3]]. An attribute is set in its namespace, which every
// scope shares.
func assignTo(s *expr.Scope, t expr.Target, v value.Value, r *run) (*expr.Scope, error) {
	switch {
	case t.Items == nil && t.Attr == "":
		return s.With(t.Name, v), nil
	case t.Items == nil:
		return s, setAttr(s, t, v)
	}
	items, err := r.items(v, t.At)
	if err != nil {
		return nil, err
	}
	if items.Len() != len(t.Items) {
		return nil, source.Errorf(t.At, source.BadValue, "cannot unpack %s into %d names", countOf(items.Len(), "item"), len(t.Items))
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

// countOf returns "1 item" or "n items".
func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// setAttr sets an attribute of a namespace: ns.x = v.
func setAttr(s *expr.Scope, t expr.Target, v value.Value) error {
	holder, ok, err := s.Var(t.Name)
	if err != nil {
		return placed(err, t.At)
	}
	ns, isNamespace := holder.Map().(*namespace)
	if !ok || !isNamespace {
		return source.Errorf(t.At, source.BadType, "cannot set %q: %q is not a namespace; begin with {%% set %s = namespace() %%}", t.Name+"."+t.Attr, t.Name, t.Name)
	}
	ns.run.changes()
	ns.Set(value.K(t.Attr), v)
	return nil
}

// A withStatement runs its body with variables of its own.
type withStatement struct{ vars []expr.Assignment }

// withHead parses "with NAME = EXPR, NAME = EXPR".
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

// A signature describes the arguments of a macro, or of the body of a call.
type signature struct {
	name     string
	at       source.Span
	params   []expr.Param
	varargs  bool // the body uses varargs: it takes more positional arguments
	kwargs   bool // the body uses kwargs: it takes other named arguments
	caller   bool // the body uses caller: it takes the body of a call
	isCaller bool // of the body of a call statement
}

// ended sets the fields that depend on the body, whose expressions are given.
func (s *signature) ended(body []expr.Node) error {
	for _, n := range body {
		expr.Walk(n, func(n expr.Node) bool {
			if name, ok := n.(*expr.Name); ok {
				s.varargs = s.varargs || name.Name == "varargs"
				s.kwargs = s.kwargs || name.Name == "kwargs"
				s.caller = s.caller || name.Name == "caller"
			}
			return true
		})
	}
	for _, p := range s.params {
		switch {
		case p.Name == "varargs":
			s.varargs = false
		case p.Name == "kwargs":
			s.kwargs = false
		case p.Name == "caller" && s.caller && p.Default == nil:
			return source.Errorf(p.At, source.Syntax, `template error: the parameter "caller" needs a default, since it is the body of a "call"`).
				WithHint("write caller=none, or leave it out: caller() is there without it")
		}
	}
	return nil
}

// A macroStatement defines a macro: a function that returns the text of its body.
type macroStatement struct{ signature }

// macroHead parses "macro NAME(PARAM, PARAM = EXPR)".
func (h *head) macroHead() error {
	name, at, err := h.NewName()
	if err != nil {
		return err
	}
	s := &macroStatement{signature{name: name, at: at}}
	if s.params, err = h.Params(); err != nil {
		return err
	}
	if err := s.checkParams(); err != nil {
		return err
	}
	return h.open(s)
}

// checkParams reports a duplicate parameter, or a parameter without a default that
// follows one with a default.
func (s *signature) checkParams() error {
	seen := map[string]bool{}
	for i, p := range s.params {
		if seen[p.Name] {
			return source.Errorf(p.At, source.Syntax, "template error: a second parameter %q", p.Name)
		}
		seen[p.Name] = true
		if p.Default == nil && i > 0 && s.params[i-1].Default != nil {
			return source.Errorf(p.At, source.Syntax, "template error: parameter %q needs a default, since those before it have one", p.Name)
		}
	}
	return nil
}

func (s *macroStatement) exec(r *run, bodies []body) error {
	r.bind(s.name, r.macro(&s.signature, bodies[0]))
	return nil
}

// A callStatement calls a macro and passes its own body as the macro "caller":
//
//	{% call box("title") %}text{% endcall %}
type callStatement struct {
	signature
	call expr.Node
}

// callerVar is the variable that holds the body while the call is evaluated. The blank
// keeps templates from using the name.
const callerVar = "the caller"

// callHead parses "call [(PARAMS)] EXPR".
func (h *head) callHead() error {
	s := &callStatement{signature: signature{name: "caller", at: h.at, isCaller: true}}
	var err error
	if h.Peek("(") {
		if s.params, err = h.Params(); err != nil {
			return err
		}
		if err := s.checkParams(); err != nil {
			return err
		}
	}
	n, err := h.Expr()
	if err != nil {
		return err
	}
	call, ok := n.(*expr.CallExpr)
	if !ok {
		return source.Errorf(n.Span(), source.Syntax, "template error: \"call\" needs the call of a macro, such as {%% call box() %%}")
	}
	withBody := *call
	withBody.Args = append(call.Args[:len(call.Args):len(call.Args)], expr.Arg{Name: "caller", Value: &expr.Name{Name: callerVar}})
	s.call = &withBody
	return h.open(s)
}

func (s *callStatement) exec(r *run, bodies []body) error {
	scope := r.frame.scope.With(callerVar, r.macro(&s.signature, bodies[0]))
	v, err := r.eval(s.call, scope)
	if err != nil {
		return err
	}
	silent := r.out.silent
	defer func() { r.out.silent = silent }()
	r.out.silent = false // as in Jinja, a call outside of the blocks of a child is written
	return placed(r.write(v, false), s.at)
}

// A macro is a body with a signature and the environment of its definition.
type macro struct {
	*signature
	run   *run
	body  body
	frame *frame // variables that the body sees, including those set later
	unit  *unit
}

// macro returns a macro as a function. It belongs to the current frame and unit.
func (r *run) macro(s *signature, b body) value.Value {
	m := &macro{s, r, b, r.frame, r.unit}
	return value.FromFunc(&value.Func{Name: s.name, Call: m.call, Attr: m.attr})
}

// attr returns an attribute that Jinja defines for macros, such as name.
func (m *macro) attr(name string) (value.Value, bool) {
	switch name {
	case "name":
		return value.String(m.name), true
	case "arguments":
		names := make(value.Slice, len(m.params))
		for i, name := range m.paramNames() {
			names[i] = value.String(name)
		}
		return value.FromList(names), true
	case "catch_varargs":
		return value.Bool(m.varargs), true
	case "catch_kwargs":
		return value.Bool(m.kwargs), true
	case "caller":
		return value.Bool(m.caller), true
	}
	return value.Null, false
}

// maxMacroDepth bounds nested macro calls.
const maxMacroDepth = 2000

// call renders the body with the arguments as variables.
func (m *macro) call(args value.Args) (value.Value, error) {
	r := m.run
	if r.macros++; r.macros > maxMacroDepth {
		r.macros--
		return value.Null, source.Errorf(m.at, source.Limit, "macro %q calls itself more than %d deep", m.name, maxMacroDepth)
	}
	defer func() { r.macros-- }()
	outer, escapes := r.unit, r.frame.scope.Escapes()
	defer func() { r.unit = outer }()
	r.unit = m.unit
	v, err := r.captureValue(m.frame.scope, func() error {
		if err := m.bind(args); err != nil {
			return err
		}
		return m.body.exec(r)
	})
	if m.unit != nil {
		v = v.Mark(m.unit.tpl.marks())
	}
	if escapes { // as in Jinja, also if the macro itself escapes nothing
		v = v.AsHTML()
	}
	if err = placed(err, m.at); err != nil && outer != m.unit && m.unit != nil {
		err = included(err, placerFile(m.unit.tpl.at), m.unit.at)
	}
	return v, err
}

// bind sets the parameters in the current frame.
func (m *macro) bind(args value.Args) error {
	named := map[string]value.Value{}
	for _, a := range args.Named {
		named[a.Name] = a.Value
	}
	if caller, ok := named["caller"]; ok && !m.hasParam("caller") {
		if !m.caller {
			return fmt.Errorf("macro %q takes no \"call\" body: it never calls caller()", m.name)
		}
		m.run.bind("caller", caller)
		delete(named, "caller")
	} else if m.caller && !m.isCaller && !m.hasParam("caller") {
		m.run.bind("caller", undefinedf("macro %q was not called by a \"call\" statement, so it has no caller()", m.name))
	}
	var missing []expr.Param
	for i, p := range m.params {
		v, ok := named[p.Name]
		delete(named, p.Name)
		switch {
		case i < len(args.Pos) && ok:
			return fmt.Errorf("macro %q got two values for %q", m.name, p.Name)
		case i < len(args.Pos):
			v = args.Pos[i]
		case ok:
		default:
			v = undefinedf("parameter %q of macro %q was not provided", p.Name, m.name)
			if p.Default != nil {
				missing = append(missing, p)
			}
		}
		m.run.bind(p.Name, v)
	}
	if err := m.bindDefaults(missing); err != nil {
		return err
	}
	return m.bindRest(args, named)
}

// bindDefaults sets parameters to their defaults, which see all parameters: in
// m(a=b, b=1), the a of m(b=2) is 2.
func (m *macro) bindDefaults(params []expr.Param) error {
	for _, p := range params {
		v, err := m.run.bound(p.Default)
		if err != nil {
			return err
		}
		m.run.bind(p.Name, v)
	}
	return nil
}

// hasParam reports whether the macro declares a parameter itself.
func (m *macro) hasParam(name string) bool {
	return slices.ContainsFunc(m.params, func(p expr.Param) bool { return p.Name == name })
}

// bindRest sets varargs and kwargs to the arguments without a parameter. They are an
// error in a macro that does not use these names.
func (m *macro) bindRest(args value.Args, named map[string]value.Value) error {
	rest := value.Slice{}
	if n := len(m.params); len(args.Pos) > n {
		rest = append(rest, args.Pos[n:]...)
	}
	if len(rest) > 0 && !m.varargs {
		return fmt.Errorf("macro %q takes at most %s, not %d", m.name, countOf(len(m.params), "argument"), len(args.Pos))
	}
	kwargs := value.NewMap(len(named))
	for _, a := range args.Named {
		if v, ok := named[a.Name]; ok {
			if !m.kwargs {
				return fmt.Errorf("macro %q takes no argument %q%s", m.name, a.Name, didYouMean(a.Name, m.paramNames()))
			}
			kwargs.Set(value.K(a.Name), v)
		}
	}
	if m.varargs {
		m.run.bind("varargs", value.FromList(rest))
	}
	if m.kwargs {
		m.run.bind("kwargs", value.FromMap(kwargs))
	}
	return nil
}

func (m *macro) paramNames() []string {
	names := make([]string, len(m.params))
	for i, p := range m.params {
		names[i] = p.Name
	}
	return names
}

// undefinedf returns an undefined value whose use is the given error.
func undefinedf(format string, args ...any) value.Value {
	return value.Undefined(source.Errorf(source.Span{}, source.Undefined, format, args...))
}
