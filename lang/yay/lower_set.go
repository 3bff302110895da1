package yay

import (
	"github.com/yaytpl/yaytpl/graph"
)

// set binds names (spec: yay, section 5.4).
func (a *assembly) set(s *Set) {
	n := a.expression(s.Value, s.Value.Span())
	if len(s.Targets) == 1 {
		a.name(s.Targets[0].Name, s.Targets[0].At, n)
		return
	}
	whole := "set " + s.At.String() // cannot be written as a name
	a.name(whole, s.At, n)
	for i, t := range s.Targets {
		a.name(t.Name, t.At, &graph.Computed{At: t.At, Thunk: &targetThunk{whole: whole, i: i, n: len(s.Targets), at: s.Value.Span()}})
	}
}
