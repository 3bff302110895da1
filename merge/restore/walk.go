package restore

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// This is how the walk finds the edits of a text. The text
//
//	base: &base
//	  port: 80
//	  log: {level: info, file: x}
//	web:
//	  +*base:
//	  name: web
//	api:
//	  +*base:
//	  port: 8080
//
// expands to a document in which web and api have the port and log of base. Somebody edits
// that document: base.port is 90, in web as well; web.name is "site"; api.port is 90;
// api.log.level is "debug" and api.log.file is deleted.
//
// Make first compares the documents. changed is {base.port, web.port, web.name, api.port,
// api.log.level, api.log.file}. The sites of the text are web and api: each has a
// reference to base. base changed, so touched is {web, api}: they have to be checked even
// where their own values did not change.
//
// The world is an evaluation of the edited document. Its nodes are plain data, but &base
// names the edited base, so a directive that is evaluated in it gives what the text will
// give after the edits: {port: 90, log: {level: info, file: x}}. That decides where a value
// is written: a value that the directives give in the world needs no edit here, because base
// is edited. Any other value has to be written over them.
//
// place is called for each spot, a place of the text with its node, its old value and its
// paths in the text, the original and the edited document. base is the value of the layers
// below the spot, want the value in the edited document:
//
//	spot       base                     want                edit
//	base       -                        {port: 90, ...}     (its entries)
//	base.port  -                        90                  Set base.port 90
//	base.log   -                        as before           none: not changed, not touched
//	web        {port: 90, log: ...}     {port: 90, ...}     (its entries)
//	web.name   -                        site                Set web.name site
//	api        {port: 90, log: ...}     {port: 90, ...}     (its entries)
//	api.port   90                       90                  Delete api.port
//
// In web, port and log are missing from the text: addKey compares base with want, finds
// both equal and adds nothing. The text of api.port gives 8080 and has to give 90, which
// base has already: over deletes the entry. (An entry that repeated its base before the
// edit stays.) log is not in the text of api either, and differs: addKey inserts the
// override that turns {level: info, file: x} into {level: debug}:
//
//	Insert api.log {level: debug, file: {+%: whiteout}}
//
// The result:
//
//	base: &base
//	  port: 90
//	  log: {level: info, file: x}
//	web:
//	  +*base:
//	  name: site
//	api:
//	  +*base:
//	  log: {level: debug, file: {+%: whiteout}}
//
// Had only web.port been edited, the directive would still give 80, and the edit would be
// "Insert web.port 90". Where no override can give want (an item less in a list that
// directives have as well), override fails with an inexpressibleError. The map with the
// directives then drops those with a value at that place, and its entries are written out
// over what is left: see overlay.

// A walk visits the text and the edited document in parallel: see the top of this file.
type walk struct {
	orig  Original
	opts  Options
	plan  *Plan
	sites *sites

	world   World  // the world of the edited document
	changed *trail // differences of the documents, by path in the original
	touched *trail // sites that refer to something that changed, by path of the text
	doubt   *trail // [Options.Doubt], by path in the edited document
	careful *trail // [Options.Careful]

	gone, come []transfer // removed and added values, for findMoves

	comments map[string]int // by line: how often it was added to comments
}

// An inexpressibleError is a place where no override produces the wanted value over the
// values from directives.
type inexpressibleError struct{ at value.Path }

// Error names the place in the document.
func (e *inexpressibleError) Error() string {
	return "no override of " + e.at.String() + " produces the wanted value"
}

// warnAt adds a warning to the plan.
func (w *walk) warnAt(at source.Span, code source.Code, format string, args ...any) {
	w.plan.Warnings = append(w.plan.Warnings, source.Warnf(at, code, format, args...))
}

// edit adds an edit of the text to the plan. Its paths are paths of the text, not of the document.
func (w *walk) edit(e roundtrip.Edit) { w.plan.Edits = append(w.plan.Edits, e) }

// delete adds an edit that deletes the place.
func (w *walk) delete(s spot) { w.edit(roundtrip.Edit{Op: roundtrip.Delete, Path: s.text}) }

// maxDepth bounds the depth of changes: each level compares everything inside of it, and
// package roundtrip does not write deeper values either.
const maxDepth = 1_000

// place edits the text at a spot so that it gives want over base, the value of the older
// layers there.
func (w *walk) place(s spot, base optional, want value.Value) error {
	if s.placed && !s.restless && !w.changed.meets(s.was) && !w.touched.meets(s.text) && !w.doubt.meets(s.is) {
		return nil // neither the place changed nor anything that it is built on
	}
	if len(s.text) > maxDepth {
		return source.Errorf(s.syntax.At, source.Limit, "the change is nested more than %d deep", maxDepth)
	}
	if done, err := w.needless(s, base, want); done || err != nil {
		return err
	}
	if s.syntax.Kind != yaml.AliasNode {
		switch n := bare(s.node).(type) {
		case *graph.Overlay:
			return w.overlay(s, n, base, want)
		case *graph.Delete:
			return w.unmarked(s, base, want)
		case *graph.Scalar:
			if n.Final {
				return w.unmarked(s, base, want)
			}
		case *graph.Map:
			if m, ok := mappingOf(s); ok && want.Is(value.MapKind) {
				return w.entries(s, m, underMap(m, base), nil, want)
			}
		case *graph.Seq:
			if s.syntax.Kind == yaml.SeqNode && want.Is(value.ListKind) {
				return w.list(s, n, base, want.List())
			}
		}
	}
	return w.whole(s, base, want)
}

// needless deletes a map of overrides if base already is the wanted value, and reports
// whether it did. A map with directives is not deleted.
func (w *walk) needless(s spot, base optional, want value.Value) (bool, error) {
	if _, ok := s.node.(*graph.Map); !ok || !s.entry || !base.isMap() || s.syntax.Kind != yaml.MapNode {
		return false, nil
	}
	if eq, err := base.sameAs(some(want)); !eq || err != nil {
		return false, err
	}
	if unedited, err := s.old.sameAs(some(want)); unedited || err != nil {
		return false, err
	}
	w.delete(s)
	return true, nil
}

// unmarked handles a whiteout or nullout, which stays while it has the wanted effect.
func (w *walk) unmarked(s spot, base optional, want value.Value) error {
	if _, nullout := s.node.(*graph.Scalar); nullout && want.IsNull() {
		return nil
	}
	return w.over(s, base, want)
}

// over replaces the value at a spot with the override that turns base into want. If base
// is equal to want already, it deletes the entry.
func (w *walk) over(s spot, base optional, want value.Value) error {
	if eq, err := base.sameAs(some(want)); err != nil {
		return err
	} else if eq && s.entry {
		w.delete(s)
		return nil
	}
	to := slot{at: s.is, lists: s.lists}
	if s.in != nil {
		to = s.in.slot(s.text[len(s.text)-1], s.is)
	}
	v, err := w.override(to, base, want)
	if err != nil {
		return err
	}
	if v.field != "" {
		s.in.rule(s.text[len(s.text)-1], v.field)
	}
	w.set(s, v.v)
	return nil
}

// whole handles values that are written as a whole: a scalar, an alias, an expression, or
// a value that changes its kind.
func (w *walk) whole(s spot, base optional, want value.Value) error {
	done, err := w.comesTo(s, base, want)
	if err != nil {
		return err
	}
	if !done {
		return w.over(s, base, want)
	}
	if !s.entry || s.syntax.Kind == yaml.AliasNode {
		return nil
	}
	// An entry that was edited to the value of base is not needed any more.
	unedited, err := s.old.sameAs(some(want))
	if unedited || err != nil {
		return err
	}
	if eq, err := base.sameAs(some(want)); !eq || err != nil {
		return err
	}
	w.delete(s)
	return nil
}

// comesTo reports whether the text at a spot gives want over base without an edit. It does
// not if it refers to something that was removed.
func (w *walk) comesTo(s spot, base optional, want value.Value) (bool, error) {
	now, err := w.written(s)
	if err == nil && now.ok && base.ok {
		now.v, err = w.world.Join(base.v, now.v, s.lists)
	}
	if err != nil {
		if isGone(err) {
			err = nil
		}
		return false, err
	}
	done, err := now.sameAs(some(want))
	if isGone(err) {
		return false, nil
	}
	return done, err
}

// written returns the value of the text at a spot by itself, in the edited world.
func (w *walk) written(s spot) (optional, error) {
	v, ok, err := w.world.Alone(s.is, s.node, s.lists)
	if isGone(err) {
		ok, err = false, nil
	}
	if s.syntax.Kind != yaml.AliasNode || err != nil {
		return optional{v, ok}, err
	}
	if w.sites.gone[s.syntax.Target] {
		return none, nil
	}
	to, known := w.sites.anchors[s.syntax.Target]
	if !known {
		return optional{v, ok}, nil
	}
	return w.anchored(s.node, to)
}

// A spot is a place of the text with its node and its value.
type spot struct {
	syntax *yaml.Node
	node   graph.Node
	lists  *graph.Lists // the rules for lists in the value, or nil
	text   value.Path   // path in the text: directives are keys, a splice is one item

	was    value.Path // path in the original document, if placed
	placed bool       // was is known
	old    optional   // the value in the original document

	is    value.Path // path in the edited document
	entry bool       // it is an entry of a map, which can be deleted
	in    *mapEdit   // the edit of that map, nil for others

	// layered is set if directives of a map around it may have a value for its place.
	layered bool

	// restless is set if the layers below the map around it changed.
	restless bool
}

// under returns the spot of an entry of the map at s.
func (s spot) under(e ownEntry) (spot, error) {
	kid, err := s.unnamed(e)
	kid.text, kid.was, kid.is = s.text.With(e.key), s.was.With(e.key), s.is.With(e.key)
	return kid, err
}

// unnamed is like under, but without paths.
func (s spot) unnamed(e ownEntry) (spot, error) {
	old, err := s.old.get(e.key)
	_, built := bare(s.node).(*graph.Overlay)
	return spot{
		layered: s.layered || built,
		syntax:  e.syntax.Value, node: e.node, lists: s.lists.Under(e.key.Text, listsOf(e.node)), old: old, placed: s.placed, entry: true, restless: s.restless,
	}, err
}

// listsOf returns the rules for lists that a map has itself, nil for any other node.
func listsOf(n graph.Node) *graph.Lists {
	switch n := bare(n).(type) {
	case *graph.Map:
		return n.Lists
	case *graph.Overlay:
		return n.Own.Lists
	}
	return nil
}

// bare returns an item of a list without the node for its role in the list.
func bare(n graph.Node) graph.Node {
	switch n := n.(type) {
	case *graph.Splice:
		return n.Node
	case *graph.Positional:
		return n.Node
	}
	return n
}

// markers returns the number of items at the beginning of a list that are not items of its
// value: 1 with the mark "+%: replace".
func (s spot) markers(seq *graph.Seq) int {
	if seq.Replace {
		return len(s.syntax.Items) - len(seq.Items)
	}
	return 0
}
