package restore

import "github.com/yaytpl/yaytpl/graph"

// intact returns the maps with directives that nothing of the edit has to do with. In the
// edited document their directives are still at work, so that one that is relative, or raw
// text, is to others what it is in the text.
func (w *walk) intact() ([]Intact, error) {
	var found []Intact
	inside := &trail{}
	for _, at := range w.sites.all {
		if !isOverlay(at.node) || !at.placed || !at.found || w.touched.meets(at.text) || w.doubt.meets(at.now) {
			continue
		}
		if inside.covers(at.now) {
			continue
		}
		same, err := w.isAsBefore(at)
		if err != nil {
			return nil, err
		}
		if same {
			found = append(found, Intact{at.now, at.node})
			inside.add(at.now)
		}
	}
	return found, nil
}

// isOverlay reports whether a node is a map with directives, by itself or as an item.
func isOverlay(n graph.Node) bool {
	if s, ok := n.(*graph.Splice); ok {
		n = s.Node
	}
	_, ok := n.(*graph.Overlay)
	return ok
}

// isAsBefore reports whether a site comes to what it came to.
func (w *walk) isAsBefore(at *site) (bool, error) {
	if !w.changed.meets(at.at) {
		return true, nil
	}
	old, err := some(w.orig.Value).at(at.at)
	if err != nil {
		return false, err
	}
	now, err := some(w.plan.Want).at(at.now)
	if err != nil {
		return false, err
	}
	return old.sameAs(now)
}
