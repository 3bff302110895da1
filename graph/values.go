package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Value returns the value of c, false if c is empty. Lists and maps are lazy: their items
// are evaluated on demand. A value that contains c is an error.
func (c *Cell) Value() (value.Value, bool, error) {
	v, ok, err := c.passed()
	if c.more != nil && c.more.endless != nil && err == nil {
		return value.Null, false, c.more.endless
	}
	return v, ok, err
}

// passed is Value for readers that pass through the value on the way to a part of it. It may
// contain c (spec: everyday, A4):
//
//	s: {eval: .}   ::s::a is a; the whole of ::s would contain itself
//	a: 1
func (c *Cell) passed() (value.Value, bool, error) {
	e := c.eval
	if n := len(e.running); e.OnRead != nil && n > 0 && !(e.Discreet && e.running[n-1].decided) {
		e.OnRead(e.running[len(e.running)-1].cell, c)
	}
	return c.evaluated()
}

// Ahead evaluates c for a computation that is about to read it, and certain to: before anything else that
// may fail or need a limit. It is not yet a read. So arguments that are calls with arguments that are calls
// need a stack for one call at a time, not for all of them:
//
//	double(double(double(x)))   x, then the inner call, the middle one, the outer one
//
// It does nothing where the value would not be kept. The error of a cycle names the values on the way, so it
// is forgotten, and from the first cycle on nothing is evaluated ahead.
func (c *Cell) Ahead() {
	e := c.eval
	if c.hasVal || e.lazily || e.settling || len(e.hidden) > 0 {
		return
	}
	e.ahead++
	_, _, err := c.evaluated()
	e.endAhead(err)
	e.lazily = e.lazily || !c.hasVal
}

// The preparations are the values that are computed before they are read: see [Cell.Ahead]. cyclic is empty
// while ahead is 0. Once lazily is true, nothing is computed ahead until the next question.
type preparations struct {
	ahead  int     // the number of running ones
	cyclic []*Cell // the cells that keep the error of a cycle since the outermost of them
	lazily bool
}

// forgets reports whether err is of a cycle that was met ahead: it must not be kept.
func (p *preparations) forgets(err error) bool {
	return p.ahead > 0 && err != nil && errors.Is(err, source.ErrCycle)
}

// endAhead ends an evaluation ahead, with its error.
func (p *preparations) endAhead(err error) {
	p.ahead--
	if err != nil && errors.Is(err, source.ErrCycle) {
		p.lazily = true
	}
	if p.ahead == 0 && p.cyclic != nil {
		for _, of := range p.cyclic {
			if p.lazily {
				of.hasVal, of.more.err = false, nil
			}
		}
		p.cyclic = nil
	}
}

// evaluated is passed for a caller that tells no listener.
func (c *Cell) evaluated() (value.Value, bool, error) {
	e := c.eval
	if c.hasVal && !c.shaded() {
		e.ticking = e.ticking || c.clocked
		if c.more != nil {
			return c.val, c.ok, c.more.err
		}
		return c.val, c.ok, nil
	}
	if a, ok := e.assume[c]; ok {
		e.saw(probe{cell: c}, a.val, a.ok)
		return a.val, a.ok, nil
	}
	var v value.Value
	var ok bool
	lowRun := e.lowRun
	e.lowRun = none
	before := e.begin()
	provisional, err := e.provisional(func() (err error) {
		v, ok, err = c.compute()
		return err
	})
	clocked := e.end(before)
	sawNull := e.lowRun < len(e.running)
	e.lowRun = min(lowRun, e.lowRun)
	if !sawNull {
		e.lowRun = lowRun
	}
	switch {
	case !provisional && !sawNull:
		c.val, c.ok, c.hasVal = v, ok, true
		if clocked {
			c.clocked = true
			e.clocked = append(e.clocked, c)
		}
		if err != nil {
			c.memo().err = err
			if e.forgets(err) {
				e.cyclic = append(e.cyclic, c)
			}
		}
	case provisional && err == nil:
		e.saw(probe{cell: c}, v, ok)
	}
	return v, ok, err
}

// shaded reports whether the cached value of c must not be used now: c and a running
// computation are on soft cycles, so c sees null there. Each cell has the value as if it
// were asked first.
func (c *Cell) shaded() bool {
	if !c.cyclic {
		return false
	}
	for _, r := range c.eval.running {
		if r.cell.cyclic {
			return true
		}
	}
	return false
}

// compute evaluates c from its layers, with the marks of secret conditions that choose among them.
func (c *Cell) compute() (value.Value, bool, error) {
	v, ok, err := c.unshaded()
	if ok && c.eval.shady != nil {
		v = c.withShades(v)
	}
	return v, ok, err
}

// present reports whether c has a value. It evaluates no expression but one that may be absent.
func (c *Cell) present() (bool, error) {
	if c.shape == nil && !c.eval.omits {
		if _, n := c.written(); n != nil && certainlyPresent(n) {
			return true, nil
		}
		l, err := c.layers()
		if l == nil || err != nil {
			return false, err
		}
		if l.group == nil && l.of == nil && certainlyPresent(l.node) {
			return true, nil
		}
	}
	f, err := c.fold()
	if err == nil && c.eval.omits && c.mayOmit(f) {
		_, ok, err := c.Value()
		return ok, err
	}
	return err == nil && f.kind != absentShape && f.kind != deletedShape, err
}

// written returns the one node that contributes to a key of a map, and the layer that has it, as far as this is known
// without looking for layers: most values of a computation are asked for once, and their layers are not kept then.
// Otherwise the node is nil.
func (c *Cell) written() (in *layer, n Node) {
	if c.hasLayer || c.item || c.up == nil || c.up.layer == nil {
		return nil, nil
	}
	in, e := c.up.entry(c.up.layer, c.key)
	if e == nil {
		return nil, nil
	}
	return in, e.Node
}

// unshaded is compute without these marks. Single scalars and computed values, the most frequent
// cases, need no fold.
func (c *Cell) unshaded() (value.Value, bool, error) {
	if in, n := c.written(); n != nil {
		if v, ok, err, done := c.single(in, n); done {
			return v, ok, err
		}
	}
	l, err := c.layers()
	if l == nil || err != nil {
		return value.Null, false, err
	}
	if l.group == nil && l.of == nil {
		if v, ok, err, done := c.single(l, l.node); done {
			return v, ok, err
		}
	}
	if l.isMap() {
		return c.AsMap(), true, nil
	}
	f, err := c.fold()
	if err != nil {
		return value.Null, false, err
	}
	switch f.kind {
	case absentShape, deletedShape:
		return value.Null, false, nil
	case scalarShape:
		return f.top.node.(*Scalar).Val, true, nil
	case computedShape:
		if def, ok := f.top.node.(*Define); ok {
			d := &Definition{Kind: def.Kind, At: def.At, body: def.Body, origin: f.top.origin}
			return value.FromFunc(&value.Func{Name: c.key.Text, Definition: d}), true, nil
		}
		n := f.top.node.(*Computed)
		return c.computed(n.Thunk, &Context{Cell: c, Origin: f.top.origin, Frame: f.top.frame, At: n.At})
	case mapShape:
		t, p, err := c.form(f)
		if err != nil {
			return value.Null, false, err
		}
		if t == nil {
			return c.AsMap(), true, nil
		}
		return c.computed(t, p)
	case listShape:
		return value.FromList((*lazyList)(c)), true, nil
	}
	return nullOf(f), true, nil
}

// single is unshaded for a node that is the only one on c, and is written in the layer in, or is the node of in. It is
// done if there is nothing to fold, which is most often so.
func (c *Cell) single(in *layer, n Node) (v value.Value, ok bool, err error, done bool) {
	switch n := n.(type) {
	case *Scalar:
		return n.Val, true, nil, !n.Val.IsNull()
	case *Computed:
		v, ok, err = c.computed(n.Thunk, &Context{Cell: c, Origin: in.origin, Frame: in.frame, At: n.At})
		return v, ok, err, true
	}
	return value.Null, false, nil, false
}

// nullOf returns the null of f with its marks.
func nullOf(f *foldResult) value.Value {
	if s, ok := f.top.node.(*Scalar); ok && s.Val.IsNull() {
		return s.Val
	}
	return value.Null
}

// form returns the thunk of a map that is an expression object, nil for data.
func (c *Cell) form(f *foldResult) (Thunk, *Context, error) {
	holder := f.form()
	if holder == nil || c.eval.forms == nil {
		return nil, nil, nil
	}
	p := &Context{Cell: c, Origin: holder.origin, Frame: holder.frame, At: holder.node.Span()}
	if c.hasThunk {
		return c.more.thunk, p, nil
	}
	var t Thunk
	provisional, err := c.eval.provisionally(func() error {
		raw, _, err := c.Raw()
		if p, _ := c.privacy(); p != nil && p.declared {
			raw = value.FromMap(formMap{(*rawMap)(c)})
		}
		if err == nil {
			t, _ = c.eval.forms(raw, p)
		}
		return err
	})
	if err == nil && !provisional {
		c.memo().thunk, c.hasThunk = t, true
	}
	return t, p, err
}

// form returns the newest map that makes f an expression object, nil for data.
func (f *foldResult) form() *layer {
	if f.formless {
		return nil
	}
	return newestForm(f.maps)
}

// newestForm returns the first of maps, newest first, that makes them an expression object, or nil.
func newestForm(maps []*layer) *layer {
	for _, m := range maps {
		if n, ok := m.node.(*Map); ok && n.Form {
			return m
		}
	}
	return nil
}

// computed evaluates a thunk on c, and notes a value that contains c.
func (c *Cell) computed(t Thunk, p *Context) (value.Value, bool, error) {
	v, err := c.run(t, p)
	if err == nil && expr.IsOmit(v) {
		return value.Null, false, nil
	}
	if err == nil && c.isWithin(CellOf(v)) {
		c.noteEndless(v, p)
	}
	return v, err == nil, err
}

// noteEndless notes that c has the value v, which contains c.
//
//go:noinline
func (c *Cell) noteEndless(v value.Value, p *Context) {
	d := source.Errorf(p.At, source.Cycle, "%s would contain itself: its value is %s, which contains it", c.label(), CellOf(v).label())
	d.Cause = value.ErrEndless
	c.memo().endless = d
}

// Contained returns the error of a map or list that contains itself, directly or through
// other values.
func (c *Cell) Contained() error {
	at := source.Span{}
	if l, err := c.layers(); l != nil && err == nil {
		at = l.span()
	}
	return source.Errorf(at, source.Cycle, "%s would contain itself: this is a cycle", c.label())
}

// isWithin reports whether c is other or is below it. Cells that are bound to a name are
// not below their enclosing cell.
func (c *Cell) isWithin(other *Cell) bool {
	for ; c != nil && other != nil && c.bound == unbound; c = c.up {
		if c == other {
			return true
		}
	}
	return false
}

// The computations that are running, outermost first. A value that needs itself is read as null if it is soft; the
// results of the computations from lowRun on depend on that, and are not kept.
type computations struct {
	running []run
	lowRun  int // the lowest that was read as null, none if there is none
}

// A run is a running computation. A cell may be computed again in another view.
type run struct {
	cell *Cell
	view int
	soft bool
	at   source.Span

	decided bool // a secret decides what it reads: see [Eval.Decided]
}

// view identifies the layers that a computation sees: the number of hidden layers, and
// whether choices are being confirmed, which may start during the computation they were
// made for.
func (e *Eval) view() int {
	if e.settling {
		return -1 - len(e.hidden)
	}
	return len(e.hidden)
}

// run evaluates a thunk on c. A thunk that needs its own value is a cycle; if all steps of
// the cycle are expression objects, the value is null there (spec: expressions, section 4).
func (c *Cell) run(t Thunk, p *Context) (value.Value, error) {
	e := c.eval
	if i := e.runOf(c); i >= 0 {
		return e.reentered(i, t)
	}
	if err := e.Enter(); err != nil {
		return value.Null, e.exceeds(at(err, p))
	}
	defer e.Leave()
	e.start(c, t, p)
	v, err := t.Eval(p)
	e.running = e.running[:len(e.running)-1]
	c.busy--
	if err != nil {
		return v, e.exceeds(at(err, p))
	}
	return v, nil
}

// start notes that t is being evaluated on c.
//
//go:noinline
func (e *Eval) start(c *Cell, t Thunk, p *Context) {
	c.busy++
	e.running = append(e.running, run{c, e.view(), t.Soft(), p.At, c.Shaded()})
}

// runOf returns the index of the running computation of c in the current view, -1 for none.
func (e *Eval) runOf(c *Cell) int {
	if c.busy == 0 {
		return -1
	}
	view := e.view()
	for i := len(e.running) - 1; i >= 0; i-- {
		if r := &e.running[i]; r.cell == c && r.view == view {
			return i
		}
	}
	return -1
}

// at adds the position of the computed value to an error without one.
//
//go:noinline
func at(err error, p *Context) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || !d.At.IsZero() {
		return err
	}
	placed := *d
	placed.At = p.At
	placed.Includes = p.Origin.Includes()
	return &placed
}

// Included adds the chain of includes to an error in the file of p.
func (p *Context) Included(err error) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || p.Origin.Ref == nil || d.Includes != nil || d.At.File != p.Origin.Doc.File {
		return err
	}
	there := *d
	there.Includes = p.Origin.Includes()
	return &there
}

// reentered returns null, or an error, for a computation that needs the value of the i-th
// running one.
func (e *Eval) reentered(i int, t Thunk) (value.Value, error) {
	steps := fromFirst(e.running[i:])
	soft := t.Soft()
	for _, r := range steps {
		soft = soft && r.soft
	}
	d := source.Errorf(steps[0].at, source.Cycle, "%s needs its own value%s", steps[0].cell.label(), chainOf(steps))
	for j, r := range steps {
		next := steps[(j+1)%len(steps)]
		d.Note(r.at, "%s needs %s", r.cell.Name(), next.cell.Name())
		if len(d.Notes) == maxIncludeNotes {
			break
		}
	}
	if !soft || e.strictCycles {
		return value.Null, d
	}
	e.lowRun = min(e.lowRun, i)
	for _, r := range steps {
		r.cell.cyclic = true
	}
	d.Severity = source.Warning
	d.Message += ", which is null there"
	e.Warn(d)
	return value.Null, nil
}

// fromFirst rotates a cycle so that the first step in the source comes first. The message
// is the same whichever step was asked first.
func fromFirst(cycle []run) []run {
	first := 0
	for i, r := range cycle {
		f := cycle[first]
		if r.at.File == f.at.File && r.at.Start < f.at.Start {
			first = i
		}
	}
	return append(append([]run{}, cycle[first:]...), cycle[:first]...)
}

// chainOf names the steps of a cycle with their positions, up to maxChain.
func chainOf(steps []run) string {
	if len(steps) == 1 {
		return ""
	}
	var b strings.Builder
	b.WriteString(":")
	for i, r := range steps {
		if i == maxChain {
			b.WriteString(" ...")
			break
		}
		fmt.Fprintf(&b, " %s (%s) needs", r.cell.Name(), r.at)
	}
	fmt.Fprintf(&b, " %s", steps[0].cell.Name())
	return b.String()
}

const maxChain = 6

// certainlyMap reports whether a node as a layer of a document is a map, or an error,
// without deciding a guard.
func certainlyMap(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return !n.Weak
	case *Overlay:
		return !n.Lone
	case *Let:
		return certainlyMap(n.Body)
	case *Stack:
		return slices.ContainsFunc(n.Layers, certainlyMap)
	}
	return false
}

// certainlyPresent reports whether the fold of a single node cannot be absent, unless its value is omit.
func certainlyPresent(n Node) bool {
	switch n := n.(type) {
	case *Computed, *Scalar:
		return true
	case *Map:
		return !n.Weak
	}
	return false
}

// isMap reports whether the layer of a cell can only be a map of data, or an error, so that
// keys can be looked up without deciding a guard (spec: yay, section 6.4).
func (l *layer) isMap() bool {
	if l.of != nil {
		return false
	}
	if l.group == nil {
		return typedMap(l.node)
	}
	for _, m := range l.members {
		if m.isMap() {
			return l.rule.Typed && l.overlay == nil
		}
		if !l.rule.letsMapThrough(m.node) {
			return false
		}
	}
	return false
}

// typedMap is isMap for a node.
func typedMap(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return !n.Weak && !n.Form && n.Strategy == DefaultStrategy
	case *Let:
		return typedMap(n.Body)
	case *Stack:
		for _, top := range slices.Backward(n.Layers) {
			if typedMap(top) {
				return n.Rule.Typed
			}
			if !n.Rule.letsMapThrough(top) {
				return false
			}
		}
	}
	return false
}

// letsMapThrough reports whether a map below a layer makes the whole a map: always in a
// block, elsewhere if the layer can only be a map or absent.
func (r *Rule) letsMapThrough(top Node) bool { return r.concatLists || onlyMaps(top) }

// onlyMaps reports whether a node is a guard that can only pick maps.
func onlyMaps(n Node) bool {
	g, ok := n.(*Guard)
	return ok && g.May != nil && !slices.ContainsFunc(g.May, func(m Node) bool { return !typedMap(m) && !onlyMaps(m) })
}
