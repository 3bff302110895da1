package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// A transfer is an edit that takes a value away or brings one.
type transfer struct {
	edit  int // in the plan
	value value.Value
}

// taken notes that the last edit takes a value away and leaves nothing behind.
func (w *walk) taken(old optional) {
	if old.ok && isCollection(old.v) {
		w.gone = append(w.gone, transfer{len(w.plan.Edits) - 1, old.v})
	}
}

// brought notes that the last edit adds a value where there was nothing.
func (w *walk) brought(v value.Value) {
	if isCollection(v) {
		w.come = append(w.come, transfer{len(w.plan.Edits) - 1, v})
	}
}

// isCollection reports whether a value is a map or list with something in it: enough to
// know it again.
func isCollection(v value.Value) bool {
	return v.Is(value.MapKind) && v.Map().Len() > 0 || v.Is(value.ListKind) && v.List().Len() > 0
}

// findMoves makes one move of a deletion and an addition of the same value, where there is
// just one of each, so that what stands there keeps its text and its directives.
func (w *walk) findMoves() error {
	if w.opts.Plain {
		return nil
	}
	drop := map[int]bool{}
	for _, g := range w.gone {
		c, ok, err := w.onlyMatch(g)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		from, to := w.plan.Edits[g.edit], &w.plan.Edits[c.edit]
		if passesList(from.Path) || passesList(to.Path) || startsWith(to.Path, from.Path) {
			continue
		}
		*to = roundtrip.Edit{Op: roundtrip.Move, Path: from.Path, To: to.Path, Place: to.Place}
		drop[g.edit] = true
	}
	if len(drop) == 0 {
		return nil
	}
	var edits []roundtrip.Edit
	for i, e := range w.plan.Edits {
		if !drop[i] {
			edits = append(edits, e)
		}
	}
	w.plan.Edits = edits
	return nil
}

// onlyMatch returns the only addition of what a deletion takes away, if no other takes the
// same.
func (w *walk) onlyMatch(g transfer) (transfer, bool, error) {
	matches := func(list []transfer) ([]transfer, error) {
		var found []transfer
		for _, t := range list {
			eq, err := same(t.value, g.value)
			if err != nil {
				return nil, err
			}
			if eq {
				found = append(found, t)
			}
		}
		return found, nil
	}
	gone, err := matches(w.gone)
	if err != nil || len(gone) != 1 {
		return g, false, err
	}
	come, err := matches(w.come)
	if err != nil || len(come) != 1 {
		return g, false, err
	}
	return come[0], true, nil
}

// passesList reports whether a path leads through a list, whose indexes other edits
// change.
func passesList(p value.Path) bool {
	return slices.ContainsFunc(p, func(k value.Key) bool { return k.Kind == value.IntKind })
}
