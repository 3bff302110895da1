package restore

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A World is a finished document in which nodes of the source can be tried.
type World interface {
	// Alone returns what a node comes to at a path of the document if it is all that
	// lies there, with directives carried out and nothing else evaluated; false for
	// nothing.
	Alone(p value.Path, n graph.Node) (value.Value, bool, error)

	// Join returns what a newer value comes to over an older one.
	Join(older, newer value.Value) (value.Value, error)
}

// An Original is a document as it was before it was edited.
type Original struct {
	Tree    *yaml.Node            // the text, nil for an empty document
	Root    graph.Node            // what the text means
	Anchors map[string]graph.Node // the nodes with a name
	Value   value.Value           // the document with its directives carried out
	Written value.Value           // the same with its comments
	World   World                 // in which that is the document
}

// An Edited is a document as it is to be.
type Edited struct {
	Value  value.Value           // with directives carried out
	Names  map[string]value.Path // where the nodes with a name are
	Intact []Intact              // places that are to be what the text says there
}

// An Intact is a place of the edited document whose node comes to the same as before the
// edit, by itself and for those that are built on it.
type Intact struct {
	At   value.Path
	Node graph.Node
}

// Options say how to restore.
type Options struct {
	// Edited returns the world of an edited document.
	Edited func(Edited) (World, error)

	// Doubt holds places of the edited document to look at even if nothing changed there:
	// something that they are built on did.
	Doubt []value.Path

	// Written is the edited document with its comments and spellings, which what is new in
	// it brings along. It may be null.
	Written value.Value

	// NoInline makes it a conflict to write out what a directive brings.
	NoInline bool

	// Inline holds paths in the source, as pointers, of maps whose directives are to be
	// written out: nothing else came to what was asked for.
	Inline map[string]bool

	// KeepOrder moves nothing, whatever order is wanted: an alias cannot move before its
	// anchor.
	KeepOrder bool

	// Plain looks for no renames: they are deletions and additions.
	Plain bool
}

// A Plan is what has to be done to a text.
type Plan struct {
	Edits []roundtrip.Edit

	// Want is what the text comes to then: the edited document, with what was deleted
	// there and is still referred to.
	Want value.Value

	Warnings  []*source.Diagnostic
	Conflicts []Conflict

	sites *sites
}

// Inline adds to a set of maps, by their paths in the source, those whose directives
// bring something to places that did not come to what was wanted: for each the
// nearest that is not in the set yet, or if there is none those in it. It returns false if
// there is nothing to add.
func (p *Plan) Inline(wrong []value.Path, set map[string]bool) bool {
	before := len(set)
	for _, w := range wrong {
		var nearest *site
		var inside []*site
		for _, at := range p.sites.all {
			switch {
			case !at.found || set[at.text.Pointer()]:
			case startsWith(w, at.now) && (nearest == nil || len(at.now) > len(nearest.now)):
				nearest = at
			case startsWith(at.now, w):
				inside = append(inside, at)
			}
		}
		if nearest != nil {
			inside = []*site{nearest}
		}
		for _, at := range inside {
			set[at.text.Pointer()] = true
		}
	}
	return len(set) > before
}

func startsWith(p, prefix value.Path) bool {
	return len(p) >= len(prefix) && slices.Equal(p[:len(prefix)], prefix)
}

// A Conflict is a change that cannot be written.
type Conflict struct {
	Path   value.Path // in the edited document
	Reason source.Reason
	At     source.Span // what brings the value there, if that is known
}

// Make returns what has to be done to a text so that it comes to the edited document.
//
// Errors are those of the worlds.
func Make(o Original, edited value.Value, opts Options) (*Plan, error) {
	w := &walk{orig: o, opts: opts, sites: &sites{
		orig: o, anchors: map[*yaml.Node]value.Path{}, gone: map[*yaml.Node]bool{}, nodes: map[graph.Node]value.Path{},
	}}
	w.plan = &Plan{sites: w.sites}
	if err := w.sites.collect(); err != nil {
		return nil, err
	}
	want, err := w.wanted(edited)
	if err != nil || w.changed.isEmpty() {
		return w.plan, err
	}
	w.touched, w.doubt = w.sites.touchedBy(w.changed), trailOf(opts.Doubt)
	intact, err := w.intact()
	if err != nil {
		return nil, err
	}
	if w.world, err = opts.Edited(Edited{want, w.sites.names(), intact}); err != nil {
		return nil, err
	}
	root := spot{syntax: o.Tree, node: o.Root, old: some(o.Value), placed: true}
	if o.Tree == nil {
		w.set(root, want)
		return w.plan, nil
	}
	err = w.place(root, none, want)
	var e *inexpressible
	if errors.As(err, &e) {
		w.plan.Conflicts = append(w.plan.Conflicts, Conflict{Path: e.at, Reason: source.NotVerified})
		err = nil
	}
	if err != nil {
		return nil, err
	}
	w.findMoves()
	return w.plan, nil
}

// wanted returns what the text is to come to, and finds out where that differs from what
// it came to.
func (w *walk) wanted(edited value.Value) (value.Value, error) {
	var err error
	if w.changed, err = differences(w.orig.Value, edited); err != nil {
		return edited, err
	}
	if err := w.sites.relocate(newRelocation(w.orig.Value, edited, w.changed, w.opts.KeepOrder)); err != nil {
		return edited, err
	}
	w.plan.Want, err = w.putBack(edited)
	if err == nil && len(w.plan.Warnings) > 0 {
		w.changed, err = differences(w.orig.Value, w.plan.Want)
	}
	return w.plan.Want, err
}

// intact returns the maps with directives that nothing of the edit has to do with. In the
// edited document their directives are still at work, so that one that is relative, or raw
// text, is to others what it is in the text.
func (w *walk) intact() ([]Intact, error) {
	var found []Intact
	inside := &trail{}
	for _, at := range w.sites.all {
		n := at.node
		if item, ok := n.(*graph.Splice); ok {
			n = item.Node
		}
		if _, ok := n.(*graph.Overlay); !ok || !at.placed || !at.found {
			continue
		}
		if w.touched.meets(at.text) || w.doubt.meets(at.now) || inside.covers(at.now) {
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
