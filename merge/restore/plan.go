package restore

import (
	"errors"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A World is an expanded document in which nodes of the source can be evaluated.
type World interface {
	// Alone returns the value of a node at a path of the document, as if no other layer
	// were there: directives are expanded, nothing else is evaluated. It returns false
	// if there is no value. The rules for its lists are lists, or nil.
	Alone(p value.Path, n graph.Node, lists *graph.Lists) (value.Value, bool, error)

	// Below returns the value of the layers below the text, and false if there are none. Pointers in
	// them lead into the document.
	Below() (value.Value, bool, error)

	// Join returns the merge of a newer value over an older one, by these rules for lists.
	Join(older, newer value.Value, lists *graph.Lists) (value.Value, error)
}

// An Original is a document before the edit.
type Original struct {
	Tree    *yaml.Node            // the parsed text, nil for an empty document
	Root    graph.Node            // the nodes of the text
	Anchors map[string]graph.Node // the nodes with an anchor
	Value   value.Value           // the document with directives expanded
	Written value.Value           // the same with its comments
	World   World                 // the world of that document
	Match   bool                  // the text has +match, which only maps have
}

// An Edited is a document after the edit.
type Edited struct {
	Value  value.Value      // with directives expanded
	Names  map[string]Named // the nodes with an anchor
	Intact []Intact         // places whose directives stay active
}

// A Named is a node with an anchor after the edit. If layers below the text have a value at its place,
// the node is not all of the value there: Own is its part.
type Named struct {
	At    value.Path
	Own   value.Value
	IsOwn bool
}

// An Intact is a map with directives that the edit does not affect: neither its value nor
// the values that it is built on changed.
type Intact struct {
	At   value.Path
	Node graph.Node
}

// Options control Make.
type Options struct {
	// Edited returns the world of the edited document.
	Edited func(Edited) (World, error)

	// Doubt holds places of the edited document to check even if nothing changed there,
	// because something that they are built on did.
	Doubt []value.Path

	// Written is the edited document with comments and spellings, which new values
	// keep. It may be null.
	Written value.Value

	// WriteOut allows to replace any directive with its values. Without it, a directive is only
	// replaced if it is the only entry of its map, or has no target any more, or is "<<". For others this is a conflict.
	WriteOut bool

	// NoInline makes it a conflict to replace a directive with its values.
	NoInline bool

	// Inline holds the maps whose directives are to be replaced with their values, as
	// pointers in the source. See [Plan.Inline].
	Inline map[string]bool

	// Careful holds places of the edited document that came out wrong: lists at or around them are
	// written as a whole, and maps around them get no rules for lists.
	Careful []value.Path

	// Lists are the rules for lists below the rules of the text, or nil.
	Lists *graph.Lists

	// KeepOrder forbids moves, even if the order then differs: an alias cannot move
	// before its anchor.
	KeepOrder bool

	// Plain writes renames and moves as deletions and additions.
	Plain bool
}

// mayInline reports whether a directive with other entries in its map may be replaced.
func (o *Options) mayInline() bool { return o.WriteOut && !o.NoInline }

// A Plan says how to change a text.
type Plan struct {
	Edits []roundtrip.Edit

	// Want is the document that the text then expands to: the edited document, with
	// values that were deleted but are still referred to.
	Want value.Value

	Warnings  []*source.Diagnostic
	Conflicts []Conflict

	sites *sites
}

// Inline adds paths to a set of maps whose directives are to be expanded, after the text
// came out wrong in some places: for each place the nearest map around it that is not in
// the set yet, or without one the maps inside of the place. It returns false if there is
// nothing to add.
func (p *Plan) Inline(wrong []value.Path, set map[string]bool) bool {
	before := len(set)
	for _, w := range wrong {
		var nearest *site
		var inside []*site
		for _, at := range p.sites.all {
			switch {
			case !at.found || set[at.text.Pointer()]:
			case w.HasPrefix(at.now) && (nearest == nil || len(at.now) > len(nearest.now)):
				nearest = at
			case at.now.HasPrefix(w):
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

// A Conflict is a change that cannot be written.
type Conflict struct {
	Path   value.Path // in the edited document
	Reason source.Reason
	At     source.Span // the source of the value, if that is known
	Inline bool        // it would be none with [Options].WriteOut, without NoInline
}

// Make returns the plan by which a text expands to the edited document.
//
// Errors come from the worlds.
func Make(o Original, edited value.Value, opts Options) (*Plan, error) {
	w := &walk{orig: o, opts: opts, sites: &sites{
		orig: o, lists: opts.Lists, anchors: map[*yaml.Node]value.Path{}, gone: map[*yaml.Node]bool{}, nodes: map[graph.Node]value.Path{},
	}}
	w.plan = &Plan{sites: w.sites}
	var err error
	if w.sites.below.v, w.sites.below.ok, err = o.World.Below(); err != nil {
		return nil, err
	}
	if err := w.sites.collect(); err != nil {
		return nil, err
	}
	want, err := w.wanted(edited)
	if err != nil || w.changed.isEmpty() {
		return w.plan, err
	}
	w.touched, w.doubt, w.careful = w.sites.touchedBy(w.changed), trailOf(opts.Doubt), trailOf(opts.Careful)
	if err := w.enter(want); err != nil {
		return nil, err
	}
	base, err := w.older()
	if err != nil {
		return nil, err
	}
	root := w.sites.root()
	switch {
	case o.Match && !want.Is(value.MapKind):
		w.plan.Conflicts = append(w.plan.Conflicts, Conflict{Reason: source.NotVerified, At: o.Tree.At})
	case o.Tree == nil:
		if eq, same := base.sameAs(some(want)); same == nil && !eq { // not only in the order of keys
			err = w.over(root, base, want)
		}
	default:
		err = w.place(root, base, want)
	}
	if e, ok := errors.AsType[*inexpressibleError](err); ok {
		w.plan.Conflicts = append(w.plan.Conflicts, Conflict{Path: e.at, Reason: source.NotVerified})
		err = nil
	}
	if err != nil {
		return nil, err
	}
	w.findMoves()
	return w.plan, nil
}

// wanted returns the document that the text is to expand to, and records its differences
// from the original.
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

// intact returns the maps with directives that the edit does not affect. Their directives
// stay active in the edited world, because a relative directive, or one with raw text, has
// no equal form as data.
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
		if older, err := w.sites.below.at(at.at); older.ok || err != nil { // its value is not all of that place
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

// isAsBefore reports whether the value of a site did not change.
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
