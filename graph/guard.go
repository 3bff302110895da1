package graph

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Guards at rest
//
// The condition of a guard may read a value that the guard changes, or that another guard changes
// whose condition reads a value of the first. A configuration is consistent if every guard picks the
// same node when it is asked again in the finished graph: then the guards are at rest.
//
// An example, in Yay. A is the guard of line 4, B the guard of line 6.
//
//	size: 1
//	level: 1
//	trace: 0
//	if level == 1:
//	    trace: 1
//	if trace or size == 1:
//	    level: 3
//
// A guard is decided for a key only if it may define that key. Asked for size, no guard is decided:
// the value is 1. Asked for level:
//
//  1. B may define level. B is hidden, and its condition reads trace.
//  2. A may define trace. A is hidden too, and its condition reads level. Without B that is 1. This
//     value is provisional, so it becomes a read of A: level was 1. A picks its map.
//  3. For B trace is 1, provisional as well: trace was 1. B picks its map.
//
// Both choices are tentative, because their reads may change once nothing is hidden. When the
// outermost guard, B, has its choice, settle confirms them in rounds. A round looks at all reads
// again (unconfirmed) and asks the guards whose reads changed (picksSame). The first of them that
// picks another node is decided again, which ends the round:
//
//  4. First round: level was 1 and is 3, by the choice of B. A, asked again, would pick nothing. So A
//     is decided again: it reads level, 3, and picks nothing.
//  5. Second round: trace was 1 and is 0, by the choice of A. B, asked again, picks the same map,
//     because of size. Only its read is updated: trace was 0.
//  6. Now all reads hold. commit makes the choices final: level is 3, trace is 0.
//
// While one read is looked at, all others are assumed to hold (Eval.assume): together they must be a
// fixed point.
//
// With the condition "if trace:" B has no other reason to pick its map. Then step 5 decides B again,
// A after it, and so on: the choices do not come to rest. After one round more than there are
// tentative choices (at most Limits.Rounds), search tries every combination of picks, if the guards
// are few and list all nodes that they can pick. If A picks its map, level must be 1, so B must pick
// nothing, but trace is 1. If A picks nothing, trace is 0, so B picks nothing, but then level is 1
// and A picks its map. No combination agrees: the error is paradox.
//
// A guard that reads nothing provisional is final at once, and costs none of this.

// The decisions of an evaluation are final once tentative is empty: until then a choice may be replaced, and what
// was read to make it is asked again. While settling is true the choices are confirmed, and all results
// are provisional. Outside of that assume is empty.
type decisions struct {
	choices   map[guardAt]*choice
	tentative []guardAt // unconfirmed choices
	settling  bool
	picked    picked             // the last choice of a definition
	assume    map[*Cell]snapshot // values that cells are assumed to have meanwhile
}

// A guardAt identifies a guard on a cell: one node may guard several places.
type guardAt struct {
	guard *Guard
	cell  *Cell
	frame *Frame
}

// A choice is the node that a guard picked. reads are the provisional values that it
// depends on. The choice is tentative until these are confirmed.
type choice struct {
	layer *layer
	on    value.Value // value of the condition
	node  Node        // nil for nothing
	reads []read
	err   error
}

// decide returns the node that a guard contributes on c, nil for none.
func (c *Cell) decide(l *layer, g *Guard) (Node, error) {
	e := c.eval
	if v, ok := c.named(l, g); ok {
		return c.pick(l, g, v)
	}
	at := guardAt{g, c, l.frame}
	if e.choices[at] != nil {
		return e.chosen(at)
	}
	if e.meets(g, c) {
		return nil, nil
	}
	ch := c.choose(l, g)
	c.shadeBy(ch.on, g.May)
	if ch.err != nil && (len(ch.reads) == 0 || Stops(ch.err)) {
		return nil, ch.err
	}
	if len(ch.reads) == 0 && len(e.hidden) == 0 && !e.settling && c.isTransient() {
		return ch.node, ch.err // the cell remembers it, and ends with the expression
	}
	kept := ch
	e.choices[at] = &kept
	if len(ch.reads) > 0 {
		e.tentative = append(e.tentative, at)
	}
	if len(e.hidden) == 0 && len(e.tentative) > 0 && !e.settling {
		if err := e.settle(); err != nil {
			return nil, err
		}
	}
	return e.chosen(at)
}

// isTransient reports whether c is in the result of an Instance in an expression, which nothing but
// that expression can reach.
func (c *Cell) isTransient() bool {
	for ; c != nil; c = c.up {
		if c.apart {
			return true
		}
	}
	return false
}

// chosen returns a choice that was made. A tentative choice makes the result provisional;
// if its condition failed it contributes nothing, since the missing value may be there in
// the end.
func (e *Eval) chosen(at guardAt) (Node, error) {
	ch := e.choices[at]
	if len(ch.reads) == 0 {
		return ch.node, ch.err
	}
	if len(e.hidden) > 0 {
		e.low = min(e.low, 0)
	}
	return ch.node, nil
}

// Stops reports whether an error ends the evaluation, whatever guards choose.
func Stops(err error) bool {
	return errors.Is(err, source.ErrLimit) || errors.Is(err, context.Canceled)
}

// choose decides a guard with the guard itself hidden.
func (c *Cell) choose(l *layer, g *Guard) choice {
	h := &hiddenLayer{node: g, cell: c, guard: true}
	ch := choice{layer: l}
	before := c.eval.begin()
	_, ch.err = c.eval.hide(h, func() (err error) {
		ch.on, ch.node, err = c.ask(l, g)
		return err
	})
	c.eval.timed = c.eval.end(before) || c.eval.timed
	ch.reads = h.reads
	return ch
}

// ask evaluates the condition of a guard and picks the node.
func (c *Cell) ask(l *layer, g *Guard) (value.Value, Node, error) {
	v, err := c.run(g.On, c.rangeOf(l, g))
	if err != nil {
		return v, nil, err
	}
	n, err := c.pick(l, g, v)
	return v, n, err
}

// pick returns the node that a guard picks for a value of its condition. For a definition this is always the same
// one, and a directive in a loop or a recursion asks for it many times.
func (c *Cell) pick(l *layer, g *Guard, v value.Value) (n Node, err error) {
	of := definitionOf(v)
	if last := &c.eval.picked; of != nil && last.guard == g && last.of == of {
		return last.node, nil
	}
	n, err = g.Pick(c.rangeOf(l, g), v)
	if of != nil && err == nil {
		c.eval.picked = picked{g, of, n}
	}
	return n, err
}

// A picked is the node that a guard picked for a definition.
type picked struct {
	guard *Guard
	of    *Definition
	node  Node
}

// named returns the value of a condition that is the name of a definition, if the frames are enough to know it:
// then the guard reads nothing that it may change. Only the guards of instances in expressions need no choice that
// explain would look for.
func (c *Cell) named(l *layer, g *Guard) (v value.Value, ok bool) {
	e := c.eval
	if g.Name == "" || e.OnRead != nil || len(e.hidden) > 0 || e.settling || !c.isTransient() {
		return value.Null, false
	}
	def := e.definition(l.frame, g.Name)
	if def == nil {
		return value.Null, false
	}
	v, ok, err := def.Value()
	return v, ok && err == nil && definitionOf(v) != nil
}

// rangeOf returns the place of the condition of a guard.
func (c *Cell) rangeOf(l *layer, g *Guard) *Context {
	return &Context{Cell: c, Origin: l.origin, Frame: l.frame, At: g.At, Inside: !g.Item}
}

// picksSame reports whether a guard with a read that changed would pick the same node
// again. If so, it updates the reads of the choice.
func (at guardAt) picksSame(ch *choice) bool {
	v, n, err := at.cell.ask(ch.layer, at.guard)
	if err != nil || ch.err != nil {
		return false
	}
	if n != ch.node && !sameName(v, n, ch) {
		return false
	}
	for i := range ch.reads {
		r := &ch.reads[i]
		v, ok, err := r.look()
		if err != nil {
			return false
		}
		r.seen = snapshotOf(v, ok)
	}
	return true
}

// sameName reports whether a guard that creates a node for a name, as an include does,
// would create the same node.
func sameName(v value.Value, n Node, ch *choice) bool {
	if n == nil || ch.node == nil || !v.IsScalar() || !ch.on.IsScalar() {
		return false
	}
	eq, err := value.Equal(v, ch.on)
	return eq && err == nil
}

// label returns the name of the guard for messages.
func (g *Guard) label() string {
	if g.Label == "" {
		return "condition"
	}
	return g.Label
}

// settle confirms all tentative choices against the finished graph, and chooses again where
// a read changed. It returns the error "paradox" if the choices never agree.
func (e *Eval) settle() error {
	e.settling = true
	defer func() { e.settling = false }()
	for n := 0; n < min(len(e.tentative)+1, e.limits.Rounds); n++ {
		rest, err := e.round()
		if err != nil {
			return e.lastResort(err)
		}
		if rest {
			e.commit()
			return nil
		}
	}
	return e.lastResort(source.Errorf(e.tentative[0].guard.At, source.Paradox, "inconsistent configuration: conditions that depend on each other never agree"))
}

// lastResort searches for choices that agree, after choosing again has ended with an error. Without any, the error is
// the result of all tentative choices.
func (e *Eval) lastResort(err error) error {
	if Stops(err) {
		return e.giveUp(err)
	}
	found, stopped := e.search()
	switch {
	case found:
		return nil
	case stopped != nil:
		first := e.tentative[0]
		err = e.exceeds(at(stopped, first.cell.rangeOf(e.choices[first].layer, first.guard)))
	}
	return e.giveUp(err)
}

// round checks all guards with a read that changed. The first one that would pick another
// node is decided again. It reports whether all reads hold.
func (d *decisions) round() (rest bool, err error) {
	for range 2 { // updating reads may change what other guards read
		all, err := d.unconfirmed()
		if err != nil || len(all) == 0 {
			return err == nil, err
		}
		for _, bad := range all {
			old := d.choices[bad.at]
			if bad.at.picksSame(old) {
				continue
			}
			delete(d.choices, bad.at)
			ch := bad.at.cell.choose(old.layer, bad.at.guard)
			if ch.err != nil && Stops(ch.err) {
				return false, ch.err
			}
			d.choices[bad.at] = &ch
			if slices.EqualFunc(old.reads, ch.reads, func(a, b read) bool { return a.probe == b.probe && a.seen.equal(b.seen) }) {
				return false, paradox(bad)
			}
			return false, nil
		}
	}
	return false, nil
}

// commit makes tentative choices final, and caches the values that they depend on.
func (d *decisions) commit() {
	for _, at := range d.tentative {
		for _, r := range d.choices[at].reads {
			if !r.cell.hasVal && r.at == itsValue && !r.seen.lazy {
				r.cell.val, r.cell.ok, r.cell.hasVal = r.seen.val, r.seen.ok, true
			}
		}
		d.choices[at].reads = nil
	}
	d.tentative = nil
}

// giveUp makes err the result of all tentative choices.
func (d *decisions) giveUp(err error) error {
	for _, at := range d.tentative {
		d.choices[at] = &choice{err: err}
	}
	d.tentative = nil
	return err
}

// A contradiction is a read of a guard that changed.
type contradiction struct {
	at   guardAt
	read read
	now  snapshot
}

// unconfirmed returns the first changed read of each tentative guard. It looks at one read
// while assuming the values of all others: together they must be a fixed point.
func (d *decisions) unconfirmed() ([]contradiction, error) {
	clear(d.assume)
	defer clear(d.assume)
	for _, at := range d.tentative {
		for _, r := range d.choices[at].reads {
			if r.at == itsValue && !r.seen.lazy {
				d.assume[r.cell] = r.seen
			}
		}
	}
	var all []contradiction
	checked := map[probe]snapshot{}
	for i := 0; i < len(d.tentative); i++ { // looking again may add some
		at := d.tentative[i]
		for _, r := range d.choices[at].reads {
			now, ok := checked[r.probe]
			if !ok {
				v, here, err := r.look()
				if err != nil && Stops(err) {
					return nil, err
				}
				now = snapshotOf(v, here)
				now.err = err
				checked[r.probe] = now
			}
			if !now.equal(r.seen) {
				all = append(all, contradiction{at, r, now})
				break
			}
		}
	}
	return all, nil
}

// paradox returns the error of a guard that changes the value it depends on.
func paradox(c contradiction) error {
	what := c.read.cell.label()
	if c.read.at == itsExtent && c.read.seen.val.Is(value.IntKind) {
		what = "the length of " + what
	} else if c.read.at == itsExtent {
		what = "the keys of " + what
	}
	return source.Errorf(c.at.guard.At, source.Paradox, "inconsistent configuration: this %s decides %s by a value that it changes itself: %s was %s and became %s",
		c.at.guard.label(), c.at.cell.label(), what, c.read.seen.text(), c.now.text())
}

const (
	maxSearched        = 6  // guards that are tried in all combinations
	stepsOfCombination = 50 // besides the choices that it restores
)

// search tries all combinations of a few guards with known nodes, after choosing again has
// not ended (design: decisions, "Yay"). It reports whether it found choices that agree. An error ends the evaluation.
func (e *Eval) search() (found bool, err error) {
	s := combination{eval: e, guards: slices.Clone(e.tentative), before: maps.Clone(e.choices)}
	if len(s.guards) > maxSearched {
		return false, nil
	}
	for _, at := range s.guards {
		if at.guard.May == nil || s.before[at].layer == nil {
			return false, nil
		}
	}
	if found, err = s.try(0); found {
		e.tentative = nil
		return true, nil
	}
	e.choices = s.before
	return false, err
}

// A combination is one choice for each of several guards.
type combination struct {
	eval   *Eval
	guards []guardAt
	picks  []Node
	before map[guardAt]*choice
}

// try tries all picks of the guards from the i-th on.
func (s *combination) try(i int) (found bool, err error) {
	if i == len(s.guards) {
		return s.agrees()
	}
	for _, n := range append(slices.Clone(s.guards[i].guard.May), nil) {
		s.picks = append(s.picks[:i], n)
		if found, err = s.try(i + 1); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// agrees reports whether every guard picks its choice of the combination, both in the graph
// with all these choices and while the guard itself is hidden. An error ends the evaluation.
func (s *combination) agrees() (bool, error) {
	e := s.eval
	if err := e.Step(stepsOfCombination + 5*len(s.before)); err != nil { // a few guards may have billions of combinations
		return false, err
	}
	defer func() { e.tentative = slices.Clone(s.guards) }()
	s.assume()
	for i, at := range s.guards {
		_, n, err := at.cell.ask(s.before[at].layer, at.guard)
		if err != nil && Stops(err) {
			return false, err
		}
		if err != nil || n != s.picks[i] {
			return false, nil
		}
		own := e.choices[at]
		delete(e.choices, at)
		ch := at.cell.choose(s.before[at].layer, at.guard)
		e.choices[at] = own
		if ch.err != nil && Stops(ch.err) {
			return false, ch.err
		}
		if ch.err != nil || ch.node != s.picks[i] {
			return false, nil
		}
	}
	s.assume() // without the choices that were made meanwhile
	return true, nil
}

// assume makes the choices of the combination, and restores all others.
func (s *combination) assume() {
	s.eval.choices = maps.Clone(s.before)
	for i, at := range s.guards {
		s.eval.choices[at] = &choice{layer: s.before[at].layer, node: s.picks[i]}
	}
}
