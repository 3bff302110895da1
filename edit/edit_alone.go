package edit

import (
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
)

// standsAlone reports whether nothing but what the edits write can change: their documents
// have no directives and no anchors.
func (b *batch) standsAlone() bool {
	return !slices.ContainsFunc(b.plans, func(p *plan) bool { return !b.isAlone(p.place.doc) })
}

// isAlone reports whether a document has no directives and no anchors.
func (b *batch) isAlone(d *engine.Document) bool {
	if d == nil { // it is plain
		return true
	}
	alone, known := b.alone[d]
	if !known {
		alone = standsAlone(d.Layers()[0].Doc)
		b.alone[d] = alone
	}
	return alone
}

func standsAlone(doc *graph.Doc) bool {
	return len(doc.Anchors) == 0 && (doc.Root == nil || isWritten(doc.Root))
}

// isWritten reports whether a node and those in it are just what is written.
func isWritten(n graph.Node) bool {
	switch n := n.(type) {
	case *graph.Scalar:
		return !n.Final
	case *graph.Computed:
		return true
	case *graph.Map:
		for i := range n.Entries {
			if !isWritten(n.Entries[i].Node) {
				return false
			}
		}
		return n.Strategy == graph.DefaultStrategy
	case *graph.Seq:
		return !n.Replace && !slices.ContainsFunc(n.Items, func(n graph.Node) bool { return !isWritten(n) })
	}
	return false
}

// isBuilt reports whether a map on the way to the place has directives. In others, which
// are plain YAML to every reader, no directive is to appear.
func (at place) isBuilt() bool {
	built := false
	at.walk(func(n graph.Node) {
		_, overlay := n.(*graph.Overlay)
		built = built || overlay
	})
	return built
}

// isWritten reports whether the place is one of the text of the named file.
func (at place) isWritten() bool { return at.walk(func(graph.Node) {}) }

// walk visits the nodes on the way to the place as the named file has them, and reports
// whether the last one is there.
func (at place) walk(visit func(graph.Node)) bool {
	if at.doc == nil {
		return false
	}
	n := at.doc.Layers()[0].Doc.Root
	for _, k := range at.path {
		visit(n)
		if o, ok := n.(*graph.Overlay); ok {
			n = o.Own
		}
		switch m := n.(type) {
		case *graph.Map:
			i, ok := m.Find(k)
			if !ok {
				return false
			}
			n = m.Entries[i].Node
		case *graph.Seq:
			i, err := strconv.Atoi(k.Text)
			if err != nil || i >= len(m.Items) {
				return false
			}
			n = m.Items[i]
		default:
			return false
		}
	}
	visit(n)
	return true
}
