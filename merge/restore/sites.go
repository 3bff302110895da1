package restore

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A site is a place of the text that refers to another: a map with directives or "<<", or
// an alias.
type site struct {
	at     value.Path // before the edit, if placed
	placed bool
	now    value.Path // in the edited document, if found
	found  bool
	text   value.Path
	node   graph.Node
	where  source.Span
	refs   []reference
}

// A sites holds all sites of a document.
type sites struct {
	orig    Original
	lists   *graph.Lists // Options.Lists
	below   optional     // what the layers below the text have before the edit
	all     []*site
	anchors map[*yaml.Node]value.Path // the places of nodes with an anchor
	gone    map[*yaml.Node]bool       // nodes with an anchor that the edited document does not have
	nodes   map[graph.Node]value.Path
}

// collect finds the sites. References are resolved at the end, when the places of all
// anchors are known.
func (x *sites) collect() error {
	if x.orig.Tree == nil {
		return nil
	}
	var pending []func() error
	if err := x.visit(x.root(), &pending); err != nil {
		return err
	}
	for _, resolve := range pending {
		if err := resolve(); err != nil {
			return err
		}
	}
	return nil
}

// root returns the spot of the text as a whole.
func (x *sites) root() spot {
	return spot{
		syntax: x.orig.Tree, node: x.orig.Root, lists: x.lists.Item(listsOf(x.orig.Root)), old: some(x.orig.Value), placed: true, layered: x.below.ok,
	}
}

// visit finds the sites in a spot. Paths of spots share memory, so that a deep document
// takes no more memory than it is deep; paths that are stored are copied.
func (x *sites) visit(s spot, later *[]func() error) error {
	if s.syntax.Kind == yaml.AliasNode {
		at := x.add(s)
		*later = append(*later, func() error {
			x.alias(at, s.syntax.Target)
			return nil
		})
		return nil
	}
	if s.placed {
		if s.syntax.Anchor != "" {
			x.anchors[s.syntax] = slices.Clone(s.was)
		}
		if len(x.orig.Anchors) > 0 {
			x.nodes[s.node] = slices.Clone(s.was)
		}
	}
	if m, ok := mappingOf(s); ok {
		return x.visitMap(s, m, later)
	}
	if seq, ok := s.node.(*graph.Seq); ok && s.syntax.Kind == yaml.SeqNode {
		return x.visitList(s, seq, later)
	}
	return nil
}

// add records a place with directives. Paths are cloned, since the walk appends to them.
func (x *sites) add(s spot) *site {
	at := &site{at: slices.Clone(s.was), placed: s.placed, text: slices.Clone(s.text), node: s.node, where: s.syntax.At}
	x.all = append(x.all, at)
	return at
}

// visitMap records a map with directives, and visits its entries. The targets of the directives are found later,
// when all anchors are known.
func (x *sites) visitMap(s spot, m *mapping, later *[]func() error) error {
	if m.overlay != nil || len(m.merges) > 0 {
		at := x.add(s)
		*later = append(*later, func() error { return x.references(at, m) })
	}
	for _, e := range m.entries {
		kid, err := s.unnamed(e)
		if err != nil {
			return err
		}
		kid.text, kid.was = append(s.text, e.key), append(s.was, e.key)
		if err := x.visit(kid, later); err != nil {
			return err
		}
	}
	return nil
}

// visitList visits the items. The index of an item in the document depends on the values
// of the items before it; over another list it is not known.
func (x *sites) visitList(s spot, seq *graph.Seq, later *[]func() error) error {
	runs, total, err := x.runs(s, seq)
	if err != nil {
		return err
	}
	placed, err := x.orig.isAll(s, seq, total)
	if err != nil {
		return err
	}
	skip := s.markers(seq)
	for i, item := range seq.Items {
		kid := spot{syntax: s.syntax.Items[i+skip], node: item, lists: s.lists.Item(listsOf(item)), text: append(s.text, value.Index(i+skip)), placed: placed && runs[i].n == 1, layered: isPositional(item)}
		if kid.placed {
			k := value.Index(runs[i].first)
			kid.was = append(s.was, k)
			if kid.old, err = s.old.get(k); err != nil {
				return err
			}
		}
		if err := x.visit(kid, later); err != nil {
			return err
		}
	}
	return nil
}

// isAll reports whether a list of the text is the only source of the list at its place,
// with n items. Then the items of the text have the same indexes in the document.
func (o Original) isAll(s spot, seq *graph.Seq, n int) (bool, error) {
	if !s.placed || !s.old.isList() || s.old.v.List().Len() != n {
		return false, nil
	}
	if !s.layered || seq.Replace {
		return true, nil
	}
	v, ok, err := o.World.Alone(slices.Clone(s.was), seq, s.lists)
	if err != nil || !ok {
		return false, err
	}
	return s.old.sameAs(some(v))
}

// A run is the range of an item of the text in the list of the document.
type run struct{ first, n int }

// runs returns the runs of the items of a list and the sum of their lengths.
func (x *sites) runs(s spot, seq *graph.Seq) ([]run, int, error) {
	runs := make([]run, len(seq.Items))
	total := 0
	for i, item := range seq.Items {
		items, many, err := spliced(x.orig.World, s, s.was, total, item)
		if err != nil {
			return nil, 0, err
		}
		runs[i] = run{total, 1}
		if many {
			runs[i].n = len(items)
		}
		total += runs[i].n
	}
	return runs, total, nil
}

// spliced returns the values of item i of the list at a path, if it can be any number of
// items; false for an item that is always one.
func spliced(w World, s spot, list value.Path, i int, item graph.Node) ([]value.Value, bool, error) {
	switch item.(type) {
	case *graph.Delete:
		return nil, true, nil
	case *graph.Splice:
	default:
		return nil, false, nil
	}
	v, ok, err := w.Alone(list.With(value.Index(i)), bare(item), s.lists)
	switch {
	case err != nil || !ok:
		return nil, true, err
	case !v.Is(value.ListKind):
		return []value.Value{v}, true, nil
	}
	items, err := value.ItemsOf(v.List())
	return items, true, err
}

// touchedBy returns the places, as paths of the text, with a reference to something that
// changed.
func (x *sites) touchedBy(changed *trail) *trail {
	touched := &trail{}
	for _, at := range x.all {
		if slices.ContainsFunc(at.refs, func(r reference) bool {
			return r.computed || r.to != nil && changed.meets(r.to)
		}) {
			touched.add(at.text)
		}
	}
	return touched
}

// relocate finds the places of all sites, references and nodes in the edited document.
func (x *sites) relocate(r *relocation) error {
	for _, at := range x.all {
		var err error
		if at.placed {
			if at.now, at.found, err = r.of(at.at); err != nil {
				return err
			}
		}
		for i := range at.refs {
			ref := &at.refs[i]
			if !ref.known {
				continue
			}
			start, found, err := r.of(ref.to[:ref.start])
			if err != nil {
				return err
			}
			ref.now, ref.found = append(start, ref.to[ref.start:]...), found
		}
	}
	return errors.Join(relocateAll(x.anchors, x.gone, r), relocateAll(x.nodes, map[graph.Node]bool{}, r))
}

// relocateAll updates the paths of nodes to the edited document. Nodes without a place
// there go to gone.
func relocateAll[N comparable](at map[N]value.Path, gone map[N]bool, r *relocation) error {
	for n, p := range at {
		to, found, err := r.of(p)
		if err != nil {
			return err
		}
		if found {
			at[n] = to
		} else {
			delete(at, n)
			gone[n] = true
		}
	}
	return nil
}

// A reference is the target of a directive, "<<" or alias of a site.
type reference struct {
	to       value.Path // the target in the original; its expected path if it is missing
	start    int        // length of the part of to at which the pointer starts
	known    bool       // the target is a place of this document
	now      value.Path // the target in the edited document, if found
	found    bool
	needed   bool // a missing target is an error
	computed bool // the target depends on values
	syntax   bool // an alias or "<<": its anchor must be in the text
}

// alias adds the reference of an alias to its anchor.
func (x *sites) alias(at *site, target *yaml.Node) {
	to, ok := x.anchors[target]
	at.refs = append(at.refs, reference{to: to, start: len(to), known: ok, needed: true, syntax: true})
}

// references adds the references of a map with directives or "<<".
func (x *sites) references(at *site, m *mapping) error {
	if m.overlay != nil {
		for _, b := range m.overlay.Bases {
			ref, err := x.reference(at, b)
			if err != nil {
				return err
			}
			at.refs = append(at.refs, ref)
		}
	}
	for _, e := range m.merges {
		for _, from := range mergeSources(e.Value) {
			if from.Kind == yaml.AliasNode {
				x.alias(at, from.Target)
			}
		}
	}
	return nil
}

// reference resolves the target of a directive in the original document.
func (x *sites) reference(at *site, n graph.Node) (reference, error) {
	ref, ok := n.(*graph.Ref)
	if !ok {
		return reference{computed: true}, nil
	}
	r := reference{needed: !ref.Optional}
	var start value.Path
	switch ref.From {
	case graph.FromFile:
		return r, nil
	case graph.FromHere:
		if !at.placed || ref.Up > len(at.at) {
			return reference{computed: true}, nil
		}
		start = at.at[:len(at.at)-ref.Up]
	case graph.FromAnchor:
		named := x.orig.Anchors[ref.Anchor]
		if named == nil {
			return r, nil
		}
		if start, ok = x.nodes[named]; !ok {
			return reference{computed: true}, nil
		}
	}
	var err error
	r.start = len(start)
	r.to, r.known, err = pointed(some(x.orig.Value), start, ref.Path)
	return r, err
}

// pointed follows the segments of a pointer from a place. If they lead nowhere it returns
// false and the path that they spell.
func pointed(doc optional, start value.Path, segments []string) (value.Path, bool, error) {
	to := slices.Clone(start)
	v, err := doc.at(start)
	for i, word := range segments {
		var next optional
		var key value.Key
		for _, key = range spellings(v, word) {
			if next, err = v.get(key); next.ok || err != nil {
				break
			}
		}
		if !next.ok || err != nil {
			for _, word := range segments[i:] {
				to = append(to, value.K(word))
			}
			return to, false, err
		}
		v, to = next, append(to, key)
	}
	return to, v.ok, err
}

// spellings returns the keys that a segment of a pointer can mean.
func spellings(v optional, word string) []value.Key {
	if !v.isList() {
		return value.KeysSpelt(word)
	}
	i, ok := indexOf(value.Key{Text: word, Kind: value.IntKind})
	if ok && i < 0 {
		i += v.v.List().Len()
	}
	if !ok || i < 0 {
		return nil
	}
	return []value.Key{value.Index(i)}
}
