package graph

import "github.com/yaytpl/yaytpl/source"

// An anchorAt is an anchor with the way its document was reached.
type anchorAt struct {
	node   Node
	origin *Origin
}

// findAnchor looks for a name in the file that uses it, then in the document, then
// in everything that the document includes by a literal name (merge, section 4).
func (c *Cell) findAnchor(l *layer, ref *Ref) (*layer, error) {
	a, ok := c.eval.anchor(ref.Anchor, l.origin)
	if !ok {
		return nil, missing(l, ref)
	}
	if ref.Raw {
		a.node = rawNode(a.node)
	}
	start := &layer{node: a.node, origin: a.origin, up: l, via: ref}
	return c.within(l, ref, start)
}

func (e *Eval) anchor(name string, from *Origin) (anchorAt, bool) {
	if a, ok := from.Doc.Anchors[name]; ok {
		return anchorAt{a, from}, true
	}
	for i := len(e.layers) - 1; i >= 0; i-- {
		if a, ok := e.layers[i].Doc.Anchors[name]; ok {
			return anchorAt{a, e.layers[i]}, true
		}
	}
	if e.anchors == nil {
		e.collectAnchors()
	}
	a, ok := e.anchors[name]
	return a, ok
}

// collectAnchors reads the files that the layers include, and what those include.
// A file that cannot be read has no anchors; whoever includes it will say so.
func (e *Eval) collectAnchors() {
	e.anchors = map[string]anchorAt{}
	seen := map[*source.File]bool{}
	var visit func(o *Origin)
	visit = func(o *Origin) {
		if seen[o.Doc.File] || o.Depth > e.limits.Includes || e.loader == nil {
			return
		}
		seen[o.Doc.File] = true
		for _, ref := range o.Doc.Includes {
			doc, err := e.loader.Load(ref, o.Doc)
			if err != nil {
				continue
			}
			in := &Origin{Doc: doc, Ref: ref, Outer: o, Depth: o.Depth + 1}
			for name, n := range doc.Anchors {
				e.anchors[name] = anchorAt{n, in}
			}
			visit(in)
		}
	}
	for _, o := range e.layers {
		visit(o)
	}
}
