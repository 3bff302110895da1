package edit

import (
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// overrideWays returns the ways to write an edit into the named file.
func (b *batch) overrideWays(p *plan) []overlay.Edits {
	var ways []overlay.Edits
	for _, e := range p.overrides() {
		ways = append(ways, overlay.Edits{b.inMain(p, e)})
	}
	return ways
}

// inMain returns an edit of the named file.
func (b *batch) inMain(p *plan, e roundtrip.Edit) overlay.Edit {
	return overlay.Edit{Path: b.Path, Lang: b.Lang, Doc: p.place.index, Edit: e}
}

// overrides returns the edits of the named file that may come to what a plan asks for,
// the simplest first.
func (p *plan) overrides() []roundtrip.Edit {
	set := func(v value.Value) roundtrip.Edit {
		return roundtrip.Edit{Op: roundtrip.Set, Path: p.place.path, Value: v, Create: true}
	}
	built := p.place.isBuilt()
	switch {
	case p.edit.Op == roundtrip.Delete && built && !p.place.isWritten():
		return []roundtrip.Edit{set(restore.Marker("whiteout"))}
	case p.edit.Op == roundtrip.Delete && built:
		return []roundtrip.Edit{p.edit, set(restore.Marker("whiteout"))}
	case p.edit.Op == roundtrip.Append:
		return []roundtrip.Edit{p.edit, set(value.ListOf(p.edit.Value))}
	case p.edit.Op == roundtrip.Set && p.edit.Value.IsNull() && built:
		return []roundtrip.Edit{p.edit, set(restore.Marker("nullout"))}
	}
	return []roundtrip.Edit{p.edit}
}

// refined returns what to try if a map was set and keys of older layers show through in
// what the document came to: the map with those taken away.
func (b *batch) refined(p *plan, after value.Value) []overlay.Edits {
	if p.edit.Op != roundtrip.Set || !p.edit.Value.Is(value.MapKind) || !p.place.isBuilt() {
		return nil
	}
	got, err := valueAt(after, p.place.path)
	if err != nil {
		return nil
	}
	e := p.edit
	e.Value = withoutOthers(e.Value, got)
	return []overlay.Edits{{b.inMain(p, e)}}
}

// withoutOthers returns a map with a whiteout for each key that only another one has,
// at every depth.
func withoutOthers(want, got value.Value) value.Value {
	if !want.Is(value.MapKind) || !got.Is(value.MapKind) {
		return want
	}
	out := value.NewMap(want.Map().Len())
	for k := range want.Map().Keys() {
		item, _, _ := want.Map().Get(k)
		other, _, _ := got.Map().Get(k)
		out.Set(k, withoutOthers(item, other))
	}
	for k := range got.Map().Keys() {
		if _, ok, _ := want.Map().Get(k); !ok {
			out.Set(k, restore.Marker("whiteout"))
		}
	}
	return value.FromMap(out)
}

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
