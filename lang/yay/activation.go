package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An activation is one use of a layout: the map of a call, of an instance, or a map in these. It has what was read of
// it so far, and is used again after the value was found for which it was made: no value refers to it.
type activation struct {
	*layout
	up    *activation // whose names are around the map, nil for the base
	slots []slot      // of the arguments and of the entries that are read

	call *callRead  // of a call: it has the arguments, evaluated in up
	in   *evaluator // evaluates the arguments of a call that is not in code

	calls, selves int // see graph.Frame.Instances

	next *activation // that is free
}

// A slot is a value or a map that may be read again.
type slot struct {
	state slotState
	val   value.Value
	inner *activation // of a map
	err   error
}

type slotState uint8

const (
	unread slotState = iota
	busy
	read
	failed
)

// activate returns an activation of l. up has the names around it.
func (l *layout) activate(up *activation) *activation {
	a := l.free
	if a == nil {
		a = &activation{layout: l}
	} else {
		l.free = a.next
	}
	if len(a.slots) < l.slots {
		a.slots = make([]slot, l.slots)
	}
	if a.up = up; up != nil {
		a.calls, a.selves = up.calls, up.selves
	} else {
		a.calls, a.selves = l.turn.base.Frame.Instances()
	}
	return a
}

// release ends the use of an activation and of those in it. After an error they are left to the garbage collector.
func (a *activation) release() {
	for i := range a.slots {
		s := &a.slots[i]
		if s.state != unread {
			if s.inner != nil {
				s.inner.release()
			}
			*s = slot{}
		}
	}
	l := a.layout
	a.up, a.call, a.in = nil, nil, nil
	a.next, l.free = l.free, a
}

// slot returns a slot. Others may be added while a value is computed, so that it must be asked for again.
func (a *activation) slot(i int) *slot {
	if i >= len(a.slots) {
		a.slots = append(a.slots, make([]slot, a.layout.slots-len(a.slots))...)
	}
	return &a.slots[i]
}

// arg returns the value of an argument.
func (a *activation) arg(i int) (value.Value, error) {
	switch s := &a.slots[i]; s.state {
	case read:
		return s.val, nil
	case busy:
		return value.Null, errNoShortcut
	case failed:
		return value.Null, s.err
	}
	return a.evalArg(i)
}

func (a *activation) evalArg(i int) (v value.Value, err error) {
	a.slots[i].state = busy
	if err = a.eval.Enter(); err != nil {
		return value.Null, errNoShortcut
	}
	if a.in != nil {
		v, err = a.in.eval(a.call.call.Args[i].Value)
	} else {
		v, err = a.call.args[i].eval(a.up)
	}
	a.eval.Leave()
	if err == nil && v.Is(value.UndefinedKind) {
		err = errNoShortcut
	}
	a.keep(i, v, nil, err)
	return v, err
}

// keep sets a slot.
func (a *activation) keep(i int, v value.Value, inner *activation, err error) {
	s := a.slot(i)
	s.state, s.val, s.inner = read, v, inner
	if err != nil {
		s.state, s.err = failed, err
	}
}

// read returns the value of an entry, or its activation if it is a map.
func (a *activation) read(e *entry) (value.Value, *activation, error) {
	if e.kind <= constantEntry {
		if e.kind == otherEntry {
			return value.Null, nil, errNoShortcut
		}
		return e.val, nil, nil
	}
	switch s := a.slot(e.slot); s.state {
	case read:
		return s.val, s.inner, nil
	case busy:
		return value.Null, nil, errNoShortcut
	case failed:
		return value.Null, nil, s.err
	}
	return a.evalEntry(e)
}

// value returns the value of an entry that is not a map.
func (a *activation) value(e *entry) (value.Value, error) {
	v, inner, err := a.read(e)
	if inner != nil && err == nil {
		err = errNoShortcut
	}
	return v, err
}

func (a *activation) evalEntry(e *entry) (v value.Value, inner *activation, err error) {
	around := a
	if e.given {
		around = a.up
	}
	switch e.kind {
	case computedEntry:
		a.slots[e.slot].state = busy
		if err = a.eval.Enter(); err != nil {
			return value.Null, nil, errNoShortcut
		}
		v, err = a.layout.codeOf(e).eval(around)
		a.eval.Leave()
		if err == nil && (v.Is(value.UndefinedKind) || a.isWhole(v)) {
			err = errNoShortcut
		}
	case mapEntry:
		inner = e.inner.activate(around)
	case instanceEntry:
		inner, err = a.construct(e, around)
	}
	a.keep(e.slot, v, inner, err)
	return v, inner, err
}

// construct returns the activation of an entry that is an instance of a prototype.
func (a *activation) construct(e *entry, around *activation) (*activation, error) {
	if e.of.bound && around.binds(e.of.name) {
		return nil, errNoShortcut
	}
	l, err := a.instanceOf(e)
	if l == nil {
		if err == nil {
			err = errNoShortcut
		}
		return nil, err
	}
	inner := l.activate(around)
	inner.selves++
	return inner, a.enter(inner.calls+inner.selves, e.node.Span())
}

// enter counts a call or an instance in a number of others, itself included.
func (a *activation) enter(depth int, at source.Span) error {
	if depth > a.eval.Limits().Includes {
		return errNoShortcut
	}
	a.turn.pending += graph.InstanceSteps
	return a.stepError(a.count(), at)
}

// binds reports whether a or an activation around it binds a name.
func (a *activation) binds(name string) bool {
	for ; a != nil; a = a.up {
		if a.kind == instanceLayout && name == selfName || a.local(name) != nil || a.param(name) >= 0 {
			return true
		}
	}
	return false
}

// named returns the value of a name that is not known from the layout, false if it has none.
func (a *activation) named(r *nameRef) (value.Value, bool, error) {
	sc := a.shortcuts
	if !r.bound {
		return sc.outside(r)
	}
	for ; a != nil; a = a.up {
		if e := a.local(r.name); e != nil {
			v, err := a.value(e)
			return v, err == nil, err
		}
		if i := a.param(r.name); i >= 0 {
			v, err := a.arg(i)
			return v, err == nil, err
		}
		if a.kind == instanceLayout && r.name == selfName {
			return value.Null, false, errNoShortcut
		}
		sc.turn.pending++
	}
	return sc.outside(r)
}

// follow returns the value that some keys lead to from the map of a.
func (a *activation) follow(keys []keyRef) (value.Value, error) {
	for i := range keys {
		k := &keys[i]
		if k.layout != a.layout {
			k.layout, k.entry = a.layout, a.layout.entry(k.name)
		}
		if k.entry == nil {
			return value.Null, errProbe
		}
		v, inner, err := a.read(k.entry)
		if err != nil {
			return value.Null, err
		}
		if inner == nil {
			return followed(v, keys[i+1:])
		}
		a = inner
	}
	return value.Null, errNoShortcut
}

// # An activation as the surroundings of expressions that are not compiled

// Lookup implements surroundings.
func (a *activation) Lookup(name string) (value.Value, bool, error) {
	if name == "here" {
		return value.Null, false, errNoShortcut
	}
	return a.named(a.ref(name))
}

// Missing implements surroundings. The message is never seen.
func (a *activation) Missing(*expr.Name) error { return errProbe }

// Call implements surroundings. The result of the call would be needed as a whole.
func (a *activation) Call(*expr.CallExpr, value.Value, evaluator) (value.Value, error) {
	return value.Null, errNoShortcut
}

// Ahead implements surroundings.
func (a *activation) Ahead(value.Value, string) {}

// Step implements surroundings.
func (a *activation) Step(n int) error { return a.eval.Step(n) }

// Enter implements surroundings.
func (a *activation) Enter() error { return a.eval.Enter() }

// Leave implements surroundings.
func (a *activation) Leave() { a.eval.Leave() }

// Keeps implements surroundings.
func (a *activation) Keeps() bool { return false }

// Decided implements surroundings.
func (a *activation) Decided() { a.turn.withCells = true }

// MaxText implements surroundings.
func (a *activation) MaxText() int { return a.eval.Limits().Output }

// shortcutOf returns the code for a key of a call, of "self" or of "here" in an expression that is not compiled, nil if it is
// anything else.
func (a *activation) shortcutOf(ev evaluator, n *expr.Select) (c *callRead, m code) {
	if call := calledIn(n); call != nil {
		c = a.layout.calls[n]
		if c == nil {
			c = newCallRead(a.shortcuts, n, call)
			a.layout.calls[n] = c
		}
		return c, nil
	}
	head, ok := headOf(n).(*expr.Name)
	if !ok || head.Name != selfName && head.Name != "here" {
		return nil, nil
	}
	if _, hidden := ev.vars.get(head.Name); hidden {
		return nil, nil
	}
	m = a.layout.maps[n]
	if m == nil {
		m = compiler{shortcuts: a.shortcuts, layout: a.layout, here: true}.compile(n)
		a.layout.maps[n] = m
	}
	return nil, m
}
