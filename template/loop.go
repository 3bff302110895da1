package template

import (
	"errors"
	"fmt"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A forStatement runs its first body for each item of a list, key of a map or
// character of a text, and its second body if there are none.
type forStatement struct {
	at        source.Span
	target    expr.Target
	over      expr.Node
	filter    expr.Node // nil for none
	recursive bool
}

func (h *head) forHead() error {
	s := &forStatement{at: h.at}
	var err error
	if s.target, err = h.Target(); err != nil {
		return err
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
	return s.goThrough(r, bodies, v, 0)
}

// goThrough runs the loop for the items of v, whose number decides about the text.
func (s *forStatement) goThrough(r *run, bodies []body, v value.Value, depth int) error {
	r.out.decidedBy(v.Marks())
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
	return l.turns()
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

// turnSteps is what a turn of a loop costs at least: a turn is much more work than a
// step of an expression, and a loop without end should end soon.
const turnSteps = 20

func (r *run) step() error { return r.base.Env.Step(turnSteps) }

// A loop is what the variable "loop" stands for, while the loop runs.
type loop struct {
	run       *run
	statement *forStatement
	bodies    []body
	items     value.List
	depth     int
	index     int
	scope     *expr.Scope   // around the loop
	changed   []value.Value // the last arguments of loop.changed
}

func (l *loop) turns() error {
	inside := l.scope.With("loop", value.FromFunc(&value.Func{Name: "loop", Call: l.recurse, Attr: l.attr}))
	outer := l.run.frame
	defer func() { l.run.frame = outer }()
	for l.index = range l.items.Len() {
		err := l.turn(inside)
		if err == errBreak {
			return nil
		}
		if err != nil && err != errContinue {
			return err
		}
	}
	return nil
}

func (l *loop) turn(inside *expr.Scope) error {
	if err := l.run.step(); err != nil {
		return placed(err, l.statement.at)
	}
	item, err := l.items.At(l.index)
	if err != nil {
		return placed(err, l.statement.at)
	}
	scope, err := assignTo(inside, l.statement.target, item, l.run)
	if err != nil {
		return err
	}
	l.run.frame = &frame{scope: scope}
	return l.bodies[0].exec(l.run)
}

// recurse runs the loop again for other items and returns the text.
func (l *loop) recurse(args value.Args) (value.Value, error) {
	if !l.statement.recursive {
		return value.Null, source.Errorf(l.statement.at, source.BadType, "the loop is called but not marked \"recursive\"")
	}
	if len(args.Pos) != 1 || len(args.Named) > 0 {
		return value.Null, errors.New("loop() takes one argument, the items to go through")
	}
	if err := l.run.enter(); err != nil {
		return value.Null, placed(err, l.statement.at)
	}
	defer l.run.leave()
	return l.run.capture(l.scope, func() error {
		return l.statement.goThrough(l.run, l.bodies, args.Pos[0], l.depth+1)
	})
}

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

func (l *loop) cycle(args value.Args) (value.Value, error) {
	if len(args.Pos) == 0 {
		return value.Null, errors.New("loop.cycle() needs the values to go through")
	}
	return args.Pos[l.index%len(args.Pos)], nil
}

// isChanged reports whether its arguments differ from those of the last call.
func (l *loop) isChanged(args value.Args) (value.Value, error) {
	now := value.ListOf(args.Pos...)
	same, err := value.EqualCharged(now, value.ListOf(l.changed...), l.run.base.Env.Step)
	if err != nil {
		return value.Null, err
	}
	first := l.changed == nil
	l.changed = append([]value.Value{}, args.Pos...)
	return value.Bool(first || !same), nil
}

// Signals of break and continue, which travel as errors up to their loop.
var (
	errBreak    = errors.New("break outside of a loop")
	errContinue = errors.New("continue outside of a loop")
)

// A signalOp is "break" or "continue".
type signalOp struct{ signal error }

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
