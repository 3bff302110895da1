package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A code is an expression of a layout in which the names are slots. Its kinds have the meaning of the functions of
// [evaluator] with similar names. An error is seen by an "else" only.
type code interface {
	// eval returns the value in an activation of the layout.
	eval(a *activation) (value.Value, error)

	// first returns the argument of the call around that is read first, noArgument if none is certain to be
	// read before anything that may fail.
	first() int
}

// A keyRef is a key that is read, with the entry that it was the last time.
type keyRef struct {
	name   string
	at     source.Span
	layout *layout
	entry  *entry
}

// noCode is what needs cells.
type noCode struct{}

func (noCode) eval(*activation) (value.Value, error) { return value.Null, errNoShortcut }
func (noCode) first() int                            { return noArgument }

type literalCode struct{ val value.Value }

func (c *literalCode) eval(*activation) (value.Value, error) { return c.val, nil }
func (c *literalCode) first() int                            { return noArgument }

// An argumentCode is an argument of the call some steps around.
type argumentCode struct{ up, arg int }

func (c *argumentCode) eval(a *activation) (value.Value, error) {
	for range c.up {
		a = a.up
	}
	return a.arg(c.arg)
}

func (c *argumentCode) first() int {
	if c.up > 0 {
		return noArgument
	}
	return c.arg
}

// A localCode is a name that the body of the call some steps around binds.
type localCode struct {
	up   int
	of   *entry
	node *expr.Name
}

func (c *localCode) eval(a *activation) (value.Value, error) {
	for range c.up {
		a = a.up
	}
	v, err := a.value(c.of)
	if err != nil {
		return value.Null, err
	}
	return defined(v, c.node.At)
}

func (c *localCode) first() int { return noArgument }

// A nameCode is a name that has its meaning around the call.
type nameCode struct {
	ref  *nameRef
	node *expr.Name
}

func (c *nameCode) eval(a *activation) (value.Value, error) {
	v, ok, err := a.named(c.ref)
	switch {
	case err != nil:
		return value.Null, err
	case !ok:
		return value.Null, errProbe
	}
	return defined(v, c.node.At)
}

func (c *nameCode) first() int { return noArgument }

// A mapRead is a key of the map some steps around, or of one in it.
type mapRead struct {
	up   int
	keys []keyRef
}

func (c *mapRead) eval(a *activation) (value.Value, error) {
	for range c.up {
		a = a.up
	}
	a.turn.pending++
	return a.follow(c.keys)
}

func (c *mapRead) first() int { return noArgument }

// A selfRead is a key of the nearest instance around, where it is not known which.
type selfRead struct {
	ref  *nameRef
	node *expr.Name
	keys []keyRef
}

func (c *selfRead) eval(a *activation) (value.Value, error) {
	for up := a; up != nil; up = up.up {
		if up.kind == instanceLayout {
			return up.follow(c.keys)
		}
		if up.local(selfName) != nil || up.param(selfName) >= 0 {
			break
		}
		a.turn.pending++
	}
	v, ok, err := a.named(c.ref)
	switch {
	case err != nil:
		return value.Null, err
	case !ok:
		return value.Null, errProbe
	}
	if v, err = defined(v, c.node.At); err != nil {
		return value.Null, err
	}
	return followed(v, c.keys)
}

func (c *selfRead) first() int { return noArgument }

// A selectCode is a key of a value, or of one in it.
type selectCode struct {
	x    code
	keys []keyRef
}

func (c *selectCode) eval(a *activation) (value.Value, error) {
	x, err := c.x.eval(a)
	if err != nil {
		return value.Null, err
	}
	a.turn.pending++
	return followed(x, c.keys)
}

func (c *selectCode) first() int { return c.x.first() }

// followed returns the value that some keys lead to from a value.
func followed(x value.Value, keys []keyRef) (value.Value, error) {
	for i := range keys {
		k := &keys[i]
		if !x.Is(value.MapKind) {
			return value.Null, errNoShortcut
		}
		v, ok, err := mapItem(x.Map(), k.name)
		switch {
		case err != nil:
			return value.Null, err
		case !ok && x.Marks() != 0:
			return value.Null, errNoShortcut // the marks are those of what an "else" has instead
		case !ok:
			return value.Null, errProbe
		}
		if x, err = found(v, x.Marks(), k.at); err != nil {
			return value.Null, err
		}
	}
	return x, nil
}

// A callRead is a key of a call, or of a map or value in its result.
type callRead struct {
	sc     *shortcuts
	call   *expr.CallExpr
	fn     *nameRef
	params []string
	args   []code // nil if they are not compiled
	keys   []keyRef

	def    *graph.Definition // of the last call
	origin *graph.Origin     // likewise
	layout *layout           // likewise; nil if there is no shortcut
}

// newCallRead returns the code for n, which reads a key of a call, without arguments.
func newCallRead(sc *shortcuts, n *expr.Select, call *expr.CallExpr) *callRead {
	c := &callRead{sc: sc, call: call, fn: sc.ref(call.Fn.(*expr.Name).Name), keys: keysOfRead(n)}
	for i := range call.Args {
		c.params = append(c.params, call.Args[i].Name)
	}
	return c
}

func (c *callRead) eval(a *activation) (value.Value, error) {
	fn, ok, err := a.named(c.fn)
	if err == nil && !ok {
		err = errNoShortcut
	}
	if err != nil {
		return value.Null, err
	}
	return c.read(a, nil, fn)
}

// evalIn is eval for arguments that are not compiled. It evaluates the expressions with in. a is nil at the base.
func (c *callRead) evalIn(a *activation, in *evaluator) (value.Value, error) {
	fn, ok, err := in.lookup(c.fn.name)
	if err == nil && !ok {
		err = errNoShortcut
	}
	if err != nil {
		return value.Null, err
	}
	return c.read(a, in, fn)
}

// callee returns the layout of the map that the macro fn makes, nil if there is no shortcut.
func (c *callRead) callee(fn value.Value) *layout {
	f := fn.Func()
	if f == nil {
		return nil
	}
	def, ok := f.Definition.(*graph.Definition)
	if !ok {
		return nil
	}
	if origin := c.sc.turn.base.Origin; def != c.def || origin != c.origin {
		c.def, c.origin, c.layout = def, origin, c.sc.ofCall(def, c.params)
	}
	return c.layout
}

// read returns the value of the keys of a call of fn.
func (c *callRead) read(up *activation, in *evaluator, fn value.Value) (value.Value, error) {
	l := c.callee(fn)
	if l == nil {
		return value.Null, errNoShortcut
	}
	k := &c.keys[0]
	if k.layout != l {
		k.layout, k.entry = l, l.entry(k.name)
	}
	if up == nil && k.entry != nil && k.entry.failed >= maxFailed {
		return value.Null, errNoShortcut
	}
	a := l.activate(up)
	a.call, a.in = c, in
	a.calls++
	if err := a.enter(a.calls, c.call.At); err != nil {
		return value.Null, err
	}
	if k.entry != nil {
		if i := l.firstOf(k.entry); i >= 0 && a.slots[i].state == unread {
			_, _ = a.evalArg(i) // the slot keeps the error
		}
	}
	v, err := a.follow(c.keys)
	if err == nil {
		a.release()
	}
	return v, err
}

// first is that of the argument that the value reads first.
func (c *callRead) first() int {
	if c.fn.bound || c.args == nil || c.sc.eval.Defined(c.sc.turn.base.Frame, c.fn.name) == nil {
		return noArgument
	}
	fn, ok, err := c.sc.outside(c.fn)
	if !ok || err != nil {
		return noArgument
	}
	l := c.callee(fn)
	if l == nil {
		return noArgument
	}
	e := l.entry(c.keys[0].name)
	if e == nil {
		return noArgument
	}
	i := l.firstOf(e)
	if i < 0 {
		return noArgument
	}
	return c.args[i].first()
}

// operands returns the values of both operands of an operator.
func (a *activation) operands(x, y code) (vx, vy value.Value, err error) {
	if vx, err = x.eval(a); err == nil {
		vy, err = y.eval(a)
	}
	if err != nil {
		return value.Null, value.Null, within(err)
	}
	a.turn.pending++
	return vx, vy, nil
}

type binaryCode struct {
	node *expr.Binary
	x, y code
}

func (c *binaryCode) eval(a *activation) (value.Value, error) {
	x, y, err := a.operands(c.x, c.y)
	if err != nil {
		return value.Null, err
	}
	if r, ok := smallResult(c.node.Op, x, y); ok {
		return r.Mark(x.Marks() | y.Marks()), nil
	}
	return evaluator{in: a}.combined(c.node, x, y)
}

func (c *binaryCode) first() int { return c.x.first() }

type compareCode struct {
	node *expr.Compare
	x, y code
}

func (c *compareCode) eval(a *activation) (value.Value, error) {
	x, y, err := a.operands(c.x, c.y)
	if err != nil {
		return value.Null, err
	}
	link := &c.node.Rest[0]
	if x.Is(value.IntKind) {
		if holds, ok := value.QuickCompare(link.Op, x, y); ok {
			return value.Bool(holds), nil
		}
	}
	return evaluator{in: a}.compareTo(c.node.First, link, x, y)
}

func (c *compareCode) first() int { return c.x.first() }

type conditionCode struct {
	node            expr.Node // the test
	test, then, not code
}

func (c *conditionCode) eval(a *activation) (value.Value, error) {
	test, err := c.test.eval(a)
	if err != nil {
		return value.Null, reached(err)
	}
	a.turn.pending++
	noteWord(a, test, c.node.Span())
	evaluator{in: a}.decided(test.Marks())
	holds, err := holds(test, c.node.Span())
	if err != nil {
		return value.Null, reached(err)
	}
	branch := c.not
	if holds {
		branch = c.then
	}
	v, err := branch.eval(a)
	if m := test.Marks(); m != 0 {
		v = v.Mark(m)
	}
	return v, err
}

func (c *conditionCode) first() int { return c.test.first() }

type logicCode struct {
	node *expr.Logic
	x, y code
}

func (c *logicCode) eval(a *activation) (value.Value, error) {
	x, err := c.x.eval(a)
	if err != nil {
		return value.Null, within(err)
	}
	a.turn.pending++
	noteWord(a, x, c.node.X.Span())
	evaluator{in: a}.decided(x.Marks())
	holds, err := truth(x, c.node.X.Span())
	if err != nil || holds == (c.node.Op == "or") {
		return x, err
	}
	y, err := c.y.eval(a)
	if err != nil {
		return value.Null, within(err)
	}
	return y.Mark(x.Marks()), nil
}

func (c *logicCode) first() int { return c.x.first() }

type elseCode struct{ x, y code }

func (c *elseCode) eval(a *activation) (value.Value, error) {
	v, err := c.x.eval(a)
	if err == nil || !isMissing(err) {
		return v, err
	}
	a.turn.pending++
	return c.y.eval(a)
}

func (c *elseCode) first() int { return c.x.first() }

// An exprCode is an expression that is not compiled.
type exprCode struct{ node expr.Node }

func (c *exprCode) eval(a *activation) (value.Value, error) { return evaluator{in: a}.eval(c.node) }

func (c *exprCode) first() int { return noArgument }

// A textCode is a text with expressions in it.
type textCode struct {
	text *Text
	head code // of the first expression
}

func (c *textCode) eval(a *activation) (value.Value, error) { return joinText(c.text.Parts, a) }

func (c *textCode) first() int { return c.head.first() }

// A markedCode is the value of other code with marks.
type markedCode struct {
	code
	marks value.Marks
}

func (c *markedCode) eval(a *activation) (value.Value, error) {
	v, err := c.code.eval(a)
	return v.Mark(c.marks), err
}
