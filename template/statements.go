package template

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A textOp writes text.
type textOp string

func (t textOp) exec(r *run) error { return r.writeText(string(t)) }

// An outputOp writes the value of an expression.
type outputOp struct {
	node       expr.Node
	source     string // the expression as written, for lenient rendering
	exempt     bool   // its text is never read as a literal
	at         expr.Placer
	start, end int
}

func (o *outputOp) exec(r *run) error {
	if r.out.silent {
		return nil
	}
	before := r.out.watch()
	r.branch.Open = 0
	v, err := o.value(r.frame.scope, r.lenient)
	v = r.out.attribute(before, v)
	if err != nil {
		return err
	}
	if c, ok := o.node.(*expr.Cond); ok && c.Else == nil {
		r.out.decidedBy(r.branch.Open) // whether there is a text
	}
	if v.Is(value.StringKind) && r.frame.scope.Escapes() {
		v = value.EscapeHTML(v)
	}
	if expr.IsOmit(v) {
		return r.omit(v, o.at.TextSpan(o.start, o.end))
	}
	if err := r.write(v, o.exempt); err != nil {
		return placed(err, o.at.TextSpan(o.start, o.end))
	}
	return nil
}

// value evaluates the expression. An undefined expression is an error, or its own source
// in a lenient rendering.
func (o *outputOp) value(s *expr.Scope, lenient bool) (value.Value, error) {
	v, err := expr.Eval(o.node, s)
	if err == nil && !v.Is(value.UndefinedKind) {
		return v, nil
	}
	return o.undefined(v, err, s, lenient)
}

// undefined is value for the undefined value v or the error err. It is no part of value, so that values of templates
// that depend on each other take little of the stack.
//
//go:noinline
func (o *outputOp) undefined(v value.Value, err error, s *expr.Scope, lenient bool) (value.Value, error) {
	if err == nil && expr.Soft(v) {
		return value.String("").Mark(v.Marks()), nil
	}
	if err == nil && !expr.IsOmit(v) {
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

// staysText reports whether the text of an expression is never read as a literal,
// because its outermost filter produces text on purpose: {{ 1 | string }} is "1".
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

// An ifStatement runs the first body whose test holds, or the body of "else".
type ifStatement struct{ tests []expr.Node }

// ifHead parses "if EXPR".
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

// bodyVar is the variable that holds the text of a body for its filters. The blank keeps
// templates from using the name.
const bodyVar = "the body"

// A filterStatement applies filters to the text of its body.
type filterStatement struct{ filters expr.Node }

// filterHead parses "filter FILTER | FILTER".
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

// filtered returns the text of a body with filters applied.
func filtered(r *run, b body, filters expr.Node) (value.Value, error) {
	v, err := r.capture(r.frame.scope, func() error { return b.exec(r) })
	if err != nil {
		return v, err
	}
	return r.eval(filters, r.frame.scope.With(bodyVar, v))
}

// An autoescapeStatement runs its body with HTML escaped, or not escaped.
type autoescapeStatement struct{ on expr.Node }

// autoescapeHead parses "autoescape EXPR".
func (h *head) autoescapeHead() error {
	n, err := h.Expr()
	if err != nil {
		return err
	}
	return h.open(&autoescapeStatement{n})
}

func (s *autoescapeStatement) exec(r *run, bodies []body) error {
	on, err := r.test(s.on)
	if err != nil {
		return err
	}
	return r.scoped(r.frame.scope.Escaping(on), func() error { return bodies[0].exec(r) })
}

// A doOp evaluates an expression for its side effects.
type doOp struct{ node expr.Node }

// doHead parses "do EXPR".
func (h *head) doHead() error {
	n, err := h.Tuple()
	if err != nil {
		return err
	}
	h.c.add(doOp{n})
	return nil
}

func (o doOp) exec(r *run) error {
	_, err := r.eval(o.node, r.frame.scope)
	return err
}

// printHead parses "print EXPR, EXPR", which writes the values one after the other.
func (h *head) printHead() error {
	for first := true; !h.AtEnd(); first = false {
		if !first {
			if err := h.Expect(","); err != nil {
				return err
			}
		}
		n, text, err := h.Written()
		if err != nil {
			return err
		}
		h.c.add(&outputOp{node: n, source: text, exempt: staysText(n), at: h.c.t.at, start: h.piece.start, end: h.piece.end})
	}
	return nil
}

// A forStatement runs its first body for each item of a list, key of a map or
// character of a string, and its second body if there are none.
type forStatement struct {
	at        source.Span
	target    expr.Target
	over      expr.Node
	filter    expr.Node // nil for none
	recursive bool
}

// forHead parses "for TARGET in EXPR [if EXPR] [recursive]".
func (h *head) forHead() error {
	s := &forStatement{at: h.at}
	var err error
	if s.target, err = h.Target(); err != nil {
		return err
	}
	if s.target.Attr != "" {
		return source.Errorf(s.target.At, source.Syntax, `template error: a loop cannot set an attribute; set %s.%s in its body`, s.target.Name, s.target.Attr)
	}
	if slices.Contains(s.target.Names(), "loop") {
		return source.Errorf(s.target.At, source.Syntax, `template error: cannot assign to "loop", which a loop sets itself`)
	}
	if err := h.Expect("in"); err != nil {
		return err
	}
	if s.over, err = h.TupleNoCond(); err != nil {
		return err
	}
	if h.Accept("if") {
		if s.filter, err = h.Expr(); err != nil {
			return err
		}
	}
	s.recursive = h.Accept("recursive")
	return h.open(s)
}

func (s *forStatement) exec(r *run, bodies []body) error {
	v, err := r.look(s.over, r.frame.scope)
	if err != nil {
		return err
	}
	if display, ok := s.over.(*expr.List); ok && slices.ContainsFunc(display.Items, makesCollection) {
		v = r.changeable(display, v) // the body may change the lists in it
	}
	return s.iterate(r, bodies, v, 0)
}

// makesCollection reports whether an expression is a list or map written out.
func makesCollection(n expr.Node) bool {
	switch n.(type) {
	case *expr.List, *expr.Map:
		return true
	}
	return false
}

// iterate runs the loop over v. The number of items decides which text is written.
func (s *forStatement) iterate(r *run, bodies []body, v value.Value, depth int) error {
	r.decidedBy(v.Marks())
	items, err := r.items(v, s.over.Span())
	if err != nil {
		return err
	}
	if s.filter != nil {
		if items, err = s.filtered(r, items); err != nil {
			return err
		}
	}
	if items.Len() == 0 {
		if len(bodies) > 1 {
			return bodies[1].exec(r)
		}
		return nil
	}
	l := &loop{run: r, statement: s, bodies: bodies, items: items, depth: depth, scope: r.frame.scope}
	return l.iterate()
}

// filtered returns the items for which the filter of the loop holds.
func (s *forStatement) filtered(r *run, items value.List) (value.List, error) {
	var kept value.Slice
	base := r.frame.scope
	for item, err := range value.Items(items) {
		if err != nil {
			return nil, placed(err, s.at)
		}
		if err := r.step(); err != nil {
			return nil, placed(err, s.at)
		}
		scope, err := assignTo(base, s.target, item, r)
		if err != nil {
			return nil, err
		}
		err = r.scoped(scope, func() error {
			holds, err := r.test(s.filter)
			if holds {
				kept = append(kept, item)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// iterationSteps are the steps charged for each iteration of a loop. An iteration is
// much more work than a step of an expression, and an endless loop should stop soon.
const iterationSteps = 120

func (r *run) step() error { return r.base.Env.Step(iterationSteps) }

// A loop is the state of a running loop, and the variable "loop" in its body.
type loop struct {
	run       *run
	statement *forStatement
	bodies    []body
	items     value.List
	depth     int
	index     int
	scope     *expr.Scope   // outside of the loop
	changed   []value.Value // the last arguments of loop.changed
}

// iterate runs the body for each item.
func (l *loop) iterate() error {
	r, at := l.run, l.statement.at
	inside := l.scope.With("loop", value.FromFunc(&value.Func{Name: "loop", Call: l.recurse, Attr: l.attr}))
	outer := r.frame
	defer func() { r.frame = outer }()
	for l.index = range l.items.Len() {
		if err := r.step(); err != nil {
			return placed(err, at)
		}
		item, err := l.items.At(l.index)
		if err != nil {
			return placed(err, at)
		}
		scope, err := assignTo(inside, l.statement.target, item, r)
		if err != nil {
			return err
		}
		r.frame = &frame{scope: scope}
		switch err := l.bodies[0].exec(r); err {
		case nil, errContinue:
		case errBreak:
			return nil
		default:
			return err
		}
	}
	return nil
}

// recurse implements loop(items): it runs the loop over other items and returns the text.
func (l *loop) recurse(args value.Args) (value.Value, error) {
	if !l.statement.recursive {
		return value.Null, source.Errorf(l.statement.at, source.BadType, "the loop is called but not marked \"recursive\"")
	}
	if len(args.Pos) != 1 || len(args.Named) > 0 {
		return value.Null, errors.New("loop() takes one argument, the items to iterate over")
	}
	if err := l.run.enter(); err != nil {
		return value.Null, placed(err, l.statement.at)
	}
	defer l.run.leave()
	return l.run.capture(l.scope, func() error {
		return l.statement.iterate(l.run, l.bodies, args.Pos[0], l.depth+1)
	})
}

// attr returns an attribute of the variable "loop".
func (l *loop) attr(name string) (value.Value, bool) {
	n := l.items.Len()
	switch name {
	case "index":
		return value.Int(int64(l.index + 1)), true
	case "index0":
		return value.Int(int64(l.index)), true
	case "revindex":
		return value.Int(int64(n - l.index)), true
	case "revindex0":
		return value.Int(int64(n - l.index - 1)), true
	case "first":
		return value.Bool(l.index == 0), true
	case "last":
		return value.Bool(l.index == n-1), true
	case "length":
		return value.Int(int64(n)), true
	case "depth":
		return value.Int(int64(l.depth + 1)), true
	case "depth0":
		return value.Int(int64(l.depth)), true
	case "previtem":
		return l.neighbour(l.index-1, "previous"), true
	case "nextitem":
		return l.neighbour(l.index+1, "next"), true
	case "cycle":
		return value.FromFunc(&value.Func{Name: "loop.cycle", Call: l.cycle}), true
	case "changed":
		return value.FromFunc(&value.Func{Name: "loop.changed", Call: l.isChanged}), true
	}
	return value.Null, false
}

// neighbour returns item i, or undefined if there is none.
func (l *loop) neighbour(i int, which string) value.Value {
	if i < 0 || i >= l.items.Len() {
		return value.Undefined(fmt.Errorf("the loop has no %s item here", which))
	}
	v, err := l.items.At(i)
	if err != nil {
		return value.Undefined(err)
	}
	return v
}

// cycle returns one of its arguments, by the index of the iteration.
func (l *loop) cycle(args value.Args) (value.Value, error) {
	if len(args.Pos) == 0 {
		return value.Null, errors.New("loop.cycle() needs at least one value")
	}
	return args.Pos[l.index%len(args.Pos)], nil
}

// isChanged reports whether its arguments differ from the arguments of the last call.
func (l *loop) isChanged(args value.Args) (value.Value, error) {
	now := value.ListOf(args.Pos...)
	looked := value.Comparison{Charge: l.run.base.Env.Step, Met: l.run.base.Env}
	same, err := looked.Equal(now, value.ListOf(l.changed...))
	if err != nil {
		return value.Null, err
	}
	first := l.changed == nil
	l.changed = append([]value.Value{}, args.Pos...)
	return value.Bool(first || !same).Mark(looked.Marks), nil
}

// The signals of break and continue, which are returned as errors up to their loop.
var (
	errBreak    = errors.New("break outside of a loop")
	errContinue = errors.New("continue outside of a loop")
)

// isSignal reports whether err ends an iteration instead of being an error.
func isSignal(err error) bool { return err == errBreak || err == errContinue }

// A signalOp is "break" or "continue".
type signalOp struct{ signal error }

// breakHead parses "break" and "continue".
func (h *head) breakHead() error {
	if !h.c.inLoop() {
		return h.errorf("%q outside of a loop", h.word)
	}
	if h.word == "break" {
		h.c.add(signalOp{errBreak})
	} else {
		h.c.add(signalOp{errContinue})
	}
	return nil
}

func (o signalOp) exec(*run) error { return o.signal }

// items returns the values that a loop or an unpacking iterates over: the items of a
// list, the keys of a map, the characters of a string. They get the marks of v.
func (r *run) items(v value.Value, at source.Span) (value.List, error) {
	switch v.Kind() {
	case value.ListKind:
		if l, ok := v.List().(*list); ok {
			if err := r.moved(len(l.items)); err != nil {
				return nil, err
			}
			return marked(slices.Clone(l.items), v.Marks()), nil // the body may change the list
		}
		return marked(v.List(), v.Marks()), nil
	case value.MapKind:
		if err := r.base.Env.Step(1 + 2*v.Map().Len()); err != nil {
			return nil, placed(err, at)
		}
		keys, err := value.KeyScalars(v.Map())
		return marked(value.Slice(keys), v.Marks()), placed(err, at)
	case value.StringKind:
		return r.characters(v, at)
	case value.UndefinedKind:
		if r.lenient {
			return value.Slice(nil), nil
		}
		return nil, expr.Raise(v)
	}
	return nil, source.Errorf(at, source.BadType, "cannot iterate over %s", value.Article(v.Kind()))
}

// maxCharacters bounds a string that a loop iterates over: each character is a value.
const maxCharacters = 4 << 20

// characters returns the characters of a string as strings with its marks.
func (r *run) characters(text value.Value, at source.Span) (value.List, error) {
	n := utf8.RuneCountInString(text.Str())
	if n > maxCharacters {
		return nil, source.Errorf(at, source.Limit, "a loop over a string is limited to %d characters", maxCharacters)
	}
	chars := make(value.Slice, 0, n)
	for _, c := range text.Str() {
		if err := r.grown(len(chars)); err != nil {
			return nil, err
		}
		chars = append(chars, value.String(string(c)).Mark(text.Marks()))
	}
	return chars, nil
}

// maxItems bounds the lists that a template changes. A list that grows takes the memory of two, before
// the evaluation looks at its memory again.
const maxItems = 4 << 20

// grown charges steps for appending to a list of n items. A short template can make many
// items, by adding a list to itself, and memory is only checked when steps are counted.
func (r *run) grown(n int) error {
	if n >= maxItems {
		return source.Errorf(source.Span{}, source.Limit, "a list would have more than %d items", maxItems)
	}
	if n%itemsCounted != 0 {
		return nil
	}
	return r.base.Env.Step(itemsCounted)
}

const itemsCounted = 1024

// marked returns l with the marks m added to its items.
func marked(l value.List, m value.Marks) value.List {
	if m == 0 {
		return l
	}
	return markedList{l, m}
}

type markedList struct {
	value.List
	marks value.Marks
}

// At returns item i.
func (l markedList) At(i int) (value.Value, error) {
	v, err := l.List.At(i)
	return v.Mark(l.marks), err
}
