package template

import (
	"strings"

	"github.com/flosch/pongo2/v6"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An op is a part of a template that has no body: text, an expression, a simple
// statement.
type op interface {
	exec(r *run) error
}

// A statement is a part of a template that has bodies.
type statement interface {
	exec(r *run, bodies []body) error
}

// A run is one rendering: of a template and of everything that it includes. It is
// used by one goroutine and thrown away.
type run struct {
	main  *Template               // whose result this is
	ctx   pongo2.ExecutionContext // what pongo2 hands to our nodes: this run
	base  *expr.Scope             // the scope that Render was given
	opts  Options
	files map[string]*Template // included files that were read

	unit  *unit   // the template that is running
	frame *frame  // the innermost variables
	out   *output // where text goes

	depth   int  // of bodies and macros inside of each other
	macros  int  // of macro calls inside of each other
	units   int  // of files inside of each other
	bytes   int  // of text produced so far
	lenient bool // undefined expressions stay as text
	mutable bool // there are lists or maps that a template may change
}

// A unit is the rendering of one template file, or of the text that began the run:
// it owns the names set at its top and the blocks of its chain of parents.
type unit struct {
	tpl    *Template
	at     source.Span // where it was included or imported
	top    *frame
	parent *Template                    // set by extends
	blocks map[string][]*blockStatement // the overriding ones first
	chain  []link                       // the parents so far
	names  []string                     // set at the top, for importers
}

// A frame holds the variables of one level. Names set later are seen by the macros
// defined in it, because those keep the frame and not the scope.
type frame struct {
	scope *expr.Scope
	unit  *unit // not nil for the top of a unit, whose names can be imported
}

// maxDepth bounds bodies and macros inside of each other, so that a recursion
// without end is an error long before the stack is used up.
const maxDepth = 20_000

func newRun(t *Template, s *expr.Scope) *run {
	r := &run{main: t, base: s, opts: t.opts, out: &output{}, lenient: t.opts.Lenient || s.Lenient()}
	r.frame = &frame{scope: s.Tainted(&r.out.marks)}
	return r
}

// all renders the template that the run was made for.
func (r *run) all() (err error) {
	t := r.main
	defer func() {
		if p := recover(); p != nil {
			err = source.Errorf(t.at.TextSpan(0, len(t.text)), source.Internal, "template error: %v", p)
		}
	}()
	if t.tree == nil {
		r.out.decidedBy(t.marks())
		return r.ops(t.simple)
	}
	return r.render(t, r.frame, source.Span{})
}

// render renders t as a unit whose top-level variables live in f. It was included
// at a place.
func (r *run) render(t *Template, f *frame, at source.Span) error {
	outerUnit, outerFrame := r.unit, r.frame
	defer func() { r.unit, r.frame = outerUnit, outerFrame }()
	r.unit = &unit{tpl: t, top: f, at: at}
	f.unit, r.frame = r.unit, f
	r.unit.addBlocks(t)
	if r.unit.blocks != nil {
		f.scope = f.scope.With("self", value.FromMap(&selfMap{r, r.unit}))
	}
	last := t
	for t != nil {
		r.unit.parent = nil
		if err := r.tree(t); err != nil {
			return err
		}
		last, t = t, r.unit.parent
	}
	if outerUnit == nil && r.main.opts.File {
		return r.writeText(last.lastBreak) // the last newline of a file stays
	}
	return nil
}

// tree runs one template of a chain of parents. What stands outside of blocks in a
// template with a parent is not written.
func (r *run) tree(t *Template) error {
	silent := r.out.silent
	defer func() { r.out.silent = silent }()
	r.out.decidedBy(t.marks())
	if t.tree == nil {
		return r.ops(t.simple)
	}
	if r.ctx.Public == nil {
		r.ctx.Public = pongo2.Context{stateKey: r}
	}
	return t.tree.root.exec(r)
}

func (r *run) ops(ops []op) error {
	for _, o := range ops {
		if err := o.exec(r); err != nil {
			return err
		}
	}
	return nil
}

// enter counts one level of nesting; leave ends it.
func (r *run) enter() error {
	if r.depth++; r.depth > maxDepth {
		r.depth--
		return source.Errorf(source.Span{}, source.Limit, "template statements are nested more than %d deep", maxDepth)
	}
	return nil
}

func (r *run) leave() { r.depth-- }

// scoped runs do with a frame of its own, whose variables go away afterwards.
func (r *run) scoped(s *expr.Scope, do func() error) error {
	outer := r.frame
	r.frame = &frame{scope: s}
	err := do()
	r.frame = outer
	return err
}

// capture runs do and returns the text that it wrote, marked with what it looked at.
func (r *run) capture(s *expr.Scope, do func() error) (value.Value, error) {
	o, err := r.captured(s, do)
	if err != nil {
		return value.Null, err
	}
	return o.value()
}

// captureValue is capture for macros and the bodies of "set" and "call": as for a
// whole template, a text that stands for a value is that value. It has to be written
// with the same text, so that joining texts loses nothing.
func (r *run) captureValue(s *expr.Scope, do func() error) (value.Value, error) {
	o, err := r.captured(s, do)
	if err != nil {
		return value.Null, err
	}
	native := r.main.readsLiterals(r.base.Env)
	if native && o.chunks == 1 && o.held {
		return o.only.Mark(o.marks), nil
	}
	v, err := o.value()
	if err != nil || !native || o.chunks == 1 && o.exempt {
		return v, err
	}
	lit, ok, err := readLiteral(v.Str(), r.base.Env)
	if err != nil || !ok {
		return v, err
	}
	if same, err := value.Text(lit); err != nil || same != v.Str() {
		return v, nil
	}
	return lit.Mark(o.marks), nil
}

// captured runs do and returns what it wrote. What decides about that text does not
// decide about the text around it, unless there are lists, maps or namespaces that can
// be changed: by them a body tells others what it saw.
func (r *run) captured(s *expr.Scope, do func() error) (*output, error) {
	outer, inner := r.out, &output{}
	r.out = inner
	err := r.scoped(s.Tainted(&inner.marks), do)
	r.out = outer
	outer.marks |= inner.marks
	if r.mutable {
		outer.decidedBy(inner.control)
	}
	return inner, err
}

// look evaluates an expression in a scope. The value has the marks of what the
// expression looked at: see [output.attribute].
func (r *run) look(n expr.Node, s *expr.Scope) (value.Value, error) {
	before := r.out.watch()
	v, err := expr.Eval(n, s)
	return r.out.attribute(before, v), err
}

// eval evaluates an expression whose value is used: undefined is an error.
func (r *run) eval(n expr.Node) (value.Value, error) {
	v, err := r.look(n, r.frame.scope)
	if err == nil {
		err = expr.Raise(v)
	}
	return v, err
}

// test evaluates a condition, which decides about the text from here on. In a lenient
// run undefined is false.
func (r *run) test(n expr.Node) (bool, error) {
	before := r.out.watch()
	v, err := expr.Eval(n, r.frame.scope)
	if err == nil && !r.lenient {
		err = expr.Raise(v)
	}
	r.out.decidedBy(r.out.marks | v.Marks())
	r.out.marks |= before
	return value.Truthy(v), err
}

// bind sets a variable of the current frame.
func (r *run) bind(name string, v value.Value) {
	r.frame.scope = r.frame.scope.With(name, v)
	r.export(name)
}

// export lets importers see a name if the current frame is the top of a template.
func (r *run) export(name string) {
	if u := r.frame.unit; u != nil && !strings.HasPrefix(name, "_") {
		u.names = append(u.names, name)
	}
}

// result returns what the template comes to.
func (r *run) result() (value.Value, error) {
	o := r.out
	if o.chunks == 1 && o.held && !r.opts.File {
		if o.only.Is(value.FuncKind) {
			return value.Null, r.main.noResult()
		}
		v, err := r.freeze(o.only)
		return v.Mark(o.marks), err
	}
	v, err := o.value()
	if err != nil {
		return value.Null, err
	}
	if o.chunks == 1 && o.exempt {
		return v, nil
	}
	return r.main.literal(v, r.base)
}
