package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A walk goes through the text and the edited document side by side.
type walk struct {
	orig  Original
	opts  Options
	plan  *Plan
	sites *sites

	world   World  // of the edited document
	changed *trail // where the document changed, by path before the edit
	touched *trail // what takes something that changed, by path of the text
	doubt   *trail // what has to be looked at, by path in the edited document

	gone, come []transfer // what may have been moved

	comments map[string]int // how many more of each line of a comment there are than before
}

// An inexpressible is a place that cannot come to what it should over what directives
// bring there.
type inexpressible struct{ at value.Path }

func (e *inexpressible) Error() string {
	return e.at.String() + " cannot be written over what it is built on"
}

func (w *walk) warnAt(at source.Span, code source.Code, format string, args ...any) {
	w.plan.Warnings = append(w.plan.Warnings, source.Warnf(at, code, format, args...))
}

func (w *walk) edit(e roundtrip.Edit) { w.plan.Edits = append(w.plan.Edits, e) }

func (w *walk) delete(s spot) { w.edit(roundtrip.Edit{Op: roundtrip.Delete, Path: s.text}) }

// maxDepth bounds how deep changes may be: each level is compared with all that is in it,
// and package roundtrip writes nothing that is nested more deeply.
const maxDepth = 1_000

// place lets a place of the text come to want, over what older layers have there.
func (w *walk) place(s spot, base optional, want value.Value) error {
	if s.placed && !s.restless && !w.changed.meets(s.was) && !w.touched.meets(s.text) && !w.doubt.meets(s.is) {
		return nil // nothing in it has changed, nor what it is built on
	}
	if len(s.text) > maxDepth {
		return source.Errorf(s.syntax.At, source.Limit, "what has changed is nested more than %d deep", maxDepth)
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
				return w.entries(s, m, mapJob{base: underMap(m, base)}, want)
			}
		case *graph.Seq:
			if s.syntax.Kind == yaml.SeqNode && want.Is(value.ListKind) {
				return w.list(s, n, base, want.List())
			}
		}
	}
	return w.whole(s, base, want)
}

// needless leaves out a map of overrides that is to say what is below it already. Its
// directives stay if it has any.
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

// unmarked is a whiteout or nullout: it stays while it does what is wanted.
func (w *walk) unmarked(s spot, base optional, want value.Value) error {
	if _, nullout := s.node.(*graph.Scalar); nullout && want.IsNull() {
		return nil
	}
	return w.over(s, base, want)
}

// over writes what makes want of what is below, and takes away what is not needed.
func (w *walk) over(s spot, base optional, want value.Value) error {
	if eq, err := base.sameAs(some(want)); err != nil {
		return err
	} else if eq && s.entry {
		w.delete(s)
		return nil
	}
	v, err := w.override(s.is, base, want)
	if err == nil {
		w.set(s, v)
	}
	return err
}

// whole is what is written as a whole: a scalar, an alias, an expression, or what is to
// be of another kind.
func (w *walk) whole(s spot, base optional, want value.Value) error {
	done, err := w.comesTo(s, base, want)
	if err != nil {
		return err
	}
	if done {
		return w.superfluous(s, base, want)
	}
	return w.over(s, base, want)
}

// comesTo reports whether what the text says at a spot comes to want over what is below it.
// What takes something that has gone does not.
func (w *walk) comesTo(s spot, base optional, want value.Value) (bool, error) {
	now, err := w.written(s)
	if err == nil && now.ok && base.ok {
		now.v, err = w.world.Join(base.v, now.v)
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

// superfluous leaves out an entry that was set to what is below it already.
func (w *walk) superfluous(s spot, base optional, want value.Value) error {
	if !s.entry || s.syntax.Kind == yaml.AliasNode {
		return nil
	}
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

// written returns what the text at a spot says by itself in the edited document.
func (w *walk) written(s spot) (optional, error) {
	v, ok, err := w.world.Alone(s.is, s.node)
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
	return some(w.plan.Want).at(to)
}

// A spot is a place of the text with what it means and came to.
type spot struct {
	syntax *yaml.Node
	node   graph.Node
	text   value.Path // in the text: directives are keys, a splice is one item

	was    value.Path // in the document before it was edited, if placed
	placed bool
	old    optional // what was there

	is    value.Path // in the edited document
	entry bool       // it is an entry of a map, which can be left out

	// layered says that directives of a map around it may bring something to its place.
	layered bool

	// restless says that what is below the map around it has changed.
	restless bool
}

// under returns the spot of an explicit entry.
func (s spot) under(e explicit) (spot, error) {
	kid, err := s.unnamed(e)
	kid.text, kid.was, kid.is = longer(s.text, e.key), longer(s.was, e.key), longer(s.is, e.key)
	return kid, err
}

// unnamed is under without the paths.
func (s spot) unnamed(e explicit) (spot, error) {
	old, err := s.old.get(e.key)
	_, built := bare(s.node).(*graph.Overlay)
	return spot{
		layered: s.layered || built,
		syntax:  e.syntax.Value, node: e.node, old: old, placed: s.placed, entry: true, restless: s.restless,
	}, err
}

// longer returns a path with one more key, which shares nothing with p.
func longer(p value.Path, k value.Key) value.Path { return append(slices.Clip(p), k) }

// bare returns what an item of a list is, without its part in the list.
func bare(n graph.Node) graph.Node {
	switch n := n.(type) {
	case *graph.Splice:
		return n.Node
	case *graph.Positional:
		return n.Node
	}
	return n
}

// markers returns how many items a list of the text begins with that are none: one if it
// has the mark that lets it replace others.
func (s spot) markers(seq *graph.Seq) int {
	if seq.Replace {
		return len(s.syntax.Items) - len(seq.Items)
	}
	return 0
}
