package restore

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// overlay is a map with directives. What cannot be said over one of them is said without
// it: the directive goes, and what it brought is written out.
func (w *walk) overlay(s spot, o *graph.Overlay, base optional, want value.Value) error {
	s.restless = s.restless || !s.placed || w.touched.meets(s.text)
	m, ok := mappingOf(s)
	if !ok || !want.Is(value.MapKind) {
		return w.lone(s, o, base, want)
	}
	if m.own.Strategy == graph.ReplaceStrategy || !base.isMap() {
		base = none
	}
	dropped := map[int]bool{}
	if w.opts.Inline[s.text.Pointer()] {
		w.dropAll(s, m, dropped)
	}
	for {
		below, ok, err := w.below(s, o, base, dropped)
		if err == nil && !ok {
			err = errNoMap
		}
		if isGone(err) {
			if err = w.dropGone(s, m, dropped, err); err == nil {
				continue
			}
		}
		if err == errConflict {
			return nil
		}
		if err != nil {
			return err
		}
		before := w.mark()
		err = w.entries(s, m, mapJob{base: below, dropped: dropped}, want)
		var e *inexpressible
		if !errors.As(err, &e) {
			return err
		}
		guilty, gerr := w.guilty(s, o, e.at[len(s.is):], dropped)
		if gerr != nil || len(guilty) == 0 {
			return errors.Join(gerr, err)
		}
		w.backTo(before)
		if w.opts.NoInline {
			w.plan.Conflicts = append(w.plan.Conflicts, Conflict{Path: e.at, Reason: ListNotAppendable, At: o.Bases[guilty[0]].Span()})
			return nil
		}
		for _, i := range guilty {
			w.drop(s, m, i, dropped)
		}
	}
}

// isGone reports whether an error is that a directive has no target any more, or none that
// a map can be built on: something else stands in its place.
func isGone(err error) bool {
	var d *source.Diagnostic
	return err == errNoMap || errors.Is(err, source.ErrMissing) || errors.As(err, &d) && d.Code == source.MergeConflict
}

var (
	errConflict = errors.New("conflict")                         // what has to stop is a conflict already
	errNoMap    = errors.New("a map cannot be built on a value") // one that is no map
)

// dropGone takes the directives out of a map that have no target any more. If all have,
// it returns why they cannot be used.
func (w *walk) dropGone(s spot, m *mapping, dropped map[int]bool, why error) error {
	found := false
	for i, b := range m.overlay.Bases {
		if dropped[i] {
			continue
		}
		v, ok, err := w.world.Alone(s.is, basesOf(m.overlay, []graph.Node{b}))
		if err != nil && !isGone(err) {
			return err
		}
		if err == nil && (!ok || v.Is(value.MapKind)) {
			continue
		}
		if w.opts.NoInline {
			w.plan.Conflicts = append(w.plan.Conflicts, Conflict{Path: slices.Clone(s.is), Reason: TemplateRemoved, At: b.Span()})
			return errConflict
		}
		w.drop(s, m, i, dropped)
		found = true
	}
	if !found {
		return why
	}
	return nil
}

// below returns what lies under the map: what is older, then what its directives bring.
// It is false if that is no map.
func (w *walk) below(s spot, o *graph.Overlay, base optional, dropped map[int]bool) (optional, bool, error) {
	bases := remaining(o, dropped)
	if len(bases) == 0 {
		return base, true, nil
	}
	v, ok, err := w.world.Alone(s.is, basesOf(o, bases))
	switch {
	case err != nil || !ok || v.Is(value.MapKind) && v.Map().Len() == 0:
		return base, true, err
	case !v.Is(value.MapKind):
		return none, false, nil
	case !base.ok:
		return some(v), true, nil
	}
	v, err = w.world.Join(base.v, v)
	return some(v), true, err
}

func remaining(o *graph.Overlay, dropped map[int]bool) []graph.Node {
	var bases []graph.Node
	for i, b := range o.Bases {
		if !dropped[i] {
			bases = append(bases, b)
		}
	}
	return bases
}

// basesOf returns an overlay of bases without anything of its own.
func basesOf(o *graph.Overlay, bases []graph.Node) graph.Node {
	return &graph.Overlay{
		At: o.At, Bases: bases, Own: graph.NewMap(graph.Map{At: o.At}), Rule: o.Rule,
		Lone: len(bases) == 1, Written: o.Written,
	}
}

// guilty returns the directives that have something at a path below the map.
func (w *walk) guilty(s spot, o *graph.Overlay, at value.Path, dropped map[int]bool) ([]int, error) {
	var guilty []int
	for i, b := range o.Bases {
		if dropped[i] {
			continue
		}
		v, ok, err := w.world.Alone(s.is, basesOf(o, []graph.Node{b}))
		if err != nil {
			return nil, err
		}
		there, err := optional{v, ok}.at(at)
		if err != nil {
			return nil, err
		}
		if there.ok {
			guilty = append(guilty, i)
		}
	}
	return guilty, nil
}

// drop takes a directive out of its map.
func (w *walk) drop(s spot, m *mapping, i int, dropped map[int]bool) {
	dropped[i] = true
	if i < len(m.directives) {
		w.tellInlined(m.directives[i].KeyNode, s)
	}
}

func (w *walk) dropAll(s spot, m *mapping, dropped map[int]bool) {
	for i := range m.overlay.Bases {
		w.drop(s, m, i, dropped)
	}
}

func (w *walk) tellInlined(key *yaml.Node, s spot) {
	w.warnAt(key.At, source.Inlined, "%s in %s went: what it brought is written out", key.At.Text(), s.is)
}

// lone is a directive in the place of a value that is no map, or is to be none.
func (w *walk) lone(s spot, o *graph.Overlay, base optional, want value.Value) error {
	now, err := w.written(s)
	if err != nil {
		return err
	}
	if now.ok && base.ok {
		if now.v, err = w.world.Join(base.v, now.v); err != nil {
			return err
		}
	}
	if eq, err := now.sameAs(some(want)); eq || err != nil {
		return err
	}
	wasMap := s.old.isMap()
	if !wasMap && w.opts.NoInline {
		reason := NeedsInline
		if s.old.isList() && want.Is(value.ListKind) {
			reason = ListNotAppendable
		}
		w.plan.Conflicts = append(w.plan.Conflicts, Conflict{Path: slices.Clone(s.is), Reason: reason, At: o.Bases[0].Span()})
		return nil
	}
	if !wasMap && len(s.syntax.Entries) > 0 {
		w.tellInlined(s.syntax.Entries[0].KeyNode, s)
	}
	return w.over(s, base, want)
}
