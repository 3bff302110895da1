package graph

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
			if old := e.choices[bad.at]; !bad.at.stands(old) {
				return false, e.chooseAgain(bad, old)
			}
		}
	}
	return false, nil
}

func (e *Eval) chooseAgain(bad contradiction, old *choice) error {
	delete(e.choices, bad.at)
	ch := bad.at.cell.choose(old.layer, bad.at.guard)
	if ch.err != nil && stops(ch.err) {
		return ch.err
	}
	e.choices[bad.at] = ch
	if sameReads(old.reads, ch.reads) {
		return paradox(bad)
	}
	return nil
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
	now  assumed
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
	checked := map[looked]assumed{}
	for i := 0; i < len(e.tentative); i++ { // looking may add some
		bad, err := e.contradicted(e.tentative[i], checked)
		if err != nil {
			return nil, err
		}
		if bad != nil {
			all = append(all, *bad)
		}
	}
	return all, nil
}

// contradicted returns the first read of a guard that does not hold, nil for none.
// It adds what it looks at to checked.
func (e *Eval) contradicted(at guardAt, checked map[looked]assumed) (*contradiction, error) {
	for _, r := range e.choices[at].reads {
		now, ok := checked[r.looked]
		if !ok {
			v, here, err := r.look()
			if err != nil && stops(err) {
				return nil, err
			}
			now = e.snapshot(v, here)
			now.err = err
			checked[r.looked] = now
		}
		if !now.equal(r.seen) {
			return &contradiction{at, r, now}, nil
		}
	}
	return nil, nil
}

func sameReads(a, b []read) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].looked != b[i].looked || !a[i].seen.equal(b[i].seen) {
			return false
		}
	}
	return true
}

func paradox(c contradiction) error {
	return source.Errorf(c.at.guard.At, source.Paradox, "inconsistent configuration: this %s decides %s by a value that it changes itself: %s was %s and became %s",
		c.at.guard.label(), c.at.cell.label(), c.read.label(), c.read.seen.text(), c.now.text())
}

// label says what was read.
func (r read) label() string {
	switch {
	case r.at != itsExtent:
		return r.cell.label()
	case r.seen.val.Is(value.IntKind):
		return "the length of " + r.cell.label()
	}
	return "the keys of " + r.cell.label()
}
