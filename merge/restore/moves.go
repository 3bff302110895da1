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
func (w *walk) findMoves() {
	if w.opts.Plain {
		return
	}
	drop := map[int]bool{}
	for i, j := range onlyPairs(transferred(w.gone), transferred(w.come)) {
		if j < 0 {
			continue
		}
		from, to := w.plan.Edits[w.gone[i].edit], &w.plan.Edits[w.come[j].edit]
		if passesList(from.Path) || passesList(to.Path) || to.Path.HasPrefix(from.Path) {
			continue
		}
		*to = roundtrip.Edit{Op: roundtrip.Move, Path: from.Path, To: to.Path, Place: to.Place}
		drop[w.gone[i].edit] = true
	}
	var edits []roundtrip.Edit
	for i, e := range w.plan.Edits {
		if !drop[i] {
			edits = append(edits, e)
		}
	}
	w.plan.Edits = edits
}

func transferred(list []transfer) []value.Value {
	values := make([]value.Value, len(list))
	for i, t := range list {
		values[i] = t.value
	}
	return values
}

// passesList reports whether a path leads through a list, whose indexes other edits
// change.
func passesList(p value.Path) bool {
	return slices.ContainsFunc(p, func(k value.Key) bool { return k.Kind == value.IntKind })
}
