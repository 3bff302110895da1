package template

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An op is a part of a template without bodies: text, an expression, a simple
// statement.
type op interface {
	exec(r *run) error
}

// A statement is a part of a template with bodies.
type statement interface {
	exec(r *run, bodies []body) error
}

// A nestedOp is a statement with its bodies, as an operation of the body around it.
type nestedOp struct {
	statement statement
	bodies    []body
}

func (o *nestedOp) exec(r *run) error { return o.statement.exec(r, o.bodies) }

// A body is the part of a template between two tags of a statement.
type body []op

// exec runs the body in the current frame.
func (b body) exec(r *run) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.leave()
	for _, o := range b {
		if err := o.exec(r); err != nil {
			return err
		}
	}
	return nil
}

// A run is one rendering of a template and of everything that it includes. It belongs
// to one goroutine.
type run struct {
	main  *Template   // the template that Render was called for
	base  *expr.Scope // the scope that Render was given
	opts  *Options
	files map[fileKey]*Template // included files read so far

	unit  *unit   // the template that is running
	frame *frame  // the innermost variables
	out   *output // receives text

	depth   int // of nested bodies and macros
	macros  int // of nested macro calls
	units   int // of nested files
	bytes   int // of text produced so far
	branch  expr.Branches
	lenient bool // undefined expressions stay as text
	mutable bool // the template made a list or map that it may change
}

// A unit is the rendering of one template file, or of the main template, together with
// its parents: it owns the names set at its top level and the blocks.
type unit struct {
	tpl    *Template
	at     source.Span // of the include or import
	top    *frame
	parent *Template                    // set by extends
	blocks map[string][]*blockStatement // by name, overriding blocks first
	chain  []link                       // the parents so far
	names  []string                     // set at the top level, for importers
}

// A frame holds the variables of one level. Macros keep the frame of their definition,
// not its scope, and so see names that are set after it.
type frame struct {
	scope *expr.Scope
	unit  *unit // if the frame is the top level of a unit
}

// maxDepth bounds nested bodies and macros, so that an endless recursion is an error
// long before the stack is exhausted.
const maxDepth = 20_000

// newRun returns a run that renders t with the variables of s.
func newRun(t *Template, s *expr.Scope) *run {
	r := &run{main: t, base: s, opts: &t.opts, out: &output{}, lenient: t.lenient(s)}
	r.frame = &frame{scope: s.Tainted(&r.out.marks).Branching(&r.branch).Escaping(t.syn.autoescape)}
	if t.statements {
		r.frame.scope = r.frame.scope.Namespaces(r.newNamespace)
	}
	return r
}

// all renders the main template.
func (r *run) all() (err error) {
	t := r.main
	defer func() {
		if p := recover(); p != nil {
			err = source.Errorf(t.at.TextSpan(0, len(t.text)), source.Internal, "template error: %v", p)
		}
	}()
	return r.render(t, r.frame, source.Span{})
}

// render renders t, and then its parents, as a unit whose top-level variables are those
// of f. at is the place of the include.
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
		f.scope = f.scope.Escaping(t.syn.autoescape)
		if err := r.tree(t); err != nil {
			return err
		}
		last, t = t, r.unit.parent
	}
	if outerUnit == nil && r.main.opts.File {
		return r.writeText(last.lastBreak) // a file keeps its last newline
	}
	return nil
}

// tree runs one template of a unit. After "extends", which makes the output silent, it
// writes nothing.
func (r *run) tree(t *Template) error {
	silent := r.out.silent
	defer func() { r.out.silent = silent }()
	r.out.decidedBy(t.marks())
	return t.root.exec(r)
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

// scoped runs do in a new frame with the variables of s.
func (r *run) scoped(s *expr.Scope, do func() error) error {
	outer := r.frame
	r.frame = &frame{scope: s}
	err := do()
	r.frame = outer
	return err
}

// capture runs do and returns the text that it wrote.
func (r *run) capture(s *expr.Scope, do func() error) (value.Value, error) {
	o, err := r.captured(s, do)
	if err != nil {
		return value.Null, err
	}
	v, err := o.value()
	if s.Escapes() {
		v = v.AsHTML()
	}
	return v, err
}

// captureValue is capture for macros and the bodies of "set" and "call". As for a whole
// template, a text that spells a Python literal becomes its value, but only if that value
// is written as the same text. So {% set v %}1.10{% endset %} keeps its zero where v is
// joined with other text.
func (r *run) captureValue(s *expr.Scope, do func() error) (value.Value, error) {
	if s.Escapes() {
		return r.capture(s, do)
	}
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
	if same, err := value.Text(lit.WithoutSource()); err != nil || same != v.Str() {
		return v, nil
	}
	return lit.Mark(o.marks), nil
}

// captured runs do in a new frame and returns its output. Secrets that decide which text
// do writes do not mark the surrounding text as a whole, unless the run is mutable: a body
// may have stored what it saw in a list, map or namespace.
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

// look evaluates an expression in a scope. The value gets the marks of everything that
// the expression looked at: see [output.attribute].
func (r *run) look(n expr.Node, s *expr.Scope) (value.Value, error) {
	before := r.out.watch()
	v, err := expr.Eval(n, s)
	return r.out.attribute(before, v), err
}

// eval is look for an expression whose value is used: undefined is an error.
func (r *run) eval(n expr.Node, s *expr.Scope) (value.Value, error) {
	v, err := r.look(n, s)
	if err == nil {
		err = expr.Raise(v)
	}
	return v, err
}

// test evaluates a condition. Its marks become marks of the whole output, since it
// decides which text is written. In a lenient run undefined is false.
func (r *run) test(n expr.Node) (bool, error) {
	before := r.out.watch()
	v, err := expr.Eval(n, r.frame.scope)
	if err == nil && !r.lenient {
		err = expr.Raise(v)
	}
	r.decidedBy(r.out.marks | v.Marks())
	r.out.marks |= before
	return value.Truthy(v), err
}

// decidedBy notes that values with the marks m decide which text is written, and what is read.
func (r *run) decidedBy(m value.Marks) {
	if m != 0 {
		r.base.Env.Decided()
	}
	r.out.decidedBy(m)
}

// bind sets a variable of the current frame.
func (r *run) bind(name string, v value.Value) {
	r.frame.scope = r.frame.scope.With(name, v)
	r.export(name)
}

// export makes a name importable if the current frame is the top level of a unit.
func (r *run) export(name string) {
	if u := r.frame.unit; u != nil && !strings.HasPrefix(name, "_") {
		u.names = append(u.names, name)
	}
}

// result returns the value of the rendering: see [Template.Render].
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
	if r.main.opts.Data {
		return r.main.data(v, r.base.Env)
	}
	return r.main.literal(v, r.base)
}

// An output collects the text that a template writes, with its marks.
type output struct {
	text    value.TextBuilder
	marks   value.Marks // of everything looked at
	control value.Marks // of the values that decided which text is written
	chunks  int         // number of texts and values written
	only    value.Value // the first chunk
	inside  value.Marks // the marks inside of only
	exempt  bool        // only is a text that is never read as a literal
	held    bool        // only is not in text yet: it may be the result itself
	escapes bool        // the text of only is escaped
	silent  bool        // nothing is written, after "extends"
	omitted source.Span // the place of only, if that is omit
}

// value returns the output as one text. Its secret parts are the parts that expressions
// wrote, or all of it if a secret decided which text is written.
func (o *output) value() (value.Value, error) {
	err := o.flush()
	return o.text.Value().MarkParts(o.marks).Mark(o.control), err
}

// flush writes the value that is held back.
func (o *output) flush() error {
	if !o.held {
		return nil
	}
	o.held = false
	if expr.IsOmit(o.only) {
		return omitInText(o.omitted)
	}
	o.marks |= o.inside
	text, err := value.Text(o.only)
	if err != nil {
		return err
	}
	v := value.String(text).Mark(o.inside)
	if o.escapes {
		v = value.EscapeHTML(v)
	}
	return o.text.WriteValue(v, v.Str())
}

// decidedBy notes that values with the marks m decide which text is written.
func (o *output) decidedBy(m value.Marks) {
	o.marks |= m
	o.control |= m
}

// watch begins to collect the marks that one expression looks at, and returns the
// earlier ones for attribute.
func (o *output) watch() value.Marks {
	before := o.marks
	o.marks = 0
	return before
}

// attribute ends watch: it marks the value of the expression with the marks that the
// expression looked at. Marks that occur inside of the value are left out, so that in
// ['a', password] only the second item is secret.
func (o *output) attribute(before value.Marks, v value.Value) value.Value {
	looked := o.marks
	o.marks |= before
	if looked &^= v.Marks(); looked == 0 || v.Is(value.UndefinedKind) || v.Is(value.FuncKind) {
		return v
	}
	return v.Mark(looked &^ marksInside(v))
}

// marksInside returns the marks of v and of what is in it. It skips lazy items, which
// would have to be computed, and all items after the first maxMarkSearch.
func marksInside(v value.Value) (found value.Marks) {
	left := maxMarkSearch
	_ = value.Walk(v, func(_ value.Position, v value.Value, _ error) error {
		if left--; left < 0 {
			return value.SkipAll
		}
		found |= v.Marks()
		switch v.List().(type) {
		case value.Slice, *list:
		default:
			return value.SkipInside
		}
		switch v.Map().(type) {
		case *value.Dict, *dict, *namespace:
		default:
			return value.SkipInside
		}
		return nil
	})
	return found
}

const maxMarkSearch = 10_000

// writeText writes a text without marks.
func (r *run) writeText(s string) error {
	o := r.out
	if o.silent || s == "" {
		return nil
	}
	if err := o.flush(); err != nil {
		return err
	}
	o.chunks++
	o.text.WriteString(s)
	return r.count(len(s))
}

// writeString writes a text that may have marks. An empty secret is visible as missing
// text, so it marks the whole output.
func (r *run) writeString(v value.Value) error {
	o := r.out
	switch {
	case v.Marks() == 0:
		return r.writeText(v.Str())
	case v.Str() == "":
		o.decidedBy(v.Marks())
		return nil
	}
	if err := o.flush(); err != nil {
		return err
	}
	o.chunks++
	o.marks |= v.Marks()
	if err := o.text.WriteValue(v, v.Str()); err != nil {
		return err
	}
	return r.count(len(v.Str()) + len(value.SecretText))
}

// write writes a value. If it is the first and not a string, it is held back, because it
// is the result if nothing else is written.
func (r *run) write(v value.Value, exempt bool) error {
	o := r.out
	if o.silent {
		return nil
	}
	if v.Is(value.StringKind) {
		first := o.chunks == 0
		if err := r.writeString(v); err != nil {
			return err
		}
		if first && o.chunks == 1 {
			o.only, o.exempt = v, exempt
		}
		return nil
	}
	m := meter{run: r}
	if err := m.visit(v, 0); err != nil {
		return err
	}
	if err := o.flush(); err != nil {
		return err
	}
	o.chunks++
	o.only, o.inside, o.held, o.escapes = v, m.marks, true, r.frame.scope.Escapes()
	if o.chunks > 1 {
		return o.flush()
	}
	return nil
}

// omit writes the value that is not there: it is held back, since it can only be the whole result.
func (r *run) omit(v value.Value, at source.Span) error {
	o := r.out
	switch {
	case o.silent:
		return nil
	case o.chunks > 0 || r.opts.File:
		return omitInText(at)
	}
	o.chunks++
	o.only, o.inside, o.held, o.omitted = v, v.Marks(), true, at
	return nil
}

// omitInText returns the error of omit next to other text (spec: everyday, B6).
func omitInText(at source.Span) error {
	return source.Errorf(at, source.BadValue, "omit is inside of a text").
		WithHint("a value that is to be absent is omit alone: {{ (\"a\" ~ b) if b is defined else omit }}")
}

// count adds n bytes to the text produced.
func (r *run) count(n int) error {
	if r.bytes += n; r.bytes > r.opts.maxBytes() {
		return source.Errorf(source.Span{}, source.Limit, "the template produces more than %d bytes of text", r.opts.maxBytes())
	}
	if n > 4096 {
		return r.base.Env.Step(n / 4096)
	}
	return nil
}

// A meter counts the text of a list or map before the text is made, and collects the
// marks inside. Lists that share lists can be small while their text is enormous: after
//
//	{% set a = [1, 1] %}{% set b = [a, a] %}{% set c = [b, b] %}
//
// and so on, each line doubles the text.
type meter struct {
	run   *run
	marks value.Marks
}

// maxValueDepth bounds the nesting of a value that is written as text.
const maxValueDepth = 2000

func (m *meter) visit(v value.Value, depth int) error {
	m.marks |= v.Marks()
	if depth > maxValueDepth {
		return source.Errorf(source.Span{}, source.Limit, "the value is nested more than %d deep, or contains itself", maxValueDepth)
	}
	if err := expr.Raise(v); err != nil {
		return err
	}
	switch v.Kind() {
	case value.StringKind:
		return m.run.count(len(v.Str()))
	case value.ListKind:
		return m.list(v.List(), depth)
	case value.MapKind:
		return m.dict(v.Map(), depth)
	}
	if steps := value.TextSteps(v); steps > 0 {
		if err := m.run.base.Env.Step(steps); err != nil {
			return err
		}
	}
	return m.run.count(4)
}

// The loops are functions of their own, so that visit allocates nothing for a scalar.

func (m *meter) list(l value.List, depth int) error {
	if err := m.run.base.Env.Step(2 + 2*l.Len()); err != nil {
		return err
	}
	for item, err := range value.Items(l) {
		if err != nil {
			return err
		}
		if err := m.visit(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (m *meter) dict(d value.Map, depth int) error {
	if err := m.run.base.Env.Step(4 + 4*d.Len()); err != nil {
		return err
	}
	for k := range d.Keys() {
		if err := m.run.count(len(k.Text) + 4); err != nil {
			return err
		}
		item, _, err := d.Get(k)
		if err != nil {
			return err
		}
		if err := m.visit(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}
