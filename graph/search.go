package graph

import (
	"maps"
	"slices"
)

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
