package graph

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A guardAt is a guard on a cell: the same node may guard several places.
type guardAt struct {
	guard *Guard
	cell  *Cell
	frame *Frame
}

// A choice is what a guard picked, with what it saw while some guard (itself, or
// one further out) was still hidden: that must hold in the finished graph before
// anybody may rely on the choice.
type choice struct {
	layer *layer
	on    value.Value // what the condition came to
	node  Node        // what it picked
	reads []read
	err   error
}

// decide returns the node that a guard contributes on c, nil for none.
func (c *Cell) decide(l *layer, g *Guard) (Node, error) {
	e := c.eval
	at := guardAt{g, c, l.frame}
	if e.choices[at] != nil {
		return e.chosen(at)
	}
	if e.meets(g, c) {
		return nil, nil
	}
	ch := c.choose(l, g)
	if ch.err != nil && (len(ch.reads) == 0 || stops(ch.err)) {
		return nil, ch.err
	}
	e.choices[at] = ch
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

// chosen returns a choice that was made. As long as it is tentative, so is all that
// follows from it; and a condition that fails contributes nothing until then,
// because what it lacks may be there in the end.
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

// stops reports whether an error ends the evaluation, whatever guards decide.
func stops(err error) bool {
	return errors.Is(err, source.ErrLimit) || errors.Is(err, context.Canceled)
}

// choose asks a guard with the guard itself hidden.
func (c *Cell) choose(l *layer, g *Guard) *choice {
	h := &hiddenLayer{node: g, cell: c, guard: true}
	ch := &choice{layer: l}
	_, ch.err = c.eval.hide(h, func() (err error) {
		ch.on, ch.node, err = c.ask(l, g)
		return err
	})
	ch.reads = h.reads
	return ch
}

func (c *Cell) ask(l *layer, g *Guard) (value.Value, Node, error) {
	p := &Place{Cell: c, Origin: l.origin, Frame: l.frame, At: g.At, Inside: !g.Item}
	v, err := c.run(g.On, p)
	if err != nil {
		return v, nil, err
	}
	n, err := g.Pick(p, v)
	return v, n, err
}

// stands reports whether a guard that saw something else than what is there now
// would pick the same again. Then only its reads have to be imports up to date.
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

// sameName reports whether a guard that makes a node for a name, as an include does,
// would make the same node.
func sameName(v value.Value, n Node, ch *choice) bool {
	if n == nil || ch.node == nil || !v.IsScalar() || !ch.on.IsScalar() {
		return false
	}
	eq, err := value.Equal(v, ch.on)
	return eq && err == nil
}

func (g *Guard) label() string {
	if g.Label == "" {
		return "condition"
	}
	return g.Label
}

// A read is what a guard saw provisionally: the value of a cell, or only which keys
// or how many items it has.
type read struct {
	probe
	seen snapshot
}

type probe struct {
	cell *Cell
	at   aspect
}

// An aspect is what was looked at of a cell.
type aspect uint8

const (
	itsValue  aspect = iota
	itsExtent        // the keys of a map, the length of a list
	presence         // whether it is there
)

// A snapshot is the value that a cell is taken to have.
type snapshot struct {
	val  value.Value
	lazy bool // val only tells the kind: what was seen of the contents are reads of its own
	ok   bool
	err  error // it cannot be had
}

// saw records that the guard being decided read a value that may yet change.
func (e *Eval) saw(at probe, v value.Value, ok bool) {
	for i := len(e.hidden) - 1; i >= 0; i-- {
		if h := e.hidden[i]; h.guard {
			h.reads = append(h.reads, read{at, snapshotOf(v, ok)})
			return
		}
	}
}

// look looks again.
func (at probe) look() (value.Value, bool, error) {
	switch at.at {
	case itsExtent:
		f, err := at.cell.fold()
		if err != nil {
			return value.Null, false, err
		}
		if f.kind == listShape {
			return value.Int(int64(len(f.items))), true, nil
		}
		keys, err := at.cell.keys()
		return keyList(keys), err == nil, err
	case presence:
		ok, err := at.cell.present()
		return value.Bool(ok), err == nil, err
	}
	return at.cell.compute()
}

func keyList(keys []value.Key) value.Value {
	s := make(value.Slice, len(keys))
	for i, k := range keys {
		s[i] = k.Value()
	}
	return value.FromList(s)
}

// snapshotOf takes a value as it is now. Of a place that is a map or list nothing but
// that: it may well change where nobody looked.
func snapshotOf(v value.Value, ok bool) snapshot {
	if !ok {
		return snapshot{}
	}
	if CellOf(v) != nil {
		return snapshot{val: v, lazy: true, ok: true}
	}
	plain, err := value.Plain(v)
	if err != nil {
		return snapshot{val: v, ok: true}
	}
	return snapshot{val: plain, ok: true}
}

func (a snapshot) equal(b snapshot) bool {
	if a.ok != b.ok || (a.err == nil) != (b.err == nil) {
		return false
	}
	if a.lazy || b.lazy {
		return a.lazy && b.lazy && a.val.Kind() == b.val.Kind()
	}
	eq, err := value.Equal(a.val, b.val)
	return eq && err == nil
}

func (a snapshot) text() string {
	switch {
	case a.err != nil:
		return "an error"
	case !a.ok:
		return "missing"
	}
	if a.lazy {
		return value.Article(a.val.Kind())
	}
	if masked, hidden := value.Masked(a.val); hidden {
		return masked
	}
	marks, _ := value.DeepMarks(a.val)
	s, err := value.Repr(a.val)
	if err != nil || marks != 0 || len(s) > 60 {
		return value.Article(a.val.Kind())
	}
	return s
}

// settle confirms every tentative choice against the finished graph, and chooses
// again where another guard's choice changed what was seen. Choices that do not
// come to rest are a paradox.
func (e *Eval) settle() error {
	e.settling = true
	defer func() { e.settling = false }()
	for n := 0; n < min(len(e.tentative)+1, e.limits.Rounds); n++ {
		rest, err := e.round()
		if err != nil && !stops(err) && e.search() {
			return nil
		}
		if err != nil {
			return e.giveUp(err)
		}
		if rest {
			e.commit()
			return nil
		}
	}
	if e.search() {
		return nil
	}
	return e.giveUp(source.Errorf(e.tentative[0].guard.At, source.Paradox, "inconsistent configuration: conditions that depend on each other do not come to rest"))
}

// round looks at every guard that saw something else than what is there now. The
// first that would pick another node chooses again. It reports whether there was
// nothing to do.
func (e *Eval) round() (rest bool, err error) {
	for range 2 { // what all that pick the same see may have changed once more
		all, err := e.unconfirmed()
		if err != nil || len(all) == 0 {
			return err == nil, err
		}
		for _, bad := range all {
			old := e.choices[bad.at]
			if bad.at.picksSame(old) {
				continue
			}
			delete(e.choices, bad.at)
			ch := bad.at.cell.choose(old.layer, bad.at.guard)
			if ch.err != nil && stops(ch.err) {
				return false, ch.err
			}
			e.choices[bad.at] = ch
			if slices.EqualFunc(old.reads, ch.reads, func(a, b read) bool { return a.probe == b.probe && a.seen.equal(b.seen) }) {
				return false, paradox(bad)
			}
			return false, nil
		}
	}
	return false, nil
}

func (e *Eval) commit() {
	for _, at := range e.tentative {
		for _, r := range e.choices[at].reads {
			if !r.cell.hasVal && r.at == itsValue && !r.seen.lazy {
				r.cell.val, r.cell.ok, r.cell.hasVal = r.seen.val, r.seen.ok, true
			}
		}
		e.choices[at].reads = nil
	}
	e.tentative = nil
}

func (e *Eval) giveUp(err error) error {
	for _, at := range e.tentative {
		e.choices[at] = &choice{err: err}
	}
	e.tentative = nil
	return err
}

// A contradiction is a read of a guard that does not hold.
type contradiction struct {
	at   guardAt
	read read
	now  snapshot
}

// unconfirmed looks for guards with a read that does not hold when all other reads
// do: what the guards saw must be a fixed point.
func (e *Eval) unconfirmed() ([]contradiction, error) {
	clear(e.assume)
	defer clear(e.assume)
	for _, at := range e.tentative {
		for _, r := range e.choices[at].reads {
			if r.at == itsValue && !r.seen.lazy {
				e.assume[r.cell] = r.seen
			}
		}
	}
	var all []contradiction
	checked := map[probe]snapshot{}
	for i := 0; i < len(e.tentative); i++ { // looking may add some
		at := e.tentative[i]
		for _, r := range e.choices[at].reads {
			now, ok := checked[r.probe]
			if !ok {
				v, here, err := r.look()
				if err != nil && stops(err) {
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

// maxSearched bounds how many guards are tried in all combinations.
const maxSearched = 6

// search looks for choices that agree with one another where choosing again and again
// came upon none: few guards that can only pick nodes known beforehand are tried in
// all combinations (design: decisions, "Yay"). It reports whether it found one.
func (e *Eval) search() bool {
	s := combination{eval: e, guards: slices.Clone(e.tentative), before: maps.Clone(e.choices)}
	if len(s.guards) > maxSearched {
		return false
	}
	for _, at := range s.guards {
		if at.guard.May == nil || s.before[at].layer == nil {
			return false
		}
	}
	if s.try(0) {
		e.tentative = nil
		return true
	}
	e.choices = s.before
	return false
}

// A combination is a choice for each of some guards.
type combination struct {
	eval   *Eval
	guards []guardAt
	picks  []Node
	before map[guardAt]*choice
}

// try tries all picks of the guards from the i-th on.
func (s *combination) try(i int) bool {
	if i == len(s.guards) {
		return s.agrees()
	}
	for _, n := range append(slices.Clone(s.guards[i].guard.May), nil) {
		s.picks = append(s.picks[:i], n)
		if s.try(i + 1) {
			return true
		}
	}
	return false
}

// agrees reports whether every guard makes its choice of the combination, both in the
// graph that they make together and while it is hidden itself.
func (s *combination) agrees() bool {
	e := s.eval
	defer func() { e.tentative = slices.Clone(s.guards) }()
	s.assume()
	for i, at := range s.guards {
		if _, n, err := at.cell.ask(s.before[at].layer, at.guard); err != nil || n != s.picks[i] {
			return false
		}
		own := e.choices[at]
		delete(e.choices, at)
		ch := at.cell.choose(s.before[at].layer, at.guard)
		e.choices[at] = own
		if ch.err != nil || ch.node != s.picks[i] {
			return false
		}
	}
	s.assume() // without what was decided on the way
	return true
}

// assume makes the choices of the combination, and no others than there were.
func (s *combination) assume() {
	s.eval.choices = maps.Clone(s.before)
	for i, at := range s.guards {
		s.eval.choices[at] = &choice{layer: s.before[at].layer, node: s.picks[i]}
	}
}
