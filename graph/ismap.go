package graph

import "slices"

// hasMap reports whether l certainly has a map, so that as layers of a document it
// is one, or an error. No condition needs to be decided to know.
func (l *layer) hasMap() bool {
	return !l.leaves(func(l *layer) bool { return !certainlyMap(l.node) })
}

// certainlyMap is hasMap for a node.
func certainlyMap(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return !n.Weak
	case *Overlay:
		return !n.Lone
	case *Let:
		return certainlyMap(n.Body)
	case *Stack:
		return slices.ContainsFunc(n.Layers, certainlyMap)
	}
	return false
}

// isMap reports whether what lies on a cell can only be a map of data, or an error:
// then no condition needs to be decided before a key is asked for (spec: yay,
// section 6.4).
func (l *layer) isMap() bool {
	if l.of != nil {
		return false
	}
	if l.group == nil {
		return typedMap(l.node)
	}
	for _, m := range l.members {
		if m.isMap() {
			return l.rule.Typed && l.overlay == nil
		}
		if !l.rule.mayGoOn(m.node) {
			return false
		}
	}
	return false
}

// typedMap is isMap for a node.
func typedMap(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return !n.Weak && !n.Form && n.Strategy == DefaultStrategy
	case *Let:
		return typedMap(n.Body)
	case *Stack:
		for _, top := range slices.Backward(n.Layers) {
			if typedMap(top) {
				return n.Rule.Typed
			}
			if !n.Rule.mayGoOn(top) {
				return false
			}
		}
	}
	return false
}

// mayGoOn reports whether a map below a layer makes the whole a map: in a block it
// always does, elsewhere if the layer can only come to maps or nothing.
func (r *Rule) mayGoOn(top Node) bool { return r.ConcatLists || onlyMaps(top) }

func onlyMaps(n Node) bool {
	g, ok := n.(*Guard)
	return ok && g.May != nil && !slices.ContainsFunc(g.May, func(m Node) bool { return !typedMap(m) && !onlyMaps(m) })
}
